import pytest

from episodes import categories


def test_taxonomy_is_complete():
    assert len(categories.CATEGORIES) == 19
    assert sum(map(len, categories.CATEGORIES.values())) == 91


def test_choices_group_parts_under_their_category():
    groups = dict(categories.choices())
    assert groups["Comedy"] == [
        ("Comedy", "Comedy"),
        ("Comedy > Comedy Interviews", "Comedy Interviews"),
        ("Comedy > Improv", "Improv"),
        ("Comedy > Stand-Up", "Stand-Up"),
    ]
    values = [value for group in groups.values() for value, _ in group]
    assert len(values) == len(set(values)) == 110


def test_every_choice_splits_into_a_current_pair():
    for _, group in categories.choices():
        for value, _ in group:
            pair = categories.split(value)
            assert categories.is_current(*pair)
            assert categories.join(*pair) == value
            assert categories.resolve(*pair) == value


@pytest.mark.parametrize(
    ("parent", "child", "current", "retired"),
    [
        ("Arts", "Books", True, False),
        ("arts", None, False, False),
        ("Arts", "Food & Drink", False, False),
        ("Arts", "Tech News", False, False),  # only under its own parent
        ("Technology", "Podcasting", False, True),
        ("Health", None, False, True),
        ("Religion & Spirituality", "Other", False, True),
        ("Religion & Spirituality", "Religion", True, False),
        ("", None, False, False),
    ],
)
def test_current_and_retired(parent, child, current, retired):
    assert categories.is_current(parent, child) is current
    assert categories.is_retired(parent, child) is retired


@pytest.mark.parametrize(
    ("parent", "child", "value"),
    [
        ("society  &  culture", "DOCUMENTARY", "Society & Culture > Documentary"),
        ("Arts", "Literature", "Arts"),
        ("Improv", None, "Comedy > Improv"),
        ("Technology", "Tech News", "News > Tech News"),
        ("Sports & Recreation", "Professional", None),
        ("Podcasting", None, None),
    ],
)
def test_resolve_forgives_foreign_spelling(parent, child, value):
    assert categories.resolve(parent, child) == value

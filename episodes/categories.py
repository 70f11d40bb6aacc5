"""Apple's podcast categories, the taxonomy that every directory reads.

Source: https://podcasters.apple.com/support/1691-apple-podcasts-categories, in force since 2019.
Names are matched exactly, capitals included. A show's value is "Parent" or "Parent > Child".
"""

SEPARATOR = " > "

#: Every category and its subcategories, in Apple's order.
CATEGORIES: dict[str, tuple[str, ...]] = {
    "Arts": ("Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts"),
    "Business": (
        "Careers",
        "Entrepreneurship",
        "Investing",
        "Management",
        "Marketing",
        "Non-Profit",
    ),
    "Comedy": ("Comedy Interviews", "Improv", "Stand-Up"),
    "Education": ("Courses", "How To", "Language Learning", "Self-Improvement"),
    "Fiction": ("Comedy Fiction", "Drama", "Science Fiction"),
    "Government": (),
    "History": (),
    "Health & Fitness": (
        "Alternative Health",
        "Fitness",
        "Medicine",
        "Mental Health",
        "Nutrition",
        "Sexuality",
    ),
    "Kids & Family": ("Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids"),
    "Leisure": (
        "Animation & Manga",
        "Automotive",
        "Aviation",
        "Crafts",
        "Games",
        "Hobbies",
        "Home & Garden",
        "Video Games",
    ),
    "Music": ("Music Commentary", "Music History", "Music Interviews"),
    "News": (
        "Business News",
        "Daily News",
        "Entertainment News",
        "News Commentary",
        "Politics",
        "Sports News",
        "Tech News",
    ),
    "Religion & Spirituality": (
        "Buddhism",
        "Christianity",
        "Hinduism",
        "Islam",
        "Judaism",
        "Religion",
        "Spirituality",
    ),
    "Science": (
        "Astronomy",
        "Chemistry",
        "Earth Sciences",
        "Life Sciences",
        "Mathematics",
        "Natural Sciences",
        "Nature",
        "Physics",
        "Social Sciences",
    ),
    "Society & Culture": (
        "Documentary",
        "Personal Journals",
        "Philosophy",
        "Places & Travel",
        "Relationships",
    ),
    "Sports": (
        "Baseball",
        "Basketball",
        "Cricket",
        "Fantasy Sports",
        "Football",
        "Golf",
        "Hockey",
        "Rugby",
        "Running",
        "Soccer",
        "Swimming",
        "Tennis",
        "Volleyball",
        "Wilderness",
        "Wrestling",
    ),
    "Technology": (),
    "True Crime": (),
    "TV & Film": ("After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews"),
}

#: Names in use before 2019: read without complaint on the way in, never written.
RETIRED: dict[str, tuple[str, ...]] = {
    "Arts": ("Literature",),
    "Business": ("Business News", "Management & Marketing", "Shopping"),
    "Education": (
        "Educational Technology",
        "Higher Education",
        "K-12",
        "Language Courses",
        "Training",
    ),
    "Games & Hobbies": ("Automotive", "Aviation", "Hobbies", "Other Games", "Video Games"),
    "Government & Organizations": ("Local", "National", "Non-Profit", "Regional"),
    "Health": ("Alternative Health", "Fitness & Nutrition", "Self-Help", "Sexuality"),
    "News & Politics": (),
    "Religion & Spirituality": ("Other",),
    "Science & Medicine": ("Medicine", "Natural Sciences", "Social Sciences"),
    "Society & Culture": ("History",),
    "Sports & Recreation": ("Amateur", "College & High School", "Outdoor", "Professional"),
    "Technology": ("Gadgets", "Podcasting", "Software How-To", "Tech News"),
}


def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices for a model field, one group per category: the category itself, then its parts."""
    return [
        (
            parent,
            [(parent, parent), *((join(parent, child), child) for child in children)],
        )
        for parent, children in CATEGORIES.items()
    ]


def join(parent: str, child: str | None = None) -> str:
    return f"{parent}{SEPARATOR}{child}" if child else parent


def split(value: str) -> tuple[str, str | None]:
    """`("Arts", "Books")` of "Arts > Books", `("Arts", None)` of "Arts"; checks no taxonomy."""
    parent, _, child = value.partition(SEPARATOR)
    return parent.strip(), child.strip() or None


def is_current(parent: str, child: str | None = None) -> bool:
    """Whether Apple lists exactly this pair; a subcategory counts only under its own parent."""
    return parent in CATEGORIES and (child is None or child in CATEGORIES[parent])


def is_retired(parent: str, child: str | None = None) -> bool:
    """Whether the pair was a category before 2019 and is none now."""
    if is_current(parent, child):
        return False
    known = CATEGORIES.get(parent, ()) + RETIRED.get(parent, ())
    return parent in RETIRED and (child is None or child in known)


def resolve(parent: str, child: str | None = None) -> str | None:
    """The current value that a pair from a foreign feed names, or None.

    Capitals and spacing are forgiven. A subcategory that is written on its own, or under the wrong
    parent, is found when one parent alone has it; an unknown one leaves its parent.
    """
    wanted = _fold(child or "")
    main = _NAMES.get(_fold(parent))
    if main is None:
        return _lone(_fold(parent))
    for name in CATEGORIES[main]:
        if _fold(name) == wanted:
            return join(main, name)
    return (_lone(wanted) if wanted else None) or main


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())


def _lone(folded: str) -> str | None:
    homes = _HOMES.get(folded, ())
    return homes[0] if len(homes) == 1 else None


_NAMES = {_fold(parent): parent for parent in CATEGORIES}
_HOMES: dict[str, list[str]] = {}
for _parent, _children in CATEGORIES.items():
    for _child in _children:
        _HOMES.setdefault(_fold(_child), []).append(join(_parent, _child))

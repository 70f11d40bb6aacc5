"""Elements an editor adds by hand: judged at the desk, written as they are."""

import pytest
from django.core.exceptions import ValidationError

from episodes.models import Episode, Show
from feeds.custom import BadElements, check_elements, elements
from tests.make import make_episode, make_show

GOOD = '<x:mood xmlns:x="urn:x" level="2">good &amp; calm</x:mood>'

BAD = {
    "not well-formed": "<x:mood",
    "undeclared prefix": "<x:mood>good</x:mood>",
    "text around it": f"Hello {GOOD}",
    "ours": "<title>Another</title>",
    "itunes": '<itunes:author xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"/>',
    "a comment": "<!-- hello -->",
    "XHTML": '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
    "SVG inside": '<x:a xmlns:x="urn:x"><s:svg xmlns:s="http://www.w3.org/2000/svg"/></x:a>',
    "XLink": '<x:a xmlns:x="urn:x" xmlns:l="http://www.w3.org/1999/xlink" l:href="javascript:1"/>',
    "an event": '<x:a xmlns:x="urn:x" onclick="alert(1)"/>',
    "closing the wrapper": f"</wrap><wrap>{GOOD}",
}


@pytest.mark.parametrize("text", ["", "  \n", GOOD, f"{GOOD}\n{GOOD}"])
def test_good_elements_pass(text):
    check_elements(text)


@pytest.mark.parametrize("kind", BAD)
def test_bad_elements_are_refused_with_a_sentence(kind):
    with pytest.raises(BadElements) as refusal:
        check_elements(BAD[kind])
    assert len(str(refusal.value)) > 20


def test_elements_are_written_as_they_are():
    assert elements(f" {GOOD}\n{GOOD} ") == (GOOD, GOOD)


@pytest.mark.django_db
@pytest.mark.parametrize("make", [make_show, make_episode])
def test_the_models_ask(make):
    row = make(custom_xml=BAD["XHTML"])
    with pytest.raises(ValidationError) as refusal:
        row.full_clean()
    assert "browsers run or render" in refusal.value.message_dict["custom_xml"][0]
    row.custom_xml = GOOD
    row.full_clean()


@pytest.mark.django_db
def test_the_desk_says_it_beside_the_field(admin_client):
    show = make_show()
    form = admin_client.get(f"/admin/episodes/show/{show.pk}/change/").context["adminform"].form
    data = {field.html_name: field.value() if field.value() is not None else "" for field in form}
    for inline in admin_client.get(f"/admin/episodes/show/{show.pk}/change/").context[
        "inline_admin_formsets"
    ]:
        management = inline.formset.management_form
        data |= {field.html_name: field.value() for field in management}
    data["custom_xml"] = BAD["an event"]
    response = admin_client.post(f"/admin/episodes/show/{show.pk}/change/", data)
    assert response.status_code == 200
    errors = response.context["adminform"].form.errors
    assert errors["custom_xml"] == ["The attribute “onclick” could run as a script: take it out."]
    assert Show.objects.get().custom_xml == ""


def test_the_rule_is_registered_once():
    for model in (Show, Episode):
        names = [v.__name__ for v in model._meta.get_field("custom_xml").validators
                 if hasattr(v, "__name__")]  # fmt: skip
        assert names.count("validate_custom_xml") == 1

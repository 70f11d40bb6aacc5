"""Naming speakers: once per show, seen everywhere, nobody's naming overwritten."""

import pytest
from django.contrib.auth.models import Permission, User
from lxml import html

from episodes.models import Person, Show, SpeakerName
from tests.episodes.test_mending_desk import told
from tests.make import make_episode, make_host, make_show, make_transcript

pytestmark = pytest.mark.django_db

CUES = [
    [0, 2000, "SPEAKER_00", "Hello there."],
    [2500, 4500, "SPEAKER_01", "Good morning."],
    [5000, 6000, "SPEAKER_00", "Well then."],
]


@pytest.fixture
def show():
    show = make_show(slug="talk")
    for slug in ("first", "second"):
        make_transcript(make_episode(show, slug=slug), cues=CUES, text="x", format="vtt")
    plain = make_episode(show, slug="third")
    make_transcript(plain, text="Host: Hello.\n\nGuest: Good morning.")
    return show


def address(show) -> str:
    return f"/admin/episodes/show/{show.pk}/speakers/"


def form(client, show) -> dict[str, list[str]]:
    page = html.fromstring(client.get(address(show)).content.decode())
    (found,) = [form for form in page.forms if form.get("id") == "speakers_form"]
    values: dict[str, list[str]] = {}
    for name, value in found.form_values():
        values.setdefault(name, []).append(value)
    return values


def name(client, show, sent, **names):
    for label, person in names.items():
        sent["name"][sent["label"].index(label)] = person
    return client.post(address(show), sent, follow=True)


def test_labels_are_listed_with_counts_and_named_once_for_all(admin_client, client, show):
    page = html.fromstring(admin_client.get(address(show)).content.decode())
    rows = [" ".join(row.text_content().split()) for row in page.xpath("//tbody/tr")]
    assert rows == [
        "SPEAKER_00 4 times in 2 transcripts", "SPEAKER_01 2 times in 2 transcripts",
        "Guest 1 time in 1 transcript", "Host 1 time in 1 transcript",
    ]  # fmt: skip
    host = make_host(show, "Ada Harbour").person
    revision = Show.objects.get().revision
    response = name(
        admin_client, show, form(admin_client, show),
        SPEAKER_00="Ada Harbour", SPEAKER_01=" Bo  Chen ", Guest="Bo Chen",
    )  # fmt: skip
    assert "3 speakers named." in told(response)
    assert Show.objects.get().revision > revision
    assert SpeakerName.objects.get(label="SPEAKER_00").person == host
    assert Person.objects.filter(name="Bo Chen").count() == 1
    for rest in ("first/transcript/", "second/transcript.vtt", "second/transcript.srt",
                 "first/transcript.json", "first/transcript.txt"):  # fmt: skip
        text = client.get(f"/talk/{rest}").content.decode()
        assert "Ada Harbour" in text
        assert "Bo Chen" in text
        assert "SPEAKER_0" not in text
    assert "Bo Chen" in client.get("/talk/third/transcript/").content.decode()

    # An empty name gives the label back; the transcripts were never touched.
    name(admin_client, show, form(admin_client, show), SPEAKER_00="")
    assert "SPEAKER_00" in client.get("/talk/first/transcript.vtt").content.decode()


def test_the_person_of_this_show_is_meant_when_two_have_a_name(admin_client, show):
    Person.objects.create(name="Ada Harbour")
    here = Person.objects.create(name="Ada Harbour")
    show.credits.create(person=here)
    name(admin_client, show, form(admin_client, show), SPEAKER_00="Ada Harbour")
    assert SpeakerName.objects.get().person == here


def test_a_stale_naming_is_refused(admin_client, show):
    mine, theirs = form(admin_client, show), form(admin_client, show)
    name(admin_client, show, theirs, SPEAKER_00="Their name")
    response = name(admin_client, show, mine, SPEAKER_00="My name", SPEAKER_01="Bo")
    assert "Somebody else said meanwhile who “SPEAKER_00” is" in told(response)
    assert list(SpeakerName.objects.values_list("person__name", flat=True)) == ["Their name"]
    assert not Person.objects.filter(name="My name").exists()
    assert "My name" in response.content.decode()
    # A label that nobody else touched is no conflict.
    name(admin_client, show, mine | {"name": ["", "Bo", "", ""]}, SPEAKER_01="Bo")
    assert SpeakerName.objects.filter(person__name="Bo").exists()


def test_it_is_for_those_who_may(client, show):
    user = User.objects.create_user("reader", password="x", is_staff=True)
    client.force_login(user)
    assert client.get(address(show)).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_show"))
    page = client.get(address(show))
    assert page.status_code == 200
    assert b'name="name"' not in page.content
    sent = {"label": ["SPEAKER_00"], "was": [""], "name": ["Ada"]}
    assert client.post(address(show), sent).status_code == 403
    verbs = ["change_show", "add_speakername", "change_speakername", "delete_speakername"]
    user.user_permissions.add(*Permission.objects.filter(codename__in=verbs))
    response = client.post(address(show), sent, follow=True)
    assert "you may not add people" in told(response)
    assert not SpeakerName.objects.exists()
    Person.objects.create(name="Ada")
    client.post(address(show), sent)
    assert SpeakerName.objects.get().person.name == "Ada"


@pytest.mark.parametrize(
    "sent",
    [
        {"label": ["x"], "was": [], "name": []},
        {"label": ["x" * 300], "was": [""], "name": ["Ada"]},
        {"label": ["SPEAKER_00"], "was": [""], "name": ["n" * 200]},
        {"label": [""], "was": [""], "name": ["Ada"]},
        {"label": ["a\x00b"], "was": [""], "name": ["A\x00da"]},
        {"label": ["SPEAKER_00", "SPEAKER_00"], "was": ["", ""], "name": ["Ada", "Bo"]},
    ],
)
def test_nonsense_is_no_fault(admin_client, show, sent):
    assert admin_client.post(address(show), sent, follow=True).status_code == 200

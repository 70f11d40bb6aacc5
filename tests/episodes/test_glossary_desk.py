"""The glossary at the desk: previews, choices, runs over a show, and runs taken back."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html

from episodes.admin import glossary
from episodes.models import GlossaryTerm, Show, Transcript, TranscriptCorrection
from tests.episodes.test_desk import form_of
from tests.episodes.test_mending_desk import mend, shown, told
from tests.make import make_episode, make_show, make_transcript

pytestmark = pytest.mark.django_db

CUES = [
    [0, 2000, "Ada", "The all gether is quick."],
    [2000, 4000, "Bo", "All gether, all gether!"],
    [4000, 6000, "Ada", "Pie torch has it."],
]


@pytest.fixture
def show():
    show = make_show(slug="talk")
    GlossaryTerm.objects.create(show=show, wrong="all gether", right="all-gather")
    GlossaryTerm.objects.create(show=show, wrong="pie torch", right="PyTorch")
    return show


@pytest.fixture
def transcripts(show):
    rows = [
        make_transcript(make_episode(show, title=title), cues=CUES, text="x", format="vtt")
        for title in ("First", "Second")
    ]
    other = make_episode(show, title="Third")
    return [*rows, make_transcript(other, text="Host: Pie torch.\n\nGuest: Nothing.")]


def address(show) -> str:
    return f"/admin/episodes/show/{show.pk}/glossary/"


def review_address(row) -> str:
    return f"/admin/episodes/episode/{row.episode_id}/transcript/{row.pk}/glossary/"


def page_of(response):
    return html.fromstring(response.content.decode())


def offered(client, path) -> dict[str, str]:
    """Key → what it would do, as the page says it."""
    page = page_of(client.get(path))
    return {
        item.xpath(".//input[@name='offered']/@value")[0]: " ".join(item.text_content().split())
        for item in page.xpath("//fieldset//li")
    }


def texts(row) -> list[str]:
    return [line.text for line in Transcript.objects.get(pk=row.pk).lines()]


def finds(client, query) -> int:
    page = page_of(client.get("/search/", {"q": query}))
    return len(page.xpath("//li[contains(@class, 'hit')]"))


def test_a_run_is_previewed_made_everywhere_and_taken_back(admin_client, client, show, transcripts):
    revision = Show.objects.get(pk=show.pk).revision
    offers = offered(admin_client, address(show))
    assert len(offers) == 9
    assert any("…The all gether all-gather is quick.…" in text for text in offers.values())
    page = admin_client.get(address(show)).content.decode()
    assert "nothing has been changed" in page
    assert "9 corrections proposed in 3 transcripts" in page
    assert Show.objects.get(pk=show.pk).revision == revision
    assert not TranscriptCorrection.objects.exists()
    assert (finds(client, '"pie torch"'), finds(client, "pytorch")) == (3, 0)

    response = admin_client.post(
        address(show), {"offered": list(offers), "take": list(offers), "accept": "1"}, follow=True
    )
    assert "9 corrections made in 3 transcripts." in told(response)
    assert texts(transcripts[0]) == [
        "The all-gather is quick.", "All-gather, all-gather!", "PyTorch has it.",
    ]  # fmt: skip
    assert texts(transcripts[2]) == ["Host: PyTorch.", "Guest: Nothing."]
    path = f"/talk/{transcripts[0].episode.slug}/transcript.vtt"
    assert b"all-gather" in client.get(path).content
    assert (finds(client, '"pie torch"'), finds(client, "pytorch")) == (0, 3)
    assert Show.objects.get(pk=show.pk).revision > revision
    assert not offered(admin_client, address(show))

    # One of them is changed again by hand: that one stands, and is named.
    first = transcripts[0]
    mend(admin_client, first, shown(admin_client, first), text={0: "The all-gather is fast."})
    (run,) = set(TranscriptCorrection.objects.exclude(run=None).values_list("run", flat=True))
    response = admin_client.post(address(show), {"undo_run": str(run)}, follow=True)
    assert "6 corrections of the run taken back" in told(response)
    assert "was changed again since: First (all gether → all-gather)" in told(response)
    assert texts(transcripts[1]) == [row[3] for row in CUES]
    assert texts(first) == ["The all-gather is fast.", CUES[1][3], CUES[2][3]]
    assert b"All gether" in client.get(path).content
    assert (finds(client, '"pie torch"'), finds(client, "pytorch")) == (3, 0)


def test_what_is_rejected_is_not_proposed_again_and_the_rest_is_left(
    admin_client, show, transcripts
):
    row = transcripts[0]
    path = review_address(row)
    offers = offered(admin_client, path)
    assert len(offers) == 4
    torch = next(key for key, text in offers.items() if "PyTorch" in text)
    revision = Show.objects.get(pk=show.pk).revision
    response = admin_client.post(
        path, {"offered": list(offers)[:2], "take": [], "reject": "1"}, follow=True
    )
    assert "0 corrections made" in told(response)
    assert "2 rejected" in told(response)
    assert Show.objects.get(pk=show.pk).revision == revision
    left = offered(admin_client, path)
    assert torch in left
    assert not set(left) & set(list(offers)[:1])
    admin_client.post(path, {"offered": list(left), "take": [torch], "accept": "1"})
    assert texts(row)[2] == "PyTorch has it."
    assert texts(row)[0] == CUES[0][3]
    assert torch not in offered(admin_client, path)


def test_what_changed_since_the_preview_is_left_alone(admin_client, show, transcripts):
    row = transcripts[0]
    offers = offered(admin_client, address(show))
    mend(admin_client, row, shown(admin_client, row), text={0: "All gether is mended by hand."})
    response = admin_client.post(
        address(show), {"offered": list(offers), "take": list(offers), "accept": "1"}, follow=True
    )
    assert "8 corrections made" in told(response)
    assert "1 left alone: somebody changed the words meanwhile" in told(response)
    assert texts(row)[0] == "All gether is mended by hand."


def test_all_means_all_that_was_counted(admin_client, show, transcripts, monkeypatch):
    monkeypatch.setattr(glossary, "OFFERS_SHOWN", 3)
    page = page_of(admin_client.get(address(show)))
    assert len(page.xpath("//input[@name='offered']")) == 3
    assert page.xpath("//button[@name='all']/text()") == ["Make all 9"]
    seen = page.xpath("//input[@name='seen']/@value")[0]
    GlossaryTerm.objects.create(show=show, wrong="quick", right="fast")
    response = admin_client.post(address(show), {"all": "1", "seen": seen}, follow=True)
    assert "have changed since" in told(response)
    assert not TranscriptCorrection.objects.exists()
    seen = page_of(response).xpath("//input[@name='seen']/@value")[0]
    response = admin_client.post(address(show), {"all": "1", "seen": seen}, follow=True)
    assert "11 corrections made in 3 transcripts" in told(response)


def test_an_upload_says_what_the_glossary_proposes(admin_client, show):
    episode = make_episode(show)
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    text = "WEBVTT\n\n00:00.000 --> 00:02.000\nThe all gether is quick.\n"
    form = form_of(admin_client.get(path)) | {
        "transcripts-0-upload": SimpleUploadedFile("new.vtt", text.encode())
    }
    response = admin_client.post(path, form, follow=True)
    assert "The glossary proposes 1 correction in the new transcript." in told(response)
    assert texts(episode.transcripts.get()) == ["The all gether is quick."]
    link = re.search(r'href="([^"]+/glossary/)">Look through them', response.content.decode())[1]
    assert len(offered(admin_client, link)) == 1
    assert link == review_address(episode.transcripts.get())


def test_it_is_for_those_who_may(client, show, transcripts):
    user = User.objects.create_user("reader", password="x", is_staff=True)
    client.force_login(user)
    assert client.get(address(show)).status_code == 403
    assert client.get(review_address(transcripts[0])).status_code == 403
    user.user_permissions.add(
        *Permission.objects.filter(codename__in=["view_show", "view_episode"])
    )
    for path in (address(show), review_address(transcripts[0])):
        assert client.get(path).status_code == 200
        assert client.post(path, {"all": "1"}).status_code == 403
    assert not TranscriptCorrection.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [{"take": ["x", "1-2-3-4"]}, {"undo_run": "x"}, {"undo_run": "0" * 32}, {}, {"all": "1"}],
)
def test_nonsense_changes_nothing(admin_client, show, transcripts, sent):
    assert admin_client.post(address(show), sent, follow=True).status_code == 200
    assert texts(transcripts[0]) == [row[3] for row in CUES]


def test_a_show_without_terms_says_what_to_do(admin_client):
    show = make_show()
    assert "Add terms" in admin_client.get(address(show)).content.decode()

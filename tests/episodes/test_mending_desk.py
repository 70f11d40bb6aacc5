"""Mending at the desk: edit, join, split, take back; by plain posts, with nobody overwritten."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html

from episodes.models import Show, Transcript, TranscriptCorrection
from tests.conftest import CORPUS
from tests.episodes.test_desk import form_of
from tests.make import make_episode, make_show, make_transcript

pytestmark = pytest.mark.django_db

CUES = [
    [0, 2000, "Ada", "Hello there."],
    [2500, 4500, "Bo", "The all gether is quick."],
    [5000, 6000, "Ada", "Yes, it is."],
    [6000, 9000, "Ada", "One two three. Four five six."],
]
FILE = "WEBVTT\n\n" + "\n".join(
    f"00:00:{start // 1000:02}.{start % 1000:03} --> 00:00:{end // 1000:02}.{end % 1000:03}\n"
    f"<v {speaker}>{text}\n"
    for start, end, speaker, text in CUES
)


@pytest.fixture
def transcript():
    episode = make_episode(make_show(slug="talk"), slug="first", duration_ms=10_000)
    return make_transcript(
        episode, cues=CUES, text="Hello there.", format="vtt", original=FILE.encode()
    )


def address(transcript) -> str:
    return f"/admin/episodes/episode/{transcript.episode_id}/transcript/{transcript.pk}/"


def shown(client, transcript, query="") -> dict[str, list[str]]:
    """What a browser would send back of the page's form."""
    page = html.fromstring(client.get(address(transcript) + query).content)
    (form,) = [form for form in page.forms if form.get("id") == "mend_form"]
    values: dict[str, list[str]] = {}
    for name, value in form.form_values():
        values.setdefault(name, []).append(value)
    return values


def told(response) -> str:
    page = html.fromstring(response.content.decode())
    return " ".join(" ".join(page.xpath("//ul[@class='messagelist']//text()")).split())


def texts(transcript) -> list[str]:
    return [row[3] for row in Transcript.objects.get(pk=transcript.pk).cues]


def mend(client, transcript, sent, query="", **changes):
    """Post the form with text changes {index: text} or buttons."""
    for index, text in changes.pop("text", {}).items():
        sent["text"][index] = text
    for index, speaker in changes.pop("speaker", {}).items():
        sent["speaker"][index] = speaker
    return client.post(address(transcript) + query, sent | changes, follow=True)


def test_a_word_is_mended_everywhere_at_once_and_the_file_stays(admin_client, client, transcript):
    before, revision = transcript.version, Show.objects.get().revision
    old_feed = client.get("/talk/feed.xml").content.decode()
    sent = shown(admin_client, transcript)
    response = mend(admin_client, transcript, sent, text={1: "The all-gather is quick."})
    assert "1 correction saved." in told(response)
    stored = Transcript.objects.get()
    assert stored.version != before
    assert Show.objects.get().revision > revision
    assert bytes(stored.original) == FILE.encode()
    for rest in ("transcript/", "transcript.vtt", "transcript.srt", "transcript.json", ".txt"):
        path = f"/talk/first/{rest}" if rest[0] == "t" else f"/talk/first{rest}"
        body = client.get(path).content.decode()
        assert "all-gather" in body, path
        assert "all gether" not in body, path
    feed = client.get("/talk/feed.xml").content.decode()
    assert f"transcript.vtt?v={before}" in old_feed
    assert f"transcript.vtt?v={stored.version}" in feed
    correction = TranscriptCorrection.objects.get()
    assert (correction.before, correction.after) == (
        [CUES[1]],
        [[2500, 4500, "Bo", "The all-gather is quick."]],
    )


def test_nothing_typed_is_nothing_changed(admin_client, transcript):
    revision = Show.objects.get().revision
    response = mend(admin_client, transcript, shown(admin_client, transcript), save="1")
    assert "Nothing was changed." in told(response)
    assert Show.objects.get().revision == revision
    assert not TranscriptCorrection.objects.exists()


def test_several_cues_are_saved_by_one_post(admin_client, transcript):
    sent = shown(admin_client, transcript)
    response = mend(
        admin_client, transcript, sent, text={0: "Hello!", 2: ""}, speaker={1: "Bo Chen"}
    )
    assert "3 corrections saved." in told(response)
    rows = Transcript.objects.get().cues
    assert [(row[2], row[3]) for row in rows] == [
        ("Ada", "Hello!"), ("Bo Chen", CUES[1][3]), ("Ada", CUES[3][3]),
    ]  # fmt: skip


def test_a_cue_is_joined_and_typing_elsewhere_is_saved_too(admin_client, transcript):
    sent = shown(admin_client, transcript)
    mend(admin_client, transcript, sent, text={0: "Hi."}, join=sent["token"][2])
    assert Transcript.objects.get().cues[2] == [
        5000, 9000, "Ada", "Yes, it is. One two three. Four five six.",
    ]  # fmt: skip
    assert texts(transcript)[0] == "Hi."


def test_a_cue_is_split_where_the_line_break_is(admin_client, transcript):
    sent = shown(admin_client, transcript)
    response = mend(
        admin_client, transcript, sent,
        text={3: "One two three.\r\nFour five six."}, split=sent["token"][3],
    )  # fmt: skip
    assert "1 correction saved." in told(response)
    assert [row[3] for row in Transcript.objects.get().cues[3:]] == [
        "One two three.", "Four five six.",
    ]  # fmt: skip


def test_a_line_break_without_split_is_a_space(admin_client, transcript):
    sent = shown(admin_client, transcript)
    mend(admin_client, transcript, sent, text={3: "One two\r\nthree.\nFour"})
    assert texts(transcript)[3] == "One two three. Four"


@pytest.mark.parametrize(
    ("button", "index", "says"),
    [("join", 3, "none after it to join"), ("split", 1, "put a line break")],
)
def test_what_does_not_go_is_said_and_what_was_typed_is_still_there(
    admin_client, transcript, button, index, says
):
    sent = shown(admin_client, transcript)
    changes = {button: sent["token"][index]}
    response = mend(admin_client, transcript, sent, text={0: "Typed words."}, **changes)
    assert says in told(response)
    assert texts(transcript) == [row[3] for row in CUES]
    assert "Typed words." in response.content.decode()


def test_a_transcript_cannot_lose_all_its_words(admin_client, transcript):
    sent = shown(admin_client, transcript)
    response = mend(admin_client, transcript, sent, text=dict.fromkeys(range(4), ""))
    assert "needs words" in told(response)
    assert len(texts(transcript)) == 4


def test_a_stale_form_is_refused_and_overwrites_nothing(admin_client, transcript):
    mine, theirs = shown(admin_client, transcript), shown(admin_client, transcript)
    mend(admin_client, transcript, theirs, text={1: "Their words."})
    response = mend(admin_client, transcript, mine, text={1: "My words.", 0: "My hello."})
    assert "changed by somebody else" in told(response)
    assert texts(transcript)[:2] == ["Hello there.", "Their words."]
    page = html.fromstring(response.content.decode())
    assert page.xpath("//textarea/text()")[:2] == ["My hello.", "My words."]
    assert "Their words." in page.xpath("//p[@class='mend-stored']")[0].text_content()
    # Having seen theirs, the same words are saved.
    (form,) = [form for form in page.forms if form.get("id") == "mend_form"]
    again: dict[str, list[str]] = {}
    for name, value in form.form_values():
        again.setdefault(name, []).append(value)
    admin_client.post(address(transcript), again)
    assert texts(transcript)[:2] == ["My hello.", "My words."]


def test_two_editors_mend_different_cues_without_a_word(admin_client, transcript):
    mine, theirs = shown(admin_client, transcript), shown(admin_client, transcript)
    mend(admin_client, transcript, theirs, join=theirs["token"][0])
    response = mend(admin_client, transcript, mine, text={3: "Mine."})
    assert "1 correction saved." in told(response)
    assert texts(transcript) == ["Hello there. The all gether is quick.", "Yes, it is.", "Mine."]


def test_words_of_a_cue_that_is_gone_are_shown(admin_client, transcript):
    mine, theirs = shown(admin_client, transcript), shown(admin_client, transcript)
    mend(admin_client, transcript, theirs, join=theirs["token"][0])
    response = mend(admin_client, transcript, mine, text={1: "My lost words."})
    page = html.fromstring(response.content.decode())
    assert "My lost words." in page.xpath("//*[@class='mend-orphans']")[0].text_content()
    assert texts(transcript)[0] == "Hello there. The all gether is quick."


def test_corrections_are_taken_back_one_by_one(admin_client, client, transcript):
    sent = shown(admin_client, transcript)
    mend(admin_client, transcript, sent, text={1: "Better."})
    sent = shown(admin_client, transcript)
    mend(admin_client, transcript, sent, text={1: "Best."})
    best, better = TranscriptCorrection.objects.all()
    response = admin_client.post(address(transcript), {"undo": better.pk}, follow=True)
    assert "Take the later correction back first" in told(response)
    assert texts(transcript)[1] == "Best."
    for correction, left in ((best, "Better."), (better, CUES[1][3])):
        revision = Show.objects.get().revision
        response = admin_client.post(address(transcript), {"undo": correction.pk}, follow=True)
        assert "Taken back" in told(response)
        assert texts(transcript)[1] == left
        assert Show.objects.get().revision > revision
    assert Transcript.objects.get().cues == CUES
    for nonsense in (best.pk, 99999, "x"):
        response = admin_client.post(address(transcript), {"undo": nonsense}, follow=True)
        assert response.status_code == 200
        assert texts(transcript)[1] == CUES[1][3]


def upload(client, transcript, text: str):
    path = f"/admin/episodes/episode/{transcript.episode_id}/change/"
    form = form_of(client.get(path)) | {
        "transcripts-0-upload": SimpleUploadedFile("new.vtt", text.encode())
    }
    return client.post(path, form, follow=True)


def test_corrections_survive_another_file_and_what_does_not_fit_is_said(admin_client, transcript):
    sent = shown(admin_client, transcript)
    mend(
        admin_client, transcript, sent,
        text={1: "The all-gather is quick.", 2: "Yes, very."}, join=sent["token"][2],
    )  # fmt: skip
    assert len(texts(transcript)) == 3
    new = FILE.replace("00:00:02.500", "00:00:02.300").replace("Yes, it is.", "No, not so.")
    response = upload(admin_client, transcript, new)
    assert "corrections made before, 1 stand in the new file" in told(response)
    assert "which has not “Yes, it is.”" in told(response)
    stored = Transcript.objects.get()
    assert stored.cues[1] == [2300, 4500, "Bo", "The all-gather is quick."]
    assert stored.cues[2][3] == "No, not so."
    assert bytes(stored.original) == new.encode()
    # What was carried over can still be taken back; what was lost comes back with its words.
    upload(admin_client, transcript, FILE)
    assert texts(transcript)[1:] == [
        "The all-gather is quick.", "Yes, very. One two three. Four five six.",
    ]  # fmt: skip
    for correction in TranscriptCorrection.objects.all():
        admin_client.post(address(transcript), {"undo": correction.pk})
    assert Transcript.objects.get().cues == CUES


def test_text_without_times_is_mended_by_paragraphs(admin_client, client):
    episode = make_episode(make_show(slug="talk"), slug="first")
    transcript = make_transcript(episode, text="Host: Hello.\n\nThe all gether.\n\nBye.")
    sent = shown(admin_client, transcript)
    assert sent["text"] == ["Host: Hello.", "The all gether.", "Bye."]
    mend(
        admin_client, transcript, sent,
        text={1: "The all-gather.\nIt is quick."}, split=sent["token"][1],
    )  # fmt: skip
    assert Transcript.objects.get().text == (
        "Host: Hello.\n\nThe all-gather.\n\nIt is quick.\n\nBye."
    )
    assert "The all-gather." in client.get("/talk/first/transcript.txt").content.decode()


def test_a_long_transcript_comes_in_pages_and_is_searched(admin_client):
    data = (CORPUS / "transcripts/three-hours-5400-cues.vtt").read_bytes()
    episode = make_episode(duration_ms=10_800_000)
    path = f"/admin/episodes/episode/{episode.pk}/change/"
    form = form_of(admin_client.get(path)) | {
        "transcripts-0-upload": SimpleUploadedFile("long.vtt", data)
    }
    admin_client.post(path, form)
    transcript = Transcript.objects.get()
    sent = shown(admin_client, transcript, "?page=3")
    assert len(sent["token"]) == 100
    mend(admin_client, transcript, sent, "?page=3", text={7: "Xylophone quartet."})
    assert texts(transcript)[207] == "Xylophone quartet."
    assert shown(admin_client, transcript, "?q=xylophone")["text"] == ["Xylophone quartet."]
    assert len(shown(admin_client, transcript, "?q=1:00:00")["token"]) == 100
    page = admin_client.get(address(transcript) + "?q=never-said")
    assert "No cue has “never-said”" in page.content.decode()
    for odd in ("?page=x", "?page=-1", "?page=99999"):
        assert admin_client.get(address(transcript) + odd).status_code == 200


def test_who_may_not_change_it_only_reads(client, admin_client, transcript):
    assert client.get(address(transcript)).status_code == 302
    user = User.objects.create_user("reader", password="x", is_staff=True)
    client.force_login(user)
    assert client.get(address(transcript)).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_episode"))
    page = client.get(address(transcript))
    assert page.status_code == 200
    assert b"<textarea" not in page.content
    sent = shown(admin_client, transcript)
    assert mend(client, transcript, sent, text={0: "Mine."}).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="change_episode"))
    assert mend(client, transcript, sent, text={0: "Mine."}).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="change_transcript"))
    assert mend(client, transcript, sent, text={0: "Mine."}).status_code == 200
    assert texts(transcript)[0] == "Mine."


def test_it_needs_a_token_against_forgery_and_the_right_episode(transcript, admin_user):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin_user)
    assert strict.post(address(transcript), {"undo": "1"}).status_code == 403
    other = make_episode()
    path = f"/admin/episodes/episode/{other.pk}/transcript/{transcript.pk}/"
    assert strict.get(path).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {"token": ["x"], "speaker": ["a"], "text": ["b"]},
        {"token": ["999999999999-0-0-x"], "speaker": ["a"], "text": ["b"]},
        {"token": ["0-0-2000-x"], "speaker": ["a"], "text": []},
        {"token": ["٣-0-0-x"], "speaker": ["\x00"], "text": ["\ud800"]},
        {"join": "nothing"},
        {},
    ],
)
def test_nonsense_is_refused_without_a_fault(admin_client, transcript, sent):
    sent = {name: [v.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for v in value]
            if isinstance(value, list) else value for name, value in sent.items()}  # fmt: skip
    response = admin_client.post(address(transcript), sent, follow=True)
    assert response.status_code == 200
    assert Transcript.objects.get().cues == CUES

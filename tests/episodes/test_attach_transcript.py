"""`attach_transcript`: what pipelines rely on, with real files and standard input."""

import io
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from episodes.models import GlossaryTerm, Show, Transcript
from tests.conftest import CORPUS
from tests.make import make_episode, make_show

pytestmark = pytest.mark.django_db

FILES = CORPUS / "transcripts"


@pytest.fixture
def episode():
    show = make_show(slug="talk", title="Talk")
    return make_episode(show, slug="first", number=7, duration_ms=151_000)


def attach(*arguments, stdin=b"", monkeypatch=None):
    """(exit code, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    if monkeypatch:
        source = SimpleNamespace(buffer=io.BytesIO(stdin), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", source)
    code = 0
    try:
        call_command("attach_transcript", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as end:
        code = end.code
    return code, out.getvalue(), err.getvalue()


def test_a_file_is_attached_and_its_page_named(episode, client):
    code, out, err = attach("talk", "first", FILES / "speech-151s.vtt")
    assert (code, out) == (0, "https://podcast.example.org/talk/first/transcript/\n")
    assert "attached: en, vtt" in err
    stored = episode.transcripts.get()
    assert bytes(stored.original) == (FILES / "speech-151s.vtt").read_bytes()
    assert stored.original_name == "speech-151s.vtt"
    assert stored.recording == episode.audio_sha256
    assert client.get("/talk/first/transcript.vtt").content.startswith(b"WEBVTT")


def test_standard_input_is_read(episode, monkeypatch):
    data = (FILES / "speech-151s.srt").read_bytes()
    for number, arguments in enumerate([["-", "--language", "de"], ["--language", "fr"]], 1):
        code, out, _ = attach("talk", "7", *arguments, stdin=data, monkeypatch=monkeypatch)
        assert code == 0
        assert episode.transcripts.count() == number
    assert out.endswith("/talk/first/transcript/?lang=fr\n")


def test_the_same_bytes_again_change_nothing(episode):
    attach("talk", "first", FILES / "speech-151s.vtt")
    revision = Show.objects.get().revision
    stored = Transcript.objects.get()
    code, out, err = attach("talk", "first", FILES / "speech-151s.vtt")
    assert code == 0
    assert out.endswith("/transcript/\n")
    assert "nothing has changed" in err
    assert Show.objects.get().revision == revision
    assert Transcript.objects.get().updated_at == stored.updated_at


def test_another_file_needs_replace(episode):
    attach("talk", "first", FILES / "speech-151s.txt")
    code, out, err = attach("talk", "first", FILES / "speech-151s.vtt")
    assert (code, out) == (2, "")
    assert "--replace" in err
    assert episode.transcripts.get().format == "txt"
    code, _, err = attach("talk", episode.guid, FILES / "speech-151s.vtt", "--replace")
    assert code == 0
    assert "replaced" in err
    assert episode.transcripts.get().format == "vtt"


def test_what_the_glossary_proposes_is_said(episode):
    GlossaryTerm.objects.create(show=episode.show, wrong="the", right="THE")
    code, _, err = attach("talk", "first", FILES / "speech-151s.vtt")
    assert code == 0
    row = episode.transcripts.get()
    assert f"/admin/episodes/episode/{episode.pk}/transcript/{row.pk}/glossary/" in err


def test_what_is_odd_is_attached_with_1(episode):
    code, out, err = attach("talk", "first", FILES / "overlapping-unordered.vtt")
    assert code == 1
    assert out
    assert "warning: " in err
    assert episode.transcripts.exists()


def test_what_runs_past_the_audio_is_said(episode):
    code, _, err = attach("talk", "first", FILES / "three-hours-5400-cues.vtt")
    assert code == 1
    assert "more than two seconds after the audio" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nothing", "first", FILES / "speech-151s.vtt"], "no show “nothing”. Shows: talk."),
        (["talk", "second", FILES / "speech-151s.vtt"], "no episode “second”"),
        (["talk", "first", FILES / "not-there.vtt"], "No such file"),
        (["talk", "first", FILES], "directory"),
        (["talk", "first", FILES / "empty.vtt"], "empty"),
        (["talk", "first", FILES / "json-broken.json"], "line"),
        (["talk", "first", FILES / "speech-151s.vtt", "--language", "not a language"], "language"),
    ],
)
def test_what_does_not_go_is_refused_with_2(episode, arguments, says):
    code, out, err = attach(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("refused: ")
    assert not Transcript.objects.exists()


def test_more_than_a_transcript_is_refused(episode, monkeypatch):
    code, _, err = attach("talk", "first", stdin=b"word " * 2_200_000, monkeypatch=monkeypatch)
    assert code == 2
    assert "at most 10 MB" in err


def test_a_number_that_two_episodes_have_is_refused(episode):
    make_episode(episode.show, number=7)
    code, _, err = attach("talk", "7", FILES / "speech-151s.vtt")
    assert code == 2
    assert "slug instead" in err

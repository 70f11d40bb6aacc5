"""A move from a real server: everything comes, a second run is harmless, edits stay."""

import hashlib

import pytest
from django.core.files.storage import default_storage

from episodes.models import Episode, Show
from feeds.lint.sources import from_show
from feeds.models import AudioMode, ImportedItem
from feeds.moving_in import downloads
from feeds.moving_in.report import Kind
from feeds.moving_in.running import Options, import_feed
from feeds.moving_in.source import Source
from tests.feeds.moving_in.old_host import CHAPTERS, SRT, VTT, OldHost, cover, sound

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("local")]

EXTRA = (
    "<podcast:transcript url='BASE/t.srt' type='application/srt' language='en'/>"
    "<podcast:transcript url='BASE/t.vtt' type='text/vtt' language='en'/>"
    "<podcast:chapters url='BASE/c.json' type='application/json+chapters'/>"
    "<podcast:person role='Guest' href='https://ada.example/'>Ada Harbour</podcast:person>"
    "<podcast:soundbite startTime='1' duration='2'>A bite</podcast:soundbite>"
    "<itunes:season>2</itunes:season><itunes:subtitle>A line</itunes:subtitle>"
)
HEAD = (
    "<itunes:image href='BASE/cover.png'/>"
    "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"
)


@pytest.fixture
def host():
    one = OldHost(extra=EXTRA, head=HEAD)
    one.files = {
        "/t.vtt": (VTT, "text/vtt"),
        "/t.srt": (SRT, "application/srt"),
        "/c.json": (CHAPTERS, "application/json"),
        "/cover.png": (cover(), "image/png"),
    }
    with one.running():
        yield one


@pytest.fixture
def plain():
    with OldHost().running() as host:
        yield host


def move(host, **options):
    return import_feed(Source(host.url), Options(**options))


def state():
    """Every row that an import writes, and the shows' revisions."""
    return (
        list(Show.objects.values()),
        list(Episode.objects.order_by("pk").values()),
        list(ImportedItem.objects.order_by("pk").values()),
    )


def test_everything_comes_over(host):
    report = move(host)
    assert (report.exit_code, report.created, report.problems) == (0, 3, [])
    show = Show.objects.get(slug="harbour-line")
    assert show.guid == "917393e3-1b1e-5cef-ace4-edaa54e1f810"
    assert default_storage.exists(show.artwork.name)
    episode = show.episodes.get(guid="old-2")
    assert episode.status == Episode.Status.PUBLISHED
    assert episode.notes_html == "<p>All <b>about</b> 2.</p>"
    assert episode.audio_sha256 == hashlib.sha256(sound(2)).hexdigest()
    with default_storage.open(episode.audio.name) as stored:
        assert stored.read() == sound(2)
    assert episode.season == 2
    transcript = episode.transcripts.get()
    assert (transcript.format, transcript.language) == ("vtt", "en")
    assert [chapter.title for chapter in episode.chapters.all()] == ["In", "Out"]
    credit = episode.credits.get()
    assert (credit.person.name, credit.person.url, credit.role) == (
        "Ada Harbour", "https://ada.example/", "guest",
    )  # fmt: skip
    assert episode.soundbites.get().title == "A bite"
    item = next(item for item in from_show(show.slug).items if item.guid == "old-2")
    assert item.subtitle == "A line"
    assert item.enclosure.url.startswith("https://podcast.example.org/audio/")
    assert not list(downloads.folder().glob("*.part"))


def test_a_second_run_fetches_the_feed_and_nothing_else(host):
    move(host)
    before = state()
    host.requests.clear()
    report = move(host)
    assert (report.created, report.updated, report.unchanged) == (0, 0, 3)
    assert [path for _, path, _ in host.requests] == ["/feed.xml"]
    assert state() == before


def test_what_changed_there_comes_and_what_was_edited_here_stays(plain):
    move(plain)
    mine = Episode.objects.get(guid="old-1")
    mine.title = "My own title"
    mine.save()
    withdrawn = Episode.objects.get(guid="old-2")
    withdrawn.withdraw()
    withdrawn.save()
    plain.titles = {1: "Their new title", 2: "New two", 3: "New three"}
    report = move(plain)
    titles = dict(Episode.objects.values_list("guid", "title"))
    assert titles == {"old-1": "My own title", "old-2": "New two", "old-3": "New three"}
    assert [(one.kind, one.where) for one in report.problems] == [(Kind.KEPT, "old-1")]
    withdrawn.refresh_from_db()
    assert withdrawn.status == Episode.Status.DRAFT
    # A difference is told once; and nothing is ever deleted.
    plain.number = 2
    report = move(plain)
    assert (report.problems, report.gone, report.exit_code) == ([], 1, 0)
    assert Episode.objects.count() == 3


def test_a_new_recording_there_is_fetched_and_one_replaced_here_is_not(plain):
    move(plain)
    own = Episode.objects.get(guid="old-1")
    own.audio_sha256, own.audio_bytes = "f" * 64, 5
    own.save()
    plain.files["/1.mp3"] = (sound(101), "audio/mpeg")
    plain.files["/2.mp3"] = (sound(102), "audio/mpeg")
    feed = plain.feed().replace(b"length='", b"length='9")
    plain.files["/feed.xml"] = (feed, "application/rss+xml")
    plain.requests.clear()
    move(plain)
    assert plain.asked("/1.mp3") == 0
    second = Episode.objects.get(guid="old-2")
    assert second.audio_sha256 == hashlib.sha256(sound(102)).hexdigest()
    assert second.former_recordings.count() == 1


def test_links_are_played_from_there_and_copied_later(plain, client):
    report = move(plain, audio=AudioMode.LINK)
    assert report.exit_code == 0
    episode = Episode.objects.get(guid="old-2")
    assert (episode.audio_url, episode.audio_bytes) == (f"{plain.base}/2.mp3", len(sound(2)))
    assert plain.asked("/2.mp3") == 0
    item = from_show("harbour-line").items[0]
    assert item.enclosure.url == f"{plain.base}/3.mp3"
    page = client.get(episode.get_absolute_url()).content.decode()
    assert f"{plain.base}/2.mp3" in page
    answer = client.get(f"/audio/{episode.uid}/abc/x.mp3")
    assert (answer.status_code, answer["Location"]) == (302, f"{plain.base}/2.mp3")
    assert move(plain, audio=AudioMode.COPY).updated == 3
    episode.refresh_from_db()
    assert (episode.audio_url, bool(episode.audio)) == ("", True)


def test_a_dry_run_tells_and_writes_nothing(plain):
    report = move(plain, dry_run=True)
    assert (report.created, Show.objects.count()) == (3, 0)
    assert "new: Episode 1 (old-1)" in report.changes
    assert plain.asked("/1.mp3") == 0
    move(plain)
    before = state()
    plain.titles = {2: "Two anew"}
    report = move(plain, dry_run=True)
    assert report.changes == ["change: Two anew: title"]
    assert state() == before


def test_an_item_whose_files_fail_comes_without_them_and_the_next_run_mends_it(host):
    host.status = {"/2.mp3": [404], "/c.json": [500] * 3, "/t.vtt": [404] * 3}
    report = move(host)
    assert report.exit_code == 1
    assert report.created == 3
    draft = Episode.objects.get(guid="old-2")
    assert draft.status == Episode.Status.DRAFT
    assert all(one.where.startswith("old-") for one in report.problems)
    transcript = Episode.objects.get(guid="old-3").transcripts.get()
    assert transcript.format == "srt"  # the next best
    report = move(host)
    assert (report.exit_code, report.problems) == (0, [])
    draft.refresh_from_db()
    assert draft.status == Episode.Status.PUBLISHED
    assert draft.chapters.count() == 2


def test_what_is_no_audio_is_said(plain):
    plain.files["/2.mp3"] = (b"<html>Not found</html>", "text/html")
    report = move(plain)
    assert [one.kind for one in report.problems] == [Kind.INCOMPLETE, Kind.NOTE]
    assert "no audio we can read" in report.problems[0].message
    assert Episode.objects.get(guid="old-2").status == Episode.Status.DRAFT


def test_addresses_inside_fail_alone(plain, settings):
    settings.FETCH_PRIVATE = False
    data = plain.feed()
    report = import_feed(Source("feed.xml", data))
    assert report.created == 3
    wanting = [one for one in report.problems if one.kind is Kind.INCOMPLETE]
    assert len(wanting) == 3
    assert all("cannot be fetched" in one.message for one in wanting)
    assert plain.requests == []


def test_a_download_goes_on_where_it_broke_off(plain):
    url = f"{plain.base}/2.mp3"
    whole = sound(2)
    downloads.folder().mkdir(exist_ok=True)
    downloads.partial(url).write_bytes(whole[:1000])
    downloads.validators(url).write_text(f'{{"url": "{url}", "etag": "\\"{len(whole)}\\""}}')
    move(plain)
    assert ("/2.mp3", "bytes=1000-") in plain.ranges
    assert Episode.objects.get(guid="old-2").audio_bytes == len(whole)


def test_a_part_of_another_file_is_not_gone_on_with(plain):
    url = f"{plain.base}/2.mp3"
    downloads.folder().mkdir(exist_ok=True)
    downloads.partial(url).write_bytes(b"x" * 1000)
    downloads.validators(url).write_text(f'{{"url": "{url}", "etag": "\\"older\\""}}')
    move(plain)
    found = Episode.objects.get(guid="old-2")
    assert found.audio_sha256 == hashlib.sha256(sound(2)).hexdigest()


def test_a_busy_server_is_given_time(plain, monkeypatch):
    slept = []
    monkeypatch.setattr(downloads.time, "monotonic", lambda: sum(slept))
    monkeypatch.setattr(downloads.Downloader, "sleep", staticmethod(slept.append))
    plain.status = {"/2.mp3": [429, 503]}
    plain.headers = {"/2.mp3": {"Retry-After": "7"}}
    report = move(plain)
    assert report.exit_code == 0
    assert 13.5 <= sum(slept) <= 21.5


def test_a_protected_feed(plain):
    plain.password = "Basic YWRhOndvcmQ="
    report = move(plain)
    assert report.exit_code == 2
    assert "name and password" in report.refused
    report = move(plain, auth=("ada", "word"))
    assert (report.exit_code, report.created) == (0, 3)


@pytest.mark.parametrize("rel", ["next", "prev-archive"])
def test_older_pages_are_followed_and_loops_end(plain, rel):
    def link(page):
        return f"<atom:link rel='{rel}' href='{plain.base}/{page}'/>"

    kind = "application/rss+xml"
    plain.files = {
        "/feed.xml": (plain.feed([6, 5], link("2.xml")), kind),
        "/2.xml": (plain.feed([5, 4], link("3.xml")), kind),  # one has moved meanwhile
        "/3.xml": (plain.feed([3, 2], link("feed.xml")), kind),
    }
    report = move(plain)
    assert (report.created, report.problems) == (5, [])
    assert plain.asked("/feed.xml") == 1


def test_a_missing_page_is_said(plain):
    link = f"<atom:link rel='next' href='{plain.base}/gone.xml'/>"
    plain.files["/feed.xml"] = (plain.feed(head=link), "application/rss+xml")
    report = move(plain)
    assert (report.created, report.exit_code) == (3, 1)
    assert "gone.xml" in report.problems[0].message


def test_identity_without_guids_and_with_double_ones(plain):
    feed = plain.feed().replace(b"<guid isPermaLink='false'>old-1</guid>", b"")
    feed = feed.replace(b">old-2<", b">old-3<")
    plain.files["/feed.xml"] = (feed, "application/rss+xml")
    report = move(plain)
    assert (report.created, report.skipped, report.exit_code) == (2, 1, 1)
    assert "same GUID" in report.problems[0].message
    assert set(Episode.objects.values_list("guid", flat=True)) == {"old-3", f"{plain.base}/1.mp3"}
    assert move(plain).unchanged == 2


def test_only_so_many_and_into_a_show_by_name(plain):
    report = move(plain, limit=1, slug="elsewhere")
    assert (report.created, report.slug) == (1, "elsewhere")
    assert Episode.objects.get().guid == "old-3"
    assert move(plain, slug="elsewhere").created == 2
    assert "cannot be the name" in move(plain, slug="Not a slug").refused


def test_one_import_of_a_feed_at_a_time(plain):
    from feeds.moving_in.running import alone

    with alone(Source(plain.url)):
        assert "imported already" in move(plain).refused

"""`import_feed` and `import_opml` as scripts see them: exit codes, streams, reports."""

from io import StringIO

import pytest
from django.core.management import call_command

from episodes.findings import Unreadable
from episodes.models import Show
from feeds.moving_in.terminal import ProgressLine
from feeds.opml_reading import read_opml
from tests.conftest import CORPUS
from tests.feeds.moving_in.old_host import OldHost

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("local")]


@pytest.fixture
def host():
    with OldHost().running() as one:
        yield one


def run(*arguments, **options):
    """Exit code, standard output and standard error."""
    out, err = StringIO(), StringIO()
    try:
        call_command(*arguments, **options, stdout=out, stderr=err)
    except SystemExit as end:
        return end.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_all_went_in(host):
    code, out, err = run("import_feed", host.url)
    assert code == 0
    assert "Harbour Line: 3 items: 3 created, 0 updated, 0 unchanged, 0 skipped" in out
    assert "3/3 Episode 3" in err


def test_something_was_skipped(host):
    host.status = {"/2.mp3": [404]}
    code, out, _ = run("import_feed", host.url)
    assert code == 1
    assert "incomplete: old-2: The audio could not be fetched" in out


@pytest.mark.parametrize(
    "feed", ["/no/such/file.xml", str(CORPUS / "feeds/html-page-with-feed-link.html")]
)
def test_nothing_could_be_read(feed):
    code, out, err = run("import_feed", feed)
    assert (code, out) == (2, "")
    assert len(err) > 20


def test_a_dry_run_and_a_password_from_the_environment(host, monkeypatch):
    host.password = "Basic YWRhOndvcmQ="
    monkeypatch.setenv("IMPORT_PASSWORD", "word")
    code, out, _ = run("import_feed", host.url, "--dry-run", "--user", "ada")
    assert (code, Show.objects.count()) == (0, 0)
    assert "3 would be created" in out


def outlines(*urls):
    rows = "".join(f'<outline type="rss" text="A &amp; B" xmlUrl="{url}"/>' for url in urls)
    return (
        f'<opml version="2.0"><body><outline text="Group">{rows}</outline></body></opml>'.encode()
    )


def test_many_shows_and_one_report(host, tmp_path):
    other = host.feed().replace(b"Harbour Line", b"Other").replace(b">old-", b">other-")
    host.files["/other.xml"] = (other, "application/rss+xml")
    path = tmp_path / "list.opml"
    path.write_bytes(outlines(host.url, f"{host.base}/other.xml", f"{host.base}/none.xml"))
    code, out, err = run("import_opml", str(path))
    assert code == 1
    assert "Harbour Line: 3 items" in out
    assert "none.xml: The server answered 404" in out
    assert "3 feeds: 2 came whole." in out
    assert "1/3 A & B" in err
    assert set(Show.objects.values_list("title", flat=True)) == {"Harbour Line", "Other"}


def test_a_list_that_is_none(tmp_path):
    path = tmp_path / "list.opml"
    path.write_text("<html/>")
    code, _, err = run("import_opml", str(path))
    assert (code, "no OPML" in err) == (2, True)


def test_lists_are_read_as_they_are():
    data = outlines("https://a.example/1", "https://a.example/1", "javascript:alert(1)", "")
    assert [feed.url for feed in read_opml(data)] == ["https://a.example/1"]
    assert read_opml(b"\xef\xbb\xbf \n" + data.replace(b"&amp;", b"&"))[0].url.endswith("/1")
    upper = data.replace(b"xmlUrl", b"xmlurl").replace(b"opml", b"OPML")
    assert read_opml(upper)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-opml"),
        (b"{}", "not-opml"),
        (b"<opml><body/></opml>", "no-feeds"),
        (b'<!DOCTYPE o [<!ENTITY a "b">]><opml><body>&a;</body></opml>', "entities"),
    ],
)
def test_what_is_no_list_is_refused(data, code):
    with pytest.raises(Unreadable) as refusal:
        read_opml(data)
    assert refusal.value.code == code


class Terminal(StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_on_a_terminal():
    stream = Terminal()
    line = ProgressLine(stream)
    for number in range(1, 1001):
        line(number, 1000, "An episode")
    line.end()
    text = stream.getvalue()
    assert text.count("\n") == 1
    assert "1000/1000" in text
    assert text.count("\r") < 50

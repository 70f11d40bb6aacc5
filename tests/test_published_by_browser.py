"""An editor publishes in a real browser, on the real server; listeners and apps find it."""

import re
import time

import pytest

from tests.conftest import CORPUS, play
from tests.running import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.server]


@pytest.fixture
def page(chromium, site):
    context = chromium.new_context(base_url=site.url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert problems == []


def sign_in(page):
    page.goto("/admin/")
    page.fill("[name=username]", "editor")
    page.fill("[name=password]", PASSWORD)
    page.click("input[type=submit]")
    page.wait_for_url("**/admin/")


def test_upload_publish_find(page, site):
    sign_in(page)
    page.goto("/admin/episodes/episode/add/")
    page.click(".field-show .select2-selection")
    page.fill(".select2-search__field", "PyTorch")
    page.click(".select2-results__option--highlighted")
    page.fill("[name=title]", "Published in a browser")
    page.fill("[name=summary]", "By hand, with a mouse.")
    page.set_input_files("[name=audio_upload]", str(CORPUS / "audio/cbr-128k-10s.mp3"))
    page.set_input_files(
        "[name=transcripts-0-upload]", str(CORPUS / "transcripts/namespace-example.vtt")
    )
    page.select_option("[name=status]", "published")
    page.click("[name=_continue] >> nth=0")
    page.wait_for_selector(".messagelist .success")
    assert "Read the recording: 0:10" in page.inner_text(".messagelist")

    page.click("text=View on site")
    page.wait_for_selector("h1")
    assert "Published in a browser" in page.inner_text("h1")
    assert page.url.startswith(f"{site.url}/pytorch/published-in-a-browser/")
    source = page.get_attribute("audio source", "src")

    status, _, body = site.get("/pytorch/feed.xml")
    feed = body.decode()
    assert status == 200
    assert "<title>Published in a browser</title>" in feed
    address, length = re.search(
        r'<enclosure url="([^"]+)" length="(\d+)"', feed[feed.index("Published in a browser") :]
    ).groups()
    assert address == site.url + source
    assert int(length) == 160913
    status, headers, audio = site.get(source)
    assert status == 200
    assert audio == (CORPUS / "audio/cbr-128k-10s.mp3").read_bytes()
    status, headers, part = site.get(source, Range="bytes=100-199")
    assert status == 206
    assert headers["content-range"] == "bytes 100-199/160913"
    assert part == audio[100:200]

    # The native player plays it, and a chapter or stamp link moves it.
    play(page)
    deadline = time.monotonic() + 20
    while page.evaluate("document.querySelector('audio').currentTime") < 0.3:
        assert time.monotonic() < deadline, "it does not play"
        page.wait_for_timeout(100)


def test_home_lists_it_without_javascript(chromium, site):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.click("text=PyTorch >> nth=0")
    page.click("text=All-Gather Showdown")
    assert page.inner_text("h1").endswith("All-Gather Showdown and Stack-Aware Merges")
    page.click("text=Read the whole transcript")
    assert "That's your PyTorch briefing for today." in page.inner_text("main")
    context.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_scrolls_sideways(chromium, site, width):
    context = chromium.new_context(base_url=site.url, viewport={"width": width, "height": 800})
    page = context.new_page()
    base = "/pytorch/all-gather-showdown-and-stack-aware-merges/"
    for path in ("/", "/pytorch/", base, f"{base}transcript/", "/nothing/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    context.close()

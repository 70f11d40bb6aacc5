"""A word is mended at the desk in a real browser, and found wherever the transcript is."""

import re
import time

import pytest

from tests.conftest import watched_page
from tests.test_published_by_browser import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.any_database]

EPISODE = "gemm-fusion-and-portable-cuda-graphs"
WORD = "Xylophonic"


@pytest.fixture
def page(chromium, site):
    with watched_page(chromium, site, width=1280, height=900) as page:
        yield page


def transcript_address(site) -> str:
    """The WebVTT that the feed names for the episode, as an app would follow it."""
    feed = site.get("/pytorch/feed.xml")[2].decode()
    item = feed[feed.index("<title>GEMM Fusion and Portable CUDA Graphs</title>") :]
    item = item[: item.index("</item>")]
    return re.search(r'<podcast:transcript url="([^"]+\.vtt[^"]*)"', item)[1].replace("&amp;", "&")


def open_mending(page):
    sign_in(page)
    page.goto("/admin/episodes/episode/?q=portable+cuda")
    page.click("text=GEMM Fusion")
    page.click("text=Mend its words")
    page.wait_for_selector(".mend-cue")


def test_a_mended_word_is_on_the_page_in_vtt_in_the_feeds_transcript_and_in_search(page, site):
    before = transcript_address(site)
    open_mending(page)
    desk = page.url

    # The audio is at hand: a cue's time plays it, and the cue that is heard is marked.
    time_link = page.locator(".mend-time").nth(1)
    start = float(time_link.get_attribute("data-seek"))
    time_link.click()
    deadline = time.monotonic() + 20
    while not page.evaluate(
        f"document.querySelector('audio').currentTime >= {start}"
        " && document.querySelectorAll('.mend-cue')[1].classList.contains('is-now')"
    ):
        assert time.monotonic() < deadline, "the cue is not heard"
        page.wait_for_timeout(50)

    words = page.locator(".mend-cue textarea").nth(1)
    old = words.input_value()
    words.fill(f"{WORD} {old}")
    assert page.locator(".mend-cue").nth(1).get_attribute("class").endswith("is-changed")
    words.press("Control+Enter")
    page.wait_for_selector(".messagelist .success")
    assert "1 correction saved." in page.inner_text(".messagelist")

    # Within the second that the front may lag behind.
    deadline = time.monotonic() + 5
    while (after := transcript_address(site)) == before:
        assert time.monotonic() < deadline, "the feed names the old transcript"
        time.sleep(0.1)
    for address in (
        after.removeprefix(site.url),
        f"/pytorch/{EPISODE}/transcript.vtt",
        f"/pytorch/{EPISODE}/transcript.srt",
        f"/pytorch/{EPISODE}/transcript/",
    ):
        deadline = time.monotonic() + 5
        while WORD not in site.get(address)[2].decode():
            assert time.monotonic() < deadline, address
            time.sleep(0.1)
    page.goto(f"/pytorch/{EPISODE}/transcript/")
    assert f"{WORD} {old}" in " ".join(page.inner_text(".transcript-text").split())

    # The word is found, marked, and one click from where it is said.
    page.fill(".masthead input[type=search]", WORD.lower())
    page.press(".masthead input[type=search]", "Enter")
    find = page.locator(".hit-said a")
    assert find.locator("mark").all_inner_texts() == [WORD]
    assert find.get_attribute("href") == f"/pytorch/{EPISODE}/transcript/#t={int(start)}"
    find.click()
    assert WORD in page.inner_text(".transcript-text")

    # And taken back.
    page.goto(desk)
    page.wait_for_selector("[name=undo]")
    page.click("[name=undo] >> nth=0")
    page.wait_for_selector("text=Taken back")
    assert page.locator(".mend-cue textarea").nth(1).input_value() == old
    page.goto(f"/search/?q={WORD}")
    assert page.locator(".hit").count() == 0


def test_a_cue_is_split_at_the_cursor_and_unsaved_words_are_asked_about(page):
    open_mending(page)
    cue = page.locator(".mend-cue").first
    words = cue.locator("textarea")
    old, count = words.input_value(), page.locator(".mend-cue").count()
    at = old.index(" ", 5) + 1
    words.evaluate(f"field => {{ field.focus(); field.setSelectionRange({at}, {at}) }}")
    cue.locator("[name=split]").click()
    page.wait_for_selector(".messagelist .success")
    assert page.locator(".mend-cue").count() == count + 1
    assert words.input_value() == old[:at].strip()
    page.locator(".mend-cue").first.locator("[name=join]").click()
    page.wait_for_selector(".messagelist .success")
    assert words.input_value() == old

    asked = []

    def answer(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", answer)
    words.press_sequentially("x")
    page.click("#site-name a", no_wait_after=True)
    deadline = time.monotonic() + 5
    while not asked:
        assert time.monotonic() < deadline, "nobody asked"
        page.wait_for_timeout(50)
    assert asked == ["beforeunload"]
    words.fill(old)


def test_it_all_goes_without_javascript(chromium, site):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    open_mending(page)
    words = page.locator(".mend-cue textarea").nth(2)
    old, count = words.input_value(), page.locator(".mend-cue").count()
    at = old.index(" ", 5)
    words.fill(f"{old[:at]}\n{old[at:]}")
    page.locator(".mend-cue").nth(2).locator("[name=split]").click()
    assert "1 correction saved." in page.inner_text(".messagelist")
    assert page.locator(".mend-cue").count() == count + 1
    page.click("[name=undo] >> nth=0")
    assert "Taken back" in page.inner_text(".messagelist")
    assert page.locator(".mend-cue textarea").nth(2).input_value() == old
    context.close()

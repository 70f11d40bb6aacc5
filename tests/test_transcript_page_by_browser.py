"""The transcript's page in a real browser: it follows the audio, seeks, lands, and finds."""

import json
import time

import pytest

from tests.conftest import CORPUS, play, watched_page

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.any_database]

PAGE = "/pytorch/weekly-recap-fsdp-contracts-mps-speedups-and-compiler-fidelity/transcript/"
EPISODE = "low-precision-grouped-gemm-push-and-compiler-fixes"
LONG = f"/pytorch/{EPISODE}/transcript/?lang=qaa"
NOW = "document.querySelector('.cue[aria-current]')?.dataset.start"
DURATION = "document.querySelector('audio').duration"
TIME = "document.querySelector('audio').currentTime"


@pytest.fixture(scope="module")
def long(site):
    """The address of a transcript of 5,400 cues, in a language that no other test asks for."""
    done = site.manage(
        "attach_transcript", "pytorch", EPISODE,
        str(CORPUS / "transcripts/three-hours-5400-cues.vtt"), "--language", "qaa",
    )  # fmt: skip
    assert done.stdout.strip() == site.url + LONG, done.stderr
    return LONG


@pytest.fixture
def page(chromium, site):
    with watched_page(chromium, site, width=1000, height=500) as page:
        yield page


def until(page, condition: str, says: str):
    deadline = time.monotonic() + 20
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, says
        page.wait_for_timeout(50)


def starts(page) -> list[float]:
    return page.evaluate("[...document.querySelectorAll('.cue')].map(c => +c.dataset.start)")


def test_the_highlight_moves_with_the_audio_and_a_click_moves_the_audio(page):
    page.goto(PAGE)
    play(page)
    until(page, f"{TIME} > 0.5 && {NOW} !== undefined", "nothing is marked")
    first = float(page.evaluate(NOW))
    until(page, f"{NOW} > {first}", "the mark does not move")
    assert float(page.evaluate(NOW)) <= page.evaluate(TIME)

    clicked = page.locator(".cue").nth(4)
    clicked.click()
    start = starts(page)[4]
    until(page, f"{TIME} >= {start} && {TIME} < {start} + 8", "the player is not there")
    until(page, f"{NOW} == {start}", "the sentence is not marked")

    stamp = page.locator("a.stamp").first
    stamp.focus()
    page.keyboard.press("Enter")
    start = float(stamp.get_attribute("data-seek"))
    until(page, f"{TIME} >= {start} && {TIME} < {start} + 8", "the player is not there")
    assert page.url.endswith(f"#t={int(start)}")
    assert stamp.get_attribute("href") == f"#t={int(start)}"


def test_an_address_with_a_time_lands_there(page):
    page.goto(PAGE)
    start = starts(page)[5]
    for fragment in (f"#t={int(start)}", f"#t=00:{int(start) // 60:02}:{int(start) % 60:02}"):
        page.goto("about:blank")
        page.goto(f"{PAGE}{fragment}")
        until(page, f"Math.abs({TIME} - {start}) < 0.01", "the player is not there")
        until(page, f"{NOW} == {start}", "the sentence is not marked")
        assert page.evaluate("document.querySelector('audio').paused")
        box = page.evaluate(
            "(() => { const b = document.querySelector('.cue[aria-current]')"
            ".getBoundingClientRect(); return [b.top, b.bottom, innerHeight,"
            " document.querySelector('.transcript-tools').getBoundingClientRect().bottom] })()"
        )
        assert box[3] <= box[0], "hidden below the tools"
        assert box[1] <= box[2], "below the window"


def test_who_scrolls_away_is_left_alone_and_comes_back_by_the_button(page, long):
    page.goto(long)
    button = page.locator("[data-follow]")
    play(page)
    until(page, f"{NOW} !== undefined", "nothing is marked")
    assert button.get_attribute("aria-pressed") == "true"
    page.mouse.move(200, 350)
    page.mouse.wheel(0, 3000)
    until(page, "document.querySelector('[data-follow]').ariaPressed === 'false'", "still follows")
    page.wait_for_timeout(300)
    away = page.evaluate("scrollY")
    page.evaluate(f"document.querySelector('audio').currentTime = {starts(page)[4]}")
    page.wait_for_timeout(600)
    assert page.evaluate("scrollY") == away
    button.click()
    until(
        page,
        "(() => { const b = document.querySelector('.cue[aria-current]').getBoundingClientRect();"
        " return b.top > 0 && b.bottom < innerHeight })()",
        "the place does not come into view",
    )
    assert button.get_attribute("aria-pressed") == "true"


def test_who_wants_no_motion_gets_none(chromium, site, long):
    context = chromium.new_context(
        base_url=site.url, viewport={"width": 400, "height": 420}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(long)
    play(page)
    until(page, f"{TIME} > 0.2", "it does not play")
    last = [start for start in starts(page) if start < page.evaluate(DURATION) - 1][-1]
    page.evaluate(f"document.querySelector('audio').currentTime = {last}")
    until(page, f"{NOW} == {last}", "the mark does not move")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0
    context.close()


def test_find_counts_goes_on_and_back_and_lets_go(page):
    page.goto(PAGE)
    text = page.inner_text(".transcript-text").lower()
    count = sum(
        words.lower().count("the")
        for words in page.locator(".transcript-text .words").all_inner_texts()
    )
    assert text.count("the") == count > 3
    output = page.locator(".find-count")
    page.fill("#find", "THÉ")
    until(page, f"document.querySelector('.find-count').value === '{count}'", output.inner_text())
    page.press("#find", "Enter")
    assert output.inner_text() == f"1 of {count}"
    page.press("#find", "Enter")
    page.click("[data-find=next]")
    assert output.inner_text() == f"3 of {count}"
    page.press("#find", "Shift+Enter")
    assert output.inner_text() == f"2 of {count}"
    page.click("[data-find=previous]")
    page.click("[data-find=previous]")
    assert output.inner_text() == f"{count} of {count}"
    painted = page.evaluate(
        "[CSS.highlights.get('found').size, [...CSS.highlights.get('found-now')][0].toString()]"
    )
    assert painted[0] == count
    assert painted[1].lower() == "the"
    page.fill("#find", "no such words")
    until(page, "document.querySelector('.find-count').value === 'Not found'", "found")
    page.press("#find", "Escape")
    assert page.input_value("#find") == ""
    assert not page.evaluate("CSS.highlights.has('found')")


def test_a_time_in_a_long_transcript_is_landed_on(page, long):
    starting = time.monotonic()
    page.goto(f"{long}#t=7201")
    until(page, f"{NOW} !== undefined", "nothing is marked")
    assert time.monotonic() - starting < 10
    assert 7199 < float(page.evaluate(NOW)) <= 7202
    until(
        page,
        "(() => { const b = document.querySelector('.cue[aria-current]').getBoundingClientRect();"
        " return b.top > 0 && b.bottom < innerHeight })()",
        "the place does not come into view",
    )
    page.fill("#find", "the")
    until(page, "document.querySelector('.find-count').value > ''", "nothing is counted")


def test_words_that_run_over_two_cues_are_found(page):
    page.goto(PAGE)
    both = page.evaluate(
        "(() => { for (const cue of document.querySelectorAll('.cue')) {"
        " const next = cue.nextElementSibling; if (next?.matches('.cue'))"
        " return cue.textContent.slice(-12) + ' ' + next.textContent.slice(0, 12) } })()"
    )
    page.fill("#find", both)
    until(page, "document.querySelector('.find-count').value === '1'", both)


def test_without_javascript_every_word_is_there_and_every_time_is_a_link(chromium, site):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE)
    words = " ".join(page.inner_text(".transcript-text").split())
    segments = json.loads(site.get(PAGE[:-1] + ".json")[2])["segments"]
    assert len(segments) > 5
    for segment in segments:
        assert segment["body"] in words
        assert segment["speaker"] in words
    assert not page.is_visible(".find")
    assert page.is_visible("audio")
    stamp = page.locator("a.stamp").last
    stamp.click()
    target = page.locator(":target")
    assert target.get_attribute("data-start") == stamp.get_attribute("data-seek")
    context.close()


def test_print_leaves_the_tools_out(page):
    page.goto(PAGE)
    page.emulate_media(media="print")
    assert not page.is_visible(".transcript-tools")
    assert not page.is_visible(".transcript-formats")
    assert page.is_visible("h1")
    assert page.is_visible(".transcript-text .cue >> nth=0")

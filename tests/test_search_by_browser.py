"""Somebody searches in a real browser, with JavaScript and without, and lands on the second."""

import time

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.any_database]

SAID = "The compiler closed more gaps to eager mode"  # in the demo, from second 17 on


def test_a_find_is_one_click_from_its_second(chromium, site):
    context = chromium.new_context(base_url=site.url, viewport={"width": 390, "height": 844})
    page = context.new_page()
    problems = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/")
    page.fill(".masthead input[type=search]", "compiler gap")
    page.press(".masthead input[type=search]", "Enter")
    link = page.locator(".hit-said a", has_text=SAID)
    assert link.locator("mark").all_inner_texts() == ["compiler", "gaps"]
    link.click()
    assert page.url.endswith("/transcript/#t=17")
    deadline = time.monotonic() + 20
    while page.evaluate("Math.floor(document.querySelector('audio').currentTime)") != 17:
        assert time.monotonic() < deadline, "the player is not there"
        page.wait_for_timeout(100)
    context.close()
    assert problems == []


def test_searching_a_show_needs_no_javascript(chromium, site):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/pytorch/")
    page.fill("#show-q", f'"{SAID}"')
    page.click(".show-search button")
    assert page.inner_text("h1") == "Search PyTorch"
    assert page.locator(".hit").count() == 1
    page.click(".hit-said a")
    assert SAID in page.inner_text("main")
    context.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_search_page_does_not_scroll_sideways(chromium, site, width):
    context = chromium.new_context(base_url=site.url, viewport={"width": width, "height": 800})
    page = context.new_page()
    for path in ("/search/", "/search/?q=pytorch", "/search/?q=" + "x" * 200):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto("/search/?q=compiler")
    page.evaluate("document.querySelectorAll('.hit-finds > *').forEach(e => e.dir = 'rtl')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "right to left"
    context.close()


def test_no_word_is_long_enough_to_widen_a_page(chromium, site):
    context = chromium.new_context(base_url=site.url, viewport={"width": 360, "height": 800})
    page = context.new_page()
    episode = "/pytorch/compiler-parity-push/"
    for path in ("/", "/pytorch/", episode, f"{episode}transcript/", "/search/?q=compiler"):
        page.goto(path)
        page.evaluate(
            "document.querySelectorAll('h1, h2, h3, p, dd, cite, q, .cue, .card-title a')"
            ".forEach(e => e.append(' ' + 'Donau'.repeat(50)))"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    context.close()

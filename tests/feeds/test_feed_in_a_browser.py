"""A person opens the feed in a browser: the stylesheet shows what people read, nothing else."""

from pathlib import Path

import pytest

from feeds.generator import write
from feeds.rendering import stylesheets
from tests.feeds.full_records import CHANNEL, ITEM, PLAIN
from tests.server import serving

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def address():
    document = write(CHANNEL, [ITEM, PLAIN], stylesheets())

    def answer(handler):
        if handler.path.startswith("/static/"):
            file = ROOT / handler.path.lstrip("/")
            return handler.reply(200, file.read_bytes(), Content_Type="text/css")
        if handler.path != "/feed.xml":
            return handler.reply(404)
        # Chromium shows application/rss+xml as plain text, whatever stylesheet it names.
        return handler.reply(
            200,
            document,
            Content_Type="text/xml; charset=utf-8",
            Content_Security_Policy="default-src 'none'; style-src 'self'",
        )

    with serving(answer) as (url, _):
        yield f"{url}/feed.xml"


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_feed_is_a_readable_page(chromium, address, scheme, dark, width):
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(address)
    visible = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(e => e.checkVisibility())
                  .filter(e => !e.children.length).map(e => e.textContent)"""
    )
    assert visible == [
        CHANNEL.title,
        CHANNEL.description,
        CHANNEL.author,
        ITEM.title,
        "Thu, 05 Mar 2026 07:05:09 +0000",
        ITEM.summary,
        PLAIN.title,
        "Wed, 04 Mar 2026 07:05:09 +0000",
    ]
    note = page.evaluate("getComputedStyle(document.documentElement, '::before').content")
    assert "podcast apps" in note
    shade = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (int(shade.strip("rgb()").split(",")[0]) < 128) is dark
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

"""A person opens the feed in a browser: the stylesheet shows what people read, nothing else."""

from pathlib import Path

import pytest

from feeds.generator import write
from feeds.rendering import stylesheets
from tests.conftest import watched_page
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


@pytest.fixture
def page(chromium, site):
    with watched_page(chromium, site, width=1280, height=900) as page:
        yield page


@pytest.mark.server
@pytest.mark.any_database
@pytest.mark.parametrize("feed", ["/pytorch/feed.xml", "/feed.xml"])
def test_the_site_gives_a_person_the_page_and_an_app_the_feed(page, site, feed):
    for _ in range(2):  # the second time from what is kept
        status, headers, body = site.get(feed)
        assert (status, headers["content-type"]) == (200, "application/rss+xml; charset=utf-8")
        assert headers["vary"] == "Accept-Encoding, Sec-Fetch-Dest"
        shown = page.goto(feed)
        assert shown.headers["content-type"] == "text/xml; charset=utf-8"
        assert shown.body() == body
        titles = page.locator("item > title")
        assert titles.count() > 5
        assert titles.first.is_visible()
        assert not page.locator("item > guid").first.is_visible()
        paper = page.evaluate("getComputedStyle(document.documentElement).display")
        assert paper == "block"

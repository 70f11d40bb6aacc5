"""A show moves in at the desk of a real site, in a real browser, with and without JavaScript."""

import re
import threading
import time

import pytest

from tests.feeds.moving_in.old_host import OldHost
from tests.running import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.server]

ADD = "/admin/feeds/importrun/add/"


@pytest.fixture(scope="module")
def near(site):
    """The shared site; what moved in is gone afterwards."""
    yield site
    gone = "from episodes.models import Show; Show.objects.filter(slug='harbour-line').delete()"
    assert site.manage("shell", "-c", gone).returncode == 0


class SlowHost(OldHost):
    """It gives as many recordings as `gate` lets through."""

    def __init__(self, number, open_for):
        super().__init__(number)
        self.gate = threading.Semaphore(open_for)

    def answer(self, handler):
        if handler.path.endswith(".mp3"):
            assert self.gate.acquire(timeout=60)
        super().answer(handler)


@pytest.fixture
def host():
    one = SlowHost(8, 3)
    with one.running():
        yield one
        one.gate.release(100)


def opened(chromium, site, **options):
    context = chromium.new_context(base_url=site.url, **options)
    page = context.new_page()
    page.goto("/admin/")
    page.fill("[name=username]", "editor")
    page.fill("[name=password]", PASSWORD)
    page.click("input[type=submit]")
    page.wait_for_url("**/admin/")
    return page


@pytest.mark.any_database
def test_an_editor_sees_it_come_in(chromium, near, host):
    page = opened(chromium, near, viewport={"width": 1280, "height": 900})
    problems = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/admin/episodes/show/")
    page.click("text=Import a show")
    page.fill("[name=feed_url]", host.url)
    page.click("input[type=submit][value=Import]")
    page.wait_for_selector("#import-progress[value]", timeout=60_000)
    page.evaluate("window.same = true")  # gone when the page is loaded anew
    first = page.inner_text("[data-live]")
    time.sleep(1)  # progress is noted once a second
    host.gate.release(2)
    page.wait_for_function(
        "before => document.querySelector('[data-live]').innerText !== before", arg=first
    )
    assert page.evaluate("window.same")
    host.gate.release(100)
    page.wait_for_selector(".desk-outcome", timeout=60_000)
    assert "Done" in page.inner_text(".desk-outcome")
    assert re.search(r"created\s+8", page.inner_text(".desk-counts"))
    assert "No problem was found." in page.inner_text(".desk-page")

    page.click("text=The move's checklist")
    page.wait_for_selector(".desk-checklist")
    page.wait_for_selector("text=All 8 items", timeout=60_000)  # checked after the import
    page.click("text=Check now")
    page.wait_for_selector("text=The old address is being asked")
    page.wait_for_selector("text=The old address is being asked", state="detached", timeout=60_000)
    assert "It does not redirect." in page.inner_text(".desk-checklist")
    page.context.close()
    assert problems == []


def test_four_presses_in_one_moment_make_one_run(chromium, near, host):
    page = opened(chromium, near)
    page.goto(ADD)
    page.fill("[name=feed_url]", host.url)
    pages = page.evaluate(
        """async () => {
            const form = document.querySelector("#importrun_form");
            const signal = AbortSignal.timeout(20_000);
            const send = () => fetch("", { method: "POST", body: new FormData(form), signal });
            return (await Promise.all([1, 2, 3, 4].map(send))).map((answer) => answer.url);
        }"""
    )
    assert len(set(pages)) == 1
    assert pages[0].endswith("/change/")
    page.goto(pages[0])
    page.click("[value=Stop]")
    host.gate.release(100)
    page.wait_for_selector(".desk-outcome", timeout=60_000)
    assert "Stopped" in page.inner_text(".desk-outcome")
    page.context.close()


@pytest.mark.any_database
def test_on_a_phone_without_javascript(chromium, near, host):
    page = opened(chromium, near, java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.goto(ADD)
    page.fill("[name=feed_url]", "ftp://old.example/")
    page.click("input[type=submit][value=Import]")
    assert "cannot be fetched" in page.inner_text(".errorlist >> nth=0")
    page.fill("[name=feed_url]", host.url)
    page.check("[name=audio][value=link]")
    page.check("[name=dry_run]")
    page.click("input[type=submit][value=Import]")
    page.wait_for_selector(".desk-outcome", timeout=60_000)  # by the refresh of the page alone
    assert "What it would do" in page.inner_text(".desk-page")
    host.gate.release(100)
    page.click("[value='Import now']")
    page.wait_for_selector(".desk-outcome", timeout=60_000)
    assert "Done" in page.inner_text(".desk-outcome")
    page.context.close()


@pytest.mark.any_database
def test_no_page_of_a_move_scrolls_sideways(chromium, near):
    page = opened(chromium, near, viewport={"width": 360, "height": 740})
    page.goto("/admin/feeds/importrun/")
    ran = page.get_attribute("#result_list tbody th a >> nth=0", "href")
    page.goto("/admin/feeds/importedshow/")
    moved = page.get_attribute("#result_list tbody th a >> nth=0", "href")
    for path in (ADD, ran, moved):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.evaluate("document.querySelector('#content').scrollWidth") <= 360, path
    page.context.close()

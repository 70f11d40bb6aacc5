"""Uploads at the desk in a real browser: progress, stopping, and errors that lose nothing."""

import pytest

from tests.conftest import CORPUS
from tests.running import PASSWORD
from tests.test_full_disk import padded

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.any_database]

ADD = "/admin/episodes/episode/add/"
MB = 1024 * 1024


@pytest.fixture
def page(chromium, site):
    context = chromium.new_context(base_url=site.url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems = []
    # The browser notes every answer that is no success; those are wanted here.
    page.on(
        "console",
        lambda m: (
            problems.append(m.text)
            if m.type == "error" and "Failed to load resource" not in m.text
            else None
        ),
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/admin/")
    page.fill("[name=username]", "editor")
    page.fill("[name=password]", PASSWORD)
    page.click("input[type=submit]")
    page.wait_for_url("**/admin/")
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def throttle(page):
    """Let the page send at most this many bytes a second."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def slow_down(rate: float):
        session.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate},
        )

    return slow_down


@pytest.fixture
def take(tmp_path):
    """A recording of 3 MB."""
    path = tmp_path / "take 1.mp3"
    path.write_bytes(padded(3 * MB))
    return path


def open_form(page, title: str) -> None:
    page.goto(ADD)
    page.click(".field-show .select2-selection")
    page.fill(".select2-search__field", "PyTorch")
    page.click(".select2-results__option--highlighted")
    page.fill("[name=title]", title)


def save(page) -> None:
    page.click("[name=_continue] >> nth=0")


def test_an_editor_sees_how_far_the_upload_is(page, throttle, take):
    open_form(page, "With progress")
    page.set_input_files("[name=audio_upload]", take)
    throttle(1 * MB)
    save(page)
    page.wait_for_selector(".desk-upload progress")
    assert page.is_disabled("[name=_save] >> nth=0")
    page.evaluate(
        """() => {
            const bar = document.querySelector(".desk-upload progress");
            const seen = new Set();
            const look = () => sessionStorage.seen = [...seen.add(bar.value)].join(" ");
            new MutationObserver(look).observe(bar, { attributes: true });
        }"""
    )
    page.wait_for_url("**/change/")
    seen = {float(value) for value in page.evaluate("sessionStorage.seen").split()}
    assert len({value for value in seen if 0 < value < 3 * MB}) >= 3, seen
    page.wait_for_selector(".messagelist .success")
    assert "Read the recording" in page.inner_text(".messagelist")
    assert page.input_value("[name=title]") == "With progress"


def test_an_upload_can_be_stopped_and_sent_again(page, throttle, take):
    open_form(page, "Stopped")
    page.set_input_files("[name=audio_upload]", take)
    throttle(0.3 * MB)
    save(page)
    page.click(".desk-upload button")
    page.wait_for_selector("text=Stopped. Nothing was changed.")
    assert page.is_enabled("[name=_continue] >> nth=0")
    assert page.input_value("[name=title]") == "Stopped"
    throttle(-1)
    save(page)
    page.wait_for_url("**/change/")


def test_what_is_refused_is_said_in_place_and_nothing_chosen_is_lost(page, take):
    open_form(page, "")
    page.set_input_files("[name=audio_upload]", str(CORPUS / "audio/text-named.mp3"))
    page.set_input_files("[name=transcripts-0-upload]", str(CORPUS / "audio/jpeg-named.mp3"))
    page.fill("[name=notes]", "Words that took an hour")
    save(page)
    page.wait_for_selector(".field-audio_upload .errorlist")
    assert "not a recording" in page.inner_text(".field-audio_upload .errorlist")
    assert "title" in page.inner_text(".field-title .errorlist").lower()
    assert page.locator("#transcripts-0 .errorlist").count() == 1
    assert page.input_value("[name=notes]") == "Words that took an hour"
    chosen = "document.querySelector('[name=audio_upload]').files[0].name"
    assert page.evaluate(chosen) == "text-named.mp3"

    page.fill("[name=title]", "At last")
    page.set_input_files("[name=audio_upload]", take)
    page.set_input_files(
        "[name=transcripts-0-upload]", str(CORPUS / "transcripts/namespace-example.vtt")
    )
    save(page)
    page.wait_for_url("**/change/")
    assert page.input_value("[name=notes]").strip() == "Words that took an hour"
    assert page.locator(".errorlist").count() == 0


def test_an_editor_who_was_signed_out_meanwhile_can_go_on(page, take):
    open_form(page, "Signed out")
    page.set_input_files("[name=audio_upload]", take)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    save(page)
    page.wait_for_selector("text=Sign in in another tab")
    page.context.add_cookies(cookies)
    save(page)
    page.wait_for_url("**/change/")


def test_a_broken_connection_is_said(page, throttle, take):
    open_form(page, "Broken off")
    page.set_input_files("[name=audio_upload]", take)
    page.route("**/add/", lambda route: route.abort() if route.request.method == "POST" else None)
    save(page)
    page.wait_for_selector("text=The connection broke off")
    assert page.is_enabled("[name=_continue] >> nth=0")


def test_the_form_works_without_the_module(chromium, site, take):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/admin/")
    page.fill("[name=username]", "editor")
    page.fill("[name=password]", PASSWORD)
    page.click("input[type=submit]")
    page.goto(ADD)
    page.fill("[name=title]", "Plain")
    page.set_input_files("[name=audio_upload]", str(CORPUS / "audio/text-named.mp3"))
    save(page)
    assert "not a recording" in page.inner_text(".field-audio_upload .errorlist")
    context.close()

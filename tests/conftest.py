"""What every test gets: a data directory of its own, plain static files, no open sockets."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import pytest

# A CI run is the same each time; examples that were never tried are tried at a desk. Neither has
# a deadline: a busy machine is no fault, and what must be quick is measured by tests of its own.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("FAIL_ON_SKIP") else "desk")

CORPUS = Path(__file__).parent / "corpus"
SEED = Path(__file__).parent / "seed"


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="prepared-site-")
        os.environ["PREPARED_SITE"] = folder
        config.add_cleanup(lambda: forget_prepared(folder))
    # Static files are named plainly in tests; `make run` and the server tests use the manifest.
    from django.conf import settings

    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_modifyitems(items):
    """`-m database`: what may come out differently on another database or another cache."""
    for item in items:
        if item.get_closest_marker("any_database"):
            continue
        fixtures = {"db", "transactional_db", "django_db_setup", "site"} & set(item.fixturenames)
        if fixtures or item.get_closest_marker("django_db") or item.get_closest_marker("server"):
            item.add_marker("database")


def forget_prepared(folder: str) -> None:
    """The site that tests/running.py prepared for all workers, and its database."""
    database = Path(folder) / "database"
    if database.exists():
        from tests.running import drop_database

        drop_database(os.environ.get("DATABASE_URL", ""), database.read_text())
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _empty_cache():
    from django.core.cache import cache

    cache.clear()


@pytest.fixture
def own_media(tmp_path, settings):
    """Media and uploads of one test alone."""
    for folder in ("media", "uploads"):
        (tmp_path / folder).mkdir()
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "uploads")
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "episodes.storage.DurableStorage",
            "OPTIONS": {"location": str(tmp_path / "media"), "base_url": None},
        },
    }


@pytest.fixture(scope="module")
def readers_ready():
    """Children that read files do not start anew for each; their limits are the same."""
    from episodes.probing import kept_ready

    with kept_ready():
        yield


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """One running site with the demo show, shared by the tests of a worker.

    It may fetch from this machine, where old hosts and hubs of tests live.
    """
    from tests.running import running_site

    with running_site(tmp_path_factory.mktemp("site"), FETCH_PRIVATE="on") as running:
        yield running


@pytest.fixture(scope="module")
def chromium():
    """Debian's Chromium, driven by Playwright.

    Closed with its module: while it is open, this thread has a running event loop, and no test
    of the front could have one.
    """
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--autoplay-policy=no-user-gesture-required",
            ],
        )
        yield browser
        browser.close()


def play(page) -> None:
    """Start the page's audio. What `play()` promises may stay away; whoever asks has a deadline."""
    page.evaluate("void document.querySelector('audio').play()")


@contextmanager
def watched_page(browser, site, **viewport: int):
    """A page of the site in a context of its own, in which no script may fail."""
    context = browser.new_context(base_url=site.url, viewport=viewport)
    page = context.new_page()
    problems = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """On a CI machine everything a test needs is there: a skipped test is a failed one."""
    report = yield
    if report.skipped and os.environ.get("FAIL_ON_SKIP") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be skipped here: {report.longrepr}"
    return report

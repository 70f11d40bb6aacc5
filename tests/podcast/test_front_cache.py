"""The front as a shared cache: RFC 9111, and its own promise of one second."""

import asyncio
import threading
import time

import pytest

from podcast.front import app, cache
from tests.podcast.fronts import SHORT, Clock, Site, closing, fetch, make_front

pytestmark = pytest.mark.any_database  # the front knows none


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(app, "monotonic", clock)
    monkeypatch.setattr(cache, "monotonic", clock)
    return clock


@pytest.fixture
def site():
    return Site()


@pytest.fixture
def run(site, tmp_path):
    """Run a coroutine function with a front before `site`."""

    def run(work, **options):
        async def main():
            front = make_front(site, tmp_path, **options)
            return await closing(front, work(front))

        return asyncio.run(main())

    return run


async def settle(front):
    """Until no question to the application is under way."""
    while front.cache.flights:
        await asyncio.wait([flight.task for flight in front.cache.flights.values()])
        await asyncio.sleep(0)


def test_a_fresh_answer_costs_the_application_nothing(run, site, clock):
    async def work(front):
        first = await fetch(front)
        clock.move(0.5)
        second = await fetch(front)
        assert first.body == second.body == b"the first edition"
        assert len(site.asked) == 1

    run(work)


def test_a_stale_answer_is_confirmed_by_its_etag(run, site, clock):
    async def work(front):
        await fetch(front)
        clock.move(1)
        again = await fetch(front)
        assert (again.status, again.body) == (200, b"the first edition")
        assert [ask.get("HTTP_IF_NONE_MATCH") for ask in site.asked] == [None, 'W/"1"']
        clock.move(0.5)
        await fetch(front)
        assert len(site.asked) == 2

    run(work)


def test_without_an_etag_the_date_confirms(run, site, clock):
    site.validators = False
    site.headers = [("Last-Modified", "Sun, 09 Sep 2001 01:46:40 GMT")]

    async def work(front):
        await fetch(front)
        clock.move(1)
        await fetch(front)
        assert site.asked[1]["HTTP_IF_MODIFIED_SINCE"] == "Sun, 09 Sep 2001 01:46:40 GMT"

    run(work)


@pytest.mark.parametrize("idle", [1, 1.01, 2, 59, 3600, 10**6])
def test_a_request_one_second_after_an_edit_sees_it(run, site, clock, idle):
    async def work(front):
        await fetch(front)
        site.edit(b"the second edition")
        clock.move(idle)
        assert (await fetch(front)).body == b"the second edition"

    run(work)


def test_a_busy_address_is_never_a_second_behind(run, site, clock):
    """Polls every 50 ms, edits at odd moments: each answer is at most a second old."""

    async def work(front):
        history = [(clock.now, site.text)]
        for tick in range(200):
            if tick % 7 == 3:
                site.edit(b"edition at %.2f" % clock.now)
                history.append((clock.now, site.text))
            got = (await fetch(front)).body
            current = [text for since, text in history if since <= clock.now - 1][-1:]
            later = [text for since, text in history if since > clock.now - 1]
            assert got in current + later
            clock.move(0.05)
        await settle(front)
        assert len(site.asked) < 40

    run(work)


def test_renewal_begins_before_the_end_and_nobody_waits_for_it(run, site, clock):
    release = threading.Event()

    async def work(front):
        await fetch(front)
        site.hook = lambda *_: release.wait(10) and None
        clock.move(0.8)
        for _ in range(5):
            assert (await fetch(front)).body == b"the first edition"
        release.set()
        await settle(front)
        assert len(site.asked) == 2
        clock.move(0.5)
        await fetch(front)
        assert len(site.asked) == 2

    run(work)


def test_without_stale_while_revalidate_nothing_is_asked_early(run, site, clock):
    site.control = "s-maxage=1"

    async def work(front):
        await fetch(front)
        clock.move(0.9)
        await fetch(front)
        assert len(site.asked) == 1

    run(work)


def test_lifetime_zero_asks_every_time(run, site, clock):
    site.control = "public, s-maxage=0"

    async def work(front):
        await fetch(front)
        site.edit(b"due this moment")
        assert (await fetch(front)).body == b"due this moment"
        await fetch(front)
        assert [ask.get("HTTP_IF_NONE_MATCH") for ask in site.asked] == [None, 'W/"1"', 'W/"2"']

    run(work)


def test_many_first_requests_ask_once(run, site):
    site.hook = lambda *_: time.sleep(0.05)

    async def work(front):
        answers = await asyncio.gather(*(fetch(front) for _ in range(100)))
        assert {answer.body for answer in answers} == {b"the first edition"}
        assert len(site.asked) == 1

    run(work)


def test_many_requests_at_lifetime_zero_ask_twice(run, site):
    """Those that came after the first question was put need an answer from after they came."""
    site.control = "public, s-maxage=0"
    site.hook = lambda *_: time.sleep(0.05)

    async def work(front):
        await asyncio.gather(*(fetch(front) for _ in range(100)))
        assert len(site.asked) <= 3

    run(work)


def test_who_came_during_a_question_older_than_the_lifetime_is_not_given_its_answer(
    run, site, clock
):
    release = threading.Event()
    site.control = "public, s-maxage=1"

    async def work(front):
        texts = []

        def slow(environ, start_response):
            text = site.text
            texts.append(text)
            release.wait(10)
            start_response("200 OK", [("Cache-Control", "s-maxage=1"), ("ETag", f'"{text[:3]!r}"')])
            return [text]

        site.hook = slow
        early = asyncio.create_task(fetch(front))
        while not texts:
            await asyncio.sleep(0.01)
        site.edit(b"new")
        clock.move(3)
        late = asyncio.create_task(fetch(front))
        await asyncio.sleep(0.05)
        release.set()
        assert (await early).body == b"the first edition"
        assert (await late).body == b"new"

    run(work)


def test_a_failing_application_is_hidden_by_what_is_stored(run, site, clock):
    def fail(environ, start_response):
        raise RuntimeError("the renderer raised")

    async def work(front):
        await fetch(front)
        site.hook = fail
        clock.move(100)
        for _ in range(10):
            got = await fetch(front)
            assert (got.status, got.body) == (200, b"the first edition")
        assert got["age"] == "100"
        assert len(site.asked) == 2  # one attempt, then a second of rest
        clock.move(1.5)
        await fetch(front)
        assert len(site.asked) == 3
        site.hook = None
        clock.move(1.5)
        site.edit(b"back")
        assert (await fetch(front)).body == b"back"

    run(work)


def test_the_error_itself_is_not_stored(run, site, clock):
    async def work(front):
        site.status = "503 Service Unavailable"
        assert (await fetch(front)).status == 503
        site.status = "200 OK"
        assert (await fetch(front)).status == 200

    run(work)


@pytest.mark.parametrize(
    ("control", "age"),
    [
        ("s-maxage=1", 2),
        ("s-maxage=1, stale-if-error=5", 7),
        ("s-maxage=1, stale-if-error=500, must-revalidate", 2),
        ("s-maxage=1, stale-if-error=500, proxy-revalidate", 2),
    ],
)
def test_errors_show_where_stale_answers_are_not_allowed(run, site, clock, control, age):
    site.control = control

    async def work(front):
        await fetch(front)
        site.status, site.validators = "500 Internal Server Error", False
        clock.move(age)
        assert (await fetch(front)).status == 500

    run(work)


def test_many_first_requests_share_one_failure(run, site):
    def fail(environ, start_response):
        time.sleep(0.05)
        raise RuntimeError

    site.hook = fail

    async def work(front):
        answers = await asyncio.gather(*(fetch(front) for _ in range(50)))
        assert {answer.status for answer in answers} == {500}
        assert len(site.asked) == 1

    run(work)


def test_a_slow_application_is_not_waited_for_beyond_patience(run, site, monkeypatch):
    monkeypatch.setattr(cache, "SLOW_SECONDS", 0.1)
    release = threading.Event()

    async def work(front):
        site.control = SHORT.replace("s-maxage=1", "s-maxage=0")
        await fetch(front)
        site.edit(b"slow to render")
        site.hook = lambda *_: release.wait(10) and None
        started = time.monotonic()
        assert (await fetch(front)).body == b"the first edition"
        assert (await fetch(front)).body == b"the first edition"
        assert time.monotonic() - started < 5
        release.set()
        await settle(front)
        assert (await fetch(front)).body == b"slow to render"

    run(work)


def test_a_client_that_leaves_does_not_end_the_question_of_others(run, site):
    release = threading.Event()
    site.hook = lambda *_: release.wait(10) and None

    async def work(front):
        leaver = asyncio.create_task(fetch(front))
        await asyncio.sleep(0.05)
        others = [asyncio.create_task(fetch(front)) for _ in range(5)]
        await asyncio.sleep(0.05)
        leaver.cancel()
        release.set()
        assert {(await other).body for other in others} == {b"the first edition"}
        assert len(site.asked) == 1

    run(work)


def test_age_and_date_tell_when_the_application_spoke(run, site, clock):
    site.control = "s-maxage=100"

    async def work(front):
        first = await fetch(front)
        clock.move(42.9)
        later = await fetch(front)
        assert first["age"] is None
        assert later["age"] == "42"
        assert later["date"] == first["date"]
        assert (await fetch(front, headers={"If-None-Match": 'W/"1"'}))["age"] == "42"

    run(work)


def test_a_304_of_the_application_brings_new_headers(run, site, clock):
    site.headers = [("X-Robots-Tag", "one")]

    async def work(front):
        await fetch(front)
        site.headers = [("X-Robots-Tag", "two")]
        clock.move(1)
        got = await fetch(front)
        assert got["x-robots-tag"] == "two"
        assert got["content-type"] == site.kind
        assert got["etag"] == 'W/"1"'

    run(work)


def test_a_304_that_withdraws_permission_ends_the_keeping(run, site, clock):
    async def work(front):
        await fetch(front)
        site.control = "private"
        clock.move(1)
        got = await fetch(front)
        assert (got.status, got.body) == (200, b"the first edition")
        site.edit(b"secret")
        assert (await fetch(front)).body == b"secret"

    run(work)


def test_what_was_public_and_is_gone_is_not_served(run, site, clock):
    async def work(front):
        await fetch(front)
        site.status, site.control, site.validators = "404 Not Found", "no-store", False
        clock.move(1)
        assert (await fetch(front)).status == 404
        clock.move(0.1)
        assert (await fetch(front)).status == 404

    run(work)


@pytest.mark.parametrize(
    ("status", "control", "kept"),
    [
        ("200 OK", "s-maxage=60", True),
        ("200 OK", "max-age=60", True),
        ("200 OK", "Public, S-MaxAge=60", True),
        ("200 OK", 's-maxage="60"', True),
        ("200 OK", "max-age=60, s-maxage=0", False),
        ("200 OK", "s-maxage=60, s-maxage=0", False),
        ("200 OK", "s-maxage=-1", False),
        ("200 OK", "s-maxage=1.5", False),
        ("200 OK", "s-maxage=many", False),
        ("200 OK", "s-maxage", False),
        ("200 OK", "", False),
        ("200 OK", "public", False),
        ("200 OK", "immutable", False),
        ("200 OK", "private, s-maxage=60", False),
        ("200 OK", "Private, s-maxage=60", False),
        ("200 OK", 'private="set-cookie", s-maxage=60', False),
        ("200 OK", "NO-STORE, s-maxage=60", False),
        ("200 OK", "no-cache, s-maxage=60", False),
        ("200 OK", 'no-cache="x", s-maxage=60', False),
        ("200 OK", 'ext="private, no-store", s-maxage=60', True),
        ("200 OK", "s-maxage=99999999999999999999", True),
        ("301 Moved Permanently", "max-age=3600", True),
        ("308 Permanent Redirect", "max-age=3600", True),
        ("404 Not Found", "max-age=60", True),
        ("410 Gone", "max-age=60", True),
        ("301 Moved Permanently", "", False),
        ("410 Gone", "public", False),
        ("302 Found", "max-age=60", False),
        ("203 Non-Authoritative Information", "max-age=60", False),
        ("206 Partial Content", "max-age=60", False),
        ("500 Internal Server Error", "max-age=60", False),
    ],
)
def test_what_is_kept(run, site, clock, status, control, kept):
    site.status, site.control, site.validators = status, control, False

    async def work(front):
        await fetch(front)
        await fetch(front)
        assert len(site.asked) == (1 if kept else 2)

    run(work)


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        (("Vary", "Accept-Encoding"), True),
        (("Vary", "accept-encoding , Accept-Encoding"), True),
        (("Vary", ""), True),
        (("Vary", "*"), False),
        (("Vary", " * "), False),
        (("Vary", "Cookie"), False),
        (("vary", "Accept-Encoding, cookie"), False),
        (("Vary", "Accept-Encoding, Sec-Fetch-Dest"), True),
        (("Vary", "Sec-Fetch-Dest, Sec-Fetch-Mode"), False),
        (("Vary", "Accept-Language"), False),
        (("Vary", "Origin"), False),
        (("Set-Cookie", "a=b"), False),
        (("Content-Encoding", "gzip"), False),
    ],
)
def test_headers_that_forbid_keeping(run, site, clock, header, kept):
    site.headers = [header]

    async def work(front):
        await fetch(front)
        await fetch(front)
        assert len(site.asked) == (1 if kept else 2)

    run(work)


def page_or_not(environ, start_response):
    """A page for a person, something else for the rest, each kept apart by Vary."""
    page = environ.get("HTTP_SEC_FETCH_DEST") == "document"
    etag = 'W/"page"' if page else 'W/"rest"'
    headers = [("Cache-Control", SHORT), ("ETag", etag), ("Vary", "Sec-Fetch-Dest")]
    if environ.get("HTTP_IF_NONE_MATCH") == etag:
        start_response("304 Not Modified", headers)
        return []
    start_response("200 OK", [("Content-Type", "text/xml"), *headers])
    return [b"a page" if page else b"for the rest"]


def test_a_page_of_its_own_is_kept_apart(run, site, clock):
    site.hook = page_or_not
    seen = [("document", b"a page"), ("empty", b"for the rest"), (None, b"for the rest")]

    async def work(front):
        for order in (seen, seen[::-1], seen):  # whoever comes first
            for dest, text in order:
                got = await fetch(front, headers={"Sec-Fetch-Dest": dest} if dest else {})
                assert got.body == text
                assert got["vary"] == "Sec-Fetch-Dest"
        assert len(site.asked) == 2
        assert [ask.get("HTTP_SEC_FETCH_DEST") for ask in site.asked] == ["document", None]
        clock.move(1.5)  # each is confirmed with its own validator, and stays what it was
        for dest, text in seen:
            got = await fetch(front, headers={"Sec-Fetch-Dest": dest} if dest else {})
            assert (got.body, got["vary"]) == (text, "Sec-Fetch-Dest")
        assert [ask.get("HTTP_IF_NONE_MATCH") for ask in site.asked[2:]] == ['W/"page"', 'W/"rest"']

    run(work)


def test_a_page_of_its_own_and_the_rest_asked_for_at_once(run, site):
    site.hook = page_or_not

    async def work(front):
        asked = [fetch(front, headers={"Sec-Fetch-Dest": "document"}) for _ in range(10)]
        asked += [fetch(front) for _ in range(10)]
        bodies = [answer.body for answer in await asyncio.gather(*asked)]
        assert bodies == [b"a page"] * 10 + [b"for the rest"] * 10
        assert len(site.asked) == 2

    run(work)


def test_a_page_is_kept_once_where_everyone_gets_the_same(run, site, clock):
    async def work(front):
        for dest in ("document", "empty", "document", "iframe"):
            assert (await fetch(front, headers={"Sec-Fetch-Dest": dest})).body == site.text
        assert len(site.asked) == 1
        clock.move(1.5)
        await fetch(front, headers={"Sec-Fetch-Dest": "document"})
        await fetch(front)
        assert len(site.asked) == 2

    run(work)


def test_an_address_may_begin_and_cease_to_vary(run, site, clock):
    as_page = {"Sec-Fetch-Dest": "document"}

    async def work(front):
        await fetch(front)
        site.hook = page_or_not
        clock.move(1.5)
        assert (await fetch(front, headers=as_page)).body == b"a page"
        assert (await fetch(front)).body == b"for the rest"
        site.hook = None
        clock.move(1.5)
        assert (await fetch(front, headers=as_page)).body == site.text
        assert (await fetch(front)).body == site.text
        await fetch(front, method="POST", body=b"x")  # forgets whatever is kept here
        assert front.cache.store.used == 0

    run(work)


def test_a_page_of_its_own_does_not_outlast_what_everyone_gets(run, site, clock):
    async def work(front):
        site.hook = page_or_not
        await fetch(front)
        await fetch(front, headers={"Sec-Fetch-Dest": "document"})
        site.hook = None
        site.status = "410 Gone"
        clock.move(1.5)
        await fetch(front)
        store = front.cache.store
        kept = [*store.named.entries.values(), *store.invented.entries.values()]
        assert [entry.status for entry in kept] == [410]

    run(work)


def test_a_cookie_of_one_client_never_reaches_another(run, site):
    def set_cookie(environ, start_response):
        start_response("200 OK", [("Cache-Control", SHORT), ("Set-Cookie", f"n={len(site.asked)}")])
        return [b"hello"]

    site.hook = set_cookie

    async def work(front):
        answers = await asyncio.gather(*(fetch(front) for _ in range(20)))
        cookies = [answer["set-cookie"] for answer in answers]
        assert len(set(cookies)) == 20

    run(work)


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer x"},
        {"Cookie": "sessionid=abc"},
        {"Cookie": "theme=dark; sessionid=abc"},
        {"If-Match": '"x"'},
        {"If-Unmodified-Since": "Sun, 09 Sep 2001 01:46:40 GMT"},
    ],
)
def test_requests_that_pass_the_cache_by(run, site, clock, headers):
    async def work(front):
        await fetch(front)
        site.edit(b"just saved")
        assert (await fetch(front, headers=headers)).body == b"just saved"
        assert (await fetch(front)).body == b"the first edition"  # and leave nothing in it

    run(work)


def test_repeated_cookie_headers_are_seen(run, site, clock):
    async def work(front):
        await fetch(front)
        site.edit(b"just saved")
        cookies = [("Cookie", "sessionid=a"), ("Cookie", "theme=dark")]
        assert (await fetch(front, headers=cookies)).body == b"just saved"

    run(work)


def test_immutable_files_are_the_same_for_editors(run, site, clock):
    site.control = "public, max-age=31536000, immutable"

    async def work(front):
        await fetch(front)
        await fetch(front, headers={"Cookie": "sessionid=abc"})
        assert len(site.asked) == 1

    run(work)


def test_other_cookies_and_client_cache_control_change_nothing(run, site, clock):
    async def work(front):
        await fetch(front)
        for headers in (
            {"Cookie": "theme=dark"},
            {"Cache-Control": "no-cache"},
            {"Cache-Control": "no-store, max-age=0", "Pragma": "no-cache"},
            {"Range": "bytes=0-3"},
            {"Accept": "application/json", "User-Agent": "x", "A-IM": "feed"},
        ):
            got = await fetch(front, headers=headers)
            assert (got.status, got.body) == (200, b"the first edition")
        assert len(site.asked) == 1

    run(work)


def test_head_is_answered_from_a_stored_get(run, site, clock):
    async def work(front):
        whole = await fetch(front)
        head = await fetch(front, method="HEAD")
        assert head.status == 200
        assert dict(head.headers) == dict(whole.headers)
        assert (await fetch(front, method="HEAD", headers={"If-None-Match": "*"})).status == 304
        clock.move(1)
        await fetch(front, method="HEAD")
        assert [ask["REQUEST_METHOD"] for ask in site.asked] == ["GET", "GET"]

    run(work)


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "identity"])
@pytest.mark.parametrize("control", [SHORT, "no-store"], ids=["kept", "not for keeping"])
def test_a_first_head_is_a_get_without_its_body(run, site, clock, coding, control):
    site.text, site.control = b"the first edition " * 500, control

    async def work(front):
        head = await fetch(front, method="HEAD", headers={"Accept-Encoding": coding})
        assert (head.status, len(site.asked)) == (200, 1)
        whole = await fetch(front, headers={"Accept-Encoding": coding})
        assert dict(head.headers) == dict(whole.headers)
        assert head["content-length"] == str(len(whole.body))
        assert len(site.asked) == (1 if control == SHORT else 2)

    run(work)


def test_a_first_head_with_our_tag_is_unmodified(run, site, clock):
    async def work(front):
        got = await fetch(front, method="HEAD", headers={"If-None-Match": 'W/"1"'})
        assert (got.status, got["content-length"]) == (304, None)

    run(work)


def test_where_a_head_is_sent_on_to_is_for_a_head(run, site, clock):
    """An address in a store may be signed for the method it was asked with."""
    site.status, site.control, site.validators = "302 Found", "private, max-age=300", False

    def sign(environ, start_response):
        site.headers = [("Location", f"https://store.example/{environ['REQUEST_METHOD']}")]

    site.hook = sign

    async def work(front):
        for method in ("HEAD", "GET", "HEAD", "GET"):
            got = await fetch(front, "/audio", method=method)
            assert (got.status, got["location"]) == (302, f"https://store.example/{method}")

    run(work)


DATE = "Sun, 09 Sep 2001 01:46:40 GMT"


@pytest.mark.parametrize("warm", [True, False], ids=["stored", "first"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-None-Match": 'W/"1"'}, 304),
        ({"If-None-Match": '"1"'}, 304),
        ({"If-None-Match": '"0", W/"1"'}, 304),
        ({"If-None-Match": "*"}, 304),
        ({"If-None-Match": 'W/"1-gzip"'}, 304),
        ({"If-None-Match": '"1-br", "0"'}, 304),
        ({"If-None-Match": 'W/"1;gzip"'}, 304),
        ({"If-None-Match": '"11-gzip"'}, 200),
        ({"If-None-Match": '"1-gzip-gzip"'}, 200),
        ({"If-None-Match": '"0"'}, 200),
        ({"If-None-Match": "1"}, 200),
        ({"If-None-Match": '"0"', "If-Modified-Since": DATE}, 200),
        ({"If-Modified-Since": DATE}, 304),
        ({"If-Modified-Since": "Sun, 09 Sep 2001 01:46:41 GMT"}, 304),
        ({"If-Modified-Since": "Sun, 09 Sep 2001 01:46:39 GMT"}, 200),
        ({"If-Modified-Since": "rubbish"}, 200),
        ({"If-None-Match": '"1"', "Range": "bytes=0-1"}, 304),
    ],
)
def test_conditional_requests(run, site, clock, headers, status, warm):
    site.headers = [("Last-Modified", DATE), ("Access-Control-Allow-Origin", "*")]

    async def work(front):
        whole = await fetch(front, "/" if warm else "/elsewhere")
        got = await fetch(front, headers=headers)
        assert got.status == status
        if status == 304:
            for name in ("etag", "cache-control", "last-modified", "access-control-allow-origin"):
                assert got[name] == whole[name]
            assert got["date"]
            assert got["content-type"] is None
            assert got["content-length"] is None
        assert len(site.asked) == (1 if warm else 2)
        assert not any("HTTP_IF_MODIFIED_SINCE" in ask for ask in site.asked)

    run(work)


def test_a_304_of_the_application_itself_has_no_length(run, site, clock):
    site.headers = [("Content-Length", "0")]

    async def work(front):
        asked = {"Cookie": "sessionid=abc", "If-None-Match": 'W/"1"'}
        got = await fetch(front, headers=asked)
        assert (got.status, got["content-length"]) == (304, None)

    run(work)


def test_two_dates_are_none(run, site, clock):
    site.headers = [("Last-Modified", DATE)]

    async def work(front):
        twice = [("If-Modified-Since", DATE), ("If-Modified-Since", DATE)]
        assert (await fetch(front, headers=twice)).status == 200

    run(work)


def test_redirects_and_errors_are_not_conditional(run, site, clock):
    site.status, site.control = "404 Not Found", "max-age=60"

    async def work(front):
        await fetch(front)
        assert (await fetch(front, headers={"If-None-Match": "*"})).status == 404
        assert len(site.asked) == 1

    run(work)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_successful_change_ends_what_is_stored(run, site, clock, method):
    site.control = "s-maxage=60"

    async def work(front):
        await fetch(front)
        site.edit(b"changed")
        await fetch(front, method=method)
        assert (await fetch(front)).body == b"changed"

    run(work)


def test_a_failed_change_and_a_look_end_nothing(run, site, clock):
    site.control = "s-maxage=60"

    async def work(front):
        await fetch(front)
        await fetch(front, method="OPTIONS")
        site.status, site.control = "403 Forbidden", "no-store"
        await fetch(front, method="POST")
        assert (await fetch(front)).status == 200

    run(work)


def test_answers_not_for_keeping_are_remembered_and_asked_for_as_they_came(run, site, clock):
    site.control, site.validators = "no-store", False

    async def work(front):
        await fetch(front, headers={"If-None-Match": '"x"', "Accept-Encoding": "gzip"})
        await fetch(front, headers={"If-None-Match": '"x"', "Accept-Encoding": "gzip"})
        assert [ask.get("HTTP_IF_NONE_MATCH") for ask in site.asked] == [None, '"x"']
        assert [ask.get("HTTP_ACCEPT_ENCODING") for ask in site.asked] == [None, "gzip"]
        clock.move(6)
        site.control = "s-maxage=60"
        await fetch(front)
        await fetch(front)
        assert len(site.asked) == 3

    run(work)


def test_large_bodies_are_kept_too_and_those_beyond_half_the_room_are_not(run, site, clock):
    site.control, site.kind = "s-maxage=60", "application/octet-stream"

    async def work(front):
        site.text = b"x" * 6_000_000
        assert (await fetch(front, "/large")).body == site.text
        assert (await fetch(front, "/large")).body == site.text
        assert len(site.asked) == 1
        site.text = b"x" * 9_000_000
        assert (await fetch(front, "/larger")).body == site.text
        assert (await fetch(front, "/larger")).body == site.text
        assert len(site.asked) == 3
        assert front.cache.store.used < 16_000_000

    run(work, cache_bytes=20_000_000)


# X-Accel-Expires, and an nginx in front


def test_x_accel_expires_is_the_fronts_lifetime_and_leaves_by_no_door(run, site, clock):
    site.control, site.headers = "public, max-age=31536000", [("X-Accel-Expires", "1")]

    async def work(front):
        first = await fetch(front)
        assert (first["cache-control"], first["x-accel-expires"]) == (site.control, None)
        await fetch(front)
        assert len(site.asked) == 1
        clock.move(1)
        await fetch(front)
        assert len(site.asked) == 2

    run(work)


@pytest.mark.parametrize(
    ("control", "expires"),
    [("no-store", "60"), ("private", "60"), ("s-maxage=60", "0"), ("s-maxage=60", "-1")],
)
def test_x_accel_expires_opens_nothing_that_is_closed(run, site, clock, control, expires):
    site.control, site.headers = control, [("X-Accel-Expires", expires)]

    async def work(front):
        await fetch(front)
        await fetch(front)
        assert len(site.asked) == 2

    run(work)


def test_nginx_learns_of_a_date_that_came_later_and_apps_get_their_304(run, site, clock):
    """nginx keeps the headers it stored, whatever a 304 says: so it is sent the whole once."""

    async def work(front):
        first = await fetch(front)
        assert first["last-modified"] is None
        asked = {"If-None-Match": first["etag"]}
        assert (await fetch(front, headers=asked)).status == 304
        site.headers = [("Last-Modified", DATE)]
        by_tag_alone = await fetch(front, headers=asked)
        assert (by_tag_alone.status, by_tag_alone["last-modified"]) == (304, DATE)
        nginx = {**asked, "X-Nginx-Cache": "on"}
        dated = await fetch(front, headers=nginx)
        assert (dated.status, dated["last-modified"]) == (200, DATE)
        again = await fetch(front, headers={**nginx, "If-Modified-Since": DATE})
        assert again.status == 304

    run(work, x_accel=True)


def test_with_nginx_in_front_the_second_is_nginxs(run, site, clock, monkeypatch):
    """Asked each time, and told to nginx as the end of the second in which it was asked."""
    monkeypatch.setattr(cache, "time", lambda: 1_700_000_000.9)

    async def work(front):
        first = await fetch(front)
        assert first["x-accel-expires"] == "@1700000000"
        again = await fetch(front, headers={"If-None-Match": first["etag"]})
        assert (again.status, again["x-accel-expires"]) == (304, "@1700000000")
        names = [name for name, _ in again.headers]
        assert names.index("x-accel-expires") < names.index("cache-control")
        assert len(site.asked) == 2
        site.control = "s-maxage=3600"
        long = await fetch(front, "/long")
        assert long["x-accel-expires"] is None
        site.control = "s-maxage=0"
        assert (await fetch(front, "/none"))["x-accel-expires"] is None

    run(work, x_accel=True)

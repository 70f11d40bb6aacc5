"""Range arithmetic against RFC 9110 §14, case by case."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.ranges import (
    Partial,
    Span,
    Unsatisfiable,
    Whole,
    multipart,
    parse_range,
    range_applies,
)

WHOLE = Whole()
OUT = Unsatisfiable(1000)


def part(*pairs):
    return Partial(tuple(Span(start, stop) for start, stop in pairs))


@pytest.mark.parametrize(
    ("header", "outcome"),
    [
        (None, WHOLE),
        ("bytes=0-1", part((0, 2))),
        ("bytes=0-0", part((0, 1))),
        ("bytes=999-", part((999, 1000))),
        ("bytes=0-", part((0, 1000))),
        ("bytes=500-5000", part((500, 1000))),
        ("bytes=-100", part((900, 1000))),
        ("bytes=-5000", part((0, 1000))),
        ("BYTES=0-1", part((0, 2))),
        ("bytes = 0-1", part((0, 2))),
        ("bytes=\t0-1 ", part((0, 2))),
        ("bytes=,, 0-1 ,", part((0, 2))),
        # beyond the end
        ("bytes=1000-", OUT),
        ("bytes=1000-2000", OUT),
        ("bytes=-0", OUT),
        ("bytes=-0,2000-", OUT),
        ("bytes=18446744073709551616-", OUT),
        ("bytes=" + "9" * 8000 + "-", OUT),
        ("bytes=-" + "9" * 8000, part((0, 1000))),
        ("bytes=" + "0" * 8000 + "5-7", part((5, 8))),
        ("bytes=0-" + "9" * 8000, part((0, 1000))),
        # ignored
        ("", WHOLE),
        ("bytes", WHOLE),
        ("bytes=", WHOLE),
        ("bytes=,", WHOLE),
        ("bytes=-", WHOLE),
        ("bytes=9-3", WHOLE),
        ("bytes=0-1,9-3", WHOLE),
        ("bytes=a-b", WHOLE),
        ("bytes=1", WHOLE),
        ("bytes=1-2-3", WHOLE),
        ("bytes=--1", WHOLE),
        ("bytes=+1-2", WHOLE),
        ("bytes=1 - 2", WHOLE),
        ("bytes=0x1-0x2", WHOLE),
        ("bytes=١-٢", WHOLE),
        ("items=0-1", WHOLE),
        ("bytes 0-1", WHOLE),
        # several
        ("bytes=0-1,500-501", part((0, 2), (500, 502))),
        ("bytes=500-501,0-1", part((500, 502), (0, 2))),
        ("bytes=0-1,2000-", part((0, 2))),
        ("bytes=0-9,5-19", part((0, 20))),
        ("bytes=0-9,10-19", part((0, 20))),
        ("bytes=0-9,50-59", part((0, 60))),
        ("bytes=600-700,-10,0-9,640-800", part((0, 10), (600, 801), (990, 1000))),
        ("bytes=0-,0-", part((0, 1000))),
        ("bytes=0-1,200-201,400-401,600-601,800-801", part(
            (0, 2), (200, 202), (400, 402), (600, 602), (800, 802))),
        ("bytes=0-1,200-201,400-401,600-601,800-801,900-901", WHOLE),
        ("bytes=" + ",".join(["0-"] * 1300), WHOLE),
        ("bytes=" + ",".join(f"{i}-{i}" for i in range(1500)), WHOLE),
    ],
)  # fmt: skip
def test_what_a_header_gets_of_a_thousand_bytes(header, outcome):
    assert parse_range(header, 1000) == outcome


@pytest.mark.parametrize(
    ("header", "outcome"),
    [("bytes=0-", Unsatisfiable(0)), ("bytes=-5", WHOLE), ("bytes=-0", Unsatisfiable(0))],
)
def test_what_a_header_gets_of_nothing(header, outcome):
    assert parse_range(header, 0) == outcome


def test_content_range_is_inclusive_and_names_the_size():
    assert Span(0, 2).content_range(1000) == "bytes 0-1/1000"
    assert OUT.content_range == "bytes */1000"


@given(
    st.lists(st.tuples(st.integers(0, 1200), st.integers(0, 1200)), min_size=1, max_size=5),
    st.integers(1, 1000),
)
def test_spans_hold_exactly_the_bytes_asked_for_and_no_byte_twice(pairs, size):
    pairs = [(min(pair), max(pair)) for pair in pairs]
    outcome = parse_range("bytes=" + ",".join(f"{a}-{b}" for a, b in pairs), size)
    asked = {byte for a, b in pairs for byte in range(a, b + 1) if byte < size}
    if not asked:
        assert outcome == Unsatisfiable(size)
        return
    assert isinstance(outcome, Partial)
    given_bytes = [byte for span in outcome.spans for byte in range(span.start, span.stop)]
    assert len(given_bytes) == len(set(given_bytes)) <= size
    assert asked <= set(given_bytes)


@given(st.text(max_size=200))
def test_no_text_raises(text):
    parse_range(text, 1000)
    parse_range("bytes=" + text, 1000)
    range_applies(text, '"tag"', 0)


@pytest.mark.parametrize("filler", ["0-,", "1", "0-1,", ",", " ", "-", "9-", "\t,"])
def test_eight_kilobytes_take_no_time(filler):
    header = ("bytes=" + filler * 8192)[:8192]
    started = time.perf_counter()
    for _ in range(10):
        parse_range(header, 10**9)
    assert (time.perf_counter() - started) / 10 < 0.05  # about 1 ms; quadratic takes seconds


DATE = 1_000_000_000  # Sun, 09 Sep 2001 01:46:40 GMT


@pytest.mark.parametrize(
    ("if_range", "applies"),
    [
        (None, True),
        ('"tag"', True),
        (' "tag" ', True),
        ('"other"', False),
        ('W/"tag"', False),
        ("tag", False),
        ('"tag", "other"', False),
        ("*", False),
        ("Sun, 09 Sep 2001 01:46:40 GMT", True),
        ("Sunday, 09-Sep-01 01:46:40 GMT", True),
        ("Sun, 09 Sep 2001 01:46:41 GMT", False),  # later is not equal
        ("Sun, 09 Sep 2001 01:46:39 GMT", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_if_range(if_range, applies):
    assert range_applies(if_range, '"tag"', DATE) is applies


def test_if_range_never_matches_a_weak_tag_of_ours():
    assert not range_applies('W/"tag"', 'W/"tag"', DATE)
    assert not range_applies('"tag"', 'W/"tag"', DATE)


def test_multipart_layout_is_what_a_mime_parser_reads():
    content = bytes(range(256))
    spans = (Span(0, 2), Span(250, 256))
    layout = multipart(spans, 256, "audio/mpeg", "limit")
    body = b"".join(head + content[span.start : span.stop] for head, span in layout.parts)
    body += layout.tail
    assert len(body) == layout.length
    assert layout.content_type == "multipart/byteranges; boundary=limit"
    import email
    import email.policy

    message = email.message_from_bytes(
        f"Content-Type: {layout.content_type}\r\n\r\n".encode() + body, policy=email.policy.HTTP
    )
    first, second = message.get_payload()
    assert first["Content-Range"] == "bytes 0-1/256"
    assert second["Content-Range"] == "bytes 250-255/256"
    assert first["Content-Type"] == "audio/mpeg"
    assert first.get_payload(decode=True) == content[:2]
    assert body.startswith(b"--limit\r\n")
    assert body.endswith(b"\r\n--limit--\r\n")

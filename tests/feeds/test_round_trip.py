"""What is written is read back: `parse(write(channel, items))` gives the same records."""

from dataclasses import fields

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feeds.generator import write
from feeds.importing import parse
from feeds.records import Channel, Item
from tests.feeds.made_records import CHANNEL, ITEM

slow = settings(
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def assert_same(one, other):
    """Field by field, so that a failure names the field."""
    for field in fields(one):
        assert getattr(one, field.name) == getattr(other, field.name), field.name


@slow
@given(CHANNEL)
def test_any_channel_comes_back(channel):
    feed = parse(write(channel, []))
    assert_same(feed.channel, channel)
    assert feed.items == ()
    assert feed.skipped == ()


@slow
@given(st.lists(ITEM, min_size=1, max_size=3))
def test_any_items_come_back_in_their_order(items):
    feed = parse(write(Channel(title="Show"), items))
    assert len(feed.items) == len(items)
    for read, written in zip(feed.items, items, strict=True):
        assert_same(read, written)
    assert not [finding for finding in feed.findings if finding.code != "read-date-form"]
    assert feed.skipped == ()


@slow
@given(st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=30))
def test_texts_that_are_not_canonical_come_back_as_the_writer_left_them(one, other):
    """Controls, lone surrogates, C1, loose space: written once they are stable for ever."""
    channel = Channel(title=one, description=other, author=other, guid=one)
    item = Item(title=other, guid=one, description=one, content=other, summary=one)
    first = parse(write(channel, [item]))
    second = parse(write(first.channel, first.items))
    assert (second.channel, second.items) == (first.channel, first.items)
    assert write(first.channel, first.items) == write(channel, [item])

"""/shows.opml: every public show, in the form that podcast apps take lists in."""

from email.utils import parsedate_to_datetime

import pytest
from lxml import etree

from tests.make import make_show

pytestmark = pytest.mark.django_db


def test_every_public_show_and_no_other(client):
    make_show(
        title='Ships & <"harbours">', slug="ships", language="en-GB", description="One\n\ntwo"
    )
    make_show(title="Moved", slug="moved", new_feed_url="https://elsewhere.example/f.xml?a=1&b=2")
    make_show(title="Hidden", slug="hidden", visibility="hidden")
    make_show(title="Withdrawn", slug="withdrawn", visibility="withdrawn")
    response = client.get("/shows.opml")
    assert response["Content-Type"].startswith("text/x-opml")
    opml = etree.fromstring(response.content)
    assert (opml.tag, opml.get("version")) == ("opml", "2.0")
    assert [child.tag for child in opml] == ["head", "body"]
    assert parsedate_to_datetime(opml.findtext("head/dateModified"))
    outlines = {row.get("text"): dict(row.attrib) for row in opml.findall("body/outline")}
    assert set(outlines) == {'Ships & <"harbours">', "Moved"}
    assert outlines['Ships & <"harbours">'] == {
        "type": "rss",
        "version": "RSS2",
        "text": 'Ships & <"harbours">',
        "title": 'Ships & <"harbours">',
        "description": "One two",
        "language": "en-GB",
        "htmlUrl": "https://podcast.example.org/ships/",
        "xmlUrl": "https://podcast.example.org/ships/feed.xml",
    }
    assert outlines["Moved"]["xmlUrl"] == "https://elsewhere.example/f.xml?a=1&b=2"


def test_it_changes_with_the_shows(client):
    make_show()
    tag = client.get("/shows.opml")["ETag"]
    assert client.get("/shows.opml", headers={"If-None-Match": tag}).status_code == 304
    make_show(title="Another")
    assert b"Another" in client.get("/shows.opml", headers={"If-None-Match": tag}).content

"""The table of what is refused, case by case: addresses, redirects, names, bodies, documents."""

import gzip
import socket
import time
import tracemalloc
import zlib

import pytest

from episodes.models import Episode, Show
from feeds import fetching
from feeds.fetching import FetchError, ForbiddenAddress, Limits, TooLarge, TooSlow, fetch
from feeds.internet import is_public
from feeds.moving_in.running import Options, import_feed
from feeds.moving_in.source import Source
from tests.server import serving

#: Hosts as an attacker writes them, by what they are dressed as.
HOSTS = {
    "loopback": ["127.0.0.1", "localhost", "127.0.0.2", "127.255.255.254"],
    "short": ["127.1", "0", "10.1", "127.0.1"],
    "decimal": ["2130706433", "2852039166", "3232235521", "167772161"],
    "octal": ["0177.0.0.1", "017700000001", "0251.0376.0251.0376", "0300.0250.0.1"],
    "hexadecimal": ["0x7f.1", "0x7f000001", "0xa9fea9fe", "0x7f.0.0.0x1", "0xC0A80001"],
    "other digits": ["①②⑦.0.0.1", "127。0。0。1", "１２７.0.0.1"],
    "this network": ["0.0.0.0", "0.1.2.3"],
    "private": ["10.1.1.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1"],
    "link-local": ["169.254.0.1", "[fe80::1]", "[fe80::1%25lo]", "[fec0::1]"],
    "metadata": [
        "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16",
        "[fd00:ec2::254]", "[fd20:ce::254]",
    ],
    "nobody's": [
        "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "240.0.0.1", "192.88.99.1",
        "255.255.255.255", "224.0.0.1", "239.255.255.250",
    ],
    "IPv6": ["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[fc00::1]", "[fdff::1]", "[ff02::1]"],
    "IPv4-mapped": ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a9fe:a9fe]"],
    "IPv4-compatible": ["[::127.0.0.1]", "[::7f00:1]"],
    "IPv4-translated": ["[::ffff:0:127.0.0.1]"],
    "NAT64": ["[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::a00:1]"],
    "6to4": ["[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2002:a00:1::1]"],
    "Teredo": ["[2001:0:7f00:1::]", "[2001::80ff:fffe]"],
    "ISATAP": ["[2001:470::5efe:7f00:1]", "[2001:470::200:5efe:a00:1]"],
    "reserved IPv6": ["[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[2001:20::1]"],
}  # fmt: skip
INWARD = [
    pytest.param(host, id=f"{kind} {host}") for kind, hosts in HOSTS.items() for host in hosts
]

URLS = [
    "file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd",
    "gopher://93.184.215.14/_GET", "ftp://93.184.215.14/", "dict://93.184.215.14:11211/stats",
    "ldap://93.184.215.14/", "tftp://93.184.215.14/", "jar:http://93.184.215.14!/",
    "netdoc:///etc/passwd", "data:text/xml,<rss/>", "javascript:alert(1)", "unix:///run/docker.sock",
    "//93.184.215.14/", "/etc/passwd", "etc/passwd", "http:/etc/passwd", "http://",
    "http://user@93.184.215.14/", "http://93.184.215.14:22/", "http://93.184.215.14:6379/",
    "http://93.184.215.14:0/", "http://93.184.215.14:99999/", "http://93.184.215.14\\@127.0.0.1/",
    "http://93.184.215.14#@127.0.0.1:25/", "http://127.0.0.1\t.example/", "http://[::1",
    "http://user:pw@93.184.215.14/", "http://93.184.215.14:x/", "http://exa mple.org/", "",
    "http://93.184.215.14/\r\nHost: x", "http:///nohost", "http://93.184.215.14/" + "a" * 9000,
]  # fmt: skip


@pytest.fixture
def dialled(monkeypatch):
    """No connection is made; the addresses that one was wanted to."""
    wanted = []

    def connect(address, *args, **kwargs):
        wanted.append(address[0])
        raise OSError("no route")

    monkeypatch.setattr(socket, "create_connection", connect)
    return wanted


@pytest.mark.parametrize("host", INWARD)
def test_no_address_inside_is_dialled(host, dialled):
    for scheme in ("http", "https"):
        with pytest.raises(FetchError):
            fetch(f"{scheme}://{host}/feed.xml")
    assert dialled == []


def test_addresses_outside_are_dialled(dialled):
    for host in ("93.184.215.14", "[2606:4700::1111]"):
        with pytest.raises(FetchError):
            fetch(f"https://{host}/")
    assert dialled == ["93.184.215.14", "2606:4700::1111"]


@pytest.mark.parametrize("url", [url for url in URLS if "#" not in url], ids=lambda u: u[:40])
def test_no_odd_address_is_dialled(url, dialled):
    with pytest.raises(ForbiddenAddress):
        fetch(url)
    assert dialled == []


def test_a_fragment_hides_no_host(dialled):
    with pytest.raises(FetchError):
        fetch("http://93.184.215.14#@127.0.0.1:25/")
    assert dialled == ["93.184.215.14"]


# Redirects: the first hop is let through as if it were public


@pytest.fixture(scope="module")
def redirector():
    """Redirects to what stands in X-To, with the status in the path."""
    with serving(lambda h: h.reply(int(h.path[1:]), Location=h.headers["X-To"])) as (base, seen):
        yield base, seen


@pytest.fixture
def hop(redirector, monkeypatch, settings):
    base, seen = redirector
    seen.clear()
    settings.FETCH_PORTS = [int(base.rpartition(":")[2])]
    first = iter(["127.0.0.1"])
    monkeypatch.setattr(fetching, "is_public", lambda a: a == next(first, None) or is_public(a))

    def go(target, status=301):
        with pytest.raises(FetchError) as refusal:
            fetch(f"{base}/{status}", headers={"X-To": target})
        assert len(seen) == 1
        return refusal.value

    return go


@pytest.mark.parametrize("host", INWARD)
def test_no_redirect_leads_inside(host, hop):
    try:
        host.encode("latin-1")
    except UnicodeError:
        host = "".join(f"%{byte:02x}" for byte in host.encode())  # as a header can carry it
    hop(f"http://{host}/")


IN_A_HEADER = [url for url in URLS if "://" in url and not {"\n", "#"} & set(url)]


@pytest.mark.parametrize("url", IN_A_HEADER, ids=lambda url: url[:40])
def test_no_redirect_leads_elsewhere(url, hop):
    hop(url)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_status_of_a_redirect_is_judged(status, hop):
    assert isinstance(hop("http://169.254.169.254/latest/meta-data/", status), ForbiddenAddress)


# Names


def answering(monkeypatch, *answers):
    """Every look-up of a name gives the next of these lists of addresses."""
    asked, left, real = [], iter(answers), socket.getaddrinfo

    def resolve(host, port, *args, **kwargs):
        if not host.endswith(".example"):
            return real(host, port, *args, **kwargs)
        asked.append(host)
        family = socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (one, port)) for one in next(left)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


OUTSIDE = "93.184.215.14"


@pytest.mark.parametrize(
    "answer",
    [["127.0.0.1"], ["10.0.0.1", OUTSIDE], [OUTSIDE, "10.0.0.1"], ["::1"], ["fe80::1%eth0"],
     [OUTSIDE, "::ffff:169.254.169.254"]],
)  # fmt: skip
def test_a_name_with_any_address_inside_is_refused(answer, monkeypatch, dialled):
    answering(monkeypatch, answer)
    with pytest.raises(ForbiddenAddress):
        fetch("http://inside.example/")
    assert dialled == []


def test_a_name_is_asked_once_and_dialled_as_judged(monkeypatch, dialled):
    asked = answering(monkeypatch, [OUTSIDE], ["127.0.0.1"])
    with pytest.raises(FetchError):
        fetch("http://rebinding.example/")
    assert asked == ["rebinding.example"]
    assert dialled == [OUTSIDE]


def test_a_name_that_turns_inward_between_two_hops_is_judged_again(monkeypatch, settings):
    """The first look-up gives the redirecting server, let through; the second, loopback."""
    with serving(lambda h: h.reply(302, Location="/again", Connection="close")) as (base, seen):
        port = int(base.rpartition(":")[2])
        settings.FETCH_PORTS = [port]
        asked = answering(monkeypatch, ["127.0.0.1"], ["127.0.0.1"])
        first = iter(["127.0.0.1"])
        monkeypatch.setattr(fetching, "is_public", lambda a: a == next(first, None) or is_public(a))
        with pytest.raises(ForbiddenAddress):
            fetch(f"http://rebinding.example:{port}/")
    assert asked == ["rebinding.example"] * 2
    assert len(seen) == 1


# Bodies


@pytest.fixture
def private(settings):
    settings.FETCH_PRIVATE = True


def raw_gzip(payload: bytes) -> bytes:
    return gzip.compress(payload, 9)


def endless(head: bytes, piece: bytes):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        handler.wfile.write(head)
        while True:
            handler.wfile.write(piece)

    return answer


def coded(body: bytes, coding: str):
    return lambda handler: handler.reply(200, body, Content_Encoding=coding)


def plain_endless(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", str(10**15))
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 65536)


def many_headers(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-Y: " + b"z" * 10_000_000 + b"\r\n\r\n")


EMPTY_BLOCKS = b"\0\0\0\xff\xff" * 13_000  # deflate's stored blocks of no bytes
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
BODIES = {
    "endless": (plain_endless, TooLarge),
    "a bomb": (coded(raw_gzip(b"\0" * 60_000_000), "gzip"), TooLarge),
    "a bomb by its other name": (coded(raw_gzip(b"\0" * 60_000_000), "X-GZip"), TooLarge),
    "a bomb of many members": (coded(raw_gzip(b"\0" * 900_000) * 50, "gzip"), TooLarge),
    "endless after its end": (endless(raw_gzip(b"<rss/>"), b"\0" * 65536), None),
    "endless and empty members": (endless(b"", raw_gzip(b"") * 2000), TooLarge),
    "endless and empty blocks": (endless(GZIP_HEAD, EMPTY_BLOCKS), TooLarge),
    "twice packed": (coded(raw_gzip(raw_gzip(b"\0" * 9_000_000)), "gzip, gzip"), FetchError),
    "brotli": (coded(b"\xcf\xff\xff\x7f\xf8", "br"), FetchError),
    "zstd": (coded(b"\x28\xb5\x2f\xfd\xa0", "zstd"), FetchError),
    "deflate": (coded(zlib.compress(b"\0" * 60_000_000), "deflate"), FetchError),
    "broken": (coded(b"\x1f\x8b\x08 broken", "gzip"), FetchError),
    "no gzip": (coded(b"plain", "gzip"), FetchError),
    "cut": (coded(raw_gzip(b"<rss>" * 9000)[:-9], "gzip"), FetchError),
    "an endless header": (many_headers, FetchError),
}


@pytest.mark.parametrize("name", BODIES)
def test_no_body_grows_beyond_its_limit(name, private):
    answer, refusal = BODIES[name]
    tracemalloc.start()
    begun = time.monotonic()
    with serving(answer) as (base, _):
        if refusal is None:
            assert fetch(base, limits=Limits(max_bytes=1_000_000, seconds=20)).body == b"<rss/>"
        else:
            with pytest.raises(refusal):
                fetch(base, limits=Limits(max_bytes=1_000_000, seconds=20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000
    assert time.monotonic() - begun < 10


def test_members_are_put_together(private):
    body = raw_gzip(b"<rss>") + raw_gzip(b"</rss>") + b"\0\0\0"
    with serving(coded(body, "gzip")) as (base, _):
        assert fetch(base).body == b"<rss></rss>"


def test_a_chain_of_slow_redirects_ends_in_time(private):
    def answer(handler):
        time.sleep(0.4)
        handler.reply(302, Location="/next")

    begun = time.monotonic()
    with serving(answer) as (base, _), pytest.raises(TooSlow):
        fetch(base, limits=Limits(seconds=1))
    assert time.monotonic() - begun < 3


# Documents


def document(head="", inside="", encoding="utf-8", root="rss version='2.0'"):
    text = (
        f"<?xml version='1.0' encoding='{encoding}'?>{head}<{root}><channel>"
        f"<title>T{inside}</title><description>D</description><item><title>I</title>"
        f"<guid>g</guid><description>d{inside}</description>"
        "<enclosure url='https://old.example/1.mp3' length='1' type='audio/mpeg'/></item>"
        f"</channel></{root.split()[0]}>"
    )
    return text.encode(encoding)


LAUGHS = "<!DOCTYPE r [<!ENTITY l0 'ha'>" + "".join(
    f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10)
) + "]>"  # fmt: skip
QUADRATIC = f"<!DOCTYPE r [<!ENTITY a '{'a' * 50_000}'>]>"
REFUSED = {
    "billion laughs": document(LAUGHS, "&l9;"),
    "quadratic": document(QUADRATIC, "&a;" * 20_000),
    "a file": document("<!DOCTYPE r [<!ENTITY x SYSTEM 'file://SECRET'>]>", "&x;"),
    "a file by PUBLIC": document("<!DOCTYPE r [<!ENTITY x PUBLIC 'p' 'file://SECRET'>]>", "&x;"),
    "an address": document("<!DOCTYPE r [<!ENTITY x SYSTEM 'BASE/x'>]>", "&x;"),
    "a parameter": document("<!DOCTYPE r [<!ENTITY % p SYSTEM 'BASE/p.dtd'> %p;]>", "&x;"),
    "in UTF-16": document("<!DOCTYPE r [<!ENTITY x SYSTEM 'file://SECRET'>]>", "&x;", "utf-16"),
    "in EBCDIC": document("<!DOCTYPE r [<!ENTITY x SYSTEM 'file://SECRET'>]>", "&x;", "cp500"),
}
HARMLESS = {
    "a DTD elsewhere": document("<!DOCTYPE rss SYSTEM 'BASE/rss.dtd'>", "&x;"),
    "XInclude": document(
        inside="<xi:include href='file://SECRET' parse='text'/>",
        root="rss version='2.0' xmlns:xi='http://www.w3.org/2001/XInclude'",
    ),
    "XInclude of an address": document(
        inside="<xi:include href='BASE/x'/>",
        root="rss version='2.0' xmlns:xi='http://www.w3.org/2001/XInclude'",
    ),
    "a style sheet": document("<?xml-stylesheet href='BASE/x.xsl' type='text/xsl'?>"),
    "a schema": document(root="rss version='2.0' xmlns:xsi='http://www.w3.org/2001/XMLSchema-"
                              "instance' xsi:noNamespaceSchemaLocation='BASE/x.xsd'"),
}  # fmt: skip


@pytest.fixture
def trap(tmp_path, private):
    """A file and a server that no document may reach."""
    secret = tmp_path / "secret.txt"
    secret.write_text("the-secret-words")
    with serving(lambda h: h.reply(200, b"the-secret-words")) as (base, seen):

        def set_in(data: bytes) -> bytes:
            for encoding in ("utf-8", "utf-16-le", "cp500"):
                for name, value in (("SECRET", str(secret)), ("BASE", base)):
                    data = data.replace(name.encode(encoding), value.encode(encoding))
            return data

        yield set_in
        assert seen == []


def rows() -> str:
    return repr([*Show.objects.values(), *Episode.objects.values()])


@pytest.mark.django_db
@pytest.mark.parametrize("name", REFUSED)
def test_no_document_with_entities_is_taken(name, trap):
    begun = time.monotonic()
    report = import_feed(Source("feed.xml", trap(REFUSED[name])), Options(audio="link"))
    assert report.exit_code == 2
    assert len(report.refused) > 20
    assert not Show.objects.exists()
    assert time.monotonic() - begun < 2


@pytest.mark.django_db
@pytest.mark.parametrize("name", HARMLESS)
def test_no_document_reaches_out(name, trap):
    report = import_feed(Source("feed.xml", trap(HARMLESS[name])), Options(audio="link"))
    assert report.created == 1
    assert "the-secret-words" not in rows()


@pytest.mark.django_db
@pytest.mark.parametrize("url", [url for url in URLS if url and not {"\r", "\t"} & set(url)])
def test_no_address_in_a_feed_stops_the_import(url, dialled):
    data = document().replace(b"https://old.example/1.mp3", url.replace("&", "&amp;").encode())
    extra = (
        f"<itunes:image href='{url}'/><podcast:transcript url='{url}' type='text/vtt'/>"
        f"<podcast:chapters url='{url}' type='application/json+chapters'/><link>{url}</link></item>"
    )
    names = (
        "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' "
        "xmlns:podcast='https://podcastindex.org/namespace/1.0' "
    )
    data = data.replace(b"</item>", extra.encode()).replace(b"<rss ", names.encode())
    report = import_feed(Source("feed.xml", data), Options(audio="copy"))
    assert (report.refused, report.total, report.created) == ("", 1, 1)
    assert Episode.objects.get().status == Episode.Status.DRAFT
    assert set(dialled) <= {"93.184.215.14"}

"""The XML namespaces of podcast feeds: how we write them, and what we take for them on reading."""

ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
PODCAST = "https://podcastindex.org/namespace/1.0"
ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
PSC = "http://podlove.org/simple-chapters"
HISTORY = "http://purl.org/syndication/history/1.0"
MEDIA = "http://search.yahoo.com/mrss/"
DC = "http://purl.org/dc/elements/1.1/"
ENC = "http://purl.oclc.org/net/rss_2.0/enc#"
GOOGLEPLAY = "http://www.google.com/schemas/play-podcasts/1.0"
SPOTIFY = "http://www.spotify.com/ns/rss"
FEEDBURNER = "http://rssnamespace.org/feedburner/ext/1.0"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XML = "http://www.w3.org/XML/1998/namespace"

#: Declared on every `rss` of ours, in this order. Apple and PSP-1 want the spelling exactly so.
DECLARED = {"itunes": ITUNES, "podcast": PODCAST, "atom": ATOM, "content": CONTENT}

#: The prefix by which the reader's tables call a namespace; also what an undeclared prefix means.
PREFIXES = {
    **{uri: prefix for prefix, uri in DECLARED.items()},
    PSC: "psc",
    HISTORY: "fh",
    MEDIA: "media",
    DC: "dc",
    ENC: "enc",
    GOOGLEPLAY: "googleplay",
    SPOTIFY: "spotify",
    FEEDBURNER: "feedburner",
    RDF: "rdf",
}
BY_PREFIX = {prefix: uri for uri, prefix in PREFIXES.items()}

#: RSS has no namespace; these are what RSS 1.0, 0.90 and over-careful generators put there.
RSS_LIKE = {
    "http://purl.org/rss/1.0",
    "http://my.netscape.com/rdf/simple/0.9",
    "http://my.netscape.com/publish/formats/rss-0.91.dtd",
    "http://backend.userland.com/rss",
    "http://backend.userland.com/rss2",
    "http://backend.userland.com/rss091",
    "http://blogs.law.harvard.edu/tech/rss",
    "http://cyber.law.harvard.edu/rss/rss.html",
    "http://www.rssboard.org/rss-specification",
}

#: Other addresses in use for the same namespace. The namespace's own text names the first.
_ALIASES = {
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": PODCAST,
    "https://github.com/Podcastindex-org/podcast-namespace": PODCAST,
    "http://www.itunes.com/dtds/podcast.dtd": ITUNES,
    "http://www.apple.com/itunes/store/podcasts/dtds/podcast-1.0.dtd": ITUNES,
    "http://purl.org/atom/ns#": ATOM,
    "http://podlove.de/simple-chapters": PSC,
    "http://search.yahoo.com/mrss": MEDIA,
}

#: A browser that opens the feed would run or render these as part of our site.
ACTIVE = {
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/XSL/Transform",
    "http://www.w3.org/2001/XInclude",
    "http://www.w3.org/1999/xlink",
    "http://www.w3.org/2001/xml-events",
    "http://www.w3.org/2002/xforms",
    "http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul",
}


def _folded(uri: str) -> str:
    # Readers in the field forgive case, http for https, and a missing or added slash.
    scheme, colon, rest = uri.strip().lower().partition("://")
    return (rest if colon and scheme in {"http", "https"} else uri.strip().lower()).rstrip("/")


_KNOWN = {_folded(uri): uri for uri in PREFIXES} | {
    _folded(alias): uri for alias, uri in _ALIASES.items()
}
_RSS_LIKE = {_folded(uri) for uri in RSS_LIKE}
_ACTIVE = {_folded(uri) for uri in ACTIVE}


def canonical(uri: str) -> str:
    """The namespace that `uri` is a spelling of: one of ours, `""` for RSS, else `uri` itself."""
    folded = _folded(uri)
    return "" if folded in _RSS_LIKE else _KNOWN.get(folded, uri)


def is_exact(uri: str) -> bool:
    """Whether every reader understands this spelling; Apple ignores all tags of another."""
    return canonical(uri) == uri


def is_active(uri: str) -> bool:
    """Whether a browser gives elements or attributes of this namespace a behaviour."""
    return _folded(uri) in _ACTIVE

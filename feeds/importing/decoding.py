"""The bytes of a feed to text, whatever they say they are."""

import codecs
import re
import zlib
from dataclasses import dataclass

from episodes.findings import Unreadable

#: Bytes, after decompression: 10,000 items of 2.5 kB. The W3C's validator stops at 5 MB.
LARGEST = 25 * 1024 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)

# Codecs of Python that are no character sets, or slow, or a way to smuggle markup.
_REFUSED = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined"}

# WHATWG Encoding: whoever says Latin-1 or ASCII means windows-1252.
_WINDOWS = {"iso8859-1", "ascii", "cp1252"}


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    wrong: str = ""  # the encoding that was declared and is not true


def decompressed(data: bytes) -> bytes:
    """`data`, or what is in it when it is gzip. Raises Unreadable for a damaged or huge one."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    inflate = zlib.decompressobj(wbits=31)
    try:
        plain = inflate.decompress(data, LARGEST + 1)
    except zlib.error:
        raise Unreadable(
            "compressed-damaged", "The file is compressed and damaged. Fetch it again."
        ) from None
    if len(plain) <= LARGEST and not inflate.eof:
        raise Unreadable("compressed-damaged", "The compressed file is incomplete. Fetch it again.")
    return plain


def decode(data: bytes, content_type: str = "") -> Decoded:
    """A byte order mark is believed first, then the server, then the declaration, then UTF-8.

    Bytes that are UTF-8 are UTF-8 when anybody said so; bytes that are not what was said are
    windows-1252 one by one, which is right for the usual mixture.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(encoding, "replace"), encoding)
    if data[:4] == b"<\0?\0":
        return Decoded(data.decode("utf-16-le", "replace"), "utf-16-le")
    if data[:4] == b"\0<\0?":
        return Decoded(data.decode("utf-16-be", "replace"), "utf-16-be")
    declared = _DECLARED.search(data[:1000])
    server = _CHARSET.search(content_type)
    names = [
        name
        for name in (
            _known(server[1]) if server else "",
            _known(declared[1].decode("ascii")) if declared else "utf-8",
        )
        if name
    ]
    if "utf-8" in names:
        names = ["utf-8", *[name for name in names if name != "utf-8"]]
    for name in names:
        if name in _WINDOWS:
            return Decoded(_as_windows(data), "windows-1252")
        try:
            return Decoded(data.decode(name), name)
        except UnicodeError:
            continue
    return Decoded(data.decode("utf-8", "feeds.windows"), "windows-1252", names[0] if names else "")


def _known(name: str) -> str:
    try:
        codec = codecs.lookup(name)
    except LookupError:
        return ""
    is_text = getattr(codec, "_is_text_encoding", True)
    return codec.name if is_text and codec.name.replace("_", "-") not in _REFUSED else ""


def _as_windows(data: bytes) -> str:
    # Five bytes are undefined in windows-1252; Latin-1 has controls there.
    try:
        return data.decode("cp1252")
    except UnicodeError:
        return data.decode("latin-1")


def _windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode("cp1252", "ignore"), error.end


codecs.register_error("feeds.windows", _windows)

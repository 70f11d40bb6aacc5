"""What a listener's computer calls a file it keeps: Content-Disposition (RFC 6266, RFC 8187)."""

from unicodedata import normalize
from urllib.parse import quote

LONGEST = 150


def recording_name(show: str, title: str, extension: str) -> str:
    """`Show - Title.mp3`; what is unknown is left out."""
    return " - ".join(part for part in (show, title) if part) + f".{extension}"


def disposition(filename: str) -> str:
    """`inline` with a file name that survives any script.

    Control characters, slashes and quotes are taken out; of a long name the end of the title
    goes, never the extension. What ASCII cannot say is said in UTF-8 beside it.
    """
    stem, dot, extension = _clean(filename).rpartition(".")
    ending = dot + extension
    stem = stem[: LONGEST - len(ending)].strip() or "audio"
    plain = normalize("NFKD", stem).encode("ascii", "ignore").decode().strip(" -")
    if not any(letter.isalnum() for letter in plain):
        plain = "audio"
    return f"inline; filename=\"{plain}{ending}\"; filename*=UTF-8''{quote(stem + ending, safe='')}"


def _clean(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and c not in '/\\"')

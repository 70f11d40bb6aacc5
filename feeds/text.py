"""Characters and white space: what XML 1.0 allows, and how a feed's values are written.

Writer and reader use the same rules, so that what is written is read back unchanged. Every
function here is idempotent.
"""

import re
from dataclasses import fields, is_dataclass, replace

#: XML 1.0 §2.2: these may not occur at all, not even as character references.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_C1 = re.compile("[\x80-\x9f\ufffd]")
_RETURN = re.compile("\r\n?")
_RUN = re.compile("[ \t\n]*[\t\n][ \t\n]*|  +")
_SPACE = " \t\n"

# C1 controls are legal, and in practice always windows-1252 that was taken for Latin-1.
_CP1252 = {
    chr(byte): bytes([byte]).decode("cp1252", errors="ignore") for byte in range(0x80, 0xA0)
} | {"\ufffd": ""}


def legal(text: str) -> str:
    """Without what XML 1.0 forbids; line ends are `\\n`, as every XML reader makes them."""
    return _RETURN.sub("\n", FORBIDDEN.sub("", text))


def repaired(text: str) -> str:
    """Legal, with C1 controls read as windows-1252 and replacement characters dropped."""
    return _C1.sub(lambda match: _CP1252[match[0]], legal(text))


def line(text: str) -> str:
    """One line: no space around it, and one space for any run of XML's white space."""
    if "\n" in text or "\t" in text or "  " in text:
        text = _RUN.sub(" ", text)
    return text.strip(_SPACE)


def block(text: str) -> str:
    """A text of several lines, without white space around it."""
    return text.strip(_SPACE)


def scrubbed[Record](record: Record) -> Record:
    """The same record with every text in it `repaired`, identifiers only `legal`."""
    return replace(
        record,
        **{
            field.name: _scrubbed(
                getattr(record, field.name), legal if field.name == "guid" else repaired
            )
            for field in fields(record)  # type: ignore[arg-type]
        },
    )  # type: ignore[type-var]


def _scrubbed(value, clean):
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple):
        return tuple(_scrubbed(part, clean) for part in value)
    return scrubbed(value) if is_dataclass(value) else value

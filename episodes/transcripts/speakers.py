"""Who speaks, where a format has no place for it: "Name: " before the words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from episodes.transcripts.spoken import Spoken

#: SpeakerName.label holds no more.
LONGEST = 128

#: "Name: words", "Name:" and, in CJK, "名前：words". Bounded, so that a long line is no cost.
_LABEL = re.compile(r"([^\s:：<>\[\](){}][^:：<>\[\]{}\n]{0,47}?)[ \xa0]?(?::(?=\s|$)|：)\s*")

_PARTICLES = frozenset(
    [
        "de",
        "da",
        "do",
        "dos",
        "del",
        "della",
        "di",
        "du",
        "van",
        "von",
        "der",
        "den",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "of",
        "the",
        "and",
        "und",
        "y",
        "e",
        "&",
        "+",
        "/",
    ]
)
_NEVER = frozenset(("http", "https", "ftp", "mailto"))


def clean_speaker(text: str) -> str:
    """A name in one line, without brackets of markup or a colon at its end."""
    plain = text.replace("<", " ").replace(">", " ")
    return " ".join(plain.split())[:LONGEST].rstrip(" :：")


def with_names[Said](items: Iterable[Said], names: Mapping[str, str]) -> tuple[Said, ...]:
    """Cues or paragraphs with speakers' names in the place of their labels."""
    if not names:
        return tuple(items)
    return tuple(
        replace(item, speaker=names[item.speaker]) if item.speaker in names else item  # type: ignore
        for item in items
    )


def split_label(text: str) -> tuple[str, str]:
    """("Name", words) if `text` begins with what looks like a name; ("", text) if not."""
    match = _LABEL.match(text)
    if match is None or not _is_name(match[1]):
        return "", text
    return clean_speaker(match[1]), text[match.end() :]


def _is_name(label: str) -> bool:
    """Up to five words, each beginning with a capital, a digit, or a letter without case."""
    words = label.split()
    if not 1 <= len(words) <= 5 or words[0].lower() in _NEVER or label[-1] in ".,;!?…。，！？":
        return False
    if not any(character.isalpha() for character in label):
        return False
    caseless = not any(character.lower() != character.upper() for character in label)
    if caseless and len(label) > 20:
        return False
    if any(mark in label for mark in "。，！？、;!?…"):
        return False
    return all(not word[0].islower() or word in _PARTICLES for word in words)


def assign_labels(spoken: list[Spoken], at_least: int = 1) -> None:
    """Where labels carry the speakers, move them from the words to `speaker`.

    A file is labelled when its first words have a label, or two in five cues do, and no
    fewer than `at_least`. In such a file a cue without a label goes on as the one before,
    for many write the name only when it changes. Files whose cues name speakers otherwise
    are left alone.
    """
    if any(item.speaker for item in spoken):
        return
    worded = [item for item in spoken if item.text]
    found = [(item, *split_label(item.text)) for item in worded]
    labelled = sum(bool(speaker) for _, speaker, _ in found)
    if labelled < at_least or not found:
        return
    if not found[0][1] and labelled * 5 < len(found) * 2:
        return
    current = ""
    for item, speaker, words in found:
        current = speaker or current
        item.speaker = current
        if speaker:
            item.text = words

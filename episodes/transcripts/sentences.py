"""Where sentences end, as far as punctuation tells."""

import re

_END = re.compile("[.!?…。！？｡؟۔।][\"'”’»)\\]」』）*]*$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|[A-Za-z](?:\.[A-Za-z])+|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|bzw|ca|Hr|Fr|Sr|Jr|Mt)\.$"
)


def ends_sentence(text: str, following: str = "") -> bool:
    """Whether a sentence ends with `text`, given the words after it.

    "Mr." and "e.g." end none, nor does anything a small letter follows.
    """
    tail = text[-40:].rstrip()
    if not _END.search(tail):
        return False
    if _ABBREVIATION.search(tail):
        return False
    return not following[:1].islower()

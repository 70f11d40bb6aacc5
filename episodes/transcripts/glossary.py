"""The glossary: words a machine mishears, found and put right with every change shown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import overload

from episodes.transcripts.cues import Cue
from episodes.transcripts.scripts import continues_cluster, is_unspaced


@dataclass(frozen=True, slots=True)
class Term:
    """`wrong` is found in any spacing; as a whole word where its script has spaces.

    Unless `match_case`, it is found in any case, and a capital at its first letter stays
    where `right` begins with a small one.
    """

    wrong: str
    right: str
    match_case: bool = False
    whole_word: bool = True


@dataclass(frozen=True, slots=True)
class Proposal:
    """`before` stands at `span` of the text and would become `after`.

    `cue_index` is None where the text has no cues.
    """

    cue_index: int | None
    before: str
    after: str
    span: tuple[int, int]

    def in_context(self, text: str, around: int = 40) -> tuple[str, str, str, str]:
        """What stands before, the wrong, the right, what stands after; for a preview."""
        begin, end = self.span
        head = text[max(0, begin - around) : begin]
        return head, self.before, self.after, text[end : end + around]


class OutdatedProposal(ValueError):
    """The words a proposal would change are not there any more."""


def propose(cues_or_text: Sequence[Cue] | str, terms: Iterable[Term]) -> tuple[Proposal, ...]:
    """Corrections in the order of the text; longer terms go before shorter ones they contain.

    One pass over the text for all terms. What is right already is not proposed.
    """
    find = _Finder(terms)
    if isinstance(cues_or_text, str):
        return tuple(find.proposals(None, cues_or_text))
    return tuple(
        proposal
        for index, cue in enumerate(cues_or_text)
        for proposal in find.proposals(index, cue.text)
    )


@overload
def apply(cues_or_text: str, proposals: Iterable[Proposal]) -> str: ...
@overload
def apply(cues_or_text: Sequence[Cue], proposals: Iterable[Proposal]) -> tuple[Cue, ...]: ...
def apply(cues_or_text, proposals):
    """The text or cues with these corrections, all or a choice of those proposed.

    Raises OutdatedProposal, and changes nothing, if one does not fit the text.
    """
    by_cue: dict[int | None, list[Proposal]] = {}
    for proposal in proposals:
        by_cue.setdefault(proposal.cue_index, []).append(proposal)
    if isinstance(cues_or_text, str):
        if set(by_cue) - {None}:
            raise OutdatedProposal("These corrections are for a transcript with times.")
        return _corrected(cues_or_text, by_cue.get(None, []))
    cues = list(cues_or_text)
    for index, chosen in by_cue.items():
        if index is None or index >= len(cues):
            raise OutdatedProposal("The transcript has changed since. Look for corrections again.")
        cues[index] = replace(cues[index], text=_corrected(cues[index].text, chosen))
    return tuple(cues)


def _corrected(text: str, proposals: list[Proposal]) -> str:
    out, at = [], 0
    for proposal in sorted(proposals, key=lambda proposal: proposal.span):
        begin, end = proposal.span
        if begin < at or text[begin:end] != proposal.before:
            raise OutdatedProposal(
                f"“{proposal.before}” is not where it was. Look for corrections again."
            )
        out += [text[at:begin], proposal.after]
        at = end
    return "".join([*out, text[at:]])


class _Finder:
    """One expression of all terms: at each place of the text the longest one is tried first."""

    def __init__(self, terms: Iterable[Term]) -> None:
        usable = [term for term in terms if term.wrong.strip()]
        self._terms = sorted(usable, key=lambda term: -len(term.wrong))
        self._expression = re.compile("|".join(map(_pattern, self._terms)) or r"(?!)")

    def proposals(self, index: int | None, text: str) -> Iterable[Proposal]:
        for match in self._expression.finditer(text):
            term = self._terms[(match.lastindex or 1) - 1]
            before = match[0]
            if match.end() < len(text) and continues_cluster(text[match.end()]):
                continue
            after = _in_case_of(term, before)
            if after != before and not _is_right_already(term.right, text, match):
                yield Proposal(index, before, after, match.span())


def _is_right_already(right: str, text: str, match: re.Match) -> bool:
    """Whether the match is part of what it would become, as "Harbour" is of "Ada Harbour"."""
    at = right.find(match[0])
    while at >= 0:
        begin = match.start() - at
        if begin >= 0 and text.startswith(right, begin):
            return True
        at = right.find(match[0], at + 1)
    return False


def _pattern(term: Term) -> str:
    words = r"[ \xa0]{1,3}".join(map(re.escape, term.wrong.split()))
    if term.whole_word:
        wrong = term.wrong.strip()
        head = r"(?<!\w)" if _has_edge(wrong[0]) else ""
        tail = r"(?!\w)" if _has_edge(wrong[-1]) else ""
        words = f"{head}{words}{tail}"
    return f"({words})" if term.match_case else f"((?i:{words}))"


def _has_edge(character: str) -> bool:
    """Whether words of its script are set apart, so that an edge can be asked for."""
    return (character.isalnum() or character == "_") and not is_unspaced(character)


def _in_case_of(term: Term, found: str) -> str:
    right = term.right
    if term.match_case or not right[:1].islower() or right[1:] != right[1:].lower():
        return right
    if found[:1].isupper() and term.wrong.lstrip()[:1].islower():
        return right[:1].upper() + right[1:]
    return right

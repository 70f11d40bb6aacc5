"""JSON transcripts: the Podcasting 2.0 namespace's, Podlove's, DOTe's and Whisper's.

Namespace: `{"version", "segments": [{"speaker", "startTime", "endTime", "body"}]}`.
Podlove: a list of `{"start", "start_ms", "end", "end_ms", "voice", "text"}`, flat or grouped
by voice under "items" (podlove-publisher, lib/modules/transcripts/model/transcript.php), or under
"transcripts" (django-cast, src/cast/transcripts/podlove.py).
DOTe: `{"lines": [{"startTime": "00:00:01,500", "endTime", "speakerDesignation", "text"}]}`
(django-cast, src/cast/transcripts/dote.py).
Whisper: `{"segments": [{"start", "end", "text"}], "language"}`.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from episodes.transcripts.clock import LATEST_MS, seconds_to_ms
from episodes.transcripts.cues import Cue, UnreadableTranscript
from episodes.transcripts.encodings import without_forbidden
from episodes.transcripts.formats.markup import plain, unescape, without_tags
from episodes.transcripts.remarks import Remarks
from episodes.transcripts.scripts import glue
from episodes.transcripts.sentences import ends_sentence
from episodes.transcripts.speakers import assign_labels, clean_speaker
from episodes.transcripts.spoken import Spoken

_LISTS = ("segments", "transcripts", "lines")
_WORDS = ("body", "text")
_STARTS = ("startTime", "start")
_ENDS = ("endTime", "end")
_SPEAKERS = ("voice", "speaker", "speakerDesignation")

#: Words of one sentence further apart are two cues, and no joined cue grows longer.
PAUSE_MS = 1_500
LONGEST = 240


def read_json(text: str, remarks: Remarks) -> tuple[list[Spoken], str]:
    """What was spoken, and the language if it is given.

    Raises UnreadableTranscript with the line for what is not JSON, or holds no segments.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as broken:
        raise UnreadableTranscript(
            "not-json", f"This is not valid JSON: {broken.msg}.", broken.lineno
        ) from None
    except (RecursionError, ValueError):
        raise UnreadableTranscript(
            "not-json", "This JSON is nested or numbered absurdly."
        ) from None
    segments = _first(data, _LISTS) if isinstance(data, dict) else data
    if not isinstance(segments, list):
        raise UnreadableTranscript(
            "no-segments", 'This JSON has no list of "segments", so it is no transcript.'
        )
    spoken = list(_spoken(segments, remarks))
    if segments and not spoken:
        raise UnreadableTranscript(
            "no-segments", 'Nothing in this JSON is a segment with a "body" and a "startTime".'
        )
    if _is_word_by_word(spoken):
        remarks.add("word-segments")
        spoken = _sentences(spoken)
    for item in spoken:
        item.text = plain(item.text)
    assign_labels(spoken)
    language = data.get("language") if isinstance(data, dict) else ""
    return spoken, language if isinstance(language, str) else ""


def _spoken(segments: list, remarks: Remarks) -> Iterator[Spoken]:
    number = 0
    for segment in segments:
        items = segment.get("items") if isinstance(segment, dict) else None
        for item in items if isinstance(items, list) else [segment]:
            number += 1
            where = f"segment {number}"
            if not isinstance(item, dict) or not any(key in item for key in _WORDS + _STARTS):
                remarks.add("not-a-segment", where)
                continue
            yield _segment(item, segment, where, remarks)


def _segment(item: dict[str, Any], group: dict[str, Any], where: str, remarks: Remarks) -> Spoken:
    words = _first(item, _WORDS)
    words = without_forbidden(words) if isinstance(words, str) else ""
    if "<" in words or "&" in words:
        bare = unescape(without_tags(words))
        if bare != words:
            remarks.add("markup", where)
        words = bare
    start_ms, end_ms = _time(item, _STARTS), _time(item, _ENDS)
    if start_ms is None:
        remarks.add("unusable-time", where)
        end_ms = None
    speaker = next(
        (
            name
            for holder in (item, group)
            for key in _SPEAKERS
            if isinstance(name := holder.get(key), str) and name.strip()
        ),
        "",
    )
    return Spoken(where, start_ms, end_ms, clean_speaker(without_forbidden(speaker)), words)


def _time(item: dict[str, Any], keys: Sequence[str]) -> int | None:
    """Seconds or a clock's time; Podlove's milliseconds where it gives no other."""
    value = _first(item, keys)
    if value is None and type(milliseconds := item.get(f"{keys[-1]}_ms")) is int:
        return milliseconds if 0 <= milliseconds <= LATEST_MS else None
    return seconds_to_ms(value)


def _first(item: dict[str, Any], keys: Sequence[str]) -> object:
    return next((item[key] for key in keys if key in item), None)


def _is_word_by_word(spoken: list[Spoken]) -> bool:
    """Whether four of five segments are single words, and there are enough to tell."""
    if len(spoken) < 4:
        return False
    words = [item.text.strip() for item in spoken]
    return sum(" " not in word and len(word) < 40 for word in words) * 5 >= len(spoken) * 4


def _sentences(spoken: list[Spoken]) -> list[Spoken]:
    """Single words joined into cues that end with a sentence, a speaker or a pause."""
    out: list[Spoken] = []
    pieces: list[str] = []
    length = 0
    for at, item in enumerate(spoken):
        word = item.text
        if not word.strip():
            continue
        if pieces and not _breaks(out[-1], pieces[-1], length, item):
            lead = glue(pieces[-1], word)
            pieces += [lead, word]
            length += len(lead) + len(word)
            out[-1].end = item.end
        else:
            if pieces:
                out[-1].text = "".join(pieces)
            out.append(Spoken(item.where, item.start, item.end, item.speaker, word))
            pieces, length = [word], len(word)
        if at == len(spoken) - 1:
            break
    if pieces:
        out[-1].text = "".join(pieces)
    return out


def _breaks(current: Spoken, last: str, length: int, item: Spoken) -> bool:
    if current.speaker != item.speaker or length > LONGEST:
        return True
    if current.end is not None and item.start is not None and item.start - current.end > PAUSE_MS:
        return True
    return ends_sentence(last, item.text.lstrip())


def write_json(cues: Sequence[Cue]) -> str:
    """The namespace's form, version 1.0.0; `speaker` only where somebody is named."""
    segments = []
    for cue in cues:
        segment: dict[str, Any] = {"speaker": cue.speaker} if cue.speaker else {}
        segments.append(segment | {"startTime": cue.start, "endTime": cue.end, "body": cue.text})
    data = {"version": "1.0.0", "segments": segments}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"

"""MP4, M4A, MOV: mutagen reads the index, and what it takes on trust is checked."""

import io

import mutagen
from mutagen.mp4 import MP4

from episodes.audio import about, atoms, mp4_chapters, mp4_fragments, mp4_sound
from episodes.audio.damage import cut, truncated
from episodes.audio.facts import Sound, UnreadableAudio
from episodes.audio.source import Source
from episodes.durations import clock
from episodes.findings import Finding, advice, error, warning


def read_mp4(source: Source, path: str) -> Sound:
    facts = atoms.read(source)
    fragmented = facts.moov is not None and mp4_fragments.is_fragmented(source, facts.moov)
    try:
        file = MP4(_index_alone(source, facts)) if fragmented else MP4(path)
    except mutagen.MutagenError as problem:
        raise UnreadableAudio(
            "damaged-mp4",
            "This MP4 file is cut off or damaged: its index (moov) cannot be read. Export or "
            "upload it again.",
        ) from problem
    if not facts.sound:
        raise UnreadableAudio("no-sound-track", "There is no sound track in this MP4 file.")
    notes = about.of_mp4(file)
    notes.chapters = mp4_chapters.read(source)
    codec = file.info.codec.partition(".")[0].lower()
    if fragmented:
        seconds, findings = _add_fragments(source, facts)
    else:
        seconds, findings = cut(facts.seconds or file.info.length, facts.there)
    return Sound(
        "mp4",
        {"mp4a": "aac", "": "aac"}.get(codec, codec),
        seconds,
        (facts.samples and mp4_sound.channels(source, facts.samples)) or file.info.channels,
        file.info.sample_rate,
        facts.sound_bytes or facts.held,
        # A track of chapter pictures does not make a film of an audiobook.
        video=facts.video and facts.brand not in ("M4A ", "M4B "),
        brand=facts.brand,
        about=notes,
        findings=findings,
    )


def _index_alone(source: Source, facts: atoms.Mp4Facts) -> io.BytesIO:
    """The index as a file: of thousands of fragments mutagen would remember every atom."""
    start, end = facts.moov or (0, 0)
    moov = source.read(start, end - start)
    return io.BytesIO((len(moov) + 8).to_bytes(4) + b"moov" + moov)


def _add_fragments(source: Source, facts: atoms.Mp4Facts) -> tuple[float, list[Finding]]:
    """The seconds of sound in all fragments; `facts` is told their bytes, and whether of a film."""
    keys = [facts.key, *facts.films]
    fragments = mp4_fragments.read(source, facts.moov or (0, 0), keys)
    sound = fragments.tracks[facts.key]
    scale = facts.scale or 1
    in_index = mp4_fragments.units_in_index(source, facts.samples)
    facts.video = any(
        count + fragments.tracks[key].samples > 1 for key, count in facts.films.items()
    )
    if not fragments.count:
        return cut(in_index / scale, facts.there)
    facts.sound_bytes = min(facts.sound_bytes + sound.bytes, source.size)
    seconds = (in_index + sound.units) / scale
    findings = [_in_fragments(fragments.indexed)]
    if fragments.share < 1:
        seconds, facts.sound_bytes = seconds / fragments.share, 0
        findings.append(
            warning("reckoned", "Too long to be counted; the length is reckoned from its bytes.")
        )
    if fragments.cut:
        promised = max((in_index + sound.promised) / scale, fragments.promised)
        findings.insert(0, _broken_off(promised, seconds))
    return seconds, findings


def _broken_off(promised: float, there: float) -> Finding:
    if promised > there + 1:
        return truncated(promised, there)
    return error(
        "truncated",
        f"The file breaks off within a fragment: {clock(there)} is there. Upload it again.",
    )


def _in_fragments(indexed: bool) -> Finding:
    written = "This MP4 is in fragments, as browsers record and streaming tools write it: "
    what_to_do = "Save it as MP3 or ordinary M4A in an audio editor, and upload that."
    if indexed:
        return advice("fragmented", f"{written}some podcast apps do not play it. {what_to_do}")
    return warning(
        "fragmented",
        f"{written}some podcast apps show no length for it, or cannot jump in it. {what_to_do}",
    )

"""Paragraphs: parted by speaker, pause and sentence; every cue in its place; the excerpt."""

from hypothesis import given
from hypothesis import strategies as st

from episodes.transcripts import Cue, read_transcript
from episodes.transcripts.excerpt import EXCERPT_LIMIT, PARAGRAPH_LIMIT, excerpt
from episodes.transcripts.paragraphs import paragraphs, text_of, text_paragraphs
from tests.conftest import CORPUS

FOLDER = CORPUS / "transcripts"


def read(name):
    return read_transcript((FOLDER / name).read_bytes(), name).cues


def test_the_speech_has_its_six_paragraphs():
    found = paragraphs(read("speech-151s.vtt"))
    assert [(int(p.start), p.speaker, len(p.spans)) for p in found] == [
        (0, "Ada Harbour", 3),
        (19, "Ada Harbour", 5),
        (48, "Bo Line", 5),
        (81, "Ada Harbour", 5),
        (112, "Bo Line", 5),
        (140, "Ada Harbour", 2),
    ]
    assert found[0].end == 17.89
    assert found[0].spans[1].lead == " "
    assert found[0].spans[1].start == 2.117


def test_the_excerpt_of_cues_is_that_of_their_paragraphs():
    found = excerpt(paragraph.text for paragraph in paragraphs(read("speech-151s.vtt")))
    text = (FOLDER / "speech-151s.txt").read_text("utf-8")
    assert found == excerpt(line for line in text.split("\n")[1::3])
    assert found[0].endswith("what we learned from last week.")
    assert len(found[1]) <= PARAGRAPH_LIMIT
    assert found[1].endswith("…")
    assert 1_000 < len("\n".join(found)) <= EXCERPT_LIMIT


def test_cjk_is_joined_without_spaces_and_arabic_with():
    cues = (Cue(0, 1000, "田中", "今日は"), Cue(1000, 2000, "田中", "新しい放送です。"))
    assert text_of(cues) == "今日は新しい放送です。"
    mixed = (Cue(0, 1, "", "今日は"), Cue(1, 2, "", "PyTorch"), Cue(2, 3, "", "です。"))
    assert text_of(mixed) == "今日は PyTorch です。"
    rtl = (Cue(0, 1000, "", "صباح الخير،"), Cue(1000, 2000, "", "هذه الحلقة."))
    assert text_of(rtl) == "صباح الخير، هذه الحلقة."


def test_korean_keeps_its_spaces():
    cues = (Cue(0, 1, "", "안녕하세요"), Cue(1, 2, "", "여러분"))
    assert text_of(cues) == "안녕하세요 여러분"


def test_a_pause_parts_only_where_a_sentence_ends():
    cues = (
        Cue(0, 1000, "", "So what"),
        Cue(3000, 4000, "", "is it?"),
        Cue(6000, 7000, "", "A merge by Dr."),
        Cue(9000, 9500, "", "Smith."),
        Cue(9600, 9900, "", "Good."),
        Cue(20_000, 21_000, "", "and so on"),
    )
    assert [p.text for p in paragraphs(cues)] == [
        "So what is it?",
        "A merge by Dr. Smith. Good.",
        "and so on",
    ]


def test_an_hour_without_pauses_or_speakers_is_still_readable():
    found = paragraphs(read("real-talkpython-395.vtt"))
    assert 60 < len(found) < 250
    assert max(len(paragraph.text) for paragraph in found) < 1_200


def test_text_has_paragraphs_with_the_speakers_it_names():
    found = text_paragraphs("Ada: One.\n\nTwo.\n\nBo: Three: four.")
    assert [(p.speaker, p.text, p.start) for p in found] == [
        ("Ada", "One.", None),
        ("Ada", "Two.", None),
        ("Bo", "Three: four.", None),
    ]
    (single,) = text_paragraphs("Note: nobody speaks here.")
    assert (single.speaker, single.text) == ("", "Note: nobody speaks here.")


CUES = st.lists(
    st.builds(
        lambda start, length, speaker, text: Cue(start, start + length, speaker, text),
        st.integers(0, 10_000_000),
        st.integers(0, 20_000),
        st.sampled_from(["", "Ada", "Bo"]),
        st.text(min_size=1, max_size=200).filter(str.strip),
    ),
    max_size=12,
).map(lambda cues: tuple(sorted(cues, key=lambda cue: cue.start_ms)))


@given(CUES)
def test_every_cue_is_in_exactly_one_paragraph(cues):
    found = paragraphs(cues)
    spans = [span for paragraph in found for span in paragraph.spans]
    assert [span.index for span in spans] == list(range(len(cues)))
    assert [span.text for span in spans] == [cue.text for cue in cues]
    for paragraph in found:
        assert paragraph.text == "".join(span.lead + span.text for span in paragraph.spans)
        assert {cues[span.index].speaker for span in paragraph.spans} == {paragraph.speaker}

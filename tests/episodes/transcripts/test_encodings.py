"""Encodings: what old subtitle editors saved is read as it was written."""

import pytest

from episodes.transcripts import UnreadableTranscript, read_transcript

LINES = {
    "cp1252": ("Grüße aus München, schöne Woche", "C’est déjà l’été à la plage", "El niño comió"),
    "cp1250": ("Dobrý den, vítejte u dalšího dílu", "Příště se podíváme na něco jiného"),
    "cp1251": ("Добрый день, это первый выпуск", "Ладно."),
    "koi8_r": ("Добрый день, это первый выпуск", "Сегодня поговорим о погоде"),
    "cp1253": ("Καλημέρα σας, αυτό είναι το πρώτο επεισόδιο",),
    "cp1254": ("Günaydın, bugünkü bölüme hoş geldiniz, şimdi",),
    "cp1255": ("שלום לכולם וברוכים הבאים",),
    "cp1256": ("صباح الخير، هذه الحلقة الأولى",),
    "gb18030": ("大家好，欢迎收听今天的节目", "我们来谈谈天气"),
    "big5": ("大家好，歡迎收聽今天的節目", "我們來談談天氣"),
    "cp932": ("こんにちは、今日は天気がいいですね", "次のニュースです"),
    "euc_jp": ("こんにちは、今日は天気がいいですね", "次のニュースです"),
    "cp949": ("안녕하세요 여러분 오늘의 방송입니다", "다음 소식입니다"),
    "utf-8": ("Grüße, שלום, 大家好",),
    "utf-8-sig": ("Grüße, שלום, 大家好",),
    "utf-16": ("Grüße, שלום, 大家好",),
    "utf-16-le": ("Grüße, שלום, 大家好",),
    "utf-16-be": ("Grüße, שלום, 大家好",),
    "utf-32": ("Grüße, שלום, 大家好",),
}


@pytest.mark.parametrize("codec", LINES)
def test_words_come_out_as_they_were_written(codec):
    cards = [
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{line}" for n, line in enumerate(LINES[codec], 1)
    ]
    read = read_transcript("\r\n\r\n".join(cards).encode(codec), "x.srt")
    assert tuple(cue.text for cue in read.cues) == LINES[codec]
    warned = {finding.code for finding in read.findings}
    assert warned == (set() if codec.startswith("utf") else {"encoding"})


def test_a_damaged_byte_in_utf8_is_reported_with_its_line():
    data = "Grüße aus Köln über die Dörfer " * 10 + "\n\nund "
    read = read_transcript(data.encode() + b"\xff\n", "x.txt")
    assert [(finding.code, finding.where) for finding in read.findings] == [("damaged", "line 3")]


@pytest.mark.parametrize(
    "data",
    [b"\x00\x01\x02\x03" * 100, b"\xff\xfb\x90\x64" * 500, b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"],
)
def test_what_is_not_text_is_refused(data):
    with pytest.raises(UnreadableTranscript) as refusal:
        read_transcript(data, "x.vtt")
    assert refusal.value.code in ("binary", "encoding")

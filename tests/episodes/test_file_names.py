"""File names for listeners' disks, as browsers read them."""

from urllib.parse import unquote

import pytest

from episodes.file_names import disposition, recording_name


def read(sent: str) -> tuple[str, str]:
    """The name in ASCII and the one in UTF-8."""
    kind, plain, extended = sent.split("; ")
    assert kind == "inline"
    return (
        plain.removeprefix('filename="').removesuffix('"'),
        unquote(extended.removeprefix("filename*=UTF-8''")),
    )


@pytest.mark.parametrize(
    ("name", "plain", "full"),
    [
        ("Show - Title.mp3", "Show - Title.mp3", "Show - Title.mp3"),
        ("Über Größe.mp3", "Uber Groe.mp3", "Über Größe.mp3"),
        ("日本語.mp3", "audio.mp3", "日本語.mp3"),
        ('a/b\\c"d.mp3', "abcd.mp3", "abcd.mp3"),
        ("a\r\nSet-Cookie: x.mp3", "aSet-Cookie: x.mp3", "aSet-Cookie: x.mp3"),
        (f"{'x' * 500}.mp3", f"{'x' * 146}.mp3", f"{'x' * 146}.mp3"),
        (".mp3", "audio.mp3", "audio.mp3"),
    ],
)
def test_names_survive_any_script(name, plain, full):
    sent = disposition(name)
    assert sent.isascii()
    assert read(sent) == (plain, full)


def test_what_is_unknown_is_left_out():
    assert recording_name("Show", "", "mp3") == "Show.mp3"
    assert recording_name("Show", "One", "m4a") == "Show - One.m4a"

"""Two editors mend one transcript at the same moment, on the real server: nobody's words go."""

import json
import threading
import time

import pytest
from lxml import html

from tests.editor import Editor

pytestmark = pytest.mark.server

EPISODE = "compiler-parity-push"
ROUNDS = 4


def mending_path(editor: Editor) -> str:
    found = editor.http.get("/admin/episodes/episode/").text
    change = html.fromstring(found).xpath("//a[text()='Compiler Parity Push']/@href")[0]
    return html.fromstring(editor.http.get(change).text).xpath(
        "//a[text()='Mend its words']/@href"
    )[0]


def sent(editor: Editor, path: str) -> dict[str, list[str]]:
    page = html.fromstring(editor.http.get(path).text)
    (form,) = [form for form in page.forms if form.get("id") == "mend_form"]
    values: dict[str, list[str]] = {}
    for name, value in form.form_values():
        values.setdefault(name, []).append(value)
    return values


def test_at_the_same_moment_on_different_cues_all_words_are_kept(site):
    editors = [Editor(site.url), Editor(site.url)]
    path = mending_path(editors[0])
    answers = []
    barrier = threading.Barrier(len(editors))

    def work(number: int, editor: Editor):
        for turn in range(ROUNDS):
            form = sent(editor, path)
            form["text"][number] += f" Editor{number}turn{turn}."
            barrier.wait(timeout=30)
            response = editor.http.post(path, data=form, headers={"Referer": site.url + path})
            answers.append(response.status_code)

    threads = [
        threading.Thread(target=work, args=(number, editor))
        for number, editor in enumerate(editors)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert answers == [302] * ROUNDS * len(editors)
    time.sleep(1.1)
    body = site.get(f"/pytorch/{EPISODE}/transcript.json")[2]
    words = " ".join(segment["body"] for segment in json.loads(body)["segments"])
    for number in range(len(editors)):
        for turn in range(ROUNDS):
            assert f"Editor{number}turn{turn}." in words
    # On the same cue one of them is told, and the other's words stand.
    forms = [sent(editor, path) for editor in editors]
    for number, form in enumerate(forms):
        form["text"][0] = f"Said by editor {number}."
    first, second = (
        editor.http.post(path, data=form, headers={"Referer": site.url + path})
        for editor, form in zip(editors, forms, strict=True)
    )
    assert (first.status_code, second.status_code) == (302, 200)
    assert "changed by somebody else" in second.text
    assert "Said by editor 0." in second.text
    for _ in range(ROUNDS * 2 + 1):
        page = html.fromstring(editors[0].http.get(path).text)
        form = sent(editors[0], path)
        form["undo"] = page.xpath("//button[@name='undo']/@value")[:1]
        editors[0].http.post(path, data=form, headers={"Referer": site.url + path})
    assert "Editor0" not in editors[0].http.get(path).text
    for editor in editors:
        editor.close()

"""A show leaves as one archive, and arrives elsewhere as the same show."""

import hashlib
import io
import json
import re
import struct
import zipfile
from contextlib import closing
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from lxml import etree

from episodes.media_check import find_problems
from episodes.models import Episode, Person, Show, Site, Transcript
from feeds.archives import DOCUMENT, ArchiveError, reading
from feeds.archives.catalogue import LEFT_OUT_FIELDS, LEFT_OUT_MODELS, fields, kinds, role
from feeds.archives.documents import as_json
from feeds.archives.exporting import Export
from feeds.archives.importing import import_show
from feeds.archives.schema import as_text, schema
from tests.feeds.whole_show import make_whole_show
from tests.make import make_audio_episode, make_episode, make_show
from tests.running import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_media")]


def exported(slug: str = "harbour") -> bytes:
    target = io.BytesIO()
    with closing(Export(slug)) as export:
        export.write(target)
    return target.getvalue()


@cache
def whole_archive() -> bytes:
    """Of the whole show: recordings are read and pictures prepared once for all tests."""
    make_whole_show()
    return exported()


@pytest.fixture
def gone(tmp_path) -> Path:
    """An archive, and a site without the show."""
    path = tmp_path / "harbour.zip"
    path.write_bytes(whole_archive())
    empty(tmp_path)
    return path


@pytest.fixture
def archive(gone) -> Path:
    """The same, and the show is here."""
    import_show(gone)
    return gone


def empty(tmp_path: Path) -> None:
    Show.objects.all().delete()
    Person.objects.all().delete()
    for path in sorted((tmp_path / "media").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def document_of(path: Path) -> dict:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(DOCUMENT))


def values() -> dict[str, list]:
    """Every value of every row that belongs to a show; keys and the links between rows aside."""
    found = {}
    for kind in kinds():
        names = [f.name for f in kind.model._meta.concrete_fields if not f.is_relation]
        names = [name for name in names if name not in ("id", "revision", "revised_at")]
        rows = [{n: plain(getattr(row, n)) for n in names} for row in kind.model.objects.all()]
        found[kind.model._meta.label] = sorted(rows, key=repr)
    return found


def plain(value):
    return bytes(value) if isinstance(value, memoryview) else getattr(value, "name", value)


def public(client) -> dict[str, bytes]:
    """What the world reads of the show: every feed page, and all that they link to here."""
    found = {}
    pages = ["/harbour/feed.xml", "/harbour/feed.xml?page=2"]
    while pages:
        path = pages.pop()
        response = client.get(path)
        assert response.status_code in (200, 404), path
        if "X-Accel-Redirect" in response:
            with default_storage.open(response["X-Accel-Redirect"].split("/", 2)[2]) as file:
                found[path] = file.read()
        elif path not in found:
            found[path] = response.content
            if path.startswith("/harbour/feed"):
                links = re.findall(rb'https://podcast\.example\.org(/[^"<]+)', response.content)
                pages += {link.decode().replace("&amp;", "&") for link in links} - found.keys()
    return found


# There and back


def test_the_same_show_arrives(client, tmp_path):
    make_whole_show()
    path = tmp_path / "harbour.zip"
    path.write_bytes(exported())
    before, world = values(), public(client)
    empty(tmp_path)
    assert client.get("/harbour/feed.xml").status_code == 404
    taken = import_show(path)
    assert taken.created
    assert taken.remarks == []
    assert values() == before
    assert public(client) == world
    assert sum(path.startswith("/audio/") for path in world) == 2
    assert sum(path.startswith("/artwork/") for path in world) >= 3
    files = {path.partition("?")[0] for path in world if "transcript" in path}
    assert {path.rpartition(".")[2] for path in files} == {
        "vtt", "srt", "json", "html", "txt"
    }  # fmt: skip
    assert [problem.message for problem in find_problems(hashes=True)] == []
    with zipfile.ZipFile(path) as first, zipfile.ZipFile(io.BytesIO(exported())) as second:
        assert first.namelist() == second.namelist()
        for name in set(first.namelist()) - {DOCUMENT}:
            assert first.read(name) == second.read(name), name


def test_the_show_below_it_is_whole(archive):
    """The test above proves as much as is set in the show it is made with."""
    said = json.loads(json.dumps(document_of(archive)))

    def sets(kind, rows):
        for field, _ in fields(kind):
            default = as_json(field.get_default())
            assert any(row[field.name] not in (default, "", None) for row in rows), field
        for part in kind.parts:
            below = [row for owner in rows for row in owner[part.key]]
            assert below, part.key
            sets(part, below)

    show, episode, person = (
        next(k for k in kinds() if k.model is model) for model in (Show, Episode, Person)
    )
    defaults = {"visibility"}  # every other value takes the feed away
    said["show"] = {
        name: "set" if name in defaults or name == "new_feed_url" else value
        for name, value in said["show"].items()
    }
    sets(show, [said["show"]])
    sets(episode, said["episodes"])
    sets(person, said["people"])


def test_what_is_in_an_archive_can_be_used_without_us(archive):
    with zipfile.ZipFile(archive) as zipped:
        names = zipped.namelist()
        feed = etree.fromstring(zipped.read("feed.xml"))
        assert len(feed.findall("channel/item")) == 3, "every page in one"
        folder = "episodes/ampersands/"
        assert {
            "artwork.jpg", "artwork-original", f"{folder}audio.mp3", f"{folder}artwork.jpg",
            f"{folder}transcript.en-GB.vtt", f"{folder}transcript.en-GB.srt",
            f"{folder}transcript.en-GB.json", f"{folder}transcript.en-GB.html",
            f"{folder}transcript.en-GB.txt", f"{folder}transcript.en-GB.original.vtt",
            f"{folder}transcript.de.txt", f"{folder}chapters.json", "show.json",
        } <= set(names)  # fmt: skip
        assert any(name.startswith("people/ada-harbour-") for name in names)
        for file in document_of(archive)["files"]:
            assert hashlib.sha256(zipped.read(file["path"])).hexdigest() == file["sha256"]


def test_a_second_time_changes_nothing(gone, capsys):
    call_command("import_show", str(gone))
    before, edition = values(), Show.objects.get().revision
    call_command("import_show", str(gone))
    assert "here already, at /harbour/; nothing changed" in capsys.readouterr().out
    assert values() == before
    assert Show.objects.get().revision == edition


def test_a_dry_run_changes_nothing(gone, tmp_path, capsys):
    call_command("import_show", str(gone), "--dry-run")
    assert "Would import Harbour Line" in capsys.readouterr().out
    assert not Show.objects.exists()
    assert not Person.objects.exists()
    assert [path for path in (tmp_path / "media").rglob("*") if path.is_file()] == []


def test_another_address_where_the_old_one_is_taken(gone):
    other = make_show(title="Other", slug="harbour")
    with pytest.raises(ArchiveError, match="--slug"):
        import_show(gone)
    with pytest.raises(ArchiveError, match="belongs to the site itself"):
        import_show(gone, slug="admin")
    assert import_show(gone, slug="harbour-line").show.slug == "harbour-line"
    assert Show.objects.get(pk=other.pk).title == "Other"


def test_what_others_have_here_stays_theirs(gone):
    said = document_of(gone)
    person = Person.objects.create(name="Known", uid=said["people"][0]["uid"])
    make_show(slug="old-harbour")
    taken = import_show(gone)
    assert Person.objects.get(pk=person.pk).name == "Known"
    assert len(taken.remarks) == 2
    assert taken.show.former_slugs.count() == 0


def test_an_import_moves_the_site_s_edition(gone):
    make_show()
    before = Site.current().revision
    import_show(gone)
    assert Site.current().revision > before


def test_drafts_and_hidden_shows_leave_too(tmp_path):
    episode = make_audio_episode(live=False)
    Show.objects.update(visibility="hidden")
    digest = hashlib.sha256(b"x" * 5000).hexdigest()
    Episode.objects.update(audio_sha256=digest)
    path = tmp_path / "hidden.zip"
    path.write_bytes(exported(episode.show.slug))
    empty(tmp_path)
    assert import_show(path).show.visibility == "hidden"
    assert Episode.objects.get().title == episode.title


def test_an_episode_that_moved_to_another_show_leaves_with_it(tmp_path):
    episode, other = make_audio_episode(data=b"y" * 10), make_show(slug="other")
    Episode.objects.update(audio_sha256=hashlib.sha256(b"y" * 10).hexdigest())
    episode.refresh_from_db()
    episode.show = other
    episode.save()
    path = tmp_path / "other.zip"
    path.write_bytes(exported("other"))
    empty(tmp_path)
    import_show(path)
    assert Episode.objects.get().former_slugs.count() == 0


# Completeness


def test_every_field_of_a_show_is_exported_or_left_out_for_a_reason():
    """Walks from the show over everything that refers to it."""
    listed = {kind.model for kind in kinds()}
    left_out = {apps.get_model(label) for label in LEFT_OUT_MODELS}
    for model in listed:
        for relation in model._meta.related_objects:
            assert relation.related_model in listed | left_out, (
                f"{relation.related_model._meta.label} hangs on {model._meta.label} and is neither "
                "exported nor left out for a reason: see feeds/archives/catalogue.py"
            )
        assert not model._meta.many_to_many, model
    for kind in kinds():
        for field in kind.model._meta.concrete_fields:
            role(kind, field)  # raises LookupError for one that nobody thought of
    for label, reason in {**LEFT_OUT_FIELDS, **LEFT_OUT_MODELS}.items():
        assert len(reason) > 20, label


def test_the_published_schema_is_that_of_the_models():
    assert (ROOT / "docs/show.schema.json").read_text() == as_text(), (
        "A field was added or changed. Look whether it may leave (feeds/archives/catalogue.py), "
        "then run `manage.py export_show --schema > docs/show.schema.json`."
    )


def test_documents_are_valid_by_the_schema(archive):
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(
        schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    said = document_of(archive)
    assert list(validator.iter_errors(said)) == []
    del said["show"]["title"]
    said["episodes"][0]["status"] = "gone"
    assert len(list(validator.iter_errors(said))) == 2


def test_no_secret_leaves(archive, django_user_model, settings):
    user = django_user_model.objects.create_user("editor", "user@example.net", "a good password")
    data = exported()
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        words = b"".join(zipped.read(n) for n in zipped.namelist() if n.endswith(("json", "xml")))
    for secret in (user.password, user.email, settings.SECRET_KEY):
        assert secret.encode() not in words


# Writing


def test_it_goes_through_a_pipe(archive, tmp_path, capfdbinary):
    call_command("export_show", "harbour", "--output", "-")
    out = capfdbinary.readouterr().out
    with zipfile.ZipFile(io.BytesIO(out)) as zipped:
        assert zipped.testzip() is None
        assert DOCUMENT in zipped.namelist()


def test_a_file_that_is_there_is_not_overwritten(archive, tmp_path):
    target = tmp_path / "mine.zip"
    target.write_bytes(b"mine")
    with pytest.raises(CommandError, match="there already"):
        call_command("export_show", "harbour", "--output", str(target))
    assert target.read_bytes() == b"mine"
    with pytest.raises(CommandError, match="There is no show at /nothing/"):
        call_command("export_show", "nothing", "--output", str(tmp_path / "n.zip"))


def test_a_lost_file_is_named_and_nothing_written(archive, tmp_path):
    name = Episode.objects.get(slug="ampersands").audio.name
    default_storage.delete(name)
    with pytest.raises(CommandError, match=re.escape(name)):
        call_command("export_show", "harbour", "--output", str(tmp_path / "lost.zip"))
    assert not (tmp_path / "lost.zip").exists()


def test_queries_do_not_grow_with_the_show(django_assert_max_num_queries):
    show = make_show(slug="long")
    for number in range(60):
        make_episode(show, title=f"Part {number}", audio="", audio_url="https://a.example/1.mp3")
    with django_assert_max_num_queries(120):
        exported("long")


@pytest.mark.parametrize("edits", [1, 99])
def test_an_edit_meanwhile_begins_the_export_again(archive, monkeypatch, edits):
    """An archive is one state of the show, or there is none."""
    left, collect = iter(range(edits)), Export._episode

    def edited(export, episode):
        if episode.slug == "ampersands" and next(left, None) is not None:
            Show.objects.update(title="Renamed")
        collect(export, episode)

    monkeypatch.setattr(Export, "_episode", edited)
    if edits > 1:
        with pytest.raises(ArchiveError, match="being edited all the time"):
            exported()
        return
    with zipfile.ZipFile(io.BytesIO(exported())) as zipped:
        assert json.loads(zipped.read(DOCUMENT))["show"]["title"] == "Renamed"
        assert b"<title>Renamed</title>" in zipped.read("feed.xml")


def test_before_static_files_are_collected_the_way_is_named(archive, settings):
    backend = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
    with pytest.raises(ArchiveError, match="up --prepare-only"):
        exported()


# Archives of strangers


def changed(source: Path, target: Path, change=lambda said: None, **entries: bytes) -> Path:
    """A copy with another document, and with further or other entries."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        said = json.loads(old.read(DOCUMENT))
        change(said)
        for name in old.namelist():
            if name != DOCUMENT and name not in entries:
                new.writestr(name, old.read(name))
        for name, data in entries.items():
            new.writestr(name, data)
        if DOCUMENT not in entries:
            new.writestr(DOCUMENT, json.dumps(said))
    return target


def put(path: str, value):
    """Sets a value at a dotted path of the document."""

    def change(said):
        *way, last = [int(p) if p.isdigit() else p for p in path.split(".")]
        for step in way:
            said = said[step]
        said[last] = value

    return change


def stored_of(said: dict, path: str) -> dict:
    return next(file for file in said["files"] if file["path"] == path)


def overwrite(said):
    stored_of(said, "artwork.jpg")["stored"] = "artwork/theirs/picture.jpg"


REFUSED = {
    "a newer version": (put("version", 2), "Update this site"),
    "no version": (put("version", None), "version None"),
    "another format": (put("format", "x"), "not of the format"),
    "an unknown field": (put("show.mood", "calm"), "show.mood is not known"),
    "a number as text": (put("show.page_size", "7"), "show.page_size should be a whole number"),
    "true as a number": (put("show.page_size", True), "show.page_size should be a whole number"),
    "null": (put("show.title", None), "show.title may not be null"),
    "a number too large": (put("episodes.0.number", 2**70), r"episodes\[0\].number is out of"),
    "a negative number": (put("episodes.0.number", -1), "out of range"),
    "a long title": (put("show.title", "x" * 300), "show.title has 300 characters"),
    "a script's address": (put("show.link", "javascript:alert(1)"), "no web address"),
    "a moment without zone": (put("episodes.0.published_at", "2026-01-01T00:00:00"), "no moment"),
    "no moment": (put("episodes.0.published_at", "2026-99-99T00:00:00Z"), "no moment"),
    "a status": (put("episodes.0.status", "shouted"), "should be one of"),
    "a reserved slug": (put("show.slug", "admin"), "belongs to the site"),
    "a slug with a slash": (put("episodes.0.slug", "../x"), "lower-case letters"),
    "XML that acts": (
        put("show.custom_xml", '<svg xmlns="http://www.w3.org/2000/svg"/>'), "browsers run"
    ),
    "imported XML that acts": (
        put("show.imported_xml", '<svg xmlns="http://www.w3.org/2000/svg"/>'), "browsers run"
    ),
    "a NUL": (put("show.tagline", "a\0b"), "NUL"),
    "a person nobody knows": (put("show.credits.0.person", "x"), "names nobody"),
    "a list as object": (put("show.credits", {}), "is no list"),
    "a row as text": (put("show.credits.0", "x"), "is no object"),
    "another shape": (put("show.valuepayment.0.recipients", ["x"]), "another shape"),
    "a file's path": (put("episodes.0.audio", "episodes/none.mp3"), "not among `files`"),
    "a published one without audio": (put("episodes.0.audio", ""), "do not fit together"),
    "two of one slug": (put("episodes.1.slug", "ampersands"), "do not fit together"),
    "another recording": (put("episodes.0.audio", "artwork.jpg"), "not the recording"),
    "a page as a recording": (put("episodes.0.audio_type", "text/html"), "no recording"),
    "a hash": (put("files.0.sha256", "0" * 64), "its hash is another"),
    "a stored name outside": (
        lambda said: stored_of(said, "artwork.jpg").update(stored="../../x"), "no name of a file"
    ),
    "a stored name of ours": (overwrite, "have another file called"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_refused_by_its_place(change, says, gone, tmp_path):
    default_storage.save("artwork/theirs/picture.jpg", ContentFile(b"theirs"))
    bad = changed(gone, tmp_path / "bad.zip", change)
    with pytest.raises(ArchiveError, match=says):
        import_show(bad)
    assert not Show.objects.exists()
    assert not Person.objects.exists()
    left = [path for path in (tmp_path / "media").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in left] == [b"theirs"]
    assert list((tmp_path / "uploads").iterdir()) == []


NAMES = ["../evil", "/etc/evil", "a/../../evil", "C:\\evil", "a\\..\\evil", "a//b", "./a", "a\nb"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_lead_elsewhere_are_refused(name, gone, tmp_path):
    with pytest.raises(ArchiveError, match="outside the archive"):
        import_show(changed(gone, tmp_path / "bad.zip", **{name: b"evil"}))


def test_links_doubles_and_locks_are_refused(gone, tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    path = tmp_path / "link.zip"
    path.write_bytes(gone.read_bytes())
    with zipfile.ZipFile(path, "a") as zipped:
        zipped.writestr(link, "/etc/passwd")
    with pytest.raises(ArchiveError, match="no plain file"):
        import_show(path)
    path = tmp_path / "double.zip"
    path.write_bytes(gone.read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as zipped:
        zipped.writestr("feed.xml", b"another")
    with pytest.raises(ArchiveError, match="twice"):
        import_show(path)


def test_bombs_are_refused_before_they_are_unpacked(gone, tmp_path):
    path = tmp_path / "bomb.zip"
    path.write_bytes(gone.read_bytes())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("bomb.txt", bytes(100 * 1024 * 1024))
    assert path.stat().st_size < gone.stat().st_size + 200_000
    with pytest.raises(ArchiveError, match="would unpack to 104,857,600"):
        import_show(path)


def test_what_is_too_large_is_refused(gone, settings, monkeypatch):
    monkeypatch.setattr(reading, "MAX_DOCUMENT", 1000)
    with pytest.raises(ArchiveError, match="too many to be true"):
        import_show(gone)
    settings.UPLOAD_MAX_BYTES = 1000
    with pytest.raises(ArchiveError, match="UPLOAD_MAX_BYTES"):
        import_show(gone)


def test_an_entry_larger_than_it_says_is_refused(gone, tmp_path):
    """The size in the directory is a claim; bytes are counted as they come."""
    data = bytearray(gone.read_bytes())
    at = data.rfind(b"show.json") - 46
    assert data[at : at + 4] == b"PK\1\2"
    struct.pack_into("<I", data, at + 24, 1000)
    path = tmp_path / "liar.zip"
    path.write_bytes(data)
    with pytest.raises(ArchiveError, match=r"larger than it says|damaged|not JSON"):
        import_show(path)


def test_a_list_without_end_is_refused_unread(gone, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_DIRECTORY", 500)
    with pytest.raises(ArchiveError, match="lists more entries"):
        import_show(gone)
    monkeypatch.setattr(reading, "MAX_DIRECTORY", 10**9)
    monkeypatch.setattr(reading, "MAX_ENTRIES", 5)
    with pytest.raises(ArchiveError, match="at most 5"):
        import_show(gone)


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9, 0.999])
def test_what_was_cut_short_or_never_was_an_archive_says_so(cut, gone, tmp_path):
    data = gone.read_bytes()
    path = tmp_path / "cut.zip"
    path.write_bytes(data[: int(len(data) * cut)])
    with pytest.raises(ArchiveError, match=r"zip archive|cannot be read|damaged"):
        import_show(path)
    with pytest.raises(ArchiveError, match="cannot be read"):
        import_show(tmp_path / "none.zip")


@pytest.mark.parametrize("name", ["feed.xml", "artwork.jpg", "episodes/ampersands/audio.mp3"])
def test_other_bytes_than_were_exported_are_refused(name, gone, tmp_path):
    with pytest.raises(ArchiveError, match=f"{name} is not what was exported"):
        import_show(changed(gone, tmp_path / "bad.zip", **{name: b"other"}))


def test_a_picture_that_is_none_is_refused(gone, tmp_path):
    page = b"<html><script>alert(1)</script></html>"

    def lie(said):
        file = stored_of(said, "artwork.jpg")
        file |= {"bytes": len(page), "sha256": hashlib.sha256(page).hexdigest()}

    with pytest.raises(ArchiveError, match="no picture that is taken"):
        import_show(changed(gone, tmp_path / "bad.zip", lie, **{"artwork.jpg": page}))


def test_notes_are_sanitised_on_the_way_in(gone, tmp_path):
    evil = put("episodes.0.notes_html", "<p onclick='x()'>Hi<script>alert(1)</script></p>")
    import_show(changed(gone, tmp_path / "evil.zip", evil))
    assert Episode.objects.get(slug="ampersands").notes_html == "<p>Hi</p>"


def test_an_older_archive_lacks_fields_that_came_later(gone, tmp_path):
    def forget(said):
        del said["show"]["tagline"], said["episodes"][0]["soundbites"]

    import_show(changed(gone, tmp_path / "older.zip", forget))
    assert Show.objects.get().tagline == ""
    assert Transcript.objects.count() == 2

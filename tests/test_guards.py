"""Guards: what must stay true of the whole project."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import get_resolver

ROOT = Path(__file__).parent.parent


@pytest.mark.django_db
def test_no_migration_is_pending():
    from django.core.management import call_command

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_imports_go_one_way():
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_docs_name_only_settings_that_exist():
    readers = [
        ROOT / "podcast/settings.py",
        ROOT / "podcast/gunicorn.py",
        *(ROOT / "podcast/management/commands").glob("*.py"),
    ]
    source = "".join(path.read_text() for path in readers)
    known = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    example = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M))
    rows = re.findall(r"^\| (`[^|]+) \|", (ROOT / "docs/settings.md").read_text(), re.M)
    table = set(re.findall(r"`([A-Z_]+)`", " ".join(rows)))
    assert example <= known, example - known
    assert table <= known, table - known
    assert known <= example | table, known - example - table


def test_docs_name_only_commands_that_exist():
    ours = {n for n, app in get_commands().items() if app in {"podcast", "feeds", "episodes"}}
    named = set()
    for path in documents():
        text = path.read_text()
        named |= set(re.findall(r"manage\.py ([a-z_]+)", text))
    rows = re.findall(r"^\| `([a-z_]+)[^`]*` \|", (ROOT / "README.md").read_text(), re.M)
    assert named <= set(get_commands()), named - set(get_commands())
    assert set(rows) == ours
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for path in documents():
        assert set(re.findall(r"make ([a-z]+)\b(?=`|\s{2}|$)", path.read_text(), re.M)) <= targets


def test_docs_name_only_files_that_exist():
    for path in documents():
        for name in re.findall(
            r"`((?:podcast|episodes|feeds|templates|tests|docs)/[\w./-]+)`", path.read_text()
        ):
            assert (ROOT / name).exists(), f"{path.name} names {name}"


def test_every_command_explains_itself():
    for name, app in get_commands().items():
        if app in {"podcast", "feeds", "episodes"}:
            assert len(load_command_class(app, name).help) > 20, name


def test_nothing_runs_a_shell_or_fetches_by_the_way():
    """One fetcher for every outgoing request; no shell anywhere."""
    allowed = {"feeds/dialling.py"}
    for path in [p for app in ("podcast", "episodes", "feeds") for p in (ROOT / app).rglob("*.py")]:
        source = path.read_text()
        name = str(path.relative_to(ROOT))
        assert "shell=True" not in source, name
        assert "os.system" not in source, name
        if name not in allowed:
            assert not re.search(
                r"^\s*(?:import|from) (?:requests|httpx|urllib\.request)\b", source, re.M
            ), name


def test_every_public_address_is_known():
    """A new address gets a case in the draft crawl before it gets a view."""
    from tests.test_draft_crawl import CASES

    names = {
        f"{namespace}:{pattern.name}"
        for namespace in ("episodes", "feeds")
        for pattern in get_resolver().namespace_dict[namespace][1].url_patterns
    }
    assert names == set(CASES)

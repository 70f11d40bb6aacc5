"""The corpus's MANIFEST.md as rows, so that its table is the truth the tests are held to."""

import functools

from tests.conftest import CORPUS


@functools.cache
def rows(section: str) -> tuple[dict[str, str], ...]:
    """The table under the heading that starts with `section`, a dict per row by column name."""
    text = (CORPUS / "MANIFEST.md").read_text()
    part = text.split(f"\n## {section}", 1)[1].split("\n## ", 1)[0]
    table = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in part.splitlines()
        if line.startswith("|")
    ]
    names, _rule, *body = table
    return tuple(dict(zip(names, row, strict=True)) for row in body)


def row(section: str, file: str) -> dict[str, str]:
    return next(row for row in rows(section) if row["file"] == file)

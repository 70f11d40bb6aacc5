"""A whole show as one archive: out with `export_show`, in with `import_show`.

The archive is a zip: `show.json` (every row of ours that belongs to the show, by the schema in
docs/show.schema.json, with the hash of every other file), the complete feed, and beside them audio,
pictures, transcripts in all formats and chapters, under names that people can read.

`catalogue` says what belongs to a show, `documents` makes the JSON and `schema` its schema;
`writing` and `reading` know the zip; `exporting` and `importing` are the two jobs.
"""

#: Counted up when an older `import_show` could misread a newer archive.
VERSION = 1
FORMAT = "podcast-show"

DOCUMENT = "show.json"


class ArchiveError(Exception):
    """Nothing was changed. The message says what is wrong, where, and what to do."""

"""Backups: database and media as one state of the site, kept so that it can be had back.

A destination (a directory, or `s3://bucket/prefix`) holds

    backups/<name>/manifest.json    what belongs to this backup, with the hash of everything
    backups/<name>/database.…       the snapshot of the database
    backups/<name>/secret_key       the generated key, where the site has one
    files/<xx>/<sha256>             media by content, shared by all backups

The database is read first, as one moment; then the files that this snapshot names. Media are
immutable and outlive their rows for a while, so they are all still there. A backup exists when
its manifest does, and that is written last.

`making`, `checking`, `restoring` and `pruning` are the four jobs; `places` knows where things
are kept, `engines` how SQLite and PostgreSQL give and take a snapshot.
"""

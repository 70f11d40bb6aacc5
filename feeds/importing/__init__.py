"""A stranger's feed to records: `parse(data) -> ParsedFeed`. It fetches nothing and stores nothing.

What `feeds.generator` writes is read back unchanged. What others write is read as far as it can
be, and everything that was mended, guessed or left out is a finding.
"""

from feeds.importing.feed import ParsedFeed, identity, parse

__all__ = ["ParsedFeed", "identity", "parse"]

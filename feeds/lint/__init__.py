"""What is wrong with a feed, who minds, where, and how to mend it: `lint(channel, items)`.

Rules look at records, so they judge our own feeds and strangers' alike. What only the reader can
know (encodings, bad dates) comes as its findings. docs/lint.md lists every code.
"""

from feeds.lint import channel, enclosures, feed, items, podcast  # noqa: F401 (rules register)
from feeds.lint.registry import RULES, LintFinding, Rule, lint

__all__ = ["RULES", "LintFinding", "Rule", "lint"]

"""News of the domain for whoever stands above it."""

from django.dispatch import Signal

#: Sent after the commit of a write that moved public content; `show_ids` is a set of keys.
edition_moved = Signal()

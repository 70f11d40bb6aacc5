"""News of the domain for whoever stands above it."""

from django.dispatch import Signal

#: Sent after the commit of a write that moved public content; `show_ids` is a set of keys.
edition_moved = Signal()

#: Sent within the transaction of a write that may have changed these episodes' titles, notes
#: or transcripts; `episode_ids` is a set of keys. What will be deleted is still there.
episodes_reworded = Signal()

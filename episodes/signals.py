"""News of the domain for whoever stands above it."""

from django.dispatch import Signal

#: Sent after the commit of a write that moved public content; `show_ids` is a set of keys.
edition_moved = Signal()

#: Sent within the transaction of a write that changed what these episodes show; `episode_ids`
#: is a set of keys. What is deleted is still there.
episodes_revised = Signal()

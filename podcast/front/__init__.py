"""What stands before Django on the embedded default: a shared cache and a sender of files."""

from podcast.front.app import Front
from podcast.front.options import Options

__all__ = ["Front", "Options"]

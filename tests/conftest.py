"""What every test gets: a data directory of its own, plain static files, no open sockets."""

import os
import tempfile
from pathlib import Path

_DATA = tempfile.mkdtemp(prefix="podcast-test-")
os.environ["DATA_DIR"] = _DATA
os.environ["SITE_URL"] = "https://podcast.example.org"
os.environ["ALLOWED_HOSTS"] = "podcast.example.org,testserver,localhost,127.0.0.1"
os.environ["SECURE_SSL_REDIRECT"] = "off"

CORPUS = Path(__file__).parent / "corpus"
SEED = Path(__file__).parent / "seed"

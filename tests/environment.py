"""What every test runs in, said before Django reads its settings (`-p` in pyproject.toml)."""

import os
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="podcast-test-")
os.environ["SITE_URL"] = "https://podcast.example.org"
os.environ["ALLOWED_HOSTS"] = "podcast.example.org,testserver,localhost,127.0.0.1"
os.environ["SECURE_SSL_REDIRECT"] = "off"

# Workers side by side clear the cache as they please: each has a database of its own.
if os.environ.get("CACHE_URL") and (_worker := os.environ.get("PYTEST_XDIST_WORKER")):
    _number = int(_worker.removeprefix("gw")) + 1
    os.environ["CACHE_URL"] = os.environ["CACHE_URL"].rpartition("/")[0] + f"/{_number}"

"""Settings of the test-suite: the real ones, with a fixed key, cheap passwords and files in a folder of their own."""

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "tests-only-tests-only-tests-only-tests-only-tests-only")
os.environ.setdefault("HTTPS", "false")
os.environ.setdefault("DEMO", "true")
os.environ.setdefault("LOG_LEVEL", "WARNING")

from config.settings import *  # noqa: F403  # the settings module is read as a namespace, as Django does
from config.settings import DATABASES, INSTALLED_APPS, VAR_DIR

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
INSTALLED_APPS = [*INSTALLED_APPS, "django_migration_linter"]
_attachments = tempfile.TemporaryDirectory(prefix="test-attachments-", dir=VAR_DIR)  # removed when the process ends
MEDIA_ROOT = _attachments.name
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # two runs side by side do not share a file
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"test-{os.getpid()}.sqlite3"}
API_CALLS_PER_MINUTE = 10_000_000

"""Write the `.env` of a demo where there is none: `python -m config.demo_env`.

Random secrets, plain HTTP on this machine only, the demo's data. An existing file is never touched. No Django here:
the settings cannot be read before the file is there.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from pathlib import Path

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no l, i, o, 0, 1: a person types the password
TEMPLATE = """\
# Written for the demo on this machine. Keep it private; .env.example explains every variable.
SECRET_KEY={key}
DEMO=true
DEMO_PASSWORD={password}
HTTPS=false
LOG_FORMAT=text
LOG_LEVEL=WARNING
"""


def demo_text() -> str:
    """The content of a new file, with secrets of its own."""
    return TEMPLATE.format(key=secrets.token_urlsafe(48), password=password_text())


def password_text() -> str:
    """A random password that can be typed: about 74 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(3))


def write_once(path: Path, text: str) -> bool:
    """Create `path` whole and readable by its owner only. False when it exists; it then stays as it is."""
    handle, name = tempfile.mkstemp(prefix=".env-", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.link(name, path)  # fails where the name is taken
    except FileExistsError:
        return False
    finally:
        Path(name).unlink()
    return True


def main() -> int:
    path = Path(__file__).resolve().parent.parent / ".env"
    if not path.exists() and write_once(path, demo_text()):
        sys.stdout.write("Wrote .env with new secrets and DEMO=true.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

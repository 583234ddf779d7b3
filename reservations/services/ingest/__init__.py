"""Taking in one package: `reading` (bytes), `earlier` (what the mail has), `rows` (what is added), `package` (all of it)."""

from reservations.services.ingest.package import ingest_package
from reservations.services.ingest.reading import TEXT_PLAIN, read_package

__all__ = ["TEXT_PLAIN", "ingest_package", "read_package"]

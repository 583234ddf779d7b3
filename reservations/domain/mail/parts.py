"""The parts of a mail: what is its text, what is its HTML, and what is attached."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from reservations.domain.mail.charsets import decode
from reservations.domain.mail.entity import Entity, find_boundary, read_entity, split_parts
from reservations.domain.mail.names import clean_file_name, default_file_name
from reservations.domain.mail.params import Parameters, read_parameters
from reservations.domain.mail.problems import Notes, ProblemCode
from reservations.domain.mail.transfer import decode_transfer
from reservations.domain.mail.words import Reader

MAX_DEPTH = 20
MAX_PARTS = 1000
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_META_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I
)
_CONTENT_REFERENCE = re.compile(r"""cid:([^"'\s>)]{1,500})""", re.IGNORECASE)
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_BODY_TYPES = ("text/plain", "text/html")


@dataclass(frozen=True, slots=True)
class ParsedAttachment:
    """One file of a mail.

    external_id  "att-1", "att-2", ... in the order of the mail: the same mail gives the same ids
    file_name    cleaned, never empty, at most 200 characters
    media_type   "type/subtype" in lower case as declared; "application/octet-stream" when that is no media type
    content      the bytes after transfer decoding; charsets are left alone
    inline       a picture the HTML shows by its content id; a file the mailer merely displays inline is not
    """

    external_id: str
    file_name: str
    media_type: str
    content: bytes
    inline: bool
    content_id: str | None


@dataclass(slots=True)
class Parts:
    """What was found in a mail. None: the mail has no such part."""

    text: str | None = None
    html: str | None = None
    attachments: list[ParsedAttachment] = field(default_factory=list)

    def add(self, media_type: str, content: str) -> None:
        if media_type == "text/html":
            self.html = content if self.html is None else f"{self.html}\n{content}"
        else:
            self.text = content if self.text is None else f"{self.text.rstrip()}\n\n{content}"

    def has(self, media_type: str) -> bool:
        return (self.html if media_type == "text/html" else self.text) is not None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a part stands: depth from 0, inside alternatives or related parts, type when it names none."""

    depth: int = 0
    alternative: bool = False
    related: bool = False
    default_type: str = "text/plain"


def read_parts(entity: Entity, reader: Reader) -> Parts:
    """Walk the parts of a mail in order. Further text parts outside alternatives are joined to the first."""
    walk = _Walk(reader)
    walk.entity(entity, _Place())
    parts = walk.parts
    shown = {unquote(found) for found in _CONTENT_REFERENCE.findall(parts.html or "")}
    parts.attachments = [replace(one, inline=True) if one.content_id in shown else one for one in parts.attachments]
    return parts


class _Walk:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.notes: Notes = reader.notes
        self.parts = Parts()
        self.seen = 0

    def entity(self, entity: Entity, place: _Place) -> None:
        self.seen += 1
        declared = read_parameters(entity.first("Content-Type"), self.reader)
        media_type = declared.value if _MEDIA_TYPE.fullmatch(declared.value) else ""
        if media_type.startswith("multipart/"):
            self._multipart(entity, media_type, declared, place)
        else:
            self._leaf(entity, self._leaf_type(media_type, declared.value, place), declared, place)

    @staticmethod
    def _leaf_type(media_type: str, declared: str, place: _Place) -> str:
        if not media_type and declared in ("", "text"):
            return place.default_type
        return media_type or "application/octet-stream"

    def _multipart(self, entity: Entity, media_type: str, declared: Parameters, place: _Place) -> None:
        if place.depth >= MAX_DEPTH:
            self.notes.add(ProblemCode.NESTED_TOO_DEEP)
            self._attach(entity, "application/octet-stream", "", declared, place)
            return
        # Some mailers encode a whole multipart, which RFC 2045 forbids.
        body = decode_transfer(entity.body, _transfer_encoding(entity), self.notes)
        parts = self._split(body, declared)
        if parts is None:
            self.notes.add(ProblemCode.BOUNDARY_MISSING)
            self._leaf(entity, "text/plain", Parameters("text/plain", {}), place)
            return
        inner = _Place(
            depth=place.depth + 1,
            alternative=place.alternative or media_type == "multipart/alternative",
            related=place.related or media_type == "multipart/related",
            default_type="message/rfc822" if media_type == "multipart/digest" else "text/plain",
        )
        for at, part in enumerate(parts):
            if self.seen >= MAX_PARTS:
                self._rest(parts[at:], inner)
                return
            self.entity(read_entity(part, self.notes), inner)

    def _split(self, body: bytes, declared: Parameters) -> list[bytes] | None:
        named = declared.by_name.get("boundary", "").encode("utf-8", "replace")
        parts = split_parts(body, named, self.notes) if named else None
        if parts is None:
            found = find_boundary(body)
            parts = split_parts(body, found, self.notes) if found else None
        return parts

    def _rest(self, parts: list[bytes], place: _Place) -> None:
        if ProblemCode.TOO_MANY_PARTS in self.notes:
            return
        self.notes.add(ProblemCode.TOO_MANY_PARTS)
        rest = Entity((), b"\n\n".join(parts))
        self._attach(rest, "application/octet-stream", "", Parameters("", {}), place)

    def _leaf(self, entity: Entity, media_type: str, declared: Parameters, place: _Place) -> None:
        disposition = read_parameters(entity.first("Content-Disposition"), self.reader)
        name = disposition.by_name.get("filename") or declared.by_name.get("name") or ""
        if self._is_body(media_type, disposition.value, name, place):
            self.parts.add(media_type, self._text(entity, media_type, declared))
        else:
            self._attach(entity, media_type, name, disposition, place)

    def _is_body(self, media_type: str, disposition: str, name: str, place: _Place) -> bool:
        if media_type not in _BODY_TYPES:
            return False
        if disposition == "attachment":
            return place.depth == 0 and not name
        return not name or ((place.alternative or place.depth == 0) and not self.parts.has(media_type))

    def _text(self, entity: Entity, media_type: str, declared: Parameters) -> str:
        data = decode_transfer(entity.body, _transfer_encoding(entity), self.notes)
        label = declared.by_name.get("charset", "").split(" ")[0] or None
        if label is None and media_type == "text/html":
            named = _META_CHARSET.search(data[:4096])
            label = named[1].decode("ascii", "replace") if named else None
        decoded = decode(data, label, self.reader.hints)
        self.notes.add(decoded.problem)
        text = _UNSTORABLE.sub("", decoded.text)
        if len(text) != len(decoded.text):
            self.notes.add(ProblemCode.CHARACTERS_REMOVED)
        return text if media_type == "text/html" else text.replace("\r\n", "\n").replace("\r", "\n")

    def _attach(self, entity: Entity, media_type: str, name: str, disposition: Parameters, place: _Place) -> None:
        number = len(self.parts.attachments) + 1
        content = decode_transfer(entity.body, _transfer_encoding(entity), self.notes)
        if not name and media_type == "message/rfc822":
            name = self._forwarded_name(content)
        content_id = self._content_id(entity)
        self.parts.attachments.append(
            ParsedAttachment(
                external_id=f"att-{number}",
                file_name=self._file_name(name, number, media_type),
                media_type=media_type if len(media_type) <= 127 else "application/octet-stream",
                content=content,
                inline=place.related and content_id is not None and disposition.value != "attachment",
                content_id=content_id,
            )
        )

    def _forwarded_name(self, content: bytes) -> str:
        subject = read_entity(content, Notes()).first("Subject")
        title = Reader(self.reader.hints, Notes()).text(subject).replace("/", "_") if subject else ""
        return f"{title[:100]}.eml" if title else ""

    def _file_name(self, name: str, number: int, media_type: str) -> str:
        cleaned = clean_file_name(name)
        if not name:
            self.notes.add(ProblemCode.ATTACHMENT_UNNAMED)
        elif cleaned != name:
            self.notes.add(ProblemCode.FILE_NAME_CHANGED)
        return cleaned or default_file_name(number, media_type)

    def _content_id(self, entity: Entity) -> str | None:
        raw = entity.first("Content-ID")
        return self.reader.text(raw).strip("<> ")[:998] or None if raw is not None else None


def _transfer_encoding(entity: Entity) -> str:
    words = (entity.first("Content-Transfer-Encoding") or b"").decode("ascii", "replace").lower().split()
    return words[0].strip("\"';") if words else ""

"""Text and HTML that others wrote, made fit to be looked at: inert, and with nothing hidden in it."""

from __future__ import annotations

import re

import nh3
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

SHOWN_CHARACTERS = 200_000
"""What a page shows of one text; a browser would choke on 25 MiB."""

_NAMES = {
    0x061C: "ALM",
    0x200B: "ZWSP",
    0x200E: "LRM",
    0x200F: "RLM",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0xFEFF: "BOM",
}
# Direction and zero-width controls, C0 and C1, interlinear marks, tag characters: all that changes what a text seems to
# say without being seen. The joiners U+200C and U+200D stay: scripts and emoji need them.
_CONTROLS = re.compile(
    "([\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f])\\1*"
)
_BREAKS = re.compile(r"(?<=[_./])(?=\w)")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)

# No links, forms, frames, media or styles, and nothing that folds text away: what an agent can read, a person sees.
_TAGS = {
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
}
_DROPPED_WITH_CONTENT = {"script", "style", "title", "template", "noscript"}
_ATTRIBUTES = {
    "img": {"src", "alt", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start"},
    "table": {"border"},
}
_FRAME_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_FRAME_STYLE = (
    "html{color-scheme:light;background:#fff;color:#1b2733;font:14px/1.5 system-ui,sans-serif}"
    "body{margin:1rem;overflow-wrap:anywhere}img{max-width:100%;height:auto}"
    "table{border-collapse:collapse}td,th{border:1px solid #d8dee5;padding:.25rem .5rem;vertical-align:top}"
)


def name_of(run: str) -> str:
    """The name of one control character; a run of equal ones says how many."""
    name = _NAMES.get(ord(run[0])) or f"U+{ord(run[0]):04X}"
    return name if len(run) == 1 else f"{name} ×{len(run)}"


def visible(text: object) -> SafeString:
    """The text escaped, every control character as a small label with its code point."""
    value = str(text)
    pieces, at = [], 0
    for found in _CONTROLS.finditer(value):
        code, name = f"U+{ord(found.group(1)):04X}", name_of(found.group())
        label = format_html('<span class="hidden-character" title="{}">{}</span>', code, name)
        pieces.append((value[at : found.start()], label))
        at = found.end()
    pieces.append((value[at:], SafeString("")))
    return format_html_join("", "{}{}", pieces)


def entered(text: object) -> SafeString:
    """The text for a control that gives it back unchanged: escaped, hidden characters as references.

    C1 characters stay: HTML reads references to them as other characters.
    """
    spots = _CONTROLS.sub(lambda found: "".join(map(_reference, found.group())), escape(str(text)))
    return SafeString(spots)


def hides(text: object) -> bool:
    """Does it hold characters that a control shows as nothing, or that change what it seems to say?"""
    return _CONTROLS.search(str(text)) is not None


def breakable(code: object) -> SafeString:
    """A long code, visible, that may break after its underscores and dots."""
    pieces = _BREAKS.split(str(code))
    return format_html_join(SafeString("<wbr>"), "{}", ((visible(piece),) for piece in pieces))


def spelled(text: object) -> str:
    """The same as plain text, for attributes, file names and frames: a control character becomes its name in brackets."""
    return _CONTROLS.sub(lambda found: f"⟦{name_of(found.group())}⟧", str(text))


def shortened(text: object, length: int) -> str:
    """One line of at most `length` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def frame_document(html: str) -> str:
    """A whole document for the `srcdoc` of a sandboxed frame: sanitised, without links, remote pictures and styles.

    Styles go because they hide: white on white, zero size, off the page.
    """
    body = nh3.clean(
        html[:SHOWN_CHARACTERS],
        tags=_TAGS,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"data"},
        link_rel=None,
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{_FRAME_POLICY}"><style>{_FRAME_STYLE}</style>'
    return f'<!doctype html><html><head><meta charset="utf-8">{head}</head><body>{spelled(body)}</body></html>'


def _reference(character: str) -> str:
    return character if "\x80" <= character <= "\x9f" else f"&#x{ord(character):X};"


def _attribute(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "src":
        return value if _PICTURE.match(value) else None
    if attribute in ("alt", "border"):
        return value
    return value if value.isascii() and value.isdigit() and len(value) <= 4 else None

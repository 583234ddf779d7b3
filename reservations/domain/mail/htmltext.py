"""The readable text of an HTML part, for searching and showing; never for rendering.

An own tokeniser instead of `html.parser`: that one takes quadratic time on unclosed tags, and mail is hostile. Here
every failed search for an end is remembered, so time is linear in the length of the HTML.
"""

from __future__ import annotations

import html
import re

_MARKUP = re.compile(r"<(?=[a-zA-Z/!?])")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,40})")
_LONG_NUMBER = re.compile(r"&#(?:[xX]0*[0-9a-fA-F]{7,}|0*[0-9]{8,});?")
_SPACES = re.compile(r"[ \t\n\r\f\v]+")
_QUOTED = re.compile(r"""=\s{0,9}(["'])""")
_DROPPED = frozenset({"script", "style", "title", "template"})
_CELLS = frozenset({"td", "th"})
_BREAKS = {
    **dict.fromkeys(("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "table", "pre", "hr"), 2),
    **dict.fromkeys(("address", "article", "aside", "body", "caption", "center", "dd", "div", "dt", "fieldset"), 1),
    **dict.fromkeys(("figcaption", "figure", "footer", "form", "header", "html", "legend", "li", "main", "nav"), 1),
    **dict.fromkeys(("option", "section", "tbody", "tfoot", "thead", "tr"), 1),
}


def text_of_html(source: str) -> str:
    """The text of an HTML document: block elements are line breaks, cells are tabs, entities are decoded.

    Scripts, styles, titles and comments are left out. What the styles hide is not: a person should see every word that
    an agent can read. Unclosed tags and comments come back as text for the same reason. Never raises; pure.
    """
    reader = _Reader(source)
    reader.run()
    return reader.writer.result()


class _Writer:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.breaks = 0
        self.gap = ""
        self.preformatted = 0

    def text(self, raw: str) -> None:
        text = html.unescape(_LONG_NUMBER.sub("\ufffd", raw)) if "&" in raw else raw
        if self.preformatted:
            self._piece(text.replace("\r\n", "\n"))
            return
        folded = _SPACES.sub(" ", text)
        words = folded.strip(" ")
        if folded.startswith(" "):
            self.gap = self.gap or " "
        if words:
            self._piece(words)
            self.gap = " " if folded.endswith(" ") else ""

    def line(self) -> None:
        self.breaks = min(self.breaks + 1, 2)

    def block(self, breaks: int) -> None:
        self.breaks = max(self.breaks, breaks)

    def cell(self) -> None:
        self.gap = "\t"

    def result(self) -> str:
        return "".join(self.pieces)

    def _piece(self, text: str) -> None:
        if self.pieces:
            self.pieces.append("\n" * self.breaks or self.gap)
        self.pieces.append(text)
        self.breaks, self.gap = 0, ""


class _Reader:
    """Walks the source from `<` to `<`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.writer = _Writer()
        self.absent: dict[str, int] = {}  # mark -> from here on it does not come again
        self.quotes_close = True

    def run(self) -> None:
        at = 0
        while at < len(self.source):
            found = _MARKUP.search(self.source, at)
            start = found.start() if found else len(self.source)
            if start > at:
                self.writer.text(self.source[at:start])
            at = self._markup(start) if found else start

    def _markup(self, start: int) -> int:
        """Handle the markup at `start`; returns where to go on."""
        if self.source.startswith("<!--", start):
            return self._find("-->", start + 2) or self._literal(start)
        tag = _TAG.match(self.source, start)
        if tag is None:
            return self._find(">", start) or self._literal(start)
        end = self._tag_end(tag.end())
        return self._element(tag[2].lower(), closing=bool(tag[1]), end=end) if end else self._literal(start)

    def _literal(self, start: int) -> int:
        self.writer.text("<")
        return start + 1

    def _element(self, name: str, *, closing: bool, end: int) -> int:
        if name in _DROPPED and not closing:
            closed = self._find_close(name, end)
            return closed or end
        if name == "br":
            self.writer.line()
        elif name in _CELLS:
            self.writer.cell()
        elif name in _BREAKS:
            self.writer.block(_BREAKS[name])
        if name == "pre":
            self.writer.preformatted = max(0, self.writer.preformatted + (-1 if closing else 1))
        return end

    def _find(self, mark: str, start: int) -> int:
        """Where the next `mark` ends, from `start` on; 0 when there is none."""
        if start >= self.absent.get(mark, len(self.source) + 1):
            return 0
        found = self.source.find(mark, start)
        if found < 0:
            self.absent[mark] = start
            return 0
        return found + len(mark)

    def _find_close(self, name: str, start: int) -> int:
        mark = f"</{name}"
        if mark in self.absent:
            return 0
        found = re.compile(rf"{mark}(?=[\s/>])[^>]*>?", re.IGNORECASE).search(self.source, start)
        if found is None:
            self.absent[mark] = start
            return 0
        return found.end()

    def _tag_end(self, start: int) -> int:
        """Behind the `>` of a tag; one inside a quoted attribute does not count, unless that leaves the tag open."""
        end, at = self._find(">", start), start
        while end and self.quotes_close:
            quoted = _QUOTED.search(self.source, at, end)
            at = self._find(quoted[1], quoted.end()) if quoted else 0
            if not at:
                return end
            if at > end:
                end = self._find(">", at)
        if not end:
            self.quotes_close = False
        return end or self._find(">", start)

"""What is printed: one line for each work, each with its ratio to the limit beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.benchmarks.timing import Timing

HEAD = ("work", "p50 ms", "p95 ms", "x limit", "CPU ms", "x limit", "aim", "")


@dataclass(slots=True)
class Table:
    lines: list[tuple[str, ...]] = field(default_factory=list)

    def section(self, title: str) -> None:
        self.lines.append((title,))

    def compare(
        self, timings: Mapping[str, Timing], *, limit: str, aims: Mapping[str, str], notes: Mapping[str, str]
    ) -> None:
        """One line for each timing; `limit` names the one that the others are set against."""
        bottom = timings[limit]
        for name, timing in timings.items():
            self.lines.append(
                (
                    name,
                    f"{timing.p50 * 1e3:.2f}",
                    f"{timing.p95 * 1e3:.2f}",
                    f"{timing.p50 / bottom.p50:.1f}",
                    f"{timing.cpu * 1e3:.2f}",
                    f"{timing.cpu / bottom.cpu:.1f}",
                    aims.get(name, ""),
                    notes.get(name, ""),
                )
            )

    def fact(self, name: str, value: str, *, aim: str = "", note: str = "") -> None:
        self.lines.append((name, value, "", "", "", "", aim, note))

    def print(self, foot: str) -> None:
        rows = [HEAD, *(line for line in self.lines if len(line) > 1)]
        widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
        print(_line(HEAD, widths))
        for line in self.lines:
            print(_line(line, widths) if len(line) > 1 else f"\n{line[0]}")
        print(f"\n{foot}")


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = (
        cell.ljust(width) if place in (0, 6, 7) else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()

"""Line charts as SVG: panels side by side, each with axes, ticks and labelled lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, MARGIN = 420, 280, 56
COLORS = ("#1f6feb", "#d1480f", "#2d7d46")


@dataclass(frozen=True)
class Line:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """What the axes say, the lines, and whether both axes are logarithmic; else they begin at zero."""

    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False


def svg(*panels: Panel) -> str:
    """The panels as the text of an SVG file."""
    drawn = "".join(
        f'<g transform="translate({number * WIDTH} 0)">{_draw(panel)}</g>' for number, panel in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * len(panels)}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n'
    )


def _draw(panel: Panel) -> str:
    points = [point for line in panel.lines for point in line.points]
    (x_ticks, x_at), (y_ticks, y_at) = (
        _axis([point[n] for point in points], panel.logarithmic, *ends)
        for n, ends in enumerate(((MARGIN, WIDTH - 20), (HEIGHT - 40, 16)))
    )
    out = [f'<path d="M{MARGIN} 16V{HEIGHT - 40}H{WIDTH - 20}" fill="none" stroke="#444"/>']
    out += [f'<text x="{x_at(x):.0f}" y="{HEIGHT - 24}" text-anchor="middle">{x:,g}</text>' for x in x_ticks]
    out += [f'<text x="{MARGIN - 6}" y="{y_at(y) + 4:.0f}" text-anchor="end">{y:,g}</text>' for y in y_ticks]
    out.append(f'<text x="{(MARGIN + WIDTH) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(panel.x)}</text>')
    out.append(f'<text x="{MARGIN + 6}" y="14">{escape(panel.y)}</text>')
    for number, (line, color) in enumerate(zip(panel.lines, COLORS, strict=False)):
        path = " ".join(f"{x_at(x):.1f},{y_at(y):.1f}" for x, y in line.points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        out.append(f'<text x="{MARGIN + 12}" y="{34 + 15 * number}" fill="{color}">{escape(line.name)}</text>')
    return "".join(out)


def _axis(values: Sequence[float], logarithmic: bool, start: float, end: float):  # type: ignore[no-untyped-def]
    """Ticks of an axis from pixel ``start`` to ``end``, and the function from a value to its pixel."""
    if logarithmic:
        low, high = (
            round_(math.log10(value)) for round_, value in ((math.floor, min(values)), (math.ceil, max(values)))
        )
        high = max(high, low + 1)
        ticks = [10.0**power for power in range(low, high + 1)]
        return ticks, lambda value: start + (math.log10(value) - low) / (high - low) * (end - start)
    step = 10 ** math.floor(math.log10(max(values)))
    step = step / 2 if max(values) < 3 * step else step
    top = step * math.ceil(max(values) / step)
    return [step * n for n in range(round(top / step) + 1)], lambda value: start + value / top * (end - start)

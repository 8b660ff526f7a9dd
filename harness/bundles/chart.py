"""The picture of a bundle: how many inputs of each size show the divergence, and what it does to scores."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.account import Series
from harness.bundles.measuring import Measured, Measurements
from harness.bundles.search import Reach
from harness.impact.comparison import Comparison, Measure
from harness.printable import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "consequence.svg"

DOCUMENTED, OBSERVED, QUIET = "#0072b2", "#d55e00", "#d9d9d9"
"""Okabe and Ito's blue and vermilion, which the colour-blind tell apart; and a grey."""

_SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 9.0,
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "rankdiff",  # the same picture is the same file
    "text.parse_math": False,  # a dollar is a dollar
    "axes.spines.top": False,
    "axes.spines.right": False,
}

MOST_LABELS = 12
"""Labels that fit below an axis."""


def draw(reach: Reach, measurements: Measurements, size: str = "", impact: Comparison | None = None) -> str:
    """Return the picture, as SVG: a panel of counts, one for each series with a number in it, one for each measure."""
    # Half a second to import, which no other command should wait for.
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    series = [
        (one, points) for one, points in measurements.series if any(p.span or p.documented is not None for p in points)
    ]
    measures = [one for one in (impact.measures if impact else ()) if one.total == "mean" and len(one.series)]
    has_sizes = len(reach.by_size()) > 1 or not (series or measures)
    count = has_sizes + len(series) + len(measures)
    columns = min(count, 2)
    rows = -(-count // columns)
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(4.5 * columns, 3.1 * rows), layout="constrained", facecolor="white")
        panels = list(figure.subplots(rows, columns, squeeze=False).flat)
        if has_sizes:
            _draw_sizes(panels[0], reach, size)
        for panel, (one, points) in zip(panels[has_sizes:], series, strict=False):
            _draw_series(panel, one, points)
        for panel, measure in zip(panels[has_sizes + len(series) :], measures, strict=False):
            _draw_measure(panel, measure)
        for panel in panels[count:]:
            panel.set_axis_off()
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": "Consequence"})
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def _draw_sizes(panel: "Axes", reach: Reach, size: str) -> None:
    """Draw for each size the share of inputs that show the divergence."""
    sizes = reach.by_size()
    places = range(len(sizes))
    shares = [100 * showing / inputs for _, inputs, showing in sizes]
    panel.bar(places, [100.0] * len(sizes), color=QUIET, label="the others")
    bars = panel.bar(places, shares, color=OBSERVED, label="affected")
    panel.bar_label(bars, [f"{showing:,}" for _, _, showing in sizes], padding=1)
    panel.set_xticks(places, [f"{size}\n{inputs:,}" for size, inputs, _ in sizes])
    panel.set_xlabel(_words(f"{size or 'size of the input'}, and how many inputs there are"))
    panel.set_ylabel("affected, % of the inputs")
    panel.set_ylim(0, 112)
    panel.set_title(_words(f"all {reach.certificate.inputs:,} inputs: {reach.certificate.domain.name}"))
    panel.legend(loc="upper left", frameon=False, ncols=2)


def _draw_series(panel: "Axes", series: Series[Any], points: Sequence[Measured]) -> None:
    """Draw documented and observed values along a series; where there is no observed one, a cross says so."""
    places = list(range(len(points)))
    documented = [(k, p.documented) for k, p in zip(places, points, strict=True) if p.documented is not None]
    observed = [(k, p.observed) for k, p in zip(places, points, strict=True) if p.observed is not None]
    word = points[0].instance.source_word
    spans = [(k, *p.span) for k, p in zip(places, points, strict=True) if p.span]
    if spans:
        ks, lows, highs = zip(*spans, strict=True)
        panel.fill_between(ks, lows, highs, color=DOCUMENTED, alpha=0.15, linewidth=0, label=word)
    if documented:
        panel.plot(*zip(*documented, strict=True), color=DOCUMENTED, marker="o", label=word, zorder=2)
    if observed:
        panel.plot(*zip(*observed, strict=True), color=OBSERVED, marker="s", ls="--", label="observed", zorder=3)
    seen = {k for k, _ in observed}
    none = [(k, y) for k, y in documented if k not in seen]
    if none:
        xs, ys = zip(*none, strict=True)
        panel.scatter(xs, ys, color=OBSERVED, marker="x", s=70, label="no number observed", zorder=4)
    step = -(-len(points) // MOST_LABELS)
    panel.set_xticks(places[::step], [_words(p.place) for p in points[::step]])
    panel.set_xlabel(_words(series.along))
    panel.set_ylabel(_words(series.value))
    panel.set_title(_words(series.title), wrap=True)
    panel.legend(frameon=False)


def _draw_measure(panel: "Axes", measure: Measure) -> None:
    """Draw the totals of somebody's runs, as shipped and as documented."""
    totals = [one.total for one in measure.series]
    places = range(len(totals))
    panel.barh(
        [k - 0.2 for k in places], [t.documented or 0.0 for t in totals], 0.4, color=DOCUMENTED, label="documented"
    )
    panel.barh([k + 0.2 for k in places], [t.shipped or 0.0 for t in totals], 0.4, color=OBSERVED, label="observed")
    panel.set_yticks(places, [_words(total.of) for total in totals])
    panel.invert_yaxis()
    panel.set_title(_words(f"{measure.name}, mean over the topics"))
    panel.legend(frameon=False)


def _words(text: str) -> str:
    return printable(text)

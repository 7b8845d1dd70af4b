"""Ranks: the leaderboard, with the interval of each rank."""

from __future__ import annotations

from matplotlib.axes import Axes

from irpref.pairwise.leaderboard import Leaderboard
from irpref.show.plots import labels
from irpref.show.plots.colours import BLUE, FAINT, INK
from irpref.show.plots.figures import NewAxes
from irpref.show.reports.comparison_notes import how_tested


def draw_ranks(place: NewAxes, ranked: Leaderboard, top: int | None, topics: int) -> Axes:
    """Draw a line for each system: a dot at its rank, and a bar from the lowest to the highest.

    Args:
        place: Where to draw.
        ranked: The leaderboard.
        top: How many systems to show, the best ones; None for all.
        topics: On how many topics.
    """
    board, how = ranked.frame()[:top], ranked.how
    axes = place(8.0, 1.3 + 0.19 * max(len(board), 4))
    rows, ends = range(len(board)), (board["rank_low"], board["rank_high"])
    axes.hlines(rows, *ends, color=BLUE, alpha=0.55, linewidth=5, zorder=2)
    axes.plot(board["rank"], rows, "o", color=INK, markersize=4.5, zorder=3)
    axes.set_ylim(len(board) - 0.4, -0.6)
    furthest = int(board["rank_high"].max())
    axes.set_xlim(0.5, furthest + 0.5)
    labels.whole_numbers(axes, 1, furthest)
    axes.spines["bottom"].set_bounds(1, furthest)
    axes.grid(axis="x", color=FAINT, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_label(ranked.signature)
    axes.set_xlabel(f"rank (dot), and where it may lie by the tests (bar):\n{how_tested(how)}")
    labels.label_rows(axes, labels.plain_names(list(board.index)))
    best = f"The best {len(board):,} of" if len(board) < len(ranked) else "Ranks of"
    labels.entitle(
        axes, f"{best} {len(ranked):,} systems by {labels.plain(how['preference'])}", topics
    )
    return axes

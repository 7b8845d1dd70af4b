"""The profile: how many topics either system wins, by the share of the recall that a user wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure
from matplotlib.patheffects import withStroke

from irpref.show.plots.colours import BLUE, INK, QUIET, VERMILLION, colour_of
from irpref.show.plots.labels import entitle, number, plain_names

_COLUMNS = 3


@dataclass(frozen=True, eq=False)
class ProfilePanel:
    """What one panel shows.

    Attributes:
        heading: Whose recall it is of, such as ``"grade ≥ 2"``; None if it goes without saying.
        profile: The profile by share (:meth:`irpref.Comparison.profile`).
        mean: What the mean of the net line is, such as ``"RPP(graded=False)"``.
        decided: By preference, in the order LP and LR: at which share how many topics are decided
            (:func:`.deciding_levels`).
    """

    heading: str | None
    profile: pd.DataFrame
    mean: str
    decided: dict[str, pd.DataFrame]


def draw_profile(
    place: Callable[[float, float], Figure | SubFigure],
    names: tuple[str, str],
    panels: Sequence[ProfilePanel],
) -> Figure | SubFigure:
    """Draw one panel for each profile into a figure, at most three side by side.

    Above 0 is the share of the topics that the first system wins, below 0 the share that the second one
    wins, and the line is their difference, with its interval as a band. A tick is a topic at the level that
    decides it; where several topics have the same level, the tick is as long as they are many.
    """
    columns = min(len(panels), _COLUMNS)
    rows = -(-len(panels) // columns)
    mains, alone = list[Axes](), len(panels) == 1
    figure = place(8.5 if alone else 4.6 * columns, 5.2 * rows)
    grid = figure.add_gridspec(rows, columns)
    for index, panel in enumerate(panels):
        row, column = divmod(index, columns)
        parts = grid[row, column].subgridspec(3, 1, height_ratios=[1, 6, 1], hspace=0.04)
        above = figure.add_subplot(parts[0])
        main = figure.add_subplot(parts[1], sharex=above, sharey=mains[0] if mains else None)
        below = figure.add_subplot(parts[2], sharex=above)
        topics = int(panel.profile["topics"].max())
        _draw_shares(main, panel, alone=alone)
        if not mains:
            _name_sides(main, names, alone=alone)
        _draw_strip(above, "LP", "first", panel.decided["LP"], topics)
        _draw_strip(below, "LR", "last", panel.decided["LR"], topics)
        if panel.heading is not None:
            above.annotate(
                panel.heading if alone else f"{panel.heading}\n{_net(panel)}",
                (0, 1),
                (0, 17),
                xycoords="axes fraction",
                textcoords="offset points",
                color=INK,
                weight="bold",
            )
        for each in (above, main):
            each.tick_params(bottom=False, labelbottom=False)
            each.spines["bottom"].set_visible(False)
        if index + columns >= len(panels):
            of = "the topic's relevant documents" if alone else "relevant documents"
            below.set_xlabel(f"share of {of} that a user wants (%)")
        if column == 0:
            of = f"the {topics:,} topics" if alone else "topics"
            main.set_ylabel(f"share of {of} (%)")
        mains.append(main)
    shares = pd.concat([_shares(panel) for panel in panels])
    won = float(shares[["wins", "high"]].max().max())
    lost = float(shares[["losses"]].assign(low=-shares["low"]).max().max())
    # Room for the names above and below, and for the legend.
    room = 0.13 * (won + lost) or 1
    mains[0].set_ylim(-lost - 1.9 * room, won + room)
    a, b = plain_names(names)
    most = max(int(panel.profile["topics"].max()) for panel in panels)
    entitle(figure, f"Who reaches each share of recall first: {a} or {b}", most)
    return figure


def _shares(panel: ProfilePanel) -> pd.DataFrame:
    """Wins, losses, mean and its interval in percent of the topics."""
    profile = panel.profile
    shares = profile[["wins", "losses"]].div(profile["topics"], axis=0)
    return shares.join(profile[["mean", "low", "high"]]) * 100


def _net(panel: ProfilePanel) -> str:
    return f"net {number(panel.profile['mean'].mean(), 3)} on average = {panel.mean}"


def _draw_shares(axes: Axes, panel: ProfilePanel, *, alone: bool) -> None:
    shares = _shares(panel)
    edges = [0.0, *(share * 100 for share in shares.index)]
    axes.stairs(shares["wins"], edges, fill=True, color=BLUE, linewidth=0)
    axes.stairs(-shares["losses"], edges, fill=True, color=VERMILLION, linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.stairs(
        shares["high"],
        edges,
        baseline=shares["low"],
        fill=True,
        facecolor=(*to_rgb(INK), 0.15),
        edgecolor=INK,
        linewidth=0.7,
        linestyle="--",
        label="its pointwise 95 % interval" if alone else "95 % interval",
    )
    axes.stairs(
        shares["mean"],
        edges,
        baseline=None,
        color=INK,
        linewidth=1.6,
        label=_net(panel) if alone else "net",
        path_effects=[withStroke(linewidth=3, foreground="white", alpha=0.85)],
    )
    axes.legend(loc="lower right", frameon=False, fontsize=9, borderaxespad=0.3)
    axes.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
    axes.set_xlim(0, 100)
    axes.spines[["top", "right"]].set_visible(False)


def _name_sides(axes: Axes, names: tuple[str, str], *, alone: bool) -> None:
    places = ((0.985, "top", BLUE), (0.015, "bottom", VERMILLION))
    for name, (height, side, colour) in zip(plain_names(names), places, strict=True):
        axes.text(
            0.012,
            height,
            f"{name} gets there first" if alone else f"{name} first",
            transform=axes.transAxes,
            va=side,
            color=colour,
            weight="bold",
            size=10 if alone else 8.5,
        )


def _draw_strip(axes: Axes, name: str, which: str, decided: pd.DataFrame, topics: int) -> None:
    most = int(decided["topics"].max()) if len(decided) else 1
    axes.axhline(0, color=INK, linewidth=0.8)
    places, ticks = 100 * decided["share"], decided["sign"] * decided["topics"] / most
    colours = list(map(colour_of, decided["sign"]))
    axes.vlines(places, 0, ticks, colours, linewidth=1.4, clip_on=False)
    won, lost = (int(decided.loc[decided["sign"] == sign, "topics"].sum()) for sign in (1, -1))
    axes.set_ylim(-1.12, 1.12)
    axes.set_yticks([0.56, -0.56], [f"{won:,}", f"{lost:,}"])
    axes.tick_params(axis="y", length=0)
    for label, sign in zip(axes.get_yticklabels(), (1, -1), strict=True):
        label.set(color=colour_of(sign), fontweight="bold")
    axes.set_ylabel(name, rotation=0, ha="right", va="center", weight="bold")
    longest = f"; longest tick: {most:,} topics" if most > 1 else ""
    tied = f"; {topics - won - lost:,} tied" if won + lost < topics else ""
    words = f"{name}: the {which} level that differs decides{longest}{tied}"
    axes.set_title(words, loc="left", fontsize=8, color=QUIET, pad=3)
    axes.spines[["top", "right", "left"]].set_visible(False)

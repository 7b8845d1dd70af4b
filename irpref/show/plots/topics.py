"""Topics by depth: the lead in relevant items, in the five groups of IPSO."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.ticker import MaxNLocator

from irpref.pairwise.challenges import GROUPS
from irpref.pairwise.feeds.plot_numbers import TopicLeads
from irpref.show.plots import labels
from irpref.show.plots.colours import BLUE, INK, VERMILLION, ahead_or_behind
from irpref.show.plots.figures import NewAxes


def draw_topics(place: NewAxes, names: tuple[str, str], topics: TopicLeads) -> Axes:
    """Draw a row for each topic, in the order of the frame, and a column for each depth.

    Args:
        place: Where to draw.
        names: The names of the two systems.
        topics: The result of :func:`.topic_leads`.
    """
    a, b = labels.plain_names(names)
    leads = topics.leads
    greatest = int(leads.abs().to_numpy().max(initial=1))
    depth, rows = leads.shape[1], len(leads)
    axes = place(9.0, min(1.9 + 0.15 * max(rows, 8), 11.3))
    cells = axes.imshow(
        leads.to_numpy(),
        cmap=ahead_or_behind(),
        norm=Normalize(-greatest, greatest),
        aspect="auto",
        interpolation="none",
        extent=(0.5, depth + 0.5, rows - 0.5, -0.5),
    )
    ticks = MaxNLocator(10, integer=True)
    bar = labels.whole_figure(axes).colorbar(cells, ax=axes, shrink=0.6, ticks=ticks, pad=0.02)
    bar.ax.yaxis.set_major_formatter(lambda lead, _: f"{abs(lead):g}")
    bar.set_label(f"relevant documents ahead\n(darkest: {greatest:,})")
    labels.whole_numbers(axes, 1, depth)
    axes.set_xlabel(f"depth k{labels.shorter_lists((a, b), topics.lengths, depth)}")
    axes.set_ylabel("topic")
    labels.label_rows(axes, labels.plain_names(list(leads.index.get_level_values("topic"))))
    # In the order of the groups.
    phrases = (
        (f"both lead,\n{b} first", VERMILLION),
        (f"{b}\nnever behind", VERMILLION),
        ("never apart", INK),
        (f"{a}\nnever behind", BLUE),
        (f"both lead,\n{a} first", BLUE),
    )
    words = dict(zip(GROUPS, phrases, strict=True))
    sizes = leads.groupby(level="group", sort=False).size()
    ends = sizes.cumsum()
    for end in ends[:-1]:
        axes.axhline(end - 0.5, color=INK, linewidth=1)
    centres = (ends - sizes / 2 - 0.5).to_list()
    texts = [f"{words[str(group)][0]} ({size:,})" for group, size in sizes.items()]
    group_axis = axes.twinx()
    group_axis.set_ylim(axes.get_ylim())
    group_axis.tick_params(axis="y", length=0, labelsize=8.5)
    group_axis.set_yticks(centres, texts)
    labels.lay_out(axes)
    # A text has two lines: so many rows high is the room that it needs.
    height = 2 * 8.5 * 1.25 / labels.room_for_each(axes, rows)
    # Rows begin half of one above 0.
    places = labels.apart([each + 0.5 for each in centres], [height] * len(centres), rows)
    group_axis.set_yticks([each - 0.5 for each in places], texts)
    for label, group in zip(group_axis.get_yticklabels(), sizes.index, strict=True):
        label.set_color(words[str(group)][1])
    labels.entitle(axes, f"{a} against {b} in the groups of {topics.grouping}", rows)
    return axes

"""Tables in LaTeX, Markdown and HTML, as pandas would write them, which takes many times as long."""

from __future__ import annotations

from irpref.render.markup import (
    clean_html,
    clean_latex,
    clean_latex_rows,
    clean_mark,
    clean_markdown,
)
from irpref.render.table import Table

__all__ = ["html_table", "latex_table", "markdown_table"]


def latex_table(table: Table, caption: str) -> str:
    """A table environment with booktabs rules."""
    rows = table.cells(lambda mark: f"$^{{{clean_mark(mark)}}}$", clean_latex)
    names = [clean_latex(name) for name in table.frame.columns]
    heading, *lines = (rf"{' & '.join(cells)} \\" if cells else "" for cells in [names, *rows])
    columns = "".join("r" if right else "l" for right in table.right_aligned())
    return clean_latex_rows(
        "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{clean_latex(caption)}}}",
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                *[heading][: len(names)],
                r"\midrule",
                *lines,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )
    )


def markdown_table(table: Table) -> str:
    """A table in GitHub's form, its columns as wide as their texts."""
    rows = table.cells(lambda mark: f" {clean_markdown(mark)}", clean_markdown)
    columns = []
    for number, name in enumerate(table.frame.columns):
        heading, texts = clean_markdown(name), [row[number].strip() for row in rows]
        width = max(len(heading) + 2, *map(len, texts), 0)
        if not rows:
            side, rule = str.ljust, "-" * (width + 2)
        elif table.right_aligned()[number]:
            side, rule = str.rjust, f"{'-' * (width + 1)}:"
        else:
            side, rule = str.ljust, f":{'-' * (width + 1)}"
        columns.append(
            [f" {side(heading, width)} ", rule, *(f" {side(each, width)} " for each in texts)]
        )
    return "\n".join(f"|{'|'.join(cells)}|" for cells in zip(*columns, strict=True))


def html_table(table: Table) -> str:
    """A table element, a cell a line."""
    rows = table.cells(lambda mark: f"<sup>{clean_html(mark)}</sup>", clean_html)

    def row(cells: list[str], kind: str, start: str = "<tr>") -> str:
        inside = "".join(f"      <{kind}>{cell.strip()}</{kind}>\n" for cell in cells)
        return f"    {start}\n{inside}    </tr>\n"

    heading = row(
        list(map(clean_html, table.frame.columns)), "th", '<tr style="text-align: right;">'
    )
    return (
        f'<table class="dataframe">\n  <thead>\n{heading}  </thead>\n  <tbody>\n'
        f"{''.join(row(cells, 'td') for cells in rows)}  </tbody>\n</table>"
    )

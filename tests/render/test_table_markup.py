"""Tables in LaTeX, Markdown and HTML, letter by letter as pandas writes them."""

from __future__ import annotations

import polars as pl

from irpref.render.table import Table
from irpref.render.table_markup import html_table, latex_table, markdown_table

TABLE = Table(
    "",
    pl.DataFrame({"a_name": [" x", "[y]"], "mean": [0.5, -0.25]}),
    {"mean": "+.2f"},
    {"mean": ["†", ""]},
)
NO_ROWS = Table("", pl.DataFrame({"a": [], "n": []}, schema={"a": pl.String, "n": pl.Int64}))
NOTHING = Table("", pl.DataFrame())


def test_latex() -> None:
    assert latex_table(TABLE, "50 %").splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \%}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a\_name & mean \\",
        r"\midrule",
        r" x & +0.50$^{\dagger}$ \\",
        r"{}[y] & -0.25 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    assert r"\toprule" "\n" r"a & n \\" "\n" r"\midrule" "\n" r"\bottomrule" in latex_table(
        NO_ROWS, ""
    )
    assert "\\toprule\n\\midrule\n\\bottomrule" in latex_table(NOTHING, "")


def test_markdown() -> None:
    assert markdown_table(TABLE).splitlines() == [
        r"| a\_name   |    mean |",
        r"|:----------|--------:|",
        r"| x         | +0.50 † |",
        r"| \[y\]     |   -0.25 |",
    ]
    assert markdown_table(NO_ROWS).splitlines() == ["| a   | n   |", "|-----|-----|"]
    assert markdown_table(NOTHING) == ""


def test_html() -> None:
    assert html_table(TABLE).splitlines() == [
        '<table class="dataframe">',
        "  <thead>",
        '    <tr style="text-align: right;">',
        "      <th>a_name</th>",
        "      <th>mean</th>",
        "    </tr>",
        "  </thead>",
        "  <tbody>",
        "    <tr>",
        "      <td>x</td>",
        "      <td>+0.50<sup>†</sup></td>",
        "    </tr>",
        "    <tr>",
        "      <td>[y]</td>",
        "      <td>-0.25</td>",
        "    </tr>",
        "  </tbody>",
        "</table>",
    ]
    assert html_table(NO_ROWS).endswith("  <tbody>\n  </tbody>\n</table>")

"""HTML from templates: reports for notebooks, and whole pages that load nothing and obey nobody else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from irpref.base.escape import escaped
from irpref.report.table import Table

_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; "
    "base-uri 'none'; form-action 'none'"
)
_OWN = re.compile(r"https://irpref\.github\.io/irpref/[\w-]+\.html")


def filled(name: str, **values: object) -> Markup:
    """A fragment of a page: a template of this folder with its values.

    Args:
        name: ``"report"``, or ``"explorer"``: where a page shows pairs and topics, which its scripts
            fill in; or the whole ``"document"``.
        values: Of a report the ``report``, and ``whole``: whether the fragment is the beginning of a page,
            whose heading is the title then. The page of a comparison has ``about``, the parts of the
            line above, and ``warnings``.
    """
    return Markup(_environment().get_template(f"{name}.html.jinja").render(values))


def scripts() -> str:
    """The scripts of such a page, one after the other by their names."""
    folder = files("irpref.report.html").joinpath("scripts")
    texts = sorted((each.name, each.read_text(encoding="utf-8")) for each in folder.iterdir())
    return "\n".join(text for name, text in texts if name.endswith(".js"))


def document(
    body: Markup,
    *,
    title: str,
    running: Sequence[str] = (),
    **given: Mapping[str, Any],
) -> str:
    """A whole page with the style of all pages.

    Its content security policy lets run and style what stands in it by our hand, and nothing else; it asks
    for nothing.

    Args:
        body: What people see.
        title: What the window is called.
        running: Texts of scripts, our own.
        given: For the scripts ``data``, values by the id of their element, and ``packed`` parts by name.
    """
    style = files("irpref.report.html").joinpath("style.css").read_text(encoding="utf-8")
    policy = _POLICY.format(scripts=_hashes(running), styles=_hashes([style]))
    page = filled(
        "document",
        title=title,
        # Within an attribute of double quotes, and made of nothing but letters, digits and these signs.
        policy=Markup(policy),
        styles=[Markup(style)],
        body=body,
        scripts=list(map(Markup, running)),
        **given,
    )
    return str(page)


def _hashes(texts: Sequence[str]) -> str:
    """The sources of a policy that are these texts and no others."""
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in digests) or "'none'"


@cache
def _environment() -> Environment:
    """The templates; every text is escaped where it stands."""
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("irpref.report.html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # A value for a script has no NaN.
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    environment.filters |= {"escaped": escaped, "linked": _linked, "marked_cells": _marked_cells}
    return environment


def _linked(text: str) -> Markup:
    """A text, escaped, in which the addresses of our own documentation are links."""
    return Markup(_OWN.sub(r'<a href="\g<0>">\g<0></a>', str(escape(escaped(text)))))


def _marked_cells(table: Table) -> list[list[str]]:
    """The cells of a table, escaped, with raised marks."""
    return table.cells(
        lambda mark: Markup("<sup>{}</sup>").format(escaped(mark)),
        lambda text: escape(escaped(text)),
    )

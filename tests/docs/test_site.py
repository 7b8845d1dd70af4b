"""The built documentation: what a reader finds on its pages."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from posixpath import normpath
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from matplotlib.image import imread

import irpref
from irpref import Comparison, Summary
from irpref.api.compared import Compared
from irpref.api.task_comparison import TaskComparison
from irpref.base.named import Named
from irpref.report.report import Report
from irpref.show.reports.corroboration_report import Corroboration
from irpref.show.reports.explanation_report import Explanation
from irpref.studies import known_studies
from tests.browser import Browser

_ROOT = Path(__file__).parents[2]
_DOCS = _ROOT / "docs"
_NAMES = [name for name in irpref.__all__ if name not in ("__version__", "studies")]
_OBJECTS = [name for name in _NAMES if isinstance(getattr(irpref, name), Named)]
_SHORT_FORMS = [name for name in _OBJECTS if getattr(irpref, name).name != name]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that ``IRPREF_SITE`` names, as ``make docs`` has built it; else one built here.

    It is built from a copy, so that what the build writes beside the sources is not left there.
    """
    if built := os.environ.get("IRPREF_SITE"):
        return _ROOT / built
    folder = tmp_path_factory.mktemp("documentation")
    shutil.copytree(_DOCS, folder / "docs", ignore=shutil.ignore_patterns("reference", "pictures"))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-n", "-W", "--keep-going", "-q", "docs", "site"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def files(site: Path) -> dict[str, BeautifulSoup]:
    """All pages with what is around them, by address."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(
            path.read_text(encoding="utf-8"), "html.parser"
        )
        for path in site.rglob("*.html")
    }


@pytest.fixture(scope="module")
def pages(files: dict[str, BeautifulSoup]) -> dict[str, Tag]:
    """The articles of all pages, by address."""
    found = {}
    for address, page in files.items():
        # The search page has none without JavaScript.
        if page.article is not None:
            for link in page.article.select("a.headerlink"):
                link.decompose()
            found[address] = page.article
    return found


@pytest.fixture(scope="module")
def reference(pages: dict[str, Tag]) -> dict[str, Tag]:
    """The pages that the index of the reference links to, by the name it shows."""
    links = pages["reference.html"].select("td a")
    return {link.get_text(): pages[str(link["href"]).partition("#")[0]] for link in links}


def text_of(tag: Tag) -> str:
    return " ".join(tag.get_text().split())


def docstring_of(name: str) -> str:
    found = getattr(irpref, name)
    return inspect.getdoc(type(found) if name in _OBJECTS else found) or ""


@pytest.mark.parametrize(
    "name",
    [
        *(f"irpref.{name}" for name in _NAMES),
        "irpref_ir_measures",
        "irpref_ir_measures.scores",
        "irpref_ranx.PreferenceReport",
        "irpref_ranx.compare",
        "irpref_ranx.reference",
        "irpref_ranx.register",
        "irpref_pyterrier.compare",
        "irpref_dask.compare",
        "irpref_lenskit.ListComparison",
        "irpref_lenskit.Metric",
        "irpref_lenskit.compare",
    ],
)
def test_a_public_name_has_a_page_with_its_text(name: str, reference: dict[str, Tag]) -> None:
    page = reference[name]
    assert page.h1 is not None
    assert page.h1.get_text() == name
    shown = page.select_one("dt.sig .descname, dt.sig .sig-name")
    assert shown is not None
    assert shown.get_text() == name.rpartition(".")[2] or name == "irpref_ir_measures"


def test_every_study_has_a_page_and_a_place_among_what_was_found(
    reference: dict[str, Tag], pages: dict[str, Tag]
) -> None:
    found = text_of(pages["what-papers-found.html"])
    for name, experiment in known_studies().items():
        assert experiment.question in text_of(reference[name.replace("-", "_")])
        assert f"irpref study {name} --claims" in found


def test_no_two_pages_differ_in_case_only(pages: dict[str, Tag]) -> None:
    twice = [page for page, count in Counter(map(str.lower, pages)).items() if count > 1]
    assert not twice


def test_every_measure_of_the_adapter_of_ir_measures_is_described(
    reference: dict[str, Tag],
) -> None:
    import irpref_ir_measures

    shown = reference["irpref_ir_measures"].select("dl.py.data > dt .sig-name")
    assert {name.get_text() for name in shown} == {*irpref_ir_measures.__all__} - {"scores"}
    described = reference["irpref_ir_measures"].select("dl.py.data > dd")
    assert all(text_of(text) for text in described)


@pytest.mark.parametrize("name", _NAMES)
def test_examples_are_highlighted_a_statement_a_line(name: str, reference: dict[str, Tag]) -> None:
    lines = []
    for block in reference[f"irpref.{name}"].select("div.highlight pre"):
        # A prompt is a token of its own at the start of its line.
        prompts = len(re.findall(r"^(?:>>>|\.\.\.) ", block.get_text(), re.MULTILINE))
        assert len(block.select("span.gp")) == prompts
        lines += [line[4:] for line in block.get_text().splitlines() if line.startswith(">>> ")]
    for example in doctest.DocTestParser().get_examples(docstring_of(name)):
        assert example.source.splitlines()[0] in lines


def test_no_example_is_running_text(pages: dict[str, Tag]) -> None:
    for address, page in pages.items():
        highlighted = sum(pre.get_text().count(">>>") for pre in page.select("div.highlight pre"))
        assert page.get_text().count(">>>") == highlighted, address


def test_no_markup_is_left_in_the_text(pages: dict[str, Tag]) -> None:
    markup = re.compile(r":(?:meth|func|class|data|attr|mod|exc):|`|\b(?:Args|Raises|Returns):")
    for address, page in pages.items():
        running = BeautifulSoup(str(page), "html.parser")
        # The headings of fields read like a docstring's.
        for tag in running.select("dl.field-list > dt, pre"):
            tag.decompose()
        assert not markup.findall(running.get_text()), address


def test_what_is_returned_is_one_text(reference: dict[str, Tag]) -> None:
    page = reference["irpref.evaluate"]
    [returns] = [
        text
        for text in page.select("dt + dd")
        if text_of(text.find_previous_sibling("dt")) == "Returns:"
    ]
    assert text_of(returns).startswith(
        "Columns system, topic, measure, value: every topic of the qrels, those without"
    )


def test_what_a_property_is_is_one_text(reference: dict[str, Tag]) -> None:
    [report] = reference["Corroboration"].select("dt[id$='.Corroboration.report'] + dd")
    assert text_of(report).endswith("proposal, in any format: .report.to_latex().")
    assert text_of(report).startswith("The table of the paper")


@pytest.mark.parametrize("name", _OBJECTS)
def test_the_page_of_an_object_says_all_of_its_class(name: str, reference: dict[str, Tag]) -> None:
    found = getattr(irpref, name)
    page = reference[f"irpref.{name}"]
    first = docstring_of(name).partition("\n")[0]
    assert first.replace("``", "") in text_of(page)
    options = [shown.get_text() for shown in page.select("dl.py.attribute > dt .sig-name")]
    assert sorted(options) == sorted(field.name for field in dataclasses.fields(found))
    for option in page.select("dl.py.attribute"):
        assert option.select_one("dt .sig-name + .property"), "no type"
        assert option.dd is not None
        assert text_of(option.dd)


@pytest.mark.parametrize("name", _SHORT_FORMS)
def test_a_short_form_links_to_the_long_one(name: str, reference: dict[str, Tag]) -> None:
    found = getattr(irpref, name)
    text = reference[f"irpref.{name}"].select_one("dl.py.data > dd")
    assert text is not None
    assert text_of(text).startswith(f"Short for {found}: see irpref.{found.name},")
    assert text.a is not None
    assert text.a["href"] == f"irpref.{found.name}.html#irpref.{found.name}"


@pytest.mark.parametrize(
    "found", [Corroboration, Comparison, Explanation, Report, Summary, TaskComparison]
)
def test_a_class_shows_its_members_once_in_the_order_of_the_source(
    found: Any, reference: dict[str, Tag]
) -> None:
    name = found.__name__
    fields = [field.name for field in dataclasses.fields(found) if field.name[0] != "_"]
    methods = [
        member for member in vars(found) if not member.startswith("_") and member not in fields
    ]
    inherited = vars(Compared) if issubclass(found, Compared) else {}
    shared = sorted(each for each in inherited if each[0] != "_" and each not in vars(found))
    page = reference[f"irpref.{name}" if name in _NAMES else name]
    members = page.select("dl.py.class dl.py > dt .sig-name")
    assert [member.get_text() for member in members] == fields + methods + shared


def test_nothing_is_loaded_from_elsewhere(site: Path, files: dict[str, BeautifulSoup]) -> None:
    for address, page in files.items():
        loaded = [tag.get("src") for tag in page.select("[src]")]
        loaded += [tag.get("href") for tag in page.select("link[href]")]
        assert not [place for place in loaded if re.match(r"(?:https?:)?//", str(place))], address
    for path in site.rglob("*.css"):
        style = path.read_text(encoding="utf-8")
        assert not re.search(r"@font-face|url\(\s*[\"']?(?:https?:)?//|@import", style), path


@pytest.fixture(scope="module")
def places(files: dict[str, BeautifulSoup]) -> dict[str, set[str]]:
    """What a link to a page can name, by address."""
    return {
        address: {str(tag["id"]) for tag in page.select("[id]")} for address, page in files.items()
    }


def test_links_and_images_lead_somewhere(
    site: Path, files: dict[str, BeautifulSoup], places: dict[str, set[str]]
) -> None:
    broken = []
    for address, page in files.items():
        for tag in page.select("a[href], img[src]"):
            link = urlsplit(str(tag.get("href") or tag.get("src")))
            target = normpath(f"{address}/../{unquote(link.path)}") if link.path else address
            known = (site / target).is_file()
            if link.fragment and known:
                known = unquote(link.fragment) in places.get(target, ())
            if not (link.scheme or known):
                broken.append((address, str(tag)))
    assert not broken


def test_links_of_readme_lead_somewhere_from_everywhere(places: dict[str, set[str]]) -> None:
    links = re.findall(r"\]\((.*?)\)", (_ROOT / "README.md").read_text(encoding="utf-8"))
    pages, files = "https://irpref.github.io/irpref/", "https://github.com/irpref/irpref/blob/main/"
    files_as_they_are = "https://raw.githubusercontent.com/irpref/irpref/main/"
    for link in links:
        if link.startswith(pages):
            page, _, place = link.removeprefix(pages).partition("#")
            assert {place} - {""} <= places[page or "index.html"], link
        else:
            assert link.startswith((files, files_as_they_are)), link
            assert (_ROOT / link.removeprefix(files).removeprefix(files_as_they_are)).is_file(), (
                link
            )


def test_pictures_say_what_they_show(pages: dict[str, Tag]) -> None:
    pictures = [picture for page in pages.values() for picture in page.select("img")]
    assert len(pictures) >= 7
    for picture in pictures:
        assert len(str(picture["alt"])) > 50, picture["src"]


def test_tables_fit_a_phone(pages: dict[str, Tag]) -> None:
    for address, page in pages.items():
        for row in page.select("table:not(.claims, .counts) tr"):
            assert len(row.select("td, th")) <= 5, address


def test_what_was_found_can_be_read_on_a_phone(site: Path, browser: Browser) -> None:
    phone = {"viewport": {"width": 400, "height": 800}}
    with browser.opened(site / "what-papers-found.html", **phone) as opened:
        page = opened.page
        assert page.evaluate("document.scrollingElement.scrollWidth") == 400
        page.locator("table.claims summary").first.click()
        shown = page.locator("table.claims :is(summary, li, td)")
        assert all(
            box["x"] + box["width"] <= 400
            for each in shown.all()[:20]
            if (box := each.bounding_box())
        )
        # The others move in a box of their own, which the keyboard reaches too.
        counts = page.locator(".table-wrapper:has(.counts)")
        assert counts.evaluate("each => each.clientWidth < each.scrollWidth && each.tabIndex == 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_verdicts_can_be_read_on_their_colours(
    site: Path, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with browser.opened(site / "what-papers-found.html", color_scheme=scheme) as opened:
        found = axe.run(opened.page, "table.claims", {"runOnly": ["color-contrast"]}).response
    assert not found["violations"]
    assert len(found["passes"][0]["nodes"]) > 5


def test_formulas_are_mathml(pages: dict[str, Tag]) -> None:
    page = pages["mathematics.html"]
    assert len(page.select("math")) > 50
    assert "$" not in page.get_text()


def test_the_picture_of_readme_is_what_the_script_draws(site: Path) -> None:
    kept, drawn = imread(_DOCS / "profile.png"), imread(site.parent / "docs/pictures/profile.png")
    assert kept.shape == drawn.shape, "draw it anew: python docs/pictures.py"
    assert np.abs(kept - drawn).mean() < 0.01, "draw it anew: python docs/pictures.py"

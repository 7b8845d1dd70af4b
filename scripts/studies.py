"""Do all studies on the open collections, and write the page of what came out: ``make studies``.

The command ``irpref study`` writes what it finds and draws it; this script only calls it, keeps the claims
and the pictures in ``docs/found/``, and puts them between the sentences of the page. No number is typed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from irpref.report.table import count_of
from irpref.studies import AnyExperiment, DataFree, known_studies

_DOCS = Path(__file__).parent.parent / "docs"
_FOUND = _DOCS / "found"
_PAGE = _DOCS / "what-papers-found.md"
# By folder, what the page calls the collection.
_COLLECTIONS = {
    "trec-covid-r5": "covid",
    "web12": "web12",
    "llmjudge": "llm",
    "recsys-ml-small": "movies",
    "clef-tar17": "tar17",
}
_AT_ONCE = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with the collections")
    parser.add_argument("--only", action="append", help="do this study only; may be repeated")
    given = parser.parse_args()
    work = Path("build/studies")
    work.mkdir(parents=True, exist_ok=True)
    _FOUND.mkdir(exist_ok=True)
    names = [name for name in known_studies() if not given.only or name in given.only]
    start = time.perf_counter()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        # The slowest first.
        for name, seconds in pool.map(lambda name: study(name, given.data, work), names):
            print(f"{name}: {seconds:.0f} s", flush=True)
    print(f"all: {time.perf_counter() - start:.0f} s")
    _PAGE.write_text(page(), encoding="utf-8")


def study(name: str, data: Path, work: Path) -> tuple[str, float]:
    """Do a study, and keep what it says of the claims, and its picture."""
    start = time.perf_counter()
    words = [sys.executable, "-m", "irpref", "study", name]
    if not isinstance(known_studies()[name], DataFree):
        words += [f"--collection={short}={data / each}" for each, short in _COLLECTIONS.items()]
        # Some runs of tar17 have a document twice.
        words += ["--duplicates", "first"]
    file = work / f"{name}.json"
    drawn = _FOUND / f"{name}.svg"
    words += ["-o", str(file), "--plot", str(drawn)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    drawn.write_text(_small(drawn.read_text(encoding="utf-8")), encoding="utf-8")
    found = json.loads(file.read_text(encoding="utf-8"))
    kept = {"claims": found["facts"]["claims"], "signatures": found["signatures"]}
    text = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
    (_FOUND / f"{name}.json").write_text(text, encoding="utf-8")
    return name, time.perf_counter() - start


def _small(svg: str) -> str:
    """The same picture in fewer bytes: less than a hundredth of a point is not seen."""
    svg = re.sub(r"([1-9]\d*\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r"\n *(<!-- [^\n]* -->\n *)?", "\n", svg)
    return svg.replace("\nL ", "L").replace("DejaVuSans-", "d")


def page() -> str:
    """The page, from what is kept."""
    known = known_studies()
    kept = {
        name: json.loads(file.read_text(encoding="utf-8"))
        for name in known
        if (file := _FOUND / f"{name}.json").exists()
    }
    claims = [
        Claim(study, paper, item, said, tuple(found))
        for study, content in kept.items()
        for (paper, item, said), found in _by_claim(content["claims"]).items()
    ]
    parts = [(_FOUND / "intro.md").read_text(encoding="utf-8").rstrip(), _summary(claims)]
    for name in kept:
        own = [claim for claim in claims if claim.study == name]
        parts.append(_section(name, known[name].question, own))
    return "\n\n".join(parts) + "\n"


class Claim(NamedTuple):
    """A sentence of a paper, with what a study says of it on each collection."""

    study: str
    paper: str
    item: str
    said: str
    found: tuple[dict[str, str], ...]

    def where(self, verdict: str) -> str:
        """The collections with this verdict."""
        names = [each["collection"] or "yes" for each in self.found if each["verdict"] == verdict]
        return ", ".join(names)

    @property
    def kind(self) -> str:
        """What comes out of all collections that can tell."""
        verdicts = {each["verdict"] for each in self.found} - {"untestable"}
        if not verdicts:
            return "untestable"
        return verdicts.pop() if len(verdicts) == 1 else "mixed"


_KINDS = {
    "holds": "Holds wherever it can be tested",
    "mixed": "Depends on the collection",
    "fails": "Fails wherever it can be tested",
    "untestable": "Could not be tested",
}


def _by_claim(
    claims: Iterable[dict[str, str]],
) -> dict[tuple[str, str, str], list[dict[str, str]]]:
    found: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for claim in claims:
        found.setdefault((claim["paper"], claim["item"], claim["claim"]), []).append(claim)
    return found


def _summary(claims: Sequence[Claim]) -> str:
    """How many claims hold or fail, paper by paper, and which."""
    kinds = list(_KINDS)
    papers = sorted({claim.paper for claim in claims})
    lines = [
        "## In short",
        "",
        f"The studies test {len(claims)} claims, so many of each paper:",
        "",
        f"| | {' | '.join(papers)} |",
        "|---|" + "---:|" * len(papers),
    ]
    for kind in kinds:
        counts = [
            sum(claim.kind == kind and claim.paper == paper for claim in claims) for paper in papers
        ]
        lines.append(f"| {_KINDS[kind].lower()} | {' | '.join(map(str, counts))} |")
    for kind in kinds:
        chosen = [claim for claim in claims if claim.kind == kind]
        if not chosen:
            continue
        lines += ["", f":::{{dropdown}} {_KINDS[kind]}: {count_of(len(chosen), 'claim')}", ""]
        for claim in sorted(chosen, key=lambda each: papers.index(each.paper)):
            lines.append(
                f"- {_sentence(claim.said)} *{_safe(claim.paper)}, {_safe(claim.item)}.* "
                f"[{claim.study}](#{claim.study})"
            )
        lines += [":::"]
    return "\n".join(lines)


def _section(name: str, question: str, claims: Sequence[Claim]) -> str:
    lines = [f"## {name}", "", f"**{question}** `irpref study {name}` computes it.", ""]
    lines += [f"![{_seen(known_studies()[name])}]({_FOUND.name}/{name}.svg)", ""]
    if not claims:
        return "\n".join([*lines, "This study describes; no paper claims anything of it."])
    lines += ["| claim | holds | fails | cannot tell |", "|---|---|---|---|"]
    for claim in claims:
        verdicts = (claim.where(verdict) for verdict in ("holds", "fails", "untestable"))
        said = f"{_sentence(claim.said)} *{_safe(claim.paper)}, {_safe(claim.item)}*"
        lines.append(f"| {said} | {' | '.join(verdicts)} |")
    lines += ["", ":::{dropdown} The numbers", ""]
    for claim in claims:
        lines += [f"**{_sentence(claim.said)}**", ""]
        for each in claim.found:
            where = f"*{each['collection']}*, {each['verdict']}: " if each["collection"] else ""
            lines.append(f"- {where}{_safe(each['evidence'])}")
        lines.append("")
    return "\n".join([*lines, ":::"])


def _seen(experiment: AnyExperiment) -> str:
    """What the picture of a study shows, in words."""
    picture = experiment.picture
    if picture.kind == "cells":
        shown = f"{picture.x}, a cell with its number for every two methods"
    elif picture.kind == "lines":
        shown = f"{picture.y} by {picture.x}, a line for each method"
    else:
        shown = f"{picture.x}, a dot with its 95 % interval for each method"
    panels = "" if isinstance(experiment, DataFree) else "; a panel for each collection"
    return _safe(f"{shown[:1].upper()}{shown[1:]}{panels}.")


def _sentence(text: str) -> str:
    """The text as a sentence; names such as dcgRPP stay as they are."""
    first = text.split(maxsplit=1)[0]
    begun = text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
    return _safe(begun).rstrip(".") + "."


def _safe(text: str) -> str:
    """The text as Markdown shows it letter by letter."""
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text.strip())


if __name__ == "__main__":
    main()

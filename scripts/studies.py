"""Do all studies on the open collections, and write the page of what came out: ``make studies``.

The command ``irpref study`` writes what it finds and draws it. This script only calls it, and keeps frames,
claims and pictures in ``docs/found/``. The page is made from these files alone: no number is typed.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from jinja2 import Environment

from irpref.studies import AnyExperiment, DataFree, known_studies
from irpref.studies.claims import KNOWN, VERDICTS

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
_CLAIM = ["study", "paper", "item", "claim"]
_CLAIMS = {
    "seed": pl.Int8,
    **dict.fromkeys(
        ["study", "collection", "paper", "item", "claim", "verdict", "note"], pl.String
    ),
    **dict.fromkeys(["theta", "low", "high"], pl.Float64),
    "parts": pl.Int64,
    **dict.fromkeys(["evidence", "reading"], pl.String),
}
# The words of the evidence for claims of several parts, which the page writes shorter.
_PARTS = r"\(θ is above 0 in (\d+) of (\d+) parts\)"
# What a picture of a kind shows.
_DRAWN = {
    "lines": "{y} by {x}, a line for each {each}",
    "dots": "{x}, a dot for each {each}, with its 95 % interval if it has one",
    "cells": "{x}, a cell with its number for every two methods",
    "stacks": "{x}, a bar for each method and depth, in the colours of its parts",
    "triangle": "{x}, a cell in the colour of its kind for every two systems",
}
_AT_ONCE = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with the collections")
    parser.add_argument(
        "--only", action="append", choices=[*known_studies()], help="this study; may be repeated"
    )
    parser.add_argument(
        "--seeds", type=int, help="judge the claims under seeds 1 to this one, and do nothing else"
    )
    given = parser.parse_args()
    work = Path("build/studies")
    work.mkdir(parents=True, exist_ok=True)
    names = [name for name in known_studies() if not given.only or name in given.only]
    start = time.perf_counter()
    for seed in range(1, given.seeds + 1) if given.seeds else [0]:
        tried = [name for name in names if known_studies()[name].draws or not seed]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            done = pool.map(partial(study, seed=seed, data=given.data, work=work), tried)
            for name, (claims, seconds) in zip(tried, done, strict=True):
                keep(claims, name, seed)
                print(f"{name}, seed {seed}: {seconds:.0f} s", flush=True)
    print(f"all: {time.perf_counter() - start:.0f} s")
    _PAGE.write_text(page(), encoding="utf-8")


def study(name: str, *, seed: int, data: Path, work: Path) -> tuple[pl.DataFrame, float]:
    """Do a study: its claims, and how long it took. Of seed 0 its frame and its picture are kept."""
    start = time.perf_counter()
    file = work / f"{name}-{seed}.json"
    drawn = _FOUND / f"{name}.svg"
    words = [sys.executable, "-m", "irpref", "study", name, "-o", str(file)]
    words += ["--seed", str(seed)] if seed else ["--plot", str(drawn)]
    if not isinstance(known_studies()[name], DataFree):
        words += [f"--collection={short}={data / each}" for each, short in _COLLECTIONS.items()]
        # Some runs of tar17 have a document twice.
        words += ["--duplicates", "first"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    found = json.loads(file.read_text(encoding="utf-8"))
    if not seed:
        write(frame_of(found), _FOUND / f"{name}.parquet")
        drawn.write_text(_small(drawn.read_text(encoding="utf-8")), encoding="utf-8")
    return claims_of(found, name, seed), time.perf_counter() - start


def frame_of(found: Mapping[str, Any]) -> pl.DataFrame:
    """The findings of a study, each with the signature that says how it was made."""
    types = {name: getattr(pl, kind) for name, kind in found["types"].items()}
    # Seven digits of an interval are enough.
    types |= dict.fromkeys(["low", "high", "spread"], pl.Float32)
    frame = pl.DataFrame(found["results"], schema=types)
    collections = frame["collection"].unique(maintain_order=True)
    made = dict(zip(collections, found["signatures"], strict=True))
    return frame.with_columns(pl.col("collection").replace_strict(made).alias("signature"))


def claims_of(found: Mapping[str, Any], name: str, seed: int) -> pl.DataFrame:
    """What a study says of the papers' claims; under other seeds than 0, without the texts."""
    claims = pl.DataFrame(
        [{"seed": seed, "study": name, **claim} for claim in found["facts"]["claims"]],
        schema=_CLAIMS,
    )
    return claims.with_columns(evidence=pl.lit(""), reading=pl.lit("")) if seed else claims


def keep(claims: pl.DataFrame, name: str, seed: int) -> None:
    """Put the claims of a study under a seed in the place of what was there."""
    path = _FOUND / "claims.parquet"
    all_kept = pl.read_parquet(path) if path.exists() else claims.clear()
    own = all_kept.filter(study=name).filter(pl.col("seed") != seed)
    if not seed:
        # Of a claim that has changed, other seeds say nothing.
        as_it_was = [*_CLAIM, "collection", "verdict", "theta", "low", "high"]
        before = all_kept.filter(study=name, seed=0)
        same = claims.join(before, on=as_it_was, how="semi", nulls_equal=True)
        own = own.join(same, on=[*_CLAIM, "collection"], how="semi")
    others = all_kept.filter(pl.col("study") != name)
    kept = pl.concat([others, own, claims]).sort("seed", "study", maintain_order=True)
    write(kept, path)


def write(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", compression_level=19, statistics=False)


def _small(svg: str) -> str:
    """The same picture in fewer bytes: less than a hundredth of a point is not seen."""
    svg = re.sub(r"([1-9]\d*\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r"\n *(<!-- [^\n]* -->\n *)?", "\n", svg)
    return svg.replace("\nL ", "L").replace("DejaVuSans-", "d")


class Claim(NamedTuple):
    """A sentence of a paper, with what a study says of it on each collection."""

    study: str
    paper: str
    item: str
    said: str
    on: Mapping[str, Mapping[str, Any]]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """The verdict on each collection, with a star if it depends on ties; one if it needs no data."""
        found = {
            name: (str(of["verdict"]), "*" * of["note"].startswith("depends"))
            for name, of in self.on.items()
        }
        if "" in found or (self.shared_note and len(set(found.values())) == 1):
            return [*found.values()][:1]
        return [found.get(name, ("", "")) for name in _COLLECTIONS.values()]

    @property
    def shared_note(self) -> str:
        """What is noted on all collections."""
        notes = {str(of["note"]) for of in self.on.values()}
        return notes.pop() if len(notes) == 1 else ""

    @property
    def reading(self) -> str:
        """How the sentence was read."""
        return str(next(iter(self.on.values()))["reading"])

    @property
    def numbers(self) -> Iterator[str]:
        """θ on the collections, its interval, and what it comes from."""
        alike: dict[str, list[str]] = {}
        for name, of in self.on.items():
            said = [of["note"]] if of["note"] != self.shared_note else []
            # Numbers are no evidence of what is so by definition.
            if of["theta"] is not None and of["verdict"] != KNOWN[0]:
                ends = f" [{of['low']:+.3g}, {of['high']:+.3g}]" if of["low"] < of["high"] else ""
                evidence = re.sub(_PARTS, r"(\1/\2)", of["evidence"])
                said = [f"{of['theta']:+.3g}{ends}", evidence, *said]
            alike.setdefault("; ".join(said), []).append(name)
        for text, names in alike.items():
            if text:
                yield ": ".join(filter(None, (", ".join(names), text)))


def page(found: Path = _FOUND) -> str:
    """The page, from the files in a folder and nothing else."""
    kept = pl.read_parquet(found / "claims.parquet")
    order = [*known_studies()]
    claims = sorted(
        (
            Claim(study, paper, item, said, {row["collection"]: row for row in of.to_dicts()})
            for (study, paper, item, said), of in kept.filter(seed=0).group_by(
                _CLAIM, maintain_order=True
            )
        ),
        key=lambda claim: (claim.paper[-4:], claim.paper, order.index(claim.study)),
    )
    about = [*_CLAIM, "collection"]
    both = kept.join(kept.filter(seed=0), on=about, suffix="_first").filter(
        pl.col("seed") > 0,
        # Of the others, the row of the claim says the verdict.
        pl.any_horizontal(pl.col("verdict", "verdict_first").is_in(VERDICTS[:3])),
    )
    changes = pl.col("verdict") != pl.col("verdict_first")
    then = pl.format("{} under {}", "verdict", "seed").str.join(", ").alias("then")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"sentence": _sentence, "anchor": _anchor, "seen": _seen}
    environment.tests["data_free"] = lambda study: isinstance(study, DataFree)
    template = environment.from_string((found / "page.md.jinja").read_text(encoding="utf-8"))
    return template.render(
        papers={paper: [*own] for paper, own in groupby(claims, lambda claim: claim.paper)},
        collections=[*_COLLECTIONS.values()],
        verdicts=VERDICTS,
        counts=Counter((claim.paper, verdict) for claim in claims for verdict, _ in claim.verdicts),
        seeds=both.group_by("seed", maintain_order=True)
        .agg(pl.len(), changes.sum().alias("changed"))
        .rows(named=True),
        changed=both.filter(changes)
        .group_by([*about, "verdict_first"], maintain_order=True)
        .agg(then)
        .rows(named=True),
        studies=[known_studies()[name] for name in order if (found / f"{name}.parquet").exists()],
        claimed={claim.study for claim in claims},
    )


def _seen(experiment: AnyExperiment) -> str:
    """What the picture of a study shows, in words."""
    picture = experiment.picture
    each = picture.series[0]
    shown = _DRAWN[picture.kind].format(x=picture.x, y=picture.y, each=each)
    if picture.spread:
        shown += " with a band of one standard deviation"
    if picture.beside is not None:
        shown += f"; beside it, {_DRAWN[picture.beside.kind].format(x=picture.beside.x)}"
    panels = "" if isinstance(experiment, DataFree) else "; a panel for each collection"
    return _sentence(f"{shown}{panels}")


def _sentence(text: str) -> str:
    """The text as a sentence; names such as dcgRPP stay as they are."""
    text = text.strip().rstrip(".")
    if not text:
        return ""
    first = text.split(maxsplit=1)[0].rstrip(":,")
    begun = text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
    return f"{begun}."


def _anchor(text: str) -> str:
    """What names a place or a colour."""
    return re.sub(r"\W+", "-", text.lower())


if __name__ == "__main__":
    main()

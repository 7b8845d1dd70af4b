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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irpref.studies import DataFree, known_studies

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
    words += ["-o", str(file), "--plot", str(_FOUND / f"{name}.svg")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
    found = json.loads(file.read_text(encoding="utf-8"))
    kept = {"claims": found["facts"]["claims"], "signatures": found["signatures"]}
    text = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
    (_FOUND / f"{name}.json").write_text(text, encoding="utf-8")
    return name, time.perf_counter() - start


def page() -> str:
    """The page, from what is kept."""
    parts = [(_FOUND / "intro.md").read_text(encoding="utf-8").rstrip()]
    known = known_studies()
    kept = {
        name: json.loads(file.read_text(encoding="utf-8"))
        for name in known
        if (file := _FOUND / f"{name}.json").exists()
    }
    parts.append(_summary(kept))
    for name, content in kept.items():
        parts.append(_section(name, known[name].question, content))
    return "\n\n".join(parts) + "\n"


def _summary(kept: dict[str, Any]) -> str:
    """How many claims hold, fail or cannot be tested."""
    verdicts = [claim["verdict"] for content in kept.values() for claim in content["claims"]]
    claims = {
        (claim["paper"], claim["item"], claim["claim"])
        for content in kept.values()
        for claim in content["claims"]
    }
    counts = {each: verdicts.count(each) for each in ("holds", "fails", "untestable")}
    return (
        f"**{len(claims)} claims, {len(verdicts)} verdicts** (a claim has one on every collection): "
        f"{counts['holds']} hold, {counts['fails']} fail, {counts['untestable']} cannot be tested."
    )


def _section(name: str, question: str, content: dict[str, Any]) -> str:
    lines = [f"## {name}", "", f"**{question}** `irpref study {name}` does it.", ""]
    lines += [f"![What {name} finds]({_FOUND.name}/{name}.svg)", ""]
    by_claim: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for claim in content["claims"]:
        key = (claim["paper"], claim["item"], claim["claim"])
        by_claim.setdefault(key, []).append(claim)
    for (paper, item, said), found in by_claim.items():
        lines += [f"**{paper}, {item}:** {_sentence(said)}", ""]
        for claim in found:
            where = f"*{claim['collection']}*: " if claim["collection"] else ""
            lines.append(f"- {where}**{claim['verdict']}**. {_sentence(claim['evidence'])}")
        lines.append("")
    if not by_claim:
        lines += ["It tests no claim: it describes.", ""]
    return "\n".join(lines).rstrip()


def _sentence(text: str) -> str:
    """The text as a sentence, safe in Markdown."""
    text = re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text.strip())
    return (text[:1].upper() + text[1:]).rstrip(".") + "."


if __name__ == "__main__":
    main()

"""What a command imports: nothing that takes long unless it needs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from irpref import demo_paths
from irpref.stats.tests import TESTS
from irpref.studies import DataFree, known_studies
from tests.cli.test_help import COMMANDS

# In one process, as each takes a while to start: what is imported stays so, and the strictest come first.
CODE = """
import contextlib, io, json, sys
from irpref.cli.main import main

found = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(words) == 0, words
    found.append([name for name in ("scipy.stats", "scipy.special", "pandas") if name in sys.modules])
print(json.dumps(found))
"""

TESTS = ("fit", *TESTS)
# Less than they do by themselves, which takes longer.
FEWER = {
    **{
        name: ["--resamples", "50"]
        for name in ("agreement", "discriminative-power", "ipso-significance", "locality")
    },
    "ipso-space": ["--depths", "3"],
    "label-degradation": ["--samples", "1", "--fractions", "0.5"],
    "orientation": ["--relevant", "2"],
    "tie-probability": ["--items", "100", "--relevant", "2", "--depths", "10"],
    "topic-degradation": ["--samples", "2", "--fractions", "0.5"],
    "worst-case": ["--items", "1000", "--samples", "100", "--relevant", "2"],
}


def imported(commands: list[list[str]]) -> list[set[str]]:
    """What of the slow modules has been imported after each command."""
    words = [sys.executable, "-c", CODE, json.dumps(commands)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return [set(names) for names in json.loads(ended.stdout)]


def test_a_command_imports_what_it_needs_only(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    two, several = ([str(path) for path in (qrels, *some)] for some in (runs[:2], runs[:3]))
    slow = {"pandas", "scipy.stats"}
    not_imported: list[tuple[list[str], set[str]]] = [
        *(
            (["compare", *some, *more, "--no-test"], {*slow, "scipy.special"})
            for some in (two, several)
            for more in ([], ["--baseline", "bm25"])
        ),
        (["compare", *several, "--baseline", "bm25"], slow),
        (["explain", *two], slow),
        *((["compare", *some], slow) for some in (two, several)),
        *((["compare", *several, "--test", test], slow) for test in TESTS),
        (["compare", *two, "-p", "LP", "--test", "sign"], slow),
        (["compare", *several, "--test", "randomization", "--resamples", "400"], slow),
    ]
    later = [
        ["compare", *several, "--test", "t", "--keep", "summary"],
        ["explain", *two, "--topic", "6"],
        ["evaluate", *several],
        ["corroborate", *several, "-m", "AP"],
        ["list"],
        ["demo"],
        ["convert", *two, "-o", str(tmp_path / "parts")],
        ["compare", *two, "-o", str(tmp_path / "page.html")],
        *(
            ["study", name, *([] if isinstance(study, DataFree) else several), *FEWER.get(name, [])]
            for name, study in known_studies().items()
        ),
        # Of all runs: those of two hold no statistics.
        *(
            ["plot", name, *several, "-o", str(tmp_path / f"{name}.svg")]
            for name in ("ranks", "matrix")
        ),
    ]
    not_imported += [(words, {"scipy.stats"}) for words in later]
    planned = ["plan", *several, "-p", "RPP", "--difference", "0.2"]
    assert {words[0] for words, _ in not_imported} | {"plan"} == set(COMMANDS)
    *found, last = imported([*(words for words, _ in not_imported), planned])
    for (words, left_out), names in zip(not_imported, found, strict=True):
        assert not names & left_out, words
    assert last == {"pandas", "scipy.special"}

"""The command gate: its exit codes, its numbers by scipy, and its workflow, step by step."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from scipy import stats

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from irpref.stats.margins import gate as decided
from irpref.stats.method import PairSums
from tests.command_line import COMMAND, fail, process

QRELS, RUNS = demo_paths()
PATH = {path.stem: str(path) for path in RUNS}
WORKFLOW = Path(__file__).parents[2] / "docs" / "gate.yml"


def gate(*words: str) -> list[str]:
    return ["gate", str(QRELS), *words]


def asked(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> dict[str, object]:
    assert main([*gate(*words), "--format", "json"]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


NEW_BASE = [PATH["bm25-prf"], PATH["bm25"]]


@pytest.mark.parametrize(
    ("words", "code", "headline"),
    [
        (["--margin", ".2"], 0, "Passed: by RPP, new is better than bm25, or less than 0.2 worse."),
        (
            ["--margin", ".1"],
            3,
            "Undecided: by RPP, it is open whether new is less than 0.1 worse than bm25.",
        ),
        (
            ["--require", "better"],
            3,
            "Undecided: by RPP, it is open whether new is better than bm25.",
        ),
        (
            ["--require", "better", "--margin", ".1"],
            3,
            "Undecided: by RPP, it is open whether new is better than bm25.",
        ),
        (["--require", "better", "--alpha", ".49"], 0, "Passed: by RPP, new is better than bm25."),
    ],
)
def test_the_exit_code_is_the_decision(
    words: list[str], code: int, headline: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = f"new={NEW_BASE[0]}", NEW_BASE[1]
    assert asked(capsys, code, *runs, *words)["answer"][0] == headline
    # Whoever reads the table reads the same.
    assert main(gate(*runs, *words)) == code
    assert headline in capsys.readouterr().out.replace("\n", " ")


def test_what_is_worse_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    # The last document first.
    lines = (line.split() for line in Path(PATH["bm25"]).read_text().splitlines())
    bad.write_text("".join(f"{each[0]} Q0 {each[2]} 1 {each[3]} bad\n" for each in lines))
    found = asked(capsys, 1, str(bad), PATH["bm25"], "--margin", ".05")
    assert found["answer"][0] == "Failed: by RPP, bad is worse than bm25 by 0.05 or more."
    found = asked(capsys, 1, str(bad), PATH["bm25"], "--require", "better", "--margin", ".1")
    assert found["answer"][0] == "Failed: by RPP, bad is worse than bm25."
    assert found["answer"][2].startswith("With a margin: by RPP, bad is worse than bm25 by 0.1")
    assert [each["limit"] for each in found["results"]] == [0, -0.1]


def test_the_same_run_is_not_worse_and_not_better(capsys: pytest.CaptureFixture[str]) -> None:
    runs = f"a={PATH['bm25']}", f"b={PATH['bm25']}"
    found = asked(capsys, 0, *runs, "--margin", "0.01")
    assert found["results"][0]["p"] == 2.0**-12
    assert found["results"][0]["low"] is None
    assert "The two are equal on all 12 topics." in found["remarks"]
    asked(capsys, 3, *runs, "--require", "better")


# Some pass, some fail, and of some nothing is shown.
@pytest.mark.parametrize(
    ("preference", "alpha", "pair"),
    [
        ("RPP", 0.2, ("bm25-prf", "tfidf")),
        ("RPP", 0.05, ("boolean", "lm-dirichlet")),
        ("LP", 0.2, ("boolean", "lm-dirichlet")),
        ("nDCG@10", 0.05, ("bm25-prf", "tfidf")),
        ("IPSO@10", 0.2, ("boolean", "lm-dirichlet")),
    ],
)
def test_its_numbers_are_those_of_scipy(
    preference: str, alpha: float, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    values = irpref.compare(QRELS, RUNS, preference).per_topic(preference, *pair).to_numpy()
    limit = -0.15
    above, below = (
        stats.ttest_1samp(values, limit, alternative=side).pvalue for side in ("greater", "less")
    )
    code = 0 if above < alpha else 1 if below < alpha else 3
    words = ["-p", preference, "--margin", "0.15", "--alpha", str(alpha)]
    (row,) = asked(capsys, code, *(PATH[each] for each in pair), *words)["results"]
    assert row["p"] == pytest.approx(above, rel=1e-9)
    assert row["p_below"] == pytest.approx(below, rel=1e-9)
    interval = stats.ttest_1samp(values, 0).confidence_interval(1 - 2 * alpha)
    assert (row["low"], row["high"]) == pytest.approx(np.clip(interval, -1, 1))
    # Of Student's distribution, as far as is found, and as far again as means vary.
    t = stats.t(len(values) - 1)
    least = (t.ppf(1 - alpha) + t.ppf(0.8)) * stats.sem(values)
    assert row["detectable"] == pytest.approx(least)


def test_the_end_of_the_interval_is_shown_on_its_side_of_the_limit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (row,) = asked(capsys, 3, *NEW_BASE, "--margin", "0.1")["results"]
    margin = repr(round(-row["low"] + 2e-6, 6))
    assert main(gate(*NEW_BASE, "--margin", margin)) == 0
    shown = capsys.readouterr().out.replace("\n", " ")
    ends = shown.partition("interval of the mean, ")[2].split(" to ")[0]
    assert -float(margin) < float(ends) < row["low"] + 1e-5
    assert f"lies above -{margin}" in shown
    assert f"gate:-{margin}|" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (NEW_BASE, "say with --margin M, above 0, how much worse may still pass"),
        ([*NEW_BASE, "--margin", "0"], "--require better asks for a mean above 0"),
        ([*NEW_BASE, "--margin", "1"], "a margin of 1 holds every value of RPP"),
        ([*NEW_BASE, "--margin", "-0.1"], "must be a number above 0"),
        ([*NEW_BASE, "--margin", "0.1", "--alpha", "0.5"], "--alpha must lie between 0 and 0.5"),
        ([PATH["bm25"], "--margin", "0.1"], "gate takes two runs, NEW and BASE, not 1"),
        (["absent.txt", PATH["bm25"], "--margin", "0.1"], "there is no such file"),
        ([*NEW_BASE, "--margin", "0.1", "--alpha", "5"], "--alpha must lie between 0 and 0.5"),
        ([*NEW_BASE, "--margin", "0.1", "-p", "LP", "-p", "RPP"], "a gate asks one question"),
        ([*NEW_BASE, "--margin", "0.1", "--title", "T"], "--title belongs to a page"),
        ([*NEW_BASE, "--margin", "0.1", "-o", "a", "--page", "a"], "--page and -o name one file"),
    ],
)
def test_mistakes_are_no_decision(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # That is 2: see fail.
    assert said in fail(capsys, *gate(*words))


def test_a_broken_run_decides_nothing_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("1 Q0 d1 1 high tag\n")
    page = tmp_path / "gate.html"
    words = gate(str(broken), PATH["bm25"], "--margin", "0.1", "--page", str(page))
    assert f"{broken}, line 1" in fail(capsys, *words)
    assert not page.exists()


def test_what_no_run_can_be_compared_with_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.txt"
    other.write_text(Path(PATH["bm25"]).read_text().replace("garden", "Garden"))
    for runs in ([PATH["tfidf"], str(other)], [str(other), PATH["tfidf"]]):
        said = f"{other}: the run retrieves no judged document"
        assert said in fail(capsys, *gate(*runs, "--margin", "0.1"))


def test_topics_that_the_base_lacks_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "part.txt"
    lines = Path(PATH["bm25"]).read_text().splitlines(keepends=True)
    part.write_text("".join(line for line in lines if line.split()[0] in ("1", "2", "3")))
    found = asked(capsys, 3, PATH["tfidf"], str(part), "--margin", "0.1")
    headline, whole, *_ = found["answer"]
    said = "Undecided: on the 3 topics that both have (--missing skip), nothing is decided (90 % interval"
    assert headline.startswith(said)
    assert whole == "As given, by RPP, tfidf is better than part, or less than 0.1 worse."
    found = asked(capsys, 0, PATH["tfidf"], str(part), "--margin", "0.1", "--missing", "worst")
    assert found["answer"][0].startswith("Passed: ")
    asked(capsys, 3, PATH["tfidf"], str(part), "--margin", "0.1", "--missing", "skip")
    # A new run that lacks them is not passed, whatever the margin.
    found = asked(capsys, 3, str(part), PATH["tfidf"], "--margin", "0.9")
    assert found["answer"][0].startswith("Undecided: part has no list for 9 of 12 topics: ")


def test_what_the_smaller_depth_decides_otherwise_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.txt"
    lines = Path(PATH["bm25"]).read_text().splitlines(keepends=True)
    short.write_text("".join(line for line in lines if int(line.split()[3]) <= 5))
    runs = str(short), PATH["bm25"], "--margin", "0.2"
    # What fails as given fails, whatever a check says.
    found = asked(capsys, 1, *runs)
    [check] = found["facts"]["checks"]
    assert (check["check"], check["depth"], check["decision"]) == ("equal depth", 5, "passed")
    assert "checks" not in asked(capsys, 0, *runs, "--depth", "5")["facts"]
    # The other way round, more documents pass what as many do not.
    turned = PATH["bm25"], str(short), "--require", "better"
    found = asked(capsys, 3, *turned)
    assert found["answer"][0].startswith(
        "Undecided: cut at 5 both (--depth 5), nothing is decided (95"
    )
    assert found["answer"][1] == "As given, by RPP, bm25 is better than short."
    asked(capsys, 0, *turned, "--no-checks")


def test_needed_topics_are_as_many_as_decide_the_margin() -> None:
    values = np.random.default_rng(0).normal(0, 0.3, (12, 1))
    found = decided(PairSums.of(values), limit=-0.1, alpha=0.05)
    # The power of a one-sided t-test of so many topics of such a spread, and of one fewer.
    for topics, enough in ((found.needed, True), (found.needed - 1, False)):
        apart = 0.1 / values.std(ddof=1) * topics**0.5
        t = stats.t(topics - 1).ppf(0.95)
        assert (stats.nct.sf(t, topics - 1, apart) >= 0.8) == enough
    assert decided(PairSums.of(values), limit=-1e-6, alpha=0.05).needed == np.inf
    assert np.isnan(decided(PairSums.of(values), limit=-0.9, alpha=0.05).needed)


@pytest.mark.slow
def test_a_reader_that_went_away_changes_no_decision() -> None:
    words = [*COMMAND, *gate(*NEW_BASE, "--margin", "0.1")]
    pipe = 'set -o pipefail; "$@" | true'
    assert process("bash", "-c", pipe, "bash", *words).returncode == 3


def test_the_page_and_the_summary_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "gate.html"
    words = ["--margin", "0.2", "--format", "markdown", "--page", str(page), "--title", "Request 7"]
    assert main(gate(*NEW_BASE, *words)) == 0
    summary = capsys.readouterr().out
    assert summary.startswith(
        "**Passed: by RPP, bm25-prf is better than bm25, or less than 0.2 worse.**"
    )
    assert "gate:-0.2|new:bm25-prf|base:bm25|" in summary
    content = page.read_text()
    assert "Request 7" in content
    for part in (
        "Passed:",
        "-0.106 to +0.275",
        "must lie above",
        "gate:-0.2|new:bm25-prf|base:bm25|",
    ):
        assert part in content


@pytest.mark.slow
def test_the_workflow_of_the_docs_runs_step_by_step(tmp_path: Path) -> None:
    steps = yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]
    runs = {each["name"]: each["run"] for each in steps if "run" in each}
    shutil.copy(QRELS, tmp_path / "qrels.txt")
    shutil.copy(PATH["bm25"], tmp_path / "base.txt")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "irpref").write_text(f'#!/bin/sh\nexec {sys.executable} -m irpref "$@"\n')
    (tmp_path / "bin" / "irpref").chmod(0o755)
    search = tmp_path / "search.sh"
    # What a server sets, and what pip would have installed.
    summary = tmp_path / "summary.md"
    known = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_REF_NAME": "7/merge"}
    known |= {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    (tmp_path / "last.txt").write_text(
        "".join(
            f"{each[0]} Q0 {each[2]} 1 {each[3]} last\n"
            for each in map(str.split, Path(PATH["bm25"]).read_text().splitlines())
        )
    )
    (tmp_path / "broken.txt").write_text("1 Q0 d1 1 high tag\n")
    codes, summaries = [], []
    for new in (PATH["bm25"], PATH["bm25-prf"], "last.txt", "broken.txt"):
        search.write_text(f"#!/bin/sh\ncat {new}\n")
        search.chmod(0o755)
        summary.unlink(missing_ok=True)
        for name, script in list(runs.items())[1:]:
            # As GitHub does it.
            done = subprocess.run(
                ["bash", "-e", "-c", script], cwd=tmp_path, env={**os.environ, **known}, check=False
            )
            assert name != "Search, as this pull request does" or done.returncode == 0
        codes.append(done.returncode)
        summaries.append(summary.read_text().partition(":")[0])
    assert codes == [0, 3, 1, 2]
    assert summaries == ["**Passed", "**Undecided", "**Failed", ""]
    assert "Pull request 7" in (tmp_path / "gate.html").read_text()
    (uploaded,) = (each["with"]["path"] for each in steps if "upload" in each.get("uses", ""))
    assert uploaded == "gate.html"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit memory in other ways")
def test_too_little_memory_is_no_decision() -> None:
    """At each limit the gate passes, ends with 2, or is killed: 1 would be a decision."""
    words = shlex.join([*COMMAND, *gate(*NEW_BASE, "--margin", "0.9")])
    codes = set[int]()
    # Too little for polars, for what comes behind it, and enough. In between polars waits for its threads.
    for megabytes in (400, 1200, 1300, 1350, 4000):
        ended = process("bash", "-c", f"ulimit -v {megabytes << 10}; exec {words}")
        if ended.returncode == 2:
            assert "error" in ended.stderr.lower()
        codes.add(ended.returncode)
    assert 2 in codes
    assert codes <= {0, 2, -signal.SIGABRT}


@pytest.mark.slow
def test_openblas_which_ends_a_process_with_1_is_loaded_before_polars_takes_memory() -> None:
    ended = process(
        sys.executable, "-X", "importtime", "-m", "irpref", *gate(*NEW_BASE, "--margin", "0.9")
    )
    modules = [line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()]
    assert modules.index("scipy.linalg") < modules.index("polars")


def test_too_little_memory_to_say_what_ended_it_is_no_decision() -> None:
    # Without a way to tell the error, that is raised too.
    lines = "import irpref.cli.main as cli", "del cli._tell_error", "import irpref.__main__ as it"
    ended = process(sys.executable, "-c", "; ".join([*lines, "it.run()"]), "gate", "absent.txt")
    assert ended.returncode == 2
    assert "NameError: name '_tell_error'" in ended.stderr


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "error: there is too little memory"),
        (RuntimeError("can't start new thread"), "error: there is too little memory"),
        (pl.exceptions.PanicException("capacity overflow"), "polars stopped (capacity overflow)"),
        (KeyError("x"), "KeyError: 'x'"),
    ],
)
def test_whatever_ends_it_is_no_decision(
    error: BaseException,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("irpref.api.verbs.compare", fail)
    assert main(gate(*NEW_BASE, "--margin", "0.9")) == 2
    assert told in capsys.readouterr().err

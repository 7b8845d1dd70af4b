"""The command line as a person meets it: at 80 columns, with many systems, and at once."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.cli.main import main

QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]
SYSTEMS = 25


def on_terminal(
    *arguments: str, columns: int = 80, environment: dict[str, str] | None = None
) -> list[str]:
    """The lines that a command prints on a terminal so many columns wide, without colours by default."""
    reading, writing = pty.openpty()
    fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    plain = {"NO_COLOR": "1"} if environment is None else environment
    ours = {name: each for name, each in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-m", "irpref", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**ours, **plain},
    ) as process:
        os.close(writing)
        printed = b""
        while True:
            try:
                part = os.read(reading, 1 << 16)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            printed += part
        assert process.stderr is not None
        assert process.stderr.read() == b""
    os.close(reading)
    assert process.returncode == 0
    return printed.decode().replace("\r\n", "\n").splitlines()


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Qrels and runs that put the one relevant document at different ranks, the first run best."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "qrels.txt").write_text("1 0 relevant 1\n")
    paths = [str(folder / "qrels.txt")]
    for system in range(SYSTEMS):
        documents = [f"d{rank}" for rank in range(system)] + ["relevant"]
        lines = [f"1 Q0 {d} {r} {100 - r} run\n" for r, d in enumerate(documents, start=1)]
        (folder / f"a-system-with-a-long-name-{system:02}.txt").write_text("".join(lines))
        paths.append(str(folder / f"a-system-with-a-long-name-{system:02}.txt"))
    return paths


def systems_in(lines: list[str]) -> list[str]:
    """The systems of the rows of the first table, in their order."""
    start = next(number for number, line in enumerate(lines) if line.startswith("─"))
    rows = lines[start + 1 : lines.index("", start)]
    return [word for row in rows for word in row.split() if word.startswith("a-sys")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["compare"], ["compare", "--baseline", "a-system-with-a-long-name-24"], ["evaluate"]],
)
def test_a_terminal_shows_the_first_systems_and_says_so(
    command: list[str],
    many: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def terminal(*arguments: str) -> list[str]:
        with monkeypatch.context() as wide:
            wide.setattr("irpref.report.terminal.terminal_width", lambda: 130)
            return succeed(capsys, *arguments).splitlines()

    verb, *options = command
    systems = SYSTEMS - bool(options)
    everyone = [f"a-system-with-a-long-name-{number:02}" for number in range(systems)]
    piped = succeed(capsys, verb, *many, *options).splitlines()
    assert systems_in(piped) == everyone
    assert not any(" shown; " in line for line in piped)
    shown = terminal(verb, *many, *options)
    if verb == "evaluate":
        assert on_terminal(verb, *many, columns=130) == shown
    assert systems_in(shown) == everyone[:20]
    left = f"20 of {systems} shown; --top {systems} for all."
    assert left in shown
    assert systems_in(terminal(verb, *many, *options, "--top", "30")) == everyone
    few = succeed(capsys, verb, *many, *options, "--top", "3").splitlines()
    assert systems_in(few) == everyone[:3]
    rows = csv.DictReader(io.StringIO(succeed(capsys, verb, *many, *options, "--format", "csv")))
    assert {row["system"] for row in rows} == set(everyone)


def test_a_terminal_shows_whole_numbers(
    many: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = [
        ["compare", *PATHS, "--test", "fit", "--seed", "1"],
        ["compare", *PATHS, "--baseline", "bm25", "--test", "fit"],
        ["compare", *PATHS[:3], "--test", "fit"],
        ["compare", *PATHS, "--per-topic"],
        ["corroborate", PATHS[0], PATHS[2], PATHS[1], *PATHS[3:], "-m", "AP@10"],
        ["evaluate", *PATHS, "-m", "RR", "--ties-report"],
        ["compare", *many, "--top", "25"],
        ["compare", *many[:3]],
    ]
    for command in commands:
        piped = succeed(capsys, *command)
        with monkeypatch.context() as terminal:
            terminal.setattr("irpref.report.terminal.terminal_width", lambda: 80)
            shown = succeed(capsys, *command).splitlines()
        assert not any("|irpref:" in line for line in shown if command[0] == "compare")
        # What people copy is not folded.
        lines = [line for line in shown if not line.startswith("Why?  irpref explain ")]
        lines = [line for line in lines if "|irpref:" not in line]
        assert max(map(len, lines)) <= 80
        # A number that is cut goes on in the next line.
        whole = {word for word in piped.split() if word.lstrip("+-0123456789.") == ""}
        assert whole <= set(" ".join(lines).split())


def test_top_is_refused_where_all_is_shown(
    many: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["compare", *many[:3], "--top", "1"]) == 2
    assert "--top shows the best systems of a list, and two have none" in capsys.readouterr().err
    for command in ("compare", "evaluate"):
        for more in (["--format", "json"], ["--format", "csv"], ["-o", str(tmp_path / "x.csv")]):
            assert main([command, *many, *more, "--top", "3"]) == 2
            assert "holds all systems: leave out --top" in capsys.readouterr().err
        assert main([command, *many, "--per-topic", "--top", "3"]) == 2
        assert "--per-topic shows all systems: leave out --top" in capsys.readouterr().err
        assert main([command, *many, "--top", "0"]) == 2
        assert "top must be a whole number of at least 1, not 0" in capsys.readouterr().err


@pytest.mark.parametrize("link", ["same", "symbolic", "hard"])
def test_an_input_is_never_written_over(
    link: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = []
    for path in (QRELS, *RUNS[:2]):
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        copies.append(copy)
    for number, copy in enumerate(copies):
        output = tmp_path / f"output-{number}"
        if link == "same":
            output = copy
        elif link == "symbolic":
            output.symlink_to(copy)
        else:
            os.link(copy, output)
        for command in (["compare"], ["evaluate"], ["corroborate", "-m", "AP"]):
            verb, *options = command
            code = main([verb, *options, *map(str, copies), "-o", str(output)])
            assert code == 2
            error = capsys.readouterr().err
            assert f"{output}: writing here would destroy an input" in error
            assert "name another file" in error
        assert [path.read_bytes() for path in copies] == [
            path.read_bytes() for path in (QRELS, *RUNS[:2])
        ]
    elsewhere = tmp_path / "elsewhere.csv"
    assert main(["compare", *map(str, copies), "-o", str(elsewhere), "--format", "csv"]) == 0
    assert elsewhere.read_text().startswith("a,b,preference")


@pytest.mark.parametrize("runs", [2, 6])
@pytest.mark.parametrize("form", ["table", "csv", "json", "latex", "markdown", "html"])
def test_expected_ipso_is_shown_in_every_format(
    runs: int, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    preference = "IPSO(ties='expected')@10"
    text = succeed(
        capsys, "compare", *PATHS[: runs + 1], "-p", preference, "-p", "RPP", "--format", form
    )
    assert preference in text.replace("&#39;", "'").replace("\\_", "_").replace("`", "")
    if form == "json":
        records = [row for row in json.loads(text)["results"] if row["preference"] == preference]
        for row in records:
            outcomes = [row[name] for name in ("wins", "ties", "losses", "nonseparable")]
            topics = 12 if runs == 2 else 12 * (runs - 1)
            assert sum(outcomes) == pytest.approx(topics)
    if form == "table" and runs == 2:
        row = next(line.split() for line in text.splitlines() if line.startswith(preference))
        # Before these are the mean and its interval, and behind them is p.
        assert sum(map(float, row[5:9])) == pytest.approx(12, abs=0.2)
        assert len(row) == 10


@pytest.mark.slow
def test_the_demo_fits_the_terminal() -> None:
    lines = on_terminal("demo")
    assert not any("|irpref:" in line for line in lines)
    ours = [line for line in lines if not line.startswith(("  irpref ", "Why?"))]
    assert max(map(len, ours)) <= 80
    assert any(line.startswith("- Reciprocal rank") for line in lines)


def test_what_is_said_of_ties_is_of_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    def said(*arguments: str) -> list[str]:
        text = " ".join(succeed(capsys, *arguments).split())
        return [part for part in text.split(". ") if "Tied scores:" in part]

    assert said("evaluate", *PATHS, "-m", "TieRR@10") == []
    assert said("evaluate", *PATHS, "-m", "AP", "--ties-report") == []
    [some] = said("evaluate", *PATHS, "-m", "TieRR@10", "-m", "AP")
    assert "the results of AP follow trec_eval's order" in some
    assert "AP(ties='expected') averages over tie orders" in some
    [every] = said("compare", *PATHS, "-p", "IPSO(graded=True)@5", "-p", "LR")
    assert "the results follow trec_eval's order; LR(ties='expected')" in every

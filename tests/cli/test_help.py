"""The help: all commands in groups, lines that fit, and examples that run as they stand."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.cli.main import main
from tests.command_line import COMMAND, fail, process
from tests.literal_judges import some_judgments

GROUPS = {
    "compare": ["compare", "evaluate", "explain", "corroborate", "gate"],
    "show": ["plot"],
    "research": ["study", "plan"],
    "files": ["convert"],
    "help": ["list", "demo"],
    "frameworks": ["ir-measures"],
}
COMMANDS = [name for names in GROUPS.values() for name in names if name != "ir-measures"]
PICTURES = ["profile", "strip", "topics", "outcomes", "ranks", "matrix", "scatter"]
HELPS = [[name] for name in COMMANDS] + [["plot", name] for name in PICTURES]


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


def indented(text: str, heading: str) -> list[str]:
    """The lines below a heading, up to an empty one."""
    return text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0].splitlines()


def test_irpref_alone_prints_its_help() -> None:
    done = process(*COMMAND)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == process(*COMMAND, "--help").stdout
    assert done.stdout.startswith("usage: irpref COMMAND ...\n")


def test_a_command_of_commands_alone_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot"]) == 0
    assert capsys.readouterr().out == help_of(capsys, "plot")


@pytest.mark.parametrize("command", [[], ["compare"], ["plot", "profile"]], ids="-".join)
def test_help_before_a_command_is_its_help(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = help_of(capsys, *command)
    with pytest.raises(SystemExit) as stopped:
        main(["help", *command])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == expected


def test_the_help_has_every_command_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys)
    for group, names in GROUPS.items():
        lines = indented(text, group)
        assert [line.split()[0] for line in lines if line[2] != " "] == names
        assert all(len(line.split()) > 1 for line in lines)


@pytest.mark.parametrize("command", [[], *HELPS], ids=lambda words: "-".join(words) or "irpref")
def test_a_help_fits_eighty_columns_and_names_its_command(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = help_of(capsys, *command)
    assert text.startswith(" ".join(["usage:", "irpref", *command]))
    options, _, end = text.partition("\nexamples:\n")
    assert max(map(len, options.splitlines())) <= 80
    assert max(map(len, end.splitlines()), default=0) <= 100


@pytest.mark.parametrize("command", [words for words in HELPS if words != ["plot"]], ids="-".join)
def test_every_example_in_a_help_runs(
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if command[0] == "plot":
        pytest.importorskip("matplotlib")
    qrels, runs = demo_paths()
    shutil.copy(qrels, tmp_path / "qrels.txt")
    shutil.copytree(runs[0].parent, tmp_path / "runs")
    for old, new in (("bm25-prf", "new"), ("bm25", "old")):
        shutil.copy(tmp_path / "runs" / f"{old}.txt", tmp_path / f"{new}.txt")
    some_judgments().to_csv(tmp_path / "judged.csv", index=False)
    monkeypatch.chdir(tmp_path)
    lines = indented(help_of(capsys, *command) + "\n", "examples")
    assert lines
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "irpref"
        assert words[: len(command)] == command
        # As a shell does.
        found = [sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in words]
        assert all(found)
        # Whether a gate passes, its example does not say.
        codes = {0, 1, 3} if command == ["gate"] else {0}
        assert main([word for names in found for word in names]) in codes
        written = capsys.readouterr()
        assert written.err == ""
        if to := {"-o", "--save"} & {*words}:
            assert Path(words[words.index(to.pop()) + 1]).stat().st_size > 0
        else:
            assert written.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compere"], "unknown command 'compere'; did you mean 'compare'?"),
        (["help", "compere"], "unknown command 'compere'; did you mean 'compare'?"),
        (["plot", "profil"], "unknown picture 'profil'; did you mean 'profile'?"),
        (["compare", "a", "b", "--formt", "csv"], "unknown option --formt; did you mean --format?"),
        (["compare", "a", "b", "--baselin=x", "--tset"], "did you mean --test?"),
        (["plan", "--diference=1", "-p", "LP", "--difference", "1"], "did you mean --difference?"),
        (["evaluate", "a", "b", "--zzz"], "unknown option --zzz (see irpref evaluate --help)"),
        (
            ["compare", "a", "b", "--format", "jason"],
            "--format: unknown value 'jason'; did you mean",
        ),
        (["demo", "more", "words"], "too many words: more words (see irpref demo --help)"),
        (["--vresion"], "unknown option --vresion; did you mean --version? (see irpref --help)"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_what_was_meant_is_suggested(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in fail(capsys, *words)

"""The command as a process: closed streams, full disks, poor terminals, and Ctrl-C at every moment."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.cli.main import main
from tests.command_line import COMMAND, fail

pytestmark = pytest.mark.slow

QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]
ENVIRONMENTS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
COMMANDS = {
    "help": ["corroborate", "--help"],
    "demo": ["demo"],
    "leaderboard": ["compare", *PATHS[:4], "--test", "fit", "--seed", "1"],
    "baseline": ["compare", *PATHS[:4], "--baseline", "bm25", "--test", "fit"],
    "pair": ["compare", *PATHS[:3]],
    "untested pair": ["compare", *PATHS[:3], "--no-test"],
    "per_topic": ["compare", *PATHS[:4], "--per-topic"],
    "corroborate": ["corroborate", *PATHS[:3], "-m", "AP@10"],
}


@pytest.fixture(autouse=True)
def _ctrl_c_stops() -> Iterator[None]:
    """What a shell starts in the background ignores Ctrl-C, and so would the commands that are tested."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def shell(
    command: str, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell, in which "$@" is the command irpref with its arguments."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}", "bash", *COMMAND, *arguments],
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "COLUMNS": "80", **(environment or {})},
    )


STDOUT_PROBLEMS = {">&-": "stdout is closed", "> /dev/full": "No space left"}


@pytest.mark.parametrize(("name", "where"), [("help", ">&-"), ("pair", "> /dev/full")])
def test_a_closed_stdout_and_a_full_disk_are_errors(name: str, where: str) -> None:
    done = shell(f'"$@" {where}', *COMMANDS[name])
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("irpref: error: ")
    assert STDOUT_PROBLEMS[where] in line


# In a process, Python makes None of a closed stdout.
@pytest.mark.parametrize("name", ["help", "pair", "demo"])
@pytest.mark.parametrize("where", STDOUT_PROBLEMS)
def test_they_are_for_every_command(
    name: str,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with open("/dev/full", "w") as full, monkeypatch.context() as closed:
        closed.setattr("sys.stdout", full if "full" in where else None)
        assert main(COMMANDS[name]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irpref: error: ")
    assert STDOUT_PROBLEMS[where] in line


def test_a_closed_stdout_is_an_error_of_ir_measures_too() -> None:
    pytest.importorskip("ir_measures")
    done = shell('"$@" >&-', "ir-measures", *PATHS[:2], "AP")
    assert done.returncode == 2
    assert done.stderr.startswith(b"irpref: error: stdout is closed")


def test_a_file_is_written_though_stdout_is_closed(tmp_path: Path) -> None:
    done = shell('"$@" >&- 2>&-', "compare", *PATHS[:3], "-o", str(tmp_path / "out.json"))
    assert done.returncode == 0
    assert json.loads((tmp_path / "out.json").read_text())["results"]


@pytest.mark.parametrize("where", ["2>/dev/full", ">&- 2>&-"])
def test_a_mistake_is_one_though_nobody_is_told(where: str) -> None:
    done = shell(f'"$@" {where}', "compare", "--tset", "t")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_it_is_one_while_reading_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "w", buffering=1) as full:
        for stderr in (None, full):
            with monkeypatch.context() as closed:
                closed.setattr("sys.stderr", stderr)
                assert main(["compare", "absent", "absent"]) == 2


def test_a_reader_may_go_away() -> None:
    done = shell('"$@" | true', *COMMANDS["pair"])
    assert (done.returncode, done.stderr) == (0, b"")
    done = shell('{ "$@" 2>&1; echo $? >&3; } 3>&2 | true', "--help")
    assert done.stderr == b"0\n"


def assert_shows_the_same(shown: str, rich: str, encoding: str) -> None:
    """Every number and name is there, in the same order, and tables are as wide."""
    words = r"[+±-]?\d+\.\d+|bm25(?:-prf)?|[A-Z]+@10"
    assert re.findall(words, shown.replace("+/-", "±")) == re.findall(words, rich)
    rules = re.findall("^─+$", rich, re.MULTILINE)
    assert rules
    if encoding != "cp437":
        assert [len(rule) for rule in rules] == list(
            map(len, re.findall("^-+$", shown, re.MULTILINE))
        )
        assert shown.isascii() or encoding == "latin-1"


# In a process, what Python makes of the environment; other encodings are tried below.
def test_a_poor_terminal_is_enough(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(COMMANDS["corroborate"]) == 0
    done = shell('"$@"', *COMMANDS["corroborate"], environment=ENVIRONMENTS["C"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert_shows_the_same(done.stdout.decode("ascii"), capsys.readouterr().out, "C")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [*((name, "ascii") for name in COMMANDS), ("corroborate", "latin-1"), ("corroborate", "cp437")],
)
def test_a_poor_encoding_is_enough_for_every_command(
    name: str, encoding: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with contextlib.suppress(SystemExit):
        assert main(COMMANDS[name]) == 0
    rich = capsys.readouterr().out
    code, printed, said = poor(monkeypatch, encoding, *COMMANDS[name])
    assert (code, said) == (0, b"")
    shown = printed.decode(encoding)
    if name == "help":
        assert shown.startswith("usage: ")
    else:
        assert_shows_the_same(shown, rich, encoding)


def test_a_poor_terminal_tells_names_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["文書-" + "x" * 30, "検索-" + "x" * 30, "naïve"]
    for name in names:
        (folder / f"{name}.txt").write_bytes((folder / "new.txt").read_bytes())
    paths = ["qrels.txt", *(f"{name}.txt" for name in names)]
    # What is wrong is said there too, and so are warnings.
    code, _, said = poor(monkeypatch, "ascii", "compare", *paths, "文.txt")
    assert code == 2
    assert said.startswith(rb"irpref: error: \u6587.txt: ")
    (folder / "文.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")
    evaluate = ["evaluate", *paths, "文.txt"]
    done = shell('"$@"', *evaluate, environment=ENVIRONMENTS["ascii"])
    for code, shown, _ in (
        (done.returncode, done.stdout, done.stderr),
        poor(monkeypatch, "latin-1", *evaluate),
    ):
        assert code == 0
        for name in (r"\u6587\u66f8-xxx", r"\u691c\u7d22-xxx"):
            assert name.encode() in shown
        assert rb"\u6587: the rank column" in shown
    # Rows say no more than rows.
    *_, said = poor(monkeypatch, "latin-1", *evaluate, "--format", "csv", "-o", "rows.csv")
    assert said.startswith(rb"irpref: warning: \u6587.txt: ")


def poor(
    monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str
) -> tuple[int, bytes, bytes]:
    """The exit code of a command, and what it prints and says, where both are of an encoding."""
    streams = {
        # As Python opens them.
        "stdout": io.TextIOWrapper(io.BytesIO(), encoding),
        "stderr": io.TextIOWrapper(io.BytesIO(), encoding, errors="backslashreplace"),
    }
    with monkeypatch.context() as terminal:
        for name, stream in streams.items():
            terminal.setattr(sys, name, stream)
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(stopped.code or 0)
    for stream in streams.values():
        stream.flush()
    out, said = (stream.buffer.getvalue() for stream in streams.values())  # type: ignore[attr-defined]
    return code, out, said


# What is written is the same for all but tables: text of some format.
@pytest.mark.parametrize("form", ["csv", "html"])
def test_programs_and_files_get_the_same_bytes_everywhere(
    form: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "qrels.txt").write_text("文書 0 a 1\n文書 0 b 1\n")
    for name in ("new.txt", "old.txt"):
        (folder / name).write_text(f"文書 Q0 {name[0]} 1 3 t\n文書 Q0 a 2 2 t\n文書 Q0 b 3 1 t\n")
    arguments = ["compare", "qrels.txt", "new.txt", "old.txt", "--per-topic", "--format", form]
    code, printed, _ = poor(monkeypatch, "ascii", *arguments)
    assert code == 0
    if form == "csv":
        done = shell('"$@" -o out', *arguments, environment=ENVIRONMENTS["C"])
        assert (done.returncode, done.stdout) == (0, b"")
    else:
        assert main([*arguments, "-o", "out"]) == 0
    assert "文書".encode() in printed
    assert (folder / "out").read_bytes() == printed


def test_a_dash_is_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", "qrels.txt", "new.txt", "old.txt"]
    for form in ("table", "csv"):
        assert main([*arguments, "--format", form]) == 0
        printed = capsys.readouterr().out
        assert main([*arguments, "--format", form, "-o", "-"]) == 0
        assert capsys.readouterr().out == printed
    (folder / "log").write_text("before\n")
    assert shell('"$@" -o /dev/stdout >> log', *arguments).returncode == 0
    log = (folder / "log").read_text()
    assert log.startswith("before\nNeither new nor old is ahead by RPP: the mean is 0.\n")
    assert not (folder / "-").exists()


def test_what_argparse_refuses_is_shown_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["compare", "a", "b", "--\x1b[2J"],
        ["\x1b[2J\n"],
        ["compare", "a", "b", "--test", "\x9b2J\u202e"],
    ):
        line = fail(capsys, *arguments)
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", line)


# A module is written to stderr once it is there; the command is then at the import of the next.
MOMENTS = ["argparse", "numpy", "rich"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_while_importing_is_one_line(moment: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "irpref", "compare", *PATHS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # or half a line is left in a buffer, and the other half is read as what was said
    ) as command:
        assert command.stderr is not None
        for line in command.stderr:
            if re.search(rb"\| +" + moment.encode() + rb"$", line.rstrip()):
                break
        command.send_signal(signal.SIGINT)
        out, rest = command.communicate(timeout=60)
    said = [line for line in rest.splitlines() if not line.startswith(b"import time:")]
    assert said == [b"irpref: stopped"]
    assert command.returncode == 130
    assert out == b""


def test_ctrl_c_at_any_moment_shows_no_irpref() -> None:
    """Python itself, before it comes to irpref, shows a traceback of its own."""
    for delay in range(40, 400, 60):
        with subprocess.Popen(
            ["timeout", "-s", "INT", f"{delay / 1000}", *COMMAND, "compare", *PATHS],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as command:
            _, said = command.communicate(timeout=60)
        assert said in (b"irpref: stopped\n", b"") or b"irpref/cli/main" not in said
        assert b"irpref/report" not in said


def test_an_ignored_ctrl_c_stays_ignored_and_a_result_needs_no_stderr() -> None:
    done = shell('trap "" INT; "$@" 2>&- & kill -INT $!; wait $!', *COMMANDS["pair"])
    assert done.returncode == 0
    assert done.stdout.startswith(b"Neither bm25-prf nor bm25 is shown to be better by RPP.\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_wait_for_a_pipe_that_stays_empty(number: int, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with subprocess.Popen(
        [*COMMAND, "compare", str(pipe), *PATHS[1:3]], stderr=subprocess.PIPE
    ) as command:
        signal.signal(signal.SIGHUP, before)
        # It opens once the command has opened the other end.
        with pipe.open("wb"):
            time.sleep(0.5)
            command.send_signal(number)
            try:
                code = command.wait(timeout=30)
            finally:
                command.kill()
        assert command.stderr is not None
        said = command.stderr.read()
    assert (code, said) == (
        (130, b"irpref: stopped\n") if number == signal.SIGINT else (-number, b"")
    )


def test_ctrl_c_takes_the_bar_away() -> None:
    script = (
        "import sys, time; from irpref import __main__; from irpref.report import terminal; "
        "terminal._PATIENCE = 0; "
        f"sys.argv[1:] = ['compare', *{PATHS!r}, '--test', 'hsd', '--resamples', '1000000']; "
        "__main__.run()"
    )
    reading, writing = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=writing,
        env={**os.environ, "TERM": "xterm"},
    ) as command:
        os.close(writing)
        shown, stopped = b"", False
        try:
            while part := os.read(reading, 1 << 16):
                shown += part
                if not stopped and b"shuffling systems" in shown:
                    command.send_signal(signal.SIGINT)
                    stopped = True
        except OSError:  # how Linux says that the other end is closed
            pass
        assert command.wait(timeout=60) == 130
    os.close(reading)
    assert shown.endswith(b"irpref: stopped\r\n")
    # The cursor was hidden, and is shown again.
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")

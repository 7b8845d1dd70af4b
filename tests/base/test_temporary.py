"""Temporary folders go whatever happens: the work ends or fails, the process is stopped or killed."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.base import temporary
from irpref.base.temporary import temporary_folder
from irpref.report.output import write_whole
from tests.command_line import COMMAND

PROGRAM = """
import signal, sys, time
from irpref.base import temporary
from irpref.base.temporary import temporary_folder
with temporary_folder(sys.argv[1]) as outer, temporary_folder(outer) as inner:
    (inner / "part").write_text("rows")
    print("ready", flush=True)
    {then}
    print("done", flush=True)
"""


@pytest.fixture(autouse=True)
def _ctrl_c_stops() -> Iterator[None]:
    """In the background of a shell, or under nohup, processes would ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGHUP, hung_up)


def started(
    place: Path, then: str = "[time.sleep(0.05) for _ in range(1200)]"
) -> subprocess.Popen[str]:
    """A process that has a temporary folder, and is at what it does then."""
    # One long sleep misses the signal that comes just before it.
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(then=then), str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def ended(process: subprocess.Popen[str]) -> str:
    """What it said after it was ready; wait until it has ended."""
    assert process.stdout is not None
    # Some of it may have been read along with the first line, of which communicate knows nothing.
    said = process.stdout.read()
    process.communicate(timeout=60)
    return said


def test_it_is_there_for_a_while_and_takes_along_what_is_left_in_it(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as one, temporary_folder(tmp_path) as other:
        (one / "parts").mkdir()
        (one / "parts" / "rows").write_text("rows")
        assert one.parent.parent == other.parent.parent == tmp_path
        assert one != other
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError), temporary_folder(tmp_path) as one:
        (one / "absent" / "rows").write_text("rows")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_takes_it_away(tmp_path: Path) -> None:
    process = started(tmp_path)
    process.send_signal(signal.SIGINT)
    assert (ended(process), process.returncode) == ("", -signal.SIGINT)
    assert list(tmp_path.iterdir()) == []


class Action(ctypes.Structure):
    """What the C library of Linux says of a signal; it fills eight bytes of the mask."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_char * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def dispositions() -> dict[int, tuple[int, int]]:
    """What each signal does, and its flags, of which Python does not tell."""
    libc, action, actions = ctypes.CDLL(None), Action(), {}
    for number in signal.valid_signals():
        libc.sigaction(int(number), None, ctypes.byref(action))
        actions[int(number)] = action.handler or 0, action.flags
    return actions


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they are laid out differently")
def test_a_library_leaves_every_signal_as_it_was(tmp_path: Path) -> None:
    # The flag that the command sets; what polars does when it is imported is done.
    signal.siginterrupt(signal.SIGINT, False)
    before = dispositions()
    qrels, runs = demo_paths()
    irpref.compare(qrels, runs[:2], "RPP").report().to_json()
    while_cutting: list[dict[int, tuple[int, int]]] = []
    irpref.convert(
        *(qrels, runs, tmp_path / "x.irpref"),
        parts=3,
        progress=lambda *_: while_cutting.append(dispositions()),
    )
    assert len(while_cutting) > 3
    assert all(now == before for now in while_cutting)
    irpref.collect(tmp_path / "x.irpref").compare("RPP").to_html()
    with temporary_folder(tmp_path):
        assert dispositions() == before
    write_whole(tmp_path / "text", "text")
    assert dispositions() == before


def test_it_works_in_threads(tmp_path: Path) -> None:
    seen: list[bool] = []

    def work() -> None:
        with temporary_folder(tmp_path) as folder:
            seen.append(folder.exists())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_what_a_killed_process_left_is_named_by_the_next(number: int, tmp_path: Path) -> None:
    process = started(tmp_path)
    (left,) = tmp_path.iterdir()
    process.send_signal(number)
    assert (ended(process), process.returncode) == ("", -number)
    for _ in range(2):
        named = re.escape(f"{left}: an irpref that was killed has left this behind; remove it")
        with pytest.warns(UserWarning, match=f"^{named}$"), temporary_folder(tmp_path):
            pass
    assert list(tmp_path.iterdir()) == [left]


def refused(*_: int) -> None:
    raise PermissionError


def test_what_nobody_can_say_is_left_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = started(tmp_path)
    gone.kill()
    ended(gone)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monkeypatch.setattr(temporary, "_PREFIX", ".irpref-elsewhere-")
        with temporary_folder(tmp_path):
            pass
    monkeypatch.undo()
    # As where the process is somebody else's.
    monkeypatch.setattr(os, "kill", refused)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with temporary_folder(tmp_path):
            pass


def test_what_others_are_at_stays(tmp_path: Path) -> None:
    process = started(tmp_path)
    (theirs,) = tmp_path.iterdir()
    for name in ("of-another-kind", f"{10**30}-x"):
        (tmp_path / f"{temporary._PREFIX}{name}").mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with temporary_folder(tmp_path):
            assert theirs.exists()
    process.kill()
    process.communicate(timeout=60)


@pytest.mark.parametrize("ends", ["signal.raise_signal(signal.SIGTERM)", "sys.exit()"])
def test_a_forked_process_that_ends_leaves_it_to_the_first(ends: str, tmp_path: Path) -> None:
    forked = f"""
    import os
    if (child := os.fork()) == 0:
        {ends}
    os.waitpid(child, 0)
    print(inner.exists())"""
    assert ended(started(tmp_path, forked.strip())) == "True\ndone\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "number"),
    [("convert", signal.SIGHUP), ("compare", signal.SIGINT), ("compare", signal.SIGTERM)],
)
def test_a_command_that_is_stopped_leaves_nothing(
    command: str, number: int, tmp_path: Path
) -> None:
    qrels, endless, large = tmp_path / "qrels.txt", tmp_path / "endless", tmp_path / "large.txt"
    qrels.write_text("1 0 d 1\n")
    os.mkfifo(endless)
    with large.open("wb") as file:
        # So large that it is cut into parts; nobody gets as far as to read it.
        file.truncate(1 << 28)
    more = ["-o", str(tmp_path / "new")] if command == "convert" else ["--keep", "summary"]
    before = set(tmp_path.iterdir())
    process = subprocess.Popen(
        [*COMMAND, command, str(qrels), str(endless), str(large), *more],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    # It opens to write where somebody reads: then the command is at the run, and the qrels are written.
    with endless.open("wb"):
        assert any(tmp_path.glob(".irpref-*/**/*.parquet"))
        process.send_signal(number)
        # Not only when the other end is closed.
        process.wait(timeout=60)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert said == ("irpref: stopped\n" if number == signal.SIGINT else "")
    assert set(tmp_path.iterdir()) == before

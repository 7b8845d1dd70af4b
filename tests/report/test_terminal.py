"""What is said on stdout and stderr: nothing is lost in silence, and nothing is complained of twice."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest

from irpref.report.terminal import (
    is_terminal,
    screen,
    show,
    tell,
    terminal_encoding,
    terminal_width,
)


def stream(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def written(out: io.TextIOWrapper) -> bytes:
    assert isinstance(out.buffer, io.BytesIO)
    return out.buffer.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_people_get_what_the_terminal_has(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = stream(encoding), stream(encoding)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert screen() == {"width": None, "encoding": encoding, "colour": False}
    show("naïve … ─\n")
    tell("naïve …")
    wanted = {
        "ascii": "na\\xefve ... -\n",
        "latin-1": "naïve ... -\n",
    }.get(encoding, "naïve … ─\n")
    assert written(out).decode(encoding) == wanted
    assert written(err).decode(encoding) == wanted.replace(" -", "").replace(" ─", "")


def test_programs_get_utf_8_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    out = stream("ascii")
    monkeypatch.setattr(sys, "stdout", out)
    show("before\n")
    show("naïve … ─\n", data=True)
    assert written(out) == "before\nnaïve … ─\n".encode()


def test_a_stream_of_texts_gets_all() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert terminal_encoding() is None
        show("naïve … ─\n")
        show("文\n", data=True)
    assert out.getvalue() == "naïve … ─\n文\n"


def test_without_streams_only_what_was_asked_for_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = io.StringIO()
    closed.close()
    for nothing in (None, closed):
        monkeypatch.setattr(sys, "stdout", nothing)
        monkeypatch.setattr(sys, "stderr", nothing)
        assert terminal_width() is None
        assert not is_terminal(nothing)
        tell("nobody listens")
        with pytest.raises(OSError, match="stdout is closed: open it, or write to a file with -o"):
            show("text")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_an_error_on_stdout_only(monkeypatch: pytest.MonkeyPatch) -> None:
    # Closing them would write once more what is left in them, were they not led elsewhere.
    with open("/dev/full", "w") as out, open("/dev/full", "w") as err:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        tell("nobody listens")
        with pytest.raises(OSError, match=r"stdout cannot be written to \(No space left"):
            show("text")
        show("this goes nowhere")

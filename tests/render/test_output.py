"""Files are written whole or not at all, and nothing but files is replaced."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from irpref.errors import InputError
from irpref.render.output import check_writable, write_whole


def test_a_new_file_is_whole_and_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    mask = os.umask(0o027)
    try:
        write_whole(path, "naïve\n文\n")
    finally:
        os.umask(mask)
    assert path.read_bytes() == "naïve\n文\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_an_existing_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("a longer text than the new one")
    path.chmod(0o604)
    write_whole(path, "new\n")
    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert list(tmp_path.iterdir()) == [path]


def test_a_relative_path_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_writable(Path("out.txt"))
    write_whole(Path("out.txt"), "text\n")
    assert (tmp_path / "out.txt").read_text() == "text\n"


def test_a_link_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    check_writable(pipe)
    write_whole(pipe, "text\n")
    reader.join(timeout=10)
    assert received == ["text\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


def stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "fault",
    [
        ("replace", no_space, InputError),
        ("chmod", no_space, InputError),
        ("replace", stop, KeyboardInterrupt),
    ],
)
@pytest.mark.parametrize("existing", [True, False])
def test_a_failure_leaves_all_as_it_was(
    fault: tuple[str, object, type[BaseException]],
    existing: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step, failure, raised = fault
    path = tmp_path / "out.txt"
    if existing:
        path.write_text("as it was")
    before = list(tmp_path.iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(os, step, failure)
        with pytest.raises(raised):
            write_whole(path, "new")
    assert list(tmp_path.iterdir()) == before
    if existing:
        assert path.read_text() == "as it was"


def test_text_that_cannot_be_encoded_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "out.txt", "a name that is not UTF-8: \udcff")
    assert list(tmp_path.iterdir()) == []


def test_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="folder does not exist; make it"):
        check_writable(tmp_path / "absent" / "out.txt")
    with pytest.raises(InputError, match=r"out\.txt: cannot be written"):
        write_whole(tmp_path / "absent" / "out.txt", "text")
    check_writable(tmp_path / "out.txt")
    assert list(tmp_path.iterdir()) == []

"""Files are written whole or not at all, and nothing but files is replaced."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.base.errors import InputError
from irpref.report.output import STDOUT, check_writable, write_whole


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


@pytest.mark.parametrize("mode", [0o604, 0o200, 0o2640, 0o1666, 0o6755])
def test_an_existing_file_is_replaced_and_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("a longer text than the new one")
    path.chmod(mode)
    write_whole(path, "new\n")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    path.chmod(0o600)
    assert path.read_text() == "new\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_an_existing_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    os.chown(path, 1234, 4321)
    path.chmod(0o4755)
    write_whole(path, "new\n")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 4321, 0o4755)


def test_a_file_with_the_longest_name_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    check_writable(path)
    write_whole(path, "new\n")
    assert path.read_text() == "new\n"


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


def test_a_link_to_nothing_leads_to_the_new_file(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    check_writable(link)
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"
    link.unlink()
    link.symlink_to("absent/target.txt")
    with pytest.raises(InputError, match="folder does not exist; make it"):
        check_writable(link)


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.symlink_to(other)
    other.symlink_to(path)
    with pytest.raises(InputError, match="links to itself"):
        check_writable(path)
    assert path.is_symlink()


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
    ("fault", "existing"),
    [
        (("replace", no_space, InputError), True),
        (("replace", no_space, InputError), False),
        # A new file has the mode that it should have from the beginning.
        (("chmod", no_space, InputError), True),
        (("replace", stop, KeyboardInterrupt), True),
        (("replace", stop, KeyboardInterrupt), False),
    ],
)
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


def test_a_read_only_file_is_refused_for_root_too(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("as it was")
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    path.chmod(0o444)
    for output in (path, link):
        with pytest.raises(InputError, match=r"read-only; let it be written to \(chmod u\+w\), or"):
            check_writable(output)
    assert path.read_text() == "as it was"
    path.chmod(0o644)
    check_writable(path)


def test_a_file_in_a_read_only_folder_is_refused_for_root_too(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "old.txt").write_text("as it was")
    folder.chmod(0o555)
    for name in ("old.txt", "new.txt"):
        with pytest.raises(InputError, match=r"its folder is read-only .*; let it be written to"):
            check_writable(folder / name)
    folder.chmod(0o755)


# A command that waits at the last moment, when all is written beside its place.
WRITER = """
import os, signal, time
from pathlib import Path
from irpref import __main__
from irpref.cli import main
from irpref.report.output import write_whole
# In the background of a shell, or under nohup, they are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
def wait(new, place):
    print(new.stat().st_size, flush=True)
    # A signal just before one long sleep is only handled after it.
    for _ in range(600):
        time.sleep(0.1)
os.replace = wait
main.main = lambda: write_whole(Path("out.txt"), "text")
__main__.run()
print("done", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("existing", [True, False])
def test_a_signal_while_writing_leaves_nothing_half_written(
    number: int, existing: bool, tmp_path: Path
) -> None:
    path = tmp_path / "out.txt"
    if existing:
        path.write_text("as it was")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"4\n"
        assert any(each.name.startswith(".irpref-") for each in tmp_path.iterdir())
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
    assert rest == b""
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert [each.name for each in tmp_path.iterdir()] == ["out.txt"] * existing
    assert not existing or path.read_text() == "as it was"


def test_text_that_cannot_be_encoded_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "out.txt", "a name that is not UTF-8: \udcff")
    assert list(tmp_path.iterdir()) == []


def test_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="folder does not exist; make it"):
        check_writable(tmp_path / "absent" / "out.txt")
    for name in ("absent/out.txt", "half \ud800 a character", "\0"):
        with pytest.raises(InputError, match="cannot be written"):
            write_whole(tmp_path / name, "text")
    check_writable(tmp_path / "out.txt")
    assert list(tmp_path.iterdir()) == []


SAVES = {
    "text": lambda place: write_whole(place, "text\n"),
    "collection": lambda place: irpref.collect(*demo_paths()).save(place),
    "converted": lambda place: irpref.convert(*demo_paths(), place, parts=2),
    "summary": lambda place: irpref.compare(*demo_paths(), "LP", keep="summary").save(place),
    "page": lambda place: irpref.compare(*demo_paths(), "LP").to_html(place),
}


@pytest.mark.parametrize("save", SAVES)
def test_pipes_and_devices_get_what_a_file_gets(save: str, tmp_path: Path) -> None:
    SAVES[save](tmp_path / "file")
    wanted = (tmp_path / "file").read_bytes()
    pipe, received = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    SAVES[save](pipe)
    reader.join(timeout=10)
    assert received == [wanted]
    assert pipe.is_fifo()
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    SAVES[save](null)
    assert null.is_char_device()
    assert null.is_symlink()
    assert sorted(tmp_path.iterdir()) == [tmp_path / "file", null, pipe]
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"full: cannot be written \(No space left"):
        SAVES[save](full)


@pytest.mark.parametrize("save", SAVES)
def test_what_is_neither_a_file_nor_a_pipe_is_refused(save: str, tmp_path: Path) -> None:
    place = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        with pytest.raises(InputError, match="this is neither a file nor a pipe"):
            SAVES[save](place)
    assert place.is_socket()


def test_stdout_gets_the_bytes_of_a_file(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    irpref.collect(*demo_paths()).save(tmp_path / "file")
    irpref.collect(*demo_paths()).save(STDOUT)
    assert capfdbinary.readouterr().out == (tmp_path / "file").read_bytes()

"""What is read may come from a pipe: all of it is read, or a line says that it must be a file."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import irpref
from irpref.cli.demo_data import save
from irpref.cli.main import main

pytestmark = pytest.mark.slow

WAYS = ("<( )", "named pipe", "/dev/stdin", "-")
TWO = "{qrels} a={run} b={other}"
COMMANDS = {
    "compare": f"compare {TWO} --format csv",
    "board": f"compare {TWO} c={{third}} -p RPP --format csv",
    "sums": f"compare {TWO} --keep summary --format csv",
    "page": f"compare {TWO} --topics {{topics}} --docs {{docs}} -o {{out}}.html",
    "evaluate": f"evaluate {TWO} --format csv",
    "explain": f"explain {TWO} --topics {{topics}} --docs {{docs}} --topic 6 --format csv",
    "corroborate": f"corroborate {TWO} -m AP@10 --format csv",
    "gate": f"gate {TWO} --margin 0.9 --page {{out}} --format csv",
    "profile": f"plot profile {TWO} -o -",
    "ranks": f"plot ranks {TWO} c={{third}} -o -",
    "study": f"study ties {TWO} --format csv",
    "plan": f"plan -p RPP --difference 0.2 {TWO} --format csv",
    "convert": f"convert {TWO} -o {{out}}.irpref",
    "judges": "compare --outcomes {outcomes} --format csv",
    "agreement": f"study agreement --outcomes {{outcomes}} {TWO} --format csv",
    "scores": f"study agreement --scores {{scores}} {TWO} --format csv",
}
SAVED = {
    name: words.replace(TWO, "{saved} a b").replace(" c={third}", " c")
    for name, words in COMMANDS.items()
    if "{qrels}" in words
}
# What a page says of the files that it was made of.
ABOUT = re.compile(rb'<p id="about">.*?</p>')


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files") / "demo"
    save(folder)
    outcomes = folder / "outcomes.csv"
    outcomes.write_text(
        "topic,a,b,outcome\n"
        + "".join(f"{topic},a,b,{'ab'[topic % 2]}\n" for topic in range(1, 13))
    )
    scores = folder / "scores.csv"
    rows = (f"{system},{topic},m,{(topic * 7) % 5}\n" for system in "ab" for topic in range(1, 13))
    scores.write_text("system,topic,measure,value\n" + "".join(rows))
    qrels, runs = folder / "qrels.txt", folder / "runs"
    named = {"a": runs / "bm25.txt", "b": runs / "tfidf.txt", "c": runs / "boolean.txt"}
    irpref.convert(qrels, named, folder / "saved.irpref", lists=100)
    return {
        "qrels": qrels,
        "run": named["a"],
        "other": named["b"],
        "third": named["c"],
        "topics": folder / "topics.tsv",
        "docs": folder / "documents.jsonl",
        "outcomes": outcomes,
        "scores": scores,
        "saved": folder / "saved.irpref",
    }


@contextmanager
def piped(content: bytes, way: str, folder: Path) -> Iterator[str]:
    """The word for a pipe that gives some bytes, once: whoever opens it again waits for ever."""
    place = folder / "pipe"
    if way == "named pipe":
        os.mkfifo(place)
        end = str(place)
    else:
        out, end = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), open(end, "wb") as pipe:
            pipe.write(content)

    threading.Thread(target=write, daemon=True).start()
    if way == "named pipe":
        yield end
        place.unlink()
    elif way == "<( )":
        yield f"/dev/fd/{out}"
        os.close(out)
    else:
        before = os.dup(0)
        os.dup2(out, 0)
        os.close(out)
        yield way
        os.dup2(before, 0)
        os.close(before)


def late(*_: object) -> None:
    raise TimeoutError("it reads the pipe again")


@pytest.fixture(autouse=True)
def _ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, late)
    with open(0, closefd=False) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def output(
    words: str, named: dict[str, object], folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> tuple[int, bytes]:
    """The exit code of a command, and all that it wrote."""
    place = folder / "out"
    signal.alarm(120)
    code = main(words.format(**named, out=place).split())
    printed, said = capfdbinary.readouterr()
    written = b""
    for path in sorted(folder.glob("out*")):
        if path.suffix == ".irpref":
            code += main(["evaluate", str(path), "--format", "csv"])
            written += capfdbinary.readouterr().out
        else:
            written += path.read_bytes()
        path.unlink()
    return code, printed + written + (said if code else b"")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_comes_from_a_pipe_is_what_the_file_has(
    command: str, files: dict[str, Path], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = COMMANDS[command]
    code, plain = output(words, dict(files), tmp_path, capfdbinary)
    assert code == 0
    for number, kind in enumerate(kind for kind in files if f"{{{kind}}}" in words):
        # Every way for the qrels; every kind is tried in every way by some command.
        turn = (list(COMMANDS).index(command) + number) % len(WAYS)
        for way in WAYS if kind == "qrels" else WAYS[turn : turn + 1]:
            with piped(files[kind].read_bytes(), way, tmp_path) as pipe:
                found = output(words, {**files, kind: pipe}, tmp_path, capfdbinary)
            assert found[0] == 0, (kind, way, found[1][-300:])
            assert ABOUT.sub(b"", found[1]) == ABOUT.sub(b"", plain), (kind, way)


@pytest.mark.parametrize("command", SAVED)
def test_a_saved_collection_from_a_pipe_is_refused_in_a_line(
    command: str, files: dict[str, Path], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert output(SAVED[command], dict(files), tmp_path, capfdbinary)[0] == 0
    way = WAYS[list(SAVED).index(command) % len(WAYS)]
    with piped(files["saved"].read_bytes(), way, tmp_path) as pipe:
        code, said = output(SAVED[command], {**files, "saved": pipe}, tmp_path, capfdbinary)
    assert code == 2
    assert said.count(b"\n") == 1, said
    assert b"must be a file" in said, said


def test_a_file_that_is_written_to_stdout_is_the_same(
    files: dict[str, Path], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Stdout gets what a file gets, and no file is called "-"."""
    for command, ending in (("convert", ".irpref"), ("profile", ".svg")):
        place = tmp_path / f"file{ending}"
        words = COMMANDS[command].rpartition(" -o ")[0].format(**files).split()
        assert main([*words, "-o", str(place)]) == main([*words, "-o", "-"]) == 0
        assert capfdbinary.readouterr().out == place.read_bytes()
    study = ["study", "ties", *COMMANDS["study"].format(**files).split()[2:]]
    assert main([*study, "--plot", "-", "-o", str(tmp_path / "table.csv")]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<?xml")
    assert main([*study, "--plot", "-"]) == 2
    assert not Path("-").exists()

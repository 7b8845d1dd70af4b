"""Every command takes a saved collection where it takes qrels and runs, and says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from tests.command_line import fail, succeed

QRELS, RUNS = demo_paths()
FILES = [str(QRELS), *map(str, RUNS)]
TWO = [str(QRELS), *(str(QRELS.parent / f"runs/{name}.txt") for name in ("bm25", "tfidf"))]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("saved") / "demo.irpref"
    assert main(["convert", *FILES, "-o", str(path), "--lists", "100"]) == 0
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["compare", "--format", "json", "--test", "t"],
        ["compare", "--per-topic", "-p", "LP"],
        ["compare", "--missing", "skip", "--depth", "5", "--no-test"],
        ["compare", "--keep", "summary", "--test", "fit"],
        ["evaluate", "-m", "AP", "-m", "nDCG@5"],
        ["plan", "-p", "RPP", "--difference", "0.2", "--pair", "bm25", "tfidf"],
        ["study", "ties"],
    ],
)
def test_all_systems(words: list[str], saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, more = [words[0]], words[1:]
    if command == ["study"]:
        command, more = words[:2], words[2:]
    assert succeed(capsys, *command, saved, *more) == succeed(capsys, *command, *FILES, *more)


@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["explain"],
        ["explain", "--topic", "6"],
        ["gate", "--margin", "0.9", "-p", "RPP"],
    ],
)
def test_two_systems_by_name(
    words: list[str], saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = succeed(capsys, words[0], *TWO, *words[1:])
    assert succeed(capsys, words[0], saved, "bm25", "tfidf", *words[1:]) == wanted
    found = succeed(capsys, words[0], saved, *words[1:], "--systems", "bm25", "tfidf")
    assert found == wanted


def test_a_champion_and_its_challengers(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["-m", "AP"]
    wanted = succeed(capsys, "corroborate", *TWO, *asked)
    assert succeed(capsys, "corroborate", saved, "bm25", "tfidf", *asked) == wanted


@pytest.mark.slow
def test_pictures_and_pages(saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, name in ((["plot", "matrix"], "a.svg"), (["compare", "--no-test"], "a.html")):
        written = []
        for words in ([saved], FILES):
            more = [] if command[0] == "plot" else command[1:]
            first = command if command[0] == "plot" else command[:1]
            succeed(capsys, *first, *words, *more, "-o", str(tmp_path / name))
            written.append((tmp_path / name).read_bytes())
        assert written[0] == written[1]


def test_a_study_of_several_collections(
    saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    (folder / "runs").mkdir(parents=True)
    (folder / "qrels.txt").write_bytes(QRELS.read_bytes())
    for run in RUNS:
        (folder / "runs" / run.name).write_bytes(run.read_bytes())
    wanted = succeed(capsys, "study", "ties", "--collection", f"demo={folder}")
    found = succeed(capsys, "study", "ties", "--collection", f"demo={saved}")
    assert found == wanted
    assert succeed(capsys, "study", "ties", "--collection", saved) == wanted


def test_a_mistake_is_one_line_in_words_of_the_command_line(
    saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for flags, said in (
        (["--order", "rank"], "its runs were not read with --order rank"),
        (["--judged-only"], "its runs were not read with --judged-only"),
        (["--rel", "2"], "and save them, with --rel 2"),
        (["--duplicates", "first"], "its runs were not read with --duplicates first"),
        (["--systems", "bm52", "tfidf"], "unknown system 'bm52'; did you mean 'bm25'?"),
        (["--systems", "bm25", "bm25"], "name at least one system, and none twice"),
    ):
        assert said in fail(capsys, "compare", saved, *flags)
    irpref.convert(QRELS, RUNS, tmp_path / "short.irpref", depth=4)
    said = fail(capsys, "compare", str(tmp_path / "short.irpref"), "--depth", "9")
    assert (
        "its runs were cut to 4 documents; read the runs again, and save them, with --depth 9"
        in said
    )
    plain = tmp_path / "plain.zip"
    plain.write_bytes(b"PK\x03\x04" + bytes(99))
    assert "this is no collection that irpref saved" in fail(capsys, "compare", str(plain))
    assert "name the RUNs behind the QRELS" in fail(capsys, "compare", FILES[0], "--no-test")


def test_no_input_is_written_over_and_no_half_is_left(
    saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(saved).read_bytes()
    for command in (["convert", saved], ["compare", saved, "--format", "csv"]):
        assert "would destroy an input" in fail(capsys, *command, "-o", saved)
    assert Path(saved).read_bytes() == before
    place = tmp_path / "x.irpref"
    place.write_text("mine")
    bad = tmp_path / "bad.txt"
    bad.write_text("1 Q0 d 1 nan t\n")
    assert "NaN" in fail(capsys, "convert", FILES[0], str(bad), "-o", str(place))
    assert "read the runs again" in fail(capsys, "convert", saved, "--rel", "2", "-o", str(place))
    assert place.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"x.irpref", "bad.txt"}


@pytest.mark.parametrize("parts", ["1", "2"])
def test_warnings_spell_options_as_they_are_typed(
    parts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, wrong, good = (tmp_path / f"{name}.txt" for name in ("qrels", "wrong", "good"))
    qrels.write_text("".join(f"{t} 0 {d} 1\n" for t in range(6) for d in "ab"))
    for path, scores in ((wrong, (1, 2, 3)), (good, (3, 2, 1))):
        rows = [
            (t, d, r, s)
            for t in range(6)
            for r, (d, s) in enumerate(zip("abc", scores, strict=True), 1)
        ]
        path.write_text("".join(f"{t} Q0 {d} {r} {s} x\n" for t, d, r, s in rows))
    words = [str(qrels), str(wrong), str(good)]
    assert main(["compare", *words, "--no-test"]) == 0
    files = capsys.readouterr()
    assert "--order" in files.out
    place = str(tmp_path / "x.irpref")
    assert main(["convert", *words, "--parts", parts, "-o", place]) == 0
    told = capsys.readouterr().err
    assert main(["compare", place, "--no-test"]) == 0
    found = capsys.readouterr()
    # Of parts, the steps of the first one are counted.
    assert parts == "2" or found.out == files.out
    assert "--order" in found.out
    assert (files.err, found.err) == ("", "")
    assert "--order" in told
    assert main(["compare", place, "--systems", "good", "wrong", "--keep", "summary"]) == 0
    assert capsys.readouterr().err == told

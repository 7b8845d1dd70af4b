"""What the tests of every part share: where the real data are, how much is tried, and by which worker."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from tests.command_line import QRELS, RUNS, run_text

settings.register_profile(
    "irpref",
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("irpref")

# ranx has numba compile its functions for every length of name: what runs for moments needs no optimizing.
os.environ.setdefault("NUMBA_OPT", "1")


class _ByFile(LoadFileScheduling):
    """A file goes to one worker, and all that runs ranx too: another one would compile most of it again."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "ranx" if "ranx" in file else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _ByFile | None:
    return _ByFile(config, log) if config.option.dist == "loadfile" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """An option of ``render/test_golden.py``."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the files that reports are compared with anew",
    )


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections, which lies beside the repository and not in it."""
    path = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("shared data absent")
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: qrels.txt and three runs."""
    lines = [f"{t} 0 {d} {g}\n" for t, judged in QRELS.items() for d, g in judged.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, lists in RUNS.items():
        (tmp_path / f"{name}.txt").write_text(run_text(lists, name))
    monkeypatch.chdir(tmp_path)
    return tmp_path

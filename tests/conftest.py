"""What the tests of every part share: where the real data are, and how much hypothesis tries."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.command_line import QRELS, RUNS, run_text

settings.register_profile(
    "irpref",
    deadline=None,
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("irpref")


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

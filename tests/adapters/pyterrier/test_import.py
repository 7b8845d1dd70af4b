"""How the adapter is found, and that it cannot break PyTerrier."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

import irpref_ir_measures
import irpref_pyterrier

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def found(first: str) -> str:
    return f"""
import {first}
import sys, pyterrier as pt, irpref_pyterrier
assert pt.pref is irpref_pyterrier
assert 'irpref.read' not in sys.modules
assert callable(pt.pref.compare)
assert str(pt.pref.RPP.against({{'1': {{'a': 1.0}}}}, name='b')) == "RPP(ref='b')"
"""


def broken(module: str) -> str:
    return f"""
import sys; sys.modules[{module!r}] = None
import pyterrier as pt
pt.Experiment
try:
    pt.pref.compare, pt.pref.RPP
except ImportError as error:
    assert {module!r} in str(error)
else:
    raise AssertionError
"""


WITHOUT_PYTERRIER = """
import sys; sys.modules['pyterrier'] = None
try:
    import irpref_pyterrier
except ImportError as error:
    assert 'pip install "irpref[pyterrier]"' in str(error)
else:
    raise AssertionError
"""
PROGRAMS = {
    **{f"found at pt.pref after {name}": found(name) for name in ("pyterrier", "irpref_pyterrier")},
    "found at pt.pref after irpref_ir_measures": found("irpref_ir_measures"),
    **{f"{name} is broken": broken(name) for name in ("irpref", "irpref_ir_measures", "polars")},
    "no pyterrier": WITHOUT_PYTERRIER,
}
# Each has a fork, in which none of ours and nothing of PyTerrier is imported, but what these stand on.
EACH_IN_A_FORK = """
import os, pathlib, sys, traceback
import pandas, requests, scipy.stats
for name, program in eval(sys.stdin.read()).items():
    if not (child := os.fork()):
        try:
            exec(program, {})
        except BaseException:
            pathlib.Path(name).write_text(traceback.format_exc())
        os._exit(0)
    if status := os.waitpid(child, 0)[1]:
        pathlib.Path(name).write_text(f"it ended with {status}")
"""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is wrong in the programs, where the entry point of pyproject.toml is declared."""
    folder = tmp_path_factory.mktemp("entry-point")
    project = (ROOT / "pyproject.toml").read_text()
    entry = re.search(
        r'^\[project.entry-points."pyterrier.modules"\]\npref = "([\w.:]+)"$', project, re.MULTILINE
    )
    assert entry
    # As an installed distribution declares it.
    info = folder / "irpref_entry-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: irpref-entry\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[pyterrier.modules]\npref = {entry.group(1)}\n")
    path = os.pathsep.join(map(str, [ROOT, ROOT / "adapters", folder]))
    done = subprocess.run(
        [sys.executable, "-c", EACH_IN_A_FORK],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        input=repr(PROGRAMS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {file.name: file.read_text() for file in folder.iterdir() if file.is_file()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found_and_a_broken_installation_does_not_break_pyterrier(
    name: str, wrong: dict[str, str]
) -> None:
    assert name not in wrong, wrong[name]


def test_it_has_the_names_of_both_and_refuses_others() -> None:
    assert irpref_pyterrier.TieRR is irpref_ir_measures.TieRR
    assert {"compare", "RPP", "TieRR"} <= set(dir(irpref_pyterrier))
    for name in ("comparse", "_private", "register"):
        with pytest.raises(AttributeError, match=name):
            getattr(irpref_pyterrier, name)


def test_the_installed_release_is_at_least_the_lower_bound() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    bound = re.search(r'^pyterrier = \["pyterrier>=([\d.]+)"', project, re.MULTILINE)
    assert bound
    assert Version(importlib.metadata.version("pyterrier")) >= Version(bound.group(1))

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

ROOT = Path(__file__).parents[3]


@pytest.fixture
def entry_point(tmp_path: Path) -> Path:
    """A folder that declares the entry point of pyproject.toml, as an installed distribution does."""
    project = (ROOT / "pyproject.toml").read_text()
    found = re.search(
        r'^\[project.entry-points."pyterrier.modules"\]\npref = "([\w.:]+)"$', project, re.MULTILINE
    )
    assert found
    info = tmp_path / "irpref_entry-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: irpref-entry\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[pyterrier.modules]\npref = {found.group(1)}\n")
    return tmp_path


def python(code: str, *paths: Path) -> None:
    path = os.pathsep.join(map(str, [ROOT, ROOT / "adapters", *paths]))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("first", ["pyterrier", "irpref_pyterrier", "irpref_ir_measures"])
def test_it_is_at_pt_pref(entry_point: Path, first: str) -> None:
    python(
        f"import {first}\n"
        "import sys, pyterrier as pt, irpref_pyterrier\n"
        "assert pt.pref is irpref_pyterrier\n"
        "assert 'irpref' not in sys.modules\n"
        "assert callable(pt.pref.Experiment) and callable(pt.pref.compare)\n"
        "assert str(pt.pref.RPP.against({'1': {'a': 1.0}}, name='b')) == \"RPP(ref='b')\"\n",
        entry_point,
    )


@pytest.mark.parametrize("broken", ["irpref", "irpref_ir_measures", "polars"])
def test_a_broken_installation_does_not_break_pyterrier(entry_point: Path, broken: str) -> None:
    python(
        f"import sys; sys.modules[{broken!r}] = None\n"
        "import pyterrier as pt\n"
        "pt.Experiment\n"
        "try:\n"
        "    pt.pref.Experiment\n"
        "except ImportError as error:\n"
        f"    assert {broken!r} in str(error)\n"
        "else:\n"
        "    raise AssertionError\n",
        entry_point,
    )


def test_without_pyterrier_the_error_names_the_command() -> None:
    python(
        "import sys; sys.modules['pyterrier'] = None\n"
        "try:\n"
        "    import irpref_pyterrier\n"
        "except ImportError as error:\n"
        "    assert 'pip install \"irpref[pyterrier]\"' in str(error)\n"
        "else:\n"
        "    raise AssertionError\n"
    )


def test_it_has_the_names_of_both_and_refuses_others() -> None:
    assert irpref_pyterrier.TieRR is irpref_ir_measures.TieRR
    assert {"Experiment", "compare", "RPP", "TieRR"} <= set(dir(irpref_pyterrier))
    for name in ("Experimnt", "_private", "register"):
        with pytest.raises(AttributeError, match=name):
            getattr(irpref_pyterrier, name)


def test_the_installed_release_is_at_least_the_lower_bound() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    bound = re.search(r'^pyterrier = \["pyterrier>=([\d.]+)"', project, re.MULTILINE)
    assert bound
    assert Version(importlib.metadata.version("pyterrier")) >= Version(bound.group(1))

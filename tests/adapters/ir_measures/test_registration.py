"""What importing the plugin does to ir_measures, how light it is, and what it says where it cannot work."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ir_measures import measures, providers
from packaging.version import Version

import irpref_ir_measures

ROOT = Path(__file__).parents[3]
NAMES = [name for name in irpref_ir_measures.__all__ if name not in ("provider", "scores")]


def python(code: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "adapters")])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_name_is_registered() -> None:
    assert set(NAMES) >= {
        *("TieP", "TieR", "TieF1", "TieAP", "TieRR", "TienDCG", "TSE", "ASL", "ISL", "TSL"),
        *("LexiRecall", "LexiPrecision", "LP", "LR", "RPP", "STRPP", "IPSO"),
        *("sgnLP", "rrLP", "dcgRPP", "invRPP"),
    }
    for name in NAMES:
        for spelled in (name, name.lower(), name.upper()):
            assert measures.registry[spelled] == getattr(irpref_ir_measures, name)
    # By class: an ir_measures that reads entry points makes one of its own.
    assert isinstance(providers.registry["irpref"], type(irpref_ir_measures.provider))


def test_no_built_in_measure_is_replaced() -> None:
    done = python(
        "import ir_measures; before = dict(ir_measures.measures.registry)\n"
        "pipeline = ir_measures.DefaultPipeline.providers\n"
        "known = [each for each in pipeline if each.NAME != 'irpref']\n"
        "import irpref_ir_measures\n"
        "assert all(ir_measures.measures.registry[name] is it for name, it in before.items())\n"
        "assert [each for each in pipeline if each.NAME != 'irpref'] == known\n"
        "assert len(pipeline) == len(known) + 1\n"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_one_provider_however_often_imported() -> None:
    # In a process of its own: reloading leaves two classes of one name behind.
    done = python(
        "import importlib, sys, ir_measures, irpref_ir_measures as plugin\n"
        "before = plugin.RPP.against({'1': {'a': 1.0}}, name='before')\n"
        "for name in ('', '.measures', '.base', ''):\n"
        "    importlib.reload(sys.modules['irpref_ir_measures' + name])\n"
        "for name in [name for name in sys.modules if name.startswith('irpref_ir_measures')]:\n"
        "    del sys.modules[name]\n"
        "import irpref_ir_measures as plugin\n"
        "names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]\n"
        "assert names.count('irpref') == 1, names\n"
        "after = plugin.RPP.against({'1': {'b': 1.0}}, name='after')\n"
        "found = ir_measures.calc_aggregate([before, after], {'1': {'a': 1}}, {'1': {'a': 2.0}})\n"
        "assert found == {before: 0, after: 1}, found\n"
    )
    assert done.returncode == 0, done.stderr


def test_a_name_that_another_plugin_has_is_not_taken() -> None:
    done = python(
        "import ir_measures\n"
        "ir_measures.measures.registry['RPP'] = ir_measures.AP\n"
        "import irpref_ir_measures\n"
    )
    assert "ImportError: ir_measures knows another measure RPP already" in done.stderr


def provider_entry() -> tuple[str, str]:
    """The entry that irpref has in ir_measures' group."""
    project = (ROOT / "pyproject.toml").read_text()
    group = r'^\[project\.entry-points\."ir_measures\.provider"\]\n(\w+) = "([\w.:]+)"$'
    found = re.search(group, project, re.MULTILINE)
    assert found
    return found[1], found[2]


def test_the_entry_point_is_the_class_of_the_provider() -> None:
    name, value = provider_entry()
    loaded = importlib.metadata.EntryPoint(name, value, "ir_measures.provider").load()
    assert loaded is type(irpref_ir_measures.provider)
    assert loaded().NAME == name == "irpref"


@pytest.mark.slow
def test_the_entry_point_loads_while_ir_measures_is_only_half_there() -> None:
    # ir_measures' branch with entry points loads them while it imports its providers.
    done = python(
        "import importlib.metadata, inspect, ir_measures\n"
        "source = inspect.getsource(ir_measures)\n"
        "later = source.partition('from ir_measures import providers\\n')[2]\n"
        "names = [name for name in vars(ir_measures).copy() if f'{name} = ' in later]\n"
        "names += ['Provider', 'Evaluator']\n"
        "assert {'DefaultPipeline', 'calc_aggregate', 'pytrec_eval'} < set(names), names\n"
        "kept = {name: ir_measures.__dict__.pop(name) for name in names}\n"
        f"entry = importlib.metadata.EntryPoint(*{provider_entry()}, 'ir_measures.provider')\n"
        "provider = entry.load()()\n"
        "vars(ir_measures).update(kept)\n"
        "ir_measures.DefaultPipeline.providers.append(provider)\n"
        "asked = [ir_measures.parse_measure('TieRR@10'), ir_measures.AP]\n"
        "found = ir_measures.calc_aggregate(asked, {'1': {'a': 1}}, {'1': {'a': 2.0}})\n"
        "assert set(found.values()) == {1}, found\n"
    )
    assert done.returncode == 0, done.stderr


def test_importing_loads_nothing_heavy() -> None:
    done = python(
        "import sys, irpref_ir_measures\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'polars', 'numba'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "import ir_measures\n"
        "str(ir_measures.parse_measure(\"RPP(ref='b.run')@100\")), hash(irpref_ir_measures.TieRR @ 10)\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    assert done.returncode == 0, done.stderr


def test_without_ir_measures_the_error_names_the_command() -> None:
    done = python("import sys; sys.modules['ir_measures'] = None\nimport irpref_ir_measures")
    # None in sys.modules raises ModuleNotFoundError with that name, as a missing package does.
    assert 'pip install "irpref[ir-measures]"' in done.stderr


def test_the_installed_release_is_at_least_the_lower_bound() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    bound = re.search(r'^ir-measures = \["ir_measures>=([\d.]+)"', project, re.MULTILINE)
    assert bound
    assert Version(importlib.metadata.version("ir_measures")) >= Version(bound.group(1))

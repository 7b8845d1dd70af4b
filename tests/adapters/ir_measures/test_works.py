"""On a Python where ir_measures cannot parse, the import says so and the rest of irpref works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# What Python 3.14 lacks. (Before it, ast makes some of these names when they are asked for.)
WITHOUT = """
import ast
for name in ("Num", "Str", "Bytes", "NameConstant", "Ellipsis"):
    vars(ast).pop(name, None)
vars(ast).pop("__getattr__", None)
"""


def python(code: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "adapters")])
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_import_says_why_and_what_to_do() -> None:
    done = python("import irpref_ir_measures")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ir_measures 0.4.3 cannot parse measures on Python 3.")
    assert "'ast' has no attribute 'Num'" in last
    assert "use Python 3.13 or older" in last


def test_the_command_says_it_in_one_line() -> None:
    done = python(
        "import sys; from irpref.cli.main import main; sys.exit(main(['ir-measures', 'q', 'r', 'AP']))"
    )
    assert done.returncode == 2
    assert done.stderr.startswith("irpref: error: ir_measures 0.4.3 cannot parse")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_rest_of_irpref_works() -> None:
    done = python(
        "import irpref; from irpref import demo_paths\n"
        "print(irpref.compare(*demo_paths(), ['RPP(weights=\"dcg\", rel=2)@10', 'nDCG@10']))\n"
        "print(irpref.parse('STRPP(weights=[2, 1])@5'))\n"
    )
    assert done.returncode == 0, done.stderr
    assert "bm25-prf" in done.stdout


@pytest.mark.slow
def test_pyterrier_can_be_imported() -> None:
    done = python("import pyterrier as pt; print(pt.pref.__name__)")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "irpref_pyterrier\n"


def test_no_warning_of_what_is_deprecated_at_the_import() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error::DeprecationWarning:irpref",
            "-c",
            "import irpref_ir_measures",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "adapters")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

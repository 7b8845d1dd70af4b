"""The examples of README, CONTRIBUTING and docs run as tests, and print what the page says they print.

A block marked ``text`` is what the block before it printed; in it, a line ``…`` stands for lines left out.

The examples of a page run in an empty folder, as they do for a reader who copies them: what they read, the
page itself has made. A Python block that begins with the name of a file, ``# irpref/…``, goes to that file
in a copy of irpref, its adapter of ir_measures and the scripts, and a block marked ``diff`` changes a file
there; commands after it run in the copy.

Whatever runs ranx goes to one process: numba compiles for each anew what it cannot keep on disk.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from glob import glob
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser, SkipParser

# They are for Sphinx alone, and have no examples.
collect_ignore = ["docs/conf.py", "docs/docstrings.py", "docs/mathml.py", "docs/pictures.py"]
if importlib.util.find_spec("lenskit") is None:
    # It brings PyTorch, and so has an environment of its own: make test-lenskit.
    collect_ignore += ["adapters/irpref_lenskit", "docs/lenskit.md", "tests/adapters/lenskit"]

_ROOT = Path(__file__).parent
_COPIED = ("irpref", "adapters/irpref_ir_measures", "scripts")
_RUNS_RANX = (
    "adapters/irpref_ranx/",
    "docs/frameworks.md",
    "docs/ranx.md",
    "docs/ties.md",
    "tests/adapters/ranx/",
    "tests/adapters/test_hosts_agree.py",
)
_SLOW_FIXTURES = {"browser", "shared_data"}
# It has numba compile its functions for every length of name: what runs for moments needs no optimizing.
os.environ.setdefault("NUMBA_OPT", "1")
_LEFT_OUT = "…"

# Studies take the place of their modules, which pytest would put back where it imports one by itself.
importlib.import_module("irpref.studies")


def _enter_empty_folder(namespace: dict[str, Any]) -> None:
    namespace["_left"] = os.getcwd()
    namespace["_folder"] = tempfile.TemporaryDirectory()
    os.chdir(namespace["_folder"].name)


def _leave_folder(namespace: dict[str, Any]) -> None:
    os.chdir(namespace["_left"])
    namespace["_folder"].cleanup()


class _Printing(PythonEvaluator):
    """Runs a Python block and keeps what it printed, or writes the file that it is."""

    def __call__(self, example: Example) -> None:
        if file := re.match(r"# (irpref/\S+)\n", example.parsed):
            if not Path("irpref").is_dir():
                for folder in _COPIED:
                    shutil.copytree(_ROOT / folder, folder)
            Path(file[1]).write_text(example.parsed, encoding="utf-8")
            return
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            super().__call__(example)
        example.document.namespace["_printed"] = printed.getvalue()


def _edit(example: Example) -> None:
    """Change a file of the copy: its lines ``-`` become the lines ``+``, among those around them."""
    file, *lines = example.parsed.splitlines()
    before, after = (
        "".join(f"{line[1:]}\n" for line in lines if line[:1] in signs) for signs in (" -", " +")
    )
    path = Path(file.removeprefix("--- "))
    text = path.read_text(encoding="utf-8")
    if text.count(before) != 1:
        raise AssertionError(f"{path} has these lines {text.count(before)} times:\n{before}")
    path.write_text(text.replace(before, after), encoding="utf-8")


# Several calls of a copy of irpref, which is imported once for all of them.
_CALLS = """
import json, sys
from glob import glob
from irpref.cli.main import main
for call in json.loads(sys.argv[1]):
    if code := main([file for word in call[1:] for file in sorted(glob(word)) or [word]]):
        sys.exit(code)
"""


def _run_bash(example: Example) -> None:
    """Run a block in bash, or here if it only calls irpref: that need not be imported anew."""
    lines = example.parsed.replace("\\\n", "").splitlines()
    calls = [shlex.split(line, comments=True) for line in lines]
    own_copy = Path("irpref").is_dir()
    if not own_copy and all(call[:1] in (["irpref"], ["cd"]) for call in calls):
        example.document.namespace["_printed"] = "".join(map(_call, calls))
        return
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    packages = os.pathsep.join([os.getcwd(), os.path.abspath("adapters")])
    words = ["bash", "-euo", "pipefail", "-c", example.parsed]
    if all(call[:1] == ["irpref"] for call in calls):
        words = [sys.executable, "-c", _CALLS, json.dumps(calls)]
    done = subprocess.run(
        words,
        env={**os.environ, "PATH": path} | ({"PYTHONPATH": packages} if own_copy else {}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    example.document.namespace["_printed"] = done.stdout


def _call(call: list[str]) -> str:
    if call[0] == "cd":
        os.chdir(call[1])
        return ""
    from irpref.cli.main import main

    # As a shell does, which hands on a pattern that fits no file.
    words = [file for word in call[1:] for file in sorted(glob(word)) or [word]]
    printed, errors = TextIOWrapper(BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        code = main(words)
    if code:
        raise AssertionError(f"exit code {code}: {errors.getvalue()}")
    printed.flush()
    return printed.buffer.getvalue().decode()


def _check_printed(example: Example) -> None:
    printed = example.document.namespace.get("_printed")
    if printed is None:
        raise AssertionError("no block before this one prints anything")
    said = "".join(
        "(?:.*\n)*" if line == _LEFT_OUT else re.escape(line.rstrip()) + "\n"
        for line in example.parsed.splitlines()
    )
    lines = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    if not re.fullmatch(said, lines):
        raise AssertionError(f"the page does not show what is printed:\n{lines}")


pytest_collect_file = Sybil(
    parsers=[
        CodeBlockParser(language="python", evaluator=_Printing()),
        CodeBlockParser(language="bash", evaluator=_run_bash),
        CodeBlockParser(language="diff", evaluator=_edit),
        CodeBlockParser(language="text", evaluator=_check_printed),
        SkipParser(),
    ],
    patterns=["README.md", "CONTRIBUTING.md", "docs/*.md"],
    setup=_enter_empty_folder,
    teardown=_leave_folder,
).pytest()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a browser, reads a whole collection or makes a copy of irpref is slow."""
    for item in items:
        waits = _SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        if waits or item.nodeid.startswith("CONTRIBUTING.md"):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Spare what was imported whenever all garbage is collected, as by statsmodels for each correction."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are processors: a worker often waits for a process or a browser of its own."""
    workers = yield
    return workers if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else workers + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadfile``, all files that run ranx count as one."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneProcessForRanx(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "ranx" if nodeid.startswith(_RUNS_RANX) else super()._split_scope(nodeid)

    return OneProcessForRanx(config, log)

"""The examples of README, CONTRIBUTING and docs run as tests: Python blocks, and bash blocks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

# They change numpy's types for Sphinx, and have no examples.
collect_ignore = ["docs/conf.py", "docs/docstrings.py"]

_ROOT = Path(__file__).parent


def _run_bash(example: Example) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example.parsed],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(),
        CodeBlockParser(language="bash", evaluator=_run_bash),
        SkipParser(),
    ],
    patterns=["README.md", "CONTRIBUTING.md", "docs/*.md"],
).pytest()

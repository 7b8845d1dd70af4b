"""The patches for other projects: the table names them all, and git reads each."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "upstream"
PATCHES = sorted(FOLDER.glob("*/*.patch"))


def test_the_table_names_every_file_and_no_other() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w-]+/[\w.-]+)`", page.partition("## ir_measures")[0]))
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*")}
    assert named == there


@pytest.mark.parametrize("patch", PATCHES, ids=lambda path: path.parent.name)
def test_a_patch_is_a_small_commit_of_ours(patch: Path) -> None:
    lines = patch.read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"From {'0' * 40} Mon Sep 17 00:00:00 2001"
    assert lines[1] == "From: irpref developers <irpref@example.org>"
    # Hardly anything of the other project: few lines go.
    assert sum(bool(re.match(r"-(?!-- )", line)) for line in lines) <= 20


@pytest.mark.skipif(shutil.which("git") is None, reason="git reads the patches")
@pytest.mark.parametrize("patch", PATCHES, ids=lambda path: path.parent.name)
def test_git_can_read_a_patch(patch: Path) -> None:
    done = subprocess.run(
        ["git", "apply", "--numstat", patch], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "tests/" in done.stdout


@pytest.mark.parametrize(
    "issue", sorted(FOLDER.glob("*/issue.md")), ids=lambda path: path.parent.name
)
def test_an_issue_has_a_title_and_a_program(issue: Path) -> None:
    text = issue.read_text(encoding="utf-8")
    assert re.match(r"# .{10,90}\n\n", text)
    [program] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    compile(program, str(issue), "exec")

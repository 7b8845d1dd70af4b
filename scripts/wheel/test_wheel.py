"""What is released, installed without extras: everything is in it, and it says what it lacks."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths

_FOLDER = Path(irpref.__file__).parent
_ROOT = Path(__file__).parents[2]


def test_it_is_the_installed_one() -> None:
    assert "site-packages" in _FOLDER.parts
    assert metadata.version("irpref") == irpref.__version__


def test_every_public_name_is_there() -> None:
    assert len(irpref.__all__) > 30
    for name in irpref.__all__:
        assert getattr(irpref, name) is not None


def test_its_files_are_those_of_the_repository() -> None:
    adapters = [path.relative_to(_ROOT).as_posix() for path in _ROOT.glob("adapters/irpref_*")]
    listing = subprocess.check_output(
        ["git", "ls-files", "irpref", *adapters], cwd=_ROOT, text=True
    )
    kept = {line.removeprefix("adapters/") for line in listing.splitlines()}
    installed = {
        file.as_posix()
        for file in metadata.files("irpref") or []
        if file.parts[0].startswith("irpref") and file.suffix != ".pyc"
    }
    about = {file for file in installed if ".dist-info/" in file}
    assert installed - about == kept
    assert any(file.endswith("/licenses/LICENSE") for file in about)


def test_the_main_job(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    assert len(runs) == 6
    output = tmp_path / "report.json"
    command = [Path(sys.executable).with_name("irpref"), "compare", qrels, *runs]
    options = ["--test", "hsd", "--seed", "1", "--format", "json", "-o"]
    subprocess.run([*command, *options, output], cwd=tmp_path, check=True)
    written = json.loads(output.read_text())
    assert len({row["system"] for row in written["results"]}) == 6
    assert "hsd" in written["signatures"][0]
    report = irpref.compare(qrels, runs).report(test="hsd")
    for form in ("to_text", "to_csv", "to_latex", "to_markdown", "to_html"):
        assert "bm25-prf" in getattr(report, form)()
    scores = irpref.evaluate(qrels, runs, ["AP", "TieRR@10"])
    assert scores.pivot_table("value", "system", "measure").shape == (6, 2)


@pytest.mark.parametrize("extra", ["ir-measures", "ranx", "pyterrier", "lenskit"])
def test_an_adapter_names_its_extra(extra: str) -> None:
    with pytest.raises(ImportError, match=rf"irpref\[{extra}\]"):
        importlib.import_module(f"irpref_{extra.replace('-', '_')}")

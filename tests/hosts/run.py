"""Run the hosts' own tests without and with irpref's adapters, and say which results change.

    python tests/hosts/run.py [FOLDER [HOST …]]

FOLDER holds checkouts of the hosts (all, if none is named), such as ``FOLDER/ranx``. Where it lacks one,
pip downloads the source of the installed version, which has tests only for ir_measures. ``make hosts
HOSTS=FOLDER`` makes the environment: the script removes irpref from it, runs all suites, installs irpref
and runs them again. The exit code is 1 if a result changes, 2 if no suite could run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
ADAPTERS = {
    "ir_measures": ("irpref_ir_measures",),
    "pyterrier": ("irpref_pyterrier", "irpref_ir_measures"),
    "ranx": ("registered_ranx",),
}
"""The modules that are loaded into each host; pytest loads them before it collects the tests."""
ALWAYS = {"pyterrier": ("no_terrier",)}
"""Plugins of this folder that a host's tests need, without and with irpref."""

Results = dict[str, Counter[str]]
"""How often each test passed, failed, was skipped or had an error: subtests share a name."""


@dataclass(frozen=True)
class Suite:
    """The tests of a host in a folder with its source."""

    host: str
    folder: Path

    def run(self, adapters: tuple[str, ...], report: Path) -> Results:
        """Run them, with these modules loaded.

        Raises:
            RuntimeError: pytest wrote no report.
        """
        plugins = ("no:cacheprovider", *ALWAYS.get(self.host, ()), *adapters)
        command = [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors"]
        command += [word for plugin in plugins for word in ("-p", plugin)]
        command += [f"--junitxml={report}", "tests"]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            raise RuntimeError(f"{self.host}: pytest failed\n{done.stdout[-2000:]}{done.stderr}")
        return results_of(report.read_text(encoding="utf-8"))


def results_of(report: str) -> Results:
    """The results in a report in JUnit's format.

    Example:
        >>> results_of('<testsuite><testcase classname="a" name="b"><failure/></testcase></testsuite>')
        {'a::b': Counter({'failed': 1})}
    """
    outcomes = {"failure": "failed", "error": "error", "skipped": "skipped"}
    results: Results = {}
    for case in ElementTree.fromstring(report).iter("testcase"):
        found = [outcomes[child.tag] for child in case if child.tag in outcomes]
        name = f"{case.get('classname')}::{case.get('name')}"
        results.setdefault(name, Counter()).update(found or ["passed"])
    return results


def changes(without: Results, with_adapters: Results) -> list[str]:
    """One line for each test whose result changes.

    Example:
        >>> changes({"a": Counter(passed=1)}, {"a": Counter(failed=1), "b": Counter(passed=1)})
        ['a: 1 passed -> 1 failed', 'b: not run -> 1 passed']
    """
    return [
        f"{name}: {told(without.get(name))} -> {told(with_adapters.get(name))}"
        for name in sorted({*without, *with_adapters})
        if without.get(name) != with_adapters.get(name)
    ]


def told(counts: Counter[str] | None) -> str:
    """The counts in words.

    Example:
        >>> told(Counter(passed=3, failed=1))
        '1 failed, 3 passed'
    """
    if not counts:
        return "not run"
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))


def find_suite(host: str, checkouts: Path | None, downloads: Path) -> Suite | str:
    """The suite of a host, or why there is none."""
    if checkouts is not None and (checkouts / host / "tests").is_dir():
        return Suite(host, checkouts / host)
    wanted = f"{host}=={version(host)}"
    command = [
        *PIP,
        "download",
        "--no-deps",
        "--no-binary",
        ":all:",
        "--dest",
        str(downloads),
        wanted,
    ]
    if subprocess.run(command, check=False).returncode:
        return "pip cannot download its source; give a checkout"
    with tarfile.open(next(downloads.glob(f"{host}-*.tar.gz"))) as archive:
        archive.extractall(downloads, filter="data")
    folder = next(path for path in downloads.glob(f"{host}-*") if path.is_dir())
    # Without it, the tests cannot import what they share.
    if not (folder / "tests" / "__init__.py").exists() and host != "ir_measures":
        return f"the source of {wanted} does not hold all of its tests; give a checkout"
    return Suite(host, folder)


def main(folder: str | None = None, *hosts: str) -> int:
    """Run everything; the exit code."""
    changed = ran = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        suites = []
        for host in hosts or ADAPTERS:
            found = find_suite(host, None if folder is None else Path(folder), work)
            if isinstance(found, str):
                print(f"{host}: not run: {found}", flush=True)
            else:
                suites.append(found)
        # Its entry points alone load irpref_pyterrier.
        subprocess.run([*PIP, "uninstall", "--yes", "irpref"], check=True)
        without = {
            suite.host: suite.run((), work / f"{suite.host}-without.xml") for suite in suites
        }
        subprocess.run([*PIP, "install", "--no-deps", "--editable", str(ROOT)], check=True)
        for suite in suites:
            before = without[suite.host]
            after = suite.run(ADAPTERS[suite.host], work / f"{suite.host}-with.xml")
            differences = changes(before, after)
            changed += len(differences)
            ran += len(before)
            print(f"{suite.host}: {len(before)} tests")
            for when, results in (("without", before), ("with", after)):
                print(f"  {when} irpref: {told(sum(results.values(), Counter()))}")
            lines = differences or ["no result changes"]
            print("\n".join(f"  {line}" for line in lines), flush=True)
    if not ran:
        return 2
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

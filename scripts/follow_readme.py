"""Type the commands of README, in their order, into one shell; what pip installs is the last commit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"^```(?:sh|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# From the index, or from GitHub.
_INSTALL = re.compile(r'^pip install "irpref(\[\w+\])(?: @ git\+https://\S+)?"$', re.MULTILINE)


def main() -> int:
    """Follow it.

    Returns:
        The exit code of the first command that fails, or 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "irpref"
        subprocess.run(["git", "clone", "--quiet", str(_ROOT), str(clone)], check=True)
        commands = "".join(_BLOCK.findall((clone / "README.md").read_text(encoding="utf-8")))
        commands, installs = _INSTALL.subn(r'pip install "./irpref\1"', commands)
        if installs != 1:
            raise ValueError(f"README installs irpref {installs} times, not once")
        # A newcomer has no environment of ours.
        path = os.pathsep.join(
            part for part in os.environ["PATH"].split(os.pathsep) if not part.startswith(str(_ROOT))
        )
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PYTHON") and name != "VIRTUAL_ENV"
        }
        done = subprocess.run(
            ["bash", "-e", "-v", "-o", "pipefail", "-c", commands],
            cwd=folder,
            env={**environment, "PATH": path},
            stdout=subprocess.DEVNULL,
            check=False,
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())

"""A plugin of pytest: where Terrier is absent, PyTerrier's tests run that do not need it.

Every class of PyTerrier's tests starts Java first, and Maven has Terrier only.
"""

from __future__ import annotations

import pyterrier as pt

try:
    pt.java.init()
except Exception:
    pt.java.init = pt.java.set_log_level = lambda *_: None

"""``python -m irpref``."""

import sys

from irpref.cli import main

sys.exit(main())

"""``python -m irpref_ir_measures``: the same as ``irpref ir-measures``."""

import sys

from irpref.for_adapters import main

if __name__ == "__main__":
    sys.exit(main(["ir-measures", *sys.argv[1:]]))

"""``python -m synthon``: the command line."""

from __future__ import annotations

import sys

from synthon import _native
from synthon._programs import run


def main() -> int:
    """Runs ``synthon`` with the arguments of this process; returns its exit status."""
    return run("synthon", _native.run_synthon, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

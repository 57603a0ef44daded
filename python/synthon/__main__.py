"""``python -m synthon``: the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from synthon import _native
from synthon._programs import run


def main() -> int:
    """Runs ``synthon`` with the arguments of this process; returns its exit status."""
    script = Path(sys.executable).with_name("synthon-mcp")
    server = [sys.executable, "-m", "synthon.mcp_server"]
    for found in (script, script.with_suffix(".exe")):
        if found.is_file():
            server = [str(found)]

    def synthon(arguments: list[str]) -> int:
        return _native.run_synthon(arguments, sys.argv[0], server)

    return run("synthon", synthon, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

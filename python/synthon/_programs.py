"""How the programs run inside an interpreter."""

from __future__ import annotations

import signal
from collections.abc import Callable


def run(name: str, program: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Runs a native program; Ctrl-C ends it at once, as it would end one of its own."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return program([name, *arguments])

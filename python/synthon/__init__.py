"""Synthon: synthesis planning and molecular comparison, offline.

For programs: `Molecule`, `Pattern`, `mcs`, `Fingerprint`, `standardise`, `Corpus` and `Planner`;
`synthon.batch` for columns of molecules. For assistants: `synthon.tool_definitions` with the
tools and their definitions, `synthon.mcp_server` with the same as functions. What goes wrong is
a `SynthonError`, which is a `ValueError`.

    >>> import synthon
    >>> synthon.Molecule("OC(=O)C").smiles
    'CC(=O)O'
"""

from __future__ import annotations

from synthon._native import (
    VERSION as __version__,
)
from synthon._native import (
    Atom,
    Bond,
    Change,
    CommonPart,
    Corpus,
    Explanation,
    Fingerprint,
    FingerprintMatrix,
    Hit,
    Hits,
    Matches,
    Miss,
    Molecule,
    Pattern,
    Standardised,
    fingerprints,
    mcs,
    standardise,
)
from synthon.errors import SynthonError
from synthon.planning import Plan, Planner, Route

__all__ = [
    "Atom",
    "Bond",
    "Change",
    "CommonPart",
    "Corpus",
    "Explanation",
    "Fingerprint",
    "FingerprintMatrix",
    "Hit",
    "Hits",
    "Matches",
    "Miss",
    "Molecule",
    "Pattern",
    "Plan",
    "Planner",
    "Route",
    "Standardised",
    "SynthonError",
    "__version__",
    "fingerprints",
    "mcs",
    "standardise",
]

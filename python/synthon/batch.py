"""Many molecules at once, on all cores: a column in, a column out.

Molecules are a list, a pandas or polars series, a NumPy array or an Arrow array of SMILES, or
any sequence of what `synthon.Molecule` takes. A fault is raised with its place in the sequence,
or gives a null where ``on_error="null"`` asks for it; a missing value is such a fault. The
answers have the length and order of the input. Ctrl-C stops the work.

    >>> from synthon import batch
    >>> batch.canonical_smiles(["OCC", "C(C)(=O)O"])
    ['CCO', 'CC(=O)O']
"""

from __future__ import annotations

from synthon._native import (
    canonical_smiles,
    descriptor_table,
    fingerprints,
    inchi_keys,
    standardise_many,
)

__all__ = [
    "canonical_smiles",
    "descriptor_table",
    "fingerprints",
    "inchi_keys",
    "standardise_many",
]

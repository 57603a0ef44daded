"""RDKit molecules on their way in."""

from __future__ import annotations

from typing import Any


def written(mol: Any) -> tuple[str, list[int]]:
    """SMILES of an RDKit ``Mol``, and the number in it of each atom of the text.

    Hydrogen atoms that our reader makes part of their neighbours are taken off first, as RDKit
    itself does when it reads SMILES, so that both have the same atoms.
    """
    from rdkit import Chem

    if any(atom.GetAtomicNum() == 1 for atom in mol.GetAtoms()):
        mol = Chem.RemoveHs(mol)
    text = Chem.MolToSmiles(mol, canonical=False)
    order = mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"] if mol.GetNumAtoms() else []
    return text, [int(atom) for atom in order]

"""Reads SMILES, one a line, and prints what RDKit perceives as JSON lines.

The counterpart is crates/synthon-mol/examples/perception.rs.
"""

import json
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import Descriptors, rdMolDescriptors

RDLogger.DisableLog("rdApp.*")
ORDERS = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "QUADRUPLE": 4, "AROMATIC": 5, "DATIVE": 6}


def smallest(sizes):
    return min(sizes) if sizes else 0


def describe(text):
    try:
        mol = Chem.MolFromSmiles(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, the text was refused
        return {"ok": False, "error": str(error)}
    if mol is None or mol.GetNumAtoms() == 0:
        return {"ok": False}
    rings = mol.GetRingInfo()
    atoms = list(mol.GetAtoms())
    bonds = []
    for bond in mol.GetBonds():
        a, b = sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()))
        order = ORDERS.get(str(bond.GetBondType()), 0)
        size = smallest(rings.BondRingSizes(bond.GetIdx()))
        bonds.append(f"{a}-{b}:{order}:{size}")
    return {
        "ok": True,
        "formula": rdMolDescriptors.CalcMolFormula(mol),
        "z": [a.GetAtomicNum() for a in atoms],
        "h": [a.GetTotalNumHs() for a in atoms],
        "q": [a.GetFormalCharge() for a in atoms],
        "rad": [a.GetNumRadicalElectrons() for a in atoms],
        "ar": [int(a.GetIsAromatic()) for a in atoms],
        "ring": [smallest(rings.AtomRingSizes(a.GetIdx())) for a in atoms],
        "bonds": bonds,
        "rings": sorted(len(r) for r in rings.AtomRings()),
        "mw": Descriptors.MolWt(mol),
        "em": Descriptors.ExactMolWt(mol),
    }


for line in sys.stdin:
    print(json.dumps(describe(line.rstrip("\n")), separators=(",", ":")))

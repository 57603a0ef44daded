"""What is perceived on reading SMILES: verdict, formula, hydrogens, aromaticity, rings, masses.

As a suite (`cargo xtask parity perception`) it compares all corpora and 20,000 texts that are one
character away from right. Without arguments it reads SMILES, one a line, and prints what RDKit
perceives as JSON lines, as crates/synthon-mol/examples/perception.rs does for us.
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


class Masses(tuple):
    """Average and exact mass, equal within the last digit that tables of both give."""

    def __eq__(self, other):
        return abs(self[0] - other[0]) < 2e-3 and abs(self[1] - other[1]) < 1e-4


def aspects(perceived):
    """The parts that are compared one by one."""
    bonds = [bond.split(":") for bond in perceived["bonds"]]
    return {
        "formula": perceived["formula"],
        "hydrogens": perceived["h"],
        "charges and radicals": [perceived["q"], perceived["rad"]],
        "aromatic atoms": perceived["ar"],
        "aromatic bonds": sorted(ends for ends, order, _ in bonds if order == "5"),
        "bond orders": sorted((ends, order) for ends, order, _ in bonds),
        "smallest ring of atoms": perceived["ring"],
        "smallest ring of bonds": sorted((ends, size) for ends, _, size in bonds),
        "ring set": perceived["rings"],
        "masses": Masses((perceived["mw"], perceived["em"])),
    }


def run_suite():
    from harness import Suite, mutations

    suite = Suite("perception")
    everything = []
    for corpus, inputs in suite.corpora():
        everything.extend(inputs)
        for text, ours in zip(inputs, suite.ours(inputs)):
            theirs = describe(text)
            if suite.compare(corpus, text, "verdict", ours["ok"], theirs["ok"]) and ours["ok"]:
                theirs = aspects(theirs)
                for aspect, answer in aspects(ours).items():
                    suite.compare(corpus, text, aspect, answer, theirs[aspect])
    texts = mutations(everything, 20 * suite.limit if suite.limit else 20_000, seed=2026)
    for text, ours in zip(texts, suite.ours(texts)):
        suite.compare("mutations", text, "verdict of mutated", ours["ok"], describe(text)["ok"])
    suite.finish(goal=0.9999, goals={"verdict of mutated": 0.999, "ring set": 0.9995})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_suite()
    else:
        for line in sys.stdin:
            print(json.dumps(describe(line.rstrip("\n")), separators=(",", ":")))

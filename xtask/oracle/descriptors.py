"""Descriptors and Murcko scaffolds of all corpora, against RDKit's of the same names.

Masses may differ by the last digit that tables of both give; all other numbers are compared
within 1e-6. Scaffolds are compared as molecules, read from RDKit's text by our reader. Whether
RDKit's scaffold keeps the geometry of a double bond that loses a ligand depends on which single
bond the text of the molecule marks, so ours, which never keeps it, counts as equal where RDKit
gives it for another spelling of the molecule.
"""

from harness import Suite
from rdkit import Chem
from rdkit.Chem import Descriptors
from rdkit.Chem import rdMolDescriptors as numbers
from rdkit.Chem.Scaffolds import MurckoScaffold


class Close(float):
    """Equal within a tolerance."""

    tolerance = 1e-6

    def __eq__(self, other):
        return abs(self - other) <= self.tolerance


class Mass(Close):
    tolerance = 2e-3


def describe(mol):
    log_p, refractivity = numbers.CalcCrippenDescriptors(mol)
    return {
        "molecular_weight": Mass(Descriptors.MolWt(mol)),
        "exact_mass": Mass(Descriptors.ExactMolWt(mol)),
        "heavy_atoms": mol.GetNumHeavyAtoms(),
        "heteroatoms": numbers.CalcNumHeteroatoms(mol),
        "formal_charge": Chem.GetFormalCharge(mol),
        "log_p": Close(log_p),
        "molar_refractivity": Close(refractivity),
        "tpsa": Close(numbers.CalcTPSA(mol)),
        "hydrogen_bond_donors": numbers.CalcNumHBD(mol),
        "hydrogen_bond_acceptors": numbers.CalcNumHBA(mol),
        "rotatable_bonds": numbers.CalcNumRotatableBonds(mol),
        "rings": numbers.CalcNumRings(mol),
        "aromatic_rings": numbers.CalcNumAromaticRings(mol),
        "aliphatic_rings": numbers.CalcNumAliphaticRings(mol),
        "saturated_rings": numbers.CalcNumSaturatedRings(mol),
        "heterocycles": numbers.CalcNumHeterocycles(mol),
        "fraction_csp3": Close(numbers.CalcFractionCSP3(mol)),
    }


def scaffolds(mol):
    """Texts of the scaffold and of its generic form; None where RDKit has none."""
    try:
        scaffold = MurckoScaffold.GetScaffoldForMol(mol)
        generic = MurckoScaffold.MakeScaffoldGeneric(scaffold)
        return Chem.MolToSmiles(scaffold), Chem.MolToSmiles(generic)
    except Exception:  # noqa: BLE001 - what is left is no molecule
        return None, None


def of_other_spellings(text):
    """RDKit's scaffolds of the molecule spelled in other ways."""
    mol = Chem.MolFromSmiles(text)
    spelled = {Chem.MolToSmiles(mol, doRandom=True) for _ in range(40)}
    return sorted({scaffolds(Chem.MolFromSmiles(text))[0] or "" for text in sorted(spelled)})


def main():
    suite = Suite("descriptors")
    for corpus, texts in suite.corpora():
        theirs = [Chem.MolFromSmiles(text) for text in texts]
        both = []
        for text, mol, ours in zip(texts, theirs, suite.ours(texts)):
            if mol is None or not ours["ok"]:
                continue
            both.append((text, ours, *scaffolds(mol)))
            for aspect, value in describe(mol).items():
                suite.compare(corpus, text, aspect, value, ours[aspect])
        for aspect, place in (("murcko_scaffold", 2), ("generic_scaffold", 3)):
            rows = [row for row in both if row[place]]
            again = suite.ours([row[place] for row in rows], "--read")
            for row, read in zip(rows, again):
                ours, smiles = row[1][aspect], read.get("smiles")
                if ours != smiles and aspect == "murcko_scaffold":
                    others = suite.ours(of_other_spellings(row[0]), "--read")
                    if ours in [other.get("smiles") for other in others]:
                        smiles = ours
                suite.compare(corpus, row[0], aspect, ours, smiles)
    suite.finish(goal=1.0, goals={"murcko_scaffold": 0.999, "generic_scaffold": 0.9999})


if __name__ == "__main__":
    main()

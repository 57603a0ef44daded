"""How molecules are laid out: room between atoms, beside RDKit's layouts, and stereo as RDKit
reads it from our places and wedges."""

import math
import sys

from rdkit import Chem, Geometry
from rdkit.Chem import rdDepictor

from harness import Suite

CLOSE, ON_BOND = 0.5, 0.15


def crowded(places, bonds):
    """Pairs of atoms nearer than half a bond, and atoms on a bond of others."""
    close = on_bond = 0
    for i, (x, y) in enumerate(places):
        for p, q in places[i + 1 :]:
            close += math.hypot(x - p, y - q) < CLOSE
    for a, b in bonds:
        (ax, ay), (bx, by) = places[a], places[b]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy or 1e-12
        for k, (x, y) in enumerate(places):
            if k in (a, b):
                continue
            t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
            on_bond += math.hypot(x - ax - t * dx, y - ay - t * dy) < ON_BOND
    return close, on_bond


def theirs(mol):
    mol = Chem.Mol(mol)
    rdDepictor.Compute2DCoords(mol)
    places = [tuple(c / 1.5 for c in row[:2]) for row in mol.GetConformer().GetPositions()]
    return crowded(places, [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds()])


def without_other_stereo(mol):
    """Keeps the stereo that wedges and places can show."""
    for atom in mol.GetAtoms():
        if atom.GetChiralTag() not in (Chem.CHI_TETRAHEDRAL_CW, Chem.CHI_TETRAHEDRAL_CCW):
            atom.SetChiralTag(Chem.CHI_UNSPECIFIED)
    return mol


def reread(mol, ours):
    """The molecule with the stereo that RDKit reads from our drawing alone."""
    bare = Chem.Mol(mol)
    Chem.Kekulize(bare, clearAromaticFlags=True)
    new = Chem.RWMol()
    for atom in bare.GetAtoms():
        copy = Chem.Atom(atom.GetAtomicNum())
        copy.SetFormalCharge(atom.GetFormalCharge())
        copy.SetIsotope(atom.GetIsotope())
        copy.SetNumExplicitHs(atom.GetTotalNumHs())
        copy.SetNoImplicit(True)
        copy.SetNumRadicalElectrons(atom.GetNumRadicalElectrons())
        copy.SetAtomMapNum(atom.GetAtomMapNum())
        new.AddAtom(copy)
    wedges = {bond: (centre, up) for bond, centre, up in ours["wedges"]}
    for index, (a, b) in enumerate(ours["bonds"]):
        kind = bare.GetBondBetweenAtoms(a, b)
        if kind is None:
            return None
        if kind.GetBondType() == Chem.BondType.DATIVE:
            a = kind.GetBeginAtomIdx()
            b = kind.GetEndAtomIdx()
        elif index in wedges and wedges[index][0] == b:
            a, b = b, a
        new.AddBond(a, b, kind.GetBondType())
        bond = new.GetBondBetweenAtoms(a, b)
        if index in wedges:
            bond.SetBondDir(
                Chem.BondDir.BEGINWEDGE if wedges[index][1] else Chem.BondDir.BEGINDASH
            )
        if index in ours["open"]:
            bond.SetBondDir(Chem.BondDir.EITHERDOUBLE)
    conformer = Chem.Conformer(new.GetNumAtoms())
    conformer.Set3D(False)
    for k, (x, y) in enumerate(ours["places"]):
        conformer.SetAtomPosition(k, Geometry.Point3D(1.5 * x, 1.5 * y, 0.0))
    new.AddConformer(conformer)
    Chem.SanitizeMol(new)
    Chem.AssignChiralTypesFromBondDirs(new, replaceExistingTags=True)
    # As when a molfile is read: a wedge must not pass for a direction beside a double bond.
    for bond in new.GetBonds():
        if bond.GetBondType() == Chem.BondType.SINGLE:
            bond.SetBondDir(Chem.BondDir.NONE)
    Chem.DetectBondStereochemistry(new)
    Chem.AssignStereochemistry(new, cleanIt=True, force=True)
    return Chem.MolToSmiles(new)


def main():
    suite = Suite("layouts")
    sums = {"ours": [0, 0, 0], "RDKit": [0, 0, 0]}
    slowest, micros = 0, 0
    for corpus, inputs in suite.corpora():
        for text, ours in zip(inputs, suite.ours(inputs)):
            mol = Chem.MolFromSmiles(text)
            if mol is None or "error" in ours or mol.GetNumAtoms() != len(ours["places"]):
                continue
            own = crowded(ours["places"], ours["bonds"])
            assert own == (ours["close_atoms"], ours["atoms_on_bonds"]), text
            other = theirs(mol)
            for name, found in (("ours", own), ("RDKit", other)):
                sums[name][0] += found[0] > 0
                sums[name][1] += found[1] > 0
                sums[name][2] += found != (0, 0)
            micros, slowest = micros + ours["micros"], max(slowest, ours["micros"])
            free = own == (0, 0)
            suite.compare(corpus, text, "free of crowding", own, own if free else (0, 0))
            suite.compare(
                corpus, text, "no worse than RDKit's", own, own if free or other != (0, 0) else other
            )
            shown = reread(mol, ours)
            if shown is not None:
                plain = Chem.MolToSmiles(without_other_stereo(Chem.Mol(mol)))
                again = Chem.MolToSmiles(Chem.MolFromSmiles(plain))
                equal = shown in (plain, again) or Chem.MolToSmiles(Chem.MolFromSmiles(shown)) == again
                suite.compare(corpus, text, "stereo read again", shown, shown if equal else plain)
    for name, (close, on_bond, any_) in sums.items():
        print(f"{name}: close atoms {close}, atoms on bonds {on_bond}, either {any_}", file=sys.stderr)
    print(f"layouts: {micros / 1e6:.2f} s, slowest {slowest / 1e3:.1f} ms", file=sys.stderr)
    suite.finish(goal=0.99, goals={"no worse than RDKit's": 0.999, "stereo read again": 0.999})


main()

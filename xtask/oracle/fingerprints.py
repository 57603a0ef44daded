"""Fingerprints: bits and counts of every scheme against RDKit's generators.

Both sides print digests, since all bits of all molecules would be gigabytes.
"""

import hashlib

from harness import Suite
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator as generators
from rdkit.Chem import rdMolDescriptors


def morgan(radius, size, features=False):
    invariants = generators.GetMorganFeatureAtomInvGen() if features else None
    return generators.GetMorganGenerator(
        radius=radius, fpSize=size, atomInvariantsGenerator=invariants
    )


GENERATORS = {
    "ecfp": morgan(2, 2048),
    "ecfp radius 3 of 1021": morgan(3, 1021),
    "ecfp radius 8": morgan(8, 2048),
    "fcfp": morgan(2, 2048, features=True),
    "torsion": generators.GetTopologicalTorsionGenerator(fpSize=2048),
    "torsion of 1021": generators.GetTopologicalTorsionGenerator(fpSize=1021),
    "atom_pair": generators.GetAtomPairGenerator(fpSize=2048),
    "maccs": None,
    "path": generators.GetRDKitFPGenerator(fpSize=2048),
    "path 2 to 4 of 1021": generators.GetRDKitFPGenerator(minPath=2, maxPath=4, fpSize=1021),
}
KINDS = ["bits", "counts", "sparse counts"]
GOALS = {f"path {kind}": 0.999 for kind in KINDS}


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def count_text(counts):
    return "".join(f"{k}:{v} " for k, v in sorted(counts.GetNonzeroElements().items()))


def fingerprints(molecule, name):
    """Digests of bits, counts and sparse counts."""
    generator = GENERATORS[name]
    if generator is None:
        keys = rdMolDescriptors.GetMACCSKeysFingerprint(molecule)
        return [digest(DataStructs.BitVectToFPSText(keys))]
    return [
        digest(DataStructs.BitVectToFPSText(generator.GetFingerprint(molecule))),
        digest(count_text(generator.GetCountFingerprint(molecule))),
        digest(count_text(generator.GetSparseCountFingerprint(molecule))),
    ]


def main():
    suite = Suite("fingerprints")
    for corpus, texts in suite.corpora():
        for text, ours in zip(texts, suite.ours(texts)):
            molecule = Chem.MolFromSmiles(text)
            if molecule is None or not ours["ok"]:
                continue
            for name in GENERATORS:
                if name not in ours:
                    continue
                theirs = fingerprints(molecule, name)
                for kind, mine, other in zip(KINDS, ours[name], theirs):
                    suite.compare(corpus, text, f"{name} {kind}", mine, other)
    suite.finish(goal=1.0, goals=GOALS)


if __name__ == "__main__":
    main()

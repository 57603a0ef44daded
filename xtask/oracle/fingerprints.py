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
    "ecfp r3 1021": morgan(3, 1021),
    "ecfp r8 2048": morgan(8, 2048),
    "ecfp r0 64": morgan(0, 64),
    "fcfp": morgan(2, 2048, features=True),
    "fcfp r4 65536": morgan(4, 65_536, features=True),
    "torsion": generators.GetTopologicalTorsionGenerator(fpSize=2048),
    "torsion 1021": generators.GetTopologicalTorsionGenerator(fpSize=1021),
    "torsion 5": generators.GetTopologicalTorsionGenerator(fpSize=5),
    "atom_pair": generators.GetAtomPairGenerator(fpSize=2048),
    "atom_pair 1021": generators.GetAtomPairGenerator(fpSize=1021),
    "maccs": None,
    "path": generators.GetRDKitFPGenerator(fpSize=2048),
    "path 2-4 1021": generators.GetRDKitFPGenerator(minPath=2, maxPath=4, fpSize=1021),
    "path 1-8 4096": generators.GetRDKitFPGenerator(maxPath=8, fpSize=4096),
}
KINDS = ["bits", "counts", "sparse"]


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
    suite.finish(goal=1.0)


if __name__ == "__main__":
    main()

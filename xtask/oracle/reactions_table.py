"""Writes testdata/reactions.tsv: templates, molecules and their precursor sets.

    python reactions_table.py DATA > testdata/reactions.tsv

DATA is the folder of the reference data. Rows are taken where RDKit and rdchiral agree, and where
rdchiral alone is right on stereo (see reactions.py): one of each template that is written by
hand, and a hundred templates extracted from reactions, on the product that they come from.
"""

import pathlib
import sys
import types

from rdkit import Chem

import reactions
from harness import corpora_of

PER_TEMPLATE = 1


def main():
    data = pathlib.Path(sys.argv[1])
    suite = types.SimpleNamespace(data=data, limit=200)
    suite.corpora = lambda: corpora_of(data, 200)
    print("template\tmolecule\tprecursor sets")
    known, rows = {}, {}
    for source, smarts, smiles in reactions.pairs(suite, 150):
        if smarts not in known:
            known[smarts] = reactions.prepared(smarts)
        if len(smiles) > 100 or rows.get(smarts, 0) >= PER_TEMPLATE:
            continue
        reaction, chiral = known[smarts]
        rdkit = reactions.by_rdkit(reaction, Chem.MolFromSmiles(smiles))
        rdchiral = reactions.by_rdchiral(chiral, smiles)
        if not rdkit or rdchiral is None:
            continue
        if rdkit != rdchiral and not (source == "extracted" and "@" in smarts + smiles):
            continue
        rows[smarts] = rows.get(smarts, 0) + 1
        print(smarts, smiles, " ".join(sorted(".".join(one) for one in rdchiral)), sep="\t")


if __name__ == "__main__":
    main()

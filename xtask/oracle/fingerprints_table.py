"""Makes testdata/fingerprints/rdkit.tsv: RDKit's fingerprints of 200 public molecules.

The molecules are evenly spaced through USPTO-50k, PubChem and ZNP, with a few odd ones before
them. `fingerprints_table.py DATA` takes them from the reference data anew; without DATA those of
the table are kept. Bits are hexadecimal, least significant byte first; counts are
`position:count`.
"""

import sys
from pathlib import Path

from fingerprints import count_text, morgan
from harness import read_lines, spread
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator as generators
from rdkit.Chem import rdMolDescriptors

TABLE = Path(__file__).parents[2] / "testdata" / "fingerprints" / "rdkit.tsv"
ODD = ["CC~CC", "C->[Fe]", "[5*]CCC*", "C1CC1CC2CC2", "C12C3C1C23", "CC1C(F)C1N", "[2H]C([2H])CCC",
       "[99CH3]CC", "BBBB", "F[Xe](F)(F)F", "CI(=O)=O", "[CH3:1][CH2:2][OH:7]", "C", "[Na+].[Cl-]",
       "FS(F)(F)(F)(F)F", "[C-]#[O+]", "C=C=C", "O=[Fe]O", "C=[Am]C", "[nH]1cccc1"]
SOURCES = ["uspto50k_molecules.smi.gz", "pubchem_100k.smi.gz", "znp_natural_products.smi.gz"]
COLUMNS = {
    "ecfp 512": morgan(2, 512),
    "fcfp 512": morgan(2, 512, features=True),
    "path 1024": generators.GetRDKitFPGenerator(fpSize=1024),
    "torsion 512": generators.GetTopologicalTorsionGenerator(fpSize=512),
    "atom_pair 1024": generators.GetAtomPairGenerator(fpSize=1024),
}


def chosen(data):
    for name in SOURCES:
        yield from (line.split()[0] for line in spread(read_lines(data / "smiles" / name), 60))


def row(text):
    molecule = Chem.MolFromSmiles(text)
    hexadecimal = [
        DataStructs.BitVectToFPSText(generator.GetFingerprint(molecule))
        for generator in COLUMNS.values()
    ]
    keys = DataStructs.BitVectToFPSText(rdMolDescriptors.GetMACCSKeysFingerprint(molecule))
    counts = count_text(COLUMNS["ecfp 512"].GetCountFingerprint(molecule)).strip()
    return "\t".join([text, *hexadecimal, keys, counts])


def main():
    if len(sys.argv) > 1:
        texts = ODD + list(chosen(Path(sys.argv[1])))
    else:
        texts = [line.split("\t")[0] for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    header = "\t".join(["smiles", *COLUMNS, "maccs 167", "ecfp counts 512"])
    rows = [row(text) for text in texts if Chem.MolFromSmiles(text)]
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

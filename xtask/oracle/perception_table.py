"""Makes testdata/molecule/perception.tsv from the SMILES in its first column.

Columns: SMILES, formula, hydrogens, charges, unpaired electrons, aromatic flags and smallest ring
of each atom, bonds as `a-b:order:ring`, sizes of the rings. A SMILES that RDKit refuses has the
single word `refused` behind it.
"""

import sys
from pathlib import Path

from perception import describe

TABLE = Path(__file__).parents[2] / "testdata" / "molecule" / "perception.tsv"


def row(text):
    found = describe(text)
    if not found["ok"]:
        return f"{text}\trefused"
    lists = [" ".join(map(str, found[key])) for key in ("h", "q", "rad", "ar", "ring", "bonds", "rings")]
    return "\t".join([text, found["formula"], *lists])


lines = TABLE.read_text(encoding="utf-8").splitlines()
out = [line if line.startswith("#") or not line else row(line.split("\t")[0]) for line in lines]
TABLE.write_text("\n".join(out) + "\n", encoding="utf-8")
sys.stdout.write(f"{len(out)} lines\n")

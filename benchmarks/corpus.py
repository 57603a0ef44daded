"""The peers' side of `cargo xtask bench-corpus`: `corpus.py MOLECULES.smi` prints figures, one JSON
object a line, as `crates/synthon-corpus/examples/measure.rs` does.

The first 50,000 molecules, ECFP4 of 2,048 bits, one thread, queries spread evenly over them.
"""

import itertools
import json
import pathlib
import statistics
import sys
import time

from FPSim2 import FPSim2Engine
from FPSim2.io import create_db_file
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator

SMALL = 50_000
QUERIES = 101


def figure(name, value):
    print(json.dumps({"name": name, "value": value}), flush=True)


def per_second(queries, work):
    """Molecules compared in a second, the median of all queries."""
    times = []
    for query in queries:
        start = time.perf_counter()
        work(query)
        times.append(time.perf_counter() - start)
    return SMALL / statistics.median(times)


def fingerprints(smiles):
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    return [generator.GetFingerprint(Chem.MolFromSmiles(text)) for text in smiles]


def rdkit(prints, queries):
    figure(
        "rdkit_bulk_per_second",
        per_second(queries, lambda query: DataStructs.BulkTanimotoSimilarity(query, prints)),
    )


def fpsim2(smiles, queries, file):
    if not file.exists():
        made = file.with_suffix(".part.h5")
        create_db_file(
            mols_source=[[text, number] for number, text in enumerate(smiles)],
            filename=str(made),
            mol_format="smiles",
            fp_type="Morgan",
            fp_params={"radius": 2, "fpSize": 2048},
        )
        made.replace(file)
    engine = FPSim2Engine(str(file))
    for threshold in (0.4, 0.7):
        figure(
            f"fpsim2_{threshold}_per_second",
            per_second(queries, lambda query: engine.similarity(query, threshold, n_workers=1)),
        )


def main():
    molecules = pathlib.Path(sys.argv[1])
    with open(molecules, encoding="utf-8") as file:
        smiles = [line.split()[0] for line in itertools.islice(file, SMALL)]
    prints = fingerprints(smiles)
    queries = prints[:: len(prints) // QUERIES]
    rdkit(prints, queries)
    fpsim2(smiles, queries, molecules.with_suffix(".small.h5"))


main()

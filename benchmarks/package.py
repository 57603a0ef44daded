"""Times of the Python package, beside RDKit's where it does the same work: one line of JSON each.

`package.py MOLECULES [BULK]` takes a file of SMILES; the molecules are repeated until there are
100,000. BULK is the example `bulk` of this crate, which does bulk work in Rust. Both sides take
turns, and the least of their times counts, so that a busy moment of the machine hits both alike.
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import synthon
from rdkit import Chem, DataStructs, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from synthon import batch
from synthon.tool_definitions import call_tool

MANY = 100_000
TURNS = 3


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def told(name, **figures):
    print(json.dumps({"work": name, **figures}), flush=True)


def least(work, rounds=7, calls=2_000):
    """Microseconds of one call, the least of the means of a few rounds."""

    def repeated():
        for _ in range(calls):
            work()

    return min(seconds(repeated) for _ in range(rounds)) / calls * 1e6


def calls():
    told("standardise_molecule C", us=least(lambda: call_tool("standardise_molecule", {"smiles": "C"})))
    pair = {"query": "[OX2H]", "target_smiles": "CCO"}
    told("find_substructure [OX2H] CCO", us=least(lambda: call_tool("find_substructure", pair)))
    told("Molecule(CCO)", us=least(lambda: synthon.Molecule("CCO")))
    pattern, molecule = synthon.Pattern("[OX2H]"), synthon.Molecule("CCO")
    told("Pattern.matches", us=least(lambda: pattern.matches(molecule)))


def our_matrix(smiles):
    return numpy.asarray(synthon.fingerprints(smiles, on_error="null"))


def rdkit_matrix(smiles):
    """The same matrix, as a program that uses RDKit makes it."""
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    rows = numpy.zeros((len(smiles), 2048), dtype=numpy.uint8)
    for index, text in enumerate(smiles):
        mol = Chem.MolFromSmiles(text)
        if mol is not None:
            rows[index] = generator.GetFingerprintAsNumPy(mol)
    return numpy.packbits(rows, axis=1, bitorder="little").view(numpy.uint64)


def matrices(smiles):
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(seconds(lambda: our_matrix(smiles)))
        theirs.append(seconds(lambda: rdkit_matrix(smiles)))
    same = bool((our_matrix(smiles[:2000]) == rdkit_matrix(smiles[:2000])).all())
    told(
        f"ECFP4 matrix of {len(smiles)} molecules from SMILES",
        s=min(ours),
        rdkit_s=min(theirs),
        ratio=min(theirs) / min(ours),
        same_bits=same,
    )


def searches(smiles):
    matrix = synthon.fingerprints(smiles, on_error="null")
    query = synthon.Fingerprint(smiles[7])
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    mols = filter(None, map(Chem.MolFromSmiles, smiles[:10_000]))
    their_rows = [generator.GetFingerprint(mol) for mol in mols]
    their_query = their_rows[7]
    ours = min(seconds(lambda: matrix.similarity(query)) for _ in range(7)) / len(matrix)
    theirs = min(
        seconds(lambda: numpy.array(DataStructs.BulkTanimotoSimilarity(their_query, their_rows)))
        for _ in range(7)
    ) / len(their_rows)
    told("Tanimoto of one with many, for each", ns=ours * 1e9, rdkit_ns=theirs * 1e9, ratio=theirs / ours)


def bulk(smiles, program):
    """The same work by the package and by a Rust program."""
    phenol = synthon.Pattern("[OX2H]c")
    works = {
        "canonical_smiles": lambda: batch.canonical_smiles(smiles, on_error="null"),
        "fingerprints": lambda: synthon.fingerprints(smiles, on_error="null"),
        "matches_many": lambda: phenol.matches_many(smiles, on_error="null"),
        "standardise_many": lambda: batch.standardise_many(
            smiles, largest_fragment=True, neutralise=True, on_error="null"
        ),
    }
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "molecules.smi")
        file.write_text("\n".join(smiles), encoding="utf-8")
        ours = dict.fromkeys(works, float("inf"))
        rust = dict(ours)
        for _ in range(TURNS):
            for name, work in works.items():
                ours[name] = min(ours[name], seconds(work))
            run = [program, str(file), str(len(smiles)), "1"]
            said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
            for told_by_rust in map(json.loads, said.splitlines()):
                name = told_by_rust["work"]
                rust[name] = min(rust[name], told_by_rust["s"])
    for name in works:
        told(f"{name} of {len(smiles)}", s=ours[name], rust_s=rust[name], ratio=ours[name] / rust[name])


def main():
    RDLogger.DisableLog("rdApp.*")
    path = pathlib.Path(sys.argv[1])
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        read = [line.split()[0] for line in lines if line.strip()]
    smiles = (read * (MANY // len(read) + 1))[:MANY]
    calls()
    matrices(smiles)
    searches(smiles)
    if len(sys.argv) > 2:
        bulk(smiles, sys.argv[2])


if __name__ == "__main__":
    main()

"""RDKit's side of `cargo xtask bench-peers`: `peers.py WORK FILE` prints one JSON object.

The same molecules, the same number of rounds and the same median as `src/bin/measure.rs`.
"""

import json
import pathlib
import statistics
import sys
import time

from rdkit import Chem

ROUNDS = 15


def microseconds(items, work):
    """Time for one item, the median of all rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for item in items:
            work(item)
        rounds.append((time.perf_counter() - start) * 1e6 / len(items))
    return statistics.median(rounds)


def main(work, file):
    texts = pathlib.Path(file).read_text(encoding="utf-8").split()
    if work == "parse":
        value = microseconds(texts, Chem.MolFromSmiles)
    elif work == "canonical":
        value = microseconds([Chem.MolFromSmiles(text) for text in texts], Chem.MolToSmiles)
    else:
        raise SystemExit(f"no work `{work}`")
    print(json.dumps({"work": work, "value": value}))


main(*sys.argv[1:])

"""The peers' side of `cargo xtask bench-peers`: `peers.py WORK PEER` prints one JSON object.

The same molecules, the same number of rounds and the same median as `src/bin/measure.rs`.
"""

import json
import pathlib
import statistics
import sys
import time

ROUNDS = 15
# More than any pattern has in any of the molecules.
MOST_MATCHES = 10_000


def microseconds(items, work):
    """Time for one item, the median of all rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for item in items:
            work(item)
        rounds.append((time.perf_counter() - start) * 1e6 / len(items))
    return statistics.median(rounds)


def per_pair(patterns, molecules, work):
    """Time for one pattern in one molecule, both prepared."""

    def in_all(pattern):
        for molecule in molecules:
            work(pattern, molecule)

    return microseconds(patterns, in_all) / len(molecules)


def lines(name):
    return (pathlib.Path(__file__).parent / name).read_text(encoding="utf-8").split("\n")[:-1]


def rdkit(work, texts, patterns):
    from rdkit import Chem

    def molecules():
        return [Chem.MolFromSmiles(text) for text in texts]

    def queries():
        return [Chem.MolFromSmarts(text) for text in patterns]

    if work == "parse":
        return microseconds(texts, Chem.MolFromSmiles)
    if work == "canonical":
        return microseconds(molecules(), Chem.MolToSmiles)
    if work == "smarts compile":
        return microseconds(patterns, Chem.MolFromSmarts)
    if work == "smarts first":
        return per_pair(
            queries(), molecules(), lambda q, m: m.HasSubstructMatch(q, useChirality=True)
        )
    if work == "smarts all":
        return per_pair(
            queries(),
            molecules(),
            lambda q, m: m.GetSubstructMatches(
                q, uniquify=False, useChirality=True, maxMatches=MOST_MATCHES
            ),
        )
    raise SystemExit(f"no work `{work}`")


def smsd(work, texts, patterns):
    import smsd

    def queries():
        return [smsd.Substructure.smarts(text) for text in patterns]

    def molecules():
        read = [smsd.parse_smiles(text) for text in texts]
        for molecule in read:
            smsd.prewarm(molecule)
        return read

    if work == "smarts compile":
        return microseconds(patterns, smsd.Substructure.smarts)
    if work == "smarts first":
        return per_pair(queries(), molecules(), lambda q, m: q.match(m))
    if work == "smarts all":
        return per_pair(queries(), molecules(), lambda q, m: q.match_all(m, MOST_MATCHES))
    raise SystemExit(f"no work `{work}`")


def main(work, peer):
    value = {"rdkit": rdkit, "smsd": smsd}[peer](
        work, lines("molecules.smi"), lines("patterns.smarts")
    )
    print(json.dumps({"work": work, "value": value}))


main(*sys.argv[1:])

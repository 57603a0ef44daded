"""The peers' side of `cargo xtask bench-peers`: `peers.py WORK PEER [FILE ..]` prints one JSON
object.

The same inputs, the same number of rounds and the same statistics as `src/bin/measure.rs`.
"""

import csv
import json
import pathlib
import statistics
import sys
import time

ROUNDS = 15
# Rounds over the inputs of the reference data, of which there are more.
REFERENCE_ROUNDS = 3
# A pair is timed this often, and the least time counts, unless one time is longer than this.
PAIR_ROUNDS, LONG_MS = 3, 250.0
# Limits of a search for a common part. RDKit takes whole seconds, and searches that it does not
# end by itself are the rule rather than the exception, so it is let off earlier.
SMSD_LIMIT_MS, RDKIT_LIMIT_S = 30_000, 10
# More than any pattern has in any of the molecules.
MOST_MATCHES = 10_000


def microseconds(items, work, count=ROUNDS):
    """Time for one item, the median of all rounds."""
    rounds = []
    for _ in range(count):
        start = time.perf_counter()
        for item in items:
            work(item)
        rounds.append((time.perf_counter() - start) * 1e6 / len(items))
    return statistics.median(rounds)


def per_pair(patterns, molecules, work, count):
    """Time for one pattern in one molecule, both prepared."""

    def in_all(pattern):
        for molecule in molecules:
            work(pattern, molecule)

    return microseconds(patterns, in_all, count) / len(molecules)


def each_pair(pairs, search):
    """For each pair the least time of a few in milliseconds, whether the answer was proved, and
    its atoms and bonds. `search` prepares a pair and gives a function that answers it."""
    answers = []
    for query, target in pairs:
        ask = search(query, target)
        times = []
        while len(times) < PAIR_ROUNDS and max(times, default=0.0) < LONG_MS:
            start = time.perf_counter()
            answer = ask()
            times.append((time.perf_counter() - start) * 1e3)
        answers.append([min(times), *answer])
    return answers


def lines(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def rdkit(work, texts, patterns, count):
    from rdkit import Chem

    def molecules():
        return [Chem.MolFromSmiles(text) for text in texts]

    def queries():
        return [Chem.MolFromSmarts(text) for text in patterns]

    if work == "mces":
        return each_pair(texts, rdkit_mces)
    if work.endswith(" bits"):
        return microseconds(molecules(), rdkit_fingerprint(work), count)
    if work.startswith("standard "):
        return microseconds(molecules(), rdkit_standard_form(work), REFERENCE_ROUNDS)
    if work == "parse":
        return microseconds(texts, Chem.MolFromSmiles)
    if work == "canonical":
        return microseconds(molecules(), Chem.MolToSmiles)
    if work == "smarts compile":
        return microseconds(patterns, Chem.MolFromSmarts, count)
    if work == "smarts first":
        return per_pair(
            queries(), molecules(), lambda q, m: m.HasSubstructMatch(q, useChirality=True), count
        )
    if work == "smarts all":
        return per_pair(
            queries(),
            molecules(),
            lambda q, m: m.GetSubstructMatches(
                q, uniquify=False, useChirality=True, maxMatches=MOST_MATCHES
            ),
            count,
        )
    raise SystemExit(f"no work `{work}`")


def rdkit_fingerprint(work):
    from rdkit.Chem import rdFingerprintGenerator as generators
    from rdkit.Chem import rdMolDescriptors

    features = generators.GetMorganFeatureAtomInvGen()
    return {
        "ecfp bits": generators.GetMorganGenerator(radius=2).GetFingerprint,
        "fcfp bits": generators.GetMorganGenerator(
            radius=2, atomInvariantsGenerator=features
        ).GetFingerprint,
        "path bits": generators.GetRDKitFPGenerator().GetFingerprint,
        "torsion bits": generators.GetTopologicalTorsionGenerator().GetFingerprint,
        "atom_pair bits": generators.GetAtomPairGenerator().GetFingerprint,
        "maccs bits": rdMolDescriptors.GetMACCSKeysFingerprint,
    }[work]


def rdkit_standard_form(work):
    from rdkit import RDLogger
    from rdkit.Chem.MolStandardize import rdMolStandardize

    RDLogger.DisableLog("rdApp.*")
    heavy = rdMolStandardize.CleanupParameters()
    heavy.largestFragmentChooserCountHeavyAtomsOnly = True
    chooser = rdMolStandardize.LargestFragmentChooser(heavy)
    uncharger = rdMolStandardize.Uncharger()
    tautomers = rdMolStandardize.TautomerEnumerator()
    tautomers.SetMaxTautomers(128)
    tautomers.SetMaxTransforms(256)
    return {
        "standard cleanup": rdMolStandardize.Cleanup,
        "standard parent": lambda m: uncharger.uncharge(
            chooser.choose(rdMolStandardize.Cleanup(m))
        ),
        "standard tautomer": tautomers.Canonicalize,
    }[work]


def smsd_fingerprint(work):
    import smsd

    kind = work.removesuffix(" bits")
    if kind in ("ecfp", "fcfp"):
        return lambda molecule: smsd.circular_fingerprint(molecule, 2, 2048, kind)
    return lambda molecule: smsd.fingerprint(molecule, kind=kind)


def rdkit_mces(query, target):
    """The most common bonds, elements and bond orders equal. FMCS knows no other objective and
    lets aromatic bonds match single ones, so its sizes are not ours on every pair."""
    from rdkit import Chem
    from rdkit.Chem import rdFMCS

    molecules = [Chem.MolFromSmiles(query), Chem.MolFromSmiles(target)]

    def ask():
        found = rdFMCS.FindMCS(
            molecules,
            maximizeBonds=True,
            timeout=RDKIT_LIMIT_S,
            atomCompare=rdFMCS.AtomCompare.CompareElements,
            bondCompare=rdFMCS.BondCompare.CompareOrder,
        )
        return not found.canceled, found.numAtoms, found.numBonds

    return ask


def smsd_mcs(work):
    import smsd

    objective, *pieces = work.split()
    objective = {"mcis": smsd.MCS.Objective.MCIS, "mces": smsd.MCS.Objective.MCES}[objective]

    def search(query, target):
        molecules = [smsd.parse_smiles(text) for text in (query, target)]
        for molecule in molecules:
            smsd.prewarm(molecule)
        prepared = smsd.MCS.find(molecules[0]).with_objective(objective)
        prepared = prepared.with_timeout(SMSD_LIMIT_MS)
        if pieces:
            prepared = prepared.with_fragments()

        def ask():
            result = prepared.match(molecules[1])
            if not result.found:
                return result.optimal, 0, 0
            best = result.matches[0]
            return result.optimal, len(best.atom_mapping), len(best.bond_mapping)

        return ask

    return search


def smsd(work, texts, patterns, count):
    import smsd

    if work.split()[0] in ("mcis", "mces"):
        return each_pair(texts, smsd_mcs(work))

    def queries():
        return [smsd.Substructure.smarts(text) for text in patterns]

    def molecules():
        read = [smsd.parse_smiles(text) for text in texts]
        for molecule in read:
            smsd.prewarm(molecule)
        return read

    if work.endswith(" bits"):
        return microseconds(molecules(), smsd_fingerprint(work), count)
    if work == "smarts compile":
        return microseconds(patterns, smsd.Substructure.smarts, count)
    if work == "smarts first":
        return per_pair(queries(), molecules(), lambda q, m: q.match(m), count)
    if work == "smarts all":
        return per_pair(queries(), molecules(), lambda q, m: q.match_all(m, MOST_MATCHES), count)
    raise SystemExit(f"no work `{work}`")


def main(work, peer, *files):
    peers = {"rdkit": rdkit, "smsd": smsd}
    if work.split()[0] in ("mcis", "mces"):
        with open(files[0], encoding="utf-8", newline="") as table:
            pairs = [(row["a"], row["b"]) for row in csv.DictReader(table, delimiter="\t")]
        value = peers[peer](work, pairs, [], PAIR_ROUNDS)
    else:
        folder = pathlib.Path(__file__).parent
        molecules, patterns = files or (folder / "molecules.smi", folder / "patterns.smarts")
        count = REFERENCE_ROUNDS if files else ROUNDS
        value = peers[peer](work, lines(molecules), lines(patterns), count)
    print(json.dumps({"work": work, "value": value}))


main(*sys.argv[1:])

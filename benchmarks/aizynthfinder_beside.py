"""AiZynthFinder and our planner on the same targets, templates and stock.

    cargo build --release -p synthon-plan --example plan_targets
    python benchmarks/aizynthfinder_beside.py FOLDER PRODUCTS.tsv.gz DRUGS.smi

FOLDER is what aizynthfinder_export.py wrote; run this with a Python that has aizynthfinder (4.4.1 was
measured). 40 products and 20 drugs, chosen by a hash of their text, are planned for by AiZynthFinder
with `--seconds` (10) each, which ends at its first route, and by ours with as much and with a fiftieth
of it. Depth 6, one thread, one process after the other. A target is solved when a route ends in the
stock; ours must be of tier 1 besides, that is, each of its steps gave its product when run forwards.
"""

import argparse
import csv
import logging
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[1]


def ours(binary, targets, sample, seconds, folder):
    """Text, whether solved, and milliseconds to the first route of each target."""
    table = folder / "ours.tsv"
    command = [binary, targets, "--sample", str(sample), "--seconds", str(seconds), "--out", table]
    # The templates that they have, no named ones beside them.
    command += ["--library", "extracted"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(table) as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            solved = row["best_tier"] not in "-0"
            yield row["smiles"], solved, float(row["first_ms"]) if solved else None


def theirs(config, targets, seconds):
    from aizynthfinder.aizynthfinder import AiZynthFinder

    logging.disable(logging.WARNING)
    finder = AiZynthFinder(configfile=str(config))
    finder.stock.select_all()
    finder.expansion_policy.select_all()
    search = finder.config.search
    search.time_limit, search.iteration_limit = seconds, 10_000_000
    search.max_transforms, search.return_first = 6, True
    # The first search loads what is loaded when first needed.
    for smiles in ["CC(=O)Nc1ccc(O)cc1", *targets]:
        finder.target_smiles = smiles
        started = time.perf_counter()
        finder.tree_search()
        taken = 1_000 * (time.perf_counter() - started)
        finder.build_routes()
        solved = bool(finder.extract_statistics()["is_solved"])
        yield smiles, solved, taken if solved else None


def line(name, seconds, rows):
    times = [taken for _, solved, taken in rows if solved]
    median = f"{statistics.median(times):.0f} ms" if times else "-"
    share = 100 * len(times) / max(len(rows), 1)
    return f"| {name} | {seconds:g} s | {len(times)} of {len(rows)} ({share:.0f} %) | {median} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("products")
    parser.add_argument("drugs")
    parser.add_argument("--samples", type=int, nargs=2, default=[40, 20], metavar="N")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--binary", default=ROOT / "target/release/examples/plan_targets")
    given = parser.parse_args()
    print("| targets | planner | seconds each | solved | first route, median of the solved |")
    print("| --- | --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sets = [("products", given.products), ("drugs", given.drugs)]
        for (kind, targets), sample in zip(sets, given.samples):
            short = list(ours(given.binary, targets, sample, given.seconds / 50, folder))
            whole = list(ours(given.binary, targets, sample, given.seconds, folder))
            rows = list(theirs(given.folder / "config.yml", [t for t, *_ in whole], given.seconds))[1:]
            for name, seconds, found in [
                ("AiZynthFinder", given.seconds, rows),
                ("Synthon", given.seconds / 50, short),
                ("Synthon", given.seconds, whole),
            ]:
                print(f"| {kind} {line(name, seconds, found)}", flush=True)
            only = [t for (t, a, _), (_, b, _) in zip(rows, whole) if a and not b]
            print(f"<!-- solved by AiZynthFinder alone: {' '.join(only) or 'none'} -->", flush=True)


if __name__ == "__main__":
    main()

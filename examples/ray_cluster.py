"""Parquet datasets screened and planned on a Ray cluster.

``python ray_cluster.py molecules.parquet work`` scores every molecule against a query, keeps the
best, and plans how to make them. Stopped at any moment and run again, it goes on; a worker that is
lost costs no row. ``ray.init()`` starts a cluster on this machine, and joins yours where
``RAY_ADDRESS`` names it. Needs ``pip install synthon[ray]``.
"""

import sys
from pathlib import Path

import pyarrow.parquet as pq
import ray
import synthon.ray

QUERY = "CC(=O)Nc1ccc(O)cc1"


def main(source: Path, folder: Path, best: int = 20) -> None:
    ray.init(ignore_reinit_error=True)
    scored = synthon.ray.screen(source, folder / "scored", QUERY, rows=1_000)
    print(f"screened {scored.rows} molecules in {scored.parts} parts, {scored.faults} unreadable")

    # The parts are a Parquet dataset like any other.
    table = pq.read_table(scored.output)
    chosen = table.sort_by([("score", "descending")]).slice(0, best)
    targets = folder / "targets.parquet"
    if not targets.exists():
        draft = targets.with_suffix(".draft")
        pq.write_table(chosen.select(["smiles", "score"]), draft)
        draft.replace(targets)

    planned = synthon.ray.plan(targets, folder / "planned", rows=5, node_limit=200)
    found = pq.read_table(planned.output).column("routes_found")
    solved = sum(1 for routes in found.to_pylist() if routes)
    print(f"planned {planned.rows} targets, {planned.done_before} parts done before; {solved} solved")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

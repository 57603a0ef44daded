"""Plans many targets into a file, one line of JSON each, and goes on where it was stopped.

``python batch_planning.py targets.smi routes.jsonl`` reads a SMILES and a name a line. Run again
after a stop, it plans what is missing: no target is lost and none repeated. The command line does
the same: ``synthon routes --input targets.smi --output routes.jsonl --jobs 4 --resume``.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from synthon import Planner, SynthonError


def finished(path: Path) -> set[str]:
    """The targets that a file has results of; what a stop cut off in the middle is taken away."""
    if not path.exists():
        return set()
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    os.truncate(path, len(whole))
    return {json.loads(line)["smiles"] for line in whole.decode("utf-8").splitlines()}


def planned(planner: Planner, smiles: str, name: str) -> dict[str, Any]:
    told: dict[str, Any] = {"smiles": smiles, "name": name}
    try:
        # Molecules expanded bound the work, so that the answer is the same on every machine.
        plan = planner.plan(smiles, max_routes=3, node_limit=300)
    except SynthonError as error:
        return told | {"error": str(error), "code": error.code, "position": error.position}
    told |= {"status": plan.status, "claim": plan.claim, "routes": len(plan)}
    if plan:
        told |= {"tier": plan[0].tier, "building_blocks": plan[0].building_blocks}
    return told


def main(targets: Path, output: Path) -> None:
    lines = targets.read_text(encoding="utf-8").splitlines()
    split = [line.split(maxsplit=1) for line in lines if line.strip()]
    wanted = {parts[0]: parts[1] if len(parts) > 1 else "" for parts in split}
    done = finished(output)
    missing = {smiles: name for smiles, name in wanted.items() if smiles not in done}
    planner = Planner()
    # Planning releases Python's lock, so threads use all cores.
    with ThreadPoolExecutor(os.cpu_count()) as pool, output.open("a", encoding="utf-8") as out:
        for told in pool.map(lambda item: planned(planner, *item), missing.items()):
            out.write(json.dumps(told) + "\n")
            out.flush()
    print(f"{len(done)} targets were done before, {len(missing)} now")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

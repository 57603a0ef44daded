"""What an agent does with the tools, as a fixed sequence of calls and without a model.

Screens a list for molecules like a query, looks for the common part of the query and each hit,
draws the best pair, plans how the best hit could be made, and has the route validated. Each answer
says what it proves, and that is what gets printed. Writes ``best_pair.svg`` and ``best_route.svg``
into the folder that is named (the current one unless given).
"""

import sys
from pathlib import Path
from typing import Any

from synthon.tool_definitions import call_tool

QUERY = "CC(=O)Nc1ccc(O)cc1"
LIBRARY = [
    "CC(=O)Nc1ccc(OC)cc1",
    "CCC(=O)Nc1ccc(O)cc1",
    "CC(=O)Oc1ccccc1C(=O)O",
    "CC(=O)Nc1ccccc1",
    "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
]


def screened(query: str, library: list[str]) -> list[dict[str, Any]]:
    """All hits, page by page."""
    hits: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page = call_tool(
            "screen_molecules",
            {
                "query_smiles": query,
                "targets_smiles": library,
                "threshold": 0.4,
                "max_hits": 2,
                "offset": offset,
            },
        )
        hits += page["hits"]
        offset = page["next_offset"]
    return hits


def main(folder: Path) -> None:
    hits = screened(QUERY, LIBRARY)
    print(f"{len(hits)} of {len(LIBRARY)} molecules score 0.4 or more")

    best, most = "", -1
    for hit in hits:
        target = LIBRARY[hit["target_index"]]
        common = call_tool("find_mcs", {"query_smiles": QUERY, "target_smiles": target})
        atoms = common["matches"][0]["atom_count"] if common["found"] else 0
        proved = "proved largest" if common["optimal"] else "best found"
        print(f"  {hit['score']:.3f}  {target}: {atoms} common atoms, {proved}")
        if atoms > most:
            best, most = target, atoms

    pair = call_tool("depict_mcs", {"query_smiles": QUERY, "target_smiles": best})
    (folder / "best_pair.svg").write_text(pair["svg"], encoding="utf-8")

    plan = call_tool("find_routes", {"smiles": best, "max_routes": 3})
    print(f"plan for {best}: {plan['claim']}")
    if not plan["routes"]:
        causes = call_tool("diagnose_failure", {"smiles": best})
        print("no route:", "; ".join(causes["causes"]))
        return
    route = plan["routes"][0]
    for number, step in enumerate(route["steps"], 1):
        print(f"  step {number}: {' + '.join(step['precursors'])} ({step['rule']})")

    given = {"smiles": best, "route": {"steps": route["steps"]}}
    checked = call_tool("validate_route", given)
    print(f"validated: {checked['verdict']}, tier {checked['tier']}")
    drawing = call_tool("depict_route", given)
    (folder / "best_route.svg").write_text(drawing["svg"], encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())

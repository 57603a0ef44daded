"""Types of the tool functions; written by python/tests/tool_stubs.py."""

from typing import Any, Literal

def main() -> int: ...
def find_mcs(
    query_smiles: str,
    target_smiles: str,
    objective: Literal["mcis", "mces"] = "mcis",
    connected: bool = True,
    timeout_ms: int = 1000,
    node_limit: int = 100000,
    match_stereo: bool = False,
    complete_rings_only: bool = False,
    ring_matches_ring_only: bool = False,
) -> dict[str, Any]: ...
def find_substructure(
    query: str,
    target_smiles: str,
    query_format: Literal["smarts", "smiles"] = "smarts",
    induced: bool = False,
    timeout_ms: int = 1000,
    node_limit: int = 100000,
    match_stereo: bool = False,
    complete_rings_only: bool = False,
    ring_matches_ring_only: bool = False,
) -> dict[str, Any]: ...
def search_smarts(
    query_smarts: str,
    target_smiles: str,
    max_matches: int = 16,
    timeout_ms: int = 1000,
    node_limit: int = 100000,
    match_stereo: bool = False,
    complete_rings_only: bool = False,
    ring_matches_ring_only: bool = False,
) -> dict[str, Any]: ...
def molecular_fingerprint(
    smiles: str,
    kind: Literal["ecfp", "fcfp", "circular", "path", "torsion", "mcs"] = "ecfp",
    fp_size: int = 2048,
    radius: int = 2,
    path_length: int = 7,
    counts: bool = False,
) -> dict[str, Any]: ...
def molecular_similarity(
    query_smiles: str,
    target_smiles: str,
    metric: Literal["tanimoto", "dice", "cosine"] = "tanimoto",
    kind: Literal["ecfp", "fcfp", "circular", "path", "torsion", "mcs"] = "ecfp",
    fp_size: int = 2048,
    radius: int = 2,
    path_length: int = 7,
    counts: bool = False,
) -> dict[str, Any]: ...
def screen_molecules(
    query_smiles: str,
    targets_smiles: list[str],
    threshold: float = 0.7,
    max_hits: int = 32,
    offset: int = 0,
    kind: Literal["ecfp", "fcfp", "circular", "path", "torsion", "mcs"] = "ecfp",
    fp_size: int = 2048,
    radius: int = 2,
    path_length: int = 7,
    counts: bool = False,
) -> dict[str, Any]: ...
def standardise_molecule(
    smiles: str,
    remove_atom_maps: bool = False,
    cleanup: bool = False,
    largest_fragment: bool = False,
    neutralise: bool = False,
    canonical_tautomer: bool = False,
) -> dict[str, Any]: ...
def depict_mcs(
    query_smiles: str,
    target_smiles: str,
    objective: Literal["mcis", "mces"] = "mcis",
    connected: bool = True,
    timeout_ms: int = 1000,
    node_limit: int = 100000,
    match_stereo: bool = False,
    complete_rings_only: bool = False,
    ring_matches_ring_only: bool = False,
    width: int = 800,
    height: int = 360,
) -> dict[str, Any]: ...
def find_routes(
    smiles: str,
    depth: int = 5,
    max_routes: int = 5,
    avoid_elements: str = "",
    require_elements: str = "",
    search_mode: Literal["standard", "coverage"] = "standard",
    coverage_templates: str | None = None,
    coverage_timeout_secs: int = 60,
    timeout_secs: int = 20,
    candidate_trace_limit: int = 0,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def validate_route(
    smiles: str,
    route: dict[str, Any] | None = None,
    depth: int = 5,
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def explain_route(
    smiles: str,
    route: dict[str, Any] | None = None,
    depth: int = 5,
    max_routes: int = 1,
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def find_pareto_routes(
    smiles: str,
    depth: int = 5,
    max_routes: int = 10,
    objectives: str = "cost:min,success_probability:max,steps:min",
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def plan_with_constraints(
    smiles: str,
    depth: int = 5,
    max_routes: int = 5,
    avoid_elements: str = "",
    require_elements: str = "",
    avoid_building_blocks: str = "",
    require_building_blocks: str = "",
    max_steps: int | None = None,
    max_route_cost: float | None = None,
    min_confidence: float | None = None,
    min_success_probability: float | None = None,
    avoid_reaction_families: str = "",
    require_reaction_families: str = "",
    prefer_reaction_families: str = "",
    break_bonds: list[str] = [],
    freeze_bonds: list[str] = [],
    start_from: str = "",
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def estimate_diversity(
    smiles: str,
    depth: int = 5,
    max_routes: int = 5,
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def diagnose_failure(
    smiles: str,
    depth: int = 5,
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def suggest_disconnections(
    smiles: str,
    max_results: int = 10,
    library: str = "curated",
    stock: str = "uspto-blocks",
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...
def depict_route(
    smiles: str,
    route: dict[str, Any] | None = None,
    depth: int = 5,
    width: int = 900,
    height: int = 0,
    timeout_secs: int = 20,
    library: str = "curated",
    stock: str = "uspto-blocks",
    node_limit: int = 20000,
    detail: Literal["brief", "full"] = "full",
) -> dict[str, Any]: ...

"""Writes docs/tools.md, the page of all tools, from the registry and from what the tools answer.

Run it with an interpreter that has the built package, after a change of a tool or its answers.
"""

import json
import pathlib

from synthon import mcp_server
from synthon.tool_definitions import TOOL_REGISTRY, call_tool

TARGET = pathlib.Path(__file__).parents[2] / "docs" / "tools.md"

PARACETAMOL = "CC(=O)Nc1ccc(O)cc1"
# Named templates and a bound in molecules: the answers do not depend on the machine.
SEARCH = {"library": "curated", "depth": 2, "node_limit": 30}
ROUTE = {"steps": [{"target": PARACETAMOL, "precursors": ["CC(=O)Cl", "Nc1ccc(O)cc1"]}]}
EXAMPLES = {
    "find_mcs": {"query_smiles": "CC(=O)NC", "target_smiles": "CCC(=O)N"},
    "find_substructure": {"query": "[OX2H]c", "target_smiles": "CC(C)(C)c1ccc(O)cc1"},
    "search_smarts": {"query_smarts": "[OX2H]", "target_smiles": "OCC(O)CO", "max_matches": 2},
    "molecular_fingerprint": {"smiles": "OCCO", "fp_size": 64, "counts": True},
    "molecular_similarity": {"query_smiles": "Oc1ccccc1", "target_smiles": "Cc1ccccc1O"},
    "screen_molecules": {
        "query_smiles": "Oc1ccccc1",
        "targets_smiles": ["Cc1ccccc1O", "CCO", "Oc1ccccc1"],
        "threshold": 0.3,
        "max_hits": 1,
    },
    "standardise_molecule": {
        "smiles": "[Na+].OC(=O)c1ccccc1[O-]",
        "largest_fragment": True,
        "neutralise": True,
    },
    "depict_mcs": {"query_smiles": "c1ccccc1O", "target_smiles": "c1ccccc1N", "width": 400},
    "find_routes": {"smiles": PARACETAMOL, "max_routes": 1, **SEARCH},
    "validate_route": {"smiles": PARACETAMOL, "route": ROUTE, "library": "curated"},
    "explain_route": {"smiles": PARACETAMOL, "route": ROUTE, "library": "curated"},
    "find_pareto_routes": {"smiles": PARACETAMOL, "max_routes": 2, "detail": "brief", **SEARCH},
    "plan_with_constraints": {
        "smiles": PARACETAMOL,
        "avoid_elements": "Cl",
        "max_routes": 1,
        "detail": "brief",
        **SEARCH,
    },
    "estimate_diversity": {"smiles": PARACETAMOL, "max_routes": 3, **SEARCH},
    "diagnose_failure": {"smiles": "CC1(C)CC2CC1(Br)C2", **SEARCH},
    "suggest_disconnections": {"smiles": PARACETAMOL, "max_results": 1, "library": "curated"},
    "depict_route": {"smiles": PARACETAMOL, "route": ROUTE, "library": "curated"},
}
# What differs from run to run or is the same in every answer.
LEFT_OUT = (
    "elapsed_ms",
    "timings",
    "limits",
    "engine_version",
    "canonical_version",
    "schema_version",
)
LONGEST_TEXT = 300
LONGEST_LIST = 2

HEAD = """# The tools

<!-- Written by python/tests/tool_pages.py; the tests compare it with what the tools answer. -->

Seventeen tools in one registry, the same through every door: a call of the Model Context Protocol, `call_tool(name, arguments)` and `synthon.mcp_server` in Python, `synthon call NAME '{...}'` on the command line. {%s} are the toolset `molecules`, the others `planning`. What an answer may be taken to prove is on [a page of its own](proof.md).

Below stand, for each tool, its description as an assistant reads it, its arguments, its signature as a Python function, and a call with its real answer. Of the answers long lists and texts are cut (`...`), and what every answer has beside is left out: `engine_version`, `limits`, `timings`, and `schema_version` of routes.
"""


def shown(value):
    """An answer, shortened."""
    if isinstance(value, dict):
        return {key: shown(inner) for key, inner in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        if not any(isinstance(inner, dict) for inner in value):
            return [shown(inner) for inner in value]
        rest = ["..."] if len(value) > LONGEST_LIST else []
        return [shown(inner) for inner in value[:LONGEST_LIST]] + rest
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "..."
    return value


def written(value, indent=0):
    """JSON with what is short on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= 100 or not isinstance(value, (dict, list)) or not value:
        return line
    pad, inner = " " * indent, " " * (indent + 2)
    if isinstance(value, dict):
        parts = [
            f"{inner}{json.dumps(key)}: {written(part, indent + 2)}" for key, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{pad}}}"
    return "[\n" + ",\n".join(inner + written(part, indent + 2) for part in value) + f"\n{pad}]"


def bounds(schema):
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    limits = [schema.get("minimum"), schema.get("maximum")]
    if limits == [None, None]:
        return schema["type"]
    low, high = ("" if limit is None else f"{limit:,}" for limit in limits)
    return f"{schema['type']}, {low} to {high}" if high else f"{schema['type']}, from {low}"


def section(tool):
    properties = tool.input_schema["properties"]
    required = tool.input_schema["required"]
    lines = [f"## {tool.name}", "", f"{tool.title}. {tool.description}", ""]
    lines += ["| argument | values | default | meaning |", "| --- | --- | --- | --- |"]
    for name, schema in properties.items():
        default = "required" if name in required else "-"
        if schema.get("default") is not None:
            default = f"`{json.dumps(schema['default'])}`"
        about = tool.arguments[name].replace("|", "\\|").replace("\n", " ")
        lines.append(f"| `{name}` | {bounds(schema)} | {default} | {about} |")
    parameters = mcp_server.__dict__[tool.name].__signature__.parameters.values()
    lines += ["", "```python", f"{tool.name}("]
    for parameter in parameters:
        default = ""
        if parameter.default is not parameter.empty:
            default = f" = {parameter.default!r}".replace("'", '"')
        lines.append(f"    {parameter.name}: {parameter.annotation}{default},")
    lines += [") -> dict[str, Any]", "```", ""]
    example = EXAMPLES[tool.name]
    lines += ["A call:", "", "```json", written(example), "```", "", "Its answer:", ""]
    lines += ["```json", written(shown(call_tool(tool.name, example))), "```", ""]
    return lines


def text():
    tools = TOOL_REGISTRY.values()
    molecules = [tool.name for tool in tools if tool.toolset == "molecules"]
    lines = [HEAD.replace("{%s}", f"The first {len(molecules)}")]
    for tool in tools:
        lines += section(tool)
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")

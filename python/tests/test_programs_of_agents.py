"""Programs of the kind that the reference's examples are of: agent loops, shapes, refusals."""

import copy
import json
import subprocess
import sys
import threading

import pytest
from synthon.tool_definitions import TOOL_REGISTRY, call_tool, get_tool_definitions

SHAPES = ("mcp", "input-schema", "function", "chat-function")
PAIR = {"query_smiles": "CCO", "target_smiles": "CCN"}


def definition(tool):
    return tool.get("function", tool)


def schema(tool):
    inner = definition(tool)
    return inner.get("inputSchema") or inner.get("input_schema") or inner["parameters"]


def test_the_four_shapes_say_the_same():
    lists = [get_tool_definitions(shape) for shape in SHAPES]
    for tools in zip(*lists):
        assert len({definition(tool)["name"] for tool in tools}) == 1
        assert len({definition(tool)["description"] for tool in tools}) == 1
        assert all(schema(tool) == schema(tools[0]) for tool in tools)
    assert get_tool_definitions() == lists[0]
    assert [t["name"] for t in lists[0]] == list(TOOL_REGISTRY)
    # What a program does to its list is its own affair.
    lists[0][0]["inputSchema"]["properties"].clear()
    assert get_tool_definitions()[0]["inputSchema"]["properties"]
    for shape in ("MCP", "openai", "", None, 3):
        with pytest.raises((ValueError, TypeError)):
            get_tool_definitions(shape)


@pytest.mark.parametrize("name", TOOL_REGISTRY)
def test_a_schema_is_one_that_every_client_takes(name):
    given = TOOL_REGISTRY[name].input_schema
    assert given["type"] == "object" and given["additionalProperties"] is False
    assert set(given["required"]) <= set(given["properties"])
    for property_, rule in given["properties"].items():
        assert isinstance(rule["type"], str), property_
        if "default" in rule and "enum" in rule:
            assert rule["default"] in rule["enum"]
    assert json.loads(json.dumps(given)) == given


# A call of find_mcs, the reference's sentence.
REFUSALS = [
    ({}, "Missing required tool argument"),
    ({"query_smiles": "CCO"}, "Missing required tool argument"),
    ({**PAIR, "timeout_ms": 30001}, "timeout_ms is outside its supported range"),
    ({**PAIR, "timeout_ms": -1}, "timeout_ms is outside its supported range"),
    ({**PAIR, "node_limit": 0}, "node_limit is outside its supported range"),
    ({**PAIR, "timeout_ms": "500"}, "timeout_ms must have JSON type integer"),
    ({**PAIR, "timeout_ms": True}, "timeout_ms must have JSON type integer"),
    ({**PAIR, "timeout_ms": 0.5}, "timeout_ms must have JSON type integer"),
    ({**PAIR, "connected": 1}, "connected must have JSON type boolean"),
    ({**PAIR, "query_smiles": None}, "query_smiles must have JSON type string"),
    ({**PAIR, "query_smiles": ["CCO"]}, "query_smiles must have JSON type string"),
    ({**PAIR, "smiles": "C"}, "Unknown tool argument"),
    ({**PAIR, 3: "C"}, "Unknown tool argument"),
    ({**PAIR, "query_smiles": "C1CC"}, "Unclosed ring(s): 1"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSALS)
def test_a_refusal_is_the_sentence_and_names_what_is_wrong(arguments, sentence):
    before = copy.deepcopy(arguments)
    with pytest.raises(ValueError) as caught:
        call_tool("find_mcs", arguments)
    error = caught.value
    assert str(error).startswith(sentence) and arguments == before
    assert error.code and error.argument
    if not sentence.startswith("Unclosed"):
        assert str(error) == sentence
    again = json.loads(json.dumps({"error": str(error), "code": error.code}))
    assert again["error"] == str(error)


@pytest.mark.parametrize("arguments", [None, [], "x", 5, [("query_smiles", "C")]])
def test_arguments_that_are_no_object_are_refused(arguments):
    with pytest.raises(ValueError, match="must have JSON type object"):
        call_tool("find_mcs", arguments)


def test_an_unknown_tool_is_refused():
    for name in ("find_mcz", "", "FIND_MCS", "find_mcs "):
        with pytest.raises(ValueError):
            call_tool(name, PAIR)
    with pytest.raises(TypeError):
        call_tool(7, PAIR)


def test_numbers_and_mappings_of_other_libraries_are_taken():
    numpy = pytest.importorskip("numpy")
    from types import MappingProxyType

    plain = call_tool("find_mcs", {**PAIR, "timeout_ms": 500})
    same = call_tool("find_mcs", MappingProxyType({**PAIR, "timeout_ms": numpy.int64(500)}))
    whole = call_tool("find_mcs", {**PAIR, "timeout_ms": 500.0})
    assert plain["budget"] == same["budget"] == whole["budget"]
    hits = call_tool(
        "screen_molecules",
        {"query_smiles": "C", "targets_smiles": ("C", "N"), "threshold": numpy.float64(0.5)},
    )
    assert hits["total_hits"] == 1
    with pytest.raises(ValueError, match="threshold is outside its supported range"):
        call_tool(
            "screen_molecules",
            {"query_smiles": "C", "targets_smiles": ["C"], "threshold": float("nan")},
        )


def test_results_are_json_and_the_same_again():
    def told(result):
        kept = {k: v for k, v in result.items() if k not in ("elapsed_ms", "timings")}
        return json.dumps(kept, allow_nan=False)

    calls = [
        ("find_mcs", PAIR),
        ("molecular_fingerprint", {"smiles": "CCO"}),
        ("find_routes", {"smiles": "CC(=O)Nc1ccc(O)cc1", "node_limit": 20, "depth": 2}),
    ]
    for name, arguments in calls:
        first = told(call_tool(name, arguments))
        found = []

        def work(name=name, arguments=arguments, found=found):
            found.extend(told(call_tool(name, arguments)) for _ in range(3))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(found) == {first}


def test_functions_take_keywords_and_importing_them_starts_nothing():
    program = (
        "import sys, threading\n"
        "from synthon.mcp_server import find_mcs, screen_molecules, search_smarts\n"
        "assert threading.active_count() == 1\n"
        "print(find_mcs(query_smiles='CC(=O)NC', target_smiles='CCC(=O)N')['optimal'])\n"
        "print(find_mcs('CCO', 'CCN', timeout_ms=0)['status'])\n"
        "print(len(search_smarts('[OX2H]', target_smiles='OCC(O)CO')['matches']))\n"
        "print(screen_molecules(query_smiles='C', targets_smiles=['C'])['total_hits'])\n"
        "try:\n    find_mcs('CCO', 'CCN', timeout=5)\n"
        "except TypeError as error:\n    print('timeout' in str(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "TIMED_OUT", "3", "1", "True"], done.stderr


def test_a_registry_entry_runs_its_tool():
    for name, tool in TOOL_REGISTRY.items():
        assert tool.name == name and callable(tool) and tool.description
    assert TOOL_REGISTRY["find_mcs"](PAIR)["found"]


def test_a_whole_agent_run_through_the_registry():
    """Screen, compare, draw, plan, explain: what one answer gives is what the next call takes."""
    library = ["CC(=O)Nc1ccc(OC)cc1", "CCO", "CC(=O)Nc1ccccc1"]
    hits = call_tool(
        "screen_molecules",
        {"query_smiles": "CC(=O)Nc1ccc(O)cc1", "targets_smiles": library, "threshold": 0.3},
    )["hits"]
    best = library[hits[0]["target_index"]]
    pair = {"query_smiles": "CC(=O)Nc1ccc(O)cc1", "target_smiles": best}
    common = call_tool("find_mcs", pair)
    drawn = call_tool("depict_mcs", pair)
    assert common["matches"][0]["atom_mapping"] == drawn["matches"][0]["atom_mapping"]
    options = {"library": "curated", "node_limit": 30, "max_routes": 1}
    plan = call_tool("find_routes", {"smiles": best, **options})
    route = plan["routes"][0]
    for name in ("validate_route", "explain_route", "depict_route"):
        told = call_tool(name, {"smiles": plan["target"], "route": route, "library": "curated"})
        assert told["claim"] and told["status"] == "COMPLETED"

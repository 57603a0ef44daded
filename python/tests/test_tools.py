"""The tools through the package: the same calls as through the other doors."""

import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest
import synthon
from synthon import SynthonError, mcp_server
from synthon.tool_definitions import TOOL_REGISTRY, call_tool, get_tool_definitions

PHENOL = "Oc1ccccc1"
MOLECULES = (
    "find_mcs find_substructure search_smarts molecular_fingerprint molecular_similarity "
    "screen_molecules standardise_molecule"
).split()


def without_times(result):
    return {key: value for key, value in result.items() if key not in ("timings", "elapsed_ms")}


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("find_mcs", {"query_smiles": "CC(=O)NC", "target_smiles": "CCC(=O)N"}),
        ("search_smarts", {"query_smarts": "[OX2H]", "target_smiles": "OCC(O)CO", "max_matches": 2}),
        ("molecular_fingerprint", {"smiles": "OCCO", "kind": "path", "counts": True}),
        ("find_routes", {"smiles": "CC(=O)Nc1ccc(O)cc1", "max_routes": 2}),
    ],
)
def test_a_call_gives_what_the_command_line_gives(name, arguments):
    run = subprocess.run(
        [os.environ["SYNTHON_BIN"], "call", name, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    here = call_tool(name, arguments)
    there = json.loads(run.stdout)
    assert list(here) == list(there)
    assert without_times(here) == without_times(there)


@pytest.mark.parametrize(
    "arguments, sentence, code, argument",
    [
        ({"query_smiles": "CCO"}, "Missing required tool argument", "missing", "target_smiles"),
        ({"timeout_ms": 60000}, "timeout_ms is outside its supported range", "range", "timeout_ms"),
        ({"timeout_ms": "500"}, "timeout_ms must have JSON type integer", "type", "timeout_ms"),
        ({"timeout_ms": True}, "timeout_ms must have JSON type integer", "type", "timeout_ms"),
        ({"timeout_ms": 10**30}, "timeout_ms is outside its supported range", "range", "timeout_ms"),
        ({"connected": 1}, "connected must have JSON type boolean", "type", "connected"),
        ({"path": "a.sdf"}, "Unknown tool argument", "unknown", "path"),
        ({"path": object()}, "Unknown tool argument", "unknown", "path"),
        ({7: 1}, "Unknown tool argument", "unknown", "7"),
        ({"query_smiles": " "}, "query_smiles must not be blank", "blank", "query_smiles"),
        ({"query_smiles": object()}, "query_smiles must have JSON type string", "type", "query_smiles"),
        ({"query_smiles": "\ud800"}, "query_smiles must have JSON type string", "type", "query_smiles"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments, sentence, code, argument):
    if len(arguments) == 1 and "query_smiles" not in arguments:
        arguments = {"query_smiles": "CCO", "target_smiles": "CCN", **arguments}
    elif sentence != "Missing required tool argument":
        arguments = {"target_smiles": "CCN", **arguments}
    with pytest.raises(ValueError) as caught:
        call_tool("find_mcs", arguments)
    error = caught.value
    assert type(error) is SynthonError and str(error) == sentence
    assert (error.code, error.argument, error.position) == (f"argument.{code}", argument, None)


def test_a_number_that_is_not_finite_is_out_of_range():
    for number in (float("nan"), float("inf")):
        arguments = {"query_smiles": "C", "targets_smiles": ["C"], "threshold": number}
        with pytest.raises(SynthonError, match="^threshold is outside its supported range$"):
            call_tool("screen_molecules", arguments)


def test_a_parse_error_has_its_place_and_a_repair():
    with pytest.raises(ValueError) as caught:
        call_tool("find_mcs", {"query_smiles": "C1CC", "target_smiles": "CCN"})
    error = caught.value
    assert str(error).startswith("Unclosed ring(s): 1")
    assert (error.code, error.argument, error.position) == ("smiles.unclosed_ring", "query_smiles", 1)
    assert error.hint
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_what_is_no_call_is_refused():
    with pytest.raises(SynthonError, match="^Unknown tool$") as caught:
        call_tool("find_mc", {})
    assert caught.value.hint == "did you mean find_mcs?"
    for arguments in (None, [], "{}"):
        with pytest.raises(SynthonError, match="^arguments must have JSON type object$"):
            call_tool("find_mcs", arguments)
    endless = []
    endless.append(endless)
    with pytest.raises(SynthonError, match="^targets_smiles must have JSON type array$"):
        call_tool("screen_molecules", {"query_smiles": "C", "targets_smiles": endless})


def test_numbers_of_other_kinds_count():
    numpy = pytest.importorskip("numpy")
    arguments = {"smiles": "OCCO", "fp_size": numpy.int64(64), "radius": 2.0}
    assert call_tool("molecular_fingerprint", arguments)["fp_size"] == 64


def test_definitions_have_four_shapes():
    shapes = {
        "mcp": {"name", "description", "inputSchema"},
        "input-schema": {"name", "description", "input_schema"},
        "function": {"type", "name", "description", "parameters", "strict"},
        "chat-function": {"type", "function"},
    }
    for provider, keys in shapes.items():
        definitions = get_tool_definitions(provider)
        assert len(definitions) == len(TOOL_REGISTRY)
        assert all(set(tool) == keys for tool in definitions)
    names = [tool["name"] for tool in get_tool_definitions()]
    assert names == list(TOOL_REGISTRY) and names[:3] == MOLECULES[:3]
    assert get_tool_definitions("chat-function")[0]["function"]["strict"] is False
    get_tool_definitions()[0]["name"] = "changed"
    assert get_tool_definitions()[0]["name"] == "find_mcs"


def test_definitions_are_chosen_by_toolset_and_name():
    chosen = [tool["name"] for tool in get_tool_definitions(toolset="molecules")]
    assert set(MOLECULES) <= set(chosen) and "find_routes" not in chosen
    assert [t["name"] for t in get_tool_definitions(toolset="planning")][0] == "find_routes"
    two = get_tool_definitions("function", toolset=["find_routes", "find_mcs"])
    assert [tool["name"] for tool in two] == ["find_mcs", "find_routes"]
    with pytest.raises(ValueError, match="Unknown toolset: x"):
        get_tool_definitions(toolset="x")
    with pytest.raises(ValueError, match="Unknown provider: x") as caught:
        get_tool_definitions("x")
    assert "chat-function" in caught.value.hint


def test_the_registry_tells_all():
    tool = TOOL_REGISTRY["find_mcs"]
    assert tool.input_schema["required"] == ["query_smiles", "target_smiles"]
    assert tool.input_schema["additionalProperties"] is False
    assert tool.output_schema["type"] == "object" and tool.toolset == "molecules"
    assert tool({"query_smiles": "CC", "target_smiles": "C"})["found"] is True
    with pytest.raises(TypeError):
        TOOL_REGISTRY["mine"] = tool


def test_tools_are_functions_too():
    given = inspect.signature(mcp_server.find_mcs).parameters
    assert list(given)[:2] == ["query_smiles", "target_smiles"]
    assert given["objective"].default == "mcis" and given["timeout_ms"].default == 1000
    assert "Arguments:" in mcp_server.find_mcs.__doc__
    found = mcp_server.find_mcs("CC(=O)NC", target_smiles="CCC(=O)N", timeout_ms=2000)
    assert found["budget"]["timeout_ms"] == 2000 and found["optimal"]
    with pytest.raises(ValueError, match="timeout_ms is outside"):
        mcp_server.find_mcs("C", "C", timeout_ms=-1)
    with pytest.raises(TypeError):
        mcp_server.find_mcs("C")
    for name in TOOL_REGISTRY:
        assert callable(getattr(mcp_server, name)) and name in mcp_server.__all__


def test_importing_the_server_starts_nothing():
    program = "import synthon.mcp_server, sys; print(sorted(m for m in sys.modules if 'mcp' in m))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("['synthon.mcp_server']\n", "")


# Complete graphs of carbon that no budget finishes.
SLOW = {
    "query_smiles": "C1CC2CC1C1C2C2CC1C1C2C2CC1C1C2C2CC1C1C2C2CC1CC2",
    "target_smiles": "C1CC2CC1C1C3C2C1C1C3C2C1C1CC2C2C1C1C2C2CC1C1C2C2CC1C3C2C2C3CC2",
    "objective": "mces",
    "connected": False,
    "timeout_ms": 1500,
    "node_limit": 1000000,
}


def test_other_threads_run_during_a_call():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    started = time.monotonic()
    call_tool("find_mcs", SLOW)
    ended = time.monotonic()
    done.set()
    ticker.join()
    during = [tick for tick in ticks if started < tick < ended]
    assert len(during) >= (ended - started) / 0.5


def test_calls_on_many_threads_agree():
    expected = call_tool("find_mcs", {"query_smiles": PHENOL, "target_smiles": "Nc1ccccc1"})
    results = []

    def work():
        for _ in range(20):
            results.append(
                call_tool("find_mcs", {"query_smiles": PHENOL, "target_smiles": "Nc1ccccc1"})
            )

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 160
    assert all(without_times(result) == without_times(expected) for result in results)


INTERRUPTED = """
import signal, sys, threading, time
from synthon.tool_definitions import call_tool
arguments = {arguments}
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
started = time.monotonic()
try:
    call_tool("find_mcs", arguments)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - started)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_stops_a_call():
    program = INTERRUPTED.format(arguments={**SLOW, "timeout_ms": 20000})
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    word, seconds = run.stdout.split()
    assert word == "interrupted" and float(seconds) < 5


def test_a_whole_call_has_a_deadline():
    started = time.monotonic()
    call_tool("find_mcs", {**SLOW, "timeout_ms": 30000}, timeout=0.2)
    assert time.monotonic() - started < 0.2 + 5
    with pytest.raises(ValueError, match="timeout is in seconds"):
        call_tool("find_mcs", SLOW, timeout=-1)


def test_the_version_is_one():
    assert synthon.__version__ == call_tool("standardise_molecule", {"smiles": "C"})["engine_version"]

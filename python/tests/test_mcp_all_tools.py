"""The official Python MCP client lists and calls every tool, over both doors, in every era."""

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from mcp.client import Client

CALLS = json.loads(
    (Path(__file__).parents[2] / "testdata" / "mcp" / "calls.json").read_text(encoding="utf-8")
)
MODES = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
PLANNING = [
    "find_routes",
    "validate_route",
    "explain_route",
    "find_pareto_routes",
    "plan_with_constraints",
    "estimate_diversity",
    "diagnose_failure",
]


@pytest.fixture(scope="module")
def address():
    """A server over HTTP, at a free port."""
    server = subprocess.Popen(
        [os.environ["SYNTHON_BIN"], "mcp", "--http", "127.0.0.1:0"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found, "the server says where it listens"
        yield found.group()
    finally:
        server.terminate()
        assert server.wait(timeout=10) == 0


def stdio():
    return StdioServerParameters(command=os.environ["SYNTHON_BIN"], args=["mcp"])


async def call_all(server, mode):
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        listed = (await client.list_tools()).tools
        results = {}
        for name, arguments in CALLS.items():
            # The client validates the result against the declared output schema.
            results[name] = await client.call_tool(name, arguments)
        return client.protocol_version, listed, results


def check(version, listed, results, mode):
    assert version == MODES[mode]
    assert [tool.name for tool in listed] == list(CALLS)
    for name, result in results.items():
        assert not result.is_error, (name, result.content)
        assert result.structured_content["engine_version"], name
        assert result.content[0].text, name


@pytest.mark.parametrize("mode", MODES)
def test_over_standard_input_and_output(mode):
    check(*asyncio.run(call_all(stdio(), mode)), mode)


@pytest.mark.parametrize("mode", MODES)
def test_over_http(mode, address):
    check(*asyncio.run(call_all(address, mode)), mode)


def converse(lines):
    """Speaks the wire by hand, as a client of 2024 did."""
    run = subprocess.run(
        [os.environ["SYNTHON_BIN"], "mcp"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def test_a_client_of_the_reference_server_finds_its_seven_tools():
    """Revision 2024-11-05: the same planning tools with the same argument names, and answers."""
    handshake = {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "clientInfo": {"name": "legacy-client", "version": "1.0"},
    }
    smiles = "CC(=O)Nc1ccc(O)cc1"
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    for number, name in enumerate(PLANNING):
        call = {"name": name, "arguments": {"smiles": smiles, "depth": 3}}
        lines.append({"jsonrpc": "2.0", "id": 10 + number, "method": "tools/call", "params": call})
    answers = converse(lines)
    assert answers[1]["result"]["protocolVersion"] == "2024-11-05"
    assert answers[1]["result"]["capabilities"] == {"tools": {}}
    tools = {tool["name"]: tool for tool in answers[2]["result"]["tools"]}
    assert [name for name in tools if name in PLANNING] == PLANNING
    for name in PLANNING:
        assert {"name", "description", "inputSchema"} == tools[name].keys()
        schema = tools[name]["inputSchema"]
        assert schema["required"] == ["smiles"] and "depth" in schema["properties"]
        assert "$schema" not in schema and "additionalProperties" not in schema
    routes = tools["find_routes"]["inputSchema"]["properties"]
    assert {"max_routes", "search_mode", "coverage_templates", "candidate_trace_limit"} <= set(routes)
    constrained = tools["plan_with_constraints"]["inputSchema"]["properties"]
    assert {
        "avoid_elements", "require_elements", "avoid_building_blocks", "require_building_blocks",
        "max_steps", "max_route_cost", "min_confidence", "min_success_probability",
        "avoid_reaction_families", "require_reaction_families", "prefer_reaction_families",
    } <= set(constrained)  # fmt: skip
    for number in range(len(PLANNING)):
        result = answers[10 + number]["result"]
        assert result.keys() == {"content"}
        assert smiles in result["content"][0]["text"] or result["content"][0]["text"]

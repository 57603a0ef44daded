"""The official Python MCP client against our server, in each way that it can connect."""

import asyncio
import os

import pytest
from mcp import MCPError, StdioServerParameters
from mcp.client import Client

PARACETAMOL = "CC(=O)Nc1ccc(O)cc1"
MODES = ["auto", "legacy", "2026-07-28"]


def connected(mode, use, *settings):
    """Starts a server, connects in `mode`, and runs `use` with the client."""

    async def session():
        server = StdioServerParameters(
            command=os.environ["SYNTHON_BIN"], args=["mcp", *settings]
        )
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await use(client)

    return asyncio.run(session())


def test_discover_is_answered():
    """The client probes with server/discover first, and stays in the modern era."""

    async def use(client):
        return client.protocol_version, client.server_info, client.instructions

    version, info, instructions = connected("auto", use)
    assert version == "2026-07-28"
    assert info.name == "synthon" and info.version
    assert "complete" in instructions


def test_an_older_client_gets_its_revision():
    async def use(client):
        return client.protocol_version

    assert connected("legacy", use) == "2025-11-25"


@pytest.mark.parametrize("mode", MODES)
def test_tools_are_listed(mode):
    async def use(client):
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in connected(mode, use)}
    assert {"find_routes", "standardise_molecule"} <= tools.keys()
    for tool in tools.values():
        assert tool.title and tool.description
        assert tool.annotations.read_only_hint and not tool.annotations.open_world_hint
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("mode", MODES)
def test_routes_are_found(mode):
    async def use(client):
        # The client checks the result against the declared output schema.
        await client.list_tools()
        return await client.call_tool("find_routes", {"smiles": PARACETAMOL})

    reply = connected(mode, use)
    assert not reply.is_error
    found = reply.structured_content
    assert found["target"] == PARACETAMOL
    assert found["routes_found"] == len(found["routes"]) > 0
    for route in found["routes"]:
        assert route["tier"] >= 0
        assert all(leaf["in_stock"] == "yes" for leaf in route["leaves"])
        assert route["steps"][0]["target"] == PARACETAMOL
        for step in route["steps"]:
            assert step["balanced"] and step["forward_check"]["reproduces_target"]
    assert PARACETAMOL in reply.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_a_molecule_is_standardised(mode):
    async def use(client):
        return await client.call_tool("standardise_molecule", {"smiles": "Oc1ccc(NC(C)=O)cc1"})

    reply = connected(mode, use)
    assert reply.structured_content["smiles"] == PARACETAMOL


@pytest.mark.parametrize("mode", MODES)
def test_a_bad_smiles_is_a_result_that_says_why(mode):
    async def use(client):
        return await client.call_tool("find_routes", {"smiles": "C1CC"})

    reply = connected(mode, use)
    assert reply.is_error and reply.structured_content is None
    assert reply.content[0].text.startswith("Unclosed ring(s): 1 at position 1")


def test_bad_arguments_are_refused_as_each_era_wants_it():
    async def use(client):
        try:
            return await client.call_tool("find_routes", {"smiles": "CCO", "timeout": 5})
        except MCPError as refused:
            return refused.error

    sentence = "Unknown tool argument: timeout; did you mean timeout_secs?"
    legacy, modern = connected("legacy", use), connected("auto", use)
    assert legacy.is_error
    assert legacy.content[0].text == f"{sentence} [argument.unknown]"
    assert (modern.code, modern.message) == (-32602, sentence)
    assert modern.data["argument"] == "timeout"


def test_a_server_offers_the_tools_and_stocks_of_its_settings(tmp_path):
    stock = tmp_path / "ours.smi"
    stock.write_text("CC(=O)O\nNc1ccc(O)cc1\n")

    async def use(client):
        tools = (await client.list_tools()).tools
        arguments = {"smiles": PARACETAMOL, "stock": "ours"}
        return client.instructions, tools, await client.call_tool("find_routes", arguments)

    settings = ["--tools", "planning", "--stock", f"ours={stock}"]
    instructions, tools, reply = connected("auto", use, *settings)
    assert "ours" in instructions
    assert "standardise_molecule" not in [tool.name for tool in tools]
    asked = tools[0].input_schema["properties"]["stock"]["description"]
    assert "ours" in asked
    assert reply.structured_content["proof"]["stock"] == "ours"
    assert reply.structured_content["routes_found"] > 0

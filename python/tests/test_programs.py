"""The programs inside the package."""

import asyncio
import json
import pathlib
import subprocess
import sys

import pytest
from mcp import StdioServerParameters
from mcp.client import Client

BIN = pathlib.Path(sys.executable).parent
COMMANDS = {
    "module": [sys.executable, "-m", "synthon"],
    "script": [str(BIN / "synthon")],
}
SERVERS = {
    "module": (sys.executable, ["-m", "synthon.mcp_server"]),
    "script": (str(BIN / "synthon-mcp"), []),
}


@pytest.mark.parametrize("how", COMMANDS)
def test_the_command_line_runs(how):
    def synthon(*arguments):
        command = [*COMMANDS[how], *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    run = synthon("standardise", "OCC")
    assert (run.returncode, run.stdout, run.stderr) == (0, "CCO\n", "")
    run = synthon("routes", "C1CC")
    assert run.returncode == 2 and run.stderr.startswith("error: Unclosed ring(s): 1")
    assert synthon("routes", "CC(=O)Nc1ccc(O)cc1").stdout.count("in stock") > 1
    assert synthon("nope").returncode == 2
    assert synthon("--help").stdout.startswith(synthon("-h").stdout[:10])


@pytest.mark.parametrize("how", SERVERS)
def test_the_server_answers_a_client(how):
    command, arguments = SERVERS[how]

    async def session():
        parameters = StdioServerParameters(command=command, args=arguments)
        async with Client(parameters, read_timeout_seconds=60) as client:
            await client.list_tools()
            return await client.call_tool("standardise_molecule", {"smiles": "OCC"})

    assert asyncio.run(session()).structured_content["smiles"] == "CCO"


@pytest.mark.parametrize("how", COMMANDS)
def test_the_entry_for_a_client_starts_the_server(how):
    """The file that runs is the interpreter's, maybe of another environment than this one."""
    install = [*COMMANDS[how], "mcp", "install", "--client", "cursor", "--print"]
    printed = subprocess.run(install, capture_output=True, text=True, timeout=60, check=True).stdout
    entry = json.loads(printed[: printed.index("belongs in")])["mcpServers"]["synthon"]
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}}
    run = subprocess.run(
        [entry["command"], *entry["args"]],
        input=json.dumps(asked) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert json.loads(run.stdout)["result"]["serverInfo"]["name"] == "synthon"

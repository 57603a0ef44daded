"""The programs inside the package."""

import asyncio
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

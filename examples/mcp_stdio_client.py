"""A client of the Model Context Protocol over standard input and output.

Starts the server with this interpreter, lists its tools and calls one. Needs the official SDK:
``pip install synthon mcp``.
"""

import asyncio
import sys

from mcp import StdioServerParameters
from mcp.client import Client


async def session() -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "synthon.mcp_server"])
    async with Client(server) as client:
        listed = await client.list_tools()
        server_info = client.server_info
        assert server_info is not None
        print("server:", server_info.name, server_info.version)
        print("tools:", ", ".join(tool.name for tool in listed.tools))

        called = await client.call_tool(
            "find_mcs", {"query_smiles": "c1ccccc1O", "target_smiles": "c1ccccc1N"}
        )
        result = called.structured_content
        assert result is not None and not called.is_error
        print("find_mcs:", result["claim"])

        # A refusal is an answer too: the model reads it and corrects the call.
        refused = await client.call_tool("standardise_molecule", {"smiles": "C1CC"})
        assert refused.is_error
        for block in refused.content:
            if block.type == "text":
                print("refused:", block.text)


if __name__ == "__main__":
    asyncio.run(session())

"""The MCP server, and each tool as a function with keyword arguments.

``python -m synthon.mcp_server`` and ``synthon-mcp`` start the server on standard input and
output. Importing this module starts nothing.

    >>> from synthon.mcp_server import find_substructure
    >>> find_substructure(query="[OX2H]c", target_smiles="Oc1ccccc1")["found"]
    True
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from synthon import _native
from synthon._programs import run
from synthon.tool_definitions import TOOL_REGISTRY, Tool, call_tool

__all__ = [*TOOL_REGISTRY, "main"]

_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list[str]",
    "object": "dict[str, Any]",
}


def main() -> int:
    """Runs the server with the arguments of this process; returns its exit status."""
    return run("synthon-mcp", _native.run_synthon_mcp, sys.argv[1:])


def _signature(tool: Tool) -> inspect.Signature:
    parameters = []
    for name, schema in tool.input_schema["properties"].items():
        kind = _TYPES[schema["type"]]
        default = inspect.Parameter.empty
        if name not in tool.input_schema["required"]:
            default = schema.get("default")
            kind = kind if default is not None else f"{kind} | None"
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind
            )
        )
    # A parameter without a default may not follow one with a default.
    parameters.sort(key=lambda parameter: parameter.default is not inspect.Parameter.empty)
    return inspect.Signature(parameters, return_annotation="dict[str, Any]")


def _function(tool: Tool) -> Callable[..., dict[str, Any]]:
    signature = _signature(tool)

    def function(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        given = {name: value for name, value in bound.arguments.items() if value is not None}
        return call_tool(tool.name, given)

    function.__name__ = function.__qualname__ = tool.name
    function.__signature__ = signature  # type: ignore[attr-defined]
    lines = [tool.description, "", "Arguments:"]
    lines += [f"    {name}: {about}" for name, about in tool.arguments.items()]
    lines += ["", "Raises `SynthonError`, as `synthon.tool_definitions.call_tool` does."]
    function.__doc__ = "\n".join(lines)
    return function


globals().update({name: _function(tool) for name, tool in TOOL_REGISTRY.items()})

if __name__ == "__main__":
    sys.exit(main())

"""The tools: what there is, their definitions for model APIs, and the one way to run them.

Nothing here talks to a model or a network.

    >>> from synthon.tool_definitions import call_tool
    >>> call_tool("standardise_molecule", {"smiles": "OCC"})["smiles"]
    'CCO'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from synthon import _native
from synthon.errors import SynthonError

__all__ = ["TOOL_REGISTRY", "Tool", "call_tool", "get_tool_definitions"]


@dataclass(frozen=True)
class Tool:
    """One tool: what it is called, what it takes and what it gives."""

    name: str
    """Its name, for `call_tool`."""
    title: str
    """A short title for people."""
    description: str
    """When to use it, what it cannot tell, what its limits are."""
    toolset: str
    """``molecules`` or ``planning``."""
    input_schema: dict[str, Any]
    """JSON Schema of the arguments object."""
    output_schema: dict[str, Any]
    """JSON Schema of the result."""
    arguments: dict[str, str]
    """What each argument means."""

    def __call__(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Runs the tool, as `call_tool` does."""
        return call_tool(self.name, arguments)


TOOL_REGISTRY: Mapping[str, Tool] = MappingProxyType(
    {tool["name"]: Tool(**tool) for tool in _native.tools()}
)
"""All tools by name, the molecular ones first."""


def call_tool(
    name: str, arguments: Mapping[str, Any], *, timeout: float | None = None
) -> dict[str, Any]:
    """Runs a tool and returns its result, the same object that the MCP server sends.

    `arguments` holds JSON values; they are checked against the tool's schema before anything
    runs. `timeout` bounds the whole call, in seconds (55 unless given); bounds of a search are
    arguments of the tool. Other threads run meanwhile, and Ctrl-C stops the call.

    Raises `SynthonError`, a `ValueError`, for an unknown tool, for arguments that are missing,
    unknown, of the wrong type or out of range, and for a text that does not parse.
    """
    return _native.call_tool(name, arguments, timeout)


def get_tool_definitions(
    provider: Literal["mcp", "input-schema", "function", "chat-function"] = "mcp",
    *,
    toolset: str | Iterable[str] | None = None,
) -> list[dict[str, Any]]:
    """The tools as dictionaries in the shape that a model API takes.

    `provider` is ``mcp`` (``inputSchema``), ``input-schema`` (``input_schema``), ``function``
    (flat) or ``chat-function`` (nested under ``function``). `toolset` chooses: ``molecules``,
    ``planning``, or names of tools; all tools otherwise. The order is that of `TOOL_REGISTRY`,
    and the list is the caller's own.

    Raises `SynthonError` for another provider, toolset or tool.
    """
    definitions = _native.tool_definitions(provider)
    chosen = _chosen(toolset)
    return [tool for tool, name in zip(definitions, TOOL_REGISTRY) if name in chosen]


def _chosen(toolset: str | Iterable[str] | None) -> set[str]:
    if toolset is None or toolset == "all":
        return set(TOOL_REGISTRY)
    wanted = [toolset] if isinstance(toolset, str) else list(toolset)
    sets = sorted({tool.toolset for tool in TOOL_REGISTRY.values()})
    chosen: set[str] = set()
    for name in wanted:
        if name in TOOL_REGISTRY:
            chosen.add(name)
        elif name in sets:
            chosen.update(tool.name for tool in TOOL_REGISTRY.values() if tool.toolset == name)
        else:
            hint = f"one of all, {', '.join(sets)}, or names of tools"
            raise SynthonError(f"Unknown toolset: {name}", "toolset.unknown", "toolset", None, hint)
    return chosen

"""The tools inside agent frameworks and model loops.

`tool_answer` runs a call that a model asked for and turns a refusal into an answer that the model
can act on. `langchain_tools` and `llamaindex_tools` wrap the same calls; they need the extras
``synthon[langchain]`` and ``synthon[llamaindex]``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

from synthon.errors import SynthonError
from synthon.tool_definitions import TOOL_REGISTRY, Tool, call_tool, get_tool_definitions

__all__ = ["langchain_tools", "llamaindex_tools", "tool_answer"]


def tool_answer(name: str, arguments: str | Mapping[str, Any]) -> dict[str, Any]:
    """The result of a call, or what was wrong with it: ``error``, a sentence, and beside it
    ``code``, ``argument``, ``position`` and ``hint`` where there are such.

    `arguments` is an object or its JSON text, as model APIs give it. Never raises for what a
    model can get wrong.
    """
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError as error:
            return {"error": f"Not JSON: {error}", "code": "json.syntax"}
    try:
        return call_tool(name, cast("Mapping[str, Any]", arguments))
    except SynthonError as error:
        told = {
            "error": str(error),
            "code": error.code,
            "argument": error.argument,
            "position": error.position,
            "hint": error.hint,
        }
        return {key: value for key, value in told.items() if value is not None}


def _tools(toolset: str | Iterable[str] | None) -> list[Tool]:
    return [TOOL_REGISTRY[tool["name"]] for tool in get_tool_definitions(toolset=toolset)]


def _function(tool: Tool, on_error: str) -> Callable[..., dict[str, Any]]:
    def function(**arguments: Any) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        if on_error == "raise":
            return call_tool(tool.name, given)
        return tool_answer(tool.name, given)

    function.__name__ = tool.name
    function.__doc__ = tool.description
    return function


def langchain_tools(
    toolset: str | Iterable[str] | None = None, *, on_error: Literal["answer", "raise"] = "answer"
) -> list[Any]:
    """The tools as LangChain ``StructuredTool``, chosen as by `get_tool_definitions`.

    A refused call is answered as by `tool_answer`, or raised. Raises `ImportError` without
    ``langchain-core``.
    """
    try:
        from langchain_core.tools import StructuredTool
    except ImportError as error:
        raise ImportError("LangChain tools need synthon[langchain]") from error
    return [
        StructuredTool(
            name=tool.name,
            description=tool.description,
            args_schema={**tool.input_schema, "title": tool.name},
            func=_function(tool, on_error),
        )
        for tool in _tools(toolset)
    ]


def llamaindex_tools(
    toolset: str | Iterable[str] | None = None, *, on_error: Literal["answer", "raise"] = "answer"
) -> list[Any]:
    """The tools as LlamaIndex ``FunctionTool``, chosen as by `get_tool_definitions`.

    A refused call is answered as by `tool_answer`, or raised. Raises `ImportError` without
    ``llama-index-core``.
    """
    try:
        from llama_index.core.tools import FunctionTool
    except ImportError as error:
        raise ImportError("LlamaIndex tools need synthon[llamaindex]") from error
    return [
        FunctionTool.from_defaults(
            fn=_function(tool, on_error),
            name=tool.name,
            description=tool.description,
            fn_schema=_model(tool),
        )
        for tool in _tools(toolset)
    ]


_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "object": dict[str, Any],
}


def _model(tool: Tool) -> Any:
    """The arguments of a tool as a pydantic model with the bounds of its schema."""
    from pydantic import ConfigDict, Field, create_model

    fields: dict[str, Any] = {}
    for name, schema in tool.input_schema["properties"].items():
        kind: Any = _TYPES.get(schema["type"], list[str])
        if "enum" in schema:
            kind = Literal[tuple(schema["enum"])]
        default: Any = ...
        if name not in tool.input_schema["required"]:
            default = schema.get("default")
            kind = kind if default is not None else kind | None
        about = tool.arguments[name]
        bounds = {"ge": schema.get("minimum"), "le": schema.get("maximum")}
        fields[name] = (kind, Field(default, description=about, **bounds))
    config = ConfigDict(extra="forbid")
    return create_model(f"{tool.name}_arguments", __config__=config, **fields)

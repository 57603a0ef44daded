"""Writes synthon/mcp_server.pyi, the types of the tool functions, from the registry.

Run it with an interpreter that has the built package, after a change of a tool's arguments.
"""

import pathlib

from synthon import mcp_server
from synthon.tool_definitions import TOOL_REGISTRY

TARGET = pathlib.Path(__file__).parents[1] / "synthon" / "mcp_server.pyi"


def text():
    lines = ['"""Types of the tool functions; written by python/tests/tool_stubs.py."""', ""]
    lines += ["from typing import Any, Literal", "", "def main() -> int: ..."]
    for name, tool in TOOL_REGISTRY.items():
        lines.append(f"def {name}(")
        for parameter in mcp_server.__dict__[name].__signature__.parameters.values():
            schema = tool.input_schema["properties"][parameter.name]
            kind = parameter.annotation
            if "enum" in schema:
                kind = f"Literal[{', '.join(f'{value!r}' for value in schema['enum'])}]"
                kind = kind.replace("'", '"')
            default = ""
            if parameter.default is not parameter.empty:
                default = f" = {parameter.default!r}".replace("'", '"')
            lines.append(f"    {parameter.name}: {kind}{default},")
        lines.append(") -> dict[str, Any]: ...")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")

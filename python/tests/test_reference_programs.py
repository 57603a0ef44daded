"""The example programs of the tools' reference document, run against our tools.

The document is read when the tests run, and no line of it is kept here. Its programs import the
package of the product that it describes: ours is imported instead, or a module that puts every
call to `synthon call`. A program passes when it ends without an error, its assertions included,
and has printed what the document says that it prints.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import types

import pytest
import synthon.tool_definitions

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("SYNTHON_SHARED") or ROOT / ".." / "shared")
TITLE = "Chemistry tools for AI assistants"
ENDS = "The program prints:"
MOLECULES = (
    "find_mcs find_substructure search_smarts molecular_fingerprint molecular_similarity "
    "screen_molecules standardise_molecule depict_mcs"
).split()

# Where we differ on purpose, the document's text and ours: a parse error goes on with the place
# and the repair, our fingerprints are bit for bit those of RDKit, our canonical text is like
# RDKit's, and the engine has another name.
DECIDED = [
    (
        "refused: Unclosed ring(s): 1",
        "refused: Unclosed ring(s): 1 at position 1 of query_smiles; write 1 again at the atom that closes the ring",
    ),
    ("[4, 5, 6, 27, 40, 62]", "[16, 25, 30, 39, 45]"),
    (
        "[[4, 2], [5, 2], [6, 2], [27, 2], [40, 2], [62, 2]]",
        "[[16, 2], [25, 2], [30, 2], [39, 2], [45, 1]]",
    ),
    ("tanimoto: 0.346", "tanimoto: 0.368"),
    ("dice: 0.514", "dice: 0.538"),
    ("cosine: 0.525", "cosine: 0.545"),
    ("total hits: 3 of 6", "total hits: 4 of 6"),
    ("[(1, 0.346)]", "[(2, 0.375), (1, 0.368)]"),
    ("C(c1ccccc1)([O-])=O.[Na+] | backend: smsd", "O=C([O-])c1ccccc1.[Na+] | backend: synthon"),
]


def document():
    """The text of the reference document, or None where it need not be there."""
    for path in sorted((SHARED / "spec").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        if text.startswith(TITLE):
            return text
    if os.environ.get("CI") in ("true", "1"):
        raise FileNotFoundError(f"no reference document in {SHARED / 'spec'}")
    return None


def programs(text):
    """Each program of the document and what it prints."""
    lines = text.split("\n")
    found = []
    for end in (i for i, line in enumerate(lines) if line == ENDS):
        start = max(i for i in range(end) if lines[i].startswith("from smsd.tool_definitions"))
        if lines[start - 2 : start] == ["import json", ""]:
            start -= 2
        printed = end + 2
        while lines[printed].strip():
            printed += 1
        found.append(("\n".join(lines[start:end]), "\n".join(lines[end + 2 : printed]) + "\n"))
    return found


def decided(text):
    for theirs, ours in DECIDED:
        text = text.replace(theirs, ours)
    return text


class Package:
    """Our package with the molecular tools alone, which are all that the programs know of."""

    call = staticmethod(synthon.tool_definitions.call_tool)

    def definitions(self, provider="mcp"):
        return synthon.tool_definitions.get_tool_definitions(provider, toolset="molecules")

    def registry(self):
        tools = synthon.tool_definitions.TOOL_REGISTRY
        return {name: tool for name, tool in tools.items() if tool.toolset == "molecules"}

    def close(self):
        pass


class CommandLine:
    """The registry of the command line behind the names that the programs use."""

    def __init__(self):
        self.processes = {}

    def definitions(self, provider="mcp"):
        run = subprocess.run(
            [os.environ["SYNTHON_BIN"], "tools", "--shape", provider],
            capture_output=True,
            text=True,
            check=True,
        )
        tools = json.loads(run.stdout)
        return [tool for tool in tools if tool.get("function", tool)["name"] in MOLECULES]

    def registry(self):
        return {
            tool["name"]: types.SimpleNamespace(**tool) for tool in self.definitions("input-schema")
        }

    def call(self, name, arguments):
        process = self.processes.get(name)
        if process is None:
            process = self.processes[name] = subprocess.Popen(
                [os.environ["SYNTHON_BIN"], "call", name, "--jsonl"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        process.stdin.write(json.dumps(arguments) + "\n")
        process.stdin.flush()
        result = json.loads(process.stdout.readline())
        if "error" in result:
            raise ValueError(result["error"])
        return result

    def close(self):
        for process in self.processes.values():
            process.stdin.close()
            process.wait(timeout=10)
            process.stdout.close()


@pytest.fixture(params=[Package, CommandLine])
def tools(monkeypatch, request):
    tools = request.param()
    module = types.ModuleType("smsd.tool_definitions")
    module.call_tool = tools.call
    module.get_tool_definitions = tools.definitions
    module.TOOL_REGISTRY = tools.registry()
    package = types.ModuleType("smsd")
    package.tool_definitions = module
    monkeypatch.setitem(sys.modules, "smsd", package)
    monkeypatch.setitem(sys.modules, "smsd.tool_definitions", module)
    yield tools
    tools.close()


# Programs by what their first line of output starts with, so that a change of the document shows.
TITLES = ["find_mcs:", "stopped:", "bits:", "smiles:", "mcp:", "call_1"]


def test_the_document_has_the_programs_that_are_run():
    text = document()
    if text is None:
        pytest.skip(f"no reference document in {SHARED / 'spec'} (set SYNTHON_SHARED)")
    firsts = [printed.split(" ")[0] for _, printed in programs(text)]
    assert firsts == TITLES


@pytest.mark.parametrize("title", TITLES)
def test_a_program_prints_what_the_document_shows(title, tools):
    text = document()
    if text is None:
        pytest.skip(f"no reference document in {SHARED / 'spec'} (set SYNTHON_SHARED)")
    program, printed = next(p for p in programs(text) if p[1].startswith(title))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(decided(program), title, "exec"), {"__name__": "__main__"})
    assert out.getvalue() == decided(printed)

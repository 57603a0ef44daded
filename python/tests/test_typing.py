"""The types that the package declares are those that it has."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import synthon
import tool_stubs

pytest.importorskip("mypy")


def run(*arguments, cwd):
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cwd.parent / "mypy")}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )


# Python iterates over sequences without it; type checkers do not. What modules written in Python
# keep for themselves is its own declaration, which the other checks read.
NOT_THERE = r"""
synthon._native.(Corpus|Hits|Matches).__iter__
synthon\.(planning|ray|tables)\._[A-Za-z]\w*
"""


def test_stubs_say_what_is_there(tmp_path):
    (tmp_path / "allowed").write_text(NOT_THERE)
    (tmp_path / "mypy.ini").write_text("[mypy]\ndisable_error_code = import-untyped, import-not-found\n")
    options = ["--ignore-missing-stub", "--allowlist", "allowed", "--mypy-config-file", "mypy.ini"]
    done = run("mypy.stubtest", "synthon", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


# Of what is optional not everything has types or is installed.
STRICT = ["mypy", "--strict"]
STRICT += ["--disable-error-code=import-untyped", "--disable-error-code=import-not-found"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def test_the_package_is_strict(tmp_path):
    done = run(*STRICT, "-p", "synthon", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_examples_are_strict(tmp_path):
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, tmp_path)
    files = sorted(path.name for path in tmp_path.glob("*.py"))
    done = run(*STRICT, *files, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_checker_agrees(tmp_path):
    """Pyright, on the types of the package and on the examples."""
    pytest.importorskip("pyright")
    package = pathlib.Path(synthon.__file__).parent
    for path in (*EXAMPLES.glob("*.py"), *package.glob("*.py*")):
        folder = tmp_path if path.parent == EXAMPLES else tmp_path / "synthon"
        folder.mkdir(exist_ok=True)
        shutil.copy(path, folder)
    settings = {"reportMissingModuleSource": "none", "reportMissingImports": "none"}
    settings |= {"typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run("pyright", "--pythonpath", sys.executable, cwd=tmp_path)
    if "getaddrinfo" in done.stdout + done.stderr and not os.environ.get("CI"):
        pytest.skip("pyright itself cannot be fetched here")
    assert done.returncode == 0, done.stdout + done.stderr


USE = '''
from typing_extensions import assert_type

import numpy as np
import numpy.typing as npt
import synthon
from synthon import batch
from synthon.mcp_server import find_mcs
from synthon.tool_definitions import TOOL_REGISTRY, call_tool, get_tool_definitions

molecule = synthon.Molecule("CCO")
assert_type(molecule.smiles, str)
assert_type(synthon.Pattern("O").find(molecule), tuple[int, ...] | None)
assert_type(synthon.mcs(molecule, "CC").atoms, list[tuple[int, int]])
assert_type([hit.score for hit in synthon.Corpus("x").similar("C")], list[float | None])
assert_type(synthon.fingerprints(["C"]).valid, npt.NDArray[np.bool_])
assert_type(batch.canonical_smiles(["C"]), list[str | None])
for route in synthon.Planner(stock=["C"]).plan(molecule):
    assert_type(route.building_blocks, list[str])
find_mcs("C", target_smiles="CC", objective="mces")
call_tool(next(iter(TOOL_REGISTRY)), {})
get_tool_definitions("chat-function", toolset="molecules")
'''
MISUSE = {
    "synthon.Molecule(7)": "arg-type",
    "synthon.Fingerprint('C', 'ecpf')": "arg-type",
    "molecule.smiles = 'C'": "misc",
    "find_mcs('C')": "call-arg",
    "find_mcs('C', 'C', objective='x')": "arg-type",
    "get_tool_definitions('x')": "arg-type",
}


def test_a_program_is_checked(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text(USE + "\n".join(MISUSE) + "\n")
    done = run("mypy", "--strict", "use.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("mypy", "--strict", "misuse.py", cwd=tmp_path)
    first = len(USE.splitlines()) + 1
    for line, code in enumerate(MISUSE.values(), first):
        told = [text for text in done.stdout.splitlines() if text.startswith(f"misuse.py:{line}:")]
        assert told and f"[{code}]" in told[0], done.stdout


def test_the_types_of_tools_are_written_anew():
    written = tool_stubs.TARGET.read_text(encoding="utf-8")
    assert written == tool_stubs.text(), "run python/tests/tool_stubs.py"

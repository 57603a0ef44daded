"""The server in a sandbox that has nothing: no network, no files but its own, little memory."""

import json
import os
import shutil
import subprocess

import pytest

MEMORY_KB = 4_000_000


def sandbox():
    if shutil.which("bwrap") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("bwrap is needed; Debian's package is bubblewrap")
        pytest.skip("there is no bwrap")
    program = os.path.realpath(os.environ["SYNTHON_BIN"])
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
    words += ["--cap-drop", "ALL", "--clearenv", "--ro-bind", "/usr", "/usr"]
    for folder in ("lib", "lib64", "bin"):
        if os.path.islink(f"/{folder}"):
            words += ["--symlink", f"usr/{folder}", f"/{folder}"]
        elif os.path.isdir(f"/{folder}"):
            words += ["--ro-bind", f"/{folder}", f"/{folder}"]
    words += ["--ro-bind", program, "/synthon"]
    works = subprocess.run([*words, "/usr/bin/true"], capture_output=True, check=False)
    if works.returncode != 0:
        if os.environ.get("CI") == "true":
            pytest.fail(works.stderr.decode())
        pytest.skip("this machine lets nobody unshare namespaces")
    return words


def test_a_route_is_planned_with_nothing_around():
    words = ["sh", "-c", f'ulimit -v {MEMORY_KB}; exec "$@"', "sh"]
    words += [*sandbox(), "/synthon", "mcp"]
    handshake = {"protocolVersion": "2025-11-25", "capabilities": {}}
    call = {"name": "find_routes", "arguments": {"smiles": "CC(=O)Nc1ccc(O)cc1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    run = subprocess.run(
        words,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["routes_found"] > 0

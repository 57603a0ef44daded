"""The programs of examples/ run, and say what they should."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import notebooks
import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples"


def run(name, *arguments, cwd=None):
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONWARNINGS": "error::UserWarning:__main__"},
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_each_example_is_listed_and_tested():
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    tests = pathlib.Path(__file__).parent.glob("test_*.py")
    tested = "".join(path.read_text(encoding="utf-8") for path in tests) + notebooks.TARGET.name
    for path in FOLDER.iterdir():
        if path.suffix in (".py", ".ipynb"):
            assert f"]({path.name})" in listed and path.name in tested, path.name


def test_mcp_stdio_client():
    server, tools, found, refused = run("mcp_stdio_client.py")
    assert server.startswith("server: synthon ")
    assert tools.startswith("tools: find_mcs, ") and tools.count(",") == 16
    assert found.startswith("find_mcs: ")
    assert refused.startswith("refused: Unclosed ring(s): 1") and "[smiles.unclosed_ring]" in refused


def test_agent_workflow(tmp_path):
    lines = run("agent_workflow.py", tmp_path)
    assert lines[0] == "3 of 6 molecules score 0.4 or more"
    assert sum("proved largest" in line for line in lines) == 3
    assert any(line.startswith("  step 1: ") for line in lines)
    assert lines[-1].startswith("validated: pass, tier ")
    for name in ("best_pair.svg", "best_route.svg"):
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")


def test_model_loops():
    lines = run("model_loops.py")
    assert [line.split(":")[0] for line in lines] == ["chat-function", "function", "input-schema", "answer"]
    assert all("3 requests" in line for line in lines[:3])


def test_batch_planning_goes_on_where_it_was_stopped(tmp_path):
    output = tmp_path / "routes.jsonl"
    targets = FOLDER / "data" / "targets.smi"
    assert run("batch_planning.py", targets, output) == ["0 targets were done before, 4 now"]
    whole = output.read_text(encoding="utf-8")
    results = [json.loads(line) for line in whole.splitlines()]
    assert [result["name"] for result in results] == ["paracetamol", "aspirin", "benzocaine", "unclosed"]
    assert results[0]["routes"] >= 1 and results[3]["code"] == "smiles.unclosed_ring"
    # A stop in the middle of the third line.
    lines = whole.splitlines(keepends=True)
    output.write_text("".join(lines[:2]) + lines[2][:20], encoding="utf-8")
    assert run("batch_planning.py", targets, output) == ["2 targets were done before, 2 now"]
    assert output.read_text(encoding="utf-8") == whole


def test_own_stock_and_prices():
    lines = run("own_stock_and_prices.py")
    priced = [line for line in lines if "(stock_prices)" in line]
    assert len(priced) >= 2 and any("salicylic" not in line for line in priced)
    costs = [float(line.split()[0]) for line in priced]
    assert all(cost > 0.5 for cost in costs)
    assert lines[-1].split(": ")[1].split(" + ") == ["CC(=O)Cl", "Nc1ccc(O)cc1"]


def test_own_templates():
    lines = run("own_templates.py")
    assert "House acetylation, flow" in lines[1] and "residence time" in lines[2]
    assert "House reduction of nitroarenes" in lines[3]
    assert lines[5].startswith("No route exists")
    assert lines[6].startswith("refused: ")


def test_tables():
    pytest.importorskip("pandas")
    lines = run("tables.py")
    assert "smiles.unclosed_ring" in "\n".join(lines)
    assert lines[-1] == "1 part for Spark"


def test_the_notebook_shows_what_its_cells_give():
    pytest.importorskip("numpy")
    saved = json.loads(notebooks.TARGET.read_text(encoding="utf-8"))
    again = notebooks.run(json.loads(json.dumps(saved)))

    def told(notebook):
        for cell in notebook["cells"]:
            for output in cell.get("outputs", []):
                yield output.get("text") or output["data"]["text/plain"]

    assert list(told(saved)) == list(told(again)), "run python/tests/notebooks.py"
    drawn = [o for c in again["cells"] for o in c.get("outputs", []) if "image/svg+xml" in o.get("data", {})]
    assert len(drawn) == 3


def module(name):
    """A file of examples/ as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded

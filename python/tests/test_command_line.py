"""The command line from outside: streams, exit statuses, and the same answers as elsewhere."""

import json
import os
import subprocess

import pytest

PARACETAMOL = "CC(=O)Nc1ccc(O)cc1"


def synthon(*arguments, stdin=None):
    return subprocess.run(
        [os.environ["SYNTHON_BIN"], *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )


def without_times(result):
    return {key: value for key, value in result.items() if key not in ("timings", "elapsed_ms")}


def test_routes_are_trees_of_at_most_80_columns():
    run = synthon("routes", PARACETAMOL)
    assert (run.returncode, run.stderr) == (0, "")
    assert "in stock" in run.stdout and PARACETAMOL in run.stdout
    assert max(len(line) for line in run.stdout.splitlines()) <= 80


def test_routes_as_json_are_the_result_of_the_call():
    shown = json.loads(synthon("routes", PARACETAMOL, "--json", "--max-routes", "2").stdout)
    called = json.loads(
        synthon("call", "find_routes", json.dumps({"smiles": PARACETAMOL, "max_routes": 2})).stdout
    )
    assert shown["routes"] == called["routes"] and shown["proof"] == called["proof"]


def test_a_smiles_comes_from_standard_input():
    run = synthon("standardise", "-", stdin="OCC\n\nC1CC\nCCO\n")
    assert run.stdout == "CCO\nCCO\n"
    assert run.returncode == 0
    assert "line 3: Unclosed ring(s): 1" in run.stderr
    assert synthon("standardise", "-", stdin="C1CC\n").returncode == 2


def test_a_file_of_molecules_is_standardised(tmp_path):
    table = tmp_path / "molecules.csv"
    table.write_text("SMILES,name\n[Na+].[O-]C(=O)C,acetate\nC1CC,bad\nOc1ccccn1,pyridone\n")
    options = ["--largest-fragment", "--neutralise", "--canonical-tautomer"]
    run = synthon("standardise", str(table), *options)
    assert run.stdout == "CC(=O)O acetate\nO=c1cccc[nH]1 pyridone\n"
    assert run.returncode == 0
    assert "line 3: Unclosed ring(s): 1" in run.stderr
    assert "1 of 3 records gave no molecule" in run.stderr


def test_errors_show_the_place():
    run = synthon("routes", "C1CC")
    assert (run.returncode, run.stdout) == (2, "")
    lines = run.stderr.splitlines()
    assert lines[0].startswith("error: Unclosed ring(s): 1")
    assert lines[1:3] == ["  C1CC", "   ^ position 1"]


def test_a_stream_of_calls_keeps_its_order():
    molecules = ["OCC", "C1CC", "not smiles", "c1ccccc1C"] * 50
    lines = [json.dumps({"smiles": smiles}) for smiles in molecules] + ["{", '{"smile": "C"}']
    for jobs in ("1", "4"):
        run = synthon(
            "call", "standardise_molecule", "--jsonl", "--jobs", jobs, stdin="\n".join(lines)
        )
        assert run.returncode == 0
        results = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(results) == len(lines)
        assert [r.get("smiles") for r in results[:4]] == ["CCO", None, None, "Cc1ccccc1"]
        assert [without_times(r) for r in results[:4]] == [without_times(r) for r in results[196:200]]
        assert results[1]["error"].startswith("Unclosed ring(s): 1")
        assert results[1]["code"] == "smiles.unclosed_ring" and results[1]["position"] == 1
        assert results[-1]["error"] == "Unknown tool argument"
        assert results[-1]["hint"] == "did you mean smiles?"


def test_definitions_have_the_shape_asked_for():
    for shape, key in [("mcp", "inputSchema"), ("input-schema", "input_schema")]:
        tools = json.loads(synthon("tools", "--shape", shape).stdout)
        assert [tool["name"] for tool in tools][-1] == "depict_route"
        assert all(tool[key]["additionalProperties"] is False for tool in tools)


def test_a_reader_that_goes_away_ends_it_quietly():
    run = subprocess.Popen(
        [os.environ["SYNTHON_BIN"], "tools"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait(timeout=10) == 0


def test_bad_usage_is_status_2():
    for arguments in (["routes"], ["routes", "CCO", "--depth", "x"], ["nope"], ["call", "nope"]):
        run = synthon(*arguments)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr
    out_of_range = synthon("routes", "CCO", "--depth", "21")
    assert out_of_range.returncode == 2
    assert "depth is outside its supported range: 21 (1 to 20)" in out_of_range.stderr


PACLITAXEL = (
    "CC1=C2[C@@]([C@]([C@H]([C@@H]3[C@]4([C@H](OC4)C[C@@H]([C@]3(C(=O)[C@@H]2OC(=O)C)C)O)OC(=O)C)"
    "OC(=O)c2ccccc2)(C[C@@H]1OC(=O)[C@H](O)[C@@H](NC(=O)c1ccccc1)c1ccccc1)O)(C)C"
)


def test_a_stop_before_any_answer_is_status_3():
    run = synthon("routes", PACLITAXEL, "--node-limit", "1")
    assert run.returncode == 3
    assert "No route was found before the node limit was reached" in " ".join(run.stdout.split())


def test_no_route_is_an_answer():
    assert synthon("routes", "[Xe]").returncode == 0
    assert synthon("routes", "[Xe]", "--exit-status").returncode == 1


def test_a_stock_comes_from_a_file(tmp_path):
    stock = tmp_path / "mine.smi"
    stock.write_text("CC(=O)O acetic acid\nNc1ccc(O)cc1\nbad(\n")
    run = synthon("routes", PARACETAMOL, "--stock", str(stock), "--library", "curated", "--json")
    assert run.returncode == 0
    assert "1 of 3 lines gave no molecule" in run.stderr and "line 3" in run.stderr
    found = json.loads(run.stdout)
    assert found["proof"]["stock"] == str(stock)
    blocks = {block for route in found["routes"] for block in route["building_blocks"]}
    assert blocks == {"CC(=O)O", "Nc1ccc(O)cc1"}
    refused = synthon("routes", PARACETAMOL, "--stock", str(tmp_path / "absent.smi"))
    assert refused.returncode == 2 and "neither a configured stock nor a file" in refused.stderr


def test_results_go_to_a_file_when_asked(tmp_path):
    target = tmp_path / "routes.json"
    run = synthon("routes", PARACETAMOL, "--json", "-o", str(target))
    assert (run.returncode, run.stdout) == (0, "")
    assert json.loads(target.read_text())["target"] == PARACETAMOL


def on_a_terminal(*arguments, **environment):
    """What a program prints on a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [os.environ["SYNTHON_BIN"], *arguments],
        stdout=theirs,
        env={**os.environ, "NO_COLOR": "", "TERM": "xterm", **environment},
    )
    assert run.wait(timeout=60) == 0
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    os.close(ours)
    return text.replace("\r\n", "\n")


def test_matched_atoms_are_coloured_on_a_terminal_only(tmp_path):
    search = ("substructure", "[OX2H]", "CCO")
    assert "CC\x1b[1;32mO\x1b[0m\n" in on_a_terminal(*search)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_a_terminal(*search, **plain)
    assert "\x1b" not in synthon(*search).stdout
    molecules = tmp_path / "some.smi"
    molecules.write_text("CCO ethanol\nCC ethane\n")
    assert on_a_terminal("smarts", "O", str(molecules)) == "CC\x1b[1;32mO\x1b[0m\tethanol\n"


def test_molecules_to_search_come_from_standard_input():
    run = synthon("smarts", "[OX2H]", "-", stdin="CCO ethanol\nCC ethane\nOC\n")
    assert (run.returncode, run.stdout, run.stderr) == (0, "CCO\tethanol\nOC\n", "")
    table = "name;smiles\nethanol;CCO\nethane;CC\n"
    run = synthon("substructure", "O", "-", "--column", "smiles", stdin=table)
    assert (run.returncode, run.stdout) == (0, "CCO\tethanol\n")

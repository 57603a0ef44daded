"""Plans as objects: routes as they are found, exchanged with other planners, drawn."""

import gzip
import json
import time

import pytest
import synthon
from synthon import Planner, Route, SynthonError
from synthon.tool_definitions import call_tool

PARACETAMOL = "CC(=O)Nc1ccc(O)cc1"
LIDOCAINE = "CCN(CC)CC(=O)Nc1c(C)cccc1C"
BOUND = {"library": "curated", "node_limit": 200}


def ids(routes):
    return [route.data["route_id"] for route in routes]


def test_a_stream_gives_what_a_plan_gives():
    planner = Planner()
    stream = planner.stream(LIDOCAINE, max_routes=5, **BOUND)
    assert stream.plan is None
    first = next(stream)
    assert len(stream.plan) == 1 and first in stream.plan
    routes = [first, *stream]
    plan = planner.plan(LIDOCAINE, max_routes=5, **BOUND)
    assert ids(stream.plan) == ids(plan)
    assert set(ids(plan)) <= set(ids(routes)) and len(set(ids(routes))) == len(routes)
    assert list(stream) == []


def test_a_stream_ends_when_there_is_nothing_more():
    stream = Planner().stream("CC1(C)CC2CC1(Br)C2", max_routes=50, **BOUND)
    assert list(stream) == [] and stream.plan.complete
    own = Planner(stock=["CC(=O)O", "Nc1ccc(O)cc1"], library="curated")
    few = own.stream(PARACETAMOL, depth=1, max_routes=50)
    assert len(list(few)) == len(few.plan) == 1
    begun = time.monotonic()
    late = Planner().stream(LIDOCAINE, max_routes=100, timeout=0.2)
    list(late)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("options", [{"max_routes": 0}, {"max_routes": "5"}, {"dept": 3}])
def test_a_stream_refuses_what_a_plan_refuses(options):
    with pytest.raises(SynthonError) as planned:
        Planner().plan(PARACETAMOL, **options)
    with pytest.raises(SynthonError) as streamed:
        next(Planner().stream(PARACETAMOL, **options))
    assert str(streamed.value) == str(planned.value)


def test_routes_go_to_aizynthfinder_and_come_back():
    for target in (PARACETAMOL, LIDOCAINE):
        plan = Planner(library="curated").plan(target, max_routes=3, node_limit=200)
        assert len(plan.to_aizynthfinder()) == len(plan) > 0
        for route in plan:
            tree = route.to_aizynthfinder()
            assert tree["smiles"] == route.target and tree["children"][0]["type"] == "reaction"
            for given in (tree, json.dumps(tree)):
                again = Route.from_aizynthfinder(given, planner=Planner(library="curated"))
                assert again.is_known and again.doubts == ()
                assert again.data == route.data and again.target == route.target


def test_a_route_with_unknown_steps_is_kept_and_doubted():
    tree = {
        "type": "mol",
        "smiles": "CCOC(C)=O",
        "children": [
            {
                "type": "reaction",
                "smiles": "",
                "children": [
                    {"type": "mol", "smiles": "CCO"},
                    {
                        "type": "mol",
                        "smiles": "CC(=O)O",
                        "children": [
                            {
                                "type": "reaction",
                                "children": [{"type": "mol", "smiles": "CC(=O)CCCC(=O)CC"}],
                            }
                        ],
                    },
                ],
            }
        ],
    }
    route = Planner(library="curated").read(tree)
    assert not route.is_known and route.tier is None and len(route) == 2
    assert route.steps[0]["rule"] and route.steps[1]["rule"] is None
    assert any("step 2" in doubt for doubt in route.doubts)
    [acid] = [part for part in route.tree["children"] if part["children"]]
    assert acid["smiles"] == "CC(=O)O"
    assert [part["smiles"] for part in acid["children"]] == ["CCC(=O)CCCC(C)=O"]
    back = route.to_aizynthfinder()
    assert {part["smiles"] for part in back["children"][0]["children"]} == {"CCO", "CC(=O)O"}
    assert Planner(library="curated").read(back).data == route.data
    assert route._repr_svg_().startswith("<svg")
    with pytest.raises(SynthonError):
        route.render("html")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "0 can be read"),
        ("{}", "0 can be read"),
        ({"smiles": "CO", "children": []}, "no route that can be read"),
        ({"steps": [{"target": "C1", "precursors": ["C"]}]}, "Unclosed ring"),
    ],
)
def test_what_is_no_route_is_refused(given, said):
    with pytest.raises(SynthonError, match=said):
        Planner().read(given)


def test_plans_and_routes_are_drawn():
    plan = Planner().plan(PARACETAMOL, max_routes=2, **BOUND)
    for drawn in (plan._repr_svg_(), plan[0]._repr_svg_(), plan.render("svg")):
        assert drawn.startswith("<svg") and "<script" not in drawn
    assert "<html" in plan.render("html")
    assert len(plan[:1]) == 1 and plan[-1] == plan[1] and plan[0] in plan
    brief = Planner().plan(PARACETAMOL, max_routes=1, detail="brief", **BOUND)
    with pytest.raises(SynthonError):
        brief.render("svg")


def test_names_of_shipped_knowledge_and_every_kind_of_stock(tmp_path):
    assert Planner(stock="uspto-blocks", library="uspto").plan(PARACETAMOL, max_routes=1, node_limit=20)
    acid, aminophenol = "CC(=O)O", "Nc1ccc(O)cc1"
    files = {
        "plain.smi": f"{acid} acid\n{aminophenol}\n".encode(),
        "packed.smi.gz": gzip.compress(f"{acid}\n{aminophenol}\n".encode()),
        "table.csv": f"smiles,name,price\n{acid},acid,1\n{aminophenol},,2\n".encode(),
        "keys.txt": "".join(synthon.Molecule(s).inchi_key + "\n" for s in (acid, aminophenol)).encode(),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        [route] = Planner(stock=path, library="curated").plan(PARACETAMOL, depth=1, max_routes=1)
        assert set(route.building_blocks) == {acid, aminophenol}, name
    bad = tmp_path / "bad.smi"
    bad.write_text(f"{acid}\nC1CC\n")
    with pytest.warns(UserWarning, match="1 of 2 lines gave no molecule; the first is line 2"):
        Planner(stock=bad)


def test_the_object_says_what_the_tool_says():
    options = {"max_routes": 2, "depth": 2, **BOUND}
    told = call_tool("find_routes", {"smiles": PARACETAMOL, **options})
    plan = Planner().plan(PARACETAMOL, **options)
    for result in (told, plan.result):
        result.pop("timings")
    assert told == plan.result

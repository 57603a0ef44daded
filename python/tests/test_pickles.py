"""Objects cross to other processes."""

import pickle
import subprocess
import sys

import pytest
import synthon
from synthon import Corpus, Fingerprint, Molecule, Pattern, Planner

numpy = pytest.importorskip("numpy")


def corpus(tmp_path):
    return Corpus.build(tmp_path / "some.corpus", [("CCO", "ethanol"), "c1ccccc1O"])


def objects(tmp_path):
    """One of each class, and what must be the same of a copy."""
    aspirin = Molecule("CC(=O)Oc1ccccc1C(=O)O")
    told = Pattern("[OX2H]c").explain("CCO")
    standard = synthon.standardise("[Na+].[O-]C(=O)c1ccccc1", largest_fragment=True, neutralise=True)
    pieces = synthon.mcs("CCCCCO", "CCOCCC", objective="mces", connected=False)
    nothing = synthon.mcs("O", "N")
    hits = corpus(tmp_path).similar("OCC", count=True)
    atom = "index symbol atomic_number charge hydrogens radical_electrons isotope map_number"
    atom += " is_aromatic in_ring is_stereocentre neighbours"
    bond = "index begin end order kekule_order is_aromatic in_ring has_stereo"
    part = "atoms bonds fragments smarts optimal status nodes"
    hit = "index score smiles name line"
    matches = Pattern("C~O").find_all(aspirin, limit=3)
    matrix = synthon.fingerprints(["CCO", "bad(", "CCN"], "maccs", on_error="null")
    yield aspirin, "smiles"
    yield Molecule("[13CH3:4][C@H]([O-])[CH2]").atoms[0], atom
    yield Molecule("[13CH3:4][C@H]([O-])[CH2]").atoms[1], atom
    yield Molecule("[13CH3:4][C@H]([O-])[CH2]").atoms[3], atom
    yield Molecule("C/C=C/C").bonds[1], bond
    yield aspirin.bonds[4], bond
    yield Pattern("[OX2H]c"), "smarts num_atoms"
    yield matches, "status complete"
    yield told, "matches placed"
    yield told.misses[0], "atom smarts reason"
    yield pieces, part
    yield nothing, part
    yield Fingerprint("CCO"), "scheme size on_bits"
    yield matrix, "scheme size"
    yield standard, "status"
    yield standard.changes[0], "operation before after removed"
    yield hits, "total undecided status complete"
    yield hits[0], hit
    yield corpus(tmp_path), "path"


def test_each_class_pickles_and_says_the_same(tmp_path):
    tried = set()
    for given, names in objects(tmp_path):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            copy = pickle.loads(pickle.dumps(given, protocol))
            assert type(copy) is type(given)
            for name in names.split():
                assert getattr(copy, name) == getattr(given, name), (given, name)
            assert repr(copy) == repr(given) or "object at" in repr(given)
            assert str(copy) == str(given) or "object at" in str(given)
            if hasattr(given, "__len__"):
                assert len(copy) == len(given)
        tried.add(type(given).__name__)
    tried |= {"Plan", "Planner", "Route", "SynthonError"}
    classes = {name for name in synthon.__all__ if isinstance(getattr(synthon, name), type)}
    assert tried == classes


def test_what_answers_hold_is_kept(tmp_path):
    matrix = synthon.fingerprints(["CCO", "bad(", "CCN"], on_error="null")
    copy = pickle.loads(pickle.dumps(matrix))
    assert (numpy.asarray(copy) == numpy.asarray(matrix)).all()
    assert copy.valid.tolist() == [True, False, True]
    assert copy.similarity(Fingerprint("CCO"))[0] == 1.0
    matches = Pattern("C~O").find_all("OCC(O)CO")
    assert list(pickle.loads(pickle.dumps(matches))) == list(matches) != []
    part = synthon.mcs("CC(=O)NC", "CCC(=O)N")
    assert pickle.loads(pickle.dumps(part)).to_svg() == part.to_svg()
    standard = synthon.standardise("[Na+].[O-]C(=O)C", largest_fragment=True)
    copy = pickle.loads(pickle.dumps(standard))
    assert copy.molecule == standard.molecule
    assert [change.removed for change in copy.changes] == ["[Na+]"]
    hits = corpus(tmp_path).containing("[OX2H]")
    assert [hit.name for hit in pickle.loads(pickle.dumps(hits))] == ["ethanol", ""]


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("Atom", ((0, 255, 0, 0), (0, 0, 0), (False, False, False), [])),
        ("Bond", ((0, 0, 1), ("double", "fourfold"), (False, False, False))),
        ("Matches", ([[0]], "DONE")),
        ("FingerprintMatrix", (b"12345678", 64, [True, True], "")),
        ("FingerprintMatrix", (b"\xff" * 8, 7, [True], "")),
        (
            "CommonPart",
            (
                Molecule("CO"),
                Molecule("CN"),
                (False, True, False, False, False),
                ([(7, 9)], [], [[7]]),
                (True, "COMPLETED", 1),
            ),
        ),
        ("Change", ("burn", "C", "C", None)),
        ("Nothing", ()),
    ],
)
def test_what_is_no_pickle_of_ours_is_refused(kind, parts):
    with pytest.raises((ValueError, TypeError)):
        synthon._native.restored(kind, parts)


def test_planners_and_plans_pickle(tmp_path):
    stock = tmp_path / "mine.csv"
    stock.write_text("smiles,price\nCC(=O)O,1\nNc1ccc(O)cc1,2\n")
    for given in (stock, ["CC(=O)O", Molecule("Nc1ccc(O)cc1")]):
        planner = Planner(stock=given, library="curated")
        plan = planner.plan("CC(=O)Nc1ccc(O)cc1", depth=1)
        again = pickle.loads(pickle.dumps(planner)).plan("CC(=O)Nc1ccc(O)cc1", depth=1)
        assert [route.data for route in again] == [route.data for route in plan] != []
        kept = pickle.loads(pickle.dumps(plan))
        assert kept == plan and kept[0].to_svg() == plan[0].to_svg()


OTHER = """
import pickle, sys
part, planner = pickle.load(sys.stdin.buffer)
print(len(part), len(planner.plan("CC(=O)Nc1ccc(O)cc1", depth=1)))
"""


def test_another_process_reads_them():
    planner = Planner(stock=["CC(=O)O", "Nc1ccc(O)cc1"], library="curated")
    given = pickle.dumps((synthon.mcs("CC(=O)NC", "CCC(=O)N"), planner))
    run = subprocess.run([sys.executable, "-c", OTHER], input=given, capture_output=True, timeout=60)
    assert run.stdout.split() == [b"4", b"1"], run.stderr

"""Objects for people who write programs."""

import os
import pickle
import subprocess
import sys
import threading

import pytest
import synthon
from synthon import Corpus, Fingerprint, Molecule, Pattern, Planner, SynthonError

numpy = pytest.importorskip("numpy")

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


def test_a_molecule_is_read_once_and_told_in_many_ways():
    aspirin = Molecule("OC(=O)c1ccccc1OC(C)=O")
    assert aspirin.smiles == str(aspirin) == ASPIRIN
    assert repr(aspirin) == f"Molecule('{ASPIRIN}')"
    assert (aspirin.formula, aspirin.charge, len(aspirin), aspirin.num_bonds) == ("C9H8O4", 0, 13, 13)
    assert aspirin.molecular_weight == pytest.approx(180.159, abs=0.01)
    assert aspirin.exact_mass == pytest.approx(180.0423, abs=0.001)
    assert aspirin.inchi_key == "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"
    assert aspirin.inchi.startswith("InChI=1S/C9H8O4/")
    assert aspirin.scaffold().smiles == "c1ccccc1"
    assert aspirin.scaffold(generic=True).smiles == "C1CCCCC1"
    assert Molecule("CCO").scaffold().num_atoms == 0
    assert [sorted(ring) for ring in aspirin.rings] == [[3, 4, 5, 6, 7, 8]]
    numbers = aspirin.descriptors()
    assert numbers["hydrogen_bond_donors"] == 1 and numbers["hydrogen_bond_acceptors"] == 3
    assert numbers["log_p"] == pytest.approx(1.3101, abs=1e-4)
    assert numbers["tpsa"] == pytest.approx(63.60, abs=1e-4)


def test_text_is_written_as_wanted():
    molecule = Molecule("[13CH3][C@H](N)[CH2:1]c1ccccc1")
    assert "@" in molecule.smiles and ":1]" in molecule.smiles
    assert molecule.to_smiles(isomeric=False, atom_maps=False) == "CC(N)Cc1ccccc1"
    assert "=" in molecule.to_smiles(kekule=True)
    assert molecule.to_smiles(canonical=False).startswith("[13CH3]")


def test_atoms_and_bonds():
    molecule = Molecule("C[NH2+]C/C=C/c1ccccc1")
    nitrogen = molecule.atoms[1]
    assert (nitrogen.symbol, nitrogen.atomic_number, nitrogen.charge) == ("N", 7, 1)
    assert (nitrogen.hydrogens, nitrogen.neighbours, nitrogen.in_ring) == (2, [0, 2], False)
    double = next(bond for bond in molecule.bonds if bond.order == "double")
    assert {double.begin, double.end} == {3, 4} and double.has_stereo
    assert sum(bond.is_aromatic for bond in molecule.bonds) == 6
    assert {bond.kekule_order for bond in molecule.bonds if bond.in_ring} == {"single", "double"}
    assert Molecule("C[C@H](N)O").atoms[1].is_stereocentre


def test_equal_molecules_are_equal():
    assert Molecule("OCC") == Molecule("CCO") != Molecule("CCC")
    assert len({Molecule("OCC"), Molecule("CCO"), Molecule("CCN")}) == 2
    assert Molecule("CCO") != "CCO"
    assert Molecule("C[C@H](N)O") != Molecule("C[C@@H](N)O")


@pytest.mark.parametrize(
    "smiles", ["F[C@](Cl)(Br)I", r"C/C=C\C.[Na+]", "c1cc2ccccc2[nH]1", "[2H]C([H])[CH3:7]", "[H][H]"]
)
def test_pickles_keep_the_order_of_atoms(smiles):
    # Read from a molfile, so that the order is none that SMILES give.
    molecule = Molecule.from_molfile(Molecule(smiles).to_molfile())
    again = pickle.loads(pickle.dumps(molecule))
    assert again == molecule and again.smiles == molecule.smiles
    tell = [(a.symbol, a.charge, a.map_number, sorted(a.neighbours)) for a in molecule.atoms]
    assert tell == [(a.symbol, a.charge, a.map_number, sorted(a.neighbours)) for a in again.atoms]


def test_nothing_is_a_molecule_too():
    nothing = Molecule("CCO").scaffold()
    assert pickle.loads(pickle.dumps(nothing)).num_atoms == 0 and nothing.smiles == ""


def test_molfiles_come_back():
    molecule = Molecule("C[C@H](N)C(=O)O")
    assert Molecule.from_molfile(molecule.to_molfile(name="alanine")) == molecule
    assert "V3000" in molecule.to_molfile(v3000=True)
    with pytest.raises(SynthonError) as caught:
        Molecule.from_molfile("nothing\n\n\nhere\n")
    assert caught.value.code


def test_drawings():
    molecule = Molecule(ASPIRIN)
    assert molecule._repr_svg_().startswith("<svg")
    assert 'width="300"' in molecule.to_svg(width=300, height=200, atoms=[0], bonds=[0])
    assert molecule.to_png().startswith(b"\x89PNG")
    with pytest.raises(SynthonError, match="atoms names 99"):
        molecule.to_svg(atoms=[99])


def test_what_is_no_molecule_is_refused():
    with pytest.raises(SynthonError) as caught:
        Molecule("C1CC")
    assert (caught.value.code, caught.value.position) == ("smiles.unclosed_ring", 1)
    assert str(caught.value).startswith("Unclosed ring(s): 1 at position 1")
    with pytest.raises(TypeError, match="not int"):
        Molecule(7)
    with pytest.raises(SynthonError, match="No molecule"):
        Molecule(None)


def test_a_pattern_matches_finds_and_explains():
    phenol = Pattern("[OX2H]c")
    assert phenol.matches("Oc1ccccc1") and not phenol.matches(Molecule("CCO"))
    assert phenol.find("CC(C)(C)c1ccc(O)cc1") == (8, 7)
    assert phenol.find("CCO") is None
    told = phenol.explain("CCO")
    assert not told and not told.matches
    assert [(miss.atom, miss.smarts) for miss in told.misses] == [(1, "c")]
    assert "no atom of the target meets it" in str(told) and told.misses[0].reason in str(told)
    assert phenol.explain("Oc1ccccc1") and phenol.explain("Oc1ccccc1").misses == []
    assert (phenol.smarts, phenol.num_atoms) == ("[OX2H]c", 2)


def test_all_matches_say_whether_they_are_all():
    found = Pattern("[OX2H]").find_all("OCC(O)CO")
    assert list(found) == [(0,), (3,), (5,)] and found.complete and len(found) == 3
    assert found[-1] == (5,)
    with pytest.raises(IndexError):
        found[3]
    two = Pattern("[OX2H]").find_all("OCC(O)CO", limit=2)
    assert list(two) == [(0,), (3,)] and not two.complete and two.status == "LIMIT_REACHED"
    assert len(Pattern("CC").find_all("CC")) == 2
    assert len(Pattern("CC").find_all("CC", unique=True)) == 1
    assert Pattern("C").find_all("C" * 50, timeout=0).status == "TIMED_OUT"
    with pytest.raises(TimeoutError):
        Pattern("CC").matches("CC", timeout=0)


def test_a_molecule_is_a_pattern():
    ring = Pattern.from_molecule("C1CCCCC1", ring_matches_ring_only=True)
    assert ring.matches("CC1CCCCC1") and ring.smarts is None
    assert pickle.loads(pickle.dumps(ring)).find("C1CCCCC1") == ring.find("C1CCCCC1")
    assert not Pattern.from_molecule("C[C@H](N)O", match_stereo=True).matches("C[C@@H](N)O")
    assert pickle.loads(pickle.dumps(Pattern("CO"))).smarts == "CO"
    with pytest.raises(SynthonError) as caught:
        Pattern("[CH3")
    assert caught.value.argument == "pattern" and caught.value.position is not None


def test_the_common_part_of_two():
    common = synthon.mcs("CC(=O)NC", Molecule("CCC(=O)N"))
    assert common.atoms == [(0, 1), (1, 2), (2, 3), (3, 4)] and len(common) == 4
    assert common.optimal and common.status == "COMPLETED"
    assert common.bonds[0] == ((0, 1), (1, 2)) and common.fragments == [[0, 1, 2, 3]]
    for smiles in ("CC(=O)NC", "CCC(=O)N"):
        assert Pattern(common.smarts).matches(smiles)
    assert common._repr_svg_().startswith("<svg")
    nothing = synthon.mcs("O", "N")
    assert (nothing.atoms, nothing.smarts, nothing.optimal) == ([], "", True)
    stopped = synthon.mcs("c1ccccc1", "c1ccccc1", node_limit=1, timeout=None)
    assert stopped.status in ("COMPLETED", "LIMIT_REACHED")
    with pytest.raises(SynthonError, match="objective is not x") as caught:
        synthon.mcs("C", "C", objective="x")
    assert caught.value.hint == "one of mcis, mces"


@pytest.mark.parametrize(
    "kind, size", [("ecfp", 2048), ("fcfp", 2048), ("path", 2048), ("torsion", 2048),
                   ("atom_pair", 2048), ("maccs", 167), ("mcs", 2048)]
)
def test_every_kind_of_fingerprint(kind, size):
    made = Fingerprint(ASPIRIN, kind)
    assert made.size == size and made.scheme.startswith(kind)
    assert made.popcount == len(made.on_bits) > 0 and made.on_bits[0] in made
    words = numpy.asarray(made)
    assert words.dtype == numpy.uint64 and not words.flags.writeable
    bits = numpy.unpackbits(words.view(numpy.uint8), bitorder="little")[:size]
    assert numpy.flatnonzero(bits).tolist() == made.on_bits
    again = pickle.loads(pickle.dumps(made))
    assert again == made and hash(again) == hash(made)
    assert made.similarity(again) == 1.0
    assert made == Fingerprint("OC(=O)c1ccccc1OC(C)=O", kind)


def test_words_are_shown_without_a_copy():
    made = Fingerprint(ASPIRIN)
    first, second = numpy.asarray(made), numpy.asarray(made)
    assert first.ctypes.data == second.ctypes.data
    del made
    assert first.any() and (first == second).all()


def test_fingerprints_are_those_of_the_tools():
    for options in ({"kind": "ecfp", "radius": 3}, {"kind": "path", "path_length": 5}):
        tool = synthon.tool_definitions.call_tool(
            "molecular_fingerprint", {"smiles": ASPIRIN, "fp_size": 512, **options}
        )
        assert Fingerprint(ASPIRIN, size=512, **options).on_bits == tool["values"]
    counts = synthon.tool_definitions.call_tool(
        "molecular_fingerprint", {"smiles": "OCCO", "fp_size": 64, "counts": True}
    )
    assert list(Fingerprint.counts("OCCO", size=64).items()) == [tuple(v) for v in counts["values"]]
    assert max(Fingerprint.counts("OCCO", size=0)) > 2**20


def test_similarity():
    phenol, cresol = Fingerprint("Oc1ccccc1"), Fingerprint("Cc1ccccc1O")
    scores = [phenol.similarity(cresol, metric) for metric in ("tanimoto", "dice", "cosine")]
    assert [round(score, 3) for score in scores] == [0.368, 0.538, 0.545]
    assert phenol.tversky(cresol, 1, 1) == scores[0]
    with pytest.raises(SynthonError, match="cannot be compared"):
        phenol.similarity(Fingerprint("Oc1ccccc1", radius=3))
    with pytest.raises(SynthonError, match="metric is not x"):
        phenol.similarity(cresol, "x")
    with pytest.raises(SynthonError, match="kind is not x"):
        Fingerprint("C", "x")
    with pytest.raises(SynthonError):
        Fingerprint("C", "maccs", size=1024)
    packed = Fingerprint.from_bytes(phenol.to_bytes(), size=2048, scheme=phenol.scheme)
    assert packed == phenol
    for data, size in ((b"\x01", 16), (b"\xff", 7)):
        with pytest.raises(ValueError):
            Fingerprint.from_bytes(data, size=size)


def test_standard_form():
    done = synthon.standardise("[Na+].[O-]C(=O)c1ccccc1", largest_fragment=True, neutralise=True)
    assert (done.molecule.smiles, done.status) == ("O=C(O)c1ccccc1", "COMPLETED")
    assert [change.operation for change in done.changes] == ["largest_fragment", "neutralise"]
    assert done.changes[0].removed == "[Na+]"
    assert synthon.standardise("Oc1ccccn1", canonical_tautomer=True).molecule.smiles == "O=c1cccc[nH]1"


def test_a_corpus_is_built_opened_and_searched(tmp_path):
    file = tmp_path / "some.smi"
    file.write_text("CCO ethanol\nbad(\nCC(=O)O acetic acid\nc1ccccc1O phenol\nCCN\n")
    corpus = Corpus.build(tmp_path / "some.corpus", file)
    assert (len(corpus), corpus.skipped, corpus.size) == (4, 1, 2048)
    assert "line 2" in corpus.faults[0]
    assert [entry.name for entry in corpus] == ["ethanol", "acetic acid", "phenol", ""]
    opened = pickle.loads(pickle.dumps(Corpus.open(tmp_path / "some.corpus")))
    opened.verify()
    hits = opened.similar("OCC", limit=2, count=True)
    assert (hits[0].name, hits[0].score, hits[0].line) == ("ethanol", 1.0, 1)
    assert hits.complete and hits.total == 4 and len(hits) == 2
    assert opened.similar(Fingerprint("OCC"), threshold=0.99)[0].index == 0
    assert [hit.name for hit in opened.containing("[OX2H]")] == ["ethanol", "acetic acid", "phenol"]
    assert opened.containing(Pattern("[OX2H]c"), count=True).total == 1
    with pytest.raises(SynthonError):
        opened.similar(Fingerprint("OCC", size=512))
    with pytest.raises(SynthonError):
        Corpus(file)
    with pytest.raises(SynthonError):
        Corpus(tmp_path / "absent")
    with pytest.raises(SynthonError, match="itself"):
        Corpus.build(file, file)
    assert file.read_text().startswith("CCO ethanol")
    pairs = [("CCO", "a"), (Molecule("OCC"), "b"), "C"]
    made = Corpus.build(tmp_path / "pairs.corpus", pairs, kind="maccs", substructures=False)
    assert [hit.name for hit in made.similar("CCO", threshold=1.0)] == ["a", "b"]
    with pytest.raises(SynthonError):
        made.containing("C")


def test_a_planner_uses_your_own_stock(tmp_path):
    paracetamol = Molecule("CC(=O)Nc1ccc(O)cc1")
    shipped = Planner().plan(paracetamol, max_routes=2)
    assert len(shipped) == 2 and shipped.status == "COMPLETED" and shipped.claim
    mine = ["CC(=O)O", Molecule("Nc1ccc(O)cc1")]
    own = Planner(library="curated", stock=mine).plan(paracetamol)
    assert set(own[0].building_blocks) == {"CC(=O)O", "Nc1ccc(O)cc1"}
    tree = own[0].tree
    assert tree["smiles"] == paracetamol.smiles and tree["rule"] and not tree["in_stock"]
    assert all(child["in_stock"] and not child["children"] for child in tree["children"])
    assert len(own[0]) == len(own[0].steps) == 1
    stock = tmp_path / "mine.csv"
    stock.write_text("smiles,price\nCC(=O)O,1\nNc1ccc(O)cc1,2\n")
    assert Planner(stock=stock).plan(paracetamol.smiles)[0].building_blocks
    with pytest.raises(SynthonError, match="cannot be read"):
        Planner(stock=tmp_path / "absent.smi")
    with pytest.raises(SynthonError, match="Unknown tool argument"):
        Planner().plan(paracetamol, dept=3)


def test_objects_are_shared_between_threads():
    pattern, molecule = Pattern("[OX2H]c"), Molecule("Oc1ccccc1")
    found = []

    def work():
        found.extend(pattern.find(molecule) for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(0, 1)] * 800


def test_molecules_of_rdkit_keep_their_order():
    chem = pytest.importorskip("rdkit.Chem")
    for smiles in ("F[C@](Cl)(Br)I", r"OC/C=C\CN", "c1cc2ccccc2[nH]1", "CC[S@](=O)C", "[2H]C([H])C"):
        for seed in range(20):
            mol = chem.MolFromSmiles(chem.MolToRandomSmilesVect(chem.MolFromSmiles(smiles), 1, seed)[0])
            ours = Molecule(mol)
            assert ours == Molecule(smiles)
            assert [a.symbol for a in ours.atoms] == [a.GetSymbol() for a in mol.GetAtoms()]
            neighbours = [sorted(n.GetIdx() for n in a.GetNeighbors()) for a in mol.GetAtoms()]
            assert [sorted(a.neighbours) for a in ours.atoms] == neighbours
    assert Molecule(chem.AddHs(chem.MolFromSmiles("CCO"))).smiles == "CCO"


FORKED = """
import os, sys
from synthon import batch
batch.canonical_smiles(["OCC"] * 100)
child = os.fork()
if child == 0:
    batch.canonical_smiles(["OCC"] * 100)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_can_work():
    command = [sys.executable, "-W", "ignore", "-c", FORKED]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.stdout == "7\n", run.stderr

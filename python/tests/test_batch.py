"""Columns of molecules: lists, series, arrays."""

import subprocess
import sys
import textwrap

import pytest
import synthon
from synthon import Fingerprint, Molecule, Pattern, SynthonError, batch

numpy = pytest.importorskip("numpy")

SMILES = ["OCC", "c1ccccc1O", "CC(=O)Oc1ccccc1C(=O)O"]


COLUMNS = {
    "list": lambda values: values,
    "tuple": tuple,
    "numpy": lambda values: numpy.array(values, dtype=object),
    "pandas": lambda values: pytest.importorskip("pandas").Series(values),
    "polars": lambda values: pytest.importorskip("polars").Series(values),
    "arrow": lambda values: pytest.importorskip("pyarrow").array(values),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_of_every_kind(kind):
    column = COLUMNS[kind]
    assert batch.canonical_smiles(column(SMILES)) == ["CCO", "Oc1ccccc1", SMILES[2]]
    with_gap = column([SMILES[0], None])
    assert batch.canonical_smiles(with_gap, on_error="null") == ["CCO", None]
    with pytest.raises(SynthonError) as caught:
        batch.canonical_smiles(with_gap)
    assert (caught.value.code, caught.value.argument) == ("molecule.missing", "molecules[1]")


def test_a_fault_says_where_it_is():
    with pytest.raises(SynthonError) as caught:
        batch.canonical_smiles(["C"] * 700 + ["C1CC"] + ["C("] * 700)
    assert (caught.value.argument, caught.value.position) == ("molecules[700]", 1)
    with pytest.raises(TypeError, match="not one text"):
        batch.canonical_smiles("CCO")
    with pytest.raises(TypeError):
        batch.canonical_smiles([1])
    with pytest.raises(ValueError, match="on_error"):
        batch.canonical_smiles(["C"], on_error="skip")
    assert batch.canonical_smiles([]) == []


def test_descriptors_are_columns():
    table = batch.descriptor_table([*SMILES, "bad("], on_error="null")
    for index, smiles in enumerate(SMILES):
        for name, value in Molecule(smiles).descriptors().items():
            assert table[name][index] == value
    assert all(numpy.isnan(column[3]) for column in table.values())


def test_other_columns():
    assert batch.inchi_keys(["CCO", "x"], on_error="null") == ["LFQSCWFLJHTTHZ-UHFFFAOYSA-N", None]
    salts = ["[Na+].CC(=O)[O-]", "x"]
    done = batch.standardise_many(salts, largest_fragment=True, neutralise=True, on_error="null")
    assert done == ["CC(=O)O", None]
    with pytest.raises(SynthonError) as caught:
        batch.standardise_many(["CCO"], canonical_tautomer=True, timeout=0)
    assert caught.value.code == "standardise.stopped"
    truths = Pattern("[OX2H]").matches_many([*SMILES, "CC", "x"], on_error="null")
    assert truths.dtype == bool and truths.tolist() == [True, True, True, False, False]


@pytest.mark.parametrize("kind", ["ecfp", "maccs", "atom_pair"])
def test_a_matrix_of_fingerprints(kind):
    matrix = synthon.fingerprints([*SMILES, "bad("], kind, on_error="null")
    assert len(matrix) == 4 and matrix.valid.tolist() == [True, True, True, False]
    words = numpy.asarray(matrix)
    assert words.shape == (4, -(-matrix.size // 64)) and words.dtype == numpy.uint64
    assert words.ctypes.data == numpy.asarray(matrix).ctypes.data and not words[3].any()
    singles = [Fingerprint(smiles, kind) for smiles in SMILES]
    for index, single in enumerate(singles):
        assert matrix[index] == single and (words[index] == numpy.asarray(single)).all()
    for metric in ("tanimoto", "dice", "cosine"):
        row = matrix.similarity(singles[1], metric)
        assert row[:3].tolist() == [single.similarity(singles[1], metric) for single in singles]
        square = matrix.similarities(metric=metric)
        assert square.shape == (4, 4) and (square == square.T).all()
        assert (square[1] == row).all() and row[3] == 0
    some = synthon.fingerprints(SMILES[:2], kind)
    assert matrix.similarities(some).shape == (4, 2)
    with pytest.raises(SynthonError, match="cannot be compared"):
        matrix.similarities(synthon.fingerprints(SMILES, "fcfp"))
    with pytest.raises(IndexError):
        matrix[4]


def test_no_molecules_are_no_rows():
    empty = synthon.fingerprints([])
    assert len(empty) == 0 and numpy.asarray(empty).shape == (0, 32)
    assert empty.similarities().shape == (0, 0)


def test_rows_agree_with_rdkit():
    chem = pytest.importorskip("rdkit.Chem")
    generators = pytest.importorskip("rdkit.Chem.rdFingerprintGenerator")
    generator = generators.GetMorganGenerator(radius=2, fpSize=2048)
    words = numpy.asarray(synthon.fingerprints(SMILES))
    for smiles, row in zip(SMILES, words):
        theirs = generator.GetFingerprint(chem.MolFromSmiles(smiles))
        bits = numpy.unpackbits(row.view(numpy.uint8), bitorder="little")
        assert numpy.flatnonzero(bits).tolist() == list(theirs.GetOnBits())


def test_arrays_say_what_they_need():
    program = """
        import sys
        sys.modules["numpy"] = None
        import synthon
        print(synthon.Fingerprint("CCO").popcount > 0)
        try:
            synthon.fingerprints(["CCO"]).valid
        except ImportError as error:
            print(error)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.stdout == "True\narrays need NumPy; install synthon[numpy]\n", run.stderr


def test_ctrl_c_stops_work_on_many():
    program = """
        import signal, threading, time
        from synthon import batch
        slow = ["C1CC2CC1C1C2C2CC1C1C2C2CC1CC2" + "C" * 400] * 20000
        threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
        started = time.monotonic()
        try:
            batch.inchi_keys(slow)
        except KeyboardInterrupt:
            print(time.monotonic() - started)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert float(run.stdout) < 10, run.stderr

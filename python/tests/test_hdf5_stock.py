"""Stocks of AiZynthFinder in HDF5 form."""

import gzip
import pathlib
import pickle
import subprocess
import sys

import pytest

h5py = pytest.importorskip("h5py")
numpy = pytest.importorskip("numpy")

from synthon import hdf5_stock  # noqa: E402

# Written by pandas 2.3: `DataFrame.to_hdf` in its layouts `fixed`, `table`, and `table` with
# columns of their own; five rows, one of them no InChIKey and one a repeat.
LAYOUTS = ["fixed", "table", "columns"]
PACKED = pathlib.Path(__file__).parents[2] / "testdata"
KEYS = [
    "LFQSCWFLJHTTHZ-UHFFFAOYSA-N",
    "QNAYBMKLOCPYGJ-REOHCLBHSA-N",
    "QTBSBXVTEAMEQO-UHFFFAOYSA-N",
]


@pytest.fixture
def files(tmp_path):
    for layout in LAYOUTS:
        packed = (PACKED / f"stock_{layout}.h5.gz").read_bytes()
        (tmp_path / f"stock_{layout}.h5").write_bytes(gzip.decompress(packed))
    return tmp_path


def convert(*arguments):
    command = [sys.executable, "-m", "synthon.hdf5_stock", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_its_keys(layout, files):
    out = files / "keys.txt"
    run = convert(files / f"stock_{layout}.h5", "-o", out)
    assert (run.returncode, run.stderr) == (0, "3 InChIKeys, 1 other texts left out\n")
    assert out.read_text().split() == ["inchi_key", *KEYS]
    # What was converted is a stock: ethanol and acetic acid are its molecules.
    command = [sys.executable, "-m", "synthon", "routes", "CCOC(C)=O", "--stock", str(out)]
    routes = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert routes.returncode == 0 and "CC(=O)O" in routes.stdout, routes.stderr


def test_other_files_are_refused(files):
    def refused(path, *more):
        run = convert(path, *more)
        assert (run.returncode, run.stdout) == (2, ""), path
        assert run.stderr.startswith(f"error: {path}: ") and run.stderr.count("\n") == 1
        return run.stderr

    text = files / "text.h5"
    text.write_text("inchi_key\n")
    assert "no HDF5 file" in refused(text)
    assert "no HDF5 file" in refused(files / "absent.h5")
    cut = files / "cut.h5"
    cut.write_bytes((files / "stock_table.h5").read_bytes()[:3000])
    refused(cut)
    fixed = files / "stock_fixed.h5"
    assert "no table 'other', but table" in refused(fixed, "--key", "other")
    assert "no column 'smiles'" in refused(fixed, "--column", "smiles")
    assert "none of the 5 texts" in refused(fixed, "--column", "price")
    before = fixed.read_bytes()
    assert convert(fixed, "-o", fixed).returncode == 2
    assert fixed.read_bytes() == before


class Harmful:
    def __reduce__(self):
        return (print, ("harm done",))


def test_a_pickle_that_runs_code_is_not_opened(tmp_path):
    path = tmp_path / "harmful.h5"
    with h5py.File(path, "w") as file:
        table = file.create_group("table")
        table.attrs.update({"pandas_type": b"frame", "nblocks": 1})
        table["block0_items"] = numpy.array([b"inchi_key"])
        data = numpy.frombuffer(pickle.dumps(Harmful()), dtype="u1")
        values = table.create_dataset("block0_values", (1,), dtype=h5py.vlen_dtype("u1"))
        values[0] = data
        values.attrs["PSEUDOATOM"] = b"object"
    with pytest.raises(hdf5_stock.RefusedStock, match=r"builtins\.print"):
        list(hdf5_stock.inchi_keys(str(path)))
    run = convert(path)
    assert run.returncode == 2 and "harm done" not in run.stdout

"""Tables in, tables out: pandas, polars, Arrow; parts of Dask and Spark."""

import json

import pytest
import synthon
from synthon import SynthonError, tables

pandas = pytest.importorskip("pandas")
numpy = pytest.importorskip("numpy")

SMILES = ["OCC", "C1CC", None, "c1ccccc1O"]
FAULTS = [None, "smiles.unclosed_ring", "molecule.missing", None]


def kinds():
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    return {
        "pandas": (
            lambda **c: pandas.DataFrame(c),
            lambda t, n: [None if pandas.isna(value) else value for value in t[n]],
        ),
        "polars": (lambda **c: pl.DataFrame(c), lambda t, n: t[n].to_list()),
        "arrow": (lambda **c: pa.table(c), lambda t, n: t.column(n).to_pylist()),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_columns_are_added_and_rows_stay(kind):
    make, column = kinds()[kind]
    table = make(smiles=SMILES, id=[3, 1, 2, 0])

    def check(done, *added):
        assert type(done) is type(table)
        names = done.column_names if kind == "arrow" else list(done.columns)
        assert names == ["smiles", "id", *added, "fault"]
        assert column(done, "id") == [3, 1, 2, 0]
        told = [fault and fault.rsplit("[")[-1][:-1] for fault in column(done, "fault")]
        assert told == FAULTS

    done = tables.standardise(table)
    check(done, "standard")
    assert column(done, "standard") == ["CCO", None, None, "Oc1ccccc1"]
    done = tables.screen(table, "CCO")
    check(done, "score")
    scores = column(done, "score")
    assert scores[0] == 1.0 and 0 <= scores[3] < 1
    assert all(score is None or score != score for score in scores[1:3])
    done = tables.contain(table, "[OX2H]c")
    check(done, "contains")
    assert column(done, "contains") == [False, None, None, True]
    check(tables.describe(table), *synthon.Molecule("C").descriptors())
    done = tables.plan(table, library="curated", depth=1, node_limit=5, max_routes=1)
    check(done, "routes_found", "status", "claim", "steps", "tier", "route")
    assert column(done, "routes_found")[1:3] == [None, None]
    for route, steps in zip(column(done, "route"), column(done, "steps")):
        if route is not None:
            assert len(json.loads(route)["steps"]) == steps
    # A second time the columns are replaced.
    check(tables.screen(tables.screen(table, "CCN"), "CCO"), "score")


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_an_empty_table_gets_columns_of_the_same_types(kind):
    make, _ = kinds()[kind]
    for work in (
        tables.standardise,
        tables.describe,
        lambda table: tables.screen(table, "C"),
        lambda table: tables.contain(table, "C"),
        lambda table: tables.plan(table, depth=1, node_limit=5),
    ):
        full = work(make(smiles=SMILES[:1]))
        empty = work(full[:0] if kind != "arrow" else full.slice(0, 0))
        types = "schema" if kind != "pandas" else "dtypes"
        assert list(getattr(empty, types)) == list(getattr(full, types))


def test_the_first_cause_of_a_fault_stays():
    frame = tables.standardise(pandas.DataFrame({"smiles": ["OCC", "C1CC"]}))
    later = tables.screen(frame, "CCO", column="standard")
    assert "smiles.unclosed_ring" in later["fault"][1] and pandas.isna(later["fault"][0])
    later["smiles"] = ["OCC", "C1CC1"]
    assert tables.standardise(later)["fault"].isna().all()


def test_a_frame_keeps_its_index():
    frame = pandas.DataFrame({"text": ["OCC", "x"]}, index=["a", "b"])
    done = tables.standardise(frame, column="text")
    assert done.loc["a", "standard"] == "CCO" and done.index.tolist() == ["a", "b"]
    assert "standard" not in frame


def test_what_is_no_table_or_option_is_refused():
    frame = pandas.DataFrame({"smiles": ["C"]})
    with pytest.raises(SynthonError) as caught:
        tables.standardise(frame, column="text")
    assert (caught.value.code, caught.value.hint) == ("table.column", "it has smiles")
    with pytest.raises(TypeError, match="not list"):
        tables.standardise(["C"])
    with pytest.raises(TypeError, match="not Series"):
        tables.standardise(frame["smiles"])
    for rows in (1, 0):
        with pytest.raises(SynthonError, match="Unknown tool argument"):
            tables.plan(frame[:rows], dept=1)
    with pytest.raises(SynthonError, match="Unclosed ring"):
        tables.screen(frame, "C1")


def test_parts_of_dask():
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pandas.DataFrame({"smiles": ["OCC", "x", "NCC"] * 5}), npartitions=4)
    done = frame.map_partitions(tables.standardise).map_partitions(tables.screen, "CCO")
    assert done.compute()["standard"].dropna().tolist() == ["CCO", "CCN"] * 5


def test_fingerprints_become_arrow_without_a_copy():
    pa = pytest.importorskip("pyarrow")
    matrix = synthon.fingerprints(["CCO", "bad(", "CCN"], size=512, on_error="null")
    rows = matrix.to_arrow()
    assert rows.type == pa.binary(64) and rows.null_count == 1 and rows[1].as_py() is None
    assert rows[0].as_py() == synthon.Fingerprint("CCO", size=512).to_bytes()
    place = numpy.asarray(matrix).__array_interface__["data"][0]
    assert rows.buffers()[1].address == place
    rows.validate(full=True)
    assert synthon.fingerprints([]).to_arrow().null_count == 0
    del matrix
    assert rows[2].as_py() == synthon.Fingerprint("CCN", size=512).to_bytes()

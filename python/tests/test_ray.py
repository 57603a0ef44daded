"""Parquet datasets in parts: what needs no Ray, and a local cluster of two workers.

The cluster is no part of what `requirements.txt` pins: Ray is large, and a machine that is busy
starts it slowly. Where it is installed these tests run, and in CI they then may not be skipped;
`benchmarks/cluster.py` is the run of full size.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

pq = pytest.importorskip("pyarrow.parquet")
pa = pytest.importorskip("pyarrow")
import synthon.ray
from synthon import SynthonError, tables
from test_examples import run


def source(folder, rows, name="some.parquet", group=40):
    folder.mkdir(exist_ok=True)
    smiles = [["OCC", "c1ccccc1O", "C1CC", "NCCO", "CC(=O)O"][number % 5] for number in range(rows)]
    columns = {"smiles": pa.array(smiles, pa.string()), "id": pa.array(range(rows), pa.int64())}
    pq.write_table(pa.table(columns), folder / name, row_group_size=group)
    return folder / name


def ids(folder):
    return pq.read_table(folder).column("id").to_pylist()


def prepared(file, out, rows=25, name="standardise", **options):
    return synthon.ray._prepare(name, file, out, rows, options)


def work(parts, out, name="standardise", **options):
    """Does parts as a worker does them."""
    batch = pa.Table.from_pylist([vars(part) for part in parts])
    return synthon.ray._work(batch, name=name, folder=out, options=options)


def missing(parts, out):
    return [part.number for part in parts if not part.is_done(out)]


def test_parts_are_every_row_once_and_in_order(tmp_path):
    source(tmp_path / "in", 100, "a.parquet")
    source(tmp_path / "in", 30, "b.parquet")
    for hidden in ("_c.parquet", ".d.parquet"):
        source(tmp_path / "in", 7, hidden)
    for rows, count in ((1, 130), (7, 6 + 6 + 3 + 5), (25, 2 + 2 + 1 + 2), (1000, 4)):
        out = tmp_path / f"out{rows}"
        parts = prepared(tmp_path / "in", out, rows)
        assert len(parts) == count
        work(parts[1::2], out)
        assert missing(parts, out) == list(range(0, count, 2))
        work(parts, out)
        assert ids(out) == [*range(100), *range(30)]
        report = synthon.ray._counted(out, parts, 0)
        assert (report.rows, report.faults, report.parts) == (130, 26, count)
    whole = tables.standardise(pq.read_table(tmp_path / "in" / "a.parquet"))
    assert pq.read_table(out).slice(0, 100).equals(whole)


def test_what_is_there_is_left_and_what_is_cut_off_is_done_again(tmp_path):
    file = source(tmp_path / "in", 100)
    out = tmp_path / "out"
    parts = prepared(file, out)
    work(parts, out)
    written = {path.name: path.read_bytes() for path in out.glob("*.parquet")}
    times = {part.number: part.path(out).stat().st_mtime_ns for part in parts}
    # Cut off, empty, of other rows, gone.
    first, second, third, fourth, kept = (part.path(out) for part in parts)
    first.write_bytes(first.read_bytes()[:-20])
    second.write_bytes(b"")
    pq.write_table(pq.read_table(third).slice(1), third)
    fourth.unlink()
    (out / ".draft-of-a-worker-that-was-lost").write_bytes(b"PAR1")
    assert missing(prepared(file, out), out) == [0, 1, 2, 3]
    work(parts, out)
    assert missing(parts, out) == []
    assert written == {path.name: path.read_bytes() for path in out.glob("*.parquet")}
    assert kept.stat().st_mtime_ns == times[4]


def test_a_failed_part_leaves_nothing_that_looks_whole(tmp_path):
    file = source(tmp_path / "in", 10)
    out = tmp_path / "out"
    parts = prepared(file, out, rows=5)

    def stopped(file):
        file.write(b"PAR1")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        synthon.ray._put(parts[0].path(out), stopped)
    assert [path.name for path in out.iterdir()] == ["_synthon.json"]


def test_a_part_that_ends_every_worker_is_not_tried_for_ever(tmp_path):
    file = source(tmp_path / "in", 10)
    out = tmp_path / "out"
    first, second = prepared(file, out, rows=5)
    for _ in range(5):
        synthon.ray._begin(second, out)
    said = "part-000001.parquet, which is 5 rows from row 5"
    with pytest.raises(SynthonError, match=said) as told:
        work([first, second], out)
    assert told.value.code == "work.lost" and first.is_done(out)
    # A run that is started anew begins to count anew.
    synthon.ray._tidy(out)
    work([first, second], out)
    assert sorted(path.name for path in out.iterdir()) == [
        "_synthon.json",
        "part-000000.parquet",
        "part-000001.parquet",
    ]


def test_a_dataset_without_rows_keeps_its_columns(tmp_path):
    file = source(tmp_path / "in", 0)
    parts = prepared(file, tmp_path / "out")
    work(parts, tmp_path / "out")
    assert pq.read_table(tmp_path / "out").schema.names == ["smiles", "id", "standard", "fault"]
    assert synthon.ray._counted(tmp_path / "out", parts, 0).rows == 0


def test_other_work_is_not_mixed_in(tmp_path):
    file = source(tmp_path / "in", 10)
    stock = tmp_path / "stock.smi"
    stock.write_text("CCO\n")
    out = tmp_path / "out"
    given = {"name": "plan", "rows": 5, "stock": str(stock), "library": "curated"}
    prepared(file, out, **given)
    prepared(file, out, **given)
    for difference, other in {
        "options": {"node_limit": 7},
        "rows": {"rows": 6},
        "work": {"name": "describe", "stock": None, "library": None},
    }.items():
        asked = {key: value for key, value in {**given, **other}.items() if value is not None}
        with pytest.raises(SynthonError, match=f"differs in.* {difference}"):
            prepared(file, out, **asked)
    stock.write_text("CCO\nCCN\n")
    with pytest.raises(SynthonError, match="differs in knowledge$"):
        prepared(file, out, **given)
    stock.write_text("CCO\n")
    source(tmp_path / "in", 12)
    with pytest.raises(SynthonError, match="source"):
        prepared(file, out, **given)
    (out / "_synthon.json").write_text("{")
    with pytest.raises(SynthonError, match="differs in work, options, rows"):
        prepared(file, out, **given)
    # Files that no run has noted are somebody's.
    with pytest.raises(SynthonError, match="other work"):
        source(tmp_path / "own", 3)
        prepared(file, tmp_path / "own")


def test_what_no_row_can_pass_is_refused_before_the_work(tmp_path):
    file = source(tmp_path / "in", 10)
    out = tmp_path / "out"
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.parquet").write_bytes(b"no table")
    for said, asked in {
        "There are no Parquet files": lambda: prepared(tmp_path / "absent", out),
        "is no Parquet file": lambda: prepared(tmp_path / "bad", out),
        "part of the source": lambda: prepared(tmp_path / "in", tmp_path / "in" / "out"),
        "rows is not 0": lambda: prepared(file, out, rows=0),
        "no column text": lambda: prepared(file, out, column="text"),
        "Unclosed": lambda: prepared(file, out, name="screen", query="C1CC"),
        "node_limit": lambda: prepared(file, out, name="plan", node_limit=-1),
    }.items():
        with pytest.raises(SynthonError, match=said):
            asked()
    assert not out.exists()
    with pytest.raises(TypeError, match="stock: text"):
        synthon.ray._plain("stock", iter("CN"))
    assert synthon.ray._plain("stock", ("C", "N")) == ["C", "N"]
    assert synthon.ray._plain("stock", pathlib.Path("here")) == str(pathlib.Path("here").absolute())


def test_ray_that_is_missing_is_named(tmp_path):
    file = source(tmp_path / "in", 5)
    program = (
        "import sys; sys.modules['ray'] = None\n"
        f"import synthon.ray\nsynthon.ray.describe({str(file)!r}, {str(tmp_path / 'out')!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "install synthon[ray]" in done.stderr


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="the cluster is tested where Ray is installed")
    # Sockets have short paths only, so this is not pytest's folder.
    folder = tempfile.mkdtemp(prefix="ray")
    try:
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=200_000_000,
            _temp_dir=folder if os.name == "posix" else None,
            # Workers of low priority would wait for whatever else is done here.
            _system_config={"worker_niceness": 0},
        )
    except Exception as error:
        if os.environ.get("CI") in ("true", "1"):
            raise
        pytest.skip(f"no local cluster can be started here: {error}")
    yield
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_second_run_does_nothing(tmp_path, cluster):
    file = source(tmp_path / "in", 100)
    report = synthon.ray.standardise(file, tmp_path / "out", rows=25)
    assert (report.rows, report.parts, report.done_before, report.faults) == (100, 5, 0, 20)
    assert ids(report.output) == list(range(100))
    times = {path: path.stat().st_mtime_ns for path in report.output.iterdir()}
    again = synthon.ray.standardise(file, tmp_path / "out", rows=25)
    assert again.done_before == 5 and again.rows == 100
    assert times == {path: path.stat().st_mtime_ns for path in report.output.iterdir()}
    # A part that is missing is done again, and that one alone.
    (report.output / "part-000003.parquet").unlink()
    assert synthon.ray.standardise(file, tmp_path / "out", rows=25, concurrency=1).done_before == 4
    assert ids(report.output) == list(range(100))


def workers():
    """Processes of this test's cluster that do a part now."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            title = path.read_bytes()
            session = os.getsid(int(path.parent.name))
        except OSError:
            continue
        if title.startswith(b"ray::") and b"MapBatches" in title and session == os.getsid(0):
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are found in /proc")
def test_a_killed_worker_costs_no_row_and_repeats_none(tmp_path, cluster):
    file = source(tmp_path / "in", 12, group=12)
    killed = []

    def kill():
        until = time.monotonic() + 120
        while time.monotonic() < until and not killed:
            done = len(list((tmp_path / "out").glob("part-*.parquet")))
            if done >= 2 and (found := workers()):
                os.kill(found[0], signal.SIGKILL)
                killed.append(found[0])
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    asked = {"library": "curated", "depth": 4, "node_limit": 60, "max_routes": 1}
    report = synthon.ray.plan(file, tmp_path / "out", rows=1, **asked)
    killer.join()
    assert killed, "no worker was found to kill"
    assert report.parts == report.rows == 12
    assert ids(report.output) == list(range(12))
    assert report.faults == 2
    assert pq.read_table(report.output).equals(tables.plan(pq.read_table(file), **asked))


def test_the_example(tmp_path, cluster):
    file = source(tmp_path / "in", 60)
    lines = run("ray_cluster.py", file, tmp_path / "work")
    assert lines[0].startswith("screened 60 molecules")
    assert "20 targets, 0 parts done before" in lines[1]
    assert "20 targets, 4 parts done before" in run("ray_cluster.py", file, tmp_path / "work")[1]

"""A local Ray cluster that loses workers and its driver: nothing is lost, nothing is there twice.

``cluster.py DATA FOLDER`` makes two datasets of the reference data, of 100,000 distinct molecules
and of 200 products to plan, and standardises, screens and plans them on two workers: once in peace,
and once while in the middle of each stage a worker is killed, and later the driver with all that it
started, which is then started again. The outputs of both are compared, byte by byte. Prints its
log; Linux only.
"""

import contextlib
import gzip
import hashlib
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import synthon
import synthon.ray
from synthon import batch

MANY, TARGETS, FILE = 100_000, 200, 20_000
STAGES = ("standardise", "screen", "plan")
BEGUN = time.monotonic()


def log(text):
    print(f"{time.monotonic() - BEGUN:7.1f} s  {text}", flush=True)


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as opened:
        yield from (line.rstrip("\n") for line in opened)


def without_maps(texts):
    return batch.standardise_many(texts, remove_atom_maps=True, on_error="null")


def molecules(data):
    """Distinct SMILES: as they stand in the files of molecules, then those of reactions."""
    found = {}
    for path in sorted((data / "smiles").glob("*.smi.gz")):
        found.update((line.split()[0], None) for line in lines(path) if line.strip())
    reactions = lines(data / "reactions" / "uspto_mit_70k_mapped.smi.gz")
    sides = (re.split(r"\.|>+", line.split()[0]) for line in reactions)
    mapped = list(dict.fromkeys(text for side in sides for text in side if text))
    found.update((text, None) for text in without_maps(mapped) if text)
    return list(itertools.islice(found, MANY))


def targets(data):
    """Products that lie evenly among those of the validation set."""
    rows = list(lines(data / "reactions" / "uspto50k_valid.tsv.gz"))[1:]
    mapped = [row.split("\t")[2].split(">")[-1] for row in rows]
    products = list(dict.fromkeys(without_maps(mapped)))
    return [products[number * len(products) // TARGETS] for number in range(TARGETS)]


def dataset(folder, smiles):
    folder.mkdir()
    for first in range(0, len(smiles), FILE):
        part = smiles[first : first + FILE]
        table = pa.table({"id": range(first, first + len(part)), "smiles": part})
        pq.write_table(table, folder / f"{first:06}.parquet", row_group_size=FILE // 2)


def stage(name, folder, output):
    if name == "standardise":
        options = {"largest_fragment": True, "neutralise": True, "timeout": 60.0}
        return synthon.ray.standardise(folder / "molecules", output, rows=2_000, **options)
    if name == "screen":
        query = "CC(=O)Nc1ccc(O)cc1"
        return synthon.ray.screen(folder / "molecules", output, query, rows=2_000)
    # Bounded by what is looked at, never by time.
    options = {"max_routes": 1, "node_limit": 200, "timeout_secs": 300}
    return synthon.ray.plan(folder / "targets", output, rows=5, **options)


def driver(name, folder, output):
    """A process of its own, which can be killed."""
    import ray

    cluster = {"num_cpus": 2, "include_dashboard": False, "log_to_driver": False}
    ray.init(**cluster, object_store_memory=200_000_000, _system_config={"worker_niceness": 0})
    begun = time.monotonic()
    report = stage(name, folder, output)
    parts = f"{report.parts} parts of which {report.done_before} were done before"
    print(f"{report.rows} rows, {parts}, {time.monotonic() - begun:.1f} s", flush=True)


def start(name, folder, output):
    arguments = [sys.executable, __file__, "driver", name, folder, output]
    with (folder / "drivers.log").open("ab") as errors:
        return subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )


def cluster_of(process):
    """Ids and titles of the processes of a driver's cluster."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.getsid(int(path.parent.name)) == process.pid:
                found[int(path.parent.name)] = path.read_bytes()
        except OSError:
            continue
    return found


def done(output):
    return {path.name: path.stat().st_mtime_ns for path in output.glob("part-*.parquet")}


def wait_for(process, output, parts):
    while len(done(output)) < parts:
        assert process.poll() is None, "the driver ended before it was killed"
        time.sleep(0.005)


def finish(process, name):
    said, _ = process.communicate()
    assert process.returncode == 0, "see drivers.log"
    log(f"{name}: {said.strip()}")


def in_peace(name, folder):
    finish(start(name, folder, folder / "peace" / name), name)


def with_losses(name, folder, parts):
    output = folder / "losses" / name
    process = start(name, folder, output)
    wait_for(process, output, parts // 4)
    worker = None
    while worker is None:
        titles = cluster_of(process).items()
        busy = (number for number, title in titles if title.startswith(b"ray::MapBatches"))
        worker = next(busy, None)
    os.kill(worker, signal.SIGKILL)
    log(f"{name}: killed worker {worker} with {len(done(output))} of {parts} parts done")
    wait_for(process, output, parts // 2)
    for number in (process.pid, *cluster_of(process)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    process.communicate()
    before = done(output)
    left = len(list(output.glob(".draft-*")))
    log(f"{name}: killed driver {process.pid} and its cluster with {len(before)} parts done")
    log(f"{name}: {left} files of begun parts are left; started again")
    finish(start(name, folder, output), name)
    after = done(output)
    assert all(after[part] == before[part] for part in before), "a part was done twice"
    assert len(after) == parts and not list(output.glob(".draft-*"))


def compare(name, folder, count):
    outputs = [folder / run / name for run in ("peace", "losses")]
    digests = []
    for output in outputs:
        table = pq.read_table(output)
        assert table.column("id").to_pylist() == list(range(count)), "a row is lost or there twice"
        files = sorted(output.glob("part-*.parquet"))
        digests.append(hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest())
    assert digests[0] == digests[1], "the outputs differ"
    faults = count - table.column("fault").null_count
    log(f"{name}: {count} rows, each id once and in order, {faults} with a fault; all files as in "
        f"peace, sha256 {digests[0][:16]}")
    return table


def main(data, folder):
    folder.mkdir(parents=True)
    many, wanted = molecules(data), targets(data)
    assert len(set(many)) == MANY and len(set(wanted)) == TARGETS
    dataset(folder / "molecules", many)
    dataset(folder / "targets", wanted)
    log(f"Synthon {synthon.__version__}: {MANY} molecules, {TARGETS} targets, two workers")
    log("in peace")
    for name in STAGES:
        in_peace(name, folder)
    log("with losses")
    for name in STAGES:
        with_losses(name, folder, len(done(folder / "peace" / name)))
    for name in STAGES:
        table = compare(name, folder, TARGETS if name == "plan" else MANY)
    solved = sum(1 for routes in table.column("routes_found").to_pylist() if routes)
    stopped = table.column("status").to_pylist().count("TIMED_OUT")
    log(f"plan: {solved} of {TARGETS} solved, {stopped} ended by time")


if __name__ == "__main__":
    if sys.argv[1] == "driver":
        driver(sys.argv[2], *map(Path, sys.argv[3:]))
    else:
        main(*map(Path, sys.argv[1:]))

"""Parquet datasets of molecules on a Ray cluster: standardised, screened, planned.

Each function reads Parquet files, does on the workers what the function of the same name in
`synthon.tables` does, and writes Parquet files: all columns of the source and those that are added,
rows in the order of the source (its files by name). What is wrong with a row stands in the column
``fault``.

The work is cut into parts of at most `rows` rows, each of which becomes one file. It is written
under another name and then renamed, so that it is there as a whole or not at all: when a worker is
lost, Ray has its part done again, and no row is lost or there twice. Run again with the same
arguments after a stop, the function does the parts that are missing or cut off; with other
arguments, a changed source, stock or library, or another version of Synthon it is refused. A worker
holds one part at a time.

Needs the extra ``synthon[ray]`` here and on all workers; paths must mean the same on all of them.
Without ``ray.init(...)`` before, Ray starts a cluster on this machine. In pipelines of your own the
functions of `synthon.tables` are stages already::

    dataset.map_batches(tables.screen, batch_format="pyarrow", fn_kwargs={"query": "CCO"})
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from synthon import tables
from synthon._native import VERSION
from synthon.errors import SynthonError

__all__ = ["Report", "contain", "describe", "plan", "screen", "standardise"]

_JOB = "_synthon.json"
_DRAFT = ".draft-"
# A task costs Ray some ten milliseconds, at its start and then: with more parts, tasks get several.
_TASKS = 4_000
# Ray would give a part that ends every worker, such as one that needs too much memory, to the next
# for ever.
_TRIES = 5
_Path = str | PathLike[str]
# PyArrow, whose table this is, is imported where it is needed.
_Table = Any


@dataclass(frozen=True)
class Report:
    """What a run did."""

    output: Path
    """Folder of the parts, a Parquet dataset."""
    parts: int
    """Parts of the whole work."""
    done_before: int
    """Parts that an earlier run had done."""
    rows: int
    """Rows of all parts."""
    faults: int
    """Rows with a fault."""


def standardise(
    source: _Path,
    output: _Path,
    *,
    rows: int = 10_000,
    concurrency: int | None = None,
    **options: Any,
) -> Report:
    """`synthon.tables.standardise` for each row of `source`, a Parquet file or a folder of them,
    into the folder `output`; `options` are its further arguments. Columns that are told only by the
    names of folders (``key=value``) are not read.

    `rows` is the most that a part has, and `concurrency` how many parts are worked on at once, each
    on one core; all cores of the cluster unless given. Raises `SynthonError`, before any work is
    begun, for a source that is none or lacks the column, for arguments that are refused, and for an
    output of another work; and `ImportError` without Ray. Errors of the work come as Ray raises
    them, such as that of a part that ended five workers; the parts that are done stay.
    """
    return _run("standardise", source, output, rows, concurrency, options)


def screen(
    source: _Path,
    output: _Path,
    query: str,
    *,
    rows: int = 10_000,
    concurrency: int | None = None,
    **options: Any,
) -> Report:
    """`synthon.tables.screen` for each row; the other arguments are those of `standardise`."""
    return _run("screen", source, output, rows, concurrency, {"query": query, **options})


def contain(
    source: _Path,
    output: _Path,
    pattern: str,
    *,
    rows: int = 10_000,
    concurrency: int | None = None,
    **options: Any,
) -> Report:
    """`synthon.tables.contain` for each row; the other arguments are those of `standardise`."""
    return _run("contain", source, output, rows, concurrency, {"pattern": pattern, **options})


def describe(
    source: _Path,
    output: _Path,
    *,
    rows: int = 10_000,
    concurrency: int | None = None,
    **options: Any,
) -> Report:
    """`synthon.tables.describe` for each row; the other arguments are those of `standardise`."""
    return _run("describe", source, output, rows, concurrency, options)


def plan(
    source: _Path,
    output: _Path,
    *,
    rows: int = 10,
    concurrency: int | None = None,
    **options: Any,
) -> Report:
    """`synthon.tables.plan` for each row; the other arguments are those of `standardise`.

    Each worker reads stock and library once. With ``node_limit`` and a ``timeout_secs`` that is not
    reached, the rows do not depend on the speed of the workers.
    """
    return _run("plan", source, output, rows, concurrency, options)


@dataclass(frozen=True)
class _Part:
    """Some rows of a row group of a file."""

    number: int
    file: str
    group: int
    first: int
    rows: int

    def path(self, folder: Path) -> Path:
        return folder / f"part-{self.number:06}.parquet"

    def is_done(self, folder: Path) -> bool:
        """Whether its file is there, up to the end, and has its rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return bool(pq.read_metadata(self.path(folder)).num_rows == self.rows)
        except (FileNotFoundError, pa.ArrowInvalid):
            return False


def _run(
    name: str,
    source: _Path,
    output: _Path,
    rows: int,
    concurrency: int | None,
    options: dict[str, Any],
) -> Report:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ImportError("work on a cluster needs Ray; install synthon[ray]") from error
    _at_least_one("concurrency", concurrency)
    options = {key: _plain(key, option) for key, option in options.items()}
    folder = Path(output).absolute()
    parts = _prepare(name, Path(source).absolute(), folder, rows, options)
    missing = [vars(part) for part in parts if not part.is_done(folder)]
    if missing:
        _tidy(folder)
        dataset = ray.data.from_items(missing, override_num_blocks=min(len(missing), _TASKS))
        done = dataset.map_batches(
            partial(_work, name=name, folder=folder, options=options),
            compute=ray.data.TaskPoolStrategy(concurrency),
            batch_size=1,
            num_cpus=1,
            batch_format="pyarrow",
        )
        for _ in done.iter_rows():
            pass
        _tidy(folder)
    return _counted(folder, parts, len(parts) - len(missing))


def _prepare(
    name: str, source: Path, folder: Path, rows: int, options: dict[str, Any]
) -> list[_Part]:
    """The parts of this work, once nothing speaks against it; the output is then noted as its own.

    Raises `SynthonError` for what would be refused for every row: it is tried here on none.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    _at_least_one("rows", rows)
    files = _files(source, folder)
    parts: list[_Part] = []
    schemas: list[Any] = []
    for path in files:
        try:
            with pq.ParquetFile(path) as opened:
                metadata, schema = opened.metadata, opened.schema_arrow
        except pa.ArrowInvalid as error:
            raise SynthonError(
                f"{path} is no Parquet file: {error}", "source.damaged", "source"
            ) from error
        for group in range(metadata.num_row_groups):
            count = metadata.row_group(group).num_rows
            for first in range(0, count, rows):
                part = _Part(len(parts), str(path), group, first, min(rows, count - first))
                parts.append(part)
        if schema not in schemas:
            schemas.append(schema)
            getattr(tables, name)(schema.empty_table(), **options)
    if not parts:
        # A dataset without rows has columns all the same.
        parts.append(_Part(0, str(files[0]), 0, 0, 0))
    _claim(folder, name, files, rows, options)
    return parts


def _at_least_one(argument: str, given: int | None) -> None:
    if given is not None and given < 1:
        raise SynthonError(
            f"{argument} is not {given}", "argument.range", argument, None, "at least 1"
        )


def _plain(name: str, option: Any) -> Any:
    """An option as something that can be noted and sent to workers."""
    if isinstance(option, PathLike):
        return str(Path(option).absolute())
    try:
        return json.loads(json.dumps(option))
    except TypeError as error:
        raise TypeError(f"{name}: text, numbers, a path or a list, not {type(option)}") from error


def _files(source: Path, folder: Path) -> list[Path]:
    """The files of a dataset; names that begin with a dot or ``_`` are none of them, as for Spark
    and Arrow."""
    if folder.is_relative_to(source):
        raise SynthonError(
            "The output would be part of the source",
            "output.taken",
            "output",
            None,
            "name a folder outside the source",
        )
    found = [source] if source.is_file() else sorted(source.glob("**/*.parquet"))
    found = [
        path
        for path in found
        if not any(part.startswith((".", "_")) for part in path.relative_to(source).parts)
    ]
    if not found:
        raise SynthonError(
            f"There are no Parquet files at {source}",
            "source.missing",
            "source",
            None,
            "name a Parquet file, or a folder that holds some",
        )
    return found


def _claim(
    folder: Path, name: str, files: list[Path], rows: int, options: dict[str, Any]
) -> None:
    """Notes in the output what work it is of, or checks that it is of this one."""
    job = {
        "work": name,
        "options": options,
        "rows": rows,
        "source": _state(files),
        "knowledge": _state(_knowledge(options)),
        "engine_version": VERSION,
    }
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / _JOB
    noted: Any = {}
    try:
        noted = json.loads(note.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if not any(folder.glob("*.parquet")):
            text = json.dumps(job, indent=1)
            _put(note, lambda file: file.write(text.encode()))
            return
    except ValueError:
        pass
    other = [key for key in job if not isinstance(noted, dict) or job[key] != noted.get(key)]
    if other:
        raise SynthonError(
            f"The output holds other work: it differs in {', '.join(other)}",
            "output.taken",
            "output",
            None,
            f"name another folder, or run again with what stands in its {_JOB}",
        )


def _knowledge(options: dict[str, Any]) -> list[Path]:
    """The files that a stock and a library are read from."""
    named = (options.get("stock"), options.get("library"))
    paths = [Path(name) for name in named if isinstance(name, str)]
    inside = [file for path in paths for file in sorted(path.rglob("*")) if file.is_file()]
    return [path.absolute() for path in (*paths, *inside) if path.is_file()]


def _state(files: list[Path]) -> str:
    """Differs when one of the files does: names, sizes and times of change."""
    state = [[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in files]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()


def _tidy(folder: Path) -> None:
    """Removes what workers that were lost had begun to write."""
    for draft in folder.glob(f"{_DRAFT}*"):
        draft.unlink(missing_ok=True)


def _put(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Writes a file that is there as a whole or not at all, even after a loss of power."""
    draft = path.with_name(f"{_DRAFT}{uuid4().hex}")
    try:
        with draft.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _work(batch: _Table, *, name: str, folder: Path, options: dict[str, Any]) -> _Table:
    """Does parts on a worker."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Ray gives each task one core.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    for given in batch.to_pylist():
        part = _Part(**given)
        # A task is begun anew when its worker is lost; the parts before are there.
        if not part.is_done(folder):
            tries = _begin(part, folder)
            done = getattr(tables, name)(_read(part), **options)
            _put(part.path(folder), partial(pq.write_table, done))
            tries.unlink(missing_ok=True)
    return pa.table({"number": batch.column("number")})


def _begin(part: _Part, folder: Path) -> Path:
    """Notes that a worker begins a part, in a file with a byte for each that did."""
    tries = folder / f"{_DRAFT}tries-{part.number}"
    with tries.open("ab") as file:
        file.write(b".")
        count = file.tell()
    if count > _TRIES:
        raise SynthonError(
            f"{_TRIES} workers ended while they did {part.path(folder).name}, which is {part.rows} "
            f"rows from row {part.first} of row group {part.group} of {part.file}",
            "work.lost",
            "source",
            None,
            "run it again with more memory for each worker or fewer rows in a part, or without "
            "these rows",
        )
    return tries


def _read(part: _Part) -> _Table:
    """The rows of a part; the rest of its row group passes by in pieces of its size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    last = part.first + part.rows
    taken = []
    with pq.ParquetFile(part.file) as opened:
        if not part.rows:
            return opened.schema_arrow.empty_table()
        at = 0
        for piece in opened.iter_batches(batch_size=part.rows, row_groups=[part.group]):
            begin, end = max(part.first - at, 0), min(last - at, piece.num_rows)
            if begin < end:
                taken.append(piece.slice(begin, end - begin))
            at += piece.num_rows
            if at >= last:
                break
        return pa.Table.from_batches(taken, opened.schema_arrow)


def _counted(folder: Path, parts: list[_Part], before: int) -> Report:
    import pyarrow.parquet as pq

    rows = faults = 0
    for part in parts:
        with pq.ParquetFile(part.path(folder)) as opened:
            column = opened.read(["fault"]).column("fault")
        if len(column) != part.rows:
            raise SynthonError(f"{part.path(folder)} is damaged", "output.damaged", "output")
        rows += len(column)
        faults += len(column) - column.null_count
    return Report(folder, len(parts), before, rows, faults)

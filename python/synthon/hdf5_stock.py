"""Turns a stock of AiZynthFinder in HDF5 form into a list of InChIKeys, which Synthon reads.

    python -m synthon.hdf5_stock zinc_stock.hdf5 -o zinc_stock.txt
    synthon routes "CC(=O)Nc1ccc(O)cc1" --stock zinc_stock.txt

Such a file is a table that pandas wrote, in its "fixed" or its "table" layout; both are read with
``h5py`` alone (``pip install synthon[hdf5]``). The fixed layout keeps texts as pickled Python
objects, and a pickle can run code: here only arrays of texts are accepted, anything else is refused.
"""

from __future__ import annotations

import argparse
import importlib
import io
import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

INCHI_KEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
#: Rows that are read at once.
ROWS = 1 << 16


class RefusedStock(Exception):
    """A file that is no such stock; the text says why."""


class _ArraysOnly(pickle.Unpickler):
    """Knows how numpy arrays are put together, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        import numpy

        module = module.replace("numpy._core.", "numpy.core.")
        match (module, name):
            case ("numpy.core.multiarray", "_reconstruct"):
                array: Any = numpy.ndarray(0)
                return array.__reduce__()[0]
            case ("numpy", "ndarray"):
                return numpy.ndarray
            case ("numpy", "dtype"):
                return numpy.dtype
        raise RefusedStock(f"it holds a pickled {module}.{name}, which is not opened")


def _unpickled(data: bytes) -> Any:
    try:
        return _ArraysOnly(io.BytesIO(data)).load()
    except RefusedStock:
        raise
    except Exception as error:
        raise RefusedStock(f"its pickled texts are damaged: {error}") from error


def _text(value: object) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value)


def _fixed(group: Any, column: str) -> Iterator[object]:
    """The layout of ``to_hdf(format="fixed")``: blocks of columns of one type."""
    for block in range(int(group.attrs.get("nblocks", 0))):
        items = [_text(item) for item in group[f"block{block}_items"][()]]
        if column not in items:
            continue
        values = group[f"block{block}_values"]
        if _text(values.attrs.get("PSEUDOATOM", b"")) == "object":
            whole = _unpickled(values[0].tobytes())
            if getattr(whole, "ndim", 0) != 2:
                raise RefusedStock(f"its column {column!r} is no array of texts")
            yield from whole[:, items.index(column)]
        else:
            yield from values[:, items.index(column)]
        return
    raise RefusedStock(f"it has no column {column!r}")


def _table(group: Any, column: str) -> Iterator[object]:
    """The layout of ``to_hdf(format="table")``: rows of a compound type."""
    rows = group["table"]
    names = rows.dtype.names or ()
    place = 0
    field = column if column in names else None
    for name in names:
        if field is None and name.startswith("values_block_"):
            columns = _unpickled(bytes(rows.attrs[f"{name}_kind"]))
            if isinstance(columns, list) and column in columns:
                field, place = name, columns.index(column)
    if field is None:
        raise RefusedStock(f"it has no column {column!r}")
    for start in range(0, len(rows), ROWS):
        values = rows[start : start + ROWS][field]
        yield from values[:, place] if values.ndim == 2 else values


def inchi_keys(path: str, key: str = "table", column: str = "inchi_key") -> Iterator[str]:
    """The texts of a column of a table in a file, as they stand there.

    :raises RefusedStock: for a file that is no such table
    """
    try:
        h5py: Any = importlib.import_module("h5py")
    except ImportError as error:
        raise RefusedStock("h5py is needed: pip install synthon[hdf5]") from error
    try:
        file = h5py.File(path)
    except OSError as error:
        raise RefusedStock(f"no HDF5 file: {error}") from error
    with file:
        group = file.get(key)
        if not isinstance(group, h5py.Group):
            raise RefusedStock(f"it has no table {key!r}, but {', '.join(file) or 'nothing'}")
        kind = _text(group.attrs.get("pandas_type", b""))
        layouts = {"frame": _fixed, "frame_table": _table}
        if kind not in layouts:
            raise RefusedStock(f"{key!r} is no table of pandas")
        try:
            yield from map(_text, layouts[kind](group, column))
        except (KeyError, ValueError, IndexError, OSError) as error:
            raise RefusedStock(f"its table {key!r} is damaged: {error}") from error


def main(arguments: list[str] | None = None) -> int:
    """The program; 0 when keys were written, 2 when the file was refused."""
    parser = argparse.ArgumentParser(
        prog="python -m synthon.hdf5_stock",
        description="Turns a stock of AiZynthFinder in HDF5 form into a list of InChIKeys.",
    )
    parser.add_argument("stock", help="HDF5 file")
    parser.add_argument("-o", "--output", help="file to write; standard output without")
    parser.add_argument("--key", default="table", help="name of the table (default: table)")
    parser.add_argument(
        "--column", default="inchi_key", help="column of InChIKeys (default: inchi_key)"
    )
    given = parser.parse_args(arguments)
    if given.output and Path(given.output).absolute() == Path(given.stock).absolute():
        parser.error("the output would replace the stock")
    taken: list[str] = []
    bad = 0
    try:
        for text in inchi_keys(given.stock, given.key, given.column):
            if INCHI_KEY.fullmatch(text):
                taken.append(text)
            else:
                bad += 1
        if not taken:
            raise RefusedStock(f"none of the {bad} texts of {given.column!r} is an InChIKey")
    except RefusedStock as error:
        print(f"error: {given.stock}: {error}", file=sys.stderr)
        return 2
    keys = "".join(f"{key}\n" for key in ["inchi_key", *sorted(set(taken))])
    if given.output:
        Path(given.output).write_text(keys, encoding="ascii")
    else:
        sys.stdout.write(keys)
    print(f"{len(set(taken))} InChIKeys, {bad} other texts left out", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

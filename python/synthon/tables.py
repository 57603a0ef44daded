"""Tables of molecules: a table in, the same kind of table out with columns added.

A table is a pandas or polars data frame or an Arrow table. Rows are never lost or moved, so these
functions can be mapped over the parts of a table that is larger than one machine: as they are by
Dask's ``map_partitions`` and Ray Data's ``map_batches(..., batch_format="pyarrow")``, and in a
generator by Spark's ``mapInPandas``. The columns that are added have the same types whatever the
rows are, an empty table included. What cannot be read gives a null, and what was wrong with it
stands in the column ``fault``; of a row that fails in several stages the first cause stays.

    >>> import pandas
    >>> from synthon import tables
    >>> tables.standardise(pandas.DataFrame({"smiles": ["OCC"]}))["standard"].tolist()
    ['CCO']
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from os import PathLike, fspath
from typing import Any, Literal, TypeVar, cast

from synthon import _native
from synthon._native import Fingerprint, FingerprintMatrix, Molecule, Pattern
from synthon.errors import SynthonError
from synthon.planning import Planner

__all__ = ["contain", "describe", "plan", "screen", "standardise"]

Table = TypeVar("Table")
_Type = Literal["text", "whole", "number", "truth"]


def standardise(
    table: Table,
    *,
    column: str = "smiles",
    remove_atom_maps: bool = False,
    cleanup: bool = False,
    largest_fragment: bool = False,
    neutralise: bool = False,
    canonical_tautomer: bool = False,
    timeout: float | None = 10.0,
) -> Table:
    """Adds ``standard``, the canonical SMILES after the operations asked for, which are those of
    `synthon.standardise`, and ``fault``. `timeout` is in seconds for each molecule."""
    given = _column(table, column)
    standard = _native.standardise_many(
        given,
        remove_atom_maps=remove_atom_maps,
        cleanup=cleanup,
        largest_fragment=largest_fragment,
        neutralise=neutralise,
        canonical_tautomer=canonical_tautomer,
        timeout=timeout,
        on_error="null",
    )
    read = [text is not None for text in standard]
    faults = _faults(given, read, "the time for this molecule is over")
    return _with(table, {"standard": ("text", standard), "fault": ("text", faults)})


def screen(
    table: Table,
    query: str | Molecule | Fingerprint,
    *,
    column: str = "smiles",
    kind: str = "ecfp",
    size: int | None = None,
    radius: int = 2,
    path_length: int = 7,
    metric: Literal["tanimoto", "dice", "cosine"] = "tanimoto",
) -> Table:
    """Adds ``score``, how alike each molecule is to the query, from 0 to 1, and ``fault``. The
    fingerprint is chosen as for `synthon.Fingerprint`."""
    given = _column(table, column)
    options: dict[str, Any] = {
        "kind": kind,
        "size": size,
        "radius": radius,
        "path_length": path_length,
    }
    sought = query if isinstance(query, Fingerprint) else Fingerprint(query, **options)
    matrix: FingerprintMatrix = _native.fingerprints(given, on_error="null", **options)
    read = matrix.valid.tolist()
    scores = matrix.similarity(sought, metric).tolist()
    scored = [score if valid else None for score, valid in zip(scores, read)]
    faults = _faults(given, read, "it has no such fingerprint")
    return _with(table, {"score": ("number", scored), "fault": ("text", faults)})


def contain(table: Table, pattern: str | Pattern, *, column: str = "smiles") -> Table:
    """Adds ``contains``, whether the pattern (a text is SMARTS) matches each molecule, and
    ``fault``."""
    given = _column(table, column)
    sought = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    found = sought.matches_many(given, on_error="null").tolist()
    read = [text is not None for text in _native.canonical_smiles(given, on_error="null")]
    matched = [match if valid else None for match, valid in zip(found, read)]
    faults = _faults(given, read, "it cannot be read")
    return _with(table, {"contains": ("truth", matched), "fault": ("text", faults)})


def describe(table: Table, *, column: str = "smiles") -> Table:
    """Adds a column of floats for each descriptor of `synthon.Molecule.descriptors`, and
    ``fault``."""
    given = _column(table, column)
    numbers = _native.descriptor_table(given, on_error="null")
    columns: dict[str, tuple[_Type, Sequence[Any]]] = {}
    read = [True] * len(given)
    for name, values in numbers.items():
        # Not-a-number stands for what could not be read, and for nothing else.
        read = [value == value for value in values.tolist()]
        filled = [value if valid else None for value, valid in zip(values.tolist(), read)]
        columns[name] = ("number", filled)
    columns["fault"] = ("text", _faults(given, read, "it cannot be read"))
    return _with(table, columns)


def plan(
    table: Table,
    *,
    column: str = "smiles",
    stock: str | PathLike[str] | Iterable[str] | None = None,
    library: str | PathLike[str] | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Table:
    """Plans how to make each molecule, one after another, and adds ``routes_found``, ``status``,
    ``claim``, and of the best route ``steps`` (how many), ``tier`` and ``route`` (JSON, as the tool
    `find_routes` gives it), and ``fault``.

    `stock` and `library` are those of `synthon.Planner`; each process reads them once. `options`
    are further arguments of `find_routes`, such as ``depth``, ``max_routes`` and ``node_limit``;
    `timeout` is in seconds for each molecule. Raises `SynthonError` for a stock or library that
    cannot be read, and for an option that is none.
    """
    given = _column(table, column)
    planner = _planner(_name(stock), _name(library))
    if not given:
        # An option that is none is refused whatever the rows are.
        planner.plan("C", timeout=timeout, **{"node_limit": 1, **options})
    rows = [_planned(planner, smiles, timeout, options) for smiles in given]
    kinds: dict[str, _Type] = {
        "routes_found": "whole",
        "status": "text",
        "claim": "text",
        "steps": "whole",
        "tier": "whole",
        "route": "text",
        "fault": "text",
    }
    return _with(table, {name: (kind, [r.get(name) for r in rows]) for name, kind in kinds.items()})


def _planned(
    planner: Planner, smiles: Any, timeout: float | None, options: dict[str, Any]
) -> dict[str, Any]:
    [fault] = _faults([smiles], [False], "")
    if fault:
        return {"fault": fault}
    try:
        found = planner.plan(Molecule(smiles), timeout=timeout, **options)
    except SynthonError as error:
        if error.argument != "smiles":
            raise
        return {"fault": f"{error} [{error.code}]"}
    told: dict[str, Any] = {
        "routes_found": len(found),
        "status": found.status,
        "claim": found.claim,
    }
    if found:
        best = found[0]
        route = json.dumps(best.data, ensure_ascii=False, separators=(",", ":"))
        told |= {"steps": len(best), "tier": best.tier, "route": route}
    return told


def _name(source: Any) -> str | tuple[str, ...] | None:
    """A source of molecules or templates as something that can be compared."""
    if source is None or isinstance(source, str):
        return source
    if isinstance(source, PathLike):
        return str(fspath(source))
    return tuple(source)


@lru_cache(maxsize=4)
def _planner(stock: Any, library: Any) -> Planner:
    return Planner(stock=stock, library=library)


def _faults(given: Sequence[Any], read: Iterable[bool], otherwise: str) -> list[str | None]:
    """What is wrong with each molecule that was not read; `otherwise` where reading is not it."""
    faults: list[str | None] = []
    for molecule, valid in zip(given, read):
        fault = None
        if not valid:
            fault = otherwise or None
            try:
                Molecule(molecule)
            except SynthonError as error:
                fault = f"{error} [{error.code}]"
        faults.append(fault)
    return faults


def _library(table: object) -> str:
    return type(table).__module__.partition(".")[0]


def _column(table: Any, name: str) -> list[Any]:
    """The molecules of a table."""
    library = _library(table)
    if library not in ("pandas", "polars", "pyarrow") or not hasattr(table, "columns"):
        raise TypeError(
            "a table is a pandas or polars DataFrame or a pyarrow Table, not "
            f"{type(table).__qualname__}"
        )
    if name not in _names(table):
        known = ", ".join(str(known) for known in _names(table))
        raise SynthonError(
            f"The table has no column {name}", "table.column", "column", None, f"it has {known}"
        )
    return _values(table, name)


def _names(table: Any) -> list[Any]:
    """The names of the columns."""
    return list(table.column_names if _library(table) == "pyarrow" else table.columns)


def _values(table: Any, name: str) -> list[Any]:
    """A column as a list."""
    if _library(table) == "pyarrow":
        return list(table.column(name).to_pylist())
    return list(table[name].to_list())


def _with(given: Table, columns: dict[str, tuple[_Type, Sequence[Any]]]) -> Table:
    """The table with these columns, in place of those of the same name."""
    table: Any = given
    kind, faults = columns["fault"]
    if "fault" in _names(table):
        # A stage that gets no molecule because an earlier one failed is not the cause.
        before = _values(table, "fault")
        faults = [old if new and isinstance(old, str) else new for old, new in zip(before, faults)]
        columns = {**columns, "fault": (kind, faults)}
    library = _library(table)
    if library == "pandas":
        import pandas as pd

        pandas_types = {"text": "object", "whole": "Int64", "number": "float64", "truth": "boolean"}
        added = {
            name: pd.Series(list(values), index=table.index, dtype=pandas_types[kind])
            for name, (kind, values) in columns.items()
        }
        return cast(Table, table.assign(**added))
    if library == "polars":
        import polars as pl

        polars_types = {
            "text": pl.String,
            "whole": pl.Int64,
            "number": pl.Float64,
            "truth": pl.Boolean,
        }
        series = (
            pl.Series(name, list(values), dtype=polars_types[kind])
            for name, (kind, values) in columns.items()
        )
        return cast(Table, table.with_columns(series))
    import pyarrow as pa

    arrow_types = {
        "text": pa.string(),
        "whole": pa.int64(),
        "number": pa.float64(),
        "truth": pa.bool_(),
    }
    for name, (kind, values) in columns.items():
        added = pa.array(values, type=arrow_types[kind])
        place = table.column_names.index(name) if name in table.column_names else -1
        if place < 0:
            table = table.append_column(name, added)
        else:
            table = table.set_column(place, name, added)
    return cast(Table, table)

"""Columns added to tables: pandas, polars, Arrow, and the same with Dask and Spark.

``python tables.py`` needs pandas, and shows of polars, PyArrow and Dask what is installed.
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any

import pandas as pd
from synthon import batch, fingerprints, tables

SMILES = ["OCC", "[Na+].CC(=O)[O-]", "c1ccccc1O", "C1CC"]


def with_pandas() -> pd.DataFrame:
    frame = pd.DataFrame({"smiles": SMILES, "id": range(len(SMILES))})
    frame = tables.standardise(frame, largest_fragment=True, neutralise=True)
    frame = tables.screen(frame, "Oc1ccccc1C", column="standard").rename(columns={"score": "like_cresol"})
    # Functions of `synthon.batch` take and give columns alone.
    frame["key"] = batch.inchi_keys(frame["smiles"], on_error="null")
    return frame


def with_polars() -> None:
    import polars as pl

    frame = tables.contain(pl.DataFrame({"smiles": SMILES}), "[OX2H]")
    print(frame.filter(pl.col("contains"))["smiles"].to_list())


def with_arrow() -> None:
    import pyarrow as pa

    table = tables.standardise(pa.table({"smiles": SMILES}))
    # Rows of fingerprints become an Arrow column without being copied.
    rows = fingerprints(table.column("standard"), on_error="null").to_arrow()
    print(table.append_column("ecfp", rows).schema.names, rows.type)


def with_dask() -> None:
    import dask.dataframe as dd

    parts: Any = dd.from_pandas(pd.DataFrame({"smiles": SMILES}), npartitions=2)  # type: ignore[no-untyped-call]
    print(parts.map_partitions(tables.standardise, neutralise=True).compute()["standard"].tolist())


def for_spark(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """For Spark: ``dataset.mapInPandas(for_spark, "smiles string, standard string, fault string")``."""
    for frame in frames:
        yield tables.standardise(frame, neutralise=True)


def main() -> None:
    print(with_pandas().to_string(index=False))
    for name, shown in (("polars", with_polars), ("pyarrow", with_arrow), ("dask", with_dask)):
        if find_spec(name):
            shown()
    print(len(list(for_spark([pd.DataFrame({"smiles": SMILES})]))), "part for Spark")


if __name__ == "__main__":
    main()

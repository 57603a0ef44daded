"""Arrow arrays on their way out."""

from __future__ import annotations

from typing import Any

import numpy as np


def rows(matrix: Any) -> Any:
    """The rows of a `synthon.FingerprintMatrix` as a ``pyarrow.FixedSizeBinaryArray``."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError("Arrow arrays need PyArrow; install synthon[arrow]") from error
    words = np.asarray(matrix)
    valid = np.asarray(matrix.valid)
    missing = int(len(valid) - valid.sum())
    marks = None if missing == 0 else pa.py_buffer(np.packbits(valid, bitorder="little"))
    kind = pa.binary(words.shape[1] * 8)
    return pa.Array.from_buffers(kind, len(words), [marks, pa.py_buffer(words)], missing)

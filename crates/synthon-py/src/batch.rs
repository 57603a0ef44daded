//! Plain questions about many molecules: a column in, a column out.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use synthon_descriptors::{Describer, Descriptors, Value};

use crate::array::Array;
use crate::errors::Fault;
use crate::given::{self, OnError};

/// Canonical SMILES of many molecules, made on all cores. With ``on_error="null"`` what cannot be
/// read gives ``None``.
///
/// Raises `SynthonError` for the first molecule that cannot be read, with its place in the
/// sequence as `argument`, such as ``molecules[3]``.
#[pyfunction]
#[pyo3(signature = (molecules, *, on_error="raise"))]
pub(crate) fn canonical_smiles(
    py: Python<'_>,
    molecules: &Bound<'_, PyAny>,
    on_error: &str,
) -> PyResult<Vec<Option<String>>> {
    let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
    given::map(py, &given, on_error, || (), |(), molecule| Ok(molecule.to_smiles()))
}

/// InChIKeys of many molecules, likewise.
#[pyfunction]
#[pyo3(signature = (molecules, *, on_error="raise"))]
pub(crate) fn inchi_keys(
    py: Python<'_>,
    molecules: &Bound<'_, PyAny>,
    on_error: &str,
) -> PyResult<Vec<Option<String>>> {
    let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
    given::map(
        py,
        &given,
        on_error,
        || (),
        |(), molecule| synthon_toolkit::inchi_key(molecule).map_err(|error| error.told()),
    )
}

/// The descriptors of many molecules as columns: an array of floats for each name of
/// `Molecule.descriptors`, ready for a data frame. With ``on_error="null"`` what cannot be read
/// gives not-a-number.
///
/// Raises `SynthonError` as `canonical_smiles` does.
#[pyfunction]
#[pyo3(signature = (molecules, *, on_error="raise"))]
pub(crate) fn descriptor_table<'py>(
    py: Python<'py>,
    molecules: &Bound<'py, PyAny>,
    on_error: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
    let rows = given::map(py, &given, on_error, Describer::new, |describer, molecule| {
        Ok(describer.describe(molecule).values().map(|value| match value {
            Value::Count(count) => count as f64,
            Value::Measure(measure) => measure,
        }))
    })?;
    let table = PyDict::new(py);
    for (column, name) in Descriptors::NAMES.into_iter().enumerate() {
        let cell = |row: &Option<[f64; 18]>| row.map_or(f64::NAN, |row| row[column]);
        let numbers: Vec<f64> = rows.iter().map(cell).collect();
        let shape = vec![numbers.len()];
        table.set_item(name, Array::floats(numbers, shape).into_numpy(py)?)?;
    }
    Ok(table)
}

//! Numbers that NumPy shows without copying them.
//!
//! The buffer protocol is not in the stable interface of Python 3.10; NumPy's own one is an
//! attribute, and needs neither NumPy's headers nor NumPy.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A kind of number and its name in NumPy's interface.
pub(crate) trait Number {
    /// Kind and size in bytes.
    const KIND: &'static str;
}

impl Number for f64 {
    const KIND: &'static str = "f8";
}
impl Number for u64 {
    const KIND: &'static str = "u8";
}
impl Number for bool {
    const KIND: &'static str = "b1";
}

/// The value of `__array_interface__`: these numbers in rows, read-only. NumPy keeps the object
/// that it asked alive for as long as it shows them.
pub(crate) fn interface<'py, N: Number>(
    py: Python<'py>,
    numbers: &[N],
    shape: &[usize],
) -> PyResult<Bound<'py, PyDict>> {
    debug_assert_eq!(numbers.len(), shape.iter().product::<usize>());
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    let dict = PyDict::new(py);
    dict.set_item("version", 3)?;
    dict.set_item("shape", PyTuple::new(py, shape)?)?;
    dict.set_item("typestr", format!("{order}{}", N::KIND))?;
    dict.set_item("data", (numbers.as_ptr() as usize, true))?;
    Ok(dict)
}

/// Numbers in one or two dimensions, which NumPy shows.
#[pyclass(frozen, module = "synthon._native")]
pub(crate) struct Array {
    numbers: Numbers,
    shape: Vec<usize>,
}

enum Numbers {
    Float(Vec<f64>),
    Bool(Vec<bool>),
}

impl Array {
    /// Measures in rows.
    pub(crate) fn floats(numbers: Vec<f64>, shape: Vec<usize>) -> Self {
        Array { numbers: Numbers::Float(numbers), shape }
    }

    /// Truths, one after another.
    pub(crate) fn bools(numbers: Vec<bool>) -> Self {
        Array { shape: vec![numbers.len()], numbers: Numbers::Bool(numbers) }
    }

    /// The numbers as a NumPy array, which holds on to this.
    ///
    /// # Errors
    /// `ImportError` where there is no NumPy.
    pub(crate) fn into_numpy(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let numpy = py.import("numpy").map_err(|error| {
            let told = PyImportError::new_err("arrays need NumPy; install synthon[numpy]");
            told.set_cause(py, Some(error));
            told
        })?;
        numpy.call_method1("asarray", (Py::new(py, self)?,))
    }
}

#[pymethods]
impl Array {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.numbers {
            Numbers::Float(numbers) => interface(py, numbers, &self.shape),
            Numbers::Bool(numbers) => interface(py, numbers, &self.shape),
        }
    }
}

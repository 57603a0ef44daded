//! Answers that pickle, so that they can cross to other processes and machines.
//!
//! What is made of one text or file (molecules, patterns, fingerprints, corpora) is made anew of
//! it. An answer is taken apart instead, and put together by `restored`: nothing is searched for
//! a second time.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use synthon_budget::Status;
use synthon_mol::{BondOrder, Element};
use synthon_standardise::Operation;

use crate::common::PyCommon;
use crate::corpus::{PyHit, PyHits};
use crate::fingerprint::PyMatrix;
use crate::molecule::{PyAtom, PyBond};
use crate::pattern::{PyExplanation, PyMatches, PyMiss};
use crate::standardise::{PyChange, PyStandardised};

/// What `__reduce__` returns for an object of these parts.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    class: &str,
    parts: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let restored = py.import("synthon._native")?.getattr("restored")?;
    let parts = parts.into_bound_py_any(py)?;
    (restored, (class, parts)).into_bound_py_any(py)
}

/// An object out of its parts, for `pickle`.
#[pyfunction]
pub(crate) fn restored<'py>(kind: &str, parts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = parts.py();
    match kind {
        "Atom" => PyAtom::from_parts(parts)?.into_bound_py_any(py),
        "Bond" => PyBond::from_parts(parts)?.into_bound_py_any(py),
        "Matches" => PyMatches::from_parts(parts)?.into_bound_py_any(py),
        "Explanation" => PyExplanation::from_parts(parts)?.into_bound_py_any(py),
        "Miss" => PyMiss::from_parts(parts)?.into_bound_py_any(py),
        "CommonPart" => PyCommon::from_parts(parts)?.into_bound_py_any(py),
        "FingerprintMatrix" => PyMatrix::from_parts(parts)?.into_bound_py_any(py),
        "Standardised" => PyStandardised::from_parts(parts)?.into_bound_py_any(py),
        "Change" => PyChange::from_parts(parts)?.into_bound_py_any(py),
        "Hit" => PyHit::from_parts(parts)?.into_bound_py_any(py),
        "Hits" => PyHits::from_parts(parts)?.into_bound_py_any(py),
        _ => Err(no_part("kind", kind)),
    }
}

pub(crate) fn no_part(what: &str, text: &str) -> PyErr {
    PyValueError::new_err(format!("not a pickle of this package: {what} {text}"))
}

/// The status of a name.
pub(crate) fn status(name: &str) -> PyResult<Status> {
    [Status::Completed, Status::TimedOut, Status::LimitReached, Status::Cancelled]
        .into_iter()
        .find(|status| status.as_str() == name)
        .ok_or_else(|| no_part("status", name))
}

/// The text of an operation that equals this one.
pub(crate) fn operation(name: &str) -> PyResult<&'static str> {
    let mut names = Operation::ALL.into_iter().map(Operation::name);
    names.find(|known| *known == name).ok_or_else(|| no_part("operation", name))
}

/// The symbol of an atomic number.
pub(crate) fn symbol(number: u8) -> PyResult<&'static str> {
    Element::new(number).map(Element::symbol).ok_or_else(|| no_part("element", &number.to_string()))
}

/// The text of a bond order that equals this one.
pub(crate) fn order(name: &str) -> PyResult<&'static str> {
    [
        BondOrder::Single,
        BondOrder::Double,
        BondOrder::Triple,
        BondOrder::Quadruple,
        BondOrder::Aromatic,
        BondOrder::Dative,
        BondOrder::Unspecified,
    ]
    .into_iter()
    .map(crate::molecule::order_name)
    .find(|known| *known == name)
    .ok_or_else(|| no_part("bond order", name))
}

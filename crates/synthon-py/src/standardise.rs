//! `synthon.standardise`, for one molecule and for many.

use pyo3::prelude::*;
use synthon_budget::Budget;
use synthon_standardise::{StandardiseOptions, Standardised, TautomerLimits, standardise as run};

use crate::given::{self, OnError};
use crate::interrupt::interruptible;
use crate::molecule::PyMolecule;
use crate::pattern::{budget, duration};
use crate::pickle::{self, reduced};

/// The operations to do, from the keywords of both functions.
fn options(
    remove_atom_maps: bool,
    cleanup: bool,
    largest_fragment: bool,
    neutralise: bool,
    canonical_tautomer: bool,
) -> StandardiseOptions {
    StandardiseOptions {
        remove_atom_maps,
        cleanup,
        largest_fragment,
        neutralise,
        canonical_tautomer,
        tautomer_limits: TautomerLimits::default(),
    }
}

/// Brings a molecule into standard form, by the operations that are asked for, in this order:
/// atom maps taken off, structure cleaned up, the largest fragment kept, charges taken away where
/// protons can pay for them, one of all tautomers chosen (a choice of representation, not of the
/// most stable form).
///
/// `timeout` is in seconds, 10 unless given, and ``None`` for no limit; `status` says whether all
/// was done. Raises `SynthonError` for a molecule that cannot be read.
#[pyfunction]
#[pyo3(signature = (
    molecule, *, remove_atom_maps=false, cleanup=false, largest_fragment=false, neutralise=false,
    canonical_tautomer=false, timeout=Some(10.0)
))]
pub(crate) fn standardise(
    molecule: &Bound<'_, PyAny>,
    remove_atom_maps: bool,
    cleanup: bool,
    largest_fragment: bool,
    neutralise: bool,
    canonical_tautomer: bool,
    timeout: Option<f64>,
) -> PyResult<PyStandardised> {
    let py = molecule.py();
    let molecule = given::molecule(molecule)?;
    let options =
        options(remove_atom_maps, cleanup, largest_fragment, neutralise, canonical_tautomer);
    let done = interruptible(py, |flag| -> PyResult<Standardised> {
        Ok(run(&molecule, &options, &mut budget(timeout, flag)?))
    })??;
    let changes = done.changes.into_iter().map(|change| {
        let operation = change.operation.name();
        let (before, after, removed) = (change.before, change.after, change.removed);
        Py::new(py, PyChange { operation, before, after, removed })
    });
    Ok(PyStandardised {
        changes: changes.collect::<PyResult<_>>()?,
        molecule: Py::new(py, PyMolecule::from(done.molecule))?,
        status: done.status.as_str(),
    })
}

/// Standard SMILES of many molecules, made on all cores; the operations are those of
/// `standardise`. `timeout` is in seconds for each molecule, and what it stops counts as a fault.
/// With ``on_error="null"`` faults give ``None``.
///
/// Raises `SynthonError` for the first fault, with its place in the sequence as `argument`.
#[pyfunction]
#[pyo3(signature = (
    molecules, *, remove_atom_maps=false, cleanup=false, largest_fragment=false, neutralise=false,
    canonical_tautomer=false, timeout=Some(10.0), on_error="raise"
))]
#[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
pub(crate) fn standardise_many(
    py: Python<'_>,
    molecules: &Bound<'_, PyAny>,
    remove_atom_maps: bool,
    cleanup: bool,
    largest_fragment: bool,
    neutralise: bool,
    canonical_tautomer: bool,
    timeout: Option<f64>,
    on_error: &str,
) -> PyResult<Vec<Option<String>>> {
    let options =
        options(remove_atom_maps, cleanup, largest_fragment, neutralise, canonical_tautomer);
    let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
    let limit = timeout.map(duration).transpose()?;
    given::map(
        py,
        &given,
        on_error,
        || (),
        |(), molecule| {
            let mut budget = Budget::unlimited();
            if let Some(limit) = limit {
                budget = budget.with_time_limit(limit);
            }
            let done = run(molecule, &options, &mut budget);
            match budget.stopped() {
                None => Ok(done.molecule.to_smiles()),
                Some(_) => Err(synthon_tools::ToolError::tool(
                    "standardise.stopped",
                    "The time for this molecule is over",
                )
                .with_hint("give it more time")),
            }
        },
    )
}

/// A standardised molecule, and what was done to it.
#[pyclass(frozen, get_all, name = "Standardised", module = "synthon")]
pub(crate) struct PyStandardised {
    /// The molecule.
    molecule: Py<PyMolecule>,
    /// What each operation did, in order.
    changes: Vec<Py<PyChange>>,
    /// ``COMPLETED``, or what stopped the work first: ``TIMED_OUT``, or ``LIMIT_REACHED`` when
    /// the tautomer was chosen among as many as are looked at.
    status: &'static str,
}

#[pymethods]
impl PyStandardised {
    fn __repr__(&self) -> String {
        format!("<Standardised {}, {}>", self.molecule.get().molecule.to_smiles(), self.status)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let changes: Vec<_> = self.changes.iter().map(|change| change.clone_ref(py)).collect();
        reduced(py, "Standardised", (self.molecule.clone_ref(py), changes, self.status))
    }
}

impl PyStandardised {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (molecule, changes, status): (_, _, String) = parts.extract()?;
        Ok(PyStandardised { molecule, changes, status: pickle::status(&status)?.as_str() })
    }
}

/// What one operation did.
#[pyclass(frozen, get_all, name = "Change", module = "synthon")]
pub(crate) struct PyChange {
    /// Its name, such as ``largest_fragment``.
    operation: &'static str,
    /// Canonical SMILES before.
    before: String,
    /// Canonical SMILES after; the same when there was nothing to do.
    after: String,
    /// Canonical SMILES of the fragments that were taken away, if any.
    removed: Option<String>,
}

#[pymethods]
impl PyChange {
    fn __repr__(&self) -> String {
        format!("<Change by {}: {} to {}>", self.operation, self.before, self.after)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, "Change", (self.operation, &self.before, &self.after, &self.removed))
    }
}

impl PyChange {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (operation, before, after, removed): (String, _, _, _) = parts.extract()?;
        let operation = pickle::operation(&operation)?;
        Ok(PyChange { operation, before, after, removed })
    }
}

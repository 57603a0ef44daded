//! `synthon.Pattern`: SMARTS, or a molecule as a query.

use std::sync::Arc;
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use synthon_budget::{Budget, CancelFlag, Status, Stop};
use synthon_query::{
    ChemistryOptions, Embeddings, MatchOptions, Matcher, Pattern, Target, explain,
};

use crate::array::Array;
use crate::errors::Fault;
use crate::given::{self, OnError};
use crate::interrupt::interruptible;
use crate::molecule::tuple;
use crate::pickle::{self, reduced};

/// A SMARTS pattern, compiled once and matched often.
///
/// Raises `SynthonError` for a text that is no SMARTS.
#[pyclass(frozen, name = "Pattern", module = "synthon")]
pub(crate) struct PyPattern {
    pub(crate) pattern: Arc<Pattern>,
    made_of: MadeOf,
}

/// What a pattern is made anew of.
enum MadeOf {
    Smarts(String),
    Molecule { molecule: Py<PyAny>, options: [bool; 3] },
}

/// A budget of `timeout` seconds, or without limit.
pub(crate) fn budget(timeout: Option<f64>, flag: CancelFlag) -> PyResult<Budget> {
    let budget = Budget::unlimited().with_cancel_flag(flag);
    Ok(match timeout {
        None => budget,
        Some(seconds) => budget.with_time_limit(duration(seconds)?),
    })
}

/// Seconds as a duration; more than can be told is for ever.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        let message = format!("timeout is in seconds from 0, not {seconds}");
        return Err(pyo3::exceptions::PyValueError::new_err(message));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

fn stopped(_: Stop) -> PyErr {
    PyTimeoutError::new_err("the search was stopped before it knew")
}

#[pymethods]
impl PyPattern {
    #[new]
    pub(crate) fn new(py: Python<'_>, smarts: String) -> PyResult<Self> {
        match py.detach(|| Pattern::from_smarts(&smarts)) {
            Ok(pattern) => {
                Ok(PyPattern { pattern: Arc::new(pattern), made_of: MadeOf::Smarts(smarts) })
            }
            Err(error) => Err(error.raised(py)),
        }
    }

    /// A molecule as a query: its atoms match their element and charge, its bonds their order.
    /// `match_stereo`: stated stereo must agree. `ring_matches_ring_only`: ring atoms and bonds
    /// match only such. `complete_rings_only`: no ring is matched in part.
    #[staticmethod]
    #[pyo3(signature = (
        molecule, *, match_stereo=false, ring_matches_ring_only=false, complete_rings_only=false
    ))]
    fn from_molecule(
        molecule: &Bound<'_, PyAny>,
        match_stereo: bool,
        ring_matches_ring_only: bool,
        complete_rings_only: bool,
    ) -> PyResult<Self> {
        let given = given::molecule(molecule)?;
        let chemistry = ChemistryOptions {
            match_stereo,
            ring_matches_ring_only,
            complete_rings_only,
            ..ChemistryOptions::default()
        };
        let kept = crate::molecule::PyMolecule { molecule: Arc::clone(&given) };
        Ok(PyPattern {
            pattern: Arc::new(Pattern::from_molecule(&given, &chemistry)),
            made_of: MadeOf::Molecule {
                molecule: kept.into_py_any(molecule.py())?,
                options: [match_stereo, ring_matches_ring_only, complete_rings_only],
            },
        })
    }

    /// The text that it was made of; ``None`` for a molecule.
    #[getter]
    fn smarts(&self) -> Option<&str> {
        match &self.made_of {
            MadeOf::Smarts(text) => Some(text),
            MadeOf::Molecule { .. } => None,
        }
    }

    /// Number of its atoms, those of recursive parts not counted.
    #[getter]
    fn num_atoms(&self) -> usize {
        self.pattern.atoms().len()
    }

    /// Whether it matches a molecule. Raises `TimeoutError` when `timeout` (in seconds) ends the
    /// search before it knows.
    #[pyo3(signature = (molecule, *, timeout=None))]
    fn matches(
        &self,
        py: Python<'_>,
        molecule: &Bound<'_, PyAny>,
        timeout: Option<f64>,
    ) -> PyResult<bool> {
        let (molecule, options) = (given::molecule(molecule)?, self.options(false));
        interruptible(py, |flag| {
            let mut budget = budget(timeout, flag)?;
            let target = Target::new(&molecule);
            Matcher::new()
                .matches_within(&self.pattern, &target, &options, &mut budget)
                .map_err(stopped)
        })?
    }

    /// Where it matches first: the molecule's atom for each atom of the pattern, or ``None``.
    /// Raises `TimeoutError` as `matches` does.
    #[pyo3(signature = (molecule, *, induced=false, timeout=None))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        molecule: &Bound<'py, PyAny>,
        induced: bool,
        timeout: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (molecule, options) = (given::molecule(molecule)?, self.options(induced));
        let found = interruptible(py, |flag| {
            let mut budget = budget(timeout, flag)?;
            let target = Target::new(&molecule);
            Matcher::new()
                .first_within(&self.pattern, &target, &options, &mut budget)
                .map_err(stopped)
        })??;
        found.map(|map| tuple(py, &map)).transpose()
    }

    /// Everywhere that it matches, at most `limit` times, in a fixed order. `unique` keeps one
    /// match for each set of atoms; `induced` wants atoms without a bond in the pattern to have
    /// none in the molecule. `timeout` is in seconds; the answer says whether it is complete.
    #[pyo3(signature = (molecule, *, limit=1000, unique=false, induced=false, timeout=None))]
    fn find_all(
        &self,
        py: Python<'_>,
        molecule: &Bound<'_, PyAny>,
        limit: usize,
        unique: bool,
        induced: bool,
        timeout: Option<f64>,
    ) -> PyResult<PyMatches> {
        let (molecule, options) = (given::molecule(molecule)?, self.options(induced));
        let found = interruptible(py, |flag| -> PyResult<Embeddings> {
            let mut budget = budget(timeout, flag)?;
            let target = Target::new(&molecule);
            Ok(Matcher::new().all_within(&self.pattern, &target, &options, limit, &mut budget))
        })??;
        let found = if unique { found.unique() } else { found };
        let status = found.status();
        Ok(PyMatches { matches: found.iter().map(<[u32]>::to_vec).collect(), status })
    }

    /// Why it does not match a molecule: which of its atoms could not be placed, and what failed.
    /// Raises `TimeoutError` when `timeout` (in seconds) ends the search before it knows.
    #[pyo3(signature = (molecule, *, timeout=None))]
    fn explain(
        &self,
        py: Python<'_>,
        molecule: &Bound<'_, PyAny>,
        timeout: Option<f64>,
    ) -> PyResult<PyExplanation> {
        let (molecule, options) = (given::molecule(molecule)?, self.options(false));
        let told = interruptible(py, |flag| {
            let mut budget = budget(timeout, flag)?;
            explain(&self.pattern, &Target::new(&molecule), &options, &mut budget).map_err(stopped)
        })??;
        let text = told.to_string();
        let misses = told.misses.into_iter().map(|miss| PyMiss {
            atom: miss.atom,
            smarts: miss.smarts,
            reason: miss.reason.to_string(),
        });
        Ok(PyExplanation {
            matches: told.matches,
            placed: told.placed,
            misses: misses.map(|miss| Py::new(py, miss)).collect::<PyResult<_>>()?,
            text,
        })
    }

    /// Whether it matches each of many molecules, on all cores; an array of truths. With
    /// ``on_error="null"`` what cannot be read does not match.
    #[pyo3(signature = (molecules, *, on_error="raise"))]
    fn matches_many<'py>(
        &self,
        py: Python<'py>,
        molecules: &Bound<'py, PyAny>,
        on_error: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (given, on_error) = (given::molecules(molecules)?, OnError::from_name(on_error)?);
        let options = self.options(false);
        let found = given::map(py, &given, on_error, Matcher::new, |matcher, molecule| {
            let mut budget = Budget::unlimited();
            let target = Target::new(molecule);
            Ok(matcher
                .matches_within(&self.pattern, &target, &options, &mut budget)
                .unwrap_or_default())
        })?;
        Array::bools(found.into_iter().map(|found| found == Some(true)).collect()).into_numpy(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &self.made_of {
            MadeOf::Smarts(text) => format!("Pattern('{text}')"),
            MadeOf::Molecule { molecule, .. } => {
                format!("Pattern.from_molecule({})", molecule.bind(py).repr()?)
            }
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import("synthon._native")?;
        match &self.made_of {
            MadeOf::Smarts(text) => (module.getattr("Pattern")?, (text,)).into_bound_py_any(py),
            MadeOf::Molecule { molecule, options } => {
                let made = module.getattr("pattern_of_molecule")?;
                let [stereo, rings, complete] = *options;
                (made, (molecule, stereo, rings, complete)).into_bound_py_any(py)
            }
        }
    }
}

impl PyPattern {
    fn options(&self, induced: bool) -> MatchOptions {
        let complete_rings_only =
            matches!(&self.made_of, MadeOf::Molecule { options: [.., true], .. });
        MatchOptions { induced, complete_rings_only }
    }
}

/// What a pickled pattern of a molecule is made of.
#[pyfunction]
pub(crate) fn pattern_of_molecule(
    molecule: &Bound<'_, PyAny>,
    match_stereo: bool,
    ring_matches_ring_only: bool,
    complete_rings_only: bool,
) -> PyResult<PyPattern> {
    PyPattern::from_molecule(molecule, match_stereo, ring_matches_ring_only, complete_rings_only)
}

/// Where a pattern matches: a sequence of tuples, each with the molecule's atom for each atom of
/// the pattern.
#[pyclass(frozen, sequence, name = "Matches", module = "synthon")]
pub(crate) struct PyMatches {
    matches: Vec<Vec<u32>>,
    status: Status,
}

#[pymethods]
impl PyMatches {
    /// ``COMPLETED``, or what stopped the search: ``TIMED_OUT``, ``LIMIT_REACHED``.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.as_str()
    }

    /// Whether these are all matches.
    #[getter]
    fn complete(&self) -> bool {
        self.status == Status::Completed
    }

    fn __len__(&self) -> usize {
        self.matches.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        tuple(py, &self.matches[place(index, self.matches.len())?])
    }

    fn __repr__(&self) -> String {
        format!("<{} matches, {}>", self.matches.len(), self.status())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, "Matches", (self.matches.clone(), self.status()))
    }
}

impl PyMatches {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (matches, status): (_, String) = parts.extract()?;
        Ok(PyMatches { matches, status: pickle::status(&status)? })
    }
}

/// A place in a sequence, counted from the end where negative.
pub(crate) fn place(index: isize, len: usize) -> PyResult<usize> {
    let place = if index < 0 { index + len as isize } else { index };
    usize::try_from(place)
        .ok()
        .filter(|&place| place < len)
        .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("there is no such element"))
}

/// Why a pattern matches or not; ``str()`` says it in words.
#[pyclass(frozen, name = "Explanation", module = "synthon")]
pub(crate) struct PyExplanation {
    /// Whether it matches: there is nothing to explain then.
    #[pyo3(get)]
    matches: bool,
    /// The largest part that could be placed: atom of the pattern, atom of the molecule.
    #[pyo3(get)]
    placed: Vec<(usize, usize)>,
    /// The atoms that could not be placed.
    #[pyo3(get)]
    misses: Vec<Py<PyMiss>>,
    text: String,
}

#[pymethods]
impl PyExplanation {
    fn __bool__(&self) -> bool {
        self.matches
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let misses: Vec<_> = self.misses.iter().map(|miss| miss.clone_ref(py)).collect();
        reduced(py, "Explanation", (self.matches, self.placed.clone(), misses, &self.text))
    }
}

impl PyExplanation {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (matches, placed, misses, text) = parts.extract()?;
        Ok(PyExplanation { matches, placed, misses, text })
    }
}

/// An atom of a pattern that could not be placed.
#[pyclass(frozen, get_all, name = "Miss", module = "synthon")]
pub(crate) struct PyMiss {
    /// The atom of the pattern.
    atom: usize,
    /// Its expression as SMARTS.
    smarts: String,
    /// Why, in words.
    reason: String,
}

#[pymethods]
impl PyMiss {
    fn __repr__(&self) -> String {
        format!("<Miss of atom {} [{}]: {}>", self.atom, self.smarts, self.reason)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduced(py, "Miss", (self.atom, &self.smarts, &self.reason))
    }
}

impl PyMiss {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (atom, smarts, reason) = parts.extract()?;
        Ok(PyMiss { atom, smarts, reason })
    }
}

//! What counts as a molecule, or as many: SMILES, our molecules, RDKit's.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};
use rayon::prelude::*;
use synthon_budget::CancelFlag;
use synthon_mol::{Molecule, MoleculeBuilder};
use synthon_tools::ToolError;

use crate::errors::{self, Fault};
use crate::molecule::PyMolecule;
use crate::threads::on_all_cores;

/// A molecule that was given, before its text is read.
pub(crate) enum Given {
    Text(String),
    Read(Arc<Molecule>),
    /// `None`, or the not-a-number or pandas' `NA` that stands for it in tables.
    Missing,
}

impl Given {
    /// Takes an object for a molecule.
    ///
    /// # Errors
    /// `TypeError` for an object of another kind; what reading an RDKit molecule raises.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Given::Text(text.to_cow()?.into_owned()));
        }
        if let Ok(molecule) = object.cast::<PyMolecule>() {
            return Ok(Given::Read(Arc::clone(&molecule.get().molecule)));
        }
        let missing = |number: &Bound<'_, PyFloat>| number.value().is_nan();
        if object.is_none() || object.cast::<PyFloat>().is_ok_and(missing) {
            return Ok(Given::Missing);
        }
        let class = object.get_type();
        let module = class.module()?;
        if module.to_cow()?.starts_with("pandas.") && class.name()?.to_cow()? == "NAType" {
            return Ok(Given::Missing);
        }
        if module.to_cow()?.starts_with("rdkit.") {
            return Ok(Given::Read(Arc::new(from_rdkit(object)?)));
        }
        Err(PyTypeError::new_err(format!(
            "a molecule is SMILES, a synthon.Molecule or an RDKit Mol, not {}",
            object.get_type().name()?
        )))
    }

    /// The molecule.
    pub(crate) fn read(&self) -> Result<Arc<Molecule>, ToolError> {
        match self {
            Given::Text(text) => {
                Molecule::from_smiles(text).map(Arc::new).map_err(|error| error.told())
            }
            Given::Read(molecule) => Ok(Arc::clone(molecule)),
            Given::Missing => Err(ToolError::tool("molecule.missing", "No molecule is given")),
        }
    }
}

/// The one molecule that an argument gives.
pub(crate) fn molecule(object: &Bound<'_, PyAny>) -> PyResult<Arc<Molecule>> {
    Given::new(object)?.read().map_err(|fault| errors::raise(object.py(), &fault))
}

/// The molecules that a sequence gives: a list, a column of a table, an array.
pub(crate) fn molecules(object: &Bound<'_, PyAny>) -> PyResult<Vec<Given>> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("a sequence of molecules is wanted, not one text"));
    }
    // Elements of Arrow's arrays are no Python values of their own.
    let object = match object.getattr_opt("to_pylist")? {
        Some(to_list) => to_list.call0()?,
        None => object.clone(),
    };
    object.try_iter()?.map(|item| Given::new(&item?)).collect()
}

/// What becomes of molecules that cannot be read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnError {
    Raise,
    Null,
}

impl OnError {
    pub(crate) fn from_name(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(OnError::Raise),
            "null" => Ok(OnError::Null),
            _ => Err(PyValueError::new_err(format!("on_error is raise or null, not {name}"))),
        }
    }
}

/// Does `work` for each molecule, on all cores and in order; `None` where a molecule cannot be
/// read or `work` fails.
///
/// # Errors
/// The first such fault, with the place in the sequence as its argument, when they are raised.
pub(crate) fn map<S, T: Send>(
    py: Python<'_>,
    given: &[Given],
    on_error: OnError,
    start: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, &Molecule) -> Result<T, ToolError> + Send + Sync,
) -> PyResult<Vec<Option<T>>> {
    let one = |state: &mut S, index: usize, flag: &CancelFlag| -> Result<Option<T>, ToolError> {
        if flag.is_cancelled() {
            return Ok(None);
        }
        match given[index].read().and_then(|molecule| work(state, &molecule)) {
            Ok(done) => Ok(Some(done)),
            Err(_) if on_error == OnError::Null => Ok(None),
            Err(fault) => Err(fault.about(format!("molecules[{index}]"))),
        }
    };
    let done = on_all_cores(py, |flag| {
        (0..given.len())
            .into_par_iter()
            .with_min_len(16)
            .map_init(&start, |state, index| one(state, index, flag))
            .collect::<Vec<Result<Option<T>, ToolError>>>()
    })?;
    done.into_iter()
        .collect::<Result<Vec<Option<T>>, ToolError>>()
        .map_err(|fault| errors::raise(py, &fault))
}

/// An RDKit molecule, with its atoms in RDKit's order.
fn from_rdkit(object: &Bound<'_, PyAny>) -> PyResult<Molecule> {
    let py = object.py();
    let (text, order): (String, Vec<usize>) =
        py.import("synthon._rdkit")?.call_method1("written", (object,))?.extract()?;
    from_ordered(py, &text, &order)
}

/// Reads SMILES whose atoms, in the order of the text, are to get these places.
///
/// # Errors
/// A text that is no molecule; an order that is none of its atoms.
pub(crate) fn from_ordered(py: Python<'_>, text: &str, order: &[usize]) -> PyResult<Molecule> {
    let read = match order {
        // The scaffold of a chain has no atoms, and no SMILES.
        [] => MoleculeBuilder::new().build(),
        _ => Molecule::from_smiles(text),
    };
    let read = read.map_err(|error| error.raised(py))?;
    let mut places = vec![None; read.atom_count()];
    for (atom, &place) in order.iter().enumerate() {
        if let Some(at @ None) = places.get_mut(place) {
            *at = Some(atom);
        }
    }
    let Some(places) = places.into_iter().collect::<Option<Vec<usize>>>() else {
        return Err(PyValueError::new_err("the order does not name each atom once"));
    };
    if places.iter().enumerate().all(|(place, &atom)| place == atom) {
        return Ok(read);
    }
    // Bonds keep their order, on which the meaning of stereo marks rests.
    let from = read.to_builder();
    let mut builder = MoleculeBuilder::with_capacity(read.atom_count(), read.bond_count());
    for &atom in &places {
        builder.add_atom(from.atoms()[atom]);
    }
    for bond in from.bonds() {
        let [begin, end] = [bond.begin, bond.end].map(|atom| order[atom as usize]);
        let added = builder.add_bond(begin, end, bond.order);
        builder.bond_mut(added).stereo = bond.stereo;
    }
    builder.build().map_err(|error| error.raised(py))
}

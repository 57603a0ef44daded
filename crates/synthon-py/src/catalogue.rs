//! Template libraries and stocks of the caller's own, for the planning tools.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use synthon_mol::Molecule;
use synthon_stock::Stock;
use synthon_tools::{
    CallContext, Catalogue, DEFAULT_CALL_TIMEOUT, FoundRoute, ToolError, audit_given_route,
    routes_in,
};

use crate::errors::{self, bad_argument};
use crate::given::{self, OnError};
use crate::interrupt::interruptible;
use crate::pattern::duration;
use crate::tools::call_within;

/// What tools may ask for by name: the shipped library and stock, and those that are added.
#[pyclass(frozen, name = "Catalogue", module = "synthon._native")]
pub(crate) struct PyCatalogue {
    catalogue: Catalogue,
}

#[pymethods]
impl PyCatalogue {
    /// `stocks` are names with files, in any form that the command line reads, or sequences of
    /// molecules; `libraries` are names with files or folders of templates. A name that is
    /// configured already stands for what it is the name of.
    #[new]
    #[pyo3(signature = (stocks, libraries))]
    fn new(
        py: Python<'_>,
        stocks: Vec<(String, Bound<'_, PyAny>)>,
        libraries: Vec<(String, PathBuf)>,
    ) -> PyResult<Self> {
        let mut catalogue = Catalogue::shipped();
        for (name, source) in stocks {
            let stock = match source.extract::<PathBuf>() {
                Ok(_) if catalogue.stock_names().contains(&name.as_str()) => continue,
                Ok(path) => stock_in(py, &name, &path)?,
                Err(_) => stock_of(py, &name, &source)?,
            };
            catalogue.add_stock(&name, move || Ok(stock.clone()));
        }
        for (name, path) in libraries {
            if catalogue.library_names().contains(&name.as_str()) {
                continue;
            }
            let read = py.detach(|| synthon_cli::read_library(&name, &path));
            let library = read.map_err(|reason| unreadable(py, "library", &name, &reason))?;
            catalogue.add_library(&name, move || Ok(library.clone()));
        }
        Ok(PyCatalogue { catalogue })
    }

    /// Runs a tool with these libraries and stocks; no list is cut.
    #[pyo3(signature = (name, arguments, timeout=None))]
    fn call_tool<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: &Bound<'py, PyAny>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        call_within(py, &self.catalogue, name, arguments, timeout, true)
    }

    /// Reads a route that was planned elsewhere and audits it: `target`, `steps`, `leaves`,
    /// `reasons` (what is wrong or open), and `route`, the same with all its figures, which is
    /// ``None`` unless the library knows every step. The `rule` of an unknown step is ``None``.
    #[pyo3(signature = (route, library, stock, timeout=None))]
    fn read_route<'py>(
        &self,
        py: Python<'py>,
        route: &Bound<'py, PyAny>,
        library: &str,
        stock: &str,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let given = crate::json::from_python(route)?.unwrap_or(Value::Null);
        let found = routes_in(&given);
        let [FoundRoute { target: Some(smiles), route, .. }] = &found[..] else {
            let found = found.len();
            let sentence = format!("One route is wanted, and {found} can be read");
            let hint = "give the object of one route, with the molecule that it makes";
            return Err(bad_argument(py, "route", sentence, hint));
        };
        let timeout = timeout.map_or(Ok(DEFAULT_CALL_TIMEOUT), duration)?;
        let audit = interruptible(py, |flag| {
            let context = CallContext::limited(&self.catalogue, timeout, flag);
            audit_given_route(&context, library, stock, smiles, route)
        })?;
        let audit = audit.map_err(|error| errors::raise(py, &error))?;
        let target = audit.steps.first().map(|step| step.target.clone());
        let steps = audit.steps.iter().map(|step| match &step.known {
            Some(known) => json!(known),
            None => json!({
                "target": step.target,
                "precursors": step.precursors,
                "rule": null,
                "balanced": step.atom_balanced,
            }),
        });
        let told = json!({
            "target": target,
            "steps": steps.collect::<Vec<Value>>(),
            "leaves": audit.leaves,
            "reasons": audit.reasons,
            "route": audit.route,
        });
        let Value::Object(told) = told else { unreachable!("an object was written") };
        crate::json::object(py, &told)
    }
}

fn unreadable(py: Python<'_>, kind: &str, name: &str, reason: &str) -> PyErr {
    let fault = ToolError::tool(
        format!("{kind}.unreadable"),
        format!("The {kind} {name} cannot be read: {reason}"),
    );
    errors::raise(py, &fault.about(kind))
}

fn stock_in(py: Python<'_>, name: &str, path: &Path) -> PyResult<Stock> {
    let read = py.detach(|| synthon_cli::read_stock(name, path));
    let (stock, report) = read.map_err(|reason| unreadable(py, "stock", name, &reason))?;
    if let [first, ..] = &report.bad_lines[..] {
        let told = format!(
            "{name}: {} of {} lines gave no molecule; the first is line {}: {}",
            report.bad, report.lines, first.line, first.reason
        );
        let told = CString::new(told.replace('\0', " ")).expect("no zero bytes are left");
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &told, 2)?;
    }
    Ok(stock)
}

fn stock_of(py: Python<'_>, name: &str, source: &Bound<'_, PyAny>) -> PyResult<Stock> {
    let given = given::molecules(source)?;
    let read = given::map(py, &given, OnError::Raise, || (), |(), molecule| Ok(molecule.clone()))?;
    let molecules: Vec<Molecule> = read.into_iter().flatten().collect();
    Stock::from_molecules(name, &molecules)
        .map_err(|error| unreadable(py, "stock", name, &error.to_string()))
}

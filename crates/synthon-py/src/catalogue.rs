//! Template libraries and stocks of the caller's own, for the planning tools.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use synthon_library::{Library, LibraryLimits};
use synthon_mol::Molecule;
use synthon_stock::{CsvColumns, LoadOptions, Stock};
use synthon_tools::{Catalogue, ToolError};

use crate::errors;
use crate::given::{self, OnError};
use crate::tools::call_within;

/// What tools may ask for by name: the shipped library and stock, and those that are added.
#[pyclass(frozen, name = "Catalogue", module = "synthon._native")]
pub(crate) struct PyCatalogue {
    catalogue: Catalogue,
}

#[pymethods]
impl PyCatalogue {
    /// `stocks` maps names to files (SMILES, or CSV with a column ``smiles``) or sequences of
    /// molecules, `libraries` maps names to files or folders of templates.
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
                Ok(path) => py
                    .detach(|| read_stock(&name, &path))
                    .map_err(|reason| unreadable(py, "stock", &name, &reason))?,
                Err(_) => stock_of(py, &name, &source)?,
            };
            catalogue.add_stock(&name, move || Ok(stock.clone()));
        }
        for (name, path) in libraries {
            let limits = LibraryLimits::default();
            let library = py
                .detach(|| Library::from_path(&name, &path, &limits))
                .map_err(|error| unreadable(py, "library", &name, &error.to_string()))?;
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
}

fn unreadable(py: Python<'_>, kind: &str, name: &str, reason: &str) -> PyErr {
    let fault = ToolError::tool(
        format!("{kind}.unreadable"),
        format!("The {kind} {name} cannot be read: {reason}"),
    );
    errors::raise(py, &fault.about(kind))
}

fn read_stock(name: &str, path: &PathBuf) -> Result<Stock, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let options = LoadOptions::default();
    let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let read = if is_csv {
        Stock::from_csv(name, file, &CsvColumns::smiles("smiles"), &options)
    } else {
        Stock::from_smiles_lines(name, BufReader::new(file), &options)
    };
    read.map(|(stock, _)| stock).map_err(|error| error.to_string())
}

fn stock_of(py: Python<'_>, name: &str, source: &Bound<'_, PyAny>) -> PyResult<Stock> {
    let given = given::molecules(source)?;
    let read = given::map(py, &given, OnError::Raise, || (), |(), molecule| Ok(molecule.clone()))?;
    let molecules: Vec<Molecule> = read.into_iter().flatten().collect();
    Stock::from_molecules(name, &molecules)
        .map_err(|error| unreadable(py, "stock", name, &error.to_string()))
}

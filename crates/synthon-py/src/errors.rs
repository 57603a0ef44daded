//! Faults of the engine as the exceptions of the package.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use synthon_corpus::CorpusError;
use synthon_depict::DepictError;
use synthon_fp::FpError;
use synthon_mcs::McsError;
use synthon_mol::MolError;
use synthon_query::QueryError;
use synthon_records::{RecordError, RecordsError};
use synthon_toolkit::ToolkitError;
use synthon_tools::ToolError;

/// The `synthon.SynthonError` of a fault.
pub(crate) fn raise(py: Python<'_>, fault: &ToolError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let hint = fault.hint().or(fault.accepted());
    let made = CLASS.import(py, "synthon.errors", "SynthonError").and_then(|class| {
        let (argument, position) = (fault.argument_name(), fault.position());
        class.call1((fault.short(), fault.code(), argument, position, hint))
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An argument of a method that cannot be.
pub(crate) fn bad_argument(py: Python<'_>, name: &str, sentence: String, hint: &str) -> PyErr {
    raise(py, &ToolError::argument("argument.choice", sentence).about(name).with_hint(hint))
}

/// A fault of a library crate, told as the tools tell it.
pub(crate) trait Fault {
    /// The same as a fault of a tool.
    fn told(&self) -> ToolError;

    /// The same as an exception.
    fn raised(&self, py: Python<'_>) -> PyErr {
        raise(py, &self.told())
    }
}

fn with_hint(fault: ToolError, hint: Option<&str>) -> ToolError {
    match hint {
        Some(hint) => fault.with_hint(hint),
        None => fault,
    }
}

impl Fault for ToolError {
    fn told(&self) -> ToolError {
        self.clone()
    }
}

impl Fault for MolError {
    fn told(&self) -> ToolError {
        ToolError::from_molecule("molecule", self)
    }
}

impl Fault for QueryError {
    fn told(&self) -> ToolError {
        let fault = ToolError::tool(self.code(), self.message()).about("pattern");
        with_hint(fault.at(self.span().start), self.hint())
    }
}

impl Fault for McsError {
    fn told(&self) -> ToolError {
        ToolError::tool(self.code(), self.to_string())
    }
}

impl Fault for RecordError {
    fn told(&self) -> ToolError {
        let fault =
            ToolError::tool(self.code(), format!("line {}: {}", self.line(), self.message()));
        let fault = with_hint(fault, self.hint());
        match self.position() {
            Some(position) => fault.at(position),
            None => fault,
        }
    }
}

macro_rules! plain_faults {
    ($($Error:ty),*) => {$(
        impl Fault for $Error {
            fn told(&self) -> ToolError {
                with_hint(ToolError::tool(self.code(), self.message()), self.hint())
            }
        }
    )*};
}

plain_faults!(CorpusError, DepictError, FpError, RecordsError, ToolkitError);

//! The programs `synthon` and `synthon-mcp`, run inside the interpreter that was asked for them.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs `synthon` with these arguments, the program's name first, and returns its exit status.
#[pyfunction]
pub(crate) fn run_synthon(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| synthon_cli::synthon(arguments))
}

/// Runs `synthon-mcp` likewise.
#[pyfunction]
pub(crate) fn run_synthon_mcp(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| synthon_cli::synthon_mcp(arguments))
}

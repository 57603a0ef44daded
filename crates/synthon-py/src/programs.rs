//! The programs `synthon` and `synthon-mcp`, run inside the interpreter that was asked for them.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use synthon_cli::Programs;

/// Runs `synthon` with these arguments, the program's name first, and returns its exit status.
/// `own` is where the program lies, and `server` the words that start the server.
#[pyfunction]
pub(crate) fn run_synthon(
    py: Python<'_>,
    arguments: Vec<OsString>,
    own: PathBuf,
    server: Vec<String>,
) -> u8 {
    let programs = Programs { own: Some(own), server };
    py.detach(|| synthon_cli::synthon_among(arguments, &programs))
}

/// Runs `synthon-mcp` likewise.
#[pyfunction]
pub(crate) fn run_synthon_mcp(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| synthon_cli::synthon_mcp(arguments))
}

//! `cargo xtask bench-package`: times of the Python package.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{python, workspace};

/// Builds the package as it is released, and runs `benchmarks/package.py` on the molecules of a
/// file: the one given, else the 100,000 of the reference data, else the benchmark's own.
pub fn run(arguments: &[String]) -> Result<()> {
    let folder = workspace::root().join("benchmarks");
    let Some(python) = python::environment("venv-package", &folder.join("package.txt"))? else {
        return Ok(());
    };
    python::install_package(&python, true)?;
    let molecules = match (arguments.first(), workspace::shared_data()?) {
        (Some(file), _) => PathBuf::from(file),
        (None, Some(shared)) => shared.join("smiles/pubchem_100k.smi.gz"),
        (None, None) => folder.join("molecules.smi"),
    };
    let example = ["build", "--quiet", "--release", "--package", "benchmarks", "--example", "bulk"];
    workspace::run(workspace::cargo().args(example))?;
    let bulk = workspace::target().join("release/examples/bulk");
    let bulk = bulk.with_extension(env::consts::EXE_EXTENSION);
    workspace::run(Command::new(python).arg(folder.join("package.py")).arg(molecules).arg(bulk))
}

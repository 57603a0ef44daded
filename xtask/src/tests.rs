//! `cargo xtask test`: every test of the project.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{python, workspace};

/// Rust tests of all crates, then the Python tests; `--rust` or `--python` runs one part.
pub fn run(arguments: &[String]) -> Result<()> {
    let (mut rust, mut python) = (true, true);
    for argument in arguments {
        match argument.as_str() {
            "--rust" => python = false,
            "--python" => rust = false,
            other => bail!("`cargo xtask test` takes --rust or --python, not `{other}`"),
        }
    }
    if rust {
        workspace::run(workspace::cargo().args(["test", "--workspace"]))?;
    }
    if python {
        run_python()?;
    }
    Ok(())
}

/// The Python tests drive the built programs from outside, as a client would, and import the
/// package.
fn run_python() -> Result<()> {
    let tests = workspace::root().join("python/tests");
    if !has_tests(&tests) {
        eprintln!("notice: there are no Python tests");
        return Ok(());
    }
    let Some(python) = python::environment("venv", &tests.join("requirements.txt"))? else {
        return Ok(());
    };
    workspace::run(workspace::cargo().args(["build", "--package", "synthon-cli"]))?;
    let synthon = workspace::target().join("debug").join(if cfg!(windows) {
        "synthon.exe"
    } else {
        "synthon"
    });
    python::install_package(&python, false)?;
    workspace::run(
        Command::new(python)
            .current_dir(workspace::root())
            .env("SYNTHON_BIN", synthon)
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .arg(&tests),
    )
    .context("Python tests")
}

fn has_tests(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("test_") && name.ends_with(".py")
    })
}

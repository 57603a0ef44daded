//! Virtual environments that the project makes itself, from pinned requirements.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::workspace;

const OLDEST: (u32, u32) = (3, 10);

/// A virtual environment at `target/NAME` with what `requirements` pins.
///
/// `None` when the package index cannot be reached and that is no failure (outside CI); a notice
/// has been printed then.
pub fn environment(name: &str, requirements: &Path) -> Result<Option<PathBuf>> {
    let folder = workspace::target().join(name);
    let python = interpreter(&folder);
    let stamp = folder.join("requirements.installed");
    let wanted = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Some(python));
    }
    eprintln!("making the Python environment {}", folder.display());
    let base = find_python()?;
    let made = Command::new(&base).args(["-m", "venv", "--clear"]).arg(&folder).output()?;
    if !made.status.success() {
        bail!(
            "`{base} -m venv` failed; on Debian and Ubuntu it needs the package python3-venv\n{}",
            String::from_utf8_lossy(&made.stderr)
        );
    }
    let install = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--retries", "2", "--timeout", "20", "--requirement"])
        .arg(requirements)
        .output()?;
    if !install.status.success() {
        let said = String::from_utf8_lossy(&install.stderr);
        if !workspace::in_ci() && is_unreachable(&said) {
            eprintln!("notice: the Python package index cannot be reached; skipped");
            return Ok(None);
        }
        bail!("cannot install {}:\n{said}", requirements.display());
    }
    fs::write(&stamp, wanted)?;
    Ok(Some(python))
}

/// Builds the Python package, with the profile of the tests or of releases, and installs it for
/// `python`, whose environment holds maturin.
pub fn install_package(python: &Path, release: bool) -> Result<()> {
    let wheels = workspace::target().join(if release { "wheels" } else { "wheels-dev" });
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let mut build = maturin(python);
    build.args(["build", "--auditwheel", "skip", "--compression-level", "1", "--out"]).arg(&wheels);
    if release {
        build.arg("--release");
    }
    workspace::run(&mut build)?;
    let wheel = only_wheel(&wheels)?;
    workspace::run(
        Command::new(python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(["--no-index", "--no-deps", "--force-reinstall"])
            .arg(&wheel),
    )
}

/// Writes what the package index gets, the wheel and the source, into `folder`; the wheel's path.
///
/// A wheel for publishing is built by zig against the glibc of manylinux2014, where this is Linux;
/// in a dry run it is the development build.
pub fn release_files(python: &Path, folder: &Path, dry: bool) -> Result<PathBuf> {
    let mut build = maturin(python);
    build.args(["build", "--out"]).arg(folder);
    if dry {
        build.args(["--auditwheel", "skip", "--compression-level", "1"]);
    } else {
        build.arg("--release");
        if cfg!(target_os = "linux") {
            let zig = "ziglang==0.15.2";
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", zig];
            workspace::run(Command::new(python).args(pip))?;
            build.args(["--zig", "--compatibility", "manylinux2014"]);
            // It is looked for as a module of the python on the path.
            let own = python.parent().context("the environment has a folder of programs")?;
            let path = env::var_os("PATH").unwrap_or_default();
            let folders = std::iter::once(own.to_path_buf()).chain(env::split_paths(&path));
            build.env("PATH", env::join_paths(folders)?);
        }
    }
    workspace::run(&mut build)?;
    workspace::run(maturin(python).args(["sdist", "--out"]).arg(folder))?;
    only_wheel(folder)
}

/// The pinned maturin of an environment, run in the workspace.
fn maturin(python: &Path) -> Command {
    // Run by path: it is then the one that is pinned, and cargo is the one that runs this.
    let program = python.with_file_name(if cfg!(windows) { "maturin.exe" } else { "maturin" });
    let mut command = workspace::without_package(Command::new(program));
    command.current_dir(workspace::root());
    command
}

fn only_wheel(folder: &Path) -> Result<PathBuf> {
    let mut wheels = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let wheel = wheels.find(|path| path.extension().is_some_and(|ending| ending == "whl"));
    wheel.context("maturin built no wheel")
}

/// pip repeats failed connections and says so; a wrong pin fails without that line.
fn is_unreachable(said: &str) -> bool {
    ["Retrying (", "NewConnectionError", "ConnectTimeout", "Temporary failure in name resolution"]
        .iter()
        .any(|sign| said.contains(sign))
}

fn interpreter(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}

fn find_python() -> Result<String> {
    let mut found = Vec::new();
    for name in ["python3", "python", "python3.13", "python3.12", "python3.11", "python3.10"] {
        let Ok(output) = Command::new(name)
            .args(["-c", "import sys; print(sys.version_info[0], sys.version_info[1])"])
            .output()
        else {
            continue;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text.split_whitespace().map(str::parse::<u32>);
        if let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) {
            if (major, minor) >= OLDEST {
                return Ok(name.to_string());
            }
            found.push(format!("{name} is {major}.{minor}"));
        }
    }
    bail!("Python {}.{} or later is needed; found: [{}]", OLDEST.0, OLDEST.1, found.join(", "))
}

#[cfg(test)]
mod tests {
    use super::is_unreachable;

    #[test]
    fn a_wrong_pin_is_not_taken_for_a_missing_network() {
        let offline = "WARNING: Retrying (Retry(total=1, connect=None)) after connection broken\n\
                       ERROR: No matching distribution found for pytest==9.0.2";
        let wrong_pin = "ERROR: No matching distribution found for pytest==99.0";
        assert!(is_unreachable(offline) && !is_unreachable(wrong_pin));
    }
}

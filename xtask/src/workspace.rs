//! Where things are, and how commands are run.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Root folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in a folder of the workspace")
        .to_path_buf()
}

/// Cargo's output folder.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Whether missing tools and data are failures rather than reasons to skip.
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// The `cargo` that runs this program.
pub fn cargo() -> Command {
    let mut command =
        without_package(Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into())));
    command.current_dir(root());
    command
}

/// A command that runs cargo and is not to hear of the package of this program.
pub fn without_package(mut command: Command) -> Command {
    // The alias runs this program with the environment of its own package.
    for (key, _) in env::vars_os() {
        if key.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(key);
        }
    }
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_PATH");
    command
}

/// Says what is run, runs it, and fails when it fails.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", describe(command));
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", command.get_program().to_string_lossy()))?;
    if !status.success() {
        bail!("`{}` failed ({status})", describe(command));
    }
    Ok(())
}

/// Standard output of a command that must succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        bail!(
            "`{}` failed ({}):\n{}",
            describe(command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    String::from_utf8(output.stdout).context("output is not UTF-8")
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// The shared reference data (`$SYNTHON_SHARED`, or `../shared` beside the clone). Without it
/// the answer is `None`, or an error where everything has to run (CI).
pub fn shared_data() -> Result<Option<PathBuf>> {
    let folder = match env::var_os("SYNTHON_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared"),
    };
    let data = folder.join("data");
    if data.is_dir() {
        return Ok(Some(data.canonicalize()?));
    }
    if in_ci() {
        bail!("no reference data at {} (set SYNTHON_SHARED)", data.display());
    }
    eprintln!("notice: no reference data at {} (set SYNTHON_SHARED); skipped", data.display());
    Ok(None)
}

/// Builds a program of a package with the release profile and returns its path.
pub fn release_program(package: &str, name: &str) -> Result<PathBuf> {
    run(cargo().args(["build", "--quiet", "--release", "--package", package, "--bin", name]))?;
    Ok(target().join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// Builds a program of a package with the profile of the tests and returns its path.
pub fn dev_program(package: &str, name: &str) -> Result<PathBuf> {
    run(cargo().args(["build", "--quiet", "--package", package, "--bin", name]))?;
    Ok(target().join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

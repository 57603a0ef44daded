//! `cargo xtask release`: everything that a release publishes, in one folder with its checksums.
//!
//! Nothing is uploaded. `--dry-run` is for every change: development builds, an open section in
//! the changelog and changed files are allowed, and the rest is as for a release.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{bundle, python, workspace};

/// What crates.io and PyPI take of one file at most, in bytes.
const LARGEST_CRATE: u64 = 10 << 20;
const LARGEST_WHEEL: u64 = 40 << 20;

pub fn run(arguments: &[String]) -> Result<()> {
    let mut dry = false;
    let mut bundle_words = Vec::new();
    for word in arguments {
        match word.as_str() {
            "--dry-run" => dry = true,
            other => bundle_words.push(other.to_owned()),
        }
    }
    let named = bundle::Named::parse(&bundle_words)?;
    let version = version(dry)?;
    let requirements = workspace::root().join("python/tests/requirements.txt");
    let Some(python) = python::environment("venv", &requirements)? else { return Ok(()) };

    let folder = workspace::target().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    crates(&folder, dry)?;
    let wheel = python::release_files(&python, &folder, dry)?;
    bill_of_materials(&python, &wheel, &folder, &version)?;
    bundle::write(&named, &folder, dry)?;
    fs::copy(workspace::root().join("packaging/Containerfile"), folder.join("Containerfile"))?;
    let files = checksums(&folder)?;

    println!("{version} in {}:", folder.display());
    for (name, size) in &files {
        println!("{size:>12}  {name}");
    }
    if dry {
        println!("a dry run: development builds, not for publishing");
    } else {
        println!(
            "publish: git tag v{version}; cargo publish --workspace; twine upload of wheel and \
             source; the bundle to the address in server.json, then server.json to the registry"
        );
    }
    Ok(())
}

/// The one version: the workspace's, which every crate of ours is asked for with, and which the
/// changelog has a section for.
fn version(dry: bool) -> Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let manifest = fs::read_to_string(workspace::root().join("Cargo.toml"))?;
    let strays: Vec<&str> = manifest
        .lines()
        .filter(|line| line.starts_with("synthon-") && line.contains("version ="))
        .filter(|line| !line.contains(&format!("version = \"{version}\"")))
        .collect();
    ensure!(strays.is_empty(), "not version {version} in Cargo.toml:\n{}", strays.join("\n"));
    let changelog = fs::read_to_string(workspace::root().join("CHANGELOG.md"))?;
    let section = changelog.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    let heading = section.trim_start_matches("## ");
    let good = heading.split_whitespace().next() == Some(version);
    ensure!(
        good || (dry && heading == "Unreleased"),
        "the newest section of CHANGELOG.md is `{heading}`; a release needs `## {version} (DATE)`"
    );
    Ok(version.to_owned())
}

/// Packs all crates that are published, in the order in which they must be.
fn crates(folder: &Path, dry: bool) -> Result<()> {
    let packages = workspace::target().join("package");
    if packages.exists() {
        fs::remove_dir_all(&packages)?;
    }
    // Compiling each from its package would build the workspace once more; that no file is
    // missing shows when the source distribution below is built by a user.
    let mut publish = workspace::cargo();
    publish.args(["publish", "--quiet", "--workspace", "--dry-run", "--no-verify"]);
    if dry {
        publish.arg("--allow-dirty");
    }
    workspace::run(&mut publish)?;
    let mut count = 0;
    // A dry run leaves the packages in the registry that it made for itself.
    for file in files(&packages.join("tmp-registry"))? {
        if file.extension().is_some_and(|ending| ending == "crate") {
            let size = file.metadata()?.len();
            ensure!(size <= LARGEST_CRATE, "{} has {size} bytes", file.display());
            fs::copy(&file, folder.join(file.file_name().context("a name")?))?;
            count += 1;
        }
    }
    ensure!(count > 0, "cargo packed nothing");
    Ok(())
}

/// Takes the list of all components out of the wheel, where maturin puts it (CycloneDX).
fn bill_of_materials(python: &Path, wheel: &Path, folder: &Path, version: &str) -> Result<()> {
    let size = wheel.metadata()?.len();
    ensure!(size <= LARGEST_WHEEL, "{} has {size} bytes", wheel.display());
    let text = workspace::output(Command::new(python).arg("-c").arg(READ_BILL).arg(wheel))?;
    let bill: Value = serde_json::from_str(&text).context("the list of components")?;
    let parts = bill["components"].as_array().context("a list of components")?;
    ensure!(bill["bomFormat"] == "CycloneDX" && !parts.is_empty(), "no CycloneDX list");
    for part in parts {
        for key in ["name", "version", "purl", "licenses"] {
            if part[key].is_null() {
                bail!("{} has no {key} in the list of components", part["name"]);
            }
        }
    }
    fs::write(folder.join(format!("synthon-{version}.cyclonedx.json")), text)?;
    Ok(())
}

const READ_BILL: &str = "\
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    [name] = [name for name in wheel.namelist() if name.endswith('.cyclonedx.json')]
    sys.stdout.write(wheel.read(name).decode())
";

/// Writes `SHA256SUMS` of all files there, as `sha256sum --check` reads it; their sizes.
fn checksums(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut sums = String::new();
    let mut sizes = BTreeMap::new();
    for file in files(folder)? {
        let bytes = fs::read(&file)?;
        let name = file.file_name().context("a name")?.to_string_lossy().into_owned();
        let hash: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums.push_str(&format!("{hash}  {name}\n"));
        sizes.insert(name, bytes.len() as u64);
    }
    fs::write(folder.join("SHA256SUMS"), sums)?;
    Ok(sizes)
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

//! The Node that the project brings along, with the packages that `xtask/conformance` pins.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// A folder with the pinned packages installed, and the Node in it.
pub struct Environment {
    pub folder: PathBuf,
    pub node: PathBuf,
}

/// Installs what is pinned under `target/node`. `None` when there is no npm or it reaches no
/// registry and that is no failure (outside CI); a notice has been printed then.
pub fn environment() -> Result<Option<Environment>> {
    let folder = workspace::target().join("node");
    let pins = workspace::root().join("xtask/conformance/package.json");
    let wanted = fs::read_to_string(&pins).context("the pinned packages")?;
    let stamp = folder.join("installed.json");
    let node = folder.join(format!("node_modules/node/bin/node{}", std::env::consts::EXE_SUFFIX));
    if node.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Some(Environment { folder, node }));
    }
    let skip = |why: &str| {
        if workspace::in_ci() {
            bail!("{why}");
        }
        eprintln!("notice: {why}; what needs Node is skipped");
        Ok(None)
    };
    if Command::new("npm").arg("--version").output().is_err() {
        return skip("there is no npm");
    }
    fs::create_dir_all(&folder)?;
    fs::copy(&pins, folder.join("package.json"))?;
    eprintln!("installing the pinned Node packages under {}", folder.display());
    let installed = Command::new("npm")
        .args(["install", "--no-fund", "--no-audit", "--no-package-lock"])
        .current_dir(&folder)
        .output()?;
    if !installed.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&installed.stderr));
        return skip("npm cannot install the pinned packages");
    }
    if !node.exists() {
        // Newer npm runs no install scripts unless asked to.
        Command::new("npm").args(["rebuild", "node"]).current_dir(&folder).output()?;
    }
    if !node.exists() {
        return skip("the Node package brings no program for this machine");
    }
    fs::write(&stamp, wanted)?;
    Ok(Some(Environment { folder, node }))
}

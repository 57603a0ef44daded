//! `cargo xtask data manifest`: writes the hashes of shipped data into `data/MANIFEST.toml`.
//!
//! An entry names one file, or with `*` all files of a folder with an extension; their hash is the
//! SHA-256 of the contents, one after the other in the order of their names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::workspace;

pub fn run() -> Result<()> {
    let path = workspace::root().join("data/MANIFEST.toml");
    fs::write(&path, renewed(&fs::read_to_string(&path)?)?)?;
    println!("{}", path.display());
    Ok(())
}

/// The manifest with the hashes that its files have now.
fn renewed(manifest: &str) -> Result<String> {
    let mut out = String::new();
    for line in manifest.lines().filter(|line| !line.starts_with("sha256 = ")) {
        out.push_str(line);
        out.push('\n');
        if let Some(path) = line.strip_prefix("path = ") {
            let hash = hash(path.trim_matches('"'))?;
            out.push_str(&format!("sha256 = \"{hash}\"\n"));
        }
    }
    Ok(out)
}

fn hash(pattern: &str) -> Result<String> {
    let mut hash = Sha256::new();
    for path in files(&workspace::root().join("data"), pattern)? {
        hash.update(fs::read(&path).with_context(|| path.display().to_string())?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn files(data: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let Some((folder, extension)) = pattern.split_once("/*.") else {
        return Ok(vec![data.join(pattern)]);
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(data.join(folder))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("no file fits `{pattern}`");
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_has_the_hashes_of_the_files() {
        let path = workspace::root().join("data/MANIFEST.toml");
        let manifest = fs::read_to_string(path).expect("reads");
        assert_eq!(
            renewed(&manifest).expect("all files are there"),
            manifest,
            "run `cargo xtask data manifest`"
        );
    }
}

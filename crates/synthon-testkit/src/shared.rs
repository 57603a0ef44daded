//! The reference data beside the clone: corpora and tables made with other toolkits.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// Files of `data/smiles`: one molecule a line, a name after it in some.
pub const SMILES_CORPORA: [&str; 6] = [
    "canonicalisation_hard.smi",
    "chembl_chiral.smi.gz",
    "moleculenet_drugs.smi.gz",
    "pubchem_100k.smi.gz",
    "uspto50k_molecules.smi.gz",
    "znp_natural_products.smi.gz",
];

/// Root folder of the workspace.
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies two folders below the root")
        .to_path_buf()
}

/// The folder of reference data: `$SYNTHON_SHARED`, or `../shared` beside the clone.
///
/// `None` after a notice when there is none, so that the test may be skipped.
///
/// # Panics
/// Where everything has to run (`CI=true`), missing data is a failure.
pub fn shared_dir() -> Option<PathBuf> {
    let folder = match std::env::var_os("SYNTHON_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => workspace_root().join("../shared"),
    };
    if folder.join("data").is_dir() {
        return Some(folder);
    }
    let message = format!("no reference data at {} (set SYNTHON_SHARED)", folder.display());
    assert!(!std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1"), "{message}");
    #[allow(clippy::print_stderr, reason = "a skipped test says so")]
    {
        eprintln!("notice: {message}; skipped");
    }
    None
}

/// Lines of a text file below [`shared_dir`] (`data/smiles/...`), unpacked when its name ends in
/// `.gz`, blank lines left out. `None` when the reference data is absent, see [`shared_dir`].
///
/// # Panics
/// When the data is there but the file cannot be read.
pub fn read_shared_lines(path: &str) -> Option<Vec<String>> {
    let path = shared_dir()?.join(path);
    Some(read_lines(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// All [`SMILES_CORPORA`]: the name of each, and its molecules without their names. `None` when
/// the reference data is absent, see [`shared_dir`].
pub fn smiles_corpora() -> Option<Vec<(&'static str, Vec<String>)>> {
    SMILES_CORPORA
        .iter()
        .map(|name| {
            let mut lines = read_shared_lines(&format!("data/smiles/{name}"))?;
            for line in &mut lines {
                line.truncate(line.find(char::is_whitespace).unwrap_or(line.len()));
            }
            Some((*name, lines))
        })
        .collect()
}

fn read_lines(path: &Path) -> io::Result<Vec<String>> {
    let file = File::open(path)?;
    let packed = path.extension().is_some_and(|ending| ending == "gz");
    let reader: Box<dyn Read> =
        if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let lines = BufReader::new(reader).lines();
    lines.filter(|line| !line.as_ref().is_ok_and(|line| line.trim().is_empty())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpora_are_whole() {
        let Some(corpora) = smiles_corpora() else { return };
        let sizes: Vec<usize> = corpora.iter().map(|(_, lines)| lines.len()).collect();
        assert!(sizes.iter().sum::<usize>() > 50_000, "{sizes:?}");
        assert!(corpora.iter().all(|(_, lines)| lines.iter().all(|line| !line.contains(' '))));
    }
}

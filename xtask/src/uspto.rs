//! `cargo xtask data uspto`: makes the shipped library of extracted templates and its policy from
//! the reactions of the shared data.
//!
//! Templates come from both files of reactions, and are kept with two precedents or when a named
//! template accounts for them. The policy learns from all of them first, then from the classed
//! reactions alone, which keep stereo and are like those that it is asked about. Probabilities are
//! calibrated on the validation reactions, from which nothing else is taken.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use synthon_library::{
    BuildOptions, ExtractedLibrary, Library, LibraryBuilder, LibraryLimits, PolicyTrainer,
    ReactionColumns, ReactionReader, TrainOptions,
};

use crate::workspace;

const LEARNED: &str = "uspto50k_train_mapped.tsv.gz";
const BACKGROUND: &str = "uspto_mit_70k_mapped.smi.gz";
const CALIBRATION: &str = "uspto50k_valid.tsv.gz";
const MIN_PRECEDENTS: u32 = 2;
/// Matches that one product may cost.
const MAX_NODES: u64 = 10_000_000;

pub fn run() -> Result<()> {
    let reactions = reactions()?;
    let library = build(&reactions)?;
    let mut trainer = PolicyTrainer::new(&library, TrainOptions::default());
    trainer.add(reader(&reactions, LEARNED)?, true)?;
    trainer.add(reader(&reactions, BACKGROUND)?, false)?;
    let (library, report) = trainer.finish()?;
    println!("{} examples, loss {:?}", report.examples, report.losses);
    let accuracy = library.accuracy(reader(&reactions, CALIBRATION)?, 1, MAX_NODES);
    let (library, error) = library.calibrated(&accuracy)?;
    println!("calibration error across halves {error:.4}");
    write(&library)
}

/// `cargo xtask data uspto-templates`: makes the library anew, as [`run`] does, and keeps the shipped
/// policy, which needs the same templates in the same order: for a change of what templates are
/// called.
pub fn templates() -> Result<()> {
    let library = build(&reactions()?)?;
    let library = library
        .with_policy_of(&ExtractedLibrary::shipped())
        .context("the templates are others than those of the policy: `cargo xtask data uspto`")?;
    write(&library)
}

fn reactions() -> Result<PathBuf> {
    let shared = workspace::shared_data()?.context("the shared data are not there")?;
    Ok(shared.join("reactions"))
}

fn build(reactions: &Path) -> Result<ExtractedLibrary> {
    let mut builder = LibraryBuilder::new(BuildOptions::default().min_precedents(MIN_PRECEDENTS));
    for file in [LEARNED, BACKGROUND] {
        builder.add(file, reader(reactions, file)?)?;
    }
    let library = builder.finish(ExtractedLibrary::SHIPPED_NAME, &Library::curated())?;
    let with_family = library.statistics().templates_with_family;
    println!("{} templates, {with_family} of them with a family", library.len());
    Ok(library)
}

/// `cargo xtask data uspto-index`: makes the index of the shipped library anew, which is needed
/// when the engine looks for templates in another way.
pub fn index() -> Result<()> {
    let folder = workspace::root().join("data/uspto");
    let library = ExtractedLibrary::open(&folder, &LibraryLimits::default())?;
    write(&library.indexed_anew()?)
}

fn write(library: &ExtractedLibrary) -> Result<()> {
    let folder = workspace::root().join("data/uspto");
    fs::create_dir_all(&folder)?;
    let mut bytes = 0;
    for (name, content) in library.files() {
        fs::write(folder.join(name), content)?;
        bytes += content.len();
    }
    println!("{}: {bytes} bytes", folder.display());
    Ok(())
}

fn reader(folder: &Path, file: &str) -> Result<ReactionReader> {
    let path = folder.join(file);
    let open = File::open(&path).with_context(|| path.display().to_string())?;
    Ok(ReactionReader::new(file, open, &ReactionColumns::default())?)
}

//! Flags of `synthon screen` and `synthon corpus`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{MANY, MoleculeFile, whole};

/// Which fingerprints.
#[derive(Debug, Args)]
pub(crate) struct FingerprintFlags {
    /// Kind of fingerprint: ecfp (also circular), fcfp, path, torsion, atom_pair, maccs or mcs;
    /// ecfp by default, or what a corpus holds.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Positions of the fingerprint; 2048 by default.
    #[arg(long, value_name = "N", value_parser = whole::<usize, 1, { 1 << 26 }>)]
    pub(crate) fp_size: Option<usize>,
    /// Radius of ecfp and fcfp, in bonds; 2 by default.
    #[arg(long, value_name = "N", value_parser = whole::<u32, 0, 1_000>)]
    pub(crate) radius: Option<u32>,
    /// Longest path of path and mcs, in bonds; 7 by default.
    #[arg(long, value_name = "N", value_parser = whole::<usize, 1, 16>)]
    pub(crate) path_length: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct ScreenArgs {
    /// SMILES to compare with; with --substructure the substructure.
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,
    /// Molecules: a file of SMILES, CSV, TSV, SDF (also with gzip) or Parquet, or a corpus that
    /// `synthon corpus build` made; `-` reads standard input.
    pub(crate) file: OsString,
    #[command(flatten)]
    pub(crate) fingerprint: FingerprintFlags,
    /// Compare how often each feature occurs, not only whether.
    #[arg(long)]
    pub(crate) counts: bool,
    /// Lowest Tanimoto score of a hit, 0 to 1; 0.7 by default.
    #[arg(long, value_name = "SCORE", conflicts_with = "substructure")]
    pub(crate) threshold: Option<f64>,
    /// Only the N best, or with --substructure the first N; of a corpus, no more is looked at
    /// than that needs.
    #[arg(long, value_name = "N", conflicts_with = "max_hits",
          value_parser = whole::<usize, 1, MANY>)]
    pub(crate) top: Option<usize>,
    /// Hits to print.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole::<usize, 1, MANY>)]
    pub(crate) max_hits: usize,
    /// Hits to leave out from the beginning of the list.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize, 0, MANY>)]
    pub(crate) offset: usize,
    /// Find molecules that hold the query, in the order of the file.
    #[arg(long, conflicts_with_all = ["kind", "fp_size", "radius", "path_length", "counts"])]
    pub(crate) substructure: bool,
    /// How a substructure is written.
    #[arg(long, default_value = "smarts", value_parser = ["smarts", "smiles"],
          requires = "substructure")]
    pub(crate) query_format: String,
    /// Atoms of the substructure that are not bonded lie on atoms that are not bonded.
    #[arg(long, requires = "substructure")]
    pub(crate) induced: bool,
    /// Match the stereo of a substructure in SMILES (a SMARTS pattern's always counts).
    #[arg(long, requires = "substructure")]
    pub(crate) match_stereo: bool,
    /// Ring atoms and bonds count only in wholly matched rings.
    #[arg(long, requires = "substructure")]
    pub(crate) complete_rings_only: bool,
    /// Ring atoms and bonds of a substructure in SMILES match only ring atoms and bonds.
    #[arg(long, requires = "substructure")]
    pub(crate) ring_matches_ring_only: bool,
    /// Time for the search, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64, 0, MANY>)]
    pub(crate) timeout: Option<u64>,
    #[command(flatten)]
    pub(crate) flags: MoleculeFile,
    /// Print one result object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with status 1 when there is no hit.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Build a corpus of the molecules of a file.
    Build(CorpusBuildArgs),
    /// What a corpus holds.
    Info(CorpusInfoArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CorpusBuildArgs {
    /// Molecules: a file of SMILES, CSV, TSV, SDF (also with gzip) or Parquet; `-` reads standard
    /// input.
    pub(crate) file: OsString,
    /// The corpus to write.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) fingerprint: FingerprintFlags,
    /// Leave out what substructure searches need: 256 bytes a molecule.
    #[arg(long)]
    pub(crate) no_substructures: bool,
    /// Take a file that cannot be read to its end as far as it goes.
    #[arg(long)]
    pub(crate) allow_broken_off: bool,
    #[command(flatten)]
    pub(crate) flags: MoleculeFile,
    /// Print one result object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CorpusInfoArgs {
    /// The corpus.
    pub(crate) file: PathBuf,
    /// Compare every part with its checksum.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Print one result object.
    #[arg(long)]
    pub(crate) json: bool,
}

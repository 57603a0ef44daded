//! Flags of what concerns template libraries.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    /// Extract the templates of atom-mapped reactions into a library folder.
    Build(LibraryBuildArgs),
    /// What is in a library.
    Info(LibraryInfoArgs),
    /// Train the policy of a library: what ranks the ways that its templates allow.
    Train(LibraryTrainArgs),
    /// Measure a library on known reactions: how many of them it proposes, and how early.
    Evaluate(LibraryEvaluateArgs),
}

/// Columns of a table of reactions; found by the usual names where they are not given.
#[derive(Debug, Args)]
pub(crate) struct ReactionColumnArgs {
    /// Column of reaction SMILES.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) reaction_column: Option<String>,
    /// Column of the reaction class, 1 to 10.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class_column: Option<String>,
    /// Column of the confidence of the atom mapping, 0 to 1.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) confidence_column: Option<String>,
    /// Column that says where a reaction comes from, such as a patent number.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) source_column: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LibraryBuildArgs {
    /// Files of atom-mapped reactions: reaction SMILES, one a line, or a table with a header
    /// (tabs, commas or semicolons); gzip is unpacked.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder to write the library to; it is made, and its files replaced.
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Name of the library; the folder's when not given.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Reactions that a template must account for, unless a named template does what it does.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_precedents: u32,
    /// Least confidence of the atom mapping, where the file states one.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub(crate) min_confidence: f64,
    /// Bonds from the reaction centre to the farthest atom that a template shows, 0 to 5.
    #[arg(long, value_name = "BONDS", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(0..=5))]
    pub(crate) radius: u8,
    /// Show functional groups of which an atom is shown whole.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub(crate) whole_groups: bool,
    #[command(flatten)]
    pub(crate) columns: ReactionColumnArgs,
    /// Threads; 0: one for each core. The library does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Print the statistics as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LibraryInfoArgs {
    /// Folder of the library, or the name of a shipped one.
    #[arg(value_name = "NAME|FOLDER")]
    pub(crate) folder: PathBuf,
    /// Templates to print, most precedents first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) templates: usize,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LibraryTrainArgs {
    /// Folder of the library; the policy is written into it.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// Files of atom-mapped reactions to learn from, as for building.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) reactions: Vec<PathBuf>,
    /// Files of reactions that are counted with less weight, and learned from only at first.
    #[arg(long, value_name = "FILE")]
    pub(crate) background: Vec<PathBuf>,
    /// File of reactions, none of those above, on which probabilities are calibrated.
    #[arg(long, value_name = "FILE")]
    pub(crate) calibrate: Option<PathBuf>,
    /// Seed; the same seed, library and files give the same policy.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Times that the reactions are gone through.
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) epochs: u32,
    #[command(flatten)]
    pub(crate) columns: ReactionColumnArgs,
    /// Threads; 0: one for each core. The policy does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Print the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Molecule to take apart.
    #[arg(value_name = "SMILES", required_unless_present = "input")]
    pub(crate) smiles: Option<String>,
    /// Sets of precursors to show.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) top: u16,
    /// Library: `uspto` (the default), `curated`, a TOML file, a folder, or a configuration of
    /// AiZynthFinder.
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) library: Option<PathBuf>,
    /// File of molecules, SMILES first, one a line; `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "smiles")]
    pub(crate) input: Option<PathBuf>,
    /// File to write to, one JSON object a line for each molecule.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 where nothing is proposed.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LibraryEvaluateArgs {
    /// Folder of the library, or `uspto` for the shipped one.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// File of atom-mapped reactions, as for building.
    #[arg(value_name = "FILE")]
    pub(crate) reactions: PathBuf,
    /// Take every Nth reaction only.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Only what the templates can propose at all, whatever the policy thinks of it.
    #[arg(long)]
    pub(crate) coverage: bool,
    #[command(flatten)]
    pub(crate) columns: ReactionColumnArgs,
    /// Threads; 0: one for each core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

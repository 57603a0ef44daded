//! Commands and flags.

mod examples;
mod knowledge;
mod planning;
mod screening;
mod server;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use synthon_tools::Shape;

pub(crate) use examples::with_examples;
pub(crate) use knowledge::{
    ExpandArgs, LibraryBuildArgs, LibraryCommand, LibraryEvaluateArgs, LibraryInfoArgs,
    LibraryTrainArgs, ReactionColumnArgs,
};
pub(crate) use planning::{
    AuditArgs, ConstraintFlags, ExplainArgs, ParetoArgs, QuestionArgs, RouteFormat, RoutesArgs,
    SearchFlags, StockBuildArgs, StockCommand, StockContainsArgs, StockForm, StockInfoArgs,
};
pub(crate) use screening::{
    CorpusBuildArgs, CorpusCommand, CorpusInfoArgs, FingerprintFlags, ScreenArgs,
};
pub(crate) use server::{Client, InstallArgs, McpArgs, McpCommand, ServerArgs};

/// A bound for counts that have no other.
pub(crate) const MANY: i64 = 1_000_000_000;

/// Reads a whole number within bounds; a refusal says what is wanted.
pub(crate) fn whole<T: TryFrom<i64>, const LEAST: i64, const MOST: i64>(
    text: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("a whole number from {LEAST} to {MOST} is wanted"))
}

/// Chemistry from the command line: plan syntheses, standardise molecules, call any tool.
#[derive(Debug, Parser)]
#[command(name = "synthon", version, arg_required_else_help = true)]
pub(crate) struct Synthon {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Plan how to make a molecule, or every molecule of a file; prints the routes as trees.
    Routes(Box<RoutesArgs>),
    /// Validate routes from a file.
    Audit(AuditArgs),
    /// The best route in words, each sentence with the field that it rests on.
    Explain(ExplainArgs),
    /// The routes that no other one beats on all objectives.
    Pareto(ParetoArgs),
    /// How different the routes to a molecule are.
    Diversity(ExplainArgs),
    /// Why a search gives no route, and what would help.
    Diagnose(QuestionArgs),
    /// One retrosynthetic step: ranked sets of precursors.
    Expand(ExpandArgs),
    /// Find the largest common part of two molecules.
    Mcs(McsArgs),
    /// Find a substructure in a molecule.
    Substructure(SubstructureArgs),
    /// Find every place of a SMARTS pattern in a molecule.
    Smarts(SmartsArgs),
    /// List the set bits of molecules' fingerprints, a line each.
    Fingerprint(FingerprintArgs),
    /// Score how alike two molecules are, from 0 to 1.
    Similarity(SimilarityArgs),
    /// Find the molecules of a file or a corpus that are like a query, or hold it.
    Screen(ScreenArgs),
    /// Pack millions of molecules for screening.
    #[command(subcommand)]
    Corpus(CorpusCommand),
    /// Write molecules as canonical SMILES, standardised on request.
    #[command(alias = "standardize")]
    Standardise(StandardiseArgs),
    /// Convert molecules between SMILES, molfile and SDF, or into InChI and InChIKey.
    Convert(ConvertArgs),
    /// Descriptors: mass, logP, polar surface, hydrogen bonds, rings, Murcko scaffold.
    Describe(DescribeArgs),
    /// Draw a molecule, the common part of two, a reaction, or a file of molecules.
    Depict(DepictArgs),
    /// Call one tool: JSON arguments in, JSON result out.
    Call(CallArgs),
    /// Print the definitions of the tools as JSON.
    Tools(ToolsArgs),
    /// Serve the tools to an MCP client on standard input and output.
    Mcp(Box<McpArgs>),
    /// Build a template library from reactions, and measure one.
    #[command(subcommand)]
    Library(LibraryCommand),
    /// Stocks: what is in them, and making one.
    #[command(subcommand)]
    Stock(StockCommand),
    /// What is installed, loaded and reachable, and what to do about what is not.
    Doctor(DoctorArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
}

/// What molecules can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Canonical SMILES and the name, one a line.
    Smiles,
    /// A molfile: one molecule.
    Mol,
    /// Molfiles with data fields.
    Sdf,
    /// Standard InChI, one a line.
    Inchi,
    /// InChIKey, one a line.
    Inchikey,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A file (SMILES, CSV, TSV, SDF, molfile or Parquet; text also with .gz), `-` for standard
    /// input, or one SMILES.
    #[arg(allow_hyphen_values = true)]
    pub(crate) input: OsString,
    /// What to write; else told by the ending of --output, or SMILES.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Target>,
    /// Write molfiles in the V3000 form even where V2000 would do.
    #[arg(long)]
    pub(crate) v3000: bool,
    /// Write to a file instead of standard output; .gz compresses.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) flags: MoleculeFile,
}

#[derive(Debug, Args)]
pub(crate) struct DescribeArgs {
    /// A file (SMILES, CSV, TSV, SDF, molfile or Parquet; text also with .gz), `-` for standard
    /// input, or one SMILES.
    #[arg(allow_hyphen_values = true)]
    pub(crate) input: OsString,
    /// One JSON object for each molecule, one a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a table to a file instead of standard output; .gz compresses.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) flags: MoleculeFile,
}

#[derive(Debug, Args)]
pub(crate) struct McsArgs {
    /// SMILES of the first molecule.
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,
    /// SMILES of the second molecule.
    #[arg(allow_hyphen_values = true)]
    pub(crate) target: String,
    /// mcis: the most common atoms, bonded alike; mces: the most common bonds.
    #[arg(long, default_value = "mcis", value_parser = ["mcis", "mces"])]
    pub(crate) objective: String,
    /// One connected piece; false allows several.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub(crate) connected: bool,
    #[command(flatten)]
    pub(crate) switches: SearchSwitches,
}

#[derive(Debug, Args)]
pub(crate) struct SubstructureArgs {
    /// The substructure.
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,
    /// SMILES of the molecule to search, or a file of molecules; `-` reads them from standard
    /// input.
    #[arg(allow_hyphen_values = true)]
    pub(crate) target: OsString,
    /// How the substructure is written.
    #[arg(long, default_value = "smarts", value_parser = ["smarts", "smiles"])]
    pub(crate) query_format: String,
    /// Query atoms that are not bonded lie on target atoms that are not bonded.
    #[arg(long)]
    pub(crate) induced: bool,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
    #[command(flatten)]
    pub(crate) switches: SearchSwitches,
}

#[derive(Debug, Args)]
pub(crate) struct SmartsArgs {
    /// The pattern.
    #[arg(allow_hyphen_values = true)]
    pub(crate) pattern: String,
    /// SMILES of the molecule to search, or a file of molecules; `-` reads them from standard
    /// input.
    #[arg(allow_hyphen_values = true)]
    pub(crate) target: OsString,
    /// Embeddings to print at most, 1 to 32; any number with a file.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) max_matches: i64,
    /// For a miss, tell which query atoms could not be placed and on which primitive.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
    #[command(flatten)]
    pub(crate) switches: SearchSwitches,
}

/// Names of what a file of molecules can be written in.
const FORMATS: [&str; 6] = ["smiles", "csv", "tsv", "mol", "sdf", "parquet"];

/// How a file of molecules is read.
#[derive(Debug, Args)]
pub(crate) struct MoleculeFile {
    /// What a file is written in; else told by its name or its beginning.
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    pub(crate) from: Option<String>,
    /// Column of a table that holds the SMILES; by default one with a usual name.
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Column of a table, or data field of an SD file, that holds the names.
    #[arg(long, value_name = "NAME")]
    pub(crate) name_column: Option<String>,
    /// Molecules of a file that are worked on at the same time; by default as many as there are
    /// processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}

/// What the search commands share.
#[derive(Debug, Args)]
pub(crate) struct SearchSwitches {
    /// Time for the search in milliseconds, 0 to 30000.
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<i64>,
    /// Search nodes allowed, 1 to 1000000.
    #[arg(long, value_name = "N")]
    pub(crate) node_limit: Option<i64>,
    /// Match stereo (a SMARTS pattern's stereo always counts).
    #[arg(long)]
    pub(crate) match_stereo: bool,
    /// Ring atoms and bonds count only in wholly matched rings.
    #[arg(long)]
    pub(crate) complete_rings_only: bool,
    /// Ring atoms and bonds match only ring atoms and bonds.
    #[arg(long)]
    pub(crate) ring_matches_ring_only: bool,
    /// Print the result object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with status 1 when nothing was found.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FingerprintArgs {
    /// SMILES, or files of molecules (SMILES, CSV, TSV, SDF, Parquet, also gzipped); `-` reads
    /// standard input.
    #[arg(required = true, value_name = "SMILES|FILE")]
    pub(crate) smiles: Vec<OsString>,
    #[command(flatten)]
    pub(crate) switches: FingerprintSwitches,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
}

#[derive(Debug, Args)]
pub(crate) struct SimilarityArgs {
    /// SMILES of the first molecule.
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,
    /// SMILES of the second molecule.
    #[arg(allow_hyphen_values = true)]
    pub(crate) target: String,
    /// The coefficient.
    #[arg(long, default_value = "tanimoto", value_parser = ["tanimoto", "dice", "cosine"])]
    pub(crate) metric: String,
    #[command(flatten)]
    pub(crate) switches: FingerprintSwitches,
}

/// What the fingerprint commands share.
#[derive(Debug, Args)]
pub(crate) struct FingerprintSwitches {
    /// What is hashed; circular is another name of ecfp.
    #[arg(long, default_value = "ecfp",
          value_parser = ["ecfp", "fcfp", "circular", "path", "torsion", "atom_pair", "maccs",
                          "mcs"])]
    pub(crate) kind: String,
    /// Width in bits, 1 to 65536; 2048 by default, and always 167 for maccs.
    #[arg(long, value_name = "BITS")]
    pub(crate) fp_size: Option<i64>,
    /// Radius of ecfp and fcfp, 0 to 8.
    #[arg(long, value_name = "BONDS", default_value_t = 2)]
    pub(crate) radius: i64,
    /// Longest path of path and mcs, 1 to 8.
    #[arg(long, value_name = "BONDS", default_value_t = 7)]
    pub(crate) path_length: i64,
    /// Positions and counts instead of set bits; not for maccs and mcs.
    #[arg(long)]
    pub(crate) counts: bool,
    /// Print the result object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StandardiseArgs {
    /// SMILES, or files of molecules (SMILES, CSV, TSV, SDF, Parquet, also gzipped); `-` reads
    /// standard input.
    #[arg(required = true, value_name = "SMILES|FILE")]
    pub(crate) smiles: Vec<OsString>,
    /// Leave out atom-map numbers.
    #[arg(long)]
    pub(crate) remove_atom_maps: bool,
    /// Cut bonds to metals, bring functional groups into one form, put charges on the strongest
    /// acids.
    #[arg(long)]
    pub(crate) cleanup: bool,
    /// Keep only the fragment with the most heavy atoms.
    #[arg(long)]
    pub(crate) largest_fragment: bool,
    /// Take charges away where protons can pay for them.
    #[arg(long, alias = "neutralize")]
    pub(crate) neutralise: bool,
    /// Choose one tautomer, the same whichever is given.
    #[arg(long)]
    pub(crate) canonical_tautomer: bool,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
    /// Print the whole result, one object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a drawing is painted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepictTheme {
    /// White, or near-black where the viewer's screen is set to dark.
    Auto,
    /// White.
    Light,
    /// Near-black.
    Dark,
    /// Nothing; legible on both.
    Transparent,
}

#[derive(Debug, Args)]
pub(crate) struct DepictArgs {
    /// One SMILES, two for their common part, a reaction (A.B>agents>C), or a file of molecules
    /// (SMILES, CSV, TSV, SDF, Parquet, also gzipped; `-` reads standard input) for a grid.
    #[arg(num_args = 0..=2, value_name = "SMILES|FILE")]
    pub(crate) molecules: Vec<OsString>,
    /// Draw the molecules of this file as a grid, whatever its name.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<OsString>,
    /// Column of a table that holds the SMILES; by default one with a usual name.
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,
    /// Column of a table, or data field of an SD file, that holds the names to write below.
    #[arg(long, value_name = "NAME")]
    pub(crate) name_column: Option<String>,
    /// What a file is written in; else told by its name or its beginning.
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    pub(crate) from: Option<String>,
    /// Write to FILE.svg or FILE.png; without, SVG goes to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Width in pixels; of a cell in a grid.
    #[arg(long, value_name = "PIXELS",
          value_parser = clap::value_parser!(u32).range(20..=8000))]
    pub(crate) width: Option<u32>,
    /// Height in pixels; of a cell in a grid.
    #[arg(long, value_name = "PIXELS",
          value_parser = clap::value_parser!(u32).range(20..=8000))]
    pub(crate) height: Option<u32>,
    /// What the drawing is painted on.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) theme: DepictTheme,
    /// Pixels of a PNG for each pixel of the drawing [default: 2].
    #[arg(long, value_name = "FACTOR")]
    pub(crate) zoom: Option<f64>,
    /// Columns of a grid [default: 4].
    #[arg(long, value_name = "N", value_parser = whole::<u16, 1, 40>)]
    pub(crate) columns: Option<u16>,
    /// Molecules of a file to draw at most [default: 100].
    #[arg(long, value_name = "N", value_parser = whole::<u32, 1, 1_000>)]
    pub(crate) limit: Option<u32>,
    /// Leave atom-map numbers out.
    #[arg(long)]
    pub(crate) hide_atom_maps: bool,
    /// For two molecules: mcis, the most common atoms, bonded alike, or mces, the most common bonds
    /// [default: mcis].
    #[arg(long, value_parser = ["mcis", "mces"])]
    pub(crate) objective: Option<String>,
    /// For two molecules: one connected piece; false allows several [default: true].
    #[arg(long, value_name = "BOOL")]
    pub(crate) connected: Option<bool>,
    /// For two molecules: time for the search in milliseconds, 0 to 30000 [default: 1000].
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<i64>,
    /// For two molecules: search nodes allowed, 1 to 1000000 [default: 100000].
    #[arg(long, value_name = "N")]
    pub(crate) node_limit: Option<i64>,
    /// For two molecules: stated stereo must not contradict.
    #[arg(long)]
    pub(crate) match_stereo: bool,
    /// For two molecules: ring atoms and bonds count only in wholly matched rings.
    #[arg(long)]
    pub(crate) complete_rings_only: bool,
    /// For two molecules: ring atoms and bonds match only ring atoms and bonds.
    #[arg(long)]
    pub(crate) ring_matches_ring_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool.
    pub(crate) tool: String,
    /// The arguments as a JSON object; `-` reads it from standard input.
    #[arg(conflicts_with = "jsonl", allow_hyphen_values = true)]
    pub(crate) arguments: Option<String>,
    /// Read one arguments object a line and write one result a line, in the same order.
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Calls that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "jsonl",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// Time that a whole call may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 55,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) call_timeout: u32,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with status 1 when something should be looked at.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// Shape of the definitions.
    #[arg(long, default_value = "mcp", value_parser = parse_shape, value_name = "SHAPE",
          hide_possible_values = true, help = SHAPE_HELP)]
    pub(crate) shape: Shape,
    /// Print the JSON Schema of routes instead.
    #[arg(long, conflicts_with = "shape")]
    pub(crate) route_schema: bool,
}

const SHAPE_HELP: &str = "Shape of the definitions: mcp, input-schema, function, chat-function";

fn parse_shape(name: &str) -> Result<Shape, String> {
    Shape::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Shape::ALL.iter().map(|shape| shape.name()).collect();
        format!("accepted: {}", names.join(", "))
    })
}

/// The MCP server of Synthon, on standard input and output. Started by an MCP client; run by
/// hand, it waits silently for protocol messages.
#[derive(Debug, Parser)]
#[command(name = "synthon-mcp", version)]
pub(crate) struct McpProgram {
    #[command(flatten)]
    pub(crate) server: McpArgs,
}

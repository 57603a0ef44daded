//! Flags of what plans and looks at routes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::MoleculeFile;

/// How routes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RouteFormat {
    /// Trees for people.
    Tree,
    /// The result object.
    Json,
    /// A drawing of all routes, one below the other.
    Svg,
    /// One page with trees, drawings and details; works offline.
    Html,
    /// A graph in Mermaid's language.
    Mermaid,
    /// A list of trees as AiZynthFinder writes them.
    Aizynthfinder,
}

#[derive(Debug, Args)]
pub(crate) struct RoutesArgs {
    /// SMILES of the molecule to make; `-` reads it from standard input.
    #[arg(allow_hyphen_values = true, required_unless_present = "input")]
    pub(crate) smiles: Option<String>,
    /// Plan for every molecule of this file (SMILES, CSV, TSV, SDF, Parquet; `-` for standard
    /// input) and write one result a line.
    #[arg(long, value_name = "FILE", conflicts_with = "smiles")]
    pub(crate) input: Option<OsString>,
    #[command(flatten)]
    pub(crate) search: SearchFlags,
    /// Most routes to return, 1 to 100.
    #[arg(long, value_name = "N")]
    pub(crate) max_routes: Option<i64>,
    /// Threads that work on the one molecule; the answer does not depend on it. For many
    /// molecules see --jobs.
    #[arg(long, value_name = "N", conflicts_with = "input",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) constraints: ConstraintFlags,
    /// How to print the answer.
    #[arg(long, value_enum, default_value = "tree", conflicts_with_all = ["json", "input"])]
    pub(crate) format: RouteFormat,
    /// The same as --format json; with --input and --output the summary as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with status 1 when no route was found.
    #[arg(long)]
    pub(crate) exit_status: bool,
    #[command(flatten)]
    pub(crate) batch: BatchFlags,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
}

/// What bounds a search for routes.
#[derive(Debug, Args)]
pub(crate) struct SearchFlags {
    /// Longest chain of steps, 1 to 20.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<i64>,
    /// Time for the search in seconds, 1 to 3600.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<i64>,
    /// Most molecules to expand.
    #[arg(long, value_name = "N")]
    pub(crate) node_limit: Option<i64>,
    /// Stock that routes may start from: a configured name, or a file of SMILES or InChIKeys
    /// (one a line), CSV (with a column `smiles`), or a molbloom filter.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) stock: Option<String>,
    /// Template library: a configured name, a TOML file, a folder, or a configuration of
    /// AiZynthFinder.
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) library: Option<String>,
}

/// The constraints of `plan_with_constraints`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct ConstraintFlags {
    /// Elements that no building block may contain, such as Br,I.
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) avoid_elements: Option<String>,
    /// Elements that each route must bring in with a building block.
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) require_elements: Option<String>,
    /// SMILES with commas between: none may be a building block.
    #[arg(long, value_name = "SMILES", allow_hyphen_values = true)]
    pub(crate) avoid_building_blocks: Option<String>,
    /// SMILES with commas between: at least one must be a building block.
    #[arg(long, value_name = "SMILES", allow_hyphen_values = true)]
    pub(crate) require_building_blocks: Option<String>,
    /// Most steps of a route.
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<i64>,
    /// Greatest cost of a route.
    #[arg(long, value_name = "COST")]
    pub(crate) max_route_cost: Option<f64>,
    /// Least confidence, 0 to 1.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_confidence: Option<f64>,
    /// Least success probability, 0 to 1.
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_success_probability: Option<f64>,
    /// Reaction families with commas between that are never used.
    #[arg(long, value_name = "FAMILIES")]
    pub(crate) avoid_reaction_families: Option<String>,
    /// Reagents with commas between (Pd, LiAlH4, DMF): steps whose known conditions cannot do
    /// without are never used.
    #[arg(long, value_name = "REAGENTS")]
    pub(crate) avoid_reagents: Option<String>,
    /// Reaction families with commas between: at least one must occur.
    #[arg(long, value_name = "FAMILIES")]
    pub(crate) require_reaction_families: Option<String>,
    /// Reaction families with commas between: routes with them come first.
    #[arg(long, value_name = "FAMILIES")]
    pub(crate) prefer_reaction_families: Option<String>,
    /// Bonds of the target that must be made, as pairs of zero-based atoms: 3-4,5-6.
    #[arg(long, value_name = "PAIRS", value_parser = parse_bonds)]
    pub(crate) break_bonds: Option<Bonds>,
    /// Bonds of the target that must come from a building block.
    #[arg(long, value_name = "PAIRS", value_parser = parse_bonds)]
    pub(crate) freeze_bonds: Option<Bonds>,
    /// SMILES of a molecule at hand that must be a building block.
    #[arg(long, value_name = "SMILES", allow_hyphen_values = true)]
    pub(crate) start_from: Option<String>,
}

/// Pairs of atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bonds(pub(crate) Vec<[u32; 2]>);

fn parse_bonds(text: &str) -> Result<Bonds, String> {
    let pair = |pair: &str| {
        let (a, b) = pair.trim().split_once('-')?;
        Some([a.trim().parse().ok()?, b.trim().parse().ok()?])
    };
    text.split(',')
        .map(|part| {
            pair(part).ok_or_else(|| {
                format!("{part:?} is no pair of atoms; wanted: 3-4, several with commas between")
            })
        })
        .collect::<Result<_, _>>()
        .map(Bonds)
}

/// What concerns many targets.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many targets (--input)")]
pub(crate) struct BatchFlags {
    /// Go on where an earlier run with the same --output was stopped.
    #[arg(long, requires = "input", requires = "output")]
    pub(crate) resume: bool,
    /// Write a summary with plots and shared intermediates: FILE.html or FILE.json.
    #[arg(long, value_name = "FILE", requires = "input")]
    pub(crate) summary: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// File of routes as JSON, one or several, or one a line: the own form, AiZynthFinder,
    /// PaRoutes, Syntheseus or RetroCast; gzip is unpacked, `-` reads standard input.
    #[arg(value_name = "ROUTES.json")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchFlags,
    /// Tell each route in words too.
    #[arg(long)]
    pub(crate) explain: bool,
    /// One result object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with status 1 unless every route passes.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

/// A question about a target that a planning tool answers in words.
#[derive(Debug, Args)]
pub(crate) struct QuestionArgs {
    /// SMILES of the molecule to make; `-` reads it from standard input.
    #[arg(allow_hyphen_values = true)]
    pub(crate) smiles: String,
    #[command(flatten)]
    pub(crate) search: SearchFlags,
    /// Print the result object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with status 1 when no route was found.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Most routes to look at, 1 to 100.
    #[arg(long, value_name = "N")]
    pub(crate) max_routes: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct ParetoArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Most routes to compare, 1 to 100.
    #[arg(long, value_name = "N")]
    pub(crate) max_routes: Option<i64>,
    /// What counts, such as cost:min,success_probability:max,steps:min.
    #[arg(long, value_name = "LIST")]
    pub(crate) objectives: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StockCommand {
    /// What a stock holds; all configured ones without a name.
    Info(StockInfoArgs),
    /// Make a stock from a file of molecules: each once, in canonical form.
    Build(StockBuildArgs),
    /// Whether molecules are in a stock, and as what they are sold.
    Contains(StockContainsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StockInfoArgs {
    /// Configured names or files.
    #[arg(value_name = "NAME|FILE")]
    pub(crate) stocks: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a stock is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StockForm {
    /// Canonical SMILES and the name, one a line.
    Smiles,
    /// InChIKeys, one a line.
    Inchikey,
}

#[derive(Debug, Args)]
pub(crate) struct StockBuildArgs {
    /// Files of molecules (SMILES, CSV, TSV, SDF, Parquet; text also with .gz); `-` reads
    /// standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) inputs: Vec<OsString>,
    /// File to write; .gz compresses.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// What to write.
    #[arg(long, value_enum, value_name = "FORM", default_value = "smiles")]
    pub(crate) to: StockForm,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StockContainsArgs {
    /// SMILES to look up, or a file of molecules; `-` reads standard input.
    #[arg(required = true, value_name = "SMILES|FILE")]
    pub(crate) molecules: Vec<OsString>,
    /// Stock to look in: a configured name or a file; the default one when not given.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) stock: Option<String>,
    /// Any stereoisomer counts.
    #[arg(long)]
    pub(crate) ignore_stereo: bool,
    #[command(flatten)]
    pub(crate) file: MoleculeFile,
    /// One object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with status 1 when none is in stock.
    #[arg(long)]
    pub(crate) exit_status: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonds_are_pairs_of_atoms() {
        assert_eq!(parse_bonds("3-4, 15 - 6"), Ok(Bonds(vec![[3, 4], [15, 6]])));
        for text in ["", "3", "3-", "3-x", "3-4;5-6", "-3-4"] {
            let refused = parse_bonds(text).expect_err(text);
            assert!(refused.contains("3-4"), "{refused}");
        }
    }
}

//! `search_smarts`: every place of a pattern in a molecule.

use synthon_budget::Status;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Target};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, flag, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule, warnings};
use crate::registry::{Tool, ToolReply, Toolset};
use crate::search::{
    MAX_MATCHES, MAX_NODE_LIMIT, MAX_TIMEOUT_MS, Match, Outcome, Search, output_schema,
    read_pattern, reply, stopped_by,
};

arguments! {
    /// What `search_smarts` takes.
    pub struct SearchSmarts {
        /// The pattern as SMARTS.
        query_smarts: String = text(MAX_TEXT_CHARS),
        /// SMILES of the molecule to search.
        target_smiles: String = text(MAX_TEXT_CHARS),
        /// Embeddings to return at most.
        max_matches: i64 = integer(1, MAX_MATCHES, 16),
        /// Time for the search; 0 stops at once.
        timeout_ms: i64 = integer(0, MAX_TIMEOUT_MS, 1_000),
        /// Search nodes allowed.
        node_limit: i64 = integer(1, MAX_NODE_LIMIT, 100_000),
        /// Without effect: the stereo of a pattern is always enforced.
        match_stereo: bool = flag(false),
        /// Ring atoms and bonds of the molecule count only in wholly matched rings.
        complete_rings_only: bool = flag(false),
        /// Without effect: a pattern says itself which atoms are in rings.
        ring_matches_ring_only: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "search_smarts",
    title: "SMARTS search",
    description: "List the places where a SMARTS pattern matches a molecule: all embeddings, \
                  symmetric ones included (benzene in benzene gives 12), so group by target atoms \
                  to count places. complete tells whether the list is whole; truncated that it \
                  stopped at max_matches (at most 32). At most 1,024 atoms.",
    toolset: Toolset::Molecules,
    arguments: SearchSmarts::TABLE,
    output_schema: || output_schema(true),
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = SearchSmarts::read(checked);
    let chemistry = ChemistryOptions {
        match_stereo: arguments.match_stereo,
        complete_rings_only: arguments.complete_rings_only,
        ring_matches_ring_only: arguments.ring_matches_ring_only,
        ..ChemistryOptions::default()
    };
    let pattern = read_pattern("query_smarts", &arguments.query_smarts)?;
    let molecule = read_molecule("target_smiles", &arguments.target_smiles, MAX_ATOMS)?;
    let options =
        MatchOptions { induced: false, complete_rings_only: arguments.complete_rings_only };
    let mut search = Search::start(context, arguments.timeout_ms, arguments.node_limit);
    // Looked at first, so that a limit of zero stops before anything is found.
    let stopped = search.budget.check().err().map(Status::from);
    let target = Target::new(&molecule);
    let found = stopped.is_none().then(|| {
        let limit = arguments.max_matches.unsigned_abs() as usize;
        Matcher::new().all_within(&pattern, &target, &options, limit, &mut search.budget)
    });
    let status = found.as_ref().map_or_else(|| stopped.unwrap_or(Status::TimedOut), |f| f.status());
    let truncated = found.as_ref().is_some_and(|found| found.is_truncated());
    let complete = found.as_ref().is_some_and(|found| found.is_complete());
    let matches: Vec<Match> = found
        .iter()
        .flat_map(|found| found.iter())
        .map(|image| Match::of_pattern(&pattern, image))
        .collect();
    let these = match matches.len() {
        1 => "this embedding is".to_owned(),
        n => format!("these {n} embeddings are"),
    };
    let claim = match (matches.len(), complete, truncated) {
        (0, true, _) => "Proved: the pattern does not match the molecule.".to_owned(),
        (1, true, _) => "Proved: this is the only embedding there is.".to_owned(),
        (n, true, _) => format!("Proved: these {n} are all the embeddings there are."),
        (_, false, true) => {
            format!("Stopped at max_matches: {these} right, but there are more.")
        }
        (0, false, false) => {
            format!("{}: whether the pattern matches is open.", stopped_by(status))
        }
        (_, false, false) => {
            format!("{}: {these} right, others may exist.", stopped_by(status))
        }
    };
    let outcome = Outcome {
        score: if matches.is_empty() { 0 } else { pattern.atoms().len() },
        matches,
        status,
        optimal: complete || truncated,
        complete,
        claim,
        truncated: Some(truncated),
        warnings: warnings([(None, &molecule)]),
    };
    Ok(reply(context, &search, &chemistry, MAX_MATCHES, &outcome))
}

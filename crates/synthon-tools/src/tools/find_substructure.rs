//! `find_substructure`: does a molecule contain a substructure, and where.

use synthon_budget::Status;
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, choices, flag, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule, warnings};
use crate::registry::{Tool, ToolReply, Toolset};
use crate::search::{
    MAX_NODE_LIMIT, MAX_TIMEOUT_MS, Match, Outcome, Search, output_schema, read_pattern, reply,
    stopped_by,
};

choices! {
    /// How the query is written.
    pub enum QueryFormat {
        /// A pattern.
        Smarts = "smarts",
        /// A molecule.
        Smiles = "smiles",
    }
}

arguments! {
    /// What `find_substructure` takes.
    pub struct FindSubstructure {
        /// The substructure, as SMARTS or SMILES.
        query: String = text(MAX_TEXT_CHARS),
        /// SMILES of the molecule to search.
        target_smiles: String = text(MAX_TEXT_CHARS),
        /// How query is read.
        query_format: QueryFormat = choice("smarts"),
        /// Query atoms that are not bonded lie on target atoms that are not bonded.
        induced: bool = flag(false),
        /// Time for the search; 0 stops at once.
        timeout_ms: i64 = integer(0, MAX_TIMEOUT_MS, 1_000),
        /// Search nodes allowed.
        node_limit: i64 = integer(1, MAX_NODE_LIMIT, 100_000),
        /// Stereo of a SMILES query must be present; SMARTS stereo always is enforced.
        match_stereo: bool = flag(false),
        /// Ring atoms and bonds count only in wholly matched rings.
        complete_rings_only: bool = flag(false),
        /// SMILES query: ring atoms and bonds match only ring atoms and bonds.
        ring_matches_ring_only: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "find_substructure",
    title: "Substructure search",
    description: "Tell whether a molecule contains a substructure, and give one place. The query \
                  is SMARTS unless query_format is smiles. found=false proves absence only when \
                  status is COMPLETED. For all places use search_smarts. At most 1,024 atoms a \
                  molecule.",
    toolset: Toolset::Molecules,
    arguments: FindSubstructure::TABLE,
    output_schema: || output_schema(false),
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = FindSubstructure::read(checked);
    let chemistry = ChemistryOptions {
        match_stereo: arguments.match_stereo,
        complete_rings_only: arguments.complete_rings_only,
        ring_matches_ring_only: arguments.ring_matches_ring_only,
        ..ChemistryOptions::default()
    };
    let mut query = None;
    let pattern = match arguments.query_format {
        QueryFormat::Smarts => read_pattern("query", &arguments.query)?,
        QueryFormat::Smiles => {
            let molecule = read_molecule("query", &arguments.query, MAX_ATOMS)?;
            Pattern::from_molecule(query.insert(molecule), &chemistry)
        }
    };
    let molecule = read_molecule("target_smiles", &arguments.target_smiles, MAX_ATOMS)?;
    let options = MatchOptions {
        induced: arguments.induced,
        complete_rings_only: arguments.complete_rings_only,
    };
    let mut search = Search::start(context, arguments.timeout_ms, arguments.node_limit);
    // Looked at first, so that a limit of zero stops before anything is found.
    let result = search.budget.check().and_then(|()| {
        Matcher::new().first_within(&pattern, &Target::new(&molecule), &options, &mut search.budget)
    });
    let (image, status) = match result {
        Ok(image) => (image, Status::Completed),
        Err(stop) => (None, stop.into()),
    };
    let finished = status == Status::Completed;
    let claim = match (&image, finished) {
        (Some(_), _) => "Proved: the molecule contains the query, in the place given.".to_owned(),
        (None, true) => {
            "Proved: under these options the molecule does not contain the query.".to_owned()
        }
        (None, false) => {
            format!("{}: whether the molecule contains the query is open.", stopped_by(status))
        }
    };
    let outcome = Outcome {
        score: image.as_ref().map_or(0, |image| image.len()),
        matches: image.iter().map(|image| Match::of_pattern(&pattern, image)).collect(),
        status,
        optimal: finished,
        complete: finished,
        claim,
        truncated: None,
        warnings: warnings(
            query
                .iter()
                .map(|query| (Some("query"), query))
                .chain([(Some("target_smiles"), &molecule)]),
        ),
    };
    Ok(reply(context, &search, &chemistry, 1, &outcome))
}

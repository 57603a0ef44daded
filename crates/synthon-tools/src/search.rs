//! What the search tools share: budgets, chemistry switches, matches, and the fields that say
//! what a result proves.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use synthon_budget::{Budget, Status};
use synthon_query::{ChemistryOptions, Pattern, QueryError};

use crate::arguments::MAX_TEXT_CHARS;
use crate::context::CallContext;
use crate::envelope::{ENGINE_VERSION, milliseconds};
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, warnings_field};
use crate::output::{boolean, count, described, list, object, one_of, real, status, string};
use crate::registry::{MAX_RESULT_BYTES, ToolReply};

/// Longest search that can be asked for.
pub(crate) const MAX_TIMEOUT_MS: i64 = 30_000;
/// Most search nodes that can be asked for.
pub(crate) const MAX_NODE_LIMIT: i64 = 1_000_000;
/// Most embeddings that can be asked for.
pub(crate) const MAX_MATCHES: i64 = 32;

/// A search under way: its budget and its clock.
pub(crate) struct Search {
    pub(crate) budget: Budget,
    timeout_ms: i64,
    node_limit: i64,
    started: Instant,
}

impl Search {
    /// Starts the clock of a search within a call.
    pub(crate) fn start(context: &CallContext<'_>, timeout_ms: i64, node_limit: i64) -> Self {
        let budget = context
            .budget()
            .child()
            .with_time_limit(Duration::from_millis(timeout_ms.unsigned_abs()))
            .with_node_limit(node_limit.unsigned_abs());
        Search { budget, timeout_ms, node_limit, started: Instant::now() }
    }
}

/// One match in the form of the result.
pub(crate) struct Match {
    /// Query atom and target atom, sorted.
    pub(crate) atoms: Vec<(u32, u32)>,
    /// Query atoms of a matched bond and their images, sorted.
    pub(crate) bonds: Vec<[u32; 4]>,
    /// Query atoms of each connected piece.
    pub(crate) fragments: Vec<Vec<u32>>,
}

impl Match {
    /// An embedding of a pattern: the target atom of every query atom.
    pub(crate) fn of_pattern(pattern: &Pattern, image: &[u32]) -> Self {
        let mut bonds: Vec<[u32; 4]> = pattern
            .bonds()
            .iter()
            .map(|bond| {
                let (a, b) = (bond.begin().min(bond.end()), bond.begin().max(bond.end()));
                [a as u32, b as u32, image[a], image[b]]
            })
            .collect();
        bonds.sort_unstable();
        let mut fragments: Vec<Vec<u32>> = Vec::new();
        let mut homes: Vec<usize> = Vec::new();
        for (atom, query) in pattern.atoms().iter().enumerate() {
            match homes.iter().position(|&home| home == query.component()) {
                Some(fragment) => fragments[fragment].push(atom as u32),
                None => {
                    homes.push(query.component());
                    fragments.push(vec![atom as u32]);
                }
            }
        }
        let atoms = image.iter().enumerate().map(|(q, &t)| (q as u32, t)).collect();
        Match { atoms, bonds, fragments }
    }

    fn json(&self) -> Value {
        let atoms: Vec<[u32; 2]> = self.atoms.iter().map(|&(q, t)| [q, t]).collect();
        json!({
            "atom_mapping": atoms,
            "bond_mapping": self.bonds,
            "fragments": self.fragments,
            "atom_count": self.atoms.len(),
            "bond_count": self.bonds.len(),
        })
    }
}

/// What a search found and what that proves.
pub(crate) struct Outcome {
    pub(crate) matches: Vec<Match>,
    pub(crate) status: Status,
    /// The score is proved to be the greatest, or that there is no match.
    pub(crate) optimal: bool,
    /// Nothing that was asked for is missing.
    pub(crate) complete: bool,
    pub(crate) score: usize,
    pub(crate) claim: String,
    /// Present for lists: whether the list stopped at its cap.
    pub(crate) truncated: Option<bool>,
    /// What was dropped on reading the molecules, from [`warnings`](crate::molecule::warnings).
    pub(crate) warnings: Value,
}

/// The reply of a search tool.
pub(crate) fn reply(
    context: &CallContext<'_>,
    search: &Search,
    chemistry: &ChemistryOptions,
    max_matches: i64,
    outcome: &Outcome,
) -> ToolReply {
    ToolReply::json(result(context, search, chemistry, max_matches, outcome))
}

/// The result object of a search tool.
pub(crate) fn result(
    context: &CallContext<'_>,
    search: &Search,
    chemistry: &ChemistryOptions,
    max_matches: i64,
    outcome: &Outcome,
) -> Map<String, Value> {
    let searched = milliseconds(search.started.elapsed());
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("found", (!outcome.matches.is_empty()).into());
    put("status", outcome.status.as_str().into());
    put("optimal", outcome.optimal.into());
    put("complete", outcome.complete.into());
    put("score", (outcome.score as f64).into());
    put("matches", outcome.matches.iter().map(Match::json).collect());
    if let Some(truncated) = outcome.truncated {
        put("truncated", truncated.into());
    }
    put("claim", outcome.claim.as_str().into());
    put("warnings", outcome.warnings.clone());
    put("nodes_visited", search.budget.nodes().into());
    put("elapsed_ms", searched.clone());
    put(
        "proof",
        json!({
            "scope": "native_search",
            "optimal": outcome.optimal,
            "complete": outcome.complete,
        }),
    );
    put(
        "budget",
        json!({
            "timeout_ms": search.timeout_ms,
            "node_limit": search.node_limit,
            "call_timeout_ms": context.call_timeout().as_millis() as u64,
        }),
    );
    put(
        "chemistry",
        json!({
            "match_atom_type": chemistry.atom_type,
            "match_bond_order": "strict",
            "aromaticity_mode": "flexible",
            "match_formal_charge": chemistry.formal_charge,
            "match_isotope": chemistry.isotope,
            "match_stereo": chemistry.match_stereo,
            "complete_rings_only": chemistry.complete_rings_only,
            "ring_matches_ring_only": chemistry.ring_matches_ring_only,
        }),
    );
    put(
        "limits",
        json!({
            "max_text_chars": MAX_TEXT_CHARS,
            "max_atoms": MAX_ATOMS,
            "max_timeout_ms": MAX_TIMEOUT_MS,
            "max_node_limit": MAX_NODE_LIMIT,
            "max_matches": max_matches,
            "max_result_bytes": MAX_RESULT_BYTES,
        }),
    );
    put(
        "timings",
        json!({
            "wall_elapsed_ms": milliseconds(context.budget().elapsed()),
            "native_search_ms": searched,
        }),
    );
    put("engine_version", ENGINE_VERSION.into());
    out
}

/// Schema of [`reply`].
pub(crate) fn output_schema(is_list: bool) -> Value {
    let pair = json!({"type": "array", "items": count(), "minItems": 2, "maxItems": 2});
    let four = json!({"type": "array", "items": count(), "minItems": 4, "maxItems": 4});
    let one_match = object([
        ("atom_mapping", described(list(pair), "[query atom, target atom], zero-based.")),
        ("bond_mapping", described(list(four), "[query, query, target, target] atoms.")),
        ("fragments", described(list(list(count())), "Query atoms of each piece.")),
        ("atom_count", count()),
        ("bond_count", count()),
    ]);
    let mut schema = object([
        ("found", boolean()),
        ("status", status()),
        ("optimal", described(boolean(), "Proved: no better match, or none at all.")),
        ("complete", described(boolean(), "Nothing asked for is missing.")),
        ("score", described(real(), "Atoms, or bonds for mces; 0 without a match.")),
        ("matches", list(one_match)),
        ("claim", described(string(), "What may be concluded.")),
        warnings_field(),
        ("nodes_visited", count()),
        ("elapsed_ms", real()),
        (
            "proof",
            object([
                ("scope", one_of(&["native_search"])),
                ("optimal", boolean()),
                ("complete", boolean()),
            ]),
        ),
        (
            "budget",
            object([
                ("timeout_ms", count()),
                ("node_limit", count()),
                ("call_timeout_ms", count()),
            ]),
        ),
        (
            "chemistry",
            object([
                ("match_atom_type", boolean()),
                ("match_bond_order", string()),
                ("aromaticity_mode", string()),
                ("match_formal_charge", boolean()),
                ("match_isotope", boolean()),
                ("match_stereo", boolean()),
                ("complete_rings_only", boolean()),
                ("ring_matches_ring_only", boolean()),
            ]),
        ),
        (
            "limits",
            object([
                ("max_text_chars", count()),
                ("max_atoms", count()),
                ("max_timeout_ms", count()),
                ("max_node_limit", count()),
                ("max_matches", count()),
                ("max_result_bytes", count()),
            ]),
        ),
        ("timings", object([("wall_elapsed_ms", real()), ("native_search_ms", real())])),
        ("engine_version", string()),
    ]);
    if is_list {
        schema["properties"]["truncated"] =
            described(boolean(), "The list stopped at max_matches.");
        if let Some(required) = schema["required"].as_array_mut() {
            required.push("truncated".into());
        }
    }
    schema
}

/// Compiles the SMARTS given as `argument`.
///
/// # Errors
/// What the compiler found wrong, with its place.
pub(crate) fn read_pattern(argument: &str, smarts: &str) -> Result<Pattern, ToolError> {
    Pattern::from_smarts(smarts.trim()).map_err(|error: QueryError| {
        let out = ToolError::tool(error.code(), error.message()).about(argument);
        let leading = smarts.len() - smarts.trim_start().len();
        let out = out.at(error.span().start + leading);
        match error.hint() {
            Some(hint) => out.with_hint(hint),
            None => out,
        }
    })
}

/// Why a search was stopped, as the beginning of a sentence.
pub(crate) fn stopped_by(status: Status) -> &'static str {
    match status {
        Status::Completed => "The search ended by itself",
        Status::TimedOut => "The search was stopped by its time limit",
        Status::LimitReached => "The search was stopped by its node limit",
        Status::Cancelled => "The search was cancelled",
    }
}

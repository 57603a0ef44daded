//! Why a search gave no route, as far as the search itself shows it.

use serde::Serialize;
use synthon_budget::Status;
use synthon_mol::Molecule;
use synthon_plan::{Diagnosis, InStock, Remedy};

use crate::catalogue::Catalogue;

/// One cause, and what would help against it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cause {
    /// Stable name.
    pub code: &'static str,
    /// A sentence.
    pub text: String,
    /// Another one, where something can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// The causes, the most telling first.
pub(crate) fn causes(found: &Diagnosis, target: &Molecule, catalogue: &Catalogue) -> Vec<Cause> {
    let result = &found.result;
    let mut causes = Vec::new();
    let mut add = |code, text: String, suggestion: Option<String>| {
        causes.push(Cause { code, text, suggestion });
    };
    if !result.routes.is_empty() {
        add(
            "routes_found",
            format!("The search does not fail: {} routes were found.", result.routes_found),
            Some("Use find_routes to see them.".into()),
        );
        return causes;
    }
    let (library, stock) = (&result.proof.library, &result.proof.stock);
    if target.components().0 > 1 {
        let parts = target.components().0;
        let charged = target.atoms().iter().any(|atom| atom.charge() != 0);
        let (code, what) = if charged { ("salt", "salt") } else { ("mixture", "mixture") };
        add(
            code,
            format!("The target is a {what} of {parts} parts, and templates make one molecule."),
            Some(
                "Ask for the parent alone: standardise_molecule with largest_fragment and \
                 neutralise gives it."
                    .into(),
            ),
        );
        return causes;
    }
    if result.target_in_stock != InStock::No {
        add("target_in_stock", format!("The target itself is in stock {stock}."), None);
    }
    match result.status {
        Status::TimedOut => add(
            "timed_out",
            "The time was up before the search had ended.".into(),
            Some("Raise timeout_secs, as far as the server's cap on a call allows.".into()),
        ),
        Status::LimitReached => add(
            "node_limit",
            format!("The limit of {} molecules was reached.", result.search.nodes_expanded),
            Some("Raise node_limit.".into()),
        ),
        Status::Cancelled => add("cancelled", "The call was cancelled.".into(), None),
        Status::Completed => {}
    }
    let others: Vec<&str> =
        catalogue.library_names().into_iter().filter(|name| name != library).collect();
    let elsewhere = (!others.is_empty())
        .then(|| format!("Ask for another configured library: {}.", others.join(", ")));
    if result.search.nodes_expanded > 0 && !found.target_has_steps {
        add(
            "no_template_matches",
            format!("No template of library {library} makes the target itself."),
            Some(elsewhere.clone().unwrap_or_else(|| {
                "Have the server configured with a larger library of templates.".into()
            })),
        );
    }
    if result.search.steps_refused > 0 {
        add(
            "steps_refused",
            format!(
                "{} steps were left out because they did not give their product forwards.",
                result.search.steps_refused
            ),
            None,
        );
    }
    if let Some(nearest) = found.near_misses.first() {
        let missing: Vec<&str> = nearest
            .leaves
            .iter()
            .filter(|leaf| leaf.in_stock == InStock::No)
            .map(|leaf| leaf.smiles.as_str())
            .collect();
        add(
            "leaves_not_in_stock",
            format!("The nearest partial route lacks {} in stock {stock}.", missing.join(" and ")),
            Some(format!(
                "If you can get {}, plan_with_constraints with start_from makes use of it, or \
                 have a stock configured that lists it.",
                missing.join(" and ")
            )),
        );
    }
    for leaf in &found.missing {
        if let Some(stereoisomer) = &leaf.stereoisomer {
            add(
                "stereo_only",
                format!(
                    "Only stereo stands between {} and {stereoisomer}, which is in stock {stock}.",
                    leaf.smiles
                ),
                Some(
                    "Plan for the target without that stereo mark, or buy or resolve the isomer."
                        .into(),
                ),
            );
        }
        if let Some(precursors) = &leaf.one_step_from {
            add(
                "one_step_from_stock",
                format!(
                    "{} is one step from {}, in stock {stock}.",
                    leaf.smiles,
                    precursors.join(" and ")
                ),
                Some("Raise depth by one, or give the search more time.".into()),
            );
        }
    }
    if let Some(remedy) = &found.remedy {
        let text = match remedy {
            Remedy::Depth(depth) => format!("Tried: with depth {depth} a route is found."),
            Remedy::Nodes(nodes) => format!("Tried: with node_limit {nodes} a route is found."),
            _ => "Tried: a route is found when any stereoisomer of a block counts as in stock."
                .to_owned(),
        };
        add("remedy_tried", text, None);
    }
    if result.search.deepest_level >= result.proof.depth && found.target_has_steps {
        add(
            "depth_limit",
            format!("The search came down to its depth of {} steps.", result.proof.depth),
            Some("Raise depth.".into()),
        );
    }
    if let Some(cutoff) = &result.proof.cutoff {
        add("cutoff", format!("Not everything was tried: {cutoff}."), None);
    }
    causes
}

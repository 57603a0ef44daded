//! Output schemas of what planning results are made of.

use serde_json::{Value, json};

use crate::output::{
    boolean, count, described, list, nullable, object, object_with, one_of, real, status, string,
};

pub(crate) fn limits_schema() -> Value {
    object([("max_text_chars", count()), ("max_atoms", count()), ("max_result_bytes", count())])
}

pub(crate) fn budget_schema() -> Value {
    object([
        ("timeout_secs", count()),
        ("node_limit", count()),
        ("call_timeout_secs", described(count(), "The server's cap on the whole call.")),
    ])
}

pub(crate) fn timings_schema() -> Value {
    object([("wall_elapsed_ms", real()), ("search_ms", real())])
}

/// Schema of the constraints that a proof repeats: those of `names` that asked for something.
pub(crate) fn constraints_schema(names: &[&str]) -> Value {
    let pair = json!({"type": "array", "items": count()});
    let fields = names.iter().map(|&name| {
        let kind = match name {
            "start_from" => string(),
            "break_bonds" | "freeze_bonds" => list(pair.clone()),
            _ if name.starts_with("max_") || name.starts_with("min_") => real(),
            _ => list(string()),
        };
        (name, kind)
    });
    object_with([], fields)
}

/// Schema of the proof block.
fn proof_schema(constraints: Value) -> Value {
    object_with(
        [
            ("scope", one_of(&["planning"])),
            ("complete", boolean()),
            ("library", string()),
            ("stock", string()),
            ("depth", count()),
            ("constraints", constraints),
        ],
        [("cutoff", described(string(), "What left templates untried."))],
    )
}

/// Schema of the work done by a search.
pub(crate) fn search_schema() -> Value {
    object([
        ("nodes_expanded", count()),
        ("molecules_seen", count()),
        ("templates_tried", count()),
        ("templates_matched", count()),
        ("stock_hits", count()),
        ("steps_refused", count()),
        ("deepest_level", count()),
    ])
}

/// Schema of one precursor set of the candidate trace.
pub(crate) fn candidate_schema() -> Value {
    object([
        ("target", string()),
        ("rank", count()),
        ("template_id", string()),
        ("rule", string()),
        ("reaction_family", string()),
        ("precursors", list(string())),
        ("step_confidence", real()),
        ("cost", real()),
    ])
}

/// Schema of a stock state.
pub(crate) fn in_stock_schema() -> Value {
    one_of(&["yes", "probable", "no"])
}

/// Schema of the end of a search.
pub(crate) fn status_schema() -> Value {
    status()
}

/// The fields of a step that do not say what it starts from.
pub(crate) fn step_fields<'a>() -> [(&'a str, Value); 5] {
    [
        ("template_id", string()),
        ("rule", string()),
        ("reaction_family", string()),
        ("step_confidence", real()),
        ("balanced", boolean()),
    ]
}

/// The fields of a step that [`Detail::Brief`](super::Detail) leaves out or that may be absent.
pub(crate) fn optional_step_fields<'a>() -> [(&'a str, Value); 7] {
    let conditions = object([("text", string()), ("metadata_source", string())]);
    let precedents = object_with([("count", count())], [("examples", list(string()))]);
    let centre = object([
        ("mapped", string()),
        ("target", list(count())),
        ("precursors", list(list(count()))),
    ]);
    [
        ("precedents", precedents),
        ("conditions", described(conditions, "Typical forward conditions.")),
        ("atom_economy", nullable(real())),
        ("atom_economy_status", string()),
        ("forward_check", forward_schema()),
        ("changed_atoms", centre),
        ("alarms", list(string())),
    ]
}

fn step_schema() -> Value {
    let from = [("target", string()), ("precursors", list(string()))];
    object_with(from.into_iter().chain(step_fields()), optional_step_fields())
}

/// Version of [`published_route_schema`]. It rises when a field changes its meaning, its type or its
/// name; a field may be added without.
pub const ROUTE_SCHEMA_VERSION: &str = "1";

/// The JSON Schema of a route for those who keep routes or read them elsewhere; the results of
/// `find_routes` and `plan_with_constraints` with full detail follow it.
///
/// It stands in `docs/route.schema.json` and is printed by `synthon tools --route-schema`.
pub fn published_route_schema() -> Value {
    let mut schema = serde_json::Map::new();
    let head = [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("title", "Synthon route"),
        ("description", "A synthesis route: steps from the target back to its building blocks."),
        ("schema_version", ROUTE_SCHEMA_VERSION),
    ];
    for (key, value) in head {
        schema.insert(key.into(), value.into());
    }
    if let Value::Object(route) = route_schema([]) {
        schema.extend(route);
    }
    // Readers of a later version's routes should not fail on what they do not know.
    let mut schema = Value::Object(schema);
    open_up(&mut schema);
    schema
}

/// Lets every object of a schema have further properties.
fn open_up(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("additionalProperties");
        object.values_mut().for_each(open_up);
    } else if let Some(items) = schema.as_array_mut() {
        items.iter_mut().for_each(open_up);
    }
}

/// Schema of a route with fields of the tool's own.
pub(crate) fn route_schema<'a>(own: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let fields = [
        ("route_id", string()),
        ("steps", described(list(step_schema()), "The step that makes the target first.")),
        ("leaves", list(leaf_schema())),
        ("tier", described(count(), "0 to 3, see the documentation.")),
        ("first_failing_step", failing_schema()),
        ("depth", count()),
        ("score", described(real(), "Lower is better.")),
        ("building_blocks", list(string())),
        ("confidence", real()),
        ("success_probability", real()),
        ("convergency", real()),
        ("route_cost", real()),
        ("cost_basis", string()),
        ("atom_economy", nullable(real())),
        ("warnings", list(string())),
    ];
    object(fields.into_iter().chain(own))
}

/// Schema of a leaf.
pub(crate) fn leaf_schema() -> Value {
    object_with(
        [("smiles", string()), ("in_stock", in_stock_schema())],
        [("source", string()), ("price", real()), ("sold_as", string())],
    )
}

/// Schema of what a constraint ruled out.
pub(crate) fn removed_schema() -> Value {
    let removed = object([
        ("constraint", string()),
        (
            "what",
            one_of(&[
                "routes",
                "partial_routes",
                "building_blocks",
                "templates",
                "steps",
                "molecules",
            ]),
        ),
        ("count", count()),
    ]);
    described(list(removed), "What constraints ruled out, as far as the search came.")
}

/// Schema of the forward check of a step.
pub(crate) fn forward_schema() -> Value {
    object_with(
        [("reproduces_target", boolean()), ("distinct_products", count())],
        [("truncated", boolean()), ("selectivity_warning", string())],
    )
}

/// Schema of the first step that fails the next tier.
pub(crate) fn failing_schema() -> Value {
    nullable(object([("step", count()), ("tier", count()), ("reason", string())]))
}

/// Schema of a planning result around the tool's own fields.
pub(crate) fn result_schema<'a>(
    own: impl IntoIterator<Item = (&'a str, Value)>,
    own_optional: impl IntoIterator<Item = (&'a str, Value)>,
) -> Value {
    result_schema_under(&[], own, own_optional)
}

/// The same for a tool that takes these constraints.
pub(crate) fn result_schema_under<'a>(
    constraints: &[&str],
    own: impl IntoIterator<Item = (&'a str, Value)>,
    own_optional: impl IntoIterator<Item = (&'a str, Value)>,
) -> Value {
    let first = [
        ("target", described(string(), "Canonical SMILES of the target.")),
        ("status", status_schema()),
        ("complete", described(boolean(), "Whether every allowed expansion was made.")),
        ("truncated", described(boolean(), "Whether there may be more.")),
        ("proof", proof_schema(constraints_schema(constraints))),
        ("claim", described(string(), "What may be concluded.")),
    ];
    let last = [
        ("budget", budget_schema()),
        ("limits", limits_schema()),
        ("timings", timings_schema()),
        ("schema_version", described(string(), "Version of the schema of routes.")),
        ("engine_version", string()),
    ];
    object_with(first.into_iter().chain(own).chain(last), own_optional)
}

/// The fields of a search that stand in a result beside the tool's own.
pub(crate) fn searched<'a>() -> [(&'a str, Value); 3] {
    [("target_in_stock", in_stock_schema()), ("routes_found", count()), ("search", search_schema())]
}

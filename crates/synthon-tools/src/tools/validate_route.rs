//! `validate_route`: does this route hold, step by step.

use serde_json::{Map, Value, json};
use synthon_plan::{Audit, AuditedStep};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, optional_object, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{boolean, count, described, list, nullable, object_with, one_of, real, string};
use crate::planning::Detail;
use crate::planning::audited::{Audited, audit_of};
use crate::planning::page::{Items, next_offset, offset};
use crate::planning::schema::{self, leaf_schema, result_schema};
use crate::planning::search::{Setting, bounded, depth, library, node_limit, seconds, stock};
use crate::registry::{Tool, ToolReply, Toolset};

arguments! {
    /// What `validate_route` takes.
    pub struct ValidateRoute {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// A route to look at, as the planning tools give it ({steps: [{target, precursors}]}) or
        /// as AiZynthFinder, PaRoutes, Syntheseus or RetroCast do; left out, the best one found.
        route: Option<Map<String, Value>> = optional_object(),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves out the forward checks of the steps.
        detail: Detail = choice("full"),
        /// First place of the list to return, where an earlier reply was cut.
        offset: i64 = offset(),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "validate_route",
    title: "Validate a route",
    description: "Check a synthesis route step by step: atom balance, whether a template of the \
                  library gives these precursors and gives the target back when run forwards, \
                  stock state of each leaf. Bring a route of your own or let the best one found \
                  be checked. verdict fail names what is wrong; partial means that nothing is \
                  known to be wrong but not all could be looked at, such as steps that no \
                  template knows. pass is no proof that the chemistry works in the laboratory. \
                  At most 200 steps.",
    toolset: Toolset::Planning,
    arguments: ValidateRoute::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = ValidateRoute::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let audited =
        audit_of(context, setting, &arguments.smiles, arguments.route.as_ref(), arguments.depth)?;
    let mut out = audited.head.clone();
    let audit = audited.audit.as_ref();
    out.insert("routes_found".into(), usize::from(audit.is_some()).into());
    let (verdict, reasons) = audited.verdict();
    out.insert("verdict".into(), verdict.into());
    out.insert("reasons".into(), reasons.clone().into());
    let steps = audit.map_or(&[][..], |audit| &audit.steps);
    let brief = arguments.detail == Detail::Brief;
    let steps = Items {
        values: steps
            .iter()
            .map(|step| step_value(step, audit.expect("there are steps"), brief))
            .collect(),
        texts: steps.iter().enumerate().map(|(at, step)| step_text(at, step)).collect(),
        name: "Steps",
    };
    out.insert("steps".into(), json!([]));
    let balanced = audit.is_some_and(Audit::all_atom_balanced);
    out.insert("all_atom_balanced".into(), balanced.into());
    let route = audit.and_then(|audit| audit.route.as_ref());
    let figure = |figure: Option<f64>| figure.map_or(Value::Null, Value::from);
    out.insert("confidence".into(), figure(route.map(|r| r.confidence)));
    out.insert("success_probability".into(), figure(route.map(|r| r.success_probability)));
    out.insert("tier".into(), route.map_or(Value::Null, |route| route.tier.into()));
    let failing = route.and_then(|route| route.first_failing_step.as_ref());
    let failing = serde_json::to_value(failing).expect("a step serialises");
    out.insert("first_failing_step".into(), failing);
    if let Some(search) = &audited.search {
        out.insert("search".into(), search.clone());
    }
    let head = head_of(&audited, verdict, &reasons);
    let mut out = audited.question.finish(out);
    let text = steps.put("steps", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn step_value(step: &AuditedStep, audit: &Audit, brief: bool) -> Value {
    let mut out = Map::new();
    out.insert("target".into(), step.target.as_str().into());
    let precursors: Vec<Value> = step
        .precursors
        .iter()
        .map(|smiles| match audit.leaves.iter().find(|leaf| leaf.smiles == *smiles) {
            Some(leaf) => serde_json::to_value(leaf).expect("a leaf serialises"),
            None => json!({"smiles": smiles}),
        })
        .collect();
    out.insert("precursors".into(), precursors.into());
    out.insert("atom_balanced".into(), step.atom_balanced.into());
    out.insert("recognised".into(), step.known.is_some().into());
    if let Some(known) = &step.known {
        out.insert("template_id".into(), known.template_id.as_str().into());
        out.insert("rule".into(), known.rule.as_str().into());
        out.insert("reaction_family".into(), known.reaction_family.as_str().into());
        out.insert("step_confidence".into(), known.step_confidence.into());
        if !brief {
            let forward = serde_json::to_value(&known.forward_check).expect("it serialises");
            out.insert("forward_check".into(), forward);
        }
        if !known.alarms.is_empty() {
            out.insert("alarms".into(), known.alarms.clone().into());
        }
    }
    out.insert("reasons".into(), step.reasons.clone().into());
    Value::Object(out)
}

fn head_of(audited: &Audited<'_>, verdict: &str, reasons: &[String]) -> String {
    let mut text = format!("Verdict: {verdict}\n{}\n", audited.claim());
    for reason in reasons {
        text.push_str(&format!("! {reason}\n"));
    }
    for leaf in audited.audit.iter().flat_map(|audit| &audit.leaves) {
        text.push_str(&format!("Leaf {}: {}\n", leaf.smiles, leaf.in_stock.in_words()));
    }
    text
}

fn step_text(at: usize, step: &AuditedStep) -> String {
    let how = match &step.known {
        Some(known) => format!(
            "{}, confidence {:.2}, gives the target forwards",
            known.rule, known.step_confidence
        ),
        None => "not confirmed by any template".to_owned(),
    };
    format!(
        "Step {}: {} from {}\n  {how}; {}\n",
        at + 1,
        step.target,
        step.precursors.join(" + "),
        if step.atom_balanced { "atoms balanced" } else { "atoms not balanced" },
    )
}

fn output_schema() -> Value {
    let precursor = object_with(
        [("smiles", string())],
        [
            ("in_stock", described(schema::in_stock_schema(), "Of leaves only.")),
            ("source", string()),
            ("price", leaf_schema()["properties"]["price"].clone()),
            ("sold_as", string()),
        ],
    );
    let step = object_with(
        [
            ("target", string()),
            ("precursors", list(precursor)),
            ("atom_balanced", boolean()),
            ("recognised", described(boolean(), "Whether a template of the library confirms it.")),
            ("reasons", list(string())),
        ],
        [
            ("template_id", string()),
            ("rule", string()),
            ("reaction_family", string()),
            ("step_confidence", real()),
            ("forward_check", schema::forward_schema()),
            ("alarms", list(string())),
        ],
    );
    result_schema(
        [
            ("routes_found", count()),
            ("verdict", one_of(&["pass", "fail", "partial"])),
            ("reasons", described(list(string()), "Why it is not pass.")),
            ("steps", list(step)),
            next_offset(),
            ("all_atom_balanced", boolean()),
            ("confidence", nullable(real())),
            ("success_probability", nullable(real())),
            ("tier", nullable(count())),
            ("first_failing_step", schema::failing_schema()),
        ],
        [("search", schema::search_schema())],
    )
}

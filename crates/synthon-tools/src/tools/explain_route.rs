//! `explain_route`: a route in words, each sentence tied to a figure.

use serde_json::{Value, json};
use synthon_plan::{DEFAULT_WIDTH, Explanation, explain, render_route};

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, integer, optional_object, text,
};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, list, nullable, object, string};
use crate::planning::Detail;
use crate::planning::audited::audit_of;
use crate::planning::page::{next_offset, offset};
use crate::planning::schema::{result_schema, search_schema};
use crate::planning::search::{
    Question, Setting, bounded, depth, frame, library, node_limit, place_of, routes, seconds, stock,
};
use crate::registry::{Tool, ToolReply, Toolset};
use serde_json::Map;
use synthon_plan::PlanRequest;

arguments! {
    /// What `explain_route` takes.
    pub struct ExplainRoute {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// A route to look at, as the planning tools give it ({steps: [{target, precursors}]}) or
        /// as AiZynthFinder, PaRoutes, Syntheseus or RetroCast do; left out, the best one found.
        route: Option<Map<String, Value>> = optional_object(),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Most routes to explain, when none is brought.
        max_routes: i64 = integer(1, 100, 1),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves out the sentences on single steps.
        detail: Detail = choice("full"),
        /// First place of the list to return, where an earlier reply was cut.
        offset: i64 = offset(),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "explain_route",
    title: "Explain a route",
    description: "Explain a synthesis route in words: what each step does, what speaks for the \
                  route and what against it. Each sentence names the field that it rests on; \
                  nothing is said that was not looked up or computed, so hazards, yields and \
                  costs of work are not judged. Bring a route or have the best ones found. Steps \
                  that no template of the library knows are listed as such.",
    toolset: Toolset::Planning,
    arguments: ExplainRoute::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = ExplainRoute::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let brief = arguments.detail == Detail::Brief;
    if let Some(route) = &arguments.route {
        let audited = audit_of(context, setting, &arguments.smiles, Some(route), arguments.depth)?;
        let mut out = audited.head.clone();
        let audit = audited.audit.as_ref().expect("a route that is brought is audited");
        let mut text = format!("{}\n", audited.claim());
        let explanations = match &audit.route {
            Some(route) => {
                text.push_str(&render_route(route, DEFAULT_WIDTH));
                let explanation = explain(route);
                text.push_str(&sentences(&explanation));
                vec![value_of(&explanation, brief)]
            }
            None => {
                // Without a template for every step there are no figures to explain.
                let against: Vec<Value> = audit
                    .reasons
                    .iter()
                    .map(|reason| json!({"text": reason, "field": "reasons"}))
                    .collect();
                for reason in &audit.reasons {
                    text.push_str(&format!("- {reason}\n"));
                }
                vec![json!({
                    "route_id": null, "tier": null, "strengths": [], "weaknesses": against,
                    "steps": [],
                })]
            }
        };
        out.insert("routes_found".into(), 1.into());
        out.insert("explanations".into(), explanations.into());
        out.insert("next_offset".into(), Value::Null);
        return Ok(ToolReply { structured: audited.question.finish(out), text });
    }
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let request = PlanRequest::new(question.target.clone())
        .depth(bounded(arguments.depth))
        .max_routes(bounded(arguments.max_routes));
    let result = question.plan(&request)?;
    let (mut out, after): (Map<String, Value>, _) = frame(&result);
    out.shift_remove("target_in_stock");
    let mut listed = routes(&result.routes, Detail::Brief, place_of(result.routes.len()));
    for (at, route) in result.routes.iter().enumerate() {
        let explanation = explain(route);
        listed.texts[at].push_str(&sentences(&explanation));
        listed.values[at] = value_of(&explanation, brief);
    }
    out.insert("explanations".into(), json!([]));
    out.extend(after.into_iter().filter(|(key, _)| key == "search"));
    let mut out = question.finish(out);
    let head = format!("{}\n", result.claim);
    let text = listed.put("explanations", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn sentences(explanation: &Explanation) -> String {
    let mut text = String::new();
    for remark in &explanation.steps {
        // The sentences that follow the first one of a step belong to it.
        let indent = if remark.text.starts_with("Step ") { "" } else { "  " };
        text.push_str(&format!("{indent}{} ({})\n", remark.text, remark.field));
    }
    for (heading, remarks) in
        [("For it:", &explanation.strengths), ("Against it:", &explanation.weaknesses)]
    {
        if !remarks.is_empty() {
            text.push_str(&format!("{heading}\n"));
        }
        for remark in remarks {
            text.push_str(&format!("- {} ({})\n", remark.text, remark.field));
        }
    }
    text
}

fn value_of(explanation: &Explanation, brief: bool) -> Value {
    let mut value = serde_json::to_value(explanation).expect("an explanation serialises");
    if brief {
        value["steps"] = json!([]);
    }
    value
}

fn output_schema() -> Value {
    let remark =
        || object([("text", string()), ("field", described(string(), "What it rests on."))]);
    let explanation = object([
        ("route_id", nullable(string())),
        ("tier", nullable(count())),
        ("strengths", list(remark())),
        ("weaknesses", list(remark())),
        ("steps", list(remark())),
    ]);
    result_schema(
        [("routes_found", count()), ("explanations", list(explanation)), next_offset()],
        [("search", search_schema())],
    )
}

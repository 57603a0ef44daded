//! `suggest_disconnections`: the ways to make a molecule in one step.

use std::time::Duration;

use serde_json::{Map, Value, json};
use synthon_plan::{InStock, disconnect};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, list, object, object_with};
use crate::planning::page::{Items, next_offset, offset};
use crate::planning::schema::{leaf_schema, optional_step_fields, result_schema, step_fields};
use crate::planning::search::{Question, Setting, bounded, library, proof, stock};
use crate::planning::{Detail, make_brief};
use crate::registry::{Tool, ToolReply, Toolset};

/// Seconds for the one expansion.
const TIMEOUT: Duration = Duration::from_secs(20);

arguments! {
    /// What `suggest_disconnections` takes.
    pub struct SuggestDisconnections {
        /// SMILES of the molecule to take apart.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Most disconnections to return.
        max_results: i64 = integer(1, 50, 10),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that precursors are looked up in.
        stock: String = stock(),
        /// brief leaves out conditions, precedents and checks of the steps.
        detail: Detail = choice("full"),
        /// First place of the list to return, where an earlier reply was cut.
        offset: i64 = offset(),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "suggest_disconnections",
    title: "Suggest disconnections",
    description: "List the ways to make a molecule in one step, the most trusted first, each with \
                  its precursors and whether they are in stock. Use it to choose the next step \
                  yourself; find_routes plans all the way to stock. Each step was replayed \
                  forwards and balanced. Only what the library's templates know is listed, and \
                  the order is by confidence, not by how easily the precursors are made.",
    toolset: Toolset::Planning,
    arguments: SuggestDisconnections::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = SuggestDisconnections::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: TIMEOUT.as_secs() as i64,
        // One molecule is expanded; matches are bounded by the library's own limit.
        node_limit: 10_000_000,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let (library, stock) = (question.library()?, question.stock()?);
    let mut budget = question.budget();
    let most: usize = bounded(arguments.max_results);
    let found = disconnect(&question.target, &library, &stock, most, &mut budget);
    question.spent += budget.elapsed();

    let complete = !found.truncated;
    let count = found.list.len();
    let stocked = found.list.iter().filter(|one| one.is_stocked()).count();
    let claim = format!(
        "{count} {} with library {}, {stocked} of them with everything in stock {}; {}.",
        if count == 1 { "disconnection" } else { "disconnections" },
        arguments.library,
        arguments.stock,
        if complete { "there are no others in this library" } else { "there may be more" },
    );
    let mut out = Map::new();
    let target = question.target.to_unmapped_smiles();
    out.insert("target".into(), target.as_str().into());
    out.insert("status".into(), found.status.as_str().into());
    out.insert("complete".into(), complete.into());
    out.insert("truncated".into(), found.truncated.into());
    out.insert("proof".into(), proof(complete, &setting, 1));
    out.insert("claim".into(), claim.as_str().into());
    let head = format!("{target}\n{claim}\n");
    let mut listed = Items { values: Vec::new(), texts: Vec::new(), name: "Disconnections" };
    for one in &found.list {
        let mut entry = Map::new();
        entry.insert("rank".into(), one.rank.into());
        let leaves = serde_json::to_value(&one.precursors).expect("leaves serialise");
        entry.insert("precursors".into(), leaves);
        let mut step = json!([{"steps": [&one.step]}]);
        if arguments.detail == Detail::Brief {
            make_brief(&mut step);
        }
        let step = step[0]["steps"][0].as_object().cloned().unwrap_or_default();
        let rest = step.into_iter().filter(|(key, _)| key != "target" && key != "precursors");
        entry.extend(rest);
        listed.values.push(Value::Object(entry));
        let mut text = format!(
            "{}. {} [{}] {:.2}\n",
            one.rank, one.step.rule, one.step.reaction_family, one.step.step_confidence
        );
        for leaf in &one.precursors {
            text.push_str(&format!("   {}", leaf.smiles));
            if leaf.in_stock != InStock::No {
                text.push_str(&format!("  {}", leaf.in_stock.in_words()));
            }
            text.push('\n');
        }
        listed.texts.push(text);
    }
    out.insert("disconnections".into(), json!([]));
    let (tried, matched) = found.templates;
    let search = json!({
        "templates_tried": tried,
        "templates_matched": matched,
        "looked_at": found.looked_at,
        "steps_refused": found.refused,
    });
    out.insert("search".into(), search);
    let mut out = question.finish(out);
    let text = listed.put("disconnections", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn output_schema() -> Value {
    let entry = object_with(
        [("rank", count()), ("precursors", list(leaf_schema()))].into_iter().chain(step_fields()),
        optional_step_fields(),
    );
    let search = object([
        ("templates_tried", count()),
        ("templates_matched", count()),
        ("looked_at", count()),
        ("steps_refused", count()),
    ]);
    result_schema(
        [
            ("disconnections", described(list(entry), "The most confident first.")),
            next_offset(),
            ("search", search),
        ],
        [],
    )
}

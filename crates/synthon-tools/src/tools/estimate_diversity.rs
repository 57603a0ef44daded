//! `estimate_diversity`: how unlike are the routes that were found.

use serde_json::{Value, json};
use synthon_plan::{PlanRequest, diversity};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, list, real, string};
use crate::planning::Detail;
use crate::planning::schema::{result_schema, searched};
use crate::planning::search::{
    Question, Setting, bounded, depth, frame, library, node_limit, seconds, stock,
};
use crate::registry::{Tool, ToolReply, Toolset};

arguments! {
    /// What `estimate_diversity` takes.
    pub struct EstimateDiversity {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Most routes to compare.
        max_routes: i64 = integer(1, 100, 5),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves out the sets of building blocks.
        detail: Detail = choice("full"),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "estimate_diversity",
    title: "Estimate route diversity",
    description: "Plan routes and say how unlike they are: diversity of their building blocks, \
                  and chemical_idea_cds of their sets of templates. The latter stands in for a \
                  comparison of the bonds that each route makes and is not that comparison. Both \
                  speak of the routes found only; use it to see whether asking for more routes \
                  brings anything new.",
    toolset: Toolset::Planning,
    arguments: EstimateDiversity::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = EstimateDiversity::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let request = PlanRequest::new(question.target.clone())
        .depth(bounded(arguments.depth))
        .max_routes(bounded(arguments.max_routes));
    let result = question.plan(&request)?;
    let found = diversity(&result.routes);
    let (mut out, after) = frame(&result);
    out.insert("diversity".into(), found.building_blocks.into());
    out.insert("chemical_idea_cds".into(), found.chemical_ideas.into());
    out.insert("template_sets".into(), found.template_sets.into());
    let sets: Vec<&Vec<String>> =
        result.routes.iter().map(|route| &route.building_blocks).collect();
    let sets = if arguments.detail == Detail::Brief { json!([]) } else { json!(sets) };
    out.insert("building_block_sets".into(), sets);
    out.extend(after.into_iter().filter(|(key, _)| key == "search"));

    let mut text = format!(
        "Diversity of building blocks {} (0 alike, 1 nothing in common) over {} routes.\n\
         Chemical idea distance {} over {} distinct sets of templates: a stand-in for a \
         comparison of the bonds made, not that comparison.\n{}\n",
        found.building_blocks,
        result.routes_found,
        found.chemical_ideas,
        found.template_sets,
        result.claim
    );
    for (at, route) in result.routes.iter().enumerate() {
        text.push_str(&format!("Route {}: {}\n", at + 1, route.building_blocks.join(" + ")));
    }
    Ok(ToolReply { structured: question.finish(out), text })
}

fn output_schema() -> Value {
    let sets = described(list(list(string())), "One for each route, in their order.");
    result_schema(
        searched().into_iter().chain([
            ("diversity", described(real(), "0 for fewer than two routes.")),
            ("chemical_idea_cds", described(real(), "1 for fewer than two sets of templates.")),
            ("template_sets", count()),
            ("building_block_sets", sets),
        ]),
        [],
    )
}

//! `find_pareto_routes`: the routes that no other route beats on all counts.

use serde_json::{Map, Value, json};
use synthon_plan::{Aim, Figure, PlanRequest, pareto_front};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, integer, text, text_or};
use crate::check::shorten;
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, list, nullable, object, real, string};
use crate::planning::Detail;
use crate::planning::page::{next_offset, offset};
use crate::planning::schema::{removed_schema, result_schema, route_schema, searched};
use crate::planning::search::{
    Question, Setting, bounded, depth, frame, library, node_limit, routes, seconds, stock,
};
use crate::registry::{Tool, ToolReply, Toolset};

/// Routes compared, whatever number is asked for.
const LEAST_COMPARED: usize = 30;
/// Most objectives.
const MAX_OBJECTIVES_CHARS: usize = 400;

arguments! {
    /// What `find_pareto_routes` takes.
    pub struct FindParetoRoutes {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Most routes to return.
        max_routes: i64 = integer(1, 100, 10),
        /// What to compare, as field:min or field:max with commas between. Fields: cost,
        /// success_probability (or success), steps, depth, confidence, convergency, atom_economy.
        objectives: String = text_or("cost:min,success_probability:max,steps:min", MAX_OBJECTIVES_CHARS),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves out conditions, precedents and checks of the steps.
        detail: Detail = choice("full"),
        /// First place of the list to return, where an earlier reply was cut.
        offset: i64 = offset(),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "find_pareto_routes",
    title: "Find Pareto-optimal routes",
    description: "Plan routes and keep those that no other route beats on all objectives, each \
                  with its values and what it is best at. Use it to weigh cost, length and \
                  trust against each other. The front is that of the routes compared, which \
                  routes_compared counts; unless complete is true there may be routes that beat \
                  it. A value that cannot be evaluated is null and never wins.",
    toolset: Toolset::Planning,
    arguments: FindParetoRoutes::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = FindParetoRoutes::read(checked);
    let aims = aims(&arguments.objectives)?;
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    let most: usize = bounded(arguments.max_routes);
    let request = PlanRequest::new(question.target.clone())
        .depth(bounded(arguments.depth))
        .max_routes(most.max(LEAST_COMPARED));
    let result = question.plan(&request)?;
    let front = pareto_front(&result.routes, &aims);
    let kept: Vec<_> = front.iter().map(|f| result.routes[f.position].clone()).collect();
    let shown = kept.len().min(most);
    let heading = |at: usize| {
        let values: Vec<String> = aims
            .iter()
            .zip(&front[at].values)
            .map(|(aim, value)| match value {
                Some(value) => format!("{} {value}", aim.figure.name()),
                None => format!("{} cannot be evaluated", aim.figure.name()),
            })
            .collect();
        let best: Vec<&str> =
            front[at].best_at.iter().map(|&aim| aims[aim].figure.name()).collect();
        let best =
            if best.is_empty() { String::new() } else { format!("\nbest at {}", best.join(", ")) };
        format!("Route {} of {shown}: {}{best}", at + 1, values.join(", "))
    };
    let mut listed = routes(&kept[..shown], arguments.detail, heading);
    for (value, found) in listed.values.iter_mut().zip(&front) {
        let names = |at: &usize| Value::from(aims[*at].figure.name());
        let values: Map<String, Value> = aims
            .iter()
            .zip(&found.values)
            .map(|(aim, value)| {
                (aim.figure.name().to_owned(), value.map_or(Value::Null, Value::from))
            })
            .collect();
        value["objectives"] = values.into();
        value["best_at"] = found.best_at.iter().map(names).collect::<Vec<_>>().into();
    }
    let (mut out, after) = frame(&result);
    let compared = result.routes.len();
    let claim = format!(
        "{} of the {compared} routes compared {} on the front. {}",
        kept.len(),
        if kept.len() == 1 { "is" } else { "are" },
        result.claim
    );
    out.insert("truncated".into(), (result.truncated || shown < kept.len()).into());
    out.insert("claim".into(), claim.as_str().into());
    out.insert("routes_found".into(), shown.into());
    out.insert("routes_compared".into(), compared.into());
    out.insert("routes".into(), json!([]));
    out.extend(after);

    let mut out = question.finish(out);
    let head = format!("{claim}\n");
    let text = listed.put("routes", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn aims(text: &str) -> Result<Vec<Aim>, ToolError> {
    let mut aims: Vec<Aim> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (name, way) = part.split_once(':').unwrap_or((part, ""));
        let name = if name == "success" { "success_probability" } else { name };
        let figure = Figure::ALL.into_iter().find_map(|(known, f)| (known == name).then_some(f));
        let maximise = match way {
            "min" => Some(false),
            "max" => Some(true),
            _ => None,
        };
        let (Some(figure), Some(maximise)) = (figure, maximise) else {
            let names: Vec<_> = Figure::ALL.into_iter().map(|(name, _)| name).collect();
            return Err(ToolError::argument(
                "objective.unknown",
                "objectives names an unknown objective",
            )
            .about("objectives")
            .found(shorten(part))
            .accepting(format!("{}, each with :min or :max", names.join(", "))));
        };
        if aims.iter().any(|aim| aim.figure == figure) {
            return Err(ToolError::argument(
                "objective.twice",
                "objectives names an objective twice",
            )
            .about("objectives")
            .found(figure.name()));
        }
        aims.push(Aim { figure, maximise });
    }
    Ok(aims)
}

fn output_schema() -> Value {
    let values = Figure::ALL.into_iter().map(|(name, _)| (name, nullable(real())));
    let mut values = object(values);
    // Only those that were asked for.
    values["required"] = Value::Array(Vec::new());
    let own = [("objectives", values), ("best_at", list(string()))];
    result_schema(
        searched().into_iter().chain([
            ("routes_compared", count()),
            ("routes", described(list(route_schema(own)), "By score.")),
            next_offset(),
        ]),
        [("removed", removed_schema())],
    )
}

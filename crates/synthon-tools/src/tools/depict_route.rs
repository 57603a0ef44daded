//! `depict_route`: a drawing of a route, one step a row.

use serde_json::{Map, Value, json};
use synthon_depict::{MAX_SVG_BYTES, SheetSize, Theme, to_svg};
use synthon_plan::Audit;
use synthon_report::{Scheme, SchemeStep, scheme_figure, stock_of};

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, integer, optional_object, text,
};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::output::{count, described, nullable, one_of, string};
use crate::planning::Detail;
use crate::planning::audited::audit_of;
use crate::planning::schema::{result_schema, search_schema};
use crate::planning::search::{Setting, depth, library, node_limit, seconds, stock};
use crate::registry::{Tool, ToolReply, Toolset};
use crate::tools::depict_mcs::failed;

/// Most steps on one drawing.
const MAX_DRAWN_STEPS: usize = 20;

arguments! {
    /// What `depict_route` takes.
    pub struct DepictRoute {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// A route to draw, as the planning tools give it ({steps: [{target, precursors}]}) or
        /// as AiZynthFinder, PaRoutes, Syntheseus or RetroCast do; left out, the best one found.
        route: Option<Map<String, Value>> = optional_object(),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Width of the drawing in pixels.
        width: i64 = integer(200, 1_600, 900),
        /// Height of the drawing in pixels; as high as the steps need when 0.
        height: i64 = integer(0, 4_800, 0),
        /// Seconds for the search.
        timeout_secs: i64 = seconds(20),
        /// Name of the template library.
        library: String = library(),
        /// Name of the stock that routes may start from.
        stock: String = stock(),
        /// Most molecules to expand.
        node_limit: i64 = node_limit(),
        /// brief leaves the svg out of the text.
        detail: Detail = choice("full"),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "depict_route",
    title: "Drawing of a route",
    description: "Draw a synthesis route as SVG, one step a row in the order in which they are \
                  run, with the reaction over the arrow, changed bonds highlighted and what is in stock marked. Bring a \
                  route or have the best one found. The drawing shows the route and proves \
                  nothing; read tier and validate_route for that. svg is null when there is no \
                  route. At most 20 steps.",
    toolset: Toolset::Planning,
    arguments: DepictRoute::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = DepictRoute::read(checked);
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let audited =
        audit_of(context, setting, &arguments.smiles, arguments.route.as_ref(), arguments.depth)?;
    let audit = audited.audit.as_ref();
    let steps = audit.map_or(0, |audit| audit.steps.len());
    if steps > MAX_DRAWN_STEPS {
        return Err(ToolError::tool(
            "depict.too_many_steps",
            "The route has too many steps to draw",
        )
        .found(steps.to_string())
        .accepting(format!("at most {MAX_DRAWN_STEPS}")));
    }
    let size = SheetSize {
        width: Some(arguments.width as f64),
        height: (arguments.height > 0).then_some(arguments.height as f64),
    };
    let scene = match audit {
        Some(audit) if steps > 0 => {
            let mut budget = context.budget().child();
            let plural = if steps == 1 { "" } else { "s" };
            let title = format!("Route to {} in {steps} step{plural}", audit.steps[0].target);
            let scene = scheme_figure(&[scheme_of(audit)], size, &mut budget).map_err(failed)?;
            Some(scene.with_title(title))
        }
        _ => None,
    };
    let svg = match &scene {
        Some(scene) => Some(to_svg(scene, Theme::Auto).map_err(failed)?),
        None => None,
    };
    let height = scene.as_ref().map_or(arguments.height, |scene| scene.height().ceil() as i64);
    let route = audit.and_then(|audit| audit.route.as_ref());
    let mut out = audited.head.clone();
    out.insert("routes_found".into(), usize::from(audit.is_some()).into());
    let id = route.map_or(Value::Null, |route| route.route_id.as_str().into());
    out.insert("route_id".into(), id);
    out.insert("tier".into(), route.map_or(Value::Null, |route| route.tier.into()));
    out.insert("svg".into(), svg.as_deref().map_or(Value::Null, Value::from));
    out.insert("mime_type".into(), json!("image/svg+xml"));
    out.insert("width".into(), arguments.width.into());
    out.insert("height".into(), height.into());
    if let Some(search) = &audited.search {
        out.insert("search".into(), search.clone());
    }
    let mut text = format!("{}\n", audited.claim());
    match &svg {
        Some(svg) if arguments.detail == Detail::Full => text.push_str(svg),
        Some(svg) => text.push_str(&format!("A drawing of {} bytes.\n", svg.len())),
        None => text.push_str("There is no route to draw.\n"),
    }
    let mut structured = audited.question.finish(out);
    structured["limits"]["max_svg_bytes"] = MAX_SVG_BYTES.into();
    Ok(ToolReply { structured, text })
}

/// The audited steps as a scheme, the last one making the target.
fn scheme_of(audit: &Audit) -> Scheme {
    let steps = (1..).zip(&audit.steps).map(|(number, step)| match &step.known {
        Some(known) => SchemeStep::new(number, known, &audit.leaves),
        None => SchemeStep {
            number,
            target: step.target.clone(),
            precursors: step.precursors.clone(),
            rule: "not known to the library".to_owned(),
            stock: stock_of(&step.precursors, &audit.leaves),
            ..SchemeStep::default()
        },
    });
    let mut steps: Vec<SchemeStep> = steps.collect();
    steps.reverse();
    Scheme { heading: String::new(), steps }
}

fn output_schema() -> Value {
    let mut schema = result_schema(
        [
            ("routes_found", count()),
            ("route_id", nullable(string())),
            ("tier", nullable(count())),
            ("svg", described(nullable(string()), "The drawing.")),
            ("mime_type", one_of(&["image/svg+xml"])),
            ("width", count()),
            ("height", count()),
        ],
        [("search", search_schema())],
    );
    schema["properties"]["limits"]["properties"]["max_svg_bytes"] = count();
    schema
}

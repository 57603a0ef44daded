//! `depict_route`: a drawing of a route, one step a row.

use serde_json::{Map, Value, json};
use synthon_budget::Budget;
use synthon_depict::{
    DepictError, DrawOptions, Drawing, Layout, MAX_SVG_BYTES, Rect, Scene, Theme, draw, to_svg,
};
use synthon_mol::Molecule;
use synthon_plan::Audit;

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
        /// as an AiZynthFinder or Syntheseus tree; left out, the best route found.
        route: Option<Map<String, Value>> = optional_object(),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Width of the drawing in pixels.
        width: i64 = integer(200, 1_600, 900),
        /// Height of the drawing in pixels; by the number of steps when 0.
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
                  run, with the reaction over the arrow and what is in stock marked. Bring a \
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
    let height = match arguments.height {
        0 => ROW_PIXELS * steps.max(1) as i64,
        given => given,
    };
    let (width, height) = (arguments.width, height);
    let svg = match audit {
        Some(audit) if steps > 0 => {
            let mut budget = context.budget().child();
            let drawn = route_scene(audit, width as f64, height as f64, &mut budget)
                .and_then(|scene| to_svg(&scene, Theme::Auto))
                .map_err(failed)?;
            Some(drawn)
        }
        _ => None,
    };
    let route = audit.and_then(|audit| audit.route.as_ref());
    let mut out = audited.head.clone();
    out.insert("routes_found".into(), usize::from(audit.is_some()).into());
    let id = route.map_or(Value::Null, |route| route.route_id.as_str().into());
    out.insert("route_id".into(), id);
    out.insert("tier".into(), route.map_or(Value::Null, |route| route.tier.into()));
    out.insert("svg".into(), svg.as_deref().map_or(Value::Null, Value::from));
    out.insert("mime_type".into(), json!("image/svg+xml"));
    out.insert("width".into(), width.into());
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

/// Height of a row when none is asked for.
const ROW_PIXELS: i64 = 190;
/// Room around everything.
const PADDING: f64 = 12.0;
/// Widths of a plus sign and of an arrow.
const PLUS: f64 = 24.0;
const ARROW: f64 = 130.0;
/// Size of the letters.
const LETTERS: f64 = 12.0;
/// Most pixels of a bond.
const MOST_PIXELS: f64 = 32.0;

/// One row a step, the last one making the target.
fn route_scene(
    audit: &Audit,
    width: f64,
    height: f64,
    budget: &mut Budget,
) -> Result<Scene, DepictError> {
    let mut scene =
        Scene::new(width, height).with_title(format!("Route to {}", audit.steps[0].target));
    let row_height = height / audit.steps.len() as f64;
    for (row, step) in audit.steps.iter().rev().enumerate() {
        let mut drawings = Vec::new();
        for smiles in step.precursors.iter().chain([&step.target]) {
            drawings.push(drawing(smiles, budget)?);
        }
        let bonds: f64 = drawings.iter().map(|d| d.bounds().width().max(1.0)).sum();
        let high = drawings.iter().map(|d| d.bounds().height()).fold(1.0, f64::max);
        let signs = PLUS * (step.precursors.len() - 1) as f64;
        let room = (width - signs - ARROW - 4.0 * PADDING).max(1.0);
        let tall = (row_height - 2.0 * PADDING - 2.0 * LETTERS).max(1.0);
        let scale = (room / bonds).min(tall / high).min(MOST_PIXELS);

        let top = row as f64 * row_height + PADDING;
        let middle = top + tall / 2.0;
        let mut at = (width - bonds * scale - signs - ARROW - 2.0 * PADDING) / 2.0;
        let last = drawings.len() - 1;
        for (k, drawing) in drawings.into_iter().enumerate() {
            if k == last {
                let (from, to) = (at + PADDING, at + ARROW);
                scene.arrow([from, middle], [to, middle]);
                let rule = step.known.as_ref().map_or("not known to the library", |s| &s.rule);
                let centre = (from + to) / 2.0;
                scene.text(rule, [centre, middle - LETTERS], LETTERS, ARROW - PADDING);
                at += ARROW + PADDING;
            } else if k > 0 {
                scene.plus([at + PLUS / 2.0, middle], 10.0);
                at += PLUS;
            }
            let wide = drawing.bounds().width().max(1.0) * scale;
            scene.place(drawing, Rect::new([at, top], wide, tall), scale);
            let leaf = step
                .precursors
                .get(k)
                .and_then(|smiles| audit.leaves.iter().find(|leaf| leaf.smiles == *smiles));
            if let Some(leaf) = leaf {
                let below = [at + wide / 2.0, top + tall + LETTERS];
                scene.text(leaf.in_stock.in_words(), below, LETTERS, wide.max(8.0 * LETTERS));
            }
            at += wide;
        }
    }
    Ok(scene)
}

fn drawing(smiles: &str, budget: &mut Budget) -> Result<Drawing, DepictError> {
    let molecule = Molecule::from_smiles(smiles).expect("the audit writes texts that can be read");
    Ok(draw(&molecule, &Layout::new(&molecule, budget)?, &DrawOptions::default()))
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

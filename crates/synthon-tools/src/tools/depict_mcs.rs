//! `depict_mcs`: a drawing of what two molecules have in common.

use serde_json::{Value, json};
use synthon_depict::{
    DepictError, DepictErrorKind, MAX_SVG_BYTES, PairMap, Theme, pair_figure, to_svg,
};
use synthon_mcs::CommonSubgraph;
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, flag, integer, text};
use crate::context::CallContext;
use crate::envelope::milliseconds;
use crate::error::{ToolError, ToolErrorKind};
use crate::molecule::read_molecule;
use crate::output::{count, described, nullable, one_of, string};
use crate::registry::{Tool, ToolReply, Toolset};
use crate::search::{MAX_NODE_LIMIT, MAX_TIMEOUT_MS, output_schema};
use crate::tools::find_mcs::{ObjectiveName, Question};

/// Most atoms of a molecule that is drawn.
const MAX_DRAWN_ATOMS: usize = 256;

arguments! {
    /// What `depict_mcs` takes.
    pub struct DepictMcs {
        /// SMILES of the first molecule.
        query_smiles: String = text(MAX_TEXT_CHARS),
        /// SMILES of the second molecule.
        target_smiles: String = text(MAX_TEXT_CHARS),
        /// mcis: the most common atoms, bonded alike; mces: the most common bonds.
        objective: ObjectiveName = choice("mcis"),
        /// One connected piece; false allows several.
        connected: bool = flag(true),
        /// Time for the search; 0 stops at once.
        timeout_ms: i64 = integer(0, MAX_TIMEOUT_MS, 1_000),
        /// Search nodes allowed.
        node_limit: i64 = integer(1, MAX_NODE_LIMIT, 100_000),
        /// Stated stereo must not contradict.
        match_stereo: bool = flag(false),
        /// Ring atoms and bonds count only in wholly matched rings.
        complete_rings_only: bool = flag(false),
        /// Ring atoms and bonds match only ring atoms and bonds.
        ring_matches_ring_only: bool = flag(false),
        /// Width of the drawing in pixels.
        width: i64 = integer(200, 1_600, 800),
        /// Height of the drawing in pixels.
        height: i64 = integer(150, 1_200, 360),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "depict_mcs",
    title: "Drawing of the common substructure",
    description: "Search as find_mcs does, and draw both molecules side by side, in the same \
                  orientation, with the common atoms and bonds highlighted: the find_mcs result \
                  plus svg (null without a match; nothing but shapes and text in it). A drawing \
                  of a stopped search shows the best found, which may not be the maximum. At \
                  most 256 atoms a molecule.",
    toolset: Toolset::Molecules,
    arguments: DepictMcs::TABLE,
    output_schema: schema,
    run,
};

fn schema() -> Value {
    let mut schema = output_schema(false);
    for (key, value) in [
        ("svg", described(nullable(string()), "The drawing.")),
        ("mime_type", one_of(&["image/svg+xml"])),
        ("width", count()),
        ("height", count()),
    ] {
        schema["properties"][key] = value;
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(key.into());
        }
    }
    let limits = &mut schema["properties"]["limits"];
    limits["properties"]["max_svg_bytes"] = count();
    if let Some(required) = limits["required"].as_array_mut() {
        required.push("max_svg_bytes".into());
    }
    schema
}

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = DepictMcs::read(checked);
    let question = Question {
        query: read_molecule("query_smiles", &arguments.query_smiles, MAX_DRAWN_ATOMS)?,
        target: read_molecule("target_smiles", &arguments.target_smiles, MAX_DRAWN_ATOMS)?,
        objective: arguments.objective,
        connected: arguments.connected,
        chemistry: ChemistryOptions {
            match_stereo: arguments.match_stereo,
            complete_rings_only: arguments.complete_rings_only,
            ring_matches_ring_only: arguments.ring_matches_ring_only,
            ..ChemistryOptions::default()
        },
        timeout_ms: arguments.timeout_ms,
        node_limit: arguments.node_limit,
    };
    let (common, mut result) = question.answer(context)?;
    let svg = match &common {
        Some(common) => {
            let map = shared(&question.query, &question.target, common);
            let (width, height) = (arguments.width as f64, arguments.height as f64);
            let mut budget = context.budget().child();
            let drawn =
                pair_figure(&question.query, &question.target, &map, width, height, &mut budget)
                    .and_then(|scene| to_svg(&scene, Theme::Auto))
                    .map_err(failed)?;
            Value::from(drawn)
        }
        None => Value::Null,
    };
    // The whole call, the drawing too.
    result["timings"]["wall_elapsed_ms"] = milliseconds(context.budget().elapsed());
    result["limits"]["max_atoms"] = MAX_DRAWN_ATOMS.into();
    result["limits"]["max_svg_bytes"] = MAX_SVG_BYTES.into();
    result.insert("svg".into(), svg);
    result.insert("mime_type".into(), json!("image/svg+xml"));
    result.insert("width".into(), arguments.width.into());
    result.insert("height".into(), arguments.height.into());
    Ok(ToolReply::json(result))
}

/// The mapped atoms, and exactly the bonds of the bond map.
fn shared(query: &Molecule, target: &Molecule, common: &CommonSubgraph) -> PairMap {
    let bond =
        |molecule: &Molecule, (a, b): (u32, u32)| molecule.bond_between(a as usize, b as usize);
    PairMap {
        atoms: common.atoms.iter().map(|&(q, t)| (q as usize, t as usize)).collect(),
        first_bonds: common.bonds.iter().filter_map(|b| bond(query, b.query)).collect(),
        second_bonds: common.bonds.iter().filter_map(|b| bond(target, b.target)).collect(),
    }
}

/// What the drawing went wrong with.
pub(crate) fn failed(error: DepictError) -> ToolError {
    let out = match error.kind() {
        DepictErrorKind::Unsafe | DepictErrorKind::Picture => {
            ToolError::new(ToolErrorKind::Internal, error.code(), error.message())
        }
        _ => ToolError::tool(error.code(), error.message()),
    };
    match error.hint() {
        Some(hint) => out.with_hint(hint),
        None => out,
    }
}

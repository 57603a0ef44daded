//! `plan_with_constraints`: routes that meet every condition.

use serde_json::{Value, json};
use synthon_library::{Reagent, families};
use synthon_mol::Molecule;
use synthon_plan::{Constraints, DEFAULT_WIDTH, NamedMolecule, PlanRequest, render_head};

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, integer, optional_integer, optional_number, pairs,
    text, text_or,
};
use crate::check::shorten;
use crate::context::CallContext;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule};
use crate::output::{described, list};
use crate::planning::page::{next_offset, offset};
use crate::planning::schema::{removed_schema, result_schema_under, route_schema, searched};
use crate::planning::search::{
    Question, Setting, bounded, depth, frame, library, node_limit, place_of, routes, seconds, stock,
};
use crate::planning::{self, Detail, MAX_LIST_CHARS};
use crate::registry::{Tool, ToolReply, Toolset};

/// What a proof may repeat.
const CONSTRAINTS: [&str; 15] = [
    "avoid_elements",
    "require_elements",
    "avoid_building_blocks",
    "require_building_blocks",
    "avoid_reaction_families",
    "avoid_reagents",
    "require_reaction_families",
    "prefer_reaction_families",
    "start_from",
    "break_bonds",
    "freeze_bonds",
    "max_steps",
    "max_route_cost",
    "min_confidence",
    "min_success_probability",
];
const MAX_BONDS: usize = 64;
const LAST_ATOM: i64 = MAX_ATOMS as i64 - 1;

arguments! {
    /// What `plan_with_constraints` takes.
    pub struct PlanWithConstraints {
        /// SMILES of the molecule to make.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Longest chain of steps from the target to a building block.
        depth: i64 = depth(),
        /// Most routes to return.
        max_routes: i64 = integer(1, 100, 5),
        /// Element symbols with commas between: no building block may contain any of them.
        avoid_elements: String = text_or("", MAX_LIST_CHARS),
        /// Element symbols with commas between: each must occur in a building block of a route.
        require_elements: String = text_or("", MAX_LIST_CHARS),
        /// SMILES with commas between: none of them may be a building block.
        avoid_building_blocks: String = text_or("", MAX_TEXT_CHARS),
        /// SMILES with commas between: at least one of them must be a building block.
        require_building_blocks: String = text_or("", MAX_TEXT_CHARS),
        /// Most steps of a route.
        max_steps: Option<i64> = optional_integer(1, 100),
        /// Greatest route_cost.
        max_route_cost: Option<f64> = optional_number(0.0, 1e9),
        /// Least confidence.
        min_confidence: Option<f64> = optional_number(0.0, 1.0),
        /// Least success_probability.
        min_success_probability: Option<f64> = optional_number(0.0, 1.0),
        /// Reaction families with commas between that are never used.
        avoid_reaction_families: String = text_or("", MAX_LIST_CHARS),
        /// Reagents with commas between, such as Pd, LiAlH4, DMF: steps whose known conditions
        /// cannot do without are never used.
        avoid_reagents: String = text_or("", MAX_LIST_CHARS),
        /// Reaction families with commas between: at least one of them must occur.
        require_reaction_families: String = text_or("", MAX_LIST_CHARS),
        /// Reaction families with commas between: routes with them come first.
        prefer_reaction_families: String = text_or("", MAX_LIST_CHARS),
        /// Bonds of the target that must be made, as pairs of zero-based atoms of smiles.
        break_bonds: Vec<[u32; 2]> = pairs(MAX_BONDS, LAST_ATOM),
        /// Bonds of the target that must come from a building block, as pairs of atoms.
        freeze_bonds: Vec<[u32; 2]> = pairs(MAX_BONDS, LAST_ATOM),
        /// SMILES of a molecule at hand, in stock or not, that must be a building block.
        start_from: String = text_or("", MAX_TEXT_CHARS),
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
    name: "plan_with_constraints",
    title: "Plan with constraints",
    description: "Plan routes that meet every condition: elements, building blocks and reaction \
                  families to avoid or require, bonds to make or keep, a molecule to start from, \
                  limits on steps, cost and confidence. Use find_routes when nothing is asked \
                  for. Conditions on elements, blocks, families, bonds and steps steer the search; \
                  those on cost and confidence are held against finished routes. removed says \
                  which condition ruled out how many. A branch ends at the first molecule in \
                  stock, unless start_from or a required block is still to come.",
    toolset: Toolset::Planning,
    arguments: PlanWithConstraints::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = PlanWithConstraints::read(checked);
    let mut asked = Constraints::default();
    asked.avoid_elements = planning::elements("avoid_elements", &arguments.avoid_elements)?;
    asked.require_elements = planning::elements("require_elements", &arguments.require_elements)?;
    asked.max_steps = arguments.max_steps.map(bounded);
    asked.max_route_cost = arguments.max_route_cost;
    asked.min_confidence = arguments.min_confidence;
    asked.min_success_probability = arguments.min_success_probability;
    for (name, text, words) in [
        (
            "avoid_reaction_families",
            &arguments.avoid_reaction_families,
            &mut asked.avoid_reaction_families,
        ),
        (
            "require_reaction_families",
            &arguments.require_reaction_families,
            &mut asked.require_reaction_families,
        ),
        (
            "prefer_reaction_families",
            &arguments.prefer_reaction_families,
            &mut asked.prefer_reaction_families,
        ),
    ] {
        *words = named_families(name, text)?;
    }
    let setting = Setting {
        library: &arguments.library,
        stock: &arguments.stock,
        timeout_secs: arguments.timeout_secs,
        node_limit: arguments.node_limit,
    };
    let mut question = Question::new(context, setting, &arguments.smiles)?;
    asked.avoid_reagents = reagents(&question, &arguments.avoid_reagents)?;
    asked.avoid_building_blocks =
        blocks("avoid_building_blocks", &arguments.avoid_building_blocks)?;
    asked.require_building_blocks =
        blocks("require_building_blocks", &arguments.require_building_blocks)?;
    asked.start_from = blocks("start_from", &arguments.start_from)?.pop();
    check_bonds("break_bonds", &arguments.break_bonds, &question.target)?;
    check_bonds("freeze_bonds", &arguments.freeze_bonds, &question.target)?;
    asked.break_bonds = arguments.break_bonds.clone();
    asked.freeze_bonds = arguments.freeze_bonds.clone();

    let request = PlanRequest::new(question.target.clone())
        .depth(bounded(arguments.depth))
        .max_routes(bounded(arguments.max_routes))
        .constraints(asked);
    let result = question.plan(&request)?;
    let mut head = render_head(&result, DEFAULT_WIDTH);
    for removed in &result.removed {
        head.push_str(&format!(
            "{} ruled out {} {}\n",
            removed.constraint,
            removed.count,
            removed.what.replace('_', " ")
        ));
    }
    let (mut out, after) = frame(&result);
    out.insert("routes".into(), json!([]));
    out.extend(after);
    let mut out = question.finish(out);
    let listed = routes(&result.routes, arguments.detail, place_of(result.routes.len()));
    let text = listed.put("routes", bounded(arguments.offset), head, &mut out, context);
    Ok(ToolReply { structured: out, text })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty())
}

fn named_families(argument: &'static str, text: &str) -> Result<Vec<String>, ToolError> {
    words(text)
        .map(|word| {
            if families().iter().any(|family| family.id == word) {
                return Ok(word.to_owned());
            }
            let known: Vec<&str> = families().iter().map(|family| family.id.as_str()).collect();
            Err(ToolError::argument(
                "family.unknown",
                format!("{argument} names an unknown reaction family"),
            )
            .about(argument)
            .found(shorten(word))
            .accepting(known.join(", ")))
        })
        .collect()
}

fn reagents(question: &Question<'_>, text: &str) -> Result<Vec<Reagent>, ToolError> {
    let reagents: Vec<Reagent> = words(text).map(Reagent::new).collect();
    if reagents.is_empty() {
        return Ok(reagents);
    }
    let library = question.library()?;
    let Some(unknown) = reagents.iter().find(|reagent| !library.names_reagent(reagent)) else {
        return Ok(reagents);
    };
    Err(ToolError::argument(
        "reagent.unknown",
        format!("avoid_reagents: no conditions of {} name this reagent", library.name()),
    )
    .about("avoid_reagents")
    .found(shorten(unknown.as_str()))
    .accepting(
        "a reagent as conditions write it (Pd, CuI, LiAlH4, NaH, DMF, SOCl2); leave out what no \
         step uses, and name precursors in avoid_building_blocks",
    ))
}

fn blocks(argument: &'static str, text: &str) -> Result<Vec<NamedMolecule>, ToolError> {
    words(text)
        .map(|smiles| {
            let molecule = read_molecule(argument, smiles, MAX_ATOMS)?;
            Ok(NamedMolecule { smiles: molecule.to_unmapped_smiles(), molecule })
        })
        .collect()
}

fn check_bonds(
    argument: &'static str,
    bonds: &[[u32; 2]],
    target: &Molecule,
) -> Result<(), ToolError> {
    for [a, b] in bonds {
        let (first, second) = (*a as usize, *b as usize);
        let atoms = target.atom_count();
        if first >= atoms || second >= atoms || target.bond_between(first, second).is_none() {
            return Err(ToolError::tool(
                "bond.unknown",
                format!("{argument} names a bond that the target does not have"),
            )
            .about(argument)
            .found(format!("[{a}, {b}]"))
            .accepting(format!("pairs of bonded atoms out of 0 to {}", atoms.saturating_sub(1))));
        }
    }
    Ok(())
}

fn output_schema() -> Value {
    result_schema_under(
        &CONSTRAINTS,
        searched()
            .into_iter()
            .chain([("routes", described(list(route_schema([])), "Best first.")), next_offset()]),
        [("removed", removed_schema())],
    )
}

//! `find_mcs`: what two molecules have in common.

use serde_json::{Map, Value};
use synthon_budget::Status;
use synthon_mcs::{CommonSubgraph, McsAnswer, McsOptions, Objective, find_mcs};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, choices, flag, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule, warnings};
use crate::registry::{Tool, ToolReply, Toolset};
use crate::search::{
    MAX_NODE_LIMIT, MAX_TIMEOUT_MS, Match, Outcome, Search, output_schema, result, stopped_by,
};

choices! {
    /// What the common graph maximises.
    pub enum ObjectiveName {
        /// Atoms.
        Mcis = "mcis",
        /// Bonds.
        Mces = "mces",
    }
}

arguments! {
    /// What `find_mcs` takes.
    pub struct FindMcs {
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
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "find_mcs",
    title: "Maximum common substructure",
    description: "Find the largest part that two molecules have in common, with its atom and bond \
                  maps. Elements and bond orders must agree; an aromatic bond also matches a \
                  single or double one; charges and hydrogens are ignored. The size is proved \
                  maximum only when optimal is true; otherwise it is the best found before the \
                  limit. One of possibly several equal answers. At most 1,024 atoms a molecule.",
    toolset: Toolset::Molecules,
    arguments: FindMcs::TABLE,
    output_schema: || output_schema(false),
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = FindMcs::read(checked);
    let question = Question {
        query: read_molecule("query_smiles", &arguments.query_smiles, MAX_ATOMS)?,
        target: read_molecule("target_smiles", &arguments.target_smiles, MAX_ATOMS)?,
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
    let (_, reply) = question.answer(context)?;
    Ok(ToolReply::json(reply))
}

/// A search for what two molecules have in common.
pub(super) struct Question {
    pub(super) query: Molecule,
    pub(super) target: Molecule,
    pub(super) objective: ObjectiveName,
    pub(super) connected: bool,
    pub(super) chemistry: ChemistryOptions,
    pub(super) timeout_ms: i64,
    pub(super) node_limit: i64,
}

impl Question {
    /// The common part, if there is one, and the result object.
    pub(super) fn answer(
        &self,
        context: &CallContext<'_>,
    ) -> Result<(Option<CommonSubgraph>, Map<String, Value>), ToolError> {
        let objective = match self.objective {
            ObjectiveName::Mcis => Objective::Mcis,
            ObjectiveName::Mces => Objective::Mces,
        };
        let options = McsOptions {
            objective,
            connected: self.connected,
            chemistry: self.chemistry,
            ..McsOptions::default()
        };
        let mut search = Search::start(context, self.timeout_ms, self.node_limit);
        let answer = find_mcs(&self.query, &self.target, &options, &mut search.budget)
            .map_err(|error| ToolError::tool(error.code(), error.to_string()))?;
        let outcome = Outcome {
            status: answer.status,
            optimal: answer.optimal,
            complete: answer.optimal,
            score: answer.common.as_ref().map_or(0, |common| common.score(objective)),
            claim: claim(&answer, objective),
            truncated: None,
            warnings: warnings([
                (Some("query_smiles"), &self.query),
                (Some("target_smiles"), &self.target),
            ]),
            matches: answer.common.iter().map(as_match).collect(),
        };
        let result = result(context, &search, &self.chemistry, 1, &outcome);
        Ok((answer.common, result))
    }
}

fn as_match(common: &CommonSubgraph) -> Match {
    Match {
        atoms: common.atoms.clone(),
        bonds: common
            .bonds
            .iter()
            .map(|b| [b.query.0, b.query.1, b.target.0, b.target.1])
            .collect(),
        fragments: common.fragments.clone(),
    }
}

fn claim(answer: &McsAnswer, objective: Objective) -> String {
    let unit = match objective {
        Objective::Mcis => "atom",
        Objective::Mces => "bond",
    };
    let size = answer.common.as_ref().map(|common| match common.score(objective) {
        1 => format!("1 {unit}"),
        score => format!("{score} {unit}s"),
    });
    match (size, answer.status) {
        (Some(size), Status::Completed) => {
            format!("Proved: no common substructure under these options has more than {size}.")
        }
        (None, Status::Completed) => {
            format!("Proved: under these options the molecules have no {unit}s in common.")
        }
        (Some(size), status) => format!(
            "{}: {size} in common is a valid answer, but a larger one may exist.",
            stopped_by(status)
        ),
        (None, status) => format!(
            "{} before anything was found: whether the molecules have something in common is open.",
            stopped_by(status)
        ),
    }
}

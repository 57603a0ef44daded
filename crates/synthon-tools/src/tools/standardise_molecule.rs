//! `standardise_molecule`: which text do we mean, and which form of the substance.

use serde_json::{Map, Value, json};
use synthon_budget::Status;
use synthon_mol::{CANONICAL_VERSION, WriteOptions, write_smiles};
use synthon_standardise::{Operation, StandardiseOptions, TautomerLimits, standardise};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, flag, text};
use crate::context::CallContext;
use crate::envelope::{
    ENGINE_VERSION, milliseconds, operation_proof, operation_proof_schema, timings_schema,
};
use crate::error::ToolError;
use crate::molecule::{read_molecule, warnings, warnings_field};
use crate::output::{boolean, count, described, list, object, object_with, one_of, status, string};
use crate::registry::{MAX_RESULT_BYTES, Tool, ToolReply, Toolset};

/// Most atoms of a molecule to standardise.
const MAX_ATOMS: usize = 128;

const CANONICAL: &str = "canonical_smiles";

arguments! {
    /// What `standardise_molecule` takes.
    pub struct StandardiseMolecule {
        /// SMILES of the molecule; several parts with dots between are one molecule.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Leave out atom-map numbers.
        remove_atom_maps: bool = flag(false),
        /// Cut bonds to metals, bring functional groups into one form, put charges on the
        /// strongest acids.
        cleanup: bool = flag(false),
        /// Keep only the fragment with the most heavy atoms (drops salts and solvents).
        largest_fragment: bool = flag(false),
        /// Take charges away where protons can pay for them.
        neutralise: bool = flag(false),
        /// Choose one tautomer, the same whichever is given; stereo marks go where protons move.
        canonical_tautomer: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "standardise_molecule",
    title: "Standardise a molecule",
    description: "Write a molecule as canonical SMILES: the same text for every way of writing \
                  the same molecule, good for comparing and as a key. Also the way to check that \
                  a SMILES is valid. By default charges, salts, isotopes, stereochemistry, atom \
                  maps and tautomers are kept; each option changes one of them, in the order of \
                  the arguments. At most 128 atoms.",
    toolset: Toolset::Molecules,
    arguments: StandardiseMolecule::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = StandardiseMolecule::read(checked);
    let given = arguments.smiles.trim();
    let molecule = read_molecule("smiles", &arguments.smiles, MAX_ATOMS)?;
    let options = StandardiseOptions {
        remove_atom_maps: arguments.remove_atom_maps,
        cleanup: arguments.cleanup,
        largest_fragment: arguments.largest_fragment,
        neutralise: arguments.neutralise,
        canonical_tautomer: arguments.canonical_tautomer,
        tautomer_limits: TautomerLimits::default(),
    };
    let chemical = Operation::ALL.into_iter().any(|o| o.is_chemical() && options.asks_for(o));
    let done = standardise(&molecule, &options, &mut context.budget().child());
    let canonical = write_smiles(&done.molecule, &WriteOptions::default());
    let complete = canonical.certain && done.status == Status::Completed;

    let mut changes = Changes { last: given.to_owned(), list: Vec::new() };
    for change in done.changes {
        // An operation that found nothing to do has not changed the writing either.
        let after = if change.before == change.after { changes.last.clone() } else { change.after };
        changes.push(change.operation.name(), after, change.removed);
    }
    changes.push(CANONICAL, canonical.text.clone(), None);
    let operations: Vec<&Value> = changes.list.iter().map(|change| &change["operation"]).collect();

    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("smiles", canonical.text.as_str().into());
    put("backend", "synthon".into());
    put("operations", json!(operations));
    put("changes", changes.list.clone().into());
    put("chemical_transformations", chemical.into());
    put("canonical_version", CANONICAL_VERSION.into());
    put("warnings", warnings([(None, &molecule)]));
    put("status", done.status.as_str().into());
    put("complete", complete.into());
    put("proof", operation_proof("standardisation"));
    put("claim", claim(canonical.certain, chemical, done.status, &options).into());
    put("budget", json!({"call_timeout_ms": context.call_timeout().as_millis() as u64}));
    put("limits", limits());
    put("timings", json!({"wall_elapsed_ms": milliseconds(context.budget().elapsed())}));
    put("engine_version", ENGINE_VERSION.into());
    Ok(ToolReply::json(out))
}

struct Changes {
    last: String,
    list: Vec<Value>,
}

impl Changes {
    fn push(&mut self, operation: &str, after: String, removed: Option<String>) {
        let before = std::mem::replace(&mut self.last, after.clone());
        let mut change = json!({"operation": operation, "before": before, "after": after});
        if let Some(removed) = removed {
            change["removed"] = removed.into();
        }
        self.list.push(change);
    }
}

fn claim(certain: bool, chemical: bool, status: Status, options: &StandardiseOptions) -> String {
    let mut claim = if certain {
        "The text is canonical: two molecules are the same if and only if their texts of the same \
         canonical_version are equal."
    } else {
        "The text is a valid SMILES of the molecule, but the search for the canonical one was cut \
         off: equal texts mean the same molecule, different texts prove nothing."
    }
    .to_owned();
    claim.push_str(if chemical {
        " The molecule was changed as changes tells; compare only texts made with the same options."
    } else {
        " Only the writing has changed, not the chemistry."
    });
    if options.canonical_tautomer {
        claim.push_str(
            " The tautomer is a choice of representation, not a prediction of the most stable one.",
        );
    }
    claim.push_str(match status {
        Status::Completed => "",
        Status::LimitReached => {
            " It was chosen among the tautomers found within the limits, so another tautomer of \
             the same molecule may give another text."
        }
        Status::TimedOut | Status::Cancelled => {
            " The call was stopped: operations that are missing in the list were not done, and \
             the last one may be unfinished."
        }
    });
    claim
}

fn limits() -> Value {
    json!({
        "max_text_chars": MAX_TEXT_CHARS,
        "max_atoms": MAX_ATOMS,
        "max_tautomers": TautomerLimits::default().tautomers,
        "max_transforms": TautomerLimits::default().transforms,
        "max_result_bytes": MAX_RESULT_BYTES,
    })
}

fn output_schema() -> Value {
    let change = object_with(
        [("operation", string()), ("before", string()), ("after", string())],
        [("removed", described(string(), "Fragments taken away."))],
    );
    object([
        ("smiles", described(string(), "Canonical SMILES.")),
        ("backend", one_of(&["synthon"])),
        ("operations", described(list(string()), "What was done, in order.")),
        ("changes", described(list(change), "The text before and after each operation.")),
        ("chemical_transformations", described(boolean(), "Whether the molecule was changed.")),
        ("canonical_version", described(string(), "Texts of one version can be compared.")),
        warnings_field(),
        ("status", status()),
        ("complete", boolean()),
        ("proof", operation_proof_schema()),
        ("claim", string()),
        ("budget", object([("call_timeout_ms", count())])),
        (
            "limits",
            object([
                ("max_text_chars", count()),
                ("max_atoms", count()),
                ("max_tautomers", count()),
                ("max_transforms", count()),
                ("max_result_bytes", count()),
            ]),
        ),
        ("timings", timings_schema()),
        ("engine_version", string()),
    ])
}

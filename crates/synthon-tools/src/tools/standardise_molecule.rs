//! `standardise_molecule`: which text do we mean.

use serde_json::{Map, Value, json};
use synthon_mol::{AtomOrder, CANONICAL_VERSION, WriteOptions, write_smiles};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, flag, text};
use crate::context::CallContext;
use crate::envelope::{
    ENGINE_VERSION, milliseconds, operation_proof, operation_proof_schema, timings_schema,
};
use crate::error::ToolError;
use crate::molecule::read_molecule;
use crate::output::{boolean, count, described, list, object, one_of, status, string};
use crate::registry::{MAX_RESULT_BYTES, Tool, ToolReply, Toolset};

/// Most atoms of a molecule to standardise.
const MAX_ATOMS: usize = 128;

const REMOVE_MAPS: &str = "remove_atom_maps";
const CANONICAL: &str = "canonical_smiles";

arguments! {
    /// What `standardise_molecule` takes.
    pub struct StandardiseMolecule {
        /// SMILES of the molecule; several parts with dots between are one molecule.
        smiles: String = text(MAX_TEXT_CHARS),
        /// Leave out atom-map numbers.
        remove_atom_maps: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "standardise_molecule",
    title: "Standardise a molecule",
    description: "Write a molecule as canonical SMILES: the same text for every way of writing \
                  the same molecule, good for comparing and as a key. Also the way to check that \
                  a SMILES is valid. Charges, salts, isotopes, stereochemistry and, unless \
                  remove_atom_maps is set, atom maps are kept; tautomers stay different. At most \
                  128 atoms.",
    toolset: Toolset::Molecules,
    arguments: StandardiseMolecule::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = StandardiseMolecule::read(checked);
    let given = arguments.smiles.trim();
    let molecule = read_molecule("smiles", &arguments.smiles, MAX_ATOMS)?;
    let keep_maps = !arguments.remove_atom_maps;
    let canonical =
        write_smiles(&molecule, &WriteOptions { atom_maps: keep_maps, ..WriteOptions::default() });

    let mut changes = Changes { last: given.to_owned(), list: Vec::new() };
    if !keep_maps {
        let options =
            WriteOptions { atom_maps: false, order: AtomOrder::Input, ..WriteOptions::default() };
        changes.push(REMOVE_MAPS, write_smiles(&molecule, &options).text);
    }
    changes.push(CANONICAL, canonical.text.clone());
    let operations: Vec<&Value> = changes.list.iter().map(|change| &change["operation"]).collect();

    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("smiles", canonical.text.as_str().into());
    put("backend", "synthon".into());
    put("operations", json!(operations));
    put("changes", changes.list.clone().into());
    put("chemical_transformations", false.into());
    put("canonical_version", CANONICAL_VERSION.into());
    put("warnings", molecule.warnings().into());
    put("status", "COMPLETED".into());
    put("complete", canonical.certain.into());
    put("proof", operation_proof("standardisation"));
    put("claim", claim(canonical.certain).into());
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
    fn push(&mut self, operation: &str, after: String) {
        let before = std::mem::replace(&mut self.last, after.clone());
        self.list.push(json!({"operation": operation, "before": before, "after": after}));
    }
}

fn claim(certain: bool) -> &'static str {
    if certain {
        "The text is canonical: two molecules are the same if and only if their texts of the same \
         canonical_version are equal. Only the writing has changed, not the chemistry."
    } else {
        "The text is a valid SMILES of the molecule, but the search for the canonical one was cut \
         off: equal texts mean the same molecule, different texts prove nothing."
    }
}

fn limits() -> Value {
    json!({
        "max_text_chars": MAX_TEXT_CHARS,
        "max_atoms": MAX_ATOMS,
        "max_result_bytes": MAX_RESULT_BYTES,
    })
}

fn output_schema() -> Value {
    let change = object([("operation", string()), ("before", string()), ("after", string())]);
    object([
        ("smiles", described(string(), "Canonical SMILES.")),
        ("backend", one_of(&["synthon"])),
        ("operations", described(list(string()), "What was done, in order.")),
        ("changes", described(list(change), "The text before and after each operation.")),
        ("chemical_transformations", described(boolean(), "Whether the molecule was changed.")),
        ("canonical_version", described(string(), "Texts of one version can be compared.")),
        ("warnings", described(list(string()), "What was dropped on reading.")),
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
                ("max_result_bytes", count()),
            ]),
        ),
        ("timings", timings_schema()),
        ("engine_version", string()),
    ])
}

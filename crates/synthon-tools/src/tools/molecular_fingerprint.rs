//! `molecular_fingerprint`: what a molecule is made of, as positions in a fingerprint.

use serde_json::{Map, Value, json};

use crate::arguments::{Checked, MAX_TEXT_CHARS, arguments, choice, flag, integer, text};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::fingerprint::{
    FingerprintKind, Inputs, MAX_FP_SIZE, MAX_PATH_LENGTH, MAX_RADIUS, described_fields, finish,
    finished_fields, put, read_molecules,
};
use crate::molecule::{warnings, warnings_field};
use crate::output::{described, list, object};
use crate::registry::{Tool, ToolReply, Toolset};

arguments! {
    /// What `molecular_fingerprint` takes.
    pub struct MolecularFingerprint {
        /// SMILES of the molecule.
        smiles: String = text(MAX_TEXT_CHARS),
        /// What is hashed; circular is another name of ecfp.
        kind: FingerprintKind = choice("ecfp"),
        /// Width in bits.
        fp_size: i64 = integer(1, MAX_FP_SIZE, 2_048),
        /// Radius of ecfp and fcfp; 2 gives ECFP4.
        radius: i64 = integer(0, MAX_RADIUS, 2),
        /// Longest path of path and mcs, in bonds.
        path_length: i64 = integer(1, MAX_PATH_LENGTH, 7),
        /// Position and count pairs instead of set bits; not for mcs.
        counts: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "molecular_fingerprint",
    title: "Molecular fingerprint",
    description: "List the set bits of a molecule's fingerprint, or positions with counts. ecfp, \
                  fcfp, path and torsion have the bits of RDKit 2026.09; mcs is our own, a screen: \
                  a substructure's bits are a subset of the whole's. Atom maps and stereo do not \
                  count. To compare molecules use molecular_similarity. At most 1,024 atoms.",
    toolset: Toolset::Molecules,
    arguments: MolecularFingerprint::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let MolecularFingerprint { smiles, kind, fp_size, radius, path_length, counts } =
        MolecularFingerprint::read(checked);
    let mut maker = Inputs { kind, fp_size, radius, path_length, counts }.maker()?;
    let molecules = read_molecules(&[("smiles".to_owned(), &smiles)], context)?;
    let made = maker.make("smiles", &molecules[0], context)?;
    let values = made.values();

    let mut out = Map::new();
    let number = values.as_array().map_or(0, Vec::len);
    put(&mut out, "values", values);
    maker.describe(&mut out);
    put(&mut out, "warnings", warnings([(None, &molecules[0])]));
    let claim = format!(
        "{number} of {fp_size} positions are set. Different molecules can share a fingerprint, so \
         an equal one is no proof of identity."
    );
    finish(&mut out, "fingerprint_generation", claim, context);
    Ok(ToolReply::json(out))
}

fn output_schema() -> Value {
    let value = json!({"type": ["integer", "array"], "items": {"type": "integer"}});
    let mut fields = vec![(
        "values",
        described(
            list(value),
            "Set positions, ascending; with counts pairs of position and count.",
        ),
    )];
    fields.extend(described_fields());
    fields.push(warnings_field());
    fields.extend(finished_fields());
    object(fields)
}

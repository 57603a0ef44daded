//! `molecular_similarity`: how alike two molecules are by their fingerprints.

use serde_json::{Map, Value};

use crate::arguments::{
    Checked, Choice, MAX_TEXT_CHARS, arguments, choice, choices, flag, integer, text,
};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::fingerprint::{
    FingerprintKind, Inputs, MAX_FP_SIZE, MAX_PATH_LENGTH, MAX_RADIUS, described_fields, finish,
    finished_fields, named, overlap, put, read_molecules,
};
use crate::molecule::{warnings, warnings_field};
use crate::output::{described, object, one_of, real};
use crate::registry::{Tool, ToolReply, Toolset};

choices! {
    /// Coefficients.
    pub enum Metric {
        /// Common over the union.
        Tanimoto = "tanimoto",
        /// Twice common over the sum.
        Dice = "dice",
        /// Common over the geometric mean.
        Cosine = "cosine",
    }
}

arguments! {
    /// What `molecular_similarity` takes.
    pub struct MolecularSimilarity {
        /// SMILES of the first molecule.
        query_smiles: String = text(MAX_TEXT_CHARS),
        /// SMILES of the second molecule.
        target_smiles: String = text(MAX_TEXT_CHARS),
        /// The coefficient.
        metric: Metric = choice("tanimoto"),
        /// What is hashed; circular is another name of ecfp.
        kind: FingerprintKind = choice("ecfp"),
        /// Width in bits.
        fp_size: i64 = integer(1, MAX_FP_SIZE, 2_048),
        /// Radius of ecfp and fcfp; 2 gives ECFP4.
        radius: i64 = integer(0, MAX_RADIUS, 2),
        /// Longest path of path and mcs, in bonds.
        path_length: i64 = integer(1, MAX_PATH_LENGTH, 7),
        /// Compare counts instead of set bits; not for mcs.
        counts: bool = flag(false),
    }
}

pub(crate) static TOOL: Tool = Tool {
    name: "molecular_similarity",
    title: "Molecular similarity",
    description: "Score how alike two molecules are, from 0 to 1, by one coefficient of their \
                  fingerprints. Scores of different kinds, sizes or metrics cannot be compared \
                  with each other. The score is no size of a common part (use find_mcs) and no \
                  measure of activity. At most 1,024 atoms each, 4,096 together.",
    toolset: Toolset::Molecules,
    arguments: MolecularSimilarity::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = MolecularSimilarity::read(checked);
    let MolecularSimilarity { metric, kind, fp_size, radius, path_length, counts, .. } = arguments;
    let mut maker = Inputs { kind, fp_size, radius, path_length, counts }.maker()?;
    let given = [
        ("query_smiles".to_owned(), arguments.query_smiles.as_str()),
        ("target_smiles".to_owned(), arguments.target_smiles.as_str()),
    ];
    let molecules = read_molecules(&given, context)?;
    let query = maker.make("query_smiles", &molecules[0], context)?;
    let target = maker.make("target_smiles", &molecules[1], context)?;
    let common = overlap(&query, &target);
    let score = match metric {
        Metric::Tanimoto => common.tanimoto(),
        Metric::Dice => common.dice(),
        Metric::Cosine => common.cosine(),
    };

    let mut out = Map::new();
    put(&mut out, "score", score);
    put(&mut out, "metric", Metric::NAMES[metric as usize]);
    maker.describe(&mut out);
    put(&mut out, "warnings", warnings(named(&given, &molecules)));
    let claim = "The score says how alike two fingerprints are, nothing of a common part or of \
                 activity; 1 does not prove that the molecules are the same.";
    finish(&mut out, "fingerprint_similarity", claim.to_owned(), context);
    Ok(ToolReply::json(out))
}

fn output_schema() -> Value {
    let mut fields = vec![
        ("score", described(real(), "From 0, nothing in common, to 1.")),
        ("metric", one_of(Metric::NAMES)),
    ];
    fields.extend(described_fields());
    fields.push(warnings_field());
    fields.extend(finished_fields());
    object(fields)
}

//! `screen_molecules`: the molecules of a short list that are most like one molecule.

use serde_json::{Map, Value, json};

use crate::arguments::{
    Checked, MAX_TEXT_CHARS, arguments, choice, flag, integer, number, text, text_list,
};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::fingerprint::{
    FingerprintKind, Inputs, MAX_FP_SIZE, MAX_PATH_LENGTH, MAX_RADIUS, described_fields, finish,
    finished_fields, named, overlap, put, read_molecules,
};
use crate::molecule::{warnings, warnings_field};
use crate::output::{boolean, count, described, list, nullable, object, real};
use crate::registry::{Tool, ToolReply, Toolset};

/// Most molecules to screen.
const MAX_TARGETS: usize = 64;
/// Most hits on a page.
const MAX_HITS: i64 = 32;
/// Most characters of the query and the targets together.
const MAX_COMBINED_CHARS: usize = 65_536;

arguments! {
    /// What `screen_molecules` takes.
    pub struct ScreenMolecules {
        /// SMILES of the molecule to compare with.
        query_smiles: String = text(MAX_TEXT_CHARS),
        /// SMILES of the molecules to screen.
        targets_smiles: Vec<String> = text_list(MAX_TARGETS, MAX_TEXT_CHARS),
        /// Lowest Tanimoto score that counts as a hit.
        threshold: f64 = number(0.0, 1.0, 0.7),
        /// Hits on a page.
        max_hits: i64 = integer(1, MAX_HITS, 32),
        /// First hit of the page.
        offset: i64 = integer(0, MAX_TARGETS as i64, 0),
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
    name: "screen_molecules",
    title: "Screen molecules",
    description: "Rank up to 64 molecules by Tanimoto similarity to one molecule and list those \
                  at or above threshold, best first, a page at a time (next_offset leads to the \
                  next). It compares fingerprints, not structures: use find_substructure for an \
                  exact question. At most 1,024 atoms each, 4,096 together.",
    toolset: Toolset::Molecules,
    arguments: ScreenMolecules::TABLE,
    output_schema,
    run,
};

fn run(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = ScreenMolecules::read(checked);
    let ScreenMolecules { kind, fp_size, radius, path_length, counts, .. } = arguments;
    let mut maker = Inputs { kind, fp_size, radius, path_length, counts }.maker()?;
    let targets = arguments.targets_smiles.iter().enumerate();
    let targets = targets.map(|(index, smiles)| (format!("targets_smiles[{index}]"), smiles));
    let given: Vec<(String, &str)> =
        std::iter::once(("query_smiles".to_owned(), &arguments.query_smiles))
            .chain(targets)
            .map(|(argument, smiles)| (argument, smiles.as_str()))
            .collect();
    check_combined_text(&given)?;
    let molecules = read_molecules(&given, context)?;

    let query = maker.make("query_smiles", &molecules[0], context)?;
    let mut hits = Vec::new();
    for (index, molecule) in molecules[1..].iter().enumerate() {
        let target = maker.make(&given[index + 1].0, molecule, context)?;
        let score = overlap(&query, &target).tanimoto();
        if score >= arguments.threshold {
            hits.push((index, score));
        }
    }
    hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let offset = arguments.offset.unsigned_abs() as usize;
    let max_hits = arguments.max_hits.unsigned_abs() as usize;
    let page = &hits[offset.min(hits.len())..(offset + max_hits).min(hits.len())];
    let next = offset + page.len();

    let mut out = Map::new();
    let shown = |&(index, score): &(usize, f64)| json!({"target_index": index, "score": score});
    put(&mut out, "hits", page.iter().map(shown).collect::<Value>());
    put(&mut out, "total_hits", hits.len());
    put(&mut out, "total_targets", arguments.targets_smiles.len());
    put(&mut out, "threshold", arguments.threshold);
    put(&mut out, "max_hits", max_hits);
    put(&mut out, "offset", offset);
    put(&mut out, "next_offset", (next < hits.len()).then_some(next));
    put(&mut out, "truncated", page.len() < hits.len());
    put(&mut out, "metric", "tanimoto");
    maker.describe(&mut out);
    put(&mut out, "warnings", warnings(named(&given, &molecules)));
    let claim = format!(
        "All {} molecules were compared; {} reach the threshold. The score says how alike two \
         fingerprints are, nothing of a common part or of activity.",
        arguments.targets_smiles.len(),
        hits.len()
    );
    finish(&mut out, "fingerprint_screen", claim, context);
    Ok(ToolReply::json(out))
}

fn check_combined_text(given: &[(String, &str)]) -> Result<(), ToolError> {
    let chars: usize = given.iter().map(|(_, smiles)| smiles.chars().count()).sum();
    if chars <= MAX_COMBINED_CHARS {
        return Ok(());
    }
    let sentence = "query_smiles and targets_smiles are too long together";
    Err(ToolError::argument("argument.range", sentence)
        .about("targets_smiles")
        .found(format!("{chars} characters"))
        .accepting(format!("at most {MAX_COMBINED_CHARS}"))
        .with_hint("screen the list in parts"))
}

fn output_schema() -> Value {
    let hit = object([
        ("target_index", described(count(), "Place in targets_smiles, from 0.")),
        ("score", real()),
    ]);
    let mut fields = vec![
        ("hits", described(list(hit), "The page: best first, then by place in the list.")),
        ("total_hits", count()),
        ("total_targets", count()),
        ("threshold", real()),
        ("max_hits", count()),
        ("offset", count()),
        ("next_offset", described(nullable(count()), "Null on the last page.")),
        ("truncated", described(boolean(), "The page is not the whole list of hits.")),
        ("metric", crate::output::one_of(&["tanimoto"])),
    ];
    fields.extend(described_fields());
    fields.push(warnings_field());
    fields.extend(finished_fields());
    object(fields)
}

//! The table of precursor sets in `testdata/reactions.tsv` (how it came about stands in
//! `xtask/oracle/reactions_table.py`), as it is, in other spellings, and through the index.

use std::collections::BTreeSet;

use synthon_budget::Budget;
use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_query::TargetProfile;
use synthon_reaction::{IndexScratch, Scratch, Template, TemplateIndex};

struct Row {
    template: Template,
    molecule: Molecule,
    sets: BTreeSet<Vec<u128>>,
}

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).unwrap_or_else(|e| panic!("{smiles}: {e}"))
}

fn keys<'a>(molecules: impl Iterator<Item = &'a Molecule>) -> Vec<u128> {
    let mut keys: Vec<u128> = molecules.map(Molecule::canonical_key).collect();
    keys.sort_unstable();
    keys
}

fn table() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/reactions.tsv");
    let text = std::fs::read_to_string(path).expect(path);
    let rows: Vec<Row> = text
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [template, smiles, sets] = columns[..] else { panic!("three columns: {line}") };
            let template = Template::from_smarts(template);
            let of_set = |set: &str| {
                let parts: Vec<Molecule> = set.split('.').map(molecule).collect();
                keys(parts.iter())
            };
            Row {
                template: template.unwrap_or_else(|e| panic!("{line}: {e}")),
                molecule: molecule(smiles),
                sets: sets.split(' ').filter(|s| !s.is_empty()).map(of_set).collect(),
            }
        })
        .collect();
    assert!(rows.len() > 200, "{} rows", rows.len());
    rows
}

fn found(template: &Template, molecule: &Molecule, scratch: &mut Scratch) -> BTreeSet<Vec<u128>> {
    let applied = template.apply(molecule, scratch, &mut Budget::unlimited());
    applied.outcomes.iter().map(|o| keys(o.precursors.iter())).collect()
}

#[test]
fn precursor_sets_are_those_of_the_table() {
    let mut scratch = Scratch::new();
    for row in table() {
        let ours = found(&row.template, &row.molecule, &mut scratch);
        assert_eq!(ours, row.sets, "{} on {}", row.template.text(), row.molecule.to_smiles());
    }
}

#[test]
fn spelling_of_the_molecule_does_not_matter() {
    let mut scratch = Scratch::new();
    for (number, row) in table().iter().enumerate() {
        for turn in 0..4 {
            let seed = 10 * number as u64 + turn;
            let options =
                WriteOptions { order: AtomOrder::Random(seed), ..WriteOptions::default() };
            let text = write_smiles(&row.molecule, &options).text;
            let ours = found(&row.template, &molecule(&text), &mut scratch);
            assert_eq!(ours, row.sets, "{} on {text}", row.template.text());
        }
    }
}

#[test]
fn canonical_text_says_the_same_template() {
    let mut scratch = Scratch::new();
    for row in table() {
        let canonical = row.template.smarts();
        let again = Template::from_smarts(canonical).unwrap_or_else(|e| panic!("{canonical}: {e}"));
        assert_eq!(again.smarts(), canonical);
        assert_eq!(again.id(), row.template.id());
        let ours = found(&again, &row.molecule, &mut scratch);
        assert_eq!(ours, row.sets, "{canonical} on {}", row.molecule.to_smiles());
    }
}

#[test]
fn the_index_leaves_out_no_template_that_applies() {
    let rows = table();
    let index = TemplateIndex::new(rows.iter().map(|r| &r.template));
    assert_eq!(index.len(), rows.len());
    let (mut scratch, mut indexing) = (Scratch::new(), IndexScratch::default());
    let mut candidates = Vec::new();
    let mut tried = 0;
    for row in rows.iter().step_by(7) {
        index.candidates(&TargetProfile::new(&row.molecule), &mut indexing, &mut candidates);
        assert!(candidates.is_sorted());
        tried += candidates.len();
        for (position, other) in rows.iter().enumerate() {
            if candidates.binary_search(&(position as u32)).is_err() {
                let sets = found(&other.template, &row.molecule, &mut scratch);
                assert!(sets.is_empty(), "{}", other.template.text());
            }
        }
    }
    let most = rows.len().div_ceil(7) * rows.len();
    assert!(4 * tried < most, "{tried} of {most} templates are candidates");
}

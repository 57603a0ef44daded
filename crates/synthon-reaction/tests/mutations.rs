//! Templates that are nearly right: refused or applied, but never a panic, and what comes out of
//! them reads back.

use synthon_budget::Budget;
use synthon_mol::{BondOrder, Molecule};
use synthon_reaction::{ApplyOptions, Scratch, Spectators, StereoRule, Template, balance};
use synthon_testkit::{Random, mutate};

/// Mutations tried; `SYNTHON_MUTATIONS` asks for more.
const MUTATIONS: usize = 4_000;

#[test]
fn mutated_templates_never_panic() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/reactions.tsv");
    let text = std::fs::read_to_string(path).expect(path);
    let rows: Vec<(&str, Molecule)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split('\t');
            let template = columns.next().expect("a template");
            let smiles = columns.next().expect("a molecule");
            (template, Molecule::from_smiles(smiles).expect(smiles))
        })
        .collect();
    let count = std::env::var("SYNTHON_MUTATIONS")
        .map_or(MUTATIONS, |n| n.parse().expect("a number of mutations"));
    let mut random = Random::new(20_260_901);
    let mut scratch = Scratch::new();
    let (mut accepted, mut applied) = (0, 0);
    for turn in 0..count {
        let (template, molecule) = random.pick(&rows);
        let mut text = mutate(template, &mut random);
        while random.chance(30) {
            text = mutate(&text, &mut random);
        }
        let Ok(template) = Template::from_smarts(&text) else { continue };
        accepted += 1;
        let canonical = template.smarts();
        let again = Template::from_smarts(canonical);
        assert_eq!(again.as_ref().map(Template::id), Ok(template.id()), "{text} as {canonical}");
        let options = ApplyOptions::default()
            .stereo(if turn % 2 == 0 { StereoRule::Strict } else { StereoRule::Lenient })
            .spectators(if turn % 3 == 0 { Spectators::Keep } else { Spectators::Drop });
        for template in std::iter::once(Ok(template)).chain(again.map(|t| t.reversed())).flatten() {
            let mut budget = Budget::unlimited().with_node_limit(20_000);
            let answer = template.apply_with(molecule, &options, &mut scratch, &mut budget);
            for outcome in &answer.outcomes {
                applied += 1;
                let _ = balance(&outcome.precursors, molecule);
                for precursor in &outcome.precursors {
                    let smiles = precursor.to_smiles();
                    // As in RDKit, a ring with `b` and written double bonds passes unchecked.
                    if precursor.atoms().iter().any(|a| a.is_aromatic() && a.atomic_number() == 5) {
                        continue;
                    }
                    let read = Molecule::from_smiles(&smiles)
                        .unwrap_or_else(|e| panic!("{text} gave {smiles}: {e}"));
                    // Reading repairs more than building does: a metal's unpaired electrons, and
                    // iodine(III) with a hydrogen that nobody wrote.
                    let odd = precursor.bonds().iter().any(|b| b.order() == BondOrder::Dative)
                        || precursor.atoms().iter().any(|a| {
                            matches!(a.atomic_number(), 17 | 35 | 53) && a.hydrogens() > 0
                        });
                    if !odd {
                        let keys = (read.canonical_key(), precursor.canonical_key());
                        assert_eq!(keys.0, keys.1, "{text}: {smiles}");
                    }
                }
            }
        }
    }
    assert!(
        accepted > count / 4 && applied > count / 20,
        "{accepted} accepted, {applied} outcomes"
    );
}

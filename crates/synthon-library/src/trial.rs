//! Templates tried in tests.

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{ApplyOptions, Outcome, Scratch, Template};

use crate::selectivity::misplaced;

/// The product, and what a template that matches it gives for it.
pub(crate) fn outcomes(template: &str, product: &str) -> (Molecule, Vec<Outcome>) {
    let template = Template::from_smarts(template).expect(template);
    let product = Molecule::from_smiles(product).expect(product);
    let options = ApplyOptions::default();
    let mut budget = Budget::unlimited();
    let applied = template.apply_with(&product, &options, &mut Scratch::new(), &mut budget);
    assert!(!applied.outcomes.is_empty(), "{} does not match", template.smarts());
    (product, applied.outcomes)
}

/// Whether anything that a template gives for a product goes where it should.
pub(crate) fn some_hold(template: &str, product: &str) -> bool {
    let (product, outcomes) = outcomes(template, product);
    outcomes.iter().any(|outcome| misplaced(&product, outcome, None).is_none())
}

//! Applying a template: matches, their rewritings, the distinct outcomes among them.

use std::collections::BTreeSet;

use synthon_budget::Budget;
use synthon_mol::{BondOrder, Molecule};
use synthon_query::{Matcher, Target};

use crate::distinct::distinct;
use crate::outcome::{Applied, ApplyOptions, Components, Outcome};
use crate::rewrite::{Match, Workspace};
use crate::script::Script;
use crate::search;
use crate::stereo::{Verdict, judge};
use crate::template::Template;

/// Working memory that is kept from one application to the next, for speed. It holds no state:
/// results do not depend on what it was used for before.
#[derive(Debug, Default)]
pub struct Scratch {
    matcher: Matcher,
    workspace: Workspace,
    signature: Vec<u128>,
}

impl Scratch {
    /// Empty working memory.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Template {
    /// All distinct precursor sets of a molecule under the default [`ApplyOptions`].
    pub fn apply(&self, product: &Molecule, scratch: &mut Scratch, budget: &mut Budget) -> Applied {
        self.apply_with(product, &ApplyOptions::default(), scratch, budget)
    }

    /// All distinct precursor sets of a molecule; see [`apply_to`](Self::apply_to).
    pub fn apply_with(
        &self,
        product: &Molecule,
        options: &ApplyOptions,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Applied {
        self.apply_to(&Target::new(product), options, scratch, budget)
    }

    /// All distinct precursor sets of a molecule that was prepared for matching, which pays when
    /// many templates are tried on it.
    ///
    /// The components of the product side that stand in one pair of parentheses match inside one
    /// component of the molecule; each that stands alone has one to itself, unless the options
    /// free it.
    ///
    /// Searching and each match spend budget. When it is used up, or more than
    /// `options.max_matches` matches are found, what was found so far is returned as truncated.
    pub fn apply_to(
        &self,
        product: &Target<'_>,
        options: &ApplyOptions,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Applied {
        let script = self.script();
        let molecule = product.molecule();
        let found = search::embeddings(
            self.searched(),
            product,
            options.max_matches,
            &mut scratch.matcher,
            budget,
        );
        let mut applied = Applied { truncated: !found.is_complete(), ..Applied::default() };
        if found.is_empty() {
            return applied;
        }
        let separate = script.several_components && options.components == Components::Apart;
        let components = separate.then(|| molecule.components().1);
        let mut signatures: BTreeSet<Vec<u128>> = BTreeSet::new();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for atoms in found.iter() {
            if let Some(components) = &components
                && !search::apart(self.product_pattern(), atoms, components)
            {
                continue;
            }
            let mirrored = match judge(script, molecule, atoms, options.stereo) {
                Verdict::Forbidden => continue,
                Verdict::Allowed { mirrored } => mirrored,
            };
            applied.matches += 1;
            if found.len() > 1 {
                if budget.tick().is_err() {
                    applied.truncated = true;
                    break;
                }
                signature(script, atoms, mirrored, &mut scratch.signature);
                if signatures.contains(&scratch.signature) {
                    continue;
                }
                signatures.insert(scratch.signature.clone());
            }
            let found = Match { atoms, mirrored };
            match scratch.workspace.rewrite(script, molecule, found, options) {
                Ok(outcome) => outcomes.push(outcome),
                Err(_) => applied.invalid += 1,
            }
        }
        applied.outcomes = if options.every_origin { outcomes } else { distinct(outcomes) };
        applied
    }
}

/// What a match changes, in terms of product atoms: equal signatures give equal outcomes, so
/// that the images of an unchanged environment are rewritten once.
fn signature(script: &Script, atoms: &[u32], mirrored: bool, out: &mut Vec<u128>) {
    out.clear();
    if script.has_marks || script.several_components {
        // Marks depend on which neighbour is which, and a component that is matched is kept even
        // when nothing in it changes.
        out.push(u128::from(mirrored));
        out.extend(atoms.iter().map(|&a| u128::from(a)));
        return;
    }
    let matched = atoms.len() as u32;
    let at = |slot: u32| match atoms.get(slot as usize) {
        Some(&atom) => u128::from(atom),
        None => u128::from(slot - matched) | 1 << 31,
    };
    for (&kind, &atom) in script.atom_kinds.iter().zip(atoms).filter(|(kind, _)| **kind != 0) {
        out.push(u128::from(kind) << 32 | u128::from(atom));
    }
    for edit in script.bonds.iter().chain(&script.new_bonds) {
        let (a, b) = (at(edit.begin), at(edit.end));
        let (a, b) =
            if edit.order == Some(BondOrder::Dative) { (a, b) } else { (a.min(b), a.max(b)) };
        let order = edit.order.map_or(0, |o| o as u128) << 8 | u128::from(edit.orders.bits());
        out.push(1 << 127 | order << 64 | a << 32 | b);
    }
    out.sort_unstable();
}

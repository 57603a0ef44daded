//! Templates out of atom-mapped reactions.
//!
//! The method is that of C. W. Coley, W. H. Green, K. F. Jensen (*J. Chem. Inf. Model.* 2019, 59,
//! 2529): the atoms whose bonds, hydrogens, charge or stereo change are the reaction centre; the
//! template shows them in full, with the atoms around them, functional groups kept whole, and all
//! that the reactants lose. It is kept only when, applied to its own product, it gives back its own
//! reactants.

mod centre;
mod error;
mod fragment;
mod reaction;
mod write;

pub use error::{ExtractError, ExtractErrorKind};
pub use reaction::MappedReaction;

use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::apply::Scratch;
use crate::outcome::{Applied, ApplyOptions};
use crate::template::Template;

/// How much a template shows around the reaction centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// Bonds from the reaction centre to the farthest atom that is shown. Default 1.
    pub radius: u8,
    /// Whether functional groups of which an atom is shown are shown whole. Default true.
    pub whole_groups: bool,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        ExtractOptions { radius: 1, whole_groups: true }
    }
}

impl ExtractOptions {
    /// The reaction centre alone: the most general template that the reaction allows.
    pub fn centre_only() -> Self {
        ExtractOptions { radius: 0, whole_groups: false }
    }

    /// Sets [`radius`](Self::radius).
    pub fn radius(mut self, radius: u8) -> Self {
        self.radius = radius;
        self
    }

    /// Sets [`whole_groups`](Self::whole_groups).
    pub fn whole_groups(mut self, whole: bool) -> Self {
        self.whole_groups = whole;
        self
    }
}

/// Largest reaction centre, with its neighbourhood, that makes a template.
const MAX_SHOWN: usize = 200;

impl MappedReaction {
    /// Atoms of the product whose bonds, hydrogens, charge, isotope or stereo the reaction makes or
    /// changes, ascending.
    pub fn reaction_centre(&self) -> Vec<u32> {
        let changed = centre::changed_atoms(self);
        (0..changed.len() as u32).filter(|&a| changed[a as usize]).collect()
    }

    /// Writes the template without checking it; its text is not canonical.
    ///
    /// # Errors
    /// Nothing changes, or too much does.
    pub fn write_template(&self, options: &ExtractOptions) -> Result<String, ExtractError> {
        let changed = centre::changed_atoms(self);
        if !changed.contains(&true) {
            return Err(ExtractError::new(
                ExtractErrorKind::NoChange,
                "no bond, hydrogen, charge or stereo centre of the product changes",
            ));
        }
        let shown = fragment::shown_atoms(self.product(), &changed, options);
        let count = shown.iter().filter(|&&s| s).count();
        if count > MAX_SHOWN {
            return Err(ExtractError::new(
                ExtractErrorKind::TooLarge,
                format!("the template would show {count} atoms, {MAX_SHOWN} are allowed"),
            ));
        }
        Ok(write::template(self, &changed, &shown))
    }

    /// Whether a template, applied to the product under the strict stereo rule, gives back the
    /// reactants, stereo included.
    pub fn is_reproduced_by(
        &self,
        template: &Template,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> bool {
        let applied =
            template.apply_with(self.product(), &ApplyOptions::default(), scratch, budget);
        is_among(&applied, self.reactant_keys())
    }

    /// Extracts the template, and checks that it gives the reactants back.
    ///
    /// # Errors
    /// Those of [`write_template`](Self::write_template); a template that does not read, or that
    /// does not give back the reactants.
    pub fn extract(
        &self,
        options: &ExtractOptions,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Result<Template, ExtractError> {
        let keys = self.reactant_keys();
        if keys.contains(&self.product().canonical_key()) {
            return Err(ExtractError::new(
                ExtractErrorKind::ProductAmongReactants,
                "the product is one of the reactants",
            ));
        }
        let text = self.write_template(options)?;
        let template = Template::from_smarts(&text).map_err(|error| {
            ExtractError::new(ExtractErrorKind::Template, error.to_string()).in_part(&text)
        })?;
        let applied =
            template.apply_with(self.product(), &ApplyOptions::default(), scratch, budget);
        if is_among(&applied, keys) {
            return Ok(template);
        }
        let message = format!(
            "the template gives {} other sets of precursors for its own product",
            applied.outcomes.len()
        );
        Err(ExtractError::new(ExtractErrorKind::NotReproduced, message).in_part(&text))
    }
}

fn is_among(applied: &Applied, keys: &[u128]) -> bool {
    applied.outcomes.iter().any(|outcome| {
        let mut found: Vec<u128> = outcome.precursors.iter().map(Molecule::canonical_key).collect();
        found.sort_unstable();
        found == keys
    })
}

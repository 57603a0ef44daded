//! Compiled tables of patterns, and the questions that all operations put to them.

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};

/// Most matches of one pattern that are looked at; RDKit's limit.
pub(crate) const MAX_MATCHES: usize = 1_000;

/// Compiles a pattern of our own tables.
pub(crate) fn compiled(smarts: &str) -> Pattern {
    let pattern = Pattern::from_smarts(smarts).expect("the tables hold SMARTS");
    pattern.prepare();
    pattern
}

/// Looks for patterns within the budget of the call.
pub(crate) struct Finder<'b> {
    matcher: Matcher,
    pub(crate) budget: &'b mut Budget,
}

impl<'b> Finder<'b> {
    pub(crate) fn new(budget: &'b mut Budget) -> Self {
        Finder { matcher: Matcher::new(), budget }
    }

    /// The first match in order.
    pub(crate) fn first(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let options = MatchOptions::default();
        self.matcher.first_within(pattern, target, &options, self.budget)
    }

    /// Matches in order, one for each set of atoms.
    pub(crate) fn all(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        if !pattern.requirements().allow(target.profile()) {
            return Ok(Vec::new());
        }
        let options = MatchOptions::default();
        let found = self.matcher.all_within(pattern, target, &options, MAX_MATCHES, self.budget);
        if let Some(stop) = self.budget.stopped() {
            return Err(stop);
        }
        let found = if found.len() < 2 { found } else { found.unique() };
        Ok(found.iter().map(<[u32]>::to_vec).collect())
    }

    /// The atoms that a pattern of one atom matches.
    pub(crate) fn atoms(
        &mut self,
        pattern: &Pattern,
        molecule: &Molecule,
    ) -> Result<Vec<usize>, Stop> {
        let target = Target::new(molecule);
        Ok(self.all(pattern, &target)?.iter().map(|found| found[0] as usize).collect())
    }
}

//! What the search needs to know of chemistry, and nothing else.
//!
//! The search itself only sees molecules as keys and reactions as costs. The planner gives it
//! the real world (templates, stock, forward replay); tests give it toy worlds that a
//! brute-force enumerator can walk as well.

use synthon_budget::{Budget, Stop};

use crate::cost::Cost;

/// A way of making a molecule that an expansion proposes.
#[derive(Clone, Debug)]
pub(crate) struct Proposal<M, R> {
    /// What it starts from, in the order in which it shall be shown; repeats allowed.
    pub precursors: Vec<M>,
    /// Cost of the step itself; must not be zero, or loops would be free.
    pub cost: Cost,
    /// Whatever the world wants to find again: template, atom maps.
    pub reaction: R,
}

/// All proposals for one molecule.
#[derive(Clone, Debug)]
pub(crate) struct Expansion<M, R> {
    /// The proposals, best first; the order decides ties.
    pub proposals: Vec<Proposal<M, R>>,
    /// Whether something that the library allows was left out (a cap, a policy cut-off).
    pub cut: bool,
}

/// The chemistry that a search runs in.
pub(crate) trait World {
    /// A molecule as an expansion gives it.
    type Molecule;
    /// A molecule in a form that is small, since many are kept and few are looked at again.
    type Kept;
    /// What is kept with a reaction.
    type Reaction;

    /// Identity of a molecule: equal keys are the same molecule.
    fn key(&self, molecule: &Self::Molecule) -> u128;

    /// The small form.
    fn keep(&self, molecule: Self::Molecule) -> Self::Kept;

    /// Whether a branch may end here.
    fn is_terminal(&mut self, molecule: &Self::Molecule) -> bool;

    /// Estimated cost of making a molecule in which no branch may end.
    fn estimate(&self, molecule: &Self::Molecule) -> Cost;

    /// All ways of making `molecule` in one step.
    fn expand(
        &mut self,
        molecule: &Self::Kept,
        budget: &mut Budget,
    ) -> Result<Expansion<Self::Molecule, Self::Reaction>, Stop>;

    /// How many molecules that will probably be asked for next are worth naming; none where no
    /// other thread works ahead.
    fn guesses(&self) -> usize {
        0
    }

    /// Names them, the likeliest first.
    fn foresee(&mut self, _next: &[&Self::Kept]) {}

    /// The second look at a reaction, taken once and only when it can become part of a route:
    /// does it really give `product`? What it then costs beyond what was proposed, or `None`. The
    /// world may note what it finds in `reaction`.
    fn confirm(
        &mut self,
        product: &Self::Kept,
        precursors: &[&Self::Kept],
        reaction: &mut Self::Reaction,
        budget: &mut Budget,
    ) -> Result<Option<Cost>, Stop>;
}

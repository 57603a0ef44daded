//! Cleaning up: bonds to metals cut, functional groups in one form, protons on the weakest acids.
//!
//! As in RDKit, what is aromatic is found anew only at the end (and where a rule for functional
//! groups has been applied): a ring that a metal has left counts as it was written.

use synthon_budget::Stop;
use synthon_mol::Molecule;

use crate::order::in_canonical_order;
use crate::search::Finder;
use crate::{metals, normalise, reionise};

/// Applies the three parts in order; `None` when nothing changes.
pub(crate) fn clean_up(
    molecule: &Molecule,
    finder: &mut Finder<'_>,
) -> Result<Option<Molecule>, Stop> {
    if !metals::applies(molecule)
        && !normalise::applies(molecule, finder)?
        && !reionise::applies(molecule, finder)?
    {
        return Ok(None);
    }
    let mut now = in_canonical_order(molecule);
    if let Some(after) = metals::disconnect(&now) {
        now = after;
    }
    if let Some(after) = normalise::normalise(&now, finder)? {
        now = after;
    }
    if let Some(after) = reionise::reionise(&now, finder)? {
        now = after;
    }
    Ok(Some(now.to_builder().build().unwrap_or(now)))
}

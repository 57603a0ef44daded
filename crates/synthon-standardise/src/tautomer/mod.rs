//! One tautomer for all.
//!
//! Tautomers are enumerated by moving a proton from one end of a conjugated path to the other,
//! again and again, and the one with the best score is chosen. Rules, scores and the order of the
//! enumeration are RDKit's, which follow M. Sitzmann et al., "Tautomerism in large databases",
//! J. Comput.-Aided Mol. Des. 24 (2010) 521. The enumeration is ours rather than a toolkit's so
//! that it can stop at a deadline and start from the canonical order of the atoms.

mod enumerate;
mod rules;
mod score;

use synthon_budget::Status;
use synthon_mol::Molecule;

use crate::order::in_canonical_order;
use crate::search::Finder;

/// How far tautomers are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautomerLimits {
    /// Most tautomers, at least 1. Default 128.
    pub tautomers: usize,
    /// Most rules put to work: one for each rule that applies to a tautomer, in however many
    /// places. Default 256.
    pub transforms: usize,
}

impl Default for TautomerLimits {
    fn default() -> Self {
        TautomerLimits { tautomers: 128, transforms: 256 }
    }
}

/// The tautomer that was chosen.
pub(crate) struct Choice {
    /// `None` when there is no other.
    pub(crate) molecule: Option<Molecule>,
    pub(crate) status: Status,
}

/// Chooses among the tautomers found: the best score, and of equal ones the first canonical text.
pub(crate) fn canonical(
    molecule: &Molecule,
    limits: &TautomerLimits,
    finder: &mut Finder<'_>,
) -> Choice {
    match rules::any_applies(molecule, finder) {
        Ok(true) => {}
        Ok(false) => return Choice { molecule: None, status: Status::Completed },
        Err(stop) => return Choice { molecule: None, status: stop.into() },
    }
    let start = in_canonical_order(molecule);
    let found = enumerate::tautomers(start, limits, finder);
    let status = found.status;
    let best = if found.tautomers.len() < 2 {
        found.tautomers.into_iter().next()
    } else {
        score::best(found.tautomers, finder)
    };
    Choice { molecule: best.map(|(_, molecule)| molecule), status }
}

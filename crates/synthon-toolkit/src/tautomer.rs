//! The canonical tautomer, by RDKit's rules and scores.

use std::sync::{Arc, Mutex};

use cosmolkit::{
    TautomerEnumerationCallback, TautomerEnumerationStatus as Status, TautomerMoleculeView,
    TautomerParams, TautomerProgress, TautomerRunError,
};
use synthon_budget::Budget;
use synthon_mol::Molecule;

use crate::port::Ported;
use crate::{ToolkitError, guard};

const QUESTION: &str = "canonical tautomer";

/// How far tautomers are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautomerLimits {
    /// Most tautomers kept; at least 1. Default 128.
    pub tautomers: u32,
    /// Most transforms applied; at least 1. Default 256.
    pub transforms: u32,
}

impl Default for TautomerLimits {
    fn default() -> Self {
        TautomerLimits { tautomers: 128, transforms: 256 }
    }
}

/// What ended an enumeration early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautomerLimit {
    /// As many tautomers as allowed.
    Tautomers,
    /// As many transforms as allowed.
    Transforms,
    /// The budget: its deadline, node limit or cancel flag.
    Budget,
}

/// The answer of [`canonical_tautomer`].
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalTautomer {
    /// The tautomer, with the atoms in the order of the input.
    pub molecule: Molecule,
    /// What ended the enumeration early; the tautomer is then the best of those seen, or the
    /// input itself if none was.
    pub limit: Option<TautomerLimit>,
}

/// The canonical one of a molecule's tautomers: the best by score among those that the
/// transforms of MolVS (as revised by RDKit) lead to. Stereo that a shifted double bond or
/// hydrogen takes part in is removed, as RDKit does.
///
/// # Errors
/// When the molecule is too large or refused.
///
/// ```
/// # use synthon_budget::Budget;
/// # use synthon_mol::Molecule;
/// use synthon_toolkit::{TautomerLimits, canonical_tautomer};
/// let hydroxypyridine = Molecule::from_smiles("Oc1ccccn1").unwrap();
/// let answer = canonical_tautomer(
///     &hydroxypyridine,
///     TautomerLimits::default(),
///     &mut Budget::unlimited(),
/// )?;
/// assert_eq!(answer.molecule.to_smiles(), "O=c1cccc[nH]1");
/// # Ok::<(), synthon_toolkit::ToolkitError>(())
/// ```
pub fn canonical_tautomer(
    molecule: &Molecule,
    limits: TautomerLimits,
    budget: &mut Budget,
) -> Result<CanonicalTautomer, ToolkitError> {
    let watch = Arc::new(Watch(Mutex::new(budget.child())));
    let answer = guard::ask(molecule, QUESTION, budget, move |molecule| {
        let ported = Ported::new(molecule, true)?;
        let mut params = TautomerParams::default()
            .with_max_tautomers(limits.tautomers.max(1))
            .with_max_transforms(limits.transforms.max(1));
        params.set_callback(Some(watch));
        let refused = |e: cosmolkit::OperationError| ToolkitError::refused(QUESTION, e);
        let found = ported.inner.enumerate_tautomers_with_params(&params).map_err(refused)?;
        let best = found.canonical_tautomer_with_params(&params).map_err(refused)?;
        let limit = match found.status() {
            Status::Completed => None,
            Status::MaxTautomersReached => Some(TautomerLimit::Tautomers),
            Status::MaxTransformsReached => Some(TautomerLimit::Transforms),
            Status::Canceled => Some(TautomerLimit::Budget),
        };
        Ok(CanonicalTautomer { molecule: ported.adopt(&best)?, limit })
    });
    // Whatever stopped the enumeration has stopped the caller too; the answer says what it is.
    let _ = budget.check();
    Ok(answer?.unwrap_or_else(|| CanonicalTautomer {
        molecule: molecule.clone(),
        limit: Some(TautomerLimit::Budget),
    }))
}

/// Lets the port ask whether to go on.
struct Watch(Mutex<Budget>);

impl TautomerEnumerationCallback for Watch {
    fn should_continue(
        &self,
        _: TautomerMoleculeView<'_>,
        _: TautomerProgress<'_>,
    ) -> Result<bool, TautomerRunError> {
        Ok(self.0.lock().is_ok_and(|mut budget| budget.check().is_ok()))
    }
}

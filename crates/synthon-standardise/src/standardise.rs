//! The operations, in their order, with what each of them did.

use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;

use crate::search::Finder;
use crate::tautomer::{self, TautomerLimits};
use crate::{cleanup, fragment, neutralise};

/// What can be done to a molecule, in the order in which it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Atom-map numbers are taken off.
    RemoveAtomMaps,
    /// Bonds to metals are cut, functional groups are brought into one form, and protons move
    /// from the strongest acids to the weakest acids' anions.
    Cleanup,
    /// Only the fragment with the most heavy atoms is kept.
    LargestFragment,
    /// Charges are taken away where protons can pay for them.
    Neutralise,
    /// One of all tautomers is chosen, the same whichever was given. A choice of representation,
    /// not a prediction of the most stable form.
    CanonicalTautomer,
}

impl Operation {
    /// All, in order.
    pub const ALL: [Operation; 5] = [
        Operation::RemoveAtomMaps,
        Operation::Cleanup,
        Operation::LargestFragment,
        Operation::Neutralise,
        Operation::CanonicalTautomer,
    ];

    /// Stable name, such as `largest_fragment`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::RemoveAtomMaps => "remove_atom_maps",
            Operation::Cleanup => "cleanup",
            Operation::LargestFragment => "largest_fragment",
            Operation::Neutralise => "neutralise",
            Operation::CanonicalTautomer => "canonical_tautomer",
        }
    }

    /// Whether it may change the molecule rather than the way in which it is written.
    pub fn is_chemical(self) -> bool {
        self != Operation::RemoveAtomMaps
    }
}

/// Which operations are done. The default is none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StandardiseOptions {
    /// Take atom-map numbers off.
    pub remove_atom_maps: bool,
    /// Clean up the structure.
    pub cleanup: bool,
    /// Keep the largest fragment only.
    pub largest_fragment: bool,
    /// Take charges away where protons can pay for them.
    pub neutralise: bool,
    /// Choose one of all tautomers.
    pub canonical_tautomer: bool,
    /// How far tautomers are enumerated.
    pub tautomer_limits: TautomerLimits,
}

impl StandardiseOptions {
    /// Whether an operation is to be done.
    pub fn asks_for(&self, operation: Operation) -> bool {
        match operation {
            Operation::RemoveAtomMaps => self.remove_atom_maps,
            Operation::Cleanup => self.cleanup,
            Operation::LargestFragment => self.largest_fragment,
            Operation::Neutralise => self.neutralise,
            Operation::CanonicalTautomer => self.canonical_tautomer,
        }
    }
}

/// What one operation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The operation.
    pub operation: Operation,
    /// Canonical text before.
    pub before: String,
    /// Canonical text after; the same when there was nothing to do.
    pub after: String,
    /// Canonical text of the fragments that were taken away, if any.
    pub removed: Option<String>,
}

/// A standardised molecule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standardised {
    /// The molecule. Its atoms may stand in another order than in the input.
    pub molecule: Molecule,
    /// What each operation did, in order; operations that were not begun before a stop are
    /// missing.
    pub changes: Vec<Change>,
    /// [`Status::Completed`], or what stopped the work first: [`Status::LimitReached`] when the
    /// tautomer was chosen among as many as the limits allow.
    pub status: Status,
}

/// Brings a molecule into standard form. The result is one for all spellings of the molecule.
///
/// Never fails: where an operation would give no molecule it leaves things as they are. When the
/// budget runs out, the answer holds what had been done by then, with an honest status.
pub fn standardise(
    molecule: &Molecule,
    options: &StandardiseOptions,
    budget: &mut Budget,
) -> Standardised {
    let mut done =
        Standardised { molecule: molecule.clone(), changes: Vec::new(), status: Status::Completed };
    let mut text = molecule.to_smiles();
    for operation in Operation::ALL.into_iter().filter(|&o| options.asks_for(o)) {
        match apply(operation, &done.molecule, options, budget) {
            Ok(outcome) => {
                let before = text.clone();
                if let Some(after) = outcome.molecule {
                    text = after.to_smiles();
                    done.molecule = after;
                }
                let removed = outcome.removed;
                done.changes.push(Change { operation, before, after: text.clone(), removed });
                if outcome.status != Status::Completed {
                    done.status = outcome.status;
                    break;
                }
            }
            Err(stop) => {
                done.status = stop.into();
                break;
            }
        }
    }
    done
}

/// What an operation came to.
struct Outcome {
    /// The new molecule, if it is one.
    molecule: Option<Molecule>,
    removed: Option<String>,
    status: Status,
}

fn apply(
    operation: Operation,
    molecule: &Molecule,
    options: &StandardiseOptions,
    budget: &mut Budget,
) -> Result<Outcome, Stop> {
    budget.check()?;
    let mut finder = Finder::new(budget);
    let mut outcome = Outcome { molecule: None, removed: None, status: Status::Completed };
    match operation {
        Operation::RemoveAtomMaps => outcome.molecule = without_maps(molecule),
        Operation::Cleanup => outcome.molecule = cleanup::clean_up(molecule, &mut finder)?,
        Operation::LargestFragment => {
            if let Some(chosen) = fragment::largest(molecule, finder.budget)? {
                outcome.molecule = Some(chosen.molecule);
                outcome.removed = Some(chosen.removed);
            }
        }
        Operation::Neutralise => {
            outcome.molecule = neutralise::neutralise(molecule, &mut finder)?;
        }
        Operation::CanonicalTautomer => {
            let choice = tautomer::canonical(molecule, &options.tautomer_limits, &mut finder);
            outcome.molecule = choice.molecule;
            outcome.status = choice.status;
        }
    }
    Ok(outcome)
}

fn without_maps(molecule: &Molecule) -> Option<Molecule> {
    if molecule.atoms().iter().all(|atom| atom.map() == 0) {
        return None;
    }
    let mut builder = molecule.to_builder();
    for atom in 0..molecule.atom_count() {
        builder.atom_mut(atom).map = 0;
    }
    builder.build().ok()
}

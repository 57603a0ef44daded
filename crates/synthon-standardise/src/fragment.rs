//! The largest of several fragments.

use std::cmp::Ordering;

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;

use crate::edit::keep_atoms;

/// The fragment with the most atoms, hydrogens folded into others not counted: a large drug wins
/// over a counter-ion with many hydrogens. Among equals the heavier one, again without hydrogens,
/// then the one whose canonical text comes first. `None` when there is one fragment only.
///
/// RDKit's LargestFragmentChooser with largestFragmentChooserCountHeavyAtomsOnly chooses the same;
/// without that option it counts hydrogens too, of which its users complain (rdkit#4754).
pub(crate) fn largest(molecule: &Molecule, budget: &mut Budget) -> Result<Option<Chosen>, Stop> {
    let (count, component) = molecule.components();
    if count < 2 {
        return Ok(None);
    }
    let mut atoms = vec![0u32; count];
    for &part in &component {
        atoms[part as usize] += 1;
    }
    let most = atoms.iter().copied().max().unwrap_or(0);
    let mut best: Option<(u32, Candidate)> = None;
    for part in (0..count as u32).filter(|&part| atoms[part as usize] == most) {
        budget.spend(molecule.atom_count() as u64)?;
        let Some(molecule) = keep_atoms(molecule, |atom| component[atom] == part) else {
            continue;
        };
        let mass = heavy_mass(&molecule);
        let candidate = Candidate { text: molecule.to_smiles(), molecule, mass };
        if best.as_ref().is_none_or(|(_, best)| candidate.beats(best)) {
            best = Some((part, candidate));
        }
    }
    Ok(best.and_then(|(part, best)| {
        let rest = keep_atoms(molecule, |atom| component[atom] != part)?;
        Some(Chosen { molecule: best.molecule, removed: rest.to_smiles() })
    }))
}

/// The fragment that is kept, and the canonical text of the others.
pub(crate) struct Chosen {
    pub(crate) molecule: Molecule,
    pub(crate) removed: String,
}

struct Candidate {
    molecule: Molecule,
    mass: i64,
    text: String,
}

/// Exact mass without the folded hydrogens, in millionths of a mass unit: whole numbers, so that
/// equal atoms in another order weigh the same. The mass of an electron is several hundred.
fn heavy_mass(molecule: &Molecule) -> i64 {
    let hydrogens: f64 = molecule.atoms().iter().map(|atom| f64::from(atom.hydrogens())).sum();
    ((molecule.exact_mass() - hydrogens * HYDROGEN_MASS) * 1e6).round() as i64
}

/// Mass of a hydrogen atom in unified atomic mass units.
const HYDROGEN_MASS: f64 = 1.007_825_032;

impl Candidate {
    fn beats(&self, other: &Candidate) -> bool {
        match self.mass.cmp(&other.mass) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => self.text < other.text,
        }
    }
}

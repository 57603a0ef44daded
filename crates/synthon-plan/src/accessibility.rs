//! How hard a molecule is to come by, estimated from its structure alone.
//!
//! Two figures are needed where nothing better is known: what a building block without a price
//! might cost, and how much work lies below a molecule that the search has not expanded. Both
//! rest on the complexity terms of the synthetic accessibility score (P. Ertl and
//! A. Schuffenhauer, *J. Cheminform.* 2009, 1:8): size, stereo centres, spiro and bridgehead
//! atoms, large rings. The fragment frequencies of that score are left out, so the figures here
//! are not SAscores and are not on its scale.

use synthon_mol::{Element, Molecule};

use crate::cost::Cost;

/// The structural facts that the estimates use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Complexity {
    pub heavy_atoms: usize,
    pub rings: usize,
    /// Specified stereo centres.
    pub stereo_centres: usize,
    pub spiro_atoms: usize,
    pub bridgeheads: usize,
    /// Rings of more than eight atoms.
    pub large_rings: usize,
    /// Atoms that share two bonds' worth of rings: fused systems.
    pub fused_bonds: usize,
    pub hetero_atoms: usize,
}

impl Complexity {
    pub fn of(molecule: &Molecule) -> Self {
        let rings = molecule.rings();
        let mut atom_rings = vec![0_u16; molecule.atom_count()];
        let mut bond_rings = vec![0_u16; molecule.bond_count()];
        let mut ring_bonds = vec![0_u16; molecule.atom_count()];
        let mut large_rings = 0;
        for ring in 0..rings.len() {
            large_rings += usize::from(rings.atoms(ring).len() > 8);
            for &atom in rings.atoms(ring) {
                atom_rings[atom as usize] += 1;
            }
            for &bond in rings.bonds(ring) {
                bond_rings[bond as usize] += 1;
            }
        }
        for (bond, _) in molecule.bonds().iter().zip(&bond_rings).filter(|(_, count)| **count > 0) {
            ring_bonds[bond.begin()] += 1;
            ring_bonds[bond.end()] += 1;
        }
        let heavy = |atom: &&synthon_mol::Atom| atom.element() != Element::H;
        Complexity {
            heavy_atoms: molecule.atoms().iter().filter(heavy).count(),
            rings: rings.sssr_count(),
            stereo_centres: molecule
                .atoms()
                .iter()
                .filter(|atom| atom.chirality().is_tetrahedral())
                .count(),
            spiro_atoms: (0..molecule.atom_count())
                .filter(|&atom| {
                    atom_rings[atom] == 2
                        && ring_bonds[atom] == 4
                        && molecule.neighbours(atom).iter().all(|n| bond_rings[n.bond()] <= 1)
                })
                .count(),
            bridgeheads: (0..molecule.atom_count())
                .filter(|&atom| ring_bonds[atom] == 3 && atom_rings[atom] >= 3)
                .count(),
            large_rings,
            fused_bonds: bond_rings.iter().filter(|&&count| count >= 2).count(),
            hetero_atoms: molecule
                .atoms()
                .iter()
                .filter(|atom| !matches!(atom.element(), Element::C | Element::H))
                .count(),
        }
    }

    /// The complexity terms of the score, added: about 0 for benzene, 0.1 for a drug-like
    /// molecule without stereo, above 3 for a complex natural product.
    pub fn penalty(&self) -> f64 {
        let atoms = self.heavy_atoms as f64;
        let size = atoms.powf(1.005) - atoms;
        let log = |count: usize| (count as f64 + 1.0).log10();
        let large = if self.large_rings > 0 { 2.0_f64.log10() } else { 0.0 };
        size + log(self.stereo_centres) + log(self.spiro_atoms) + log(self.bridgeheads) + large
    }
}

/// Estimated cost of a building block in arbitrary units: 1 for the simplest, growing with size
/// and complexity; a typical block of 12 heavy atoms comes to about 1.7.
pub fn estimated_block_cost(molecule: &Molecule) -> f64 {
    let complexity = Complexity::of(molecule);
    1.0 + 0.05 * complexity.heavy_atoms as f64 + complexity.penalty()
}

/// Estimated cost of making a molecule that is not in stock: at least one step, and one more for
/// every so many heavy atoms beyond the size of common building blocks, with an addition for
/// stereo centres and bridged or spiro rings.
///
/// Like any heuristic of this kind it may overrate, so the routes of a search that ends early
/// are the best by estimate; an exhausted search does not depend on it.
pub(crate) fn estimated_route_cost(molecule: &Molecule, step: Cost) -> Cost {
    let complexity = Complexity::of(molecule);
    let beyond = complexity.heavy_atoms.saturating_sub(BLOCK_SIZE) as f64;
    let steps = 1.0
        + beyond / ATOMS_PER_STEP
        + 0.25 * complexity.stereo_centres as f64
        + 0.5 * (complexity.spiro_atoms + complexity.bridgeheads) as f64;
    Cost::from_nats(step.nats() * steps)
}

/// Heavy atoms up to which a molecule is likely to be bought or one step away.
const BLOCK_SIZE: usize = 6;
/// Heavy atoms that one further step typically takes off.
const ATOMS_PER_STEP: f64 = 4.0;

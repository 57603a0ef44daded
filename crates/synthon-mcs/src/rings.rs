//! The rule of whole rings: every matched ring atom and ring bond lies in a ring that is matched
//! completely, on either side. A ring is one of the symmetrised smallest set.

use synthon_mol::Molecule;

use crate::bits::Bits;
use crate::problem::Problem;

/// The rings of one molecule.
pub(crate) struct RingSet<const W: usize> {
    /// Atoms and bonds of each ring.
    rings: Vec<(Bits<W>, Bits<W>)>,
    ring_atoms: Bits<W>,
    ring_bonds: Bits<W>,
}

/// The rings of both molecules.
pub(crate) struct WholeRings<const W: usize> {
    pub(crate) query: RingSet<W>,
    pub(crate) target: RingSet<W>,
}

impl<const W: usize> RingSet<W> {
    pub(crate) fn new(molecule: &Molecule) -> Self {
        let set = |members: &[u32]| {
            members.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &i| {
                all.insert(i as usize);
                all
            })
        };
        let rings: Vec<_> = (0..molecule.rings().len())
            .map(|i| (set(molecule.rings().atoms(i)), set(molecule.rings().bonds(i))))
            .collect();
        RingSet {
            ring_atoms: rings.iter().fold(Bits::EMPTY, |all, ring| all.or(&ring.0)),
            ring_bonds: rings.iter().fold(Bits::EMPTY, |all, ring| all.or(&ring.1)),
            rings,
        }
    }

    /// Atoms and bonds of the rings that lie wholly within `bonds`.
    fn covered(&self, bonds: &Bits<W>) -> (Bits<W>, Bits<W>) {
        let mut covered = (Bits::EMPTY, Bits::EMPTY);
        for (ring_atoms, ring_bonds) in &self.rings {
            if ring_bonds.minus(bonds).is_empty() {
                covered.0 = covered.0.or(ring_atoms);
                covered.1 = covered.1.or(ring_bonds);
            }
        }
        covered
    }

    /// Whether a map of these atoms and bonds keeps to the rule.
    pub(crate) fn are_whole(&self, atoms: &Bits<W>, bonds: &Bits<W>) -> bool {
        let (covered_atoms, covered_bonds) = self.covered(bonds);
        atoms.and(&self.ring_atoms).minus(&covered_atoms).is_empty()
            && bonds.and(&self.ring_bonds).minus(&covered_bonds).is_empty()
    }

    /// The atoms of `open` that can still end in a whole ring, when `mapped` are in already;
    /// `None` when one of the mapped atoms no longer can.
    pub(crate) fn keep_whole(&self, mapped: &Bits<W>, open: &Bits<W>) -> Option<Bits<W>> {
        let mut kept = *open;
        loop {
            let all = kept.or(mapped);
            let covered = self
                .rings
                .iter()
                .filter(|(atoms, _)| atoms.minus(&all).is_empty())
                .fold(Bits::EMPTY, |covered: Bits<W>, (atoms, _)| covered.or(atoms));
            let lost = self.ring_atoms.minus(&covered);
            if mapped.meets(&lost) {
                return None;
            }
            let next = kept.minus(&lost);
            if next == kept {
                return Some(kept);
            }
            kept = next;
        }
    }

    /// The bonds of `bonds` that lie outside rings or in a ring wholly within `bonds`.
    pub(crate) fn whole_bonds(&self, bonds: &Bits<W>) -> Bits<W> {
        let (_, covered) = self.covered(bonds);
        bonds.minus(&self.ring_bonds).or(&bonds.and(&covered))
    }

    /// The atoms that the rule leaves to a map that joins `bonds`: those outside rings and those
    /// in whole ones.
    pub(crate) fn allowed_atoms(&self, bonds: &Bits<W>) -> Bits<W> {
        let (covered, _) = self.covered(bonds);
        let mut lost = self.ring_atoms.minus(&covered);
        let mut allowed = Bits([u64::MAX; W]);
        while let Some(atom) = lost.pop() {
            allowed.remove(atom);
        }
        allowed
    }
}

/// The bonds of a map that the rule leaves: ring bonds outside whole rings are left out, then
/// the bonds of atoms that are in a ring but in no whole one, until nothing more must go.
pub(crate) fn trim<const W: usize>(
    problem: &Problem<W>,
    rings: &WholeRings<W>,
    mut joined: Bits<W>,
    image: &[u32],
) -> Bits<W> {
    loop {
        let images = problem.images_of_bonds(&joined, image);
        let atoms = rings.query.allowed_atoms(&joined);
        let atoms_t = rings.target.allowed_atoms(&images);
        let bonds = rings.query.whole_bonds(&joined);
        let bonds_t = rings.target.whole_bonds(&images);
        let before = joined;
        for bond in before.iter() {
            let (a, b) = problem.query.bonds[bond];
            let stays = bonds.contains(bond)
                && problem.image_of_bond(bond, image).is_some_and(|t| bonds_t.contains(t))
                && [a, b].iter().all(|&q| {
                    atoms.contains(q as usize) && atoms_t.contains(image[q as usize] as usize)
                });
            if !stays {
                joined.remove(bond);
            }
        }
        if joined == before {
            return joined;
        }
    }
}

//! What an atom is and what it sees around it, as numbers to sort by.

use super::partition::{Invariants, NONE, Partition};
use crate::stereo::configuration::{is_odd, reordered};
use crate::stereo::elements::{Ligands, ligands, substituents};
use crate::{BondStereo, Chirality};

/// Largest place that fits the packed form of a neighbourhood.
const PACKED_CLASSES: usize = 1 << 16;

impl Partition<'_> {
    #[inline]
    pub(super) fn fits_packed(&self, atom: u32) -> bool {
        self.molecule.degree(atom as usize) <= 4 && self.order.len() <= PACKED_CLASSES
    }

    /// Handedness of a centre by the classes of its ligands, 0 while two of them are tied.
    pub(crate) fn centre_code(&self, atom: usize) -> u8 {
        let chirality = self.molecule.atoms[atom].chirality;
        if chirality == Chirality::None {
            return 0;
        }
        if chirality.is_tetrahedral() {
            let neighbours = self.molecule.neighbours(atom);
            if neighbours.len() > 4 {
                return 0;
            }
            let mut odd = chirality == Chirality::Clockwise;
            for (i, a) in neighbours.iter().enumerate() {
                let class = self.class[a.atom()];
                for b in &neighbours[..i] {
                    let before = self.class[b.atom()];
                    if before == class {
                        return 0;
                    }
                    odd ^= before > class;
                }
            }
            return 1 + u8::from(odd);
        }
        let Some(ligands) = ligands(self.molecule, atom) else { return 0 };
        self.higher_code(chirality, &ligands)
    }

    #[cold]
    fn higher_code(&self, chirality: Chirality, ligands: &Ligands) -> u8 {
        let class = |atom: u32| self.class.get(atom as usize).map_or(NONE, |&c| c);
        let ligands = ligands.as_slice();
        let number = |mark: Chirality| match mark {
            Chirality::Allene(k)
            | Chirality::SquarePlanar(k)
            | Chirality::TrigonalBipyramidal(k)
            | Chirality::Octahedral(k) => k,
            _ => 0,
        };
        if matches!(chirality, Chirality::Allene(_)) {
            // The two ends may be tied, since exchanging them changes nothing.
            let (a, b) =
                ((class(ligands[0]), class(ligands[1])), (class(ligands[2]), class(ligands[3])));
            if a.0 == a.1 || b.0 == b.1 {
                return 0;
            }
            let odd = (a.0 > a.1) ^ (b.0 > b.1);
            return if odd { 3 - number(chirality) } else { number(chirality) };
        }
        let mut order: [u8; 6] = [0, 1, 2, 3, 4, 5];
        let order = &mut order[..ligands.len()];
        order.sort_by_key(|&k| class(ligands[k as usize]));
        let tied =
            |pair: &[u8]| class(ligands[pair[0] as usize]) == class(ligands[pair[1] as usize]);
        if order.windows(2).any(tied) {
            return 0;
        }
        number(reordered(chirality, order))
    }

    /// Geometry of a double bond by the classes of its substituents: 0 without geometry, 1 while
    /// two of them are tied, 2 when the higher ones lie on the same side, 3 otherwise.
    pub(crate) fn bond_code(&self, bond: usize) -> u8 {
        let written = &self.molecule.bonds[bond];
        if written.stereo == BondStereo::None {
            return 0;
        }
        let mut trans = written.stereo == BondStereo::Trans;
        for end in [written.begin(), written.end()] {
            let (reference, second) = substituents(self.molecule, end, bond);
            if let (Some(reference), Some(second)) = (reference, second) {
                let (a, b) = (self.class[reference as usize], self.class[second as usize]);
                if a == b {
                    return 1;
                }
                trans ^= b > a;
            }
        }
        2 + u8::from(trans)
    }

    /// On which side of its neighbouring centre an atom lies: 0 when that cannot be told, else
    /// the handedness of the centre's other ligands, highest first, as seen from the atom.
    fn side_code(&self, atom: u32, centre: usize) -> u32 {
        let chirality = self.molecule.atoms[centre].chirality;
        if !chirality.is_tetrahedral() {
            return 0;
        }
        let neighbours = self.molecule.neighbours(centre);
        if neighbours.len() > 4 {
            return 0;
        }
        let key = |a: u32| if a == atom { NONE } else { self.class[a as usize] };
        let mut order: [u8; 4] = [0, 1, 2, 3];
        let order = &mut order[..neighbours.len()];
        order.sort_by_key(|&k| std::cmp::Reverse(key(neighbours[k as usize].atom)));
        let tied = |pair: &[u8]| {
            key(neighbours[pair[0] as usize].atom) == key(neighbours[pair[1] as usize].atom)
        };
        if order.windows(2).any(tied) {
            return 0;
        }
        // Clockwise with an odd order counts as the other one.
        if is_odd(order) == (chirality == Chirality::Clockwise) { 1 } else { 2 }
    }

    /// What an atom sees, in one number: handedness, then its neighbours from the highest bond
    /// kind and class down.
    pub(super) fn packed_neighbourhood(&self, atom: u32) -> u128 {
        let molecule = self.molecule;
        let start = molecule.offsets[atom as usize] as usize;
        let end = molecule.offsets[atom as usize + 1] as usize;
        let mut seen = [0u32; 4];
        for (i, at) in (start..end).enumerate() {
            let entry = self.neighbour_key(at);
            let mut k = i;
            while k > 0 && seen[k - 1] < entry {
                seen[k] = seen[k - 1];
                k -= 1;
            }
            seen[k] = entry;
        }
        let mut key = seen.iter().fold(0u128, |key, &entry| key << 21 | u128::from(entry));
        if self.marked_atoms {
            key |= u128::from(self.centre_code(atom as usize)) << 84;
            if self.sides {
                key = key << 8 | u128::from(self.packed_sides(atom));
            }
        }
        key
    }

    fn packed_sides(&self, atom: u32) -> u32 {
        if !self.molecule.atoms[atom as usize].in_ring() {
            return 0;
        }
        let mut codes = [0u32; 4];
        let neighbours = self.molecule.neighbours(atom as usize);
        for (code, neighbour) in codes.iter_mut().zip(neighbours) {
            *code = self.class[neighbour.atom()] << 2 | self.side_code(atom, neighbour.atom());
        }
        let codes = &mut codes[..neighbours.len().min(4)];
        codes.sort_unstable();
        codes.iter().fold(0, |packed, code| packed << 2 | code & 3)
    }

    #[inline]
    fn neighbour_key(&self, at: usize) -> u32 {
        let neighbour = self.molecule.neighbours[at];
        let mut kind = u32::from(self.bond_keys[at]) << 2;
        if self.marked_bonds {
            kind |= u32::from(self.bond_code(neighbour.bond()));
        }
        kind << 16 | self.class[neighbour.atom()] & 0xffff
    }

    /// Replaces the neighbourhoods of atoms too wide to pack by their ranks.
    #[cold]
    pub(super) fn rank_wide(&self, atoms: &[u32], into: &mut Vec<(u128, u32)>) {
        let wide = |atom: u32| {
            let mut seen: Vec<u64> = (self.molecule.offsets[atom as usize]
                ..self.molecule.offsets[atom as usize + 1])
                .map(|at| {
                    let neighbour = self.molecule.neighbours[at as usize];
                    let code = if self.marked_bonds { self.bond_code(neighbour.bond()) } else { 0 };
                    u64::from(self.bond_keys[at as usize]) << 34
                        | u64::from(code) << 32
                        | u64::from(self.class[neighbour.atom()])
                })
                .collect();
            seen.sort_unstable_by(|a, b| b.cmp(a));
            seen.push(if self.marked_atoms {
                u64::from(self.centre_code(atom as usize))
            } else {
                0
            });
            seen
        };
        let looks: Vec<Vec<u64>> = atoms.iter().map(|&atom| wide(atom)).collect();
        let mut ranks: Vec<usize> = (0..atoms.len()).collect();
        ranks.sort_by(|&a, &b| looks[a].cmp(&looks[b]));
        let mut keys = vec![0u128; atoms.len()];
        for pair in ranks.windows(2) {
            keys[pair[1]] = keys[pair[0]] + u128::from(looks[pair[0]] != looks[pair[1]]);
        }
        into.extend(atoms.iter().zip(keys).map(|(&atom, key)| (key, atom)));
    }

    /// What an atom is by itself.
    pub(super) fn atom_key(&self, index: usize, invariants: Invariants) -> u128 {
        let atom = &self.molecule.atoms[index];
        let degree = self.molecule.degree(index);
        let mut key = if invariants.atom_maps { u128::from(atom.map) } else { 0 };
        key = key << 16 | degree.min(0xffff) as u128;
        key = key << 8 | u128::from(atom.atomic_number());
        key = key << 16 | u128::from(if invariants.isomeric { atom.isotope } else { 0 });
        key = key << 8 | u128::from(atom.hydrogens);
        // Negative charges come after positive ones.
        key = key << 8 | u128::from(atom.charge as u8);
        key = key << 3
            | match atom.chirality {
                _ if !invariants.isomeric => 0,
                Chirality::None => 0,
                Chirality::Anticlockwise | Chirality::Clockwise => 1,
                Chirality::Allene(_) => 2,
                Chirality::SquarePlanar(_) => 3,
                Chirality::TrigonalBipyramidal(_) => 4,
                Chirality::Octahedral(_) => 5,
            };
        key = key << 1 | u128::from(atom.aromatic);
        let mut kinds = [0u8; 4];
        let start = self.molecule.offsets[index] as usize;
        if degree <= kinds.len() {
            kinds[..degree].copy_from_slice(&self.bond_keys[start..start + degree]);
        }
        kinds.sort_unstable_by(|a, b| b.cmp(a));
        kinds.iter().fold(key, |key, &kind| key << 4 | u128::from(kind))
    }
}

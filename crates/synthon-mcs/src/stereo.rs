//! Stereo in a common graph: two stated configurations must not contradict each other.
//!
//! A centre is compared when at least three of its neighbours are mapped over mapped bonds (the
//! fourth ligand follows), a double bond when it and a neighbour on either side are. A
//! configuration that is not stated matches any.

use synthon_mol::{BondStereo, Chirality, Molecule};

use crate::bits::Bits;

/// A tetrahedral centre: ligands in the order of its handedness, the implied one as `IMPLIED`.
struct Centre {
    clockwise: bool,
    ligands: Vec<u32>,
}

/// A double bond with a stated geometry.
struct Geometry {
    ends: [u32; 2],
    references: [u32; 2],
    cis: bool,
}

const IMPLIED: u32 = u32::MAX;

/// The stated configurations of one molecule.
struct Configurations {
    centres: Vec<Option<Centre>>,
    geometries: Vec<Option<Geometry>>,
}

impl Configurations {
    fn new(molecule: &Molecule) -> Self {
        let centres = (0..molecule.atom_count())
            .map(|atom| {
                let clockwise = match molecule.atom(atom).chirality() {
                    Chirality::Clockwise => true,
                    Chirality::Anticlockwise => false,
                    _ => return None,
                };
                let mut ligands: Vec<u32> =
                    molecule.neighbours(atom).iter().map(|n| n.atom() as u32).collect();
                if ligands.len() == 3 {
                    ligands.push(IMPLIED);
                }
                (ligands.len() == 4).then_some(Centre { clockwise, ligands })
            })
            .collect();
        let geometries = (0..molecule.bond_count())
            .map(|index| {
                let bond = molecule.bond(index);
                let (a, b) = molecule.stereo_references(index)?;
                (bond.stereo() != BondStereo::None).then_some(Geometry {
                    ends: [bond.begin() as u32, bond.end() as u32],
                    references: [a as u32, b as u32],
                    cis: bond.stereo() == BondStereo::Cis,
                })
            })
            .collect();
        Configurations { centres, geometries }
    }
}

/// The stated configurations of both molecules, and what a map must know to compare them.
pub(crate) struct StereoRules {
    query: Configurations,
    target: Configurations,
    /// Neighbours of each query atom with the bond that leads there.
    neighbours: Vec<Vec<(u32, u32)>>,
    /// Bond between two target atoms, by neighbour list.
    target_neighbours: Vec<Vec<(u32, u32)>>,
}

fn neighbour_lists(molecule: &Molecule) -> Vec<Vec<(u32, u32)>> {
    (0..molecule.atom_count())
        .map(|atom| {
            molecule.neighbours(atom).iter().map(|n| (n.atom() as u32, n.bond() as u32)).collect()
        })
        .collect()
}

impl StereoRules {
    pub(crate) fn new(query: &Molecule, target: &Molecule) -> Self {
        StereoRules {
            query: Configurations::new(query),
            target: Configurations::new(target),
            neighbours: neighbour_lists(query),
            target_neighbours: neighbour_lists(target),
        }
    }

    /// Whether dropping a bond at this query atom could ever mend a contradiction: the atom, or
    /// a double bond at it, has a stated configuration.
    pub(crate) fn is_sensitive(&self, q: usize) -> bool {
        self.query.centres[q].is_some()
            || self.neighbours[q]
                .iter()
                .any(|&(_, bond)| self.query.geometries[bond as usize].is_some())
    }

    /// Whether the map contradicts a configuration at `q`, at one of its neighbours, or at a
    /// double bond beside them: what mapping `q` last can have brought about.
    pub(crate) fn contradicts<const W: usize>(
        &self,
        q: usize,
        mapped: &Bits<W>,
        joined: &Bits<W>,
        image: &[u32],
    ) -> bool {
        let near = self.neighbours[q].iter().map(|&(other, _)| other as usize);
        std::iter::once(q)
            .chain(near)
            .filter(|&atom| mapped.contains(atom))
            .any(|atom| self.atom_contradicts(atom, joined, image))
    }

    fn atom_contradicts<const W: usize>(
        &self,
        atom: usize,
        joined: &Bits<W>,
        image: &[u32],
    ) -> bool {
        self.centre_contradicts(atom, joined, image)
            || self.neighbours[atom].iter().any(|&(_, bond)| {
                joined.contains(bond as usize)
                    && self.bond_contradicts(bond as usize, joined, image)
            })
    }

    fn centre_contradicts<const W: usize>(
        &self,
        atom: usize,
        joined: &Bits<W>,
        image: &[u32],
    ) -> bool {
        let t = image[atom] as usize;
        let (Some(query), Some(target)) = (&self.query.centres[atom], &self.target.centres[t])
        else {
            return false;
        };
        // Where each query ligand goes in the target's order; the odd one out takes what is left.
        let mut places = [usize::MAX; 4];
        let mut taken = [false; 4];
        let mut placed = 0;
        for &(other, bond) in &self.neighbours[atom] {
            if !joined.contains(bond as usize) {
                continue;
            }
            let from = query.ligands.iter().position(|&l| l == other);
            let to = target.ligands.iter().position(|&l| l == image[other as usize]);
            if let (Some(from), Some(to)) = (from, to) {
                places[from] = to;
                taken[to] = true;
                placed += 1;
            }
        }
        if placed < 3 {
            return false;
        }
        if let (Some(from), Some(to)) =
            (places.iter().position(|&p| p == usize::MAX), taken.iter().position(|&taken| !taken))
        {
            places[from] = to;
        }
        let mut odd = false;
        for i in 0..4 {
            for j in i + 1..4 {
                odd ^= places[i] > places[j];
            }
        }
        odd ^ query.clockwise ^ target.clockwise
    }

    fn bond_contradicts<const W: usize>(
        &self,
        bond: usize,
        joined: &Bits<W>,
        image: &[u32],
    ) -> bool {
        let Some(query) = &self.query.geometries[bond] else { return false };
        let ends = query.ends.map(|end| image[end as usize]);
        let target_bond = self.target_neighbours[ends[0] as usize]
            .iter()
            .find(|&&(other, _)| other == ends[1])
            .map(|&(_, bond)| bond as usize);
        let Some(target) = target_bond.and_then(|b| self.target.geometries[b].as_ref()) else {
            return false;
        };
        let mut same_side = query.cis == target.cis;
        for (side, &end) in query.ends.iter().enumerate() {
            let other_end = query.ends[1 - side];
            let neighbour = self.neighbours[end as usize]
                .iter()
                .find(|&&(n, b)| n != other_end && joined.contains(b as usize))
                .map(|&(n, _)| n);
            let Some(neighbour) = neighbour else { return false };
            let target_side = usize::from(target.ends[0] != ends[side]);
            same_side ^= neighbour != query.references[side];
            same_side ^= image[neighbour as usize] != target.references[target_side];
        }
        !same_side
    }
}

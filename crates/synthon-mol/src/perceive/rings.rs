//! The ring set, put together from the rings of each block.

use super::Draft;
use super::blocks::{self, BlockSpan};
use super::ring_search::{self, Block};
use crate::{MolError, Rings};
use smallvec::SmallVec;

/// Rings as they are found.
#[derive(Default)]
pub(super) struct RingList {
    /// End of each ring in the other lists.
    pub ends: Vec<u32>,
    pub atoms: Vec<u32>,
    pub bonds: Vec<u32>,
}

impl RingList {
    fn with_capacity(rings: usize, atoms: usize) -> Self {
        RingList {
            ends: Vec::with_capacity(rings),
            atoms: Vec::with_capacity(atoms),
            bonds: Vec::with_capacity(atoms),
        }
    }

    pub fn close(&mut self) {
        self.ends.push(self.atoms.len() as u32);
    }
}

/// Systems of rings that are fused or bridged: the blocks with at least one ring.
#[derive(Default)]
pub(super) struct Systems {
    ends: SmallVec<[u32; 8]>,
    atoms: SmallVec<[u32; 64]>,
}

impl Systems {
    /// Atoms of each system, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.atoms[start as usize..end as usize])
    }

    /// Adds a system of these atoms, in any order.
    fn add(&mut self, atoms: &[u32]) {
        let start = self.atoms.len();
        self.atoms.extend_from_slice(atoms);
        self.atoms[start..].sort_unstable();
        self.ends.push(self.atoms.len() as u32);
    }

    /// Adds a system of the atoms of these bonds, and gives them back.
    fn add_ends(&mut self, draft: &Draft, bonds: &[u32]) -> &[u32] {
        let start = self.atoms.len();
        for &bond in bonds {
            let bond = &draft.bonds[bond as usize];
            self.atoms.extend_from_slice(&[bond.begin, bond.end]);
        }
        self.atoms[start..].sort_unstable();
        let mut kept = start;
        for i in start..self.atoms.len() {
            if kept == start || self.atoms[i] != self.atoms[kept - 1] {
                self.atoms[kept] = self.atoms[i];
                kept += 1;
            }
        }
        self.atoms.truncate(kept);
        self.ends.push(kept as u32);
        &self.atoms[start..]
    }
}

/// Finds the symmetrised set of smallest rings, and stores the smallest ring of each atom and
/// bond. Dative bonds close no ring.
pub(super) fn find(draft: &mut Draft) -> Result<(Rings, Systems), MolError> {
    if draft.bonds.len() < 3 {
        return Ok(Default::default());
    }
    let found = blocks::find(draft);
    if found.spans.is_empty() {
        return Ok(Default::default());
    }
    // Exact when all blocks are single rings.
    let size = found.spans.iter().map(|s| (s.end - s.start) as usize).sum();
    let mut rings = RingList::with_capacity(found.spans.len() + 1, size);
    let mut extras = RingList::default();
    let mut systems = Systems::default();
    let mut block_of: SmallVec<[u32; 64]> = SmallVec::new();
    let mut scratch = ring_search::Scratch::default();
    rings.ends.push(0);
    let mut sssr_count = 0;
    for (nth, &span) in found.spans.iter().enumerate() {
        let bonds = &found.bonds[span.start as usize..span.end as usize];
        if span.first_atom != blocks::NONE {
            single(draft, span, bonds, &mut rings);
            if draft.any_aromatic {
                let start = rings.atoms.len() - bonds.len();
                systems.add(&rings.atoms[start..]);
            }
            sssr_count += 1;
            continue;
        }
        block_of.resize(draft.bonds.len(), 0);
        for &bond in bonds {
            block_of[bond as usize] = nth as u32 + 1;
        }
        let vertices = systems.add_ends(draft, bonds);
        let independent = bonds.len() + 1 - vertices.len();
        let block = Block { draft, vertices, bonds, block_of: &block_of, block: nth as u32 + 1 };
        if independent == 2 {
            ring_search::double(&block, &mut rings, &mut extras);
        } else {
            ring_search::several(&block, &mut scratch, &mut rings, &mut extras)?;
        }
        sssr_count += independent as u32;
    }
    let base = rings.atoms.len() as u32;
    rings.ends.extend(extras.ends.iter().map(|end| base + end));
    rings.atoms.append(&mut extras.atoms);
    rings.bonds.append(&mut extras.bonds);
    let rings = Rings {
        offsets: rings.ends.into_boxed_slice(),
        atoms: rings.atoms.into_boxed_slice(),
        bonds: rings.bonds.into_boxed_slice(),
        sssr_count,
    };
    note_smallest(draft, &rings);
    Ok((rings, systems))
}

/// Stores the ring of a block that is one ring.
fn single(draft: &Draft, span: BlockSpan, bonds: &[u32], rings: &mut RingList) {
    let start = rings.atoms.len();
    let mut at = span.first_atom;
    for &bond in bonds {
        rings.atoms.push(at);
        let ends = &draft.bonds[bond as usize];
        at ^= ends.begin ^ ends.end;
    }
    rings.bonds.extend_from_slice(bonds);
    ring_search::normalise(&mut rings.atoms[start..], &mut rings.bonds[start..]);
    rings.close();
}

fn note_smallest(draft: &mut Draft, rings: &Rings) {
    for i in 0..rings.len() {
        let size = rings.atoms(i).len().min(usize::from(u16::MAX)) as u16;
        let smaller = |old: &mut u16| {
            if *old == 0 || *old > size {
                *old = size;
            }
        };
        for &atom in rings.atoms(i) {
            smaller(&mut draft.atoms[atom as usize].smallest_ring);
        }
        for &bond in rings.bonds(i) {
            smaller(&mut draft.bonds[bond as usize].smallest_ring);
        }
    }
}

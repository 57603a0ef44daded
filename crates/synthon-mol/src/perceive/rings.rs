//! The ring set, put together from the rings of each block.

use super::Draft;
use super::blocks::{self, BlockSpan, Blocks, Kind};
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

    /// Adds a system of these atoms, in any order, or adds them to the last one.
    fn add(&mut self, atoms: &[u32], to_last: bool) {
        if to_last {
            self.ends.pop();
        }
        let start = self.ends.last().map_or(0, |&end| end as usize);
        self.atoms.extend_from_slice(atoms);
        self.close(start);
    }

    /// Adds a system of the atoms of these bonds, and gives them back.
    fn add_ends(&mut self, draft: &Draft, bonds: &[u32]) -> &[u32] {
        let start = self.atoms.len();
        for &bond in bonds {
            let bond = &draft.bonds[bond as usize];
            self.atoms.extend_from_slice(&[bond.begin, bond.end]);
        }
        self.close(start);
        &self.atoms[start..]
    }

    /// Sorts the atoms of the last system, and keeps each once.
    fn close(&mut self, start: usize) {
        let atoms = &mut self.atoms[start..];
        atoms.sort_unstable();
        let mut kept = 0;
        for i in 0..atoms.len() {
            if kept == 0 || atoms[i] != atoms[kept - 1] {
                atoms[kept] = atoms[i];
                kept += 1;
            }
        }
        self.atoms.truncate(start + kept);
        self.ends.push(self.atoms.len() as u32);
    }
}

/// Finds the symmetrised set of smallest rings, and stores the smallest ring of each atom and
/// bond. Dative bonds close no ring.
pub(super) fn find(draft: &mut Draft, systems: &mut Systems) -> Result<Rings, MolError> {
    if draft.bonds.len() < 3 {
        return Ok(Default::default());
    }
    let mut found = Blocks::default();
    blocks::find(draft, &mut found);
    if found.spans.is_empty() {
        return Ok(Default::default());
    }
    // Exact when all blocks are single rings.
    let size = found.spans.iter().map(|s| (s.end - s.start) as usize).sum();
    let mut rings = RingList::with_capacity(found.spans.len() + 1, size);
    let mut extras = RingList::default();
    let mut block_of: SmallVec<[u32; 64]> = SmallVec::new();
    let mut scratch = ring_search::Scratch::default();
    rings.ends.push(0);
    let mut sssr_count = 0;
    for (nth, &span) in found.spans.iter().enumerate() {
        let bonds = &found.bonds[span.start as usize..span.end as usize];
        match span.kind {
            Kind::Ring | Kind::SecondRing => {
                single(draft, span, bonds, &mut rings);
                if draft.any_aromatic {
                    let start = rings.atoms.len() - bonds.len();
                    systems.add(&rings.atoms[start..], span.kind == Kind::SecondRing);
                }
                sssr_count += 1;
            }
            Kind::Extra => single(draft, span, bonds, &mut extras),
            Kind::Block => {
                block_of.resize(draft.bonds.len(), 0);
                let block = nth as u32 + 1;
                for &bond in bonds {
                    block_of[bond as usize] = block;
                }
                let vertices = systems.add_ends(draft, bonds);
                sssr_count += (bonds.len() + 1 - vertices.len()) as u32;
                let block = Block { draft, vertices, bonds, block_of: &block_of, block };
                ring_search::several(&block, &mut scratch, &mut rings, &mut extras)?;
            }
        }
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
    Ok(rings)
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

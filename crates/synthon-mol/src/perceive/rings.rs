//! The ring set: biconnected blocks first, then the smallest rings of each block.

use super::Draft;
use super::ring_search::{self, Block};
use crate::{BondOrder, MolError, Rings};

const NONE: u32 = u32::MAX;

/// Rings as they are found; the symmetric extras follow the others at the end.
#[derive(Default)]
pub(super) struct RingList {
    pub offsets: Vec<u32>,
    pub atoms: Vec<u32>,
    pub bonds: Vec<u32>,
}

impl RingList {
    pub fn close(&mut self) {
        self.offsets.push(self.atoms.len() as u32);
    }
}

struct Frame {
    atom: u32,
    /// Bond by which the atom was reached.
    by: u32,
    /// Next place in its neighbour list.
    next: u32,
}

struct Search<'d> {
    draft: &'d Draft,
    /// Order of discovery, from 1; 0: not yet.
    found: Vec<u32>,
    low: Vec<u32>,
    frames: Vec<Frame>,
    /// Bonds of the blocks that are still open.
    open: Vec<u32>,
    /// Block of each bond while it is processed.
    block_of: Vec<u32>,
    block: u32,
    rings: RingList,
    extras: RingList,
    scratch: ring_search::Scratch,
    vertices: Vec<u32>,
}

/// Finds the symmetrised set of smallest rings, and stores the smallest ring of each atom and
/// bond. Dative bonds close no ring.
pub(super) fn find(draft: &mut Draft) -> Result<Rings, MolError> {
    if draft.bonds.len() < 3 {
        return Ok(Rings::default());
    }
    let mut search = Search {
        found: vec![0; draft.atoms.len()],
        low: vec![0; draft.atoms.len()],
        frames: Vec::new(),
        open: Vec::new(),
        block_of: Vec::new(),
        block: 0,
        rings: RingList::default(),
        extras: RingList::default(),
        scratch: ring_search::Scratch::default(),
        vertices: Vec::new(),
        draft,
    };
    let ring_count = search.blocks()?;
    if search.block == 0 {
        return Ok(Rings::default());
    }
    let Search { mut rings, extras, .. } = search;
    let base = rings.atoms.len() as u32;
    rings.atoms.extend_from_slice(&extras.atoms);
    rings.bonds.extend_from_slice(&extras.bonds);
    let mut offsets = Vec::with_capacity(1 + rings.offsets.len() + extras.offsets.len());
    offsets.push(0);
    offsets.extend_from_slice(&rings.offsets);
    offsets.extend(extras.offsets.iter().map(|o| base + o));
    let rings = Rings {
        offsets: offsets.into_boxed_slice(),
        atoms: rings.atoms.into_boxed_slice(),
        bonds: rings.bonds.into_boxed_slice(),
        sssr_count: ring_count,
    };
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
    Ok(rings)
}

impl Search<'_> {
    /// Depth-first search for biconnected blocks (Hopcroft and Tarjan 1973), with its own stack.
    /// Returns the number of independent rings.
    fn blocks(&mut self) -> Result<u32, MolError> {
        let mut clock = 0;
        let mut independent = 0;
        for root in 0..self.draft.atoms.len() as u32 {
            if self.found[root as usize] != 0 {
                continue;
            }
            clock += 1;
            self.found[root as usize] = clock;
            self.low[root as usize] = clock;
            self.frames.push(Frame {
                atom: root,
                by: NONE,
                next: self.draft.offsets[root as usize],
            });
            while let Some(frame) = self.frames.last_mut() {
                let (atom, by) = (frame.atom, frame.by);
                if frame.next < self.draft.offsets[atom as usize + 1] {
                    let n = self.draft.neighbours[frame.next as usize];
                    frame.next += 1;
                    if n.bond == by || self.draft.bonds[n.bond()].order == BondOrder::Dative {
                        continue;
                    }
                    let seen = self.found[n.atom()];
                    if seen == 0 {
                        clock += 1;
                        self.found[n.atom()] = clock;
                        self.low[n.atom()] = clock;
                        self.open.push(n.bond);
                        self.frames.push(Frame {
                            atom: n.atom,
                            by: n.bond,
                            next: self.draft.offsets[n.atom()],
                        });
                    } else if seen < self.found[atom as usize] {
                        self.open.push(n.bond);
                        self.low[atom as usize] = self.low[atom as usize].min(seen);
                    }
                    continue;
                }
                self.frames.pop();
                let Some(parent) = self.frames.last() else { continue };
                let parent = parent.atom as usize;
                self.low[parent] = self.low[parent].min(self.low[atom as usize]);
                if self.low[atom as usize] >= self.found[parent] {
                    let from = self
                        .open
                        .iter()
                        .rposition(|&b| b == by)
                        .expect("the bond to a child stays open until its block ends");
                    if self.open.len() - from > 2 {
                        independent += self.rings_of_block(from)?;
                    }
                    self.open.truncate(from);
                }
            }
        }
        Ok(independent)
    }

    /// The rings of the block whose bonds are `open[from..]`.
    fn rings_of_block(&mut self, from: usize) -> Result<u32, MolError> {
        let draft = self.draft;
        if self.block == 0 {
            self.block_of = vec![0; draft.bonds.len()];
        }
        self.block += 1;
        self.open[from..].sort_unstable();
        let bonds = &self.open[from..];
        self.vertices.clear();
        for &bond in bonds {
            self.block_of[bond as usize] = self.block;
            let bond = &draft.bonds[bond as usize];
            self.vertices.push(bond.begin);
            self.vertices.push(bond.end);
        }
        self.vertices.sort_unstable();
        self.vertices.dedup();
        let independent = (bonds.len() + 1 - self.vertices.len()) as u32;
        let block = Block {
            draft,
            vertices: &self.vertices,
            bonds,
            block_of: &self.block_of,
            block: self.block,
        };
        if independent == 1 {
            ring_search::single(&block, &mut self.rings);
        } else {
            ring_search::several(&block, &mut self.scratch, &mut self.rings, &mut self.extras)?;
        }
        Ok(independent)
    }
}

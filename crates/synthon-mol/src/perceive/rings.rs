//! The ring set: biconnected blocks first, then the rings of each block.

use super::Draft;
use super::ring_search::{self, Block};
use crate::{BondOrder, MolError, Rings};

const NONE: u32 = u32::MAX;

/// Rings as they are found.
#[derive(Default)]
pub(super) struct RingList {
    /// End of each ring in the other lists.
    pub ends: Vec<u32>,
    pub atoms: Vec<u32>,
    pub bonds: Vec<u32>,
}

impl RingList {
    pub fn close(&mut self) {
        self.ends.push(self.atoms.len() as u32);
    }
}

/// Systems of rings that are fused or bridged: the blocks with at least one ring.
#[derive(Default)]
pub(super) struct Systems {
    ends: Vec<u32>,
    atoms: Vec<u32>,
}

impl Systems {
    /// Atoms of each system, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.atoms[start as usize..end as usize])
    }
}

/// State of an atom in the depth-first search.
#[derive(Clone, Copy)]
struct Node {
    /// Order of discovery, from 1; 0: not yet.
    found: u32,
    /// Earliest atom that is reached from here or below by one bond upwards.
    low: u32,
    /// Bond by which the atom was reached.
    by: u32,
    /// Next place in its neighbour list.
    next: u32,
    /// The last block that the atom was seen in.
    block: u32,
}

struct Search<'d> {
    draft: &'d Draft,
    nodes: Vec<Node>,
    /// Bonds of the blocks that are still open.
    open: Vec<u32>,
    /// Block of each bond.
    block_of: Vec<u32>,
    block: u32,
    rings: RingList,
    /// Those beyond a smallest set.
    extras: RingList,
    systems: Systems,
    scratch: ring_search::Scratch,
}

/// Finds the symmetrised set of smallest rings, and stores the smallest ring of each atom and
/// bond. Dative bonds close no ring.
pub(super) fn find(draft: &mut Draft) -> Result<(Rings, Systems), MolError> {
    if draft.bonds.len() < 3 {
        return Ok(Default::default());
    }
    let expected = (draft.bonds.len() + 1).saturating_sub(draft.atoms.len());
    let node = Node { found: 0, low: 0, by: NONE, next: 0, block: 0 };
    let list = |rings: usize| RingList {
        ends: Vec::with_capacity(rings),
        atoms: Vec::with_capacity(6 * rings),
        bonds: Vec::with_capacity(6 * rings),
    };
    let mut search = Search {
        nodes: vec![node; draft.atoms.len()],
        open: Vec::with_capacity(draft.bonds.len()),
        block_of: Vec::new(),
        block: 0,
        rings: list(expected),
        extras: RingList::default(),
        systems: Systems {
            ends: Vec::with_capacity(expected),
            atoms: Vec::with_capacity(6 * expected),
        },
        scratch: ring_search::Scratch::default(),
        draft,
    };
    let sssr_count = search.blocks()?;
    let Search { rings, extras, systems, .. } = search;
    if rings.ends.is_empty() {
        return Ok(Default::default());
    }
    let base = rings.atoms.len() as u32;
    let join = |a: &[u32], b: &[u32]| -> Box<[u32]> { [a, b].concat().into_boxed_slice() };
    let mut offsets = Vec::with_capacity(1 + rings.ends.len() + extras.ends.len());
    offsets.push(0);
    offsets.extend_from_slice(&rings.ends);
    offsets.extend(extras.ends.iter().map(|o| base + o));
    let rings = Rings {
        offsets: offsets.into_boxed_slice(),
        atoms: join(&rings.atoms, &extras.atoms),
        bonds: join(&rings.bonds, &extras.bonds),
        sssr_count,
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
    Ok((rings, systems))
}

impl Search<'_> {
    /// Depth-first search for biconnected blocks (Hopcroft and Tarjan 1973), without recursion.
    /// Returns the number of independent rings.
    fn blocks(&mut self) -> Result<u32, MolError> {
        let draft = self.draft;
        let mut clock = 0;
        let mut independent = 0;
        for root in 0..draft.atoms.len() {
            if self.nodes[root].found != 0 {
                continue;
            }
            clock += 1;
            let mut at = root;
            let node = &mut self.nodes[root];
            (node.found, node.low, node.next) = (clock, clock, draft.offsets[root]);
            loop {
                let node = &mut self.nodes[at];
                if node.next < draft.offsets[at + 1] {
                    let n = draft.neighbours[node.next as usize];
                    node.next += 1;
                    let (by, found) = (node.by, node.found);
                    if n.bond == by {
                        continue;
                    }
                    let seen = self.nodes[n.atom()].found;
                    if seen > found || draft.bonds[n.bond()].order == BondOrder::Dative {
                        continue;
                    }
                    self.open.push(n.bond);
                    if seen == 0 {
                        clock += 1;
                        at = n.atom();
                        let node = &mut self.nodes[at];
                        (node.found, node.low) = (clock, clock);
                        (node.by, node.next) = (n.bond, draft.offsets[at]);
                    } else {
                        let node = &mut self.nodes[at];
                        node.low = node.low.min(seen);
                    }
                    continue;
                }
                let (by, low) = (node.by, node.low);
                if by == NONE {
                    break;
                }
                let parent = draft.bonds[by as usize].other(at);
                let above = &mut self.nodes[parent];
                above.low = above.low.min(low);
                if low >= above.found {
                    // The bond to the child was the first of its block.
                    if self.open.last() == Some(&by) {
                        self.open.pop();
                    } else {
                        let from = self
                            .open
                            .iter()
                            .rposition(|&b| b == by)
                            .expect("the bond to a child stays open until its block ends");
                        independent += if self.single_ring(parent as u32, from) {
                            1
                        } else {
                            self.rings_of_block(from)?
                        };
                        self.open.truncate(from);
                    }
                }
                at = parent;
            }
        }
        Ok(independent)
    }

    /// Stores the ring of a block that is one ring: then the search has gone around it, and its
    /// bonds stand in order, beginning at `start`.
    fn single_ring(&mut self, start: u32, from: usize) -> bool {
        let first = self.rings.atoms.len();
        let mut at = start;
        for &bond in &self.open[from..] {
            let ends = &self.draft.bonds[bond as usize];
            if at != ends.begin && at != ends.end {
                self.rings.atoms.truncate(first);
                return false;
            }
            self.rings.atoms.push(at);
            at ^= ends.begin ^ ends.end;
        }
        if at != start {
            self.rings.atoms.truncate(first);
            return false;
        }
        self.rings.bonds.extend_from_slice(&self.open[from..]);
        let atoms = &mut self.rings.atoms[first..];
        ring_search::normalise(atoms, &mut self.rings.bonds[first..]);
        let system = self.systems.atoms.len();
        self.systems.atoms.extend_from_slice(atoms);
        self.systems.atoms[system..].sort_unstable();
        self.systems.ends.push(self.systems.atoms.len() as u32);
        self.rings.close();
        true
    }

    /// The rings of the block whose bonds are `open[from..]`.
    fn rings_of_block(&mut self, from: usize) -> Result<u32, MolError> {
        let draft = self.draft;
        if self.block == 0 {
            self.block_of.resize(draft.bonds.len(), 0);
        }
        self.block += 1;
        let first = self.systems.atoms.len();
        for i in from..self.open.len() {
            let bond = self.open[i];
            self.block_of[bond as usize] = self.block;
            let bond = &draft.bonds[bond as usize];
            for atom in [bond.begin, bond.end] {
                let node = &mut self.nodes[atom as usize];
                if node.block != self.block {
                    node.block = self.block;
                    self.systems.atoms.push(atom);
                }
            }
        }
        self.systems.ends.push(self.systems.atoms.len() as u32);
        let vertices = &mut self.systems.atoms[first..];
        vertices.sort_unstable();
        let independent = self.open.len() - from + 1 - vertices.len();
        if independent > 2 {
            self.open[from..].sort_unstable();
        }
        let block = Block {
            draft,
            vertices,
            bonds: &self.open[from..],
            block_of: &self.block_of,
            block: self.block,
        };
        match independent {
            2 => ring_search::double(&block, &mut self.rings, &mut self.extras),
            _ => {
                ring_search::several(&block, &mut self.scratch, &mut self.rings, &mut self.extras)?;
            }
        }
        Ok(independent as u32)
    }
}

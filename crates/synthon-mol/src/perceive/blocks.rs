//! Biconnected blocks: sets of bonds of which any two lie on a common ring.

use super::draft::{Draft, TreeNode};
use crate::BondOrder;
use smallvec::SmallVec;

pub(super) const NONE: u32 = u32::MAX;

/// One block.
#[derive(Clone, Copy)]
pub(super) struct BlockSpan {
    /// Its bonds are `start..end` of the list.
    pub start: u32,
    pub end: u32,
    /// For a block that is one ring: its bonds stand in order, from this atom around. Otherwise
    /// `NONE`, and the bonds ascend.
    pub first_atom: u32,
}

/// The blocks with rings. Dative bonds belong to none.
#[derive(Default)]
pub(super) struct Blocks {
    pub bonds: SmallVec<[u32; 64]>,
    pub spans: SmallVec<[BlockSpan; 8]>,
}

pub(super) fn find(draft: &mut Draft) -> Blocks {
    along_tree(draft).unwrap_or_else(|| depth_first(draft))
}

fn root_of(leader: &mut [u32], mut cycle: u32) -> u32 {
    while leader[cycle as usize] != cycle {
        leader[cycle as usize] = leader[leader[cycle as usize] as usize];
        cycle = leader[cycle as usize];
    }
    cycle
}

/// The quick way for molecules that are numbered along their bonds, as those read from text are:
/// the first bond of each atom to a lower one makes a tree, and each further bond closes a cycle.
/// Cycles that share a bond are of one block. `None` if that does not apply or cycles are long
/// and many.
fn along_tree(draft: &mut Draft) -> Option<Blocks> {
    let mut blocks = Blocks::default();
    let closing = draft.closing.as_slice();
    if closing.is_empty() {
        return Some(blocks);
    }
    let tree = draft.tree.as_mut_slice();
    let mut leader: SmallVec<[u32; 8]> = (0..closing.len() as u32).collect();
    let mut all_single = true;
    let mut steps = 4 * draft.bonds.len() + 1_000;
    let mut other_side: SmallVec<[u32; 32]> = SmallVec::new();
    for (cycle, &bond) in closing.iter().enumerate() {
        let start = blocks.bonds.len() as u32;
        let ends = &draft.bonds[bond as usize];
        let (mut a, mut b) = (ends.begin, ends.end);
        while a != b {
            // Parents are lower: the higher of the two is not above the other.
            let node = &mut tree[a.max(b) as usize];
            if node.parent == NONE || steps == 0 {
                return None;
            }
            steps -= 1;
            if node.cycle == NONE {
                node.cycle = cycle as u32;
            } else {
                let (x, y) = (root_of(&mut leader, node.cycle), root_of(&mut leader, cycle as u32));
                leader[x.max(y) as usize] = x.min(y);
                all_single = false;
            }
            if a > b {
                blocks.bonds.push(node.bond);
                a = node.parent;
            } else {
                other_side.push(node.bond);
                b = node.parent;
            }
        }
        while let Some(bond) = other_side.pop() {
            blocks.bonds.push(bond);
        }
        blocks.bonds.push(bond);
        let end = blocks.bonds.len() as u32;
        blocks.spans.push(BlockSpan { start, end, first_atom: ends.begin });
    }
    if !all_single {
        merge(tree, closing, &mut leader, &mut blocks);
    }
    Some(blocks)
}

/// Replaces cycles that share bonds by the blocks that they make up.
fn merge(tree: &[TreeNode], closing: &[u32], leader: &mut [u32], blocks: &mut Blocks) {
    let mut members: SmallVec<[u32; 8]> = SmallVec::from_elem(0, closing.len());
    for cycle in 0..closing.len() as u32 {
        members[root_of(leader, cycle) as usize] += 1;
    }
    // Leader and bond, for all bonds of blocks of several cycles.
    let mut parts: SmallVec<[(u32, u32); 64]> = SmallVec::new();
    let mut part = |cycle: u32, bond: u32| {
        let root = root_of(leader, cycle);
        if members[root as usize] > 1 {
            parts.push((root, bond));
        }
    };
    for node in tree.iter().filter(|n| n.cycle != NONE) {
        part(node.cycle, node.bond);
    }
    for (cycle, &bond) in closing.iter().enumerate() {
        part(cycle as u32, bond);
    }
    parts.sort_unstable();
    let spans = std::mem::take(&mut blocks.spans);
    let is_single = |cycle: usize| leader[cycle] == cycle as u32 && members[cycle] == 1;
    blocks.spans.extend(spans.iter().enumerate().filter(|(c, _)| is_single(*c)).map(|(_, s)| *s));
    for block in parts.chunk_by(|a, b| a.0 == b.0) {
        let start = blocks.bonds.len() as u32;
        blocks.bonds.extend(block.iter().map(|p| p.1));
        let end = blocks.bonds.len() as u32;
        blocks.spans.push(BlockSpan { start, end, first_atom: NONE });
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
}

/// Depth-first search for blocks (Hopcroft and Tarjan 1973), without recursion.
fn depth_first(draft: &Draft) -> Blocks {
    let mut nodes = vec![Node { found: 0, low: 0, by: NONE, next: 0 }; draft.atoms.len()];
    let mut open: Vec<u32> = Vec::with_capacity(draft.bonds.len());
    let mut blocks = Blocks::default();
    let mut clock = 0;
    for root in 0..draft.atoms.len() {
        if nodes[root].found != 0 {
            continue;
        }
        clock += 1;
        let mut at = root;
        let node = &mut nodes[root];
        (node.found, node.low, node.next) = (clock, clock, draft.offsets[root]);
        loop {
            let node = &mut nodes[at];
            if node.next < draft.offsets[at + 1] {
                let n = draft.neighbours[node.next as usize];
                node.next += 1;
                let (by, found) = (node.by, node.found);
                let seen = nodes[n.atom()].found;
                let dative = draft.bonds[n.bond()].order == BondOrder::Dative;
                if n.bond == by || seen > found || dative {
                    continue;
                }
                open.push(n.bond);
                if seen == 0 {
                    clock += 1;
                    at = n.atom();
                    let node = &mut nodes[at];
                    (node.found, node.low) = (clock, clock);
                    (node.by, node.next) = (n.bond, draft.offsets[at]);
                } else {
                    let node = &mut nodes[at];
                    node.low = node.low.min(seen);
                }
                continue;
            }
            let (by, low) = (node.by, node.low);
            if by == NONE {
                break;
            }
            let parent = draft.bonds[by as usize].other(at);
            let above = &mut nodes[parent];
            above.low = above.low.min(low);
            if low >= above.found {
                // The bond to the child was the first of its block.
                let from = open
                    .iter()
                    .rposition(|&b| b == by)
                    .expect("the bond to a child stays open until its block ends");
                if open.len() - from > 1 {
                    close(draft, parent as u32, &mut open[from..], &mut blocks);
                }
                open.truncate(from);
            }
            at = parent;
        }
    }
    blocks
}

/// Stores a block. If it is one ring, the search has gone around it from `first_atom`, and its
/// bonds stand in order.
fn close(draft: &Draft, first_atom: u32, bonds: &mut [u32], blocks: &mut Blocks) {
    let mut at = first_atom;
    let goes_around = bonds.iter().all(|&bond| {
        let bond = &draft.bonds[bond as usize];
        let follows = at == bond.begin || at == bond.end;
        at ^= bond.begin ^ bond.end;
        follows
    });
    let is_single = goes_around && at == first_atom;
    if !is_single {
        bonds.sort_unstable();
    }
    let start = blocks.bonds.len() as u32;
    blocks.bonds.extend_from_slice(bonds);
    let end = blocks.bonds.len() as u32;
    let first_atom = if is_single { first_atom } else { NONE };
    blocks.spans.push(BlockSpan { start, end, first_atom });
}

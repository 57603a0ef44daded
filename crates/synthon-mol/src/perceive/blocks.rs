//! Biconnected blocks: sets of bonds of which any two lie on a common ring.

use super::draft::Draft;
use crate::BondOrder;
use smallvec::SmallVec;

pub(super) const NONE: u32 = u32::MAX;

/// What the bonds of a span are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A block of several rings; its bonds ascend.
    Block,
    /// A ring that is a block, or the first of a block of two. The bonds of a ring stand in order.
    Ring,
    /// The second ring of the block of which the span before is the first.
    SecondRing,
    /// The third cycle of a block of two rings, as good as the second.
    Extra,
}

/// A block or a ring.
#[derive(Clone, Copy)]
pub(super) struct BlockSpan {
    /// Its bonds are `start..end` of the list.
    pub start: u32,
    pub end: u32,
    /// The atom from which the bonds of a ring go around.
    pub first_atom: u32,
    pub kind: Kind,
}

/// The blocks with rings. Dative bonds belong to none.
#[derive(Default)]
pub(super) struct Blocks {
    pub bonds: SmallVec<[u32; 64]>,
    pub spans: SmallVec<[BlockSpan; 8]>,
}

/// Fills in the blocks.
pub(super) fn find(draft: &mut Draft, blocks: &mut Blocks) {
    if !along_tree(draft, blocks) {
        blocks.bonds.clear();
        blocks.spans.clear();
        depth_first(draft, blocks);
    }
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
/// Cycles that share a bond are of one block. False if that does not apply or cycles are long
/// and many.
fn along_tree(draft: &mut Draft, blocks: &mut Blocks) -> bool {
    let closing = draft.closing.as_slice();
    if closing.is_empty() {
        return true;
    }
    let tree = draft.tree.as_mut_slice();
    let mut leader: SmallVec<[u32; 8]> = (0..closing.len() as u32).collect();
    // Bonds that an earlier cycle uses, too.
    let mut shared: SmallVec<[bool; 64]> = SmallVec::new();
    let mut any_shared = false;
    let mut steps = 4 * draft.bonds.len() + 1_000;
    let mut other_side: SmallVec<[(u32, bool); 32]> = SmallVec::new();
    for (cycle, &bond) in closing.iter().enumerate() {
        let start = blocks.bonds.len() as u32;
        let ends = &draft.bonds[bond as usize];
        let (mut a, mut b) = (ends.begin, ends.end);
        while a != b {
            // Parents are lower: the higher of the two is not above the other.
            let node = &mut tree[a.max(b) as usize];
            if node.parent == NONE || steps == 0 {
                return false;
            }
            steps -= 1;
            let is_shared = node.cycle != NONE;
            if is_shared {
                let (x, y) = (root_of(&mut leader, node.cycle), root_of(&mut leader, cycle as u32));
                leader[x.max(y) as usize] = x.min(y);
                any_shared = true;
            } else {
                node.cycle = cycle as u32;
            }
            if a > b {
                blocks.bonds.push(node.bond);
                shared.push(is_shared);
                a = node.parent;
            } else {
                other_side.push((node.bond, is_shared));
                b = node.parent;
            }
        }
        while let Some((bond, is_shared)) = other_side.pop() {
            blocks.bonds.push(bond);
            shared.push(is_shared);
        }
        blocks.bonds.push(bond);
        shared.push(false);
        let end = blocks.bonds.len() as u32;
        blocks.spans.push(BlockSpan { start, end, first_atom: ends.begin, kind: Kind::Ring });
    }
    if any_shared {
        merge(draft, &shared, &mut leader, blocks);
    }
    true
}

/// Replaces cycles that share bonds by the blocks that they make up.
fn merge(draft: &Draft, shared: &[bool], leader: &mut [u32], blocks: &mut Blocks) {
    let spans = std::mem::take(&mut blocks.spans);
    // Members of the group of each leader, and the last of them.
    let mut members: SmallVec<[(u32, u32); 8]> = SmallVec::from_elem((0, 0), spans.len());
    for cycle in 0..spans.len() as u32 {
        let root = root_of(leader, cycle) as usize;
        leader[cycle as usize] = root as u32;
        members[root] = (members[root].0 + 1, cycle);
    }
    let mut any_merged = false;
    for root in (0..spans.len()).filter(|&c| leader[c] == c as u32) {
        match members[root].0 {
            1 => blocks.spans.push(spans[root]),
            2 => split_pair(draft, shared, spans[root], spans[members[root].1 as usize], blocks),
            _ => any_merged = true,
        }
    }
    if !any_merged {
        return;
    }
    // Leader and bond, for all bonds of blocks of more than two cycles.
    let mut parts: SmallVec<[(u32, u32); 64]> = SmallVec::new();
    let tree_bonds = draft.tree.iter().filter(|n| n.cycle != NONE).map(|n| (n.cycle, n.bond));
    let closing_bonds = (0u32..).zip(draft.closing.iter().copied());
    for (cycle, bond) in tree_bonds.chain(closing_bonds) {
        let root = leader[cycle as usize];
        if members[root as usize].0 > 2 {
            parts.push((root, bond));
        }
    }
    parts.sort_unstable();
    for block in parts.chunk_by(|a, b| a.0 == b.0) {
        let start = blocks.bonds.len() as u32;
        blocks.bonds.extend(block.iter().map(|p| p.1));
        let end = blocks.bonds.len() as u32;
        blocks.spans.push(BlockSpan { start, end, first_atom: NONE, kind: Kind::Block });
    }
}

/// Two cycles that share a path: three paths join the ends of that path, and of the three cycles
/// that they make the two shortest are rings; the third counts as well if it is no longer than
/// the second.
fn split_pair(
    draft: &Draft,
    shared: &[bool],
    first: BlockSpan,
    second: BlockSpan,
    blocks: &mut Blocks,
) {
    type Path = SmallVec<[u32; 32]>;
    let range = |span: BlockSpan| span.start as usize..span.end as usize;
    // The atom before the bond at a place of a ring.
    let atom_at = |span: BlockSpan, place: usize, bonds: &[u32]| {
        bonds[..place].iter().fold(span.first_atom, |at, &bond| {
            let ends = &draft.bonds[bond as usize];
            at ^ ends.begin ^ ends.end
        })
    };
    let (a, b) = (&blocks.bonds[range(first)], &blocks.bonds[range(second)]);
    let in_path = &shared[range(second)];
    let from = (0..b.len())
        .find(|&i| in_path[i] && !in_path[(i + b.len() - 1) % b.len()])
        .expect("the cycles share a path and are not equal");
    let length = in_path.iter().filter(|&&s| s).count();
    let start = atom_at(second, from, b);
    let around = |ring: &[u32], from: usize, count: usize| -> Path {
        (from..from + count).map(|i| ring[i % ring.len()]).collect()
    };
    let path = around(b, from, length);
    let mut onward = around(b, from + length, b.len() - length);
    onward.reverse();
    let place = a.iter().position(|&bond| bond == path[0]).expect("the path is of both cycles");
    // Either ring may run along the path or against it.
    let other = if atom_at(first, place, a) == start {
        let mut other = around(a, place + length, a.len() - length);
        other.reverse();
        other
    } else {
        around(a, place + 1, a.len() - length)
    };
    let mut paths = [path, onward, other];
    paths.sort_by_key(SmallVec::len);
    let [p, q, r] = paths;
    let mut push = |there: &Path, back: &Path, kind: Kind| {
        let from = blocks.bonds.len() as u32;
        blocks.bonds.extend_from_slice(there);
        blocks.bonds.extend(back.iter().rev().copied());
        let end = blocks.bonds.len() as u32;
        blocks.spans.push(BlockSpan { start: from, end, first_atom: start, kind });
    };
    push(&p, &q, Kind::Ring);
    push(&p, &r, Kind::SecondRing);
    if p.len() == q.len() {
        push(&q, &r, Kind::Extra);
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
fn depth_first(draft: &Draft, blocks: &mut Blocks) {
    let mut nodes = vec![Node { found: 0, low: 0, by: NONE, next: 0 }; draft.atoms.len()];
    let mut open: Vec<u32> = Vec::with_capacity(draft.bonds.len());
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
                    close(draft, parent as u32, &mut open[from..], blocks);
                }
                open.truncate(from);
            }
            at = parent;
        }
    }
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
    let kind = if is_single { Kind::Ring } else { Kind::Block };
    blocks.spans.push(BlockSpan { start, end, first_atom, kind });
}

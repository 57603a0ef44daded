//! The rings of one biconnected block: its relevant cycles, that is the union of all its smallest
//! sets of smallest rings (Vismara, Electron. J. Combin. 1997, 4, R9).
//!
//! Every relevant cycle consists of two shortest paths from its highest-ranking atom, joined by a
//! bond or by an atom. Atoms with three or more ring bonds rank highest here, so that searches
//! start from those only. Cycles of one family differ in the choice of shortest paths; a family
//! is judged by one member: it is relevant if it is no sum of smaller cycles.

use super::Draft;
use super::rings::RingList;
use crate::{MolError, MolErrorKind, Neighbour};
use std::collections::BinaryHeap;

/// Most rings beyond a smallest set that are listed for a molecule; a family with more members
/// than are left is listed by one of them.
const MOST_EXTRA_RINGS: usize = 10_000;
/// Most steps of search and of elimination, each, that are spent on one block before it is
/// refused.
const MOST_STEPS: u64 = 20_000_000;
/// Most families of cycles that are looked at in one block before it is refused.
const MOST_FAMILIES: usize = 300_000;
/// Blocks of up to this many atoms are searched without a bound on ring size.
const SMALL_BLOCK: usize = 40;
const NONE: u32 = u32::MAX;

/// A biconnected part of a molecule.
pub(super) struct Block<'a> {
    pub draft: &'a Draft,
    /// Its atoms, ascending.
    pub vertices: &'a [u32],
    /// Its bonds.
    pub bonds: &'a [u32],
    /// The block that each bond belongs to.
    pub block_of: &'a [u32],
    pub block: u32,
}

impl Block<'_> {
    fn bonds_at(&self, atom: u32) -> impl Iterator<Item = Neighbour> + '_ {
        self.draft
            .neighbours(atom as usize)
            .iter()
            .copied()
            .filter(|n| self.block_of[n.bond()] == self.block)
    }
}

/// Turns a ring so that it starts at its lowest atom and goes towards the lower of its
/// neighbours.
pub(super) fn normalise(atoms: &mut [u32], bonds: &mut [u32]) {
    let count = atoms.len();
    let start = (0..count).min_by_key(|&i| atoms[i]).expect("rings are not empty");
    atoms.rotate_left(start);
    bonds.rotate_left(start);
    if atoms[1] > atoms[count - 1] {
        atoms[1..].reverse();
        bonds.reverse();
    }
}

/// One member of a family of cycles: shortest paths from `root` to `left` and to `right`, which
/// are bonded to each other, or both to `top`.
#[derive(Clone, Copy)]
struct Prototype {
    size: u32,
    root: u32,
    left: u32,
    right: u32,
    top: u32,
    /// Number of members of the family, saturating.
    members: u32,
    /// Atoms of the prototype: this range of the pool.
    start: u32,
}

/// What a search knows of an atom.
#[derive(Clone, Copy)]
struct Reached {
    /// Distance from the root; `NONE`: not reached.
    depth: u32,
    parent: u32,
    /// Neighbour of the root through which the path goes.
    branch: u32,
    /// Number of shortest paths, saturating.
    paths: u32,
}

/// Working space, kept from block to block.
#[derive(Default)]
pub(super) struct Scratch {
    /// Index within the block of each atom.
    local: Vec<u32>,
    offsets: Vec<u32>,
    /// Neighbours within the block: atom and bond, by their indices in the block.
    neighbours: Vec<(u32, u32)>,
    reached: Vec<Reached>,
    queue: Vec<u32>,
    prototypes: Vec<Prototype>,
    /// Atoms of the prototypes, in order around.
    pool: Vec<u32>,
    /// Rings listed beyond a smallest set, over all blocks.
    extra_count: usize,
}

/// Stores the rings of a block with several.
///
/// # Errors
/// When the block is so large and entangled that its rings cannot be told apart in bounded time.
pub(super) fn several(
    block: &Block<'_>,
    scratch: &mut Scratch,
    rings: &mut RingList,
    extras: &mut RingList,
) -> Result<(), MolError> {
    localise(block, scratch);
    let count = block.vertices.len();
    let independent = block.bonds.len() + 1 - count;
    let mut bound = if count <= SMALL_BLOCK { count } else { 12 };
    loop {
        if !collect(scratch, bound as u32) {
            return Err(entangled(independent));
        }
        scratch.prototypes.sort_by_key(|p| p.size);
        let chosen = choose(scratch, block.bonds.len(), independent)?;
        if chosen.complete || bound >= count {
            store(block, scratch, &chosen.relevant, rings, extras);
            return Ok(());
        }
        bound *= 2;
    }
}

fn localise(block: &Block<'_>, s: &mut Scratch) {
    s.local.resize(block.draft.atoms.len(), 0);
    for (i, &atom) in block.vertices.iter().enumerate() {
        s.local[atom as usize] = i as u32;
    }
    s.offsets.clear();
    s.neighbours.clear();
    s.offsets.push(0);
    for &atom in block.vertices {
        for n in block.bonds_at(atom) {
            let bond = block.bonds.binary_search(&n.bond).expect("a bond of the block");
            s.neighbours.push((s.local[n.atom()], bond as u32));
        }
        s.offsets.push(s.neighbours.len() as u32);
    }
    s.reached.clear();
    let unreached = Reached { depth: NONE, parent: NONE, branch: NONE, paths: 0 };
    s.reached.resize(block.vertices.len(), unreached);
}

impl Scratch {
    #[inline]
    fn around(&self, atom: u32) -> &[(u32, u32)] {
        &self.neighbours
            [self.offsets[atom as usize] as usize..self.offsets[atom as usize + 1] as usize]
    }

    #[inline]
    fn is_junction(&self, atom: u32) -> bool {
        self.offsets[atom as usize + 1] - self.offsets[atom as usize] > 2
    }

    /// Whether an atom may lie on a cycle that has this junction as its highest-ranking atom.
    #[inline]
    fn ranks_below(&self, atom: u32, root: u32) -> bool {
        atom < root || !self.is_junction(atom)
    }

    /// Shortest paths from a root over atoms that rank below it, up to a depth. The queue holds
    /// the atoms reached, nearest first, until [`Scratch::forget`].
    fn search(&mut self, root: u32, deepest: u32) {
        self.queue.clear();
        self.queue.push(root);
        self.reached[root as usize].depth = 0;
        self.reached[root as usize].paths = 1;
        let mut at = 0;
        while at < self.queue.len() {
            let atom = self.queue[at];
            at += 1;
            let depth = self.reached[atom as usize].depth + 1;
            if depth > deepest {
                break;
            }
            for i in self.offsets[atom as usize]..self.offsets[atom as usize + 1] {
                let other = self.neighbours[i as usize].0;
                let seen = self.reached[other as usize].depth;
                if seen == NONE {
                    if !self.ranks_below(other, root) {
                        continue;
                    }
                    self.reached[other as usize].depth = depth;
                    self.reached[other as usize].parent = atom;
                    self.reached[other as usize].branch =
                        if atom == root { other } else { self.reached[atom as usize].branch };
                    self.reached[other as usize].paths = self.reached[atom as usize].paths;
                    self.queue.push(other);
                } else if seen == depth {
                    let more = self.reached[atom as usize].paths;
                    let paths = &mut self.reached[other as usize].paths;
                    *paths = paths.saturating_add(more);
                }
            }
        }
    }

    fn forget(&mut self) {
        for &atom in &self.queue {
            self.reached[atom as usize].depth = NONE;
        }
    }

    fn propose(&mut self, root: u32, left: u32, right: u32, top: u32) {
        let start = self.pool.len() as u32;
        // Root, up the left path, over, and down the right path.
        let mut at = left;
        while at != root {
            self.pool.push(at);
            at = self.reached[at as usize].parent;
        }
        self.pool.push(root);
        self.pool[start as usize..].reverse();
        if top != NONE {
            self.pool.push(top);
        }
        let mut at = right;
        while at != root {
            self.pool.push(at);
            at = self.reached[at as usize].parent;
        }
        let size = self.pool.len() as u32 - start;
        let members =
            self.reached[left as usize].paths.saturating_mul(self.reached[right as usize].paths);
        self.prototypes.push(Prototype { size, root, left, right, top, members, start });
    }
}

#[cold]
fn entangled(rings: usize) -> MolError {
    MolError::new(MolErrorKind::TooLarge, format!("Ring system of {rings} rings is too entangled"))
}

/// Finds a prototype of every family of cycles that may be relevant, up to a size; false if that
/// is too much work.
fn collect(s: &mut Scratch, largest: u32) -> bool {
    let mut steps = 0;
    s.prototypes.clear();
    s.pool.clear();
    let mut before: Vec<u32> = Vec::new();
    for root in 0..s.reached.len() as u32 {
        if !s.is_junction(root) {
            continue;
        }
        s.search(root, largest / 2);
        steps += s.queue.len() as u64;
        if steps > MOST_STEPS || s.prototypes.len() > MOST_FAMILIES {
            return false;
        }
        for i in 1..s.queue.len() {
            let atom = s.queue[i];
            let depth = s.reached[atom as usize].depth;
            before.clear();
            for j in s.offsets[atom as usize]..s.offsets[atom as usize + 1] {
                let other = s.neighbours[j as usize].0;
                let seen = s.reached[other as usize].depth;
                if seen == NONE {
                    continue;
                }
                if seen + 1 == depth {
                    before.push(other);
                } else if seen == depth
                    && other < atom
                    && 2 * depth < largest
                    && s.reached[other as usize].branch != s.reached[atom as usize].branch
                {
                    s.propose(root, atom, other, NONE);
                }
            }
            if 2 * depth > largest {
                continue;
            }
            for p in 0..before.len() {
                for q in 0..p {
                    let (left, right) = (before[p], before[q]);
                    // Next to the root both would be the root itself.
                    if left != root
                        && right != root
                        && s.reached[left as usize].branch != s.reached[right as usize].branch
                    {
                        s.propose(root, left, right, atom);
                    }
                }
            }
        }
        s.forget();
    }
    true
}

/// A relevant family, and whether its prototype is taken into the smallest set.
struct Relevant {
    prototype: u32,
    kept: bool,
}

struct Chosen {
    relevant: Vec<Relevant>,
    /// The smallest set is complete.
    complete: bool,
}

/// Sums of rings over the field of two elements.
///
/// Each row has a pivot, a bond that no earlier row holds.
struct Basis {
    /// Bonds of each row: a range of the pool.
    rows: Vec<(u32, u32)>,
    pool: Vec<u32>,
    pivots: Vec<u32>,
    bonds: Vec<BasisBond>,
    steps: u64,
}

#[derive(Clone, Copy)]
struct BasisBond {
    /// The row of which the bond is the pivot.
    row: u32,
    /// Whether some row held the bond when it was added.
    covered: bool,
    /// Whether the bond is in the sum at work.
    in_sum: bool,
}

impl Basis {
    fn new(bond_count: usize, ring_count: usize) -> Self {
        Basis {
            rows: Vec::with_capacity(ring_count),
            pool: Vec::with_capacity(8 * ring_count),
            pivots: Vec::with_capacity(ring_count),
            bonds: vec![BasisBond { row: NONE, covered: false, in_sum: false }; bond_count],
            steps: 0,
        }
    }

    fn has_fresh_bond(&self, ring: &[u32]) -> bool {
        ring.iter().any(|&b| !self.bonds[b as usize].covered)
    }

    /// What is left of a ring after subtracting the first `rows` rows; empty if it is their sum.
    fn reduce(&mut self, ring: &[u32], rows: usize) -> Vec<u32> {
        let mut touched: Vec<u32> = ring.to_vec();
        let mut heap: BinaryHeap<u32> = BinaryHeap::new();
        for &bond in ring {
            let bond = &mut self.bonds[bond as usize];
            bond.in_sum = true;
            if (bond.row as usize) < rows {
                heap.push(bond.row);
            }
        }
        while let Some(row) = heap.pop() {
            if !self.bonds[self.pivots[row as usize] as usize].in_sum {
                continue;
            }
            let (start, end) = self.rows[row as usize];
            self.steps += u64::from(end - start);
            for &bond in &self.pool[start as usize..end as usize] {
                let state = &mut self.bonds[bond as usize];
                state.in_sum = !state.in_sum;
                touched.push(bond);
                if state.in_sum && state.row < row {
                    heap.push(state.row);
                }
            }
        }
        touched.retain(|&bond| std::mem::take(&mut self.bonds[bond as usize].in_sum));
        touched
    }

    fn push(&mut self, row: &[u32], pivot: u32) {
        self.bonds[pivot as usize].row = self.rows.len() as u32;
        self.pivots.push(pivot);
        for &bond in row {
            self.bonds[bond as usize].covered = true;
        }
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(row);
        self.rows.push((start, self.pool.len() as u32));
    }

    /// Adds a ring if it is independent of the rows so far.
    fn add(&mut self, ring: &[u32]) -> bool {
        if let Some(&fresh) = ring.iter().find(|&&b| !self.bonds[b as usize].covered) {
            self.push(ring, fresh);
            return true;
        }
        let left = self.reduce(ring, self.rows.len());
        let Some(&pivot) = left.first() else { return false };
        // No earlier row may hold the new pivot.
        for i in 0..self.rows.len() {
            let (start, end) = self.rows[i];
            let row = start as usize..end as usize;
            self.steps += row.len() as u64;
            if !self.pool[row.clone()].contains(&pivot) {
                continue;
            }
            for &bond in left.iter().chain(&self.pool[row.clone()]) {
                let state = &mut self.bonds[bond as usize].in_sum;
                *state = !*state;
            }
            let start = self.pool.len() as u32;
            let old: Vec<u32> = self.pool[row].to_vec();
            self.steps += (old.len() + left.len()) as u64;
            for bond in left.iter().copied().chain(old) {
                if std::mem::take(&mut self.bonds[bond as usize].in_sum) {
                    self.pool.push(bond);
                }
            }
            self.rows[i] = (start, self.pool.len() as u32);
        }
        self.push(&left, pivot);
        true
    }
}

/// Goes through the prototypes by size, and tells which families are relevant and which
/// prototypes make up a smallest set.
fn choose(s: &Scratch, bond_count: usize, independent: usize) -> Result<Chosen, MolError> {
    let mut basis = Basis::new(bond_count, independent);
    let mut relevant = Vec::new();
    let mut bonds = Vec::new();
    let mut at = 0;
    while at < s.prototypes.len() && basis.rows.len() < independent {
        let size = s.prototypes[at].size;
        let smaller = basis.rows.len();
        // Rows of smaller rings must not change while this size is judged: new ones of this size
        // are added afterwards.
        let from = relevant.len();
        while let Some(prototype) = s.prototypes.get(at).filter(|p| p.size == size) {
            bonds_of(s, prototype, &mut bonds);
            let is_new = basis.has_fresh_bond(&bonds) || !basis.reduce(&bonds, smaller).is_empty();
            if is_new {
                relevant.push(Relevant { prototype: at as u32, kept: false });
            }
            at += 1;
            if basis.steps > MOST_STEPS {
                return Err(entangled(independent));
            }
        }
        for family in &mut relevant[from..] {
            if basis.rows.len() == independent {
                break;
            }
            bonds_of(s, &s.prototypes[family.prototype as usize], &mut bonds);
            family.kept = basis.add(&bonds);
        }
    }
    Ok(Chosen { relevant, complete: basis.rows.len() == independent })
}

fn bond_between(s: &Scratch, a: u32, b: u32) -> u32 {
    s.around(a).iter().find(|n| n.0 == b).expect("ring atoms are bonded in turn").1
}

fn bonds_of(s: &Scratch, p: &Prototype, bonds: &mut Vec<u32>) {
    let atoms = &s.pool[p.start as usize..(p.start + p.size) as usize];
    bonds.clear();
    bonds.extend((0..atoms.len()).map(|i| bond_between(s, atoms[i], atoms[(i + 1) % atoms.len()])));
}

fn store(
    block: &Block<'_>,
    s: &mut Scratch,
    relevant: &[Relevant],
    rings: &mut RingList,
    extras: &mut RingList,
) {
    for family in relevant {
        let p = s.prototypes[family.prototype as usize];
        let atoms = s.pool[p.start as usize..(p.start + p.size) as usize].to_vec();
        let room = MOST_EXTRA_RINGS.saturating_sub(s.extra_count);
        if family.kept {
            push_ring(block, s, &atoms, rings);
        } else if room > 0 {
            push_ring(block, s, &atoms, extras);
            s.extra_count += 1;
        }
        if p.members > 1 && (p.members as usize) < room {
            s.search(p.root, p.size / 2);
            let lefts = paths_to_root(s, p.root, p.left);
            let rights = paths_to_root(s, p.root, p.right);
            s.forget();
            let mut ring = Vec::with_capacity(p.size as usize);
            for left in &lefts {
                for right in &rights {
                    ring.clear();
                    ring.push(p.root);
                    ring.extend(left.iter().rev());
                    if p.top != NONE {
                        ring.push(p.top);
                    }
                    ring.extend(right.iter());
                    if ring != atoms {
                        push_ring(block, s, &ring, extras);
                        s.extra_count += 1;
                    }
                }
            }
        }
    }
}

/// All shortest paths from an atom back to the root, the root left out.
fn paths_to_root(s: &Scratch, root: u32, from: u32) -> Vec<Vec<u32>> {
    let mut done = Vec::new();
    let mut open = vec![vec![from]];
    while let Some(path) = open.pop() {
        let last = *path.last().expect("paths start with an atom");
        if s.reached[last as usize].depth == 1 {
            done.push(path);
            continue;
        }
        for &(other, _) in s.around(last) {
            let depth = s.reached[other as usize].depth;
            if other != root && depth != NONE && depth + 1 == s.reached[last as usize].depth {
                let mut longer = path.clone();
                longer.push(other);
                open.push(longer);
            }
        }
    }
    done
}

/// Appends a ring in normal form.
fn push_ring(block: &Block<'_>, s: &Scratch, ring: &[u32], list: &mut RingList) {
    let count = ring.len();
    let at = list.atoms.len();
    for k in 0..count {
        let (a, b) = (ring[k], ring[(k + 1) % count]);
        list.atoms.push(block.vertices[a as usize]);
        list.bonds.push(block.bonds[bond_between(s, a, b) as usize]);
    }
    normalise(&mut list.atoms[at..], &mut list.bonds[at..]);
    list.close();
}

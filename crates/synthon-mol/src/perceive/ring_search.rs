//! The smallest rings of one biconnected block.
//!
//! Candidates come from breadth-first searches at atoms of degree two, then three, with the
//! block trimmed in between (Figueras, J. Chem. Inf. Comput. Sci. 1996, 36, 986), in the variant
//! that finds all smallest rings of a root; a smallest set is chosen from them, and rings that
//! could stand in for one of its members are added.

use super::Draft;
use super::rings::RingList;
use crate::Neighbour;
use std::collections::VecDeque;

/// A biconnected part of a molecule.
pub(super) struct Block<'a> {
    pub draft: &'a Draft,
    /// Its atoms, ascending.
    pub vertices: &'a [u32],
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

/// Stores the ring of a block that is one ring.
///
/// The ring starts at its first atom and, as a breadth-first search would close it, runs first
/// along that atom's first bond if it has an odd number of atoms, along the second otherwise.
pub(super) fn single(block: &Block<'_>, rings: &mut RingList) {
    let start = block.vertices[0];
    let mut bonds = block.bonds_at(start);
    let (first, second) = (
        bonds.next().expect("two ring bonds at each atom"),
        bonds.next().expect("two ring bonds at each atom"),
    );
    let mut by = if block.vertices.len() % 2 == 1 { first } else { second };
    rings.atoms.push(start);
    rings.bonds.push(by.bond);
    while by.atom != start {
        rings.atoms.push(by.atom);
        by = block
            .bonds_at(by.atom)
            .find(|n| n.bond != by.bond)
            .expect("two ring bonds at each atom");
        rings.bonds.push(by.bond);
    }
    rings.close();
}

/// Working space, kept from block to block.
#[derive(Default)]
pub(super) struct Scratch {
    /// Local index of an atom.
    local: Vec<u32>,
}

/// The block with atoms and bonds numbered from zero.
struct Local {
    /// Neighbours (atom, bond) of atom `i` are `offsets[i]..offsets[i + 1]`.
    offsets: Vec<u32>,
    neighbours: Vec<(u32, u32)>,
    degree: Vec<u32>,
    active: Vec<bool>,
}

impl Local {
    fn around(&self, atom: u32) -> &[(u32, u32)] {
        &self.neighbours
            [self.offsets[atom as usize] as usize..self.offsets[atom as usize + 1] as usize]
    }

    /// Takes an atom's bonds out; neighbours left with at most one go on `loose`.
    fn trim(&mut self, atom: u32, loose: &mut Vec<u32>) {
        for i in self.offsets[atom as usize]..self.offsets[atom as usize + 1] {
            let (other, bond) = self.neighbours[i as usize];
            if !std::mem::replace(&mut self.active[bond as usize], false) {
                continue;
            }
            if self.degree[other as usize] <= 2 {
                loose.push(other);
            }
            self.degree[other as usize] -= 1;
            self.degree[atom as usize] -= 1;
        }
    }

    fn trim_all(&mut self, mut loose: Vec<u32>) {
        while let Some(atom) = loose.pop() {
            self.trim(atom, &mut loose);
        }
    }
}

/// A candidate ring: its atoms in order.
type Ring = Vec<u32>;

/// Breadth-first search for the smallest rings through a root.
struct Bfs {
    depth: Vec<u32>,
    parent: Vec<u32>,
    /// The neighbour of the root that the path goes through.
    branch: Vec<u32>,
    /// 0 unseen, 1 in the queue, 2 done.
    colour: Vec<u8>,
    queue: VecDeque<u32>,
    touched: Vec<u32>,
}

impl Bfs {
    fn new(count: usize) -> Self {
        Bfs {
            depth: vec![0; count],
            parent: vec![u32::MAX; count],
            branch: vec![u32::MAX; count],
            colour: vec![0; count],
            queue: VecDeque::new(),
            touched: Vec::new(),
        }
    }

    /// All rings through `root` that are as small as the smallest found so far when they are met.
    fn smallest(&mut self, local: &Local, root: u32, forbidden: Option<u32>) -> Vec<Ring> {
        for atom in self.touched.drain(..) {
            self.colour[atom as usize] = 0;
        }
        self.queue.clear();
        if let Some(atom) = forbidden {
            self.colour[atom as usize] = 2;
            self.touched.push(atom);
        }
        self.touched.push(root);
        self.depth[root as usize] = 0;
        self.parent[root as usize] = u32::MAX;
        self.branch[root as usize] = u32::MAX;
        self.queue.push_back(root);
        let mut found = Vec::new();
        let mut smallest = u32::MAX;
        while let Some(atom) = self.queue.pop_front() {
            self.colour[atom as usize] = 2;
            let depth = self.depth[atom as usize] + 1;
            if depth > smallest {
                break;
            }
            for &(other, bond) in local.around(atom) {
                if !local.active[bond as usize]
                    || self.colour[other as usize] == 2
                    || self.parent[atom as usize] == other
                {
                    continue;
                }
                if self.colour[other as usize] == 0 {
                    self.touched.push(other);
                    self.colour[other as usize] = 1;
                    self.depth[other as usize] = depth;
                    self.parent[other as usize] = atom;
                    self.branch[other as usize] =
                        if atom == root { other } else { self.branch[atom as usize] };
                    self.queue.push_back(other);
                } else if self.branch[other as usize] != self.branch[atom as usize] {
                    let size = depth + self.depth[other as usize];
                    if size > smallest {
                        return found;
                    }
                    smallest = size;
                    found.push(self.ring(root, atom, other, size));
                }
            }
        }
        found
    }

    /// From the root along the path to `atom`, over to `other`, and back.
    fn ring(&self, root: u32, atom: u32, other: u32, size: u32) -> Ring {
        let mut ring = Vec::with_capacity(size as usize);
        let mut at = atom;
        while at != u32::MAX {
            ring.push(at);
            at = self.parent[at as usize];
        }
        ring.reverse();
        let mut at = other;
        while at != root {
            ring.push(at);
            at = self.parent[at as usize];
        }
        ring
    }
}

/// A set of small numbers as bits.
type Bits = Box<[u64]>;

fn bits(count: usize, members: impl Iterator<Item = u32>) -> Bits {
    let mut set = vec![0u64; count.div_ceil(64)].into_boxed_slice();
    for m in members {
        set[m as usize / 64] |= 1 << (m % 64);
    }
    set
}

/// The candidates found so far; rings with the same atoms count as one.
struct Candidates {
    rings: Vec<Ring>,
    seen: std::collections::BTreeSet<Bits>,
    atoms: usize,
}

impl Candidates {
    fn key(&self, ring: &[u32]) -> Bits {
        bits(self.atoms, ring.iter().copied())
    }

    fn add(&mut self, ring: Ring) {
        let key = self.key(&ring);
        if self.seen.insert(key) {
            self.rings.push(ring);
        }
    }
}

/// Stores the rings of a block with several.
pub(super) fn several(
    block: &Block<'_>,
    block_bonds: &[u32],
    scratch: &mut Scratch,
    rings: &mut RingList,
    extras: &mut RingList,
) {
    let mut bond_ids = block_bonds.to_vec();
    bond_ids.sort_unstable();
    let local = localise(block, &bond_ids, scratch);
    let independent = bond_ids.len() + 1 - block.vertices.len();
    let mut candidates = Candidates {
        rings: Vec::with_capacity(independent + 1),
        seen: std::collections::BTreeSet::new(),
        atoms: block.vertices.len(),
    };
    let bond_between = |a: u32, b: u32| {
        local.around(a).iter().find(|n| n.0 == b).expect("ring atoms are bonded in turn").1
    };
    let bonds_of = |ring: &[u32]| -> Vec<u32> {
        (0..ring.len()).map(|i| bond_between(ring[i], ring[(i + 1) % ring.len()])).collect()
    };
    let mut working = Local {
        offsets: local.offsets.clone(),
        neighbours: local.neighbours.clone(),
        degree: local.degree.clone(),
        active: local.active.clone(),
    };
    collect(&mut working, &mut candidates);
    cover(&local, &mut candidates, &bonds_of);
    let mut found: Vec<(Ring, Vec<u32>)> = std::mem::take(&mut candidates.rings)
        .into_iter()
        .map(|ring| {
            let bonds = bonds_of(&ring);
            (ring, bonds)
        })
        .collect();
    let kept = if found.len() > independent {
        found.sort_by_key(|r| r.0.len());
        choose(&found, bond_ids.len())
    } else {
        vec![true; found.len()]
    };
    let extra = interchangeable(&found, &kept, bond_ids.len());
    for (i, (atoms, bonds)) in found.iter().enumerate() {
        let list = if kept[i] {
            &mut *rings
        } else if extra[i] {
            &mut *extras
        } else {
            continue;
        };
        list.atoms.extend(atoms.iter().map(|&a| block.vertices[a as usize]));
        list.bonds.extend(bonds.iter().map(|&b| bond_ids[b as usize]));
        list.close();
    }
}

fn localise(block: &Block<'_>, bond_ids: &[u32], scratch: &mut Scratch) -> Local {
    scratch.local.resize(block.draft.atoms.len(), 0);
    for (i, &atom) in block.vertices.iter().enumerate() {
        scratch.local[atom as usize] = i as u32;
    }
    let mut offsets = Vec::with_capacity(block.vertices.len() + 1);
    let mut neighbours = Vec::with_capacity(2 * bond_ids.len());
    offsets.push(0);
    let mut degree = Vec::with_capacity(block.vertices.len());
    for &atom in block.vertices {
        let before = neighbours.len();
        for n in block.bonds_at(atom) {
            let bond = bond_ids.binary_search(&n.bond).expect("a bond of the block");
            neighbours.push((scratch.local[n.atom()], bond as u32));
        }
        degree.push((neighbours.len() - before) as u32);
        offsets.push(neighbours.len() as u32);
    }
    Local { offsets, neighbours, degree, active: vec![true; bond_ids.len()] }
}

/// Finds candidate rings, trimming the block until nothing is left.
fn collect(local: &mut Local, candidates: &mut Candidates) {
    let count = local.degree.len();
    let mut bfs = Bfs::new(count);
    let mut done = vec![false; count];
    let mut left = count;
    let mut loose: Vec<u32> = Vec::new();
    let mut first_of_degree_three = 0;
    while left > 0 {
        while let Some(atom) = loose.pop() {
            if !std::mem::replace(&mut done[atom as usize], true) {
                left -= 1;
                local.trim(atom, &mut loose);
            }
        }
        let roots = chains_of_two(local);
        if !roots.is_empty() {
            rings_at_chains(local, &roots, &mut bfs, candidates);
            for &root in &roots {
                if !std::mem::replace(&mut done[root as usize], true) {
                    left -= 1;
                }
                local.trim(root, &mut loose);
            }
            continue;
        }
        // Degrees only fall: the search may go on where it stopped, unless higher degrees fell.
        let root = (0..count).find(|&a| local.degree[a] == 3);
        let Some(root) = root else {
            // Nothing of degree two or three: open the block at the first atom that is left.
            let Some(atom) = (first_of_degree_three..count).find(|&a| local.degree[a] > 3) else {
                break;
            };
            first_of_degree_three = atom;
            for ring in bfs.smallest(local, atom as u32, None) {
                candidates.add(ring);
            }
            done[atom] = true;
            left -= 1;
            local.trim(atom as u32, &mut loose);
            continue;
        };
        rings_at_three(local, root as u32, &mut bfs, candidates);
        done[root] = true;
        left -= 1;
        local.trim(root as u32, &mut loose);
    }
}

/// The first atom of each chain of atoms of degree two.
fn chains_of_two(local: &Local) -> Vec<u32> {
    let mut marked = vec![false; local.degree.len()];
    let mut roots = Vec::new();
    let mut stack = Vec::new();
    for atom in 0..local.degree.len() as u32 {
        if local.degree[atom as usize] != 2 || marked[atom as usize] {
            continue;
        }
        roots.push(atom);
        marked[atom as usize] = true;
        stack.push(atom);
        while let Some(at) = stack.pop() {
            for &(other, bond) in local.around(at) {
                if local.active[bond as usize]
                    && local.degree[other as usize] == 2
                    && !std::mem::replace(&mut marked[other as usize], true)
                {
                    stack.push(other);
                }
            }
        }
    }
    roots
}

fn rings_at_chains(local: &mut Local, roots: &[u32], bfs: &mut Bfs, candidates: &mut Candidates) {
    // Which roots found which ring.
    let mut finders: std::collections::BTreeMap<Bits, Vec<u32>> = Default::default();
    for &root in roots {
        let rings = bfs.smallest(local, root, None);
        if rings.is_empty() {
            local.trim_all(vec![root]);
        }
        for ring in rings {
            finders.entry(candidates.key(&ring)).or_default().push(root);
            candidates.add(ring);
        }
    }
    // Roots that found the same ring hide further rings from each other: look again from each
    // with the others taken out.
    let mut rivals: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
    for group in finders.values().filter(|g| g.len() > 1) {
        for &root in group {
            let others = group.iter().copied().filter(|&o| o != root);
            rivals.entry(root).or_default().extend(others);
        }
    }
    if rivals.is_empty() {
        return;
    }
    for group in finders.values().filter(|g| g.len() > 1) {
        let mut found: Vec<Ring> = Vec::new();
        for &root in group {
            let (active, degree) = (local.active.clone(), local.degree.clone());
            let mut loose = Vec::new();
            for &rival in &rivals[&root] {
                local.trim(rival, &mut loose);
            }
            found.extend(bfs.smallest(local, root, None));
            local.active = active;
            local.degree = degree;
        }
        let smallest = found.iter().map(Vec::len).min().unwrap_or(0);
        for ring in found.into_iter().filter(|r| r.len() == smallest) {
            candidates.add(ring);
        }
    }
}

/// The rings at an atom of degree three: each of its bonds lies in two of three.
fn rings_at_three(local: &Local, root: u32, bfs: &mut Bfs, candidates: &mut Candidates) {
    let smallest = bfs.smallest(local, root, None);
    let neighbours: Vec<u32> =
        local.around(root).iter().filter(|n| local.active[n.1 as usize]).map(|n| n.0).collect();
    let mut forbidden: Vec<u32> = Vec::new();
    match smallest.as_slice() {
        [a, b] => {
            forbidden.extend(neighbours.iter().find(|n| a.contains(n) && b.contains(n)));
        }
        [a] => {
            // The two neighbours in the ring, the later one first.
            forbidden.extend(neighbours.iter().rev().filter(|n| a.contains(n)));
        }
        _ => {}
    }
    for ring in smallest {
        candidates.add(ring);
    }
    for atom in forbidden {
        for ring in bfs.smallest(local, root, Some(atom)) {
            candidates.add(ring);
        }
    }
}

/// Makes sure that every bond of the block lies in a candidate: a shortest ring through it.
fn cover(local: &Local, candidates: &mut Candidates, bonds_of: &dyn Fn(&[u32]) -> Vec<u32>) {
    let mut covered = vec![false; local.active.len()];
    for ring in &candidates.rings {
        for bond in bonds_of(ring) {
            covered[bond as usize] = true;
        }
    }
    if !covered.contains(&false) {
        return;
    }
    let count = local.degree.len() as u32;
    for a in 0..count {
        for &(b, bond) in local.around(a) {
            if b < a || covered[bond as usize] {
                continue;
            }
            let mut parent = vec![u32::MAX; count as usize];
            parent[a as usize] = a;
            let mut queue = VecDeque::from([a]);
            while let Some(at) = queue.pop_front() {
                if at == b {
                    break;
                }
                for &(next, by) in local.around(at) {
                    if by != bond && parent[next as usize] == u32::MAX {
                        parent[next as usize] = at;
                        queue.push_back(next);
                    }
                }
            }
            let mut ring = vec![b];
            let mut at = b;
            while at != a && parent[at as usize] != u32::MAX {
                at = parent[at as usize];
                ring.push(at);
            }
            for bond in bonds_of(&ring) {
                covered[bond as usize] = true;
            }
            candidates.add(ring);
        }
    }
}

/// Chooses a smallest set from rings sorted by size: one that brings a new bond, and among those
/// of equal size the one that shares most with what is there.
fn choose(found: &[(Ring, Vec<u32>)], bond_count: usize) -> Vec<bool> {
    let mut keep = vec![false; found.len()];
    let mut available = vec![true; found.len()];
    let mut covered = vec![false; bond_count];
    // For each ring how many of its bonds are covered.
    let mut overlap = vec![0usize; found.len()];
    let mut rings_of: Vec<Vec<u32>> = vec![Vec::new(); bond_count];
    for (i, (_, bonds)) in found.iter().enumerate() {
        for &bond in bonds {
            rings_of[bond as usize].push(i as u32);
        }
    }
    let mut take = |i: usize, overlap: &mut [usize]| {
        for &bond in &found[i].1 {
            if !std::mem::replace(&mut covered[bond as usize], true) {
                for &ring in &rings_of[bond as usize] {
                    overlap[ring as usize] += 1;
                }
            }
        }
    };
    let size = |i: usize| found[i].1.len();
    for i in 0..found.len() {
        if overlap[i] == size(i) {
            available[i] = false;
        }
        if !available[i] {
            continue;
        }
        keep[i] = true;
        take(i, &mut overlap);
        let end = (i + 1..found.len()).find(|&j| size(j) != size(i)).unwrap_or(found.len());
        while let Some(best) =
            (i + 1..end).filter(|&j| available[j]).max_by_key(|&j| (overlap[j], usize::MAX - j))
        {
            available[best] = false;
            if overlap[best] < size(best) {
                keep[best] = true;
                take(best, &mut overlap);
            }
        }
    }
    keep
}

/// Which of the rings that were not kept may stand in for one that was: of the same size, with a
/// bond in common, and holding every bond that only the other ring provides.
fn interchangeable(found: &[(Ring, Vec<u32>)], kept: &[bool], bond_count: usize) -> Vec<bool> {
    let mut extra = vec![false; found.len()];
    if kept.iter().all(|&k| k) {
        return extra;
    }
    let mut providers = vec![0u32; bond_count];
    let mut rings_of: Vec<Vec<u32>> = vec![Vec::new(); bond_count];
    for (i, (_, bonds)) in found.iter().enumerate().filter(|(i, _)| kept[*i]) {
        for &bond in bonds {
            providers[bond as usize] += 1;
            rings_of[bond as usize].push(i as u32);
        }
    }
    let mut own = vec![false; bond_count];
    for (i, (_, bonds)) in found.iter().enumerate().filter(|(i, _)| !kept[*i]) {
        for &bond in bonds {
            own[bond as usize] = true;
        }
        let mut partners: Vec<u32> =
            bonds.iter().flat_map(|&b| rings_of[b as usize].iter().copied()).collect();
        partners.sort_unstable();
        partners.dedup();
        extra[i] = partners.iter().any(|&p| {
            let other = &found[p as usize].1;
            other.len() == bonds.len()
                && other.iter().all(|&b| providers[b as usize] != 1 || own[b as usize])
        });
        for &bond in bonds {
            own[bond as usize] = false;
        }
    }
    extra
}

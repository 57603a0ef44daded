//! From a refined partition to one order of the atoms that does not depend on the input.
//!
//! Refinement alone leaves ties. Most ties of molecules are harmless: whatever tied atom is set
//! apart first, the results are carried into each other by a symmetry. The others are settled by
//! the search of McKay ("Practical graph isomorphism", 1981): every choice is followed to the
//! end, the smallest resulting table wins, and symmetries found on the way spare equivalent
//! choices.

use super::partition::{Partition, Span, mix};
use crate::stereo::elements::{ligands, substituents};
use crate::{BondStereo, Chirality};

/// Neighbourhoods that a search may look at before it settles for the best order so far.
const WORK_LIMIT: u64 = 300_000;
/// Smallest cell for which looking at distances pays, and the largest component where it is
/// affordable.
const WIDE_CELL: usize = 16;
const DISTANCES_UP_TO: usize = 2_048;
/// Largest cell of which all choices are compared by the stereo elements they fix before one is
/// followed.
const COMPARED_CHOICES: usize = 8;
/// Symmetries kept.
const MOST_GENERATORS: usize = 128;

/// Breaks all ties of a component. Says whether the order is certain to be independent of the
/// input: `false` when the search had to stop early.
pub(crate) fn settle(partition: &mut Partition<'_>, span: Span) -> bool {
    if partition.is_discrete(span) {
        return true;
    }
    if partition.marked_atoms {
        partition.refine_by_sides(span);
    }
    let Some(tie) = partition.next_tie(span.start, span) else { return true };
    let mut ties = Ties::default();
    ties.look(partition, span);
    if !ties.any_hard {
        break_ties(partition, tie, span);
        return true;
    }
    if is_wide(partition, span) && span.end - span.start <= DISTANCES_UP_TO {
        cut_by_distances(partition, span);
        ties.look(partition, span);
        if !ties.any_hard {
            break_ties(partition, span.start, span);
            return true;
        }
    }
    Search::new(partition, span, ties).run()
}

fn is_wide(partition: &Partition<'_>, span: Span) -> bool {
    let mut from = span.start;
    while let Some(cell) = partition.next_tie(from, span) {
        let size = partition.size[cell] as usize;
        if size >= WIDE_CELL {
            return true;
        }
        from = cell + size;
    }
    false
}

/// Tells tied atoms apart by what lies at which distance from them, and how it is connected:
/// enough for nearly all cages that are not truly symmetrical.
fn cut_by_distances(partition: &mut Partition<'_>, span: Span) {
    let molecule = partition.molecule;
    let mut numbers = vec![0u64; molecule.atom_count()];
    let mut distance = vec![NONE; molecule.atom_count()];
    let mut queue: Vec<u32> = Vec::with_capacity(span.end - span.start);
    for place in span.start..span.end {
        let atom = partition.order[place];
        if partition.size[partition.class[atom as usize] as usize] < 2 {
            continue;
        }
        queue.clear();
        queue.push(atom);
        distance[atom as usize] = 0;
        let (mut next, mut level, mut sum) = (0, 0, 0u64);
        let mut digest = 0;
        while next < queue.len() {
            let here = queue[next] as usize;
            next += 1;
            let far = distance[here];
            if far != level {
                digest = mix(digest, sum);
                (level, sum) = (far, 0);
            }
            let mut links = 0u64;
            for neighbour in molecule.neighbours(here) {
                let there = &mut distance[neighbour.atom()];
                if *there == NONE {
                    *there = far + 1;
                    queue.push(neighbour.atom);
                }
                // How many neighbours lie nearer, as near, and farther.
                links += 1 << (16 * (*there + 1 - far));
            }
            sum = sum.wrapping_add(mix(u64::from(partition.class[here]), links));
        }
        numbers[atom as usize] = mix(digest, sum);
        queue.iter().for_each(|&seen| distance[seen as usize] = NONE);
    }
    partition.cut_by(span, |atom| numbers[atom as usize]);
}

/// Sets atoms apart, from the lowest tied cell up, always the last of the cell.
fn break_ties(partition: &mut Partition<'_>, from: usize, span: Span) {
    let mut from = from;
    while let Some(cell) = partition.next_tie(from, span) {
        let last = cell + partition.size[cell] as usize - 1;
        partition.individualise(cell, partition.order[last]);
        from = cell;
    }
}

/// Which cells hold ties whose breaking may matter.
///
/// Consider the graph on the tied atoms alone. Refinement is exact on trees, and where all cells
/// of a connected part hold two atoms, exchanging both in all of them is a symmetry. What is left
/// is hard, and so is everything around a stereo element with tied ligands.
#[derive(Default)]
struct Ties {
    /// By place of the cell, relative to the span.
    hard: Vec<bool>,
    any_hard: bool,
    part: Vec<u32>,
    part_hard: Vec<bool>,
    stack: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Ties {
    fn look(&mut self, partition: &mut Partition<'_>, span: Span) {
        partition.work += (span.end - span.start) as u64;
        let partition = &*partition;
        let molecule = partition.molecule;
        let tied = |atom: usize| partition.size[partition.class[atom] as usize] > 1;
        self.hard.clear();
        self.hard.resize(span.end - span.start, false);
        self.part.clear();
        self.part.resize(molecule.atom_count(), NONE);
        self.part_hard.clear();
        for place in span.start..span.end {
            let first = partition.order[place];
            if !tied(first as usize) || self.part[first as usize] != NONE {
                continue;
            }
            let number = self.part_hard.len() as u32;
            let (mut atoms, mut ends, mut wide) = (0, 0, false);
            self.part[first as usize] = number;
            self.stack.push(first);
            while let Some(atom) = self.stack.pop() {
                atoms += 1;
                wide |= partition.size[partition.class[atom as usize] as usize] > 2;
                for neighbour in molecule.neighbours(atom as usize) {
                    if tied(neighbour.atom()) {
                        ends += 1;
                        if self.part[neighbour.atom()] == NONE {
                            self.part[neighbour.atom()] = number;
                            self.stack.push(neighbour.atom);
                        }
                    }
                }
            }
            // A tree has one edge, two ends of edges, less than atoms.
            self.part_hard.push(wide && ends / 2 >= atoms);
        }
        if partition.marked_atoms || partition.marked_bonds {
            self.look_at_stereo(partition, span);
        }
        self.any_hard = self.part_hard.contains(&true);
        // Parts that share a cell are alike, so one hard part makes them all hard.
        let mut changed = self.any_hard;
        while changed {
            changed = false;
            for &atom in &partition.order[span.start..span.end] {
                let part = self.part[atom as usize];
                if part == NONE {
                    continue;
                }
                let cell = partition.class[atom as usize] as usize - span.start;
                let part = &mut self.part_hard[part as usize];
                if *part != self.hard[cell] {
                    *part = true;
                    self.hard[cell] = true;
                    changed = true;
                }
            }
        }
    }

    /// Everything tied around a stereo element with tied ligands is hard.
    fn look_at_stereo(&mut self, partition: &Partition<'_>, span: Span) {
        let molecule = partition.molecule;
        for &atom in &partition.order[span.start..span.end] {
            let atom = atom as usize;
            if molecule.atoms[atom].chirality != Chirality::None && partition.centre_code(atom) == 0
            {
                self.set_hard(atom);
                if let Some(found) = ligands(molecule, atom) {
                    for &ligand in found.as_slice() {
                        self.set_hard(ligand as usize);
                    }
                }
            }
            if !partition.marked_bonds {
                continue;
            }
            for neighbour in molecule.neighbours(atom) {
                let bond = neighbour.bond();
                if molecule.bonds[bond].stereo != BondStereo::None && partition.bond_code(bond) == 1
                {
                    self.set_hard(atom);
                    let (a, b) = substituents(molecule, atom, bond);
                    for ligand in [a, b].into_iter().flatten() {
                        self.set_hard(ligand as usize);
                    }
                }
            }
        }
    }

    fn set_hard(&mut self, atom: usize) {
        if let Some(&part) = self.part.get(atom).filter(|&&part| part != NONE) {
            self.part_hard[part as usize] = true;
        }
    }
}

/// A partition at rest, to come back to.
struct Saved {
    class: Vec<u32>,
    order: Vec<u32>,
    size: Vec<u32>,
    trace: u64,
    path: usize,
}

struct Node {
    saved: Saved,
    cell: usize,
    candidates: Vec<u32>,
    explored: Vec<u32>,
    /// Union-find of the atoms under the symmetries that keep the path, and how many of all
    /// symmetries found have been considered.
    orbits: Vec<u32>,
    considered: usize,
    /// The partition is no longer as saved.
    touched: bool,
}

struct Leaf {
    order: Vec<u32>,
    table: Vec<u32>,
    /// Digest of the cuts after each choice.
    traces: Vec<u64>,
}

struct Search<'p, 'm> {
    partition: &'p mut Partition<'m>,
    span: Span,
    ties: Ties,
    nodes: Vec<Node>,
    /// Atoms set apart so far, harmless ones included.
    path: Vec<u32>,
    traces: Vec<u64>,
    first: Option<Leaf>,
    best: Option<Leaf>,
    /// Symmetries as images of the atoms, by place in the span of the first order.
    generators: Vec<Vec<(u32, u32)>>,
    /// The path has become better than that of the best leaf.
    better: bool,
}

enum Step {
    /// The partition is ready for a node or a leaf.
    Down,
    /// Take the next candidate of the top node.
    Next,
}

impl<'p, 'm> Search<'p, 'm> {
    fn new(partition: &'p mut Partition<'m>, span: Span, ties: Ties) -> Self {
        Search {
            partition,
            span,
            ties,
            nodes: Vec::new(),
            path: Vec::new(),
            traces: Vec::new(),
            first: None,
            best: None,
            generators: Vec::new(),
            better: false,
        }
    }

    fn run(mut self) -> bool {
        let limit = self.partition.work + WORK_LIMIT;
        let mut certain = true;
        let mut step = Step::Down;
        loop {
            if self.partition.work > limit && self.best.is_some() {
                certain = false;
                break;
            }
            step = match step {
                Step::Down => self.descend(),
                Step::Next => match self.next_choice() {
                    Some(step) => step,
                    None => break,
                },
            };
        }
        let best = self.best.take().expect("the first descent ends in a leaf");
        for (i, &atom) in best.order.iter().enumerate() {
            let place = self.span.start + i;
            self.partition.order[place] = atom;
            self.partition.class[atom as usize] = place as u32;
            self.partition.size[place] = 1;
        }
        certain
    }

    /// Breaks harmless ties until a hard one is met, and opens a node there; or ends in a leaf.
    fn descend(&mut self) -> Step {
        let mut from = self.span.start;
        while let Some(cell) = self.partition.next_tie(from, self.span) {
            if self.ties.any_hard {
                // The cells are new, and what was hard before may have become harmless.
                self.ties.look(self.partition, self.span);
            }
            if !self.ties.hard[cell - self.span.start] {
                let last = cell + self.partition.size[cell] as usize - 1;
                let atom = self.partition.order[last];
                self.path.push(atom);
                self.partition.individualise(cell, atom);
                from = cell;
                continue;
            }
            let size = self.partition.size[cell] as usize;
            let candidates = self.partition.order[cell..cell + size].to_vec();
            let saved = self.save();
            self.nodes.push(Node {
                saved,
                cell,
                candidates,
                explored: Vec::new(),
                orbits: Vec::new(),
                considered: 0,
                touched: false,
            });
            self.keep_best_choices();
            return Step::Next;
        }
        self.leaf();
        Step::Next
    }

    /// Follows the next candidate of the deepest node that has one left.
    fn next_choice(&mut self) -> Option<Step> {
        loop {
            let depth = self.nodes.len();
            let node = self.nodes.last_mut()?;
            let Some(atom) = node.candidates.pop() else {
                self.nodes.pop();
                // The subtree of the choice above is done.
                continue;
            };
            let fresh = node.explored.is_empty();
            let path = node.saved.path;
            self.path.truncate(path);
            if !fresh && self.is_equivalent_to_explored(atom) {
                continue;
            }
            let node = self.nodes.last_mut()?;
            node.explored.push(atom);
            let cell = node.cell;
            if std::mem::replace(&mut node.touched, true) {
                self.restore();
            }
            self.path.push(atom);
            self.traces.truncate(depth - 1);
            let trace = self.set_apart(cell, atom);
            self.traces.push(trace);
            if let Some(best) = &self.best {
                let prefix_equal =
                    self.traces[..depth - 1].iter().zip(&best.traces).all(|(a, b)| a == b);
                if prefix_equal && !self.better {
                    match best.traces.get(depth - 1) {
                        Some(&known) if trace == known => {}
                        Some(&known) if trace < known => self.better = true,
                        _ => continue,
                    }
                }
            }
            return Some(Step::Down);
        }
    }

    /// Sets an atom apart; the digest of what follows is the same for equivalent choices.
    fn set_apart(&mut self, cell: usize, atom: u32) -> u64 {
        self.partition.trace = 0;
        self.partition.individualise(cell, atom);
        if self.partition.marked_atoms || self.partition.marked_bonds {
            self.partition.work += (self.span.end - self.span.start) as u64 / 4;
            mix(self.partition.trace, self.partition.stereo_digest(self.span))
        } else {
            self.partition.trace
        }
    }

    /// Where stereo elements are open, choices are seldom equivalent. All are tried, and only
    /// those with the smallest digest followed: chains of open elements would else double the
    /// work with each of them.
    fn keep_best_choices(&mut self) {
        if !self.partition.marked_atoms && !self.partition.marked_bonds {
            return;
        }
        let node = self.nodes.last_mut().expect("a node is open");
        if node.candidates.len() > COMPARED_CHOICES {
            return;
        }
        let cell = node.cell;
        let candidates = std::mem::take(&mut node.candidates);
        let mut digests = Vec::with_capacity(candidates.len());
        for &atom in &candidates {
            digests.push(self.set_apart(cell, atom));
            self.restore();
        }
        let least = digests.iter().copied().min();
        let best = candidates.iter().zip(&digests).filter(|&(_, &d)| Some(d) == least);
        let best = best.map(|(&atom, _)| atom).collect();
        self.nodes.last_mut().expect("the node is still open").candidates = best;
    }

    fn save(&self) -> Saved {
        let Span { start, end } = self.span;
        let atoms = &self.partition.order[start..end];
        Saved {
            class: atoms.iter().map(|&atom| self.partition.class[atom as usize]).collect(),
            order: atoms.to_vec(),
            size: self.partition.size[start..end].to_vec(),
            trace: self.partition.trace,
            path: self.path.len(),
        }
    }

    fn restore(&mut self) {
        let node = self.nodes.last().expect("a node is open");
        let Span { start, end } = self.span;
        for (&atom, &class) in node.saved.order.iter().zip(&node.saved.class) {
            self.partition.class[atom as usize] = class;
        }
        self.partition.order[start..end].copy_from_slice(&node.saved.order);
        self.partition.size[start..end].copy_from_slice(&node.saved.size);
        self.partition.trace = node.saved.trace;
        self.partition.places_from_order(start, end);
        // Cells may have become hard again.
        self.ties.look(self.partition, self.span);
    }

    fn leaf(&mut self) {
        let Span { start, end } = self.span;
        let leaf = Leaf {
            order: self.partition.order[start..end].to_vec(),
            table: table(self.partition, self.span),
            traces: self.traces.clone(),
        };
        let Some(first) = &self.first else {
            self.best = Some(Leaf {
                order: leaf.order.clone(),
                table: leaf.table.clone(),
                traces: leaf.traces.clone(),
            });
            self.first = Some(leaf);
            return;
        };
        if leaf.traces == first.traces && leaf.table == first.table {
            let symmetry = moved(&first.order, &leaf.order);
            self.found(symmetry);
            return;
        }
        let best = self.best.as_ref().expect("the best leaf is at least the first");
        if leaf.traces == best.traces && leaf.table == best.table {
            let symmetry = moved(&best.order, &leaf.order);
            self.found(symmetry);
            return;
        }
        if self.better || (&leaf.traces, &leaf.table) < (&best.traces, &best.table) {
            self.best = Some(leaf);
        }
        self.better = false;
    }

    /// Keeps a symmetry, and leaves the subtree that it shows to be a copy of an explored one:
    /// back to the deepest node whose earlier choices it respects.
    fn found(&mut self, symmetry: Vec<(u32, u32)>) {
        self.better = false;
        let keeps = |atom: u32| !symmetry.iter().any(|&(from, _)| from == atom);
        let kept = self.path.iter().take_while(|&&atom| keeps(atom)).count();
        while self.nodes.len() > 1 && self.nodes.last().is_some_and(|node| node.saved.path > kept) {
            self.nodes.pop();
        }
        if self.generators.len() < MOST_GENERATORS {
            self.generators.push(symmetry);
        }
    }

    /// Whether a symmetry that keeps the path carries an explored candidate into this one.
    fn is_equivalent_to_explored(&mut self, atom: u32) -> bool {
        let node = self.nodes.last_mut().expect("a node is open");
        if self.generators.is_empty() {
            return false;
        }
        if node.orbits.is_empty() {
            node.orbits.extend(0..self.partition.molecule.atom_count() as u32);
        }
        for generator in &self.generators[node.considered..] {
            let moves = |atom: &u32| generator.iter().any(|(from, _)| from == atom);
            if !self.path.iter().any(moves) {
                for &(from, to) in generator {
                    let (a, b) = (root(&mut node.orbits, from), root(&mut node.orbits, to));
                    node.orbits[a as usize] = b;
                }
            }
        }
        node.considered = self.generators.len();
        let mine = root(&mut node.orbits, atom);
        node.explored.iter().any(|&other| root(&mut node.orbits, other) == mine)
    }
}

/// Representative of an atom's set, with the path to it halved.
fn root(sets: &mut [u32], mut atom: u32) -> u32 {
    while sets[atom as usize] != atom {
        sets[atom as usize] = sets[sets[atom as usize] as usize];
        atom = sets[atom as usize];
    }
    atom
}

/// The atoms that a renumbering moves, with their images.
fn moved(from: &[u32], to: &[u32]) -> Vec<(u32, u32)> {
    from.iter().zip(to).filter(|(a, b)| a != b).map(|(&a, &b)| (a, b)).collect()
}

/// The connection table of a fully ordered component: for each atom its handedness and its bonds
/// to lower atoms. Invariants of the atoms themselves are the same in all orders.
fn table(partition: &Partition<'_>, span: Span) -> Vec<u32> {
    let molecule = partition.molecule;
    let mut table = Vec::with_capacity(3 * (span.end - span.start));
    let mut row: Vec<(u32, u32)> = Vec::with_capacity(8);
    for place in span.start..span.end {
        let atom = partition.order[place] as usize;
        row.clear();
        for neighbour in molecule.neighbours(atom) {
            let lower = partition.class[neighbour.atom()];
            if (lower as usize) < place {
                row.push((lower - span.start as u32, partition.bond_kind(atom, neighbour.bond())));
            }
        }
        row.sort_unstable();
        table.push(row.len() as u32);
        for &(lower, kind) in &row {
            table.push(lower);
            table.push(kind);
        }
        if partition.marked_atoms {
            table.push(u32::from(partition.centre_code(atom)));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::Invariants;
    use crate::{AtomOrder, Molecule, WriteOptions, write_smiles};

    const INVARIANTS: Invariants = Invariants { isomeric: true, atom_maps: false };

    /// The smallest table over all ways to break all ties, and how many ways there are.
    fn brute_force(partition: &mut Partition<'_>, span: Span, ways: &mut usize) -> Vec<u32> {
        let Some(cell) = partition.next_tie(span.start, span) else {
            *ways += 1;
            return table(partition, span);
        };
        let members = partition.order[cell..cell + partition.size[cell] as usize].to_vec();
        let saved = (partition.class.clone(), partition.order.clone(), partition.size.clone());
        let mut least: Option<Vec<u32>> = None;
        for atom in members {
            partition.individualise(cell, atom);
            let table = brute_force(partition, span, ways);
            if least.as_ref().is_none_or(|known| table < *known) {
                least = Some(table);
            }
            (partition.class, partition.order, partition.size) = saved.clone();
        }
        least.expect("a tied cell has members")
    }

    /// The search must tell molecules apart and keep spellings together exactly as looking at all
    /// ways does.
    #[test]
    fn search_agrees_with_trying_everything() {
        let families = [
            ["C12C3C4C1C5C4C3C25", "C1=CC2C=CC1C=C2", "C12C3C1C1C2C31", "C1CC2CC1CC2"],
            [
                "C[C@H]1CC[C@@H](C)CC1",
                "C[C@H]1CC[C@H](C)CC1",
                "C[C@H]1C[C@@H](C)C1",
                "C[C@H]1C[C@H](C)C1",
            ],
            [
                "F[C@H]1[C@@H](F)[C@H](F)[C@@H]1F",
                "F[C@H]1[C@H](F)[C@@H](F)[C@@H]1F",
                "F[C@H]1[C@H](F)[C@H](F)[C@@H]1F",
                "F[C@H]1[C@H](F)[C@H](F)[C@H]1F",
            ],
            [
                "[C@H]12[C@H]3[C@@H]4[C@H]1[C@H]5[C@@H]4[C@H]3[C@@H]25",
                "[C@H]12[C@H]3[C@H]4[C@H]1[C@H]5[C@@H]4[C@H]3[C@@H]25",
                "[C@H]12[C@H]3[C@H]4[C@H]1[C@H]5[C@H]4[C@H]3[C@@H]25",
                "[C@H]12[C@H]3[C@H]4[C@H]1[C@H]5[C@H]4[C@H]3[C@H]25",
            ],
        ];
        let mut most_ways = 0;
        for family in families {
            let mut seen: Vec<(Vec<u32>, String)> = Vec::new();
            for (text, seed) in family.iter().flat_map(|text| (0..4).map(move |seed| (text, seed)))
            {
                let molecule = Molecule::from_smiles(text).unwrap();
                let order = AtomOrder::Random(seed);
                let spelling =
                    write_smiles(&molecule, &WriteOptions { order, ..WriteOptions::default() })
                        .text;
                let molecule = Molecule::from_smiles(&spelling).unwrap();
                let (mut partition, spans) = Partition::new(&molecule, INVARIANTS);
                partition.start(spans[0], INVARIANTS);
                let mut ways = 0;
                let least = brute_force(&mut partition, spans[0], &mut ways);
                most_ways = most_ways.max(ways);
                seen.push((least, molecule.to_smiles()));
            }
            for (table, text) in &seen {
                for (other_table, other_text) in &seen {
                    assert_eq!(table == other_table, text == other_text, "{text} {other_text}");
                }
            }
        }
        assert!(most_ways >= 48, "the cube has 48 ways: {most_ways}");
    }

    #[test]
    fn refinement_alone_settles_trees_and_pairs() {
        for text in ["CC(C)(C)c1ccccc1", "CCCC(CC)CC", "c1ccc(cc1)C(F)(F)F", "Cc1ccc(O)cc1"] {
            let molecule = Molecule::from_smiles(text).unwrap();
            let (mut partition, spans) = Partition::new(&molecule, INVARIANTS);
            partition.start(spans[0], INVARIANTS);
            let mut ties = Ties::default();
            ties.look(&mut partition, spans[0]);
            assert!(!ties.any_hard, "{text}");
        }
        let biphenyl = Molecule::from_smiles("c1ccccc1-c1ccccc1").unwrap();
        let (mut partition, spans) = Partition::new(&biphenyl, INVARIANTS);
        partition.start(spans[0], INVARIANTS);
        let mut ties = Ties::default();
        ties.look(&mut partition, spans[0]);
        assert!(ties.any_hard);
    }

    #[test]
    fn a_search_that_is_stopped_says_so() {
        // Six copies each of two strongly regular graphs that refinement cannot tell apart.
        let mut bonds: Vec<(usize, usize)> = Vec::new();
        let mut atoms = 1;
        for copy in 0..12 {
            let at = |a: usize, b: usize| atoms + 4 * (a % 4) + b % 4;
            for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                bonds.push((0, at(a, b)));
                if copy % 2 == 0 {
                    bonds.extend(
                        [(0, 1), (1, 0), (1, 1)].map(|(c, d)| (at(a, b), at(a + c, b + d))),
                    );
                } else {
                    for step in 1..=2 {
                        bonds.push((at(a, b), at(a + step, b)));
                        bonds.push((at(a, b), at(a, b + step)));
                    }
                }
            }
            atoms += 16;
        }
        bonds.iter_mut().for_each(|b| *b = (b.0.min(b.1), b.0.max(b.1)));
        bonds.sort_unstable();
        bonds.dedup();
        let mut builder = crate::MoleculeBuilder::new();
        for _ in 0..atoms {
            let mut atom = crate::AtomSpec::new(crate::Element::new(92).unwrap());
            atom.hydrogens = crate::Hydrogens::Exactly(0);
            builder.add_atom(atom);
        }
        for (a, b) in bonds {
            builder.add_bond(a, b, crate::BondOrder::Single);
        }
        let molecule = builder.build().unwrap();
        let written = write_smiles(&molecule, &WriteOptions::default());
        assert!(!written.certain);
        assert_eq!(written.text, molecule.to_smiles());
    }
}

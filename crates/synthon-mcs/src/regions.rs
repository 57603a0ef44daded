//! What lies beyond the fringe of a growing common graph, in connected parts on either side.
//!
//! A part of the query can only meet parts of the target to which one of its fringe bonds may
//! lead. The bound adds up what each part can match at most, seen from either side.

use crate::bits::Bits;
use crate::problem::{Group, Problem, bound};

/// Most parts told apart on one side; further ones are counted with the last.
const MOST_PARTS: usize = 64;

/// A connected part: its atoms, and the bonds in it and into it that are still open.
pub(crate) struct Part<const W: usize> {
    pub(crate) atoms: Bits<W>,
    bonds: Bits<W>,
    /// Of a part of the query: the parts of the target that it may meet, and their bonds.
    parts: u64,
    targets: Bits<W>,
}

impl<const W: usize> Part<W> {
    fn new(atoms: Bits<W>, bonds: Bits<W>) -> Self {
        Part { atoms, bonds, parts: 0, targets: Bits::EMPTY }
    }
}

/// A fringe bond, its part of the query, and the parts of the target it may lead to.
pub(crate) struct Link {
    pub(crate) bond: usize,
    pub(crate) part: usize,
    pub(crate) parts: u64,
}

/// The parts of one search frame; the buffers are kept from frame to frame.
pub(crate) struct Regions<const W: usize> {
    pub(crate) query: Vec<Part<W>>,
    target: Vec<Part<W>>,
    pub(crate) links: Vec<Link>,
    /// Of each part of the target: the bonds of the parts of the query that may meet it.
    met: Vec<Bits<W>>,
    /// The bound, counted from either side.
    by_query: usize,
    by_target: usize,
}

impl<const W: usize> Regions<W> {
    pub(crate) fn new() -> Self {
        Regions {
            query: Vec::new(),
            target: Vec::new(),
            links: Vec::new(),
            met: Vec::new(),
            by_query: 0,
            by_target: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.query.clear();
        self.target.clear();
        self.links.clear();
    }

    /// The part of the query that holds `seed`, found by following bonds that are alive.
    pub(crate) fn query_part(
        &mut self,
        problem: &Problem<W>,
        alive: &Bits<W>,
        mapped: &Bits<W>,
        seed: usize,
    ) -> usize {
        if let Some(part) = self.query.iter().position(|part| part.atoms.contains(seed)) {
            return part;
        }
        let mut atoms = Bits::single(seed);
        let mut todo = atoms;
        let mut bonds = Bits::EMPTY;
        while let Some(atom) = todo.pop() {
            bonds = bonds.or(&problem.query.incident[atom]);
            for &(other, bond) in &problem.query.neighbours[atom] {
                let other = other as usize;
                if alive.contains(bond as usize)
                    && !atoms.contains(other)
                    && !mapped.contains(other)
                {
                    atoms.insert(other);
                    todo.insert(other);
                }
            }
        }
        self.query.push(Part::new(atoms, bonds.and(alive)));
        self.query.len() - 1
    }

    /// The part of the target that holds `seed`, within the atoms that are `free`; bonds at
    /// mapped atoms without a fringe are `spent`.
    pub(crate) fn target_part(
        &mut self,
        problem: &Problem<W>,
        free: &Bits<W>,
        spent: &Bits<W>,
        seed: usize,
    ) -> usize {
        if let Some(part) = self.target.iter().position(|part| part.atoms.contains(seed)) {
            return part;
        }
        let atoms = problem.target.flood(Bits::single(seed), free);
        let bonds = problem.target.touched_bonds(&atoms).minus(spent);
        if self.target.len() == MOST_PARTS {
            let last = &mut self.target[MOST_PARTS - 1];
            last.atoms = last.atoms.or(&atoms);
            last.bonds = last.bonds.or(&bonds);
        } else {
            self.target.push(Part::new(atoms, bonds));
        }
        self.target.len() - 1
    }

    pub(crate) fn target_atoms(&self) -> Bits<W> {
        self.target.iter().fold(Bits::EMPTY, |all, part| all.or(&part.atoms))
    }

    /// The most bonds that can still be matched. Keeps what [`without`](Self::without) builds on.
    pub(crate) fn bound(&mut self, groups: &[Group<W>]) -> usize {
        self.met.clear();
        self.met.resize(self.target.len(), Bits::EMPTY);
        for (index, part) in self.query.iter_mut().enumerate() {
            part.parts = links_of(&self.links, index, usize::MAX);
            part.targets = bonds_of_parts(&self.target, part.parts);
            for other in members(part.parts) {
                self.met[other] = self.met[other].or(&part.bonds);
            }
        }
        self.by_query =
            self.query.iter().map(|part| bound(groups, &part.bonds, &part.targets)).sum();
        // With one part on a side, counting from there cannot give more.
        self.by_target = if self.query.len() == 1 {
            self.by_query
        } else {
            let met = self.target.iter().zip(&self.met);
            met.map(|(target, met)| bound(groups, met, &target.bonds)).sum()
        };
        self.by_query.min(self.by_target)
    }

    /// The same when the fringe bond of link `skip` is not matched.
    pub(crate) fn without(&self, problem: &Problem<W>, skip: usize) -> usize {
        let Link { bond, part: index, .. } = self.links[skip];
        let part = &self.query[index];
        let parts = links_of(&self.links, index, skip);
        let mut bonds = part.bonds;
        bonds.remove(bond);
        if parts == part.parts {
            // Only the count of the bond's own group can be less.
            let Some(group) = problem.bond_groups.get(usize::from(problem.bond_group[bond])) else {
                return self.by_query.min(self.by_target);
            };
            let lost = |query: &Bits<W>, target: &Bits<W>| {
                let mut rest = *query;
                rest.remove(bond);
                group.bound(query, target) - group.bound(&rest, target)
            };
            let by_query = self.by_query - lost(&part.bonds, &part.targets);
            if self.query.len() == 1 {
                return by_query;
            }
            let lost: usize =
                members(parts).map(|other| lost(&self.met[other], &self.target[other].bonds)).sum();
            return by_query.min(self.by_target - lost);
        }
        let groups = &problem.bond_groups;
        let targets = bonds_of_parts(&self.target, parts);
        let by_query = self.by_query + bound(groups, &bonds, &targets)
            - bound(groups, &part.bonds, &part.targets);
        if self.query.len() == 1 {
            return by_query;
        }
        let mut by_target = self.by_target;
        for other in members(part.parts) {
            let target = &self.target[other].bonds;
            let mut met = self.met[other].minus(&part.bonds);
            if parts >> other & 1 == 1 {
                met = met.or(&bonds);
            }
            by_target =
                by_target + bound(groups, &met, target) - bound(groups, &self.met[other], target);
        }
        by_query.min(by_target)
    }
}

/// The parts of the target that links of a part of the query lead to, but for link `skip`.
fn links_of(links: &[Link], part: usize, skip: usize) -> u64 {
    links
        .iter()
        .enumerate()
        .filter(|&(at, link)| link.part == part && at != skip)
        .fold(0, |all, (_, link)| all | link.parts)
}

fn bonds_of_parts<const W: usize>(target: &[Part<W>], parts: u64) -> Bits<W> {
    members(parts).fold(Bits::EMPTY, |all, part| all.or(&target[part].bonds))
}

fn members(parts: u64) -> impl Iterator<Item = usize> {
    Bits([parts]).iter()
}

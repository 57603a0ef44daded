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
}

impl<const W: usize> Regions<W> {
    pub(crate) fn new() -> Self {
        Regions { query: Vec::new(), target: Vec::new(), links: Vec::new() }
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
        self.query.push(Part { atoms, bonds: bonds.and(alive) });
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
            self.target.push(Part { atoms, bonds });
        }
        self.target.len() - 1
    }

    pub(crate) fn target_atoms(&self) -> Bits<W> {
        self.target.iter().fold(Bits::EMPTY, |all, part| all.or(&part.atoms))
    }

    /// The most bonds that can still be matched when the fringe bond of link `skip` is not.
    pub(crate) fn bound(&self, groups: &[Group<W>], skip: usize) -> usize {
        let skipped = self.links.get(skip).map(|link| link.bond);
        let mut by_query = 0;
        let mut met = [Bits::<W>::EMPTY; MOST_PARTS];
        for (index, part) in self.query.iter().enumerate() {
            let parts = self
                .links
                .iter()
                .filter(|link| link.part == index && Some(link.bond) != skipped)
                .fold(0, |all, link| all | link.parts);
            if parts == 0 {
                continue;
            }
            let mut bonds = part.bonds;
            if let Some(bond) = skipped {
                bonds.remove(bond);
            }
            let mut targets = Bits::EMPTY;
            for (other, target) in self.target.iter().enumerate() {
                if parts >> other & 1 == 1 {
                    targets = targets.or(&target.bonds);
                    met[other] = met[other].or(&bonds);
                }
            }
            by_query += bound(groups, &bonds, &targets);
        }
        let by_target = self
            .target
            .iter()
            .zip(&met)
            .map(|(target, met)| bound(groups, met, &target.bonds))
            .sum();
        by_query.min(by_target)
    }
}

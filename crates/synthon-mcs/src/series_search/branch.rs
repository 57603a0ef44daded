//! What the part can still come to, and which atom or bond is asked about next.

use synthon_budget::Budget;

use super::embeddings::bits_of;
use super::{BestPart, Branch, Halt, Member, SeriesSearch};
use crate::bits::Bits;
use crate::problem::bound;

/// Embeddings of one molecule that are looked at one by one for a bound.
const BOUNDED_ONE_BY_ONE: usize = 32;

/// With more numbers than this in the lists, one node takes long enough to look at the clock.
const CLOCKED_CELLS: usize = 1 << 12;

impl<const W: usize> SeriesSearch<W> {
    /// Works out what the top frame can still reach and what to ask about; false when nothing
    /// better can come of it.
    pub(super) fn expand(&mut self, best: &BestPart, budget: &mut Budget) -> Result<bool, Halt> {
        budget.tick()?;
        if self.cells > CLOCKED_CELLS {
            budget.check()?;
        }
        let top = self.frames.len() - 1;
        let branch =
            if self.induced() { self.next_atom(top, best) } else { self.next_bond(top, best) };
        let Some(branch) = branch else { return Ok(false) };
        self.frames[top].branch = branch;
        self.frames[top].expanded = true;
        Ok(true)
    }

    fn next_atom(&mut self, top: usize, best: &BestPart) -> Option<Branch> {
        let frame = &self.frames[top];
        let query = &self.own.query;
        let near =
            frame.atoms.iter().fold(Bits::EMPTY, |all: Bits<W>, q| all.or(&query.adjacent[q]));
        let mut open = frame.open;
        for q in near.and(&open).iter() {
            let has_place = |index: usize, member: &Member<W>| {
                frame.lists[index].chunks_exact(frame.width).any(|embedding| {
                    let used = bits_of(embedding);
                    !self.options(&member.problem, frame, embedding, &used, q, None).is_empty()
                })
            };
            if !self.enough(has_place) {
                open.remove(q);
            }
        }
        loop {
            open = query.flood(frame.atoms, &open).minus(&frame.atoms);
            let Some(rings) = &self.own.rings else { break };
            let kept = rings.query.keep_whole(&frame.atoms, &open)?;
            if kept == open {
                break;
            }
            open = kept;
        }
        let fringe = near.and(&open);
        let whole = open.or(&frame.atoms);
        let rings = query.rings_within(&whole);
        let size = frame.width as u32;
        let beats = |more: u32| {
            let primary = size + more;
            best.admits(primary, primary - 1 + rings)
        };
        let worth = |index: usize, member: &Member<W>| {
            let problem = &member.problem;
            let list = &frame.lists[index];
            if list.is_empty() {
                return false;
            }
            let coarse: usize = problem
                .atom_groups
                .iter()
                .map(|group| {
                    let left = group.target.len() - group.query.common(&frame.atoms);
                    group.query.common(&open).min(left)
                })
                .sum();
            if !beats(coarse as u32) {
                return false;
            }
            if list.len() > BOUNDED_ONE_BY_ONE * frame.width {
                return true;
            }
            list.chunks_exact(frame.width).any(|embedding| {
                let used = bits_of(embedding);
                let closed = used.iter().fold(used, |all, t| all.or(&problem.target.adjacent[t]));
                let mut free = Bits::first(problem.target.atoms).minus(&closed);
                for q in fringe.iter() {
                    free = free.or(&self.options(problem, frame, embedding, &used, q, None));
                }
                let reached = problem.target.flood(used, &free).minus(&used);
                beats(bound(&problem.atom_groups, &open, &reached) as u32)
            })
        };
        if fringe.is_empty() || !self.enough(worth) || !beats(open.len() as u32) {
            return None;
        }
        // The atom without which the least is left.
        let chosen = fringe.iter().min_by_key(|&q| {
            let mut without = open;
            without.remove(q);
            let left = query.flood(frame.atoms, &without).len();
            (left, std::cmp::Reverse(query.adjacent[q].common(&frame.atoms)))
        });
        self.frames[top].open = open;
        chosen.map(Branch::Atom)
    }

    fn next_bond(&mut self, top: usize, best: &BestPart) -> Option<Branch> {
        let frame = &self.frames[top];
        let query = &self.own.query;
        let mut open = frame.open;
        let reached = |open: &Bits<W>| query.flood_over(frame.atoms, open);
        for bond in query.touched_bonds(&frame.atoms).and(&open).iter() {
            let (a, b) = (query.bonds[bond].0 as usize, query.bonds[bond].1 as usize);
            let (inner, outer) = if frame.atoms.contains(a) { (a, b) } else { (b, a) };
            let has_place = |index: usize, member: &Member<W>| {
                frame.lists[index].chunks_exact(frame.width).any(|embedding| {
                    if frame.atoms.contains(outer) {
                        let (x, y) = (embedding[self.place[a]], embedding[self.place[b]]);
                        return member.problem.bond_matches(bond, x as usize, y as usize);
                    }
                    let used = bits_of(embedding);
                    let via = Some((bond, inner));
                    !self.options(&member.problem, frame, embedding, &used, outer, via).is_empty()
                })
            };
            if !self.enough(has_place) {
                open.remove(bond);
            }
        }
        if let Some(rings) = &self.own.rings {
            open = open.and(&rings.query.whole_bonds(&open.or(&frame.bonds)));
        }
        let atoms = reached(&open);
        open = open.and(&query.touched_bonds(&atoms));
        let fringe = query.touched_bonds(&frame.atoms).and(&open);
        let matched = frame.bonds.len() as u32;
        let closed = matched + 1 - frame.width as u32;
        let beats = |more: u32| {
            let primary = matched + more;
            best.admits(primary, (primary + 1 - closed).min(atoms.len() as u32))
        };
        let worth = |index: usize, member: &Member<W>| {
            let problem = &member.problem;
            let list = &frame.lists[index];
            if list.is_empty() {
                return false;
            }
            let all = Bits::first(problem.target.bonds.len());
            if !beats(bound(&problem.bond_groups, &open, &all) as u32) {
                return false;
            }
            if list.len() > BOUNDED_ONE_BY_ONE * frame.width {
                return true;
            }
            list.chunks_exact(frame.width).any(|embedding| {
                let used = bits_of(embedding);
                let free = Bits::first(problem.target.atoms);
                let near = problem.target.flood(used, &free);
                let mut bonds = problem.target.touched_bonds(&near);
                for bond in frame.bonds.iter() {
                    let (a, b) = query.bonds[bond];
                    let (x, y) =
                        (embedding[self.place[a as usize]], embedding[self.place[b as usize]]);
                    let taken = problem.target.neighbours[x as usize]
                        .iter()
                        .find(|&&(other, _)| other == y);
                    if let Some(&(_, taken)) = taken {
                        bonds.remove(taken as usize);
                    }
                }
                beats(bound(&problem.bond_groups, &open, &bonds) as u32)
            })
        };
        if fringe.is_empty() || !self.enough(worth) || !beats(open.len() as u32) {
            return None;
        }
        // Bonds that close a ring first, then the bond without which the least is left.
        let chosen = fringe.iter().min_by_key(|&bond| {
            let (a, b) = query.bonds[bond];
            let closes = frame.atoms.contains(a as usize) && frame.atoms.contains(b as usize);
            let mut without = open;
            without.remove(bond);
            (!closes, reached(&without).len())
        })?;
        let (a, b) = (query.bonds[chosen].0 as usize, query.bonds[chosen].1 as usize);
        self.frames[top].open = open;
        let inner_first = self.frames[top].atoms.contains(a);
        let (inner, outer) = if inner_first { (a, b) } else { (b, a) };
        Some(Branch::Bond(chosen, inner, outer))
    }
}

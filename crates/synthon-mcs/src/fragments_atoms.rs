//! The induced objective in any number of pieces: the most atoms, then the most bonds.
//!
//! Query atoms are placed or left out one by one, those with the fewest places first. Open atoms
//! fall into classes by the mapped atoms that they are bonded to; a class can give no more than
//! it has atoms, nor more than it has places (partition refinement in the manner of McSplit,
//! McCreesh, Prosser and Trimble 2017, but without its assumption that labels are classes).

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::incumbent::Incumbent;
use crate::measure::Measure;
use crate::pieces::PieceLimits;
use crate::problem::{Problem, bound, tick};
use crate::proved::{Digest, Proved};
use crate::similarity::best_of;

struct Frame<const W: usize> {
    mapped_q: Bits<W>,
    mapped_t: Bits<W>,
    /// Mapped target atoms and their neighbours.
    closed_t: Bits<W>,
    /// Neighbours of mapped query atoms.
    fringe: Bits<W>,
    /// Query atoms that may still join.
    active: Bits<W>,
    size: u32,
    bonds: u32,
    branch: usize,
    options: Bits<W>,
    /// Answers without the branch atom cannot be better.
    forced: bool,
    expanded: bool,
    trail: usize,
    /// States of [`Proved`] being worked on before the frame.
    mark: usize,
}

pub(crate) struct FragmentAtomSearch<'a, M, const W: usize> {
    problem: &'a Problem<W>,
    similarity: &'a [u32],
    measure: M,
    limits: PieceLimits,
    frames: Vec<Frame<W>>,
    /// Places of each query atom that agree with its mapped neighbours.
    rows: Vec<Bits<W>>,
    trail: Vec<(u32, Bits<W>)>,
    image: Vec<u32>,
    order: Vec<u32>,
    /// Fringe atoms and their places in the frame at hand.
    choices: Vec<(usize, Bits<W>)>,
    proved: Proved,
    /// Whether placing a leaf on a leaf can never be wrong.
    leaves_gain: bool,
}

impl<'a, M: Measure<W>, const W: usize> FragmentAtomSearch<'a, M, W> {
    pub(crate) fn new(
        problem: &'a Problem<W>,
        similarity: &'a [u32],
        measure: M,
        limits: PieceLimits,
    ) -> Self {
        // Stereo and rings look back at the atoms that are mapped, limits at the pieces.
        let looks_back = problem.stereo.is_some()
            || problem.rings.is_some()
            || problem.required.is_some()
            || limits.least_atoms > 1
            || limits.most_pieces < problem.query.atoms;
        FragmentAtomSearch {
            proved: Proved::new(!looks_back),
            leaves_gain: !looks_back && measure.is_even(),
            problem,
            similarity,
            measure,
            limits,
            frames: Vec::new(),
            rows: problem.domain.clone(),
            trail: Vec::new(),
            image: vec![0; problem.query.atoms],
            order: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Runs to the proved optimum or to the end of the budget.
    pub(crate) fn run(&mut self, best: &mut Incumbent, budget: &mut Budget) -> Result<(), Stop> {
        let problem = self.problem;
        let mut active = Bits::EMPTY;
        for (q, row) in problem.domain.iter().enumerate() {
            if !row.is_empty() {
                active.insert(q);
            }
        }
        self.frames.push(Frame {
            mapped_q: Bits::EMPTY,
            mapped_t: Bits::EMPTY,
            closed_t: Bits::EMPTY,
            fringe: Bits::EMPTY,
            active,
            size: 0,
            bonds: 0,
            branch: 0,
            options: Bits::EMPTY,
            forced: false,
            expanded: false,
            trail: 0,
            mark: 0,
        });
        while let Some(frame) = self.frames.last() {
            if !frame.expanded && !self.expand(best, budget.nodes()) {
                self.proved.close(self.frames[self.frames.len() - 1].mark, sizes_of(best));
                self.pop();
                continue;
            }
            let top = self.frames.len() - 1;
            let frame = &mut self.frames[top];
            let branch = frame.branch;
            let row = &self.similarity[branch * problem.target.atoms..];
            tick::<W>(budget)?;
            if let Some((t, _)) = best_of(row, frame.options) {
                frame.options.remove(t);
                self.push(branch, t, best);
            } else if frame.forced {
                frame.active = Bits::EMPTY;
                frame.expanded = false;
            } else {
                frame.active = frame.active.minus(&problem.query.twins(branch));
                frame.expanded = false;
            }
        }
        Ok(())
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for (q, row) in self.trail.drain(frame.trail..).rev() {
                self.rows[q as usize] = row;
            }
            self.order.pop();
        }
    }

    fn push(&mut self, q: usize, t: usize, best: &mut Incumbent) {
        let problem = self.problem;
        let trail = self.trail.len();
        let frame = &self.frames[self.frames.len() - 1];
        let mut active = frame.active;
        active.remove(q);
        for &(other, bond) in &problem.query.neighbours[q] {
            let other = other as usize;
            if active.contains(other) {
                let old = self.rows[other];
                let new = old.and(problem.reach(bond as usize, t));
                if new != old {
                    self.trail.push((other as u32, old));
                    self.rows[other] = new;
                }
            }
        }
        let mut mapped_q = frame.mapped_q;
        let mut mapped_t = frame.mapped_t;
        let size = frame.size + self.measure.worth(q);
        let bonds = frame.bonds + problem.query.adjacent[q].common(&mapped_q) as u32;
        mapped_q.insert(q);
        mapped_t.insert(t);
        let mut closed_t = frame.closed_t.or(&problem.target.adjacent[t]);
        closed_t.insert(t);
        let fringe = frame.fringe.or(&problem.query.adjacent[q]);
        self.image[q] = t as u32;
        self.order.push(q as u32);
        self.frames.push(Frame {
            mapped_q,
            mapped_t,
            closed_t,
            fringe,
            active,
            size,
            bonds,
            branch: 0,
            options: Bits::EMPTY,
            forced: false,
            expanded: false,
            trail,
            mark: self.proved.mark(),
        });
        let joined = problem.query.bonds_inside(&mapped_q);
        if problem
            .stereo
            .as_ref()
            .is_some_and(|stereo| stereo.contradicts(q, &mapped_q, &joined, &self.image))
        {
            self.pop();
            return;
        }
        if best.admits(size, bonds) {
            self.record(&mapped_q, &joined, best);
        }
    }

    /// Records the pieces of the map that the limits and the whole-rings rule leave.
    fn record(&self, mapped: &Bits<W>, joined: &Bits<W>, best: &mut Incumbent) {
        let problem = self.problem;
        if let Some(rings) = &problem.rings {
            let images = problem.images_of_bonds(joined, &self.image);
            let atoms = mapped.iter().fold(Bits::EMPTY, |mut all: Bits<W>, q| {
                all.insert(self.image[q] as usize);
                all
            });
            if !rings.query.are_whole(mapped, joined) || !rings.target.are_whole(&atoms, &images) {
                return;
            }
        }
        let value = |atoms: &Bits<W>, bonds| (self.measure.total(atoms), bonds);
        let kept = self.limits.keep(problem, mapped, joined, value);
        let bonds = joined.and(&problem.query.bonds_inside(&kept));
        let sizes = (self.measure.total(&kept), bonds.len() as u32);
        if !kept.is_empty() && best.admits(sizes.0, sizes.1) {
            let pairs = kept.iter().map(|q| (q as u32, self.image[q]));
            best.take(sizes.0, sizes.1, pairs, bonds.iter());
        }
    }

    fn expand(&mut self, best: &Incumbent, nodes: u64) -> bool {
        let problem = self.problem;
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        let (mapped_q, mapped_t) = (frame.mapped_q, frame.mapped_t);
        let mut active = frame.active;
        self.choices.clear();
        let mut near = Bits::EMPTY;
        for q in frame.fringe.and(&active).iter() {
            let needed = problem.query.adjacent[q].common(&mapped_q);
            let mut options = self.rows[q].minus(&mapped_t);
            for t in options.iter() {
                if problem.target.adjacent[t].common(&mapped_t) != needed {
                    options.remove(t);
                }
            }
            if options.is_empty() {
                active.remove(q);
            } else {
                near = near.or(&options);
                self.choices.push((q, options));
            }
        }
        let far_q = active.minus(&frame.fringe);
        let mut far_t = Bits::first(problem.target.atoms).minus(&frame.closed_t);
        if let Some(rings) = &problem.rings {
            let Some(kept) = rings.query.keep_whole(&mapped_q, &active) else { return false };
            let Some(open) = rings.target.keep_whole(&mapped_t, &far_t.or(&near)) else {
                return false;
            };
            far_t = far_t.and(&open);
            near = near.and(&open);
            active = kept;
            for choice in &mut self.choices {
                choice.1 = choice.1.and(&open);
            }
            self.choices.retain(|(q, options)| kept.contains(*q) && !options.is_empty());
        }
        let mut far_q = far_q.and(&active);
        for q in far_q.iter() {
            if !self.rows[q].meets(&far_t) {
                far_q.remove(q);
            }
        }
        active = self.choices.iter().fold(far_q, |mut all, &(q, _)| {
            all.insert(q);
            all
        });
        frame.active = active;
        // Fringe atoms by the mapped atoms that they hang on.
        let mut close = 0;
        let mut counted = Bits::<W>::EMPTY;
        for (index, (q, options)) in self.choices.iter().enumerate() {
            if counted.contains(*q) {
                continue;
            }
            let hubs = problem.query.adjacent[*q].and(&mapped_q);
            let (mut atoms, mut places) = (Bits::<W>::EMPTY, Bits::<W>::EMPTY);
            for (other, others) in &self.choices[index..] {
                if problem.query.adjacent[*other].and(&mapped_q) == hubs {
                    counted.insert(*other);
                    atoms.insert(*other);
                    places = places.or(others);
                }
            }
            let _ = options;
            close += self.measure.most(&atoms, places.len());
        }
        let most = frame.size + close + self.measure.bound(&problem.atom_groups, &far_q, &far_t);
        if most < best.primary
            || active.is_empty()
            || !problem.may_hold_required(&active.or(&mapped_q))
        {
            return false;
        }
        if most == best.primary {
            let open_q = problem
                .query
                .touched_bonds(&active)
                .and(&problem.query.bonds_inside(&active.or(&mapped_q)));
            let open_t = far_t.or(&near);
            let open_t = problem
                .target
                .touched_bonds(&open_t)
                .and(&problem.target.bonds_inside(&open_t.or(&mapped_t)));
            let bonds = frame.bonds + bound(&problem.bond_groups, &open_q, &open_t) as u32;
            if !best.admits(most, bonds) {
                return false;
            }
        }
        if best.all.is_none() && self.proved.is_on(nodes) {
            let mut state = Digest::new();
            // Only places that some open atom may go to can matter.
            let wanted =
                far_q.iter().fold(Bits::EMPTY, |all: Bits<W>, q| all.or(&problem.domain[q]));
            state.bits(&far_q);
            state.bits(&far_t.and(&wanted));
            for (q, options) in &self.choices {
                let bonded = problem.query.adjacent[*q].common(&mapped_q);
                state.word((*q as u64) << 8 | bonded as u64);
                state.bits(options);
            }
            let from = (i64::from(frame.size), i64::from(frame.bonds));
            if self.proved.is_hopeless(state, from, sizes_of(best)) {
                return false;
            }
        }
        frame.forced = false;
        if self.leaves_gain && best.all.is_none() {
            let open = far_t.or(&near);
            for (q, options) in &self.choices {
                if problem.query.adjacent[*q].meets(&active) {
                    continue;
                }
                // A leaf that can go to a leaf: whatever else takes that place gains no more, so
                // that leaving this atom out cannot be better. Nor can another place for it,
                // unless what would have to change places with it cannot.
                let leaf = options.iter().find(|&t| !problem.target.adjacent[t].meets(&open));
                if let Some(t) = leaf {
                    let makes_way = self.choices.iter().all(|(other, places)| {
                        other == q || !places.contains(t) || options.minus(places).is_empty()
                    });
                    frame.branch = *q;
                    frame.options = if makes_way {
                        Bits::single(t)
                    } else {
                        problem.target.one_of_twins(*options)
                    };
                    frame.forced = true;
                    frame.expanded = true;
                    return true;
                }
            }
        }
        let mut chosen = (usize::MAX, 0, 0, Bits::EMPTY);
        for &(q, options) in &self.choices {
            let key = (options.len(), usize::MAX - problem.query.adjacent[q].common(&active));
            if key < (chosen.0, chosen.1) {
                chosen = (key.0, key.1, q, options);
            }
        }
        if chosen.0 == usize::MAX {
            for q in far_q.iter() {
                let options = self.rows[q].and(&far_t);
                let key = (options.len(), usize::MAX - problem.query.adjacent[q].common(&active));
                if key < (chosen.0, chosen.1) {
                    chosen = (key.0, key.1, q, options);
                }
            }
        }
        frame.branch = chosen.2;
        frame.options = problem.target.one_of_twins(chosen.3);
        frame.expanded = true;
        true
    }
}

fn sizes_of(best: &Incumbent) -> (i64, i64) {
    (i64::from(best.primary), i64::from(best.secondary))
}

//! The connected induced objective: the most atoms, then the most bonds.
//!
//! The search asks of one query atom at a time: is it part of the answer, and where does it go?
//! Atoms that have been tried in every place are taken out of the query ("peeled"), which soon
//! falls apart into pieces that are too small to beat what is in hand. Inside one such rooted
//! search the common graph grows from its fringe; what either side can still reach bounds the
//! rest. The atom asked about next is the one whose absence would cost the bound most, so that
//! the second half of the question is mostly settled by arithmetic.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::incumbent::Incumbent;
use crate::measure::Measure;
use crate::peel::Rooted;
use crate::problem::{Problem, tick};
use crate::similarity::best_of;

struct Frame<const W: usize> {
    mapped_q: Bits<W>,
    mapped_t: Bits<W>,
    /// Mapped target atoms and their neighbours: closed to query atoms away from the fringe.
    closed_t: Bits<W>,
    /// Neighbours of mapped query atoms.
    fringe: Bits<W>,
    /// Query atoms that may still join.
    active: Bits<W>,
    /// What the mapped atoms are worth.
    size: u32,
    bonds: u32,
    branch: usize,
    options: Bits<W>,
    /// Whether answers without `branch` can be better than the best in hand.
    exclude: bool,
    expanded: bool,
    /// Length of the trail when the frame was made.
    trail: usize,
}

/// A fringe atom, the places left for it, and the bound without it.
struct Choice<const W: usize> {
    atom: usize,
    options: Bits<W>,
    without: u32,
    left: Bits<W>,
}

pub(crate) struct AtomSearch<'a, M, const W: usize> {
    problem: &'a Problem<W>,
    similarity: &'a [u32],
    measure: M,
    frames: Vec<Frame<W>>,
    /// Places of each query atom that agree with its mapped neighbours.
    rows: Vec<Bits<W>>,
    /// Rows to put back when a frame is dropped.
    trail: Vec<(u32, Bits<W>)>,
    image: Vec<u32>,
    order: Vec<u32>,
    choices: Vec<Choice<W>>,
    /// True while diving for a first answer: nothing is tried twice.
    diving: bool,
}

impl<'a, M: Measure<W>, const W: usize> AtomSearch<'a, M, W> {
    pub(crate) fn new(problem: &'a Problem<W>, similarity: &'a [u32], measure: M) -> Self {
        AtomSearch {
            problem,
            similarity,
            measure,
            frames: Vec::new(),
            rows: problem.domain.clone(),
            trail: Vec::new(),
            image: vec![0; problem.query.atoms],
            order: Vec::new(),
            choices: Vec::new(),
            diving: false,
        }
    }

    /// Whether the worth `bound` within these sets would beat the best in hand.
    #[inline(always)]
    fn can_beat(&self, bound: u32, query: &Bits<W>, target: &Bits<W>, best: &Incumbent) -> bool {
        if bound != best.primary {
            return bound > best.primary;
        }
        let atoms = self.measure.most_atoms(bound, query, target);
        if atoms == 0 {
            return false;
        }
        // A connected graph has one bond fewer than atoms, and one more for each independent
        // ring, of which there cannot be more than either side has.
        best.admits(bound, atoms - 1 + self.problem.query.rings_within(query))
            && best.admits(bound, atoms - 1 + self.problem.target.rings_within(target))
    }

    /// Takes a frame off and puts back what it changed.
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for (q, row) in self.trail.drain(frame.trail..).rev() {
                self.rows[q as usize] = row;
            }
            self.order.pop();
        }
    }

    /// Adds a frame in which `q` is mapped to `t`, and records the common graph if it is better.
    /// False when a rule forbids the map.
    fn push(&mut self, q: usize, t: usize, best: &mut Incumbent) -> bool {
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
            exclude: false,
            expanded: false,
            trail,
        });
        if let Some(stereo) = &problem.stereo {
            let joined = problem.query.bonds_inside(&mapped_q);
            if stereo.contradicts(q, &mapped_q, &joined, &self.image) {
                self.pop();
                return false;
            }
        }
        if best.admits(size, bonds) && self.rings_are_whole(&mapped_q) {
            let pairs = self.order.iter().map(|&q| (q, self.image[q as usize]));
            let joined = problem.query.bonds_inside(&mapped_q);
            best.take(size, bonds, pairs, joined.iter());
        }
        true
    }

    /// Whether the map keeps to the whole-rings rule, where that is asked for.
    fn rings_are_whole(&self, mapped_q: &Bits<W>) -> bool {
        self.problem.rings.as_ref().is_none_or(|rings| {
            let joined = self.problem.query.bonds_inside(mapped_q);
            let images = self.problem.images_of_bonds(&joined, &self.image);
            let images_of_atoms = mapped_q.iter().fold(Bits::EMPTY, |mut all: Bits<W>, q| {
                all.insert(self.image[q] as usize);
                all
            });
            rings.query.are_whole(mapped_q, &joined)
                && rings.target.are_whole(&images_of_atoms, &images)
        })
    }

    /// Works out what a frame can still reach and what to branch on; false when nothing better
    /// can come of it.
    fn expand(&mut self, best: &Incumbent) -> bool {
        let problem = self.problem;
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        let (mapped_q, mapped_t, closed_t) = (frame.mapped_q, frame.mapped_t, frame.closed_t);
        let size = frame.size;
        let mut active = frame.active;
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        // Places of fringe atoms: bonded to the images of exactly the mapped neighbours.
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
                choices.push(Choice { atom: q, options, without: 0, left: Bits::EMPTY });
            }
        }
        let mut open;
        loop {
            active = problem.query.flood(mapped_q, &active).minus(&mapped_q);
            if let Some(rings) = &problem.rings {
                let Some(kept) = rings.query.keep_whole(&mapped_q, &active) else {
                    self.choices = choices;
                    return false;
                };
                if kept != active {
                    active = kept;
                    continue;
                }
            }
            let mut available = problem
                .atom_groups
                .iter()
                .filter(|group| group.query.meets(&active.minus(&frame.fringe)))
                .fold(Bits::EMPTY, |all, group| all.or(&group.target))
                .minus(&closed_t);
            let far = available;
            choices.retain(|choice| active.contains(choice.atom));
            for choice in &choices {
                available = available.or(&choice.options);
            }
            open = problem.target.flood(mapped_t, &available).minus(&mapped_t);
            if let Some(rings) = &problem.rings {
                let Some(kept) = rings.target.keep_whole(&mapped_t, &open) else {
                    self.choices = choices;
                    return false;
                };
                open = kept;
            }
            if open == available {
                break;
            }
            let before = active;
            for choice in &mut choices {
                choice.options = choice.options.and(&open);
                if choice.options.is_empty() {
                    active.remove(choice.atom);
                }
            }
            for group in &problem.atom_groups {
                if !group.target.meets(&far.and(&open)) {
                    active = active.minus(&group.query.minus(&frame.fringe));
                }
            }
            if active == before {
                break;
            }
        }
        let frame = &mut self.frames[top];
        frame.active = active;
        let (whole_q, whole_t) = (active.or(&mapped_q), open.or(&mapped_t));
        let now = size + self.measure.bound(&problem.atom_groups, &active, &open);
        let alive = !choices.is_empty()
            && problem.may_hold_required(&whole_q)
            && self.can_beat(now, &whole_q, &whole_t, best)
            && self.choose(top, &mut choices, &open, &whole_q, &whole_t, best);
        self.choices = choices;
        alive
    }

    /// Picks the atom to branch on; false when the fringe is too crowded to beat the best.
    fn choose(
        &mut self,
        top: usize,
        choices: &mut [Choice<W>],
        open: &Bits<W>,
        whole_q: &Bits<W>,
        whole_t: &Bits<W>,
        best: &Incumbent,
    ) -> bool {
        let problem = self.problem;
        let (mapped_q, active) = (self.frames[top].mapped_q, self.frames[top].active);
        let size = self.frames[top].size;
        let mut chosen = 0;
        for index in 0..choices.len() {
            let mut without = active;
            without.remove(choices[index].atom);
            let left = problem.query.flood(mapped_q, &without).minus(&mapped_q);
            choices[index].without = size + self.measure.bound(&problem.atom_groups, &left, open);
            choices[index].left = left;
            let key = |c: &Choice<W>| (c.without, c.options.len());
            if key(&choices[index]) < key(&choices[chosen]) {
                chosen = index;
            }
        }
        // Where a mapped atom has more neighbours to place than places for them, one of them at
        // least is lost.
        let mut seen = Bits::<W>::EMPTY;
        for (index, first) in choices.iter().enumerate() {
            if seen.contains(first.atom) {
                continue;
            }
            let Some(hub) = problem.query.adjacent[first.atom].and(&mapped_q).lowest() else {
                continue;
            };
            let (mut rivals, mut places, mut most) = (0, Bits::<W>::EMPTY, 0);
            for choice in &choices[index..] {
                if problem.query.adjacent[hub].contains(choice.atom) {
                    seen.insert(choice.atom);
                    rivals += 1;
                    places = places.or(&choice.options);
                    most = most.max(choice.without);
                }
            }
            if rivals > places.len() && !self.can_beat(most, whole_q, whole_t, best) {
                return false;
            }
        }
        let choice = &choices[chosen];
        let exclude = self.can_beat(choice.without, &choice.left.or(&mapped_q), whole_t, best);
        let options = problem.target.one_of_twins(choice.options);
        let frame = &mut self.frames[top];
        frame.branch = choice.atom;
        frame.options = options;
        frame.exclude = exclude;
        frame.expanded = true;
        true
    }
}

impl<M: Measure<W>, const W: usize> Rooted<W> for AtomSearch<'_, M, W> {
    fn problem(&self) -> &Problem<W> {
        self.problem
    }

    fn set_diving(&mut self, diving: bool) {
        self.diving = diving;
    }

    fn piece_bound(&self, piece: &Bits<W>) -> u32 {
        let targets = Bits::first(self.problem.target.atoms);
        self.measure.bound(&self.problem.atom_groups, piece, &targets)
    }

    fn piece_can_beat(&self, bound: u32, piece: &Bits<W>, best: &Incumbent) -> bool {
        self.can_beat(bound, piece, &Bits::first(self.problem.target.atoms), best)
    }

    fn search(
        &mut self,
        root: (usize, usize),
        piece: &Bits<W>,
        best: &mut Incumbent,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        while !self.frames.is_empty() {
            self.pop();
        }
        self.order.clear();
        self.frames.push(Frame {
            mapped_q: Bits::EMPTY,
            mapped_t: Bits::EMPTY,
            closed_t: Bits::EMPTY,
            fringe: Bits::EMPTY,
            active: *piece,
            size: 0,
            bonds: 0,
            branch: root.0,
            options: Bits::single(root.1),
            exclude: false,
            expanded: true,
            trail: self.trail.len(),
        });
        while let Some(frame) = self.frames.last() {
            if !frame.expanded && !self.expand(best) {
                self.pop();
                continue;
            }
            let top = self.frames.len() - 1;
            let frame = &mut self.frames[top];
            let branch = frame.branch;
            let row = &self.similarity[branch * self.problem.target.atoms..];
            if let Some((t, _)) = best_of(row, frame.options) {
                frame.options.remove(t);
                if self.diving {
                    frame.options = Bits::EMPTY;
                }
                tick::<W>(budget)?;
                self.push(branch, t, best);
            } else if frame.exclude && !self.diving {
                // The other half: answers without this atom, nor its twins, which would do as
                // well.
                frame.active = frame.active.minus(&self.problem.query.twins(branch));
                frame.expanded = false;
            } else {
                self.pop();
            }
        }
        Ok(())
    }
}

//! The edge objective in any number of pieces: the most bonds, then the most atoms.
//!
//! While a piece grows, bonds at its fringe are matched or cut as in the connected search; when
//! no fringe is left, a new piece is begun at an atom, or the atom is given up. Bonds at the
//! fringe are bounded by the places at the image of their inner end, the others by kind.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::cycles::{Cycles, Left};
use crate::ends::{Ends, Outer};
use crate::incumbent::Incumbent;
use crate::pieces::PieceLimits;
use crate::problem::{Problem, bound, tick};
use crate::proved::{Digest, Proved};
use crate::similarity::best_of;

/// Nodes after which a search also counts ends. Most searches are over by then; debug builds count
/// from the start, so that the small pairs of tests get there.
const FIRST_NODES: u64 = if cfg!(debug_assertions) { 0 } else { 500 };

struct Frame<const W: usize> {
    mapped_q: Bits<W>,
    mapped_t: Bits<W>,
    alive: Bits<W>,
    joined: Bits<W>,
    /// Bond to branch on (`None`: a new piece is begun), its mapped end, and the atom to place.
    branch: (Option<usize>, usize, usize),
    options: Bits<W>,
    variant: u32,
    place: Option<usize>,
    /// Answers in which the branch bond is not matched cannot be better.
    forced: bool,
    expanded: bool,
    trail: usize,
    /// States of [`Proved`] being worked on before the frame.
    mark: usize,
}

pub(crate) struct FragmentBondSearch<'a, const W: usize> {
    problem: &'a Problem<W>,
    similarity: &'a [u32],
    limits: PieceLimits,
    frames: Vec<Frame<W>>,
    rows: Vec<Bits<W>>,
    trail: Vec<(u32, Bits<W>)>,
    image: Vec<u32>,
    /// Bonds at the fringe and the places for their far ends, in the frame at hand.
    fringe: Vec<Outer<W>>,
    /// A second bound, for searches that go on.
    ends: Option<Ends>,
    /// A third; `None` inside where there are too many cycles.
    cycles: Option<Option<Cycles<W>>>,
    proved: Proved,
    /// Whether matching a leaf on a leaf can never be wrong.
    leaves_gain: bool,
}

impl<'a, const W: usize> FragmentBondSearch<'a, W> {
    pub(crate) fn new(problem: &'a Problem<W>, similarity: &'a [u32], limits: PieceLimits) -> Self {
        // Stereo and rings look back at the atoms that are mapped, limits at the pieces.
        let looks_back = problem.stereo.is_some()
            || problem.rings.is_some()
            || problem.required.is_some()
            || limits.least_atoms > 1
            || limits.most_pieces < problem.query.atoms;
        FragmentBondSearch {
            fringe: Vec::new(),
            ends: None,
            cycles: None,
            proved: Proved::new(!looks_back),
            leaves_gain: !looks_back,
            problem,
            similarity,
            limits,
            frames: Vec::new(),
            rows: problem.domain.clone(),
            trail: Vec::new(),
            image: vec![0; problem.query.atoms],
        }
    }

    /// Runs to the proved optimum or to the end of the budget.
    pub(crate) fn run(&mut self, best: &mut Incumbent, budget: &mut Budget) -> Result<(), Stop> {
        let problem = self.problem;
        let alive =
            problem.bond_groups.iter().fold(Bits::EMPTY, |all: Bits<W>, g| all.or(&g.query));
        self.frames.push(Frame {
            mapped_q: Bits::EMPTY,
            mapped_t: Bits::EMPTY,
            alive,
            joined: Bits::EMPTY,
            branch: (None, 0, 0),
            options: Bits::EMPTY,
            variant: 0,
            place: None,
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
            tick::<W>(budget)?;
            let top = self.frames.len() - 1;
            let frame = &mut self.frames[top];
            let (bond, _, atom) = frame.branch;
            if let Some(t) = frame.place {
                frame.variant -= 1;
                if frame.variant == 0 {
                    frame.place = None;
                }
                let variant = frame.variant;
                self.push((atom, t), bond, variant, best);
                continue;
            }
            let row = &self.similarity[atom * problem.target.atoms..];
            if let Some((t, _)) = best_of(row, frame.options) {
                frame.options.remove(t);
                let optional = self.optional_bonds((atom, t), bond).min(8);
                if optional > 0 {
                    let frame = &mut self.frames[top];
                    frame.place = Some(t);
                    frame.variant = 1 << optional;
                    continue;
                }
                self.push((atom, t), bond, 0, best);
            } else if frame.forced {
                frame.alive = Bits::EMPTY;
                frame.expanded = false;
            } else {
                self.exclude_branch(top);
            }
        }
        Ok(())
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for (q, row) in self.trail.drain(frame.trail..).rev() {
                self.rows[q as usize] = row;
            }
        }
    }

    fn may_leave_out(&self, a: usize, b: usize) -> bool {
        self.problem
            .stereo
            .as_ref()
            .is_some_and(|stereo| stereo.is_sensitive(a) || stereo.is_sensitive(b))
    }

    fn optional_bonds(&self, (q, t): (usize, usize), via: Option<usize>) -> u32 {
        if self.problem.stereo.is_none() {
            return 0;
        }
        let frame = &self.frames[self.frames.len() - 1];
        let optional = self.problem.query.neighbours[q].iter().filter(|&&(other, bond)| {
            let (other, bond) = (other as usize, bond as usize);
            Some(bond) != via
                && frame.alive.contains(bond)
                && frame.mapped_q.contains(other)
                && self.problem.bond_matches(bond, t, self.image[other] as usize)
                && self.may_leave_out(q, other)
        });
        optional.count() as u32
    }

    fn push(
        &mut self,
        (q, t): (usize, usize),
        via: Option<usize>,
        leave_out: u32,
        best: &mut Incumbent,
    ) {
        let problem = self.problem;
        let frame = &self.frames[self.frames.len() - 1];
        let mut alive = frame.alive;
        let mut joined = frame.joined;
        let mut turn = 0;
        for &(other, bond) in &problem.query.neighbours[q] {
            let (other, bond) = (other as usize, bond as usize);
            if alive.contains(bond) && frame.mapped_q.contains(other) {
                alive.remove(bond);
                if problem.bond_matches(bond, t, self.image[other] as usize) {
                    let optional = via != Some(bond) && self.may_leave_out(q, other);
                    if !(optional && leave_out >> turn & 1 == 1) {
                        joined.insert(bond);
                    }
                    turn += u32::from(optional);
                }
            }
        }
        let mut mapped_q = frame.mapped_q;
        let mut mapped_t = frame.mapped_t;
        mapped_q.insert(q);
        mapped_t.insert(t);
        self.image[q] = t as u32;
        self.frames.push(Frame {
            mapped_q,
            mapped_t,
            alive,
            joined,
            branch: (None, 0, 0),
            options: Bits::EMPTY,
            variant: 0,
            place: None,
            forced: false,
            expanded: false,
            trail: self.trail.len(),
            mark: self.proved.mark(),
        });
        if problem
            .stereo
            .as_ref()
            .is_some_and(|stereo| stereo.contradicts(q, &mapped_q, &joined, &self.image))
        {
            self.pop();
            return;
        }
        self.record(joined, best);
    }

    /// Records the pieces of the map that the limits and the whole-rings rule leave.
    fn record(&self, joined: Bits<W>, best: &mut Incumbent) {
        let problem = self.problem;
        if (joined.len() as u32) < best.primary || joined.is_empty() {
            return;
        }
        let joined = match &problem.rings {
            None => joined,
            Some(rings) => crate::rings::trim(problem, rings, joined, &self.image),
        };
        let atoms = problem.query.ends_of(&joined);
        let value = |atoms: &Bits<W>, bonds| (bonds, atoms.len() as u32);
        let kept = self.limits.keep(problem, &atoms, &joined, value);
        let bonds = joined.and(&problem.query.touched_bonds(&kept));
        let sizes = (bonds.len() as u32, kept.len() as u32);
        if sizes.0 > 0 && best.admits(sizes.0, sizes.1) {
            let pairs = kept.iter().map(|q| (q as u32, self.image[q]));
            best.take(sizes.0, sizes.1, pairs, bonds.iter());
        }
    }

    fn expand(&mut self, best: &Incumbent, nodes: u64) -> bool {
        let problem = self.problem;
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        let (mapped_q, mapped_t) = (frame.mapped_q, frame.mapped_t);
        if let Some(rings) = &problem.rings {
            frame.alive = frame.alive.and(&rings.query.whole_bonds(&frame.alive.or(&frame.joined)));
        }
        let mut chosen: (usize, Option<usize>, usize, usize, Bits<W>) =
            (usize::MAX, None, 0, 0, Bits::EMPTY);
        let mut close = 0;
        // Images at which bonds may still be matched.
        let mut busy = Bits::<W>::EMPTY;
        self.fringe.clear();
        let mut fringe_bonds = Bits::<W>::EMPTY;
        for inner in mapped_q.iter() {
            let image = self.image[inner] as usize;
            let (mut count, mut places) = (0, Bits::<W>::EMPTY);
            for &(outer, bond) in &problem.query.neighbours[inner] {
                let (outer, bond) = (outer as usize, bond as usize);
                if !frame.alive.contains(bond) || mapped_q.contains(outer) {
                    continue;
                }
                let options = problem.reach(bond, image).and(&self.rows[outer]).minus(&mapped_t);
                if options.is_empty() {
                    frame.alive.remove(bond);
                    continue;
                }
                fringe_bonds.insert(bond);
                self.fringe.push((bond, outer, options));
                count += 1;
                places = places.or(&options);
            }
            close += count.min(places.len());
            if count > 0 {
                busy.insert(image);
            }
        }
        let far_q = frame.alive.minus(&fringe_bonds);
        let free = Bits::first(problem.target.atoms).minus(&mapped_t);
        let all_t = Bits::first(problem.target.bonds.len());
        let far_t = all_t.minus(&problem.target.touched_bonds(&mapped_t));
        let mut far_q = far_q;
        for group in &problem.bond_groups {
            if !group.target.meets(&far_t) {
                far_q = far_q.minus(&group.query);
            }
        }
        frame.alive = far_q.or(&fringe_bonds);
        let matched = frame.joined.len() as u32;
        let mut most = matched + (close + bound(&problem.bond_groups, &far_q, &far_t)) as u32;
        let mut by_ends = None;
        if most >= best.primary && nodes > FIRST_NODES {
            if self.ends.is_none() {
                self.ends = Ends::new(problem);
            }
            by_ends = self.ends.as_mut().map(|e| e.bound(problem, &far_q, &self.fringe, &free));
            most = by_ends.map_or(most, |by_ends| most.min(matched + by_ends.ends as u32 / 2));
            if most >= best.primary {
                let cycles = self.cycles.get_or_insert_with(|| Cycles::new(problem));
                let open = problem.query.ends_of(&frame.alive).minus(&mapped_q);
                let atoms = bound(&problem.atom_groups, &open, &free);
                let left = Left {
                    atoms: by_ends.map_or(atoms, |by_ends| atoms.min(by_ends.atoms)),
                    open,
                    alive: frame.alive,
                    joined: frame.joined,
                    spent: mapped_t.minus(&busy),
                    free,
                };
                let enough = (best.primary - matched.min(best.primary)) as usize;
                if let Some(cycles) = cycles {
                    let outer = self.fringe.iter().map(|&(_, outer, _)| outer);
                    most = most.min(matched + cycles.grown(problem, &left, outer, enough) as u32);
                }
            }
        }
        if most < best.primary
            || frame.alive.is_empty()
            || !problem.may_hold_required(&problem.query.ends_of(&frame.alive).or(&mapped_q))
        {
            return false;
        }
        if most == best.primary {
            let open = problem.query.ends_of(&frame.alive).minus(&mapped_q);
            let open = bound(&problem.atom_groups, &open, &free);
            let open = by_ends.map_or(open, |by_ends| open.min(by_ends.atoms));
            let counted =
                problem.query.ends_of(&frame.joined.or(&fringe_bonds)).and(&mapped_q).len();
            if !best.admits(most, (counted + open) as u32) {
                return false;
            }
        }
        if best.all.is_none() && self.proved.is_on(nodes) {
            // Only what can matter: atoms that some open atom may go to, and a bond may lead to.
            let open = problem.query.ends_of(&frame.alive);
            let wanted = open
                .minus(&mapped_q)
                .iter()
                .fold(Bits::EMPTY, |all: Bits<W>, q| all.or(&self.rows[q]));
            let mut usable = free.and(&wanted);
            let bonds = problem
                .bond_groups
                .iter()
                .filter(|group| group.query.meets(&frame.alive))
                .fold(Bits::EMPTY, |all: Bits<W>, group| all.or(&group.target))
                .and(&problem.target.bonds_inside(&usable.or(&busy)));
            usable = usable.and(&problem.target.ends_of(&bonds));
            let mut state = Digest::new();
            state.bits(&frame.alive);
            state.bits(&usable);
            for (bond, _, options) in &self.fringe {
                state.word(*bond as u64);
                state.bits(options);
            }
            for q in open.minus(&mapped_q).iter() {
                state.bits(&self.rows[q].and(&usable));
            }
            // A mapped atom counts once it has a bond.
            let counted = problem.query.ends_of(&frame.joined);
            state.bits(&open.and(&mapped_q).and(&counted));
            let from = (i64::from(matched), counted.len() as i64);
            if self.proved.is_hopeless(state, from, sizes_of(best)) {
                return false;
            }
        }
        let leaves_gain = self.leaves_gain && best.all.is_none();
        let mut fewest = usize::MAX;
        for &(bond, outer, options) in &self.fringe {
            let (a, b) = problem.query.bonds[bond];
            let inner = (a ^ b) as usize ^ outer;
            if leaves_gain && problem.query.incident[outer].common(&frame.alive) == 1 {
                // A leaf that can go to a leaf: whatever else takes that place gains no more, so
                // that leaving this bond out cannot be better. Nor can another place for it,
                // unless what would have to change places with it cannot.
                let open = free.or(&busy);
                let leaf = options.iter().find(|&t| problem.target.adjacent[t].common(&open) == 1);
                if let Some(t) = leaf {
                    let makes_way = self.fringe.iter().all(|&(other, _, places)| {
                        other == bond || !places.contains(t) || options.minus(&places).is_empty()
                    });
                    frame.branch = (Some(bond), inner, outer);
                    frame.options = if makes_way {
                        Bits::single(t)
                    } else {
                        problem.target.one_of_twins(options)
                    };
                    frame.forced = true;
                    frame.place = None;
                    frame.expanded = true;
                    return true;
                }
            }
            if options.len() < fewest {
                fewest = options.len();
                chosen = (fewest, Some(bond), inner, outer, options);
            }
        }
        frame.forced = false;
        if chosen.1.is_none() {
            // A new piece: the atom with the most open bonds for its places.
            let mut value = (0, 0);
            for q in problem.query.ends_of(&frame.alive).minus(&mapped_q).iter() {
                let options = self.rows[q].minus(&mapped_t);
                let bonds = problem.query.incident[q].common(&frame.alive);
                let key = ((bonds << 16) / (options.len() + 1) + 1, usize::MAX - q);
                if key > value {
                    value = key;
                    chosen = (0, None, 0, q, options);
                }
            }
        }
        frame.branch = (chosen.1, chosen.2, chosen.3);
        frame.options = problem.target.one_of_twins(chosen.4);
        frame.place = None;
        frame.expanded = true;
        true
    }

    /// Turns to the other half: the branch bond is not matched, or the branch atom is given up.
    fn exclude_branch(&mut self, top: usize) {
        let problem = self.problem;
        let frame = &mut self.frames[top];
        let (bond, inner, outer) = frame.branch;
        let twins = problem.query.twins(outer);
        frame.expanded = false;
        let Some(bond) = bond else {
            for twin in twins.iter() {
                frame.alive = frame.alive.minus(&problem.query.incident[twin]);
            }
            return;
        };
        for &(other, other_bond) in &problem.query.neighbours[inner] {
            if other_bond as usize == bond || twins.contains(other as usize) {
                frame.alive.remove(other_bond as usize);
            }
        }
        if !self.may_leave_out(inner, outer) {
            // With the far end on any of these the bond would have been matched.
            let row = self.rows[outer];
            let rest = row.minus(problem.reach(bond, self.image[inner] as usize));
            if rest != row {
                self.trail.push((outer as u32, row));
                self.rows[outer] = rest;
            }
        }
    }
}

fn sizes_of(best: &Incumbent) -> (i64, i64) {
    (i64::from(best.primary), i64::from(best.secondary))
}

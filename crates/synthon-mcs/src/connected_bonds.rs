//! The connected edge objective: the most bonds, then the most atoms.
//!
//! As in the induced search, atoms are peeled off the query one root after the other. Inside a
//! rooted search the question is asked of one bond at the fringe: is it matched, and where does
//! its far end go? A bond that is not matched is cut, and its far end may then not go where the
//! bond would have been matched after all. What lies beyond the fringe falls into connected
//! parts on either side; only parts that share a mapped atom can meet, which bounds the rest.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::incumbent::Incumbent;
use crate::peel::Rooted;
use crate::problem::{Group, Problem, bound, tick};
use crate::regions::{Link, Regions};
use crate::rings;
use crate::similarity::best_of;

struct Frame<const W: usize> {
    mapped_q: Bits<W>,
    mapped_t: Bits<W>,
    /// Query bonds neither matched nor cut.
    alive: Bits<W>,
    /// Query bonds that are matched.
    joined: Bits<W>,
    size: u32,
    /// Bond to branch on, with its mapped and its other end.
    branch: (usize, usize, usize),
    options: Bits<W>,
    /// Bonds that close a ring at the current option and may be left out for stereo's sake:
    /// which of them to leave out next.
    variant: u32,
    place: Option<usize>,
    exclude: bool,
    expanded: bool,
    /// Length of the trail when the frame was made.
    trail: usize,
}

pub(crate) struct BondSearch<'a, const W: usize> {
    problem: &'a Problem<W>,
    similarity: &'a [u32],
    frames: Vec<Frame<W>>,
    /// Places left for each query atom.
    rows: Vec<Bits<W>>,
    /// Rows to put back when a frame is dropped.
    trail: Vec<(u32, Bits<W>)>,
    image: Vec<u32>,
    order: Vec<u32>,
    fringe: Vec<Fringe<W>>,
    regions: Regions<W>,
    diving: bool,
}

/// A bond at the fringe and the places for its far end.
struct Fringe<const W: usize> {
    bond: usize,
    inner: usize,
    outer: usize,
    options: Bits<W>,
    /// The bound without it.
    without: u32,
}

impl<'a, const W: usize> BondSearch<'a, W> {
    pub(crate) fn new(problem: &'a Problem<W>, similarity: &'a [u32]) -> Self {
        BondSearch {
            problem,
            similarity,
            frames: Vec::new(),
            rows: problem.domain.clone(),
            trail: Vec::new(),
            image: vec![0; problem.query.atoms],
            order: Vec::new(),
            fringe: Vec::new(),
            regions: Regions::new(),
            diving: false,
        }
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

    /// Adds a frame in which `q` is mapped to `t` by way of `via`, and records the common graph
    /// if it is better. The ring-closing bonds whose turn is set in `leave_out` stay unmatched.
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
        let size = frame.size + 1;
        self.image[q] = t as u32;
        self.order.push(q as u32);
        self.frames.push(Frame {
            mapped_q,
            mapped_t,
            alive,
            joined,
            size,
            branch: (0, 0, 0),
            options: Bits::EMPTY,
            variant: 0,
            place: None,
            exclude: false,
            expanded: false,
            trail: self.trail.len(),
        });
        if let Some(stereo) = &problem.stereo
            && stereo.contradicts(q, &mapped_q, &joined, &self.image)
        {
            self.pop();
            return;
        }
        if problem.rings.is_some() {
            self.record_whole_rings(best);
        } else {
            let matched = joined.len() as u32;
            if matched > 0 && best.admits(matched, size) {
                let pairs = self.order.iter().map(|&q| (q, self.image[q as usize]));
                best.take(matched, size, pairs, joined.iter());
            }
        }
    }

    /// Whether a matched bond between these atoms can be worth leaving out.
    fn may_leave_out(&self, a: usize, b: usize) -> bool {
        self.problem
            .stereo
            .as_ref()
            .is_some_and(|stereo| stereo.is_sensitive(a) || stereo.is_sensitive(b))
    }

    /// Number of ring-closing bonds that may be left out when `q` goes to `t`.
    fn optional_bonds(&self, (q, t): (usize, usize), via: usize) -> u32 {
        if self.problem.stereo.is_none() {
            return 0;
        }
        let frame = &self.frames[self.frames.len() - 1];
        let optional = self.problem.query.neighbours[q].iter().filter(|&&(other, bond)| {
            let (other, bond) = (other as usize, bond as usize);
            bond != via
                && frame.alive.contains(bond)
                && frame.mapped_q.contains(other)
                && self.problem.bond_matches(bond, t, self.image[other] as usize)
                && self.may_leave_out(q, other)
        });
        optional.count() as u32
    }

    /// Records the part of the map that keeps to the whole-rings rule, if it is better: bonds
    /// outside whole rings are left out, then atoms, until nothing more must go.
    fn record_whole_rings(&mut self, best: &mut Incumbent) {
        let problem = self.problem;
        let Some(rings) = &problem.rings else { return };
        let frame = &self.frames[self.frames.len() - 1];
        if !best.admits(frame.joined.len() as u32, frame.size) {
            return;
        }
        let joined = rings::trim(problem, rings, frame.joined, &self.image);
        // What is left may have come apart; the best piece counts.
        let mut rest = problem.query.ends_of(&joined);
        while let Some(seed) = rest.lowest() {
            let piece = problem.query.flood_over(Bits::single(seed), &joined);
            rest = rest.minus(&piece);
            let bonds = problem.query.touched_bonds(&piece).and(&joined);
            let (matched, size) = (bonds.len() as u32, piece.len() as u32);
            if matched > 0 && best.admits(matched, size) {
                let pairs = self.order.iter().filter(|&&q| piece.contains(q as usize));
                let pairs = pairs.map(|&q| (q, self.image[q as usize]));
                best.take(matched, size, pairs, bonds.iter());
            }
        }
    }

    /// Collects the fringe, cutting bonds that have no place left.
    fn collect_fringe(&mut self, top: usize) {
        let problem = self.problem;
        let frame = &mut self.frames[top];
        self.fringe.clear();
        for inner in frame.mapped_q.iter() {
            let image = self.image[inner] as usize;
            for &(outer, bond) in &problem.query.neighbours[inner] {
                let (outer, bond) = (outer as usize, bond as usize);
                if !frame.alive.contains(bond) || frame.mapped_q.contains(outer) {
                    continue;
                }
                let options =
                    problem.reach(bond, image).and(&self.rows[outer]).minus(&frame.mapped_t);
                if options.is_empty() {
                    frame.alive.remove(bond);
                } else {
                    self.fringe.push(Fringe { bond, inner, outer, options, without: 0 });
                }
            }
        }
    }

    /// Works out what a frame can still reach and what to branch on; false when nothing better
    /// can come of it.
    fn expand(&mut self, best: &Incumbent) -> bool {
        let problem = self.problem;
        let top = self.frames.len() - 1;
        self.collect_fringe(top);
        if let Some(rings) = &problem.rings {
            let frame = &mut self.frames[top];
            let whole = rings.query.whole_bonds(&frame.alive.or(&frame.joined));
            if frame.alive.minus(&whole) != Bits::EMPTY {
                frame.alive = frame.alive.and(&whole);
                self.collect_fringe(top);
            }
        }
        if self.fringe.is_empty() {
            return false;
        }
        let frame = &self.frames[top];
        let (mapped_t, size) = (frame.mapped_t, frame.size);
        let matched = frame.joined.len() as u32;
        let regions = &mut self.regions;
        regions.clear();
        let mut reached = Bits::EMPTY;
        let mut free = Bits::EMPTY;
        for fringe in &self.fringe {
            let part = regions.query_part(problem, &frame.alive, &frame.mapped_q, fringe.outer);
            reached = reached.or(&regions.query[part].atoms);
        }
        if !problem.may_hold_required(&reached.or(&frame.mapped_q)) {
            return false;
        }
        for q in reached.iter() {
            free = free.or(&self.rows[q]);
        }
        free = free.minus(&mapped_t);
        let mut busy = Bits::EMPTY;
        for fringe in &self.fringe {
            busy.insert(self.image[fringe.inner] as usize);
        }
        let spent = problem.target.touched_bonds(&mapped_t.minus(&busy));
        for fringe in &self.fringe {
            let part = regions.query_part(problem, &frame.alive, &frame.mapped_q, fringe.outer);
            let mut parts = 0;
            for t in fringe.options.iter() {
                parts |= 1u64 << regions.target_part(problem, &free, &spent, t);
            }
            regions.links.push(Link { bond: fringe.bond, part, parts });
        }
        let open_t = regions.target_atoms();
        let atoms = size + bound(&problem.atom_groups, &reached, &open_t) as u32;
        // Each ring closed so far costs one atom.
        let closed = matched + 1 - size;
        let can_beat = |bonds: u32| best.admits(bonds, atoms.min(bonds + 1 - closed));
        if !can_beat(matched + regions.bound(&problem.bond_groups) as u32) {
            return false;
        }
        let mut chosen = 0;
        for index in 0..self.fringe.len() {
            self.fringe[index].without = matched + regions.without(problem, index) as u32;
            let key = |f: &Fringe<W>| (f.without, f.options.len());
            if key(&self.fringe[index]) < key(&self.fringe[chosen]) {
                chosen = index;
            }
        }
        // Where a mapped atom has more bonds to place than places for them, one of them at least
        // is lost. The fringe is sorted by inner atom.
        for bonds in self.fringe.chunk_by(|a, b| a.inner == b.inner) {
            let places = bonds.iter().fold(Bits::EMPTY, |all: Bits<W>, f| all.or(&f.options));
            let most = bonds.iter().map(|f| f.without).max().unwrap_or(0);
            if bonds.len() > places.len() && !can_beat(most) {
                return false;
            }
        }
        let choice = &self.fringe[chosen];
        let exclude = can_beat(choice.without);
        let frame = &mut self.frames[top];
        frame.branch = (choice.bond, choice.inner, choice.outer);
        frame.options = problem.target.one_of_twins(choice.options);
        frame.place = None;
        frame.exclude = exclude;
        frame.expanded = true;
        true
    }

    /// Turns to the other half: answers in which the branch bond is not matched, nor the bonds
    /// to twins of its far end, which would do as well.
    fn exclude_branch(&mut self, top: usize) {
        let problem = self.problem;
        let frame = &mut self.frames[top];
        let (bond, inner, outer) = frame.branch;
        let twins = problem.query.twins(outer);
        for &(other, other_bond) in &problem.query.neighbours[inner] {
            if other_bond as usize == bond || twins.contains(other as usize) {
                frame.alive.remove(other_bond as usize);
            }
        }
        frame.expanded = false;
        if !self.may_leave_out(inner, outer) {
            // With the far end on any of these the bond would have been matched.
            let row = self.rows[outer];
            let rest = row.minus(problem.reach(bond, self.image[inner] as usize));
            if rest != row {
                self.trail.push((outer as u32, row));
                self.rows[outer] = rest;
                if rest.minus(&self.frames[top].mapped_t).is_empty() {
                    let frame = &mut self.frames[top];
                    frame.alive = frame.alive.minus(&problem.query.incident[outer]);
                }
            }
        }
    }
}

/// Bonds of the query with both ends in `piece`.
fn bonds_of<const W: usize>(problem: &Problem<W>, piece: &Bits<W>) -> Bits<W> {
    problem.query.bonds_inside(piece).and(
        &problem
            .bond_groups
            .iter()
            .fold(Bits::EMPTY, |all: Bits<W>, group: &Group<W>| all.or(&group.query)),
    )
}

impl<const W: usize> Rooted<W> for BondSearch<'_, W> {
    fn problem(&self) -> &Problem<W> {
        self.problem
    }

    fn set_diving(&mut self, diving: bool) {
        self.diving = diving;
    }

    fn piece_bound(&self, piece: &Bits<W>) -> u32 {
        let targets = Bits::first(self.problem.target.bonds.len());
        bound(&self.problem.bond_groups, &bonds_of(self.problem, piece), &targets) as u32
    }

    fn piece_can_beat(&self, bonds: u32, piece: &Bits<W>, best: &Incumbent) -> bool {
        let targets = Bits::first(self.problem.target.atoms);
        let atoms = bound(&self.problem.atom_groups, piece, &targets) as u32;
        bonds > 0 && best.admits(bonds, atoms.min(bonds + 1))
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
            alive: bonds_of(self.problem, piece),
            joined: Bits::EMPTY,
            size: 0,
            branch: (usize::MAX, 0, root.0),
            options: Bits::EMPTY,
            variant: 0,
            place: None,
            exclude: false,
            expanded: true,
            trail: self.trail.len(),
        });
        tick::<W>(budget)?;
        self.push(root, None, 0, best);
        while self.frames.len() > 1 {
            let top = self.frames.len() - 1;
            if !self.frames[top].expanded && !self.expand(best) {
                self.pop();
                continue;
            }
            let frame = &mut self.frames[top];
            let (bond, _, outer) = frame.branch;
            if let Some(t) = frame.place {
                // The same place again, leaving out another choice of ring-closing bonds.
                frame.variant -= 1;
                if frame.variant == 0 {
                    frame.place = None;
                }
                let variant = frame.variant;
                tick::<W>(budget)?;
                self.push((outer, t), Some(bond), variant, best);
                continue;
            }
            let row = &self.similarity[outer * self.problem.target.atoms..];
            if let Some((t, _)) = best_of(row, frame.options) {
                frame.options.remove(t);
                if self.diving {
                    frame.options = Bits::EMPTY;
                }
                let optional = self.optional_bonds((outer, t), bond).min(8);
                if optional > 0 {
                    let frame = &mut self.frames[top];
                    frame.place = Some(t);
                    frame.variant = 1 << optional;
                    continue;
                }
                tick::<W>(budget)?;
                self.push((outer, t), Some(bond), 0, best);
            } else if frame.exclude && !self.diving {
                self.exclude_branch(top);
            } else {
                self.pop();
            }
        }
        Ok(())
    }
}

//! The largest connected part of one molecule, the reference, that enough others hold as well.
//!
//! The part grows from its fringe as in the search of a pair, but its places are not chosen: for
//! every other molecule all embeddings of the part are kept and grow with it. A step asks only
//! whether an atom (induced) or a bond (edge objective) of the reference belongs to the part; a
//! molecule counts for as long as it has an embedding left. What each molecule can still add
//! bounds the rest, and enough molecules must be able to beat the best.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::options::Objective;
use crate::problem::{Problem, bound};

/// Most numbers in all lists of embeddings at one time: 16 MB.
const MOST_CELLS: usize = 4 << 20;

/// Embeddings of one molecule that are looked at one by one for a bound.
const BOUNDED_ONE_BY_ONE: usize = 32;

/// Why the search of a reference ended before its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The budget.
    Budget(Stop),
    /// The embeddings outgrew their memory.
    Memory,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Budget(stop)
    }
}

/// The best part so far, of any reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct BestPart {
    pub(crate) primary: u32,
    pub(crate) secondary: u32,
    /// The molecule that it is a part of.
    pub(crate) reference: usize,
    /// Atoms of the reference, each bonded to one before it.
    pub(crate) order: Vec<u32>,
    /// Bonds of the reference.
    pub(crate) bonds: Vec<u32>,
    /// The molecules that hold it, with the images of `order` in one embedding.
    pub(crate) placements: Vec<(usize, Vec<u32>)>,
}

impl BestPart {
    fn admits(&self, primary: u32, secondary: u32) -> bool {
        (primary, secondary) > (self.primary, self.secondary)
    }
}

/// A molecule beside the reference, and how many of the inputs it stands for.
pub(crate) struct Member<const W: usize> {
    /// Its index.
    pub(crate) molecule: usize,
    pub(crate) problem: Problem<W>,
    pub(crate) weight: usize,
}

/// One reference with the molecules that may hold a part of it.
pub(crate) struct SeriesSearch<const W: usize> {
    pub(crate) reference: usize,
    /// The reference beside itself.
    pub(crate) own: Problem<W>,
    pub(crate) members: Vec<Member<W>>,
    /// How many inputs beside those that the reference stands for must hold the part.
    pub(crate) needed: usize,
    pub(crate) objective: Objective,
    frames: Vec<Frame<W>>,
    order: Vec<u32>,
    /// Place of each mapped atom in `order`.
    place: Vec<usize>,
    image: Vec<u32>,
    cells: usize,
}

struct Frame<const W: usize> {
    atoms: Bits<W>,
    bonds: Bits<W>,
    /// Atoms (induced) or bonds (edge objective) that may still join.
    open: Bits<W>,
    /// Embeddings by member, each as the images of `order`.
    lists: Vec<Vec<u32>>,
    width: usize,
    branch: Branch,
    expanded: bool,
}

/// What is asked about.
#[derive(Clone, Copy)]
enum Branch {
    Atom(usize),
    /// A bond with its inner and its outer end.
    Bond(usize, usize, usize),
}

impl<const W: usize> SeriesSearch<W> {
    pub(crate) fn new(
        reference: usize,
        own: Problem<W>,
        members: Vec<Member<W>>,
        needed: usize,
        objective: Objective,
    ) -> Self {
        let atoms = own.query.atoms;
        SeriesSearch {
            reference,
            own,
            members,
            needed,
            objective,
            frames: Vec::new(),
            order: Vec::new(),
            place: vec![usize::MAX; atoms],
            image: vec![0; atoms],
            cells: 0,
        }
    }

    fn induced(&self) -> bool {
        self.objective == Objective::Mcis
    }

    /// Whether members that `hold` stand for as many inputs as are needed.
    fn enough(&self, mut hold: impl FnMut(usize, &Member<W>) -> bool) -> bool {
        let mut rest: usize = self.members.iter().map(|member| member.weight).sum();
        let mut held = 0;
        for (index, member) in self.members.iter().enumerate() {
            if held >= self.needed || held + rest < self.needed {
                break;
            }
            rest -= member.weight;
            if hold(index, member) {
                held += member.weight;
            }
        }
        held >= self.needed
    }

    /// The greatest first size that any part within `atoms` can have.
    pub(crate) fn bound_within(&self, atoms: &Bits<W>) -> u32 {
        let value = |problem: &Problem<W>| match self.objective {
            Objective::Mcis => {
                let all = Bits::first(problem.target.atoms);
                bound(&problem.atom_groups, atoms, &all) as u32
            }
            Objective::Mces => {
                let all = Bits::first(problem.target.bonds.len());
                let inside = problem.query.bonds_inside(atoms);
                bound(&problem.bond_groups, &inside, &all) as u32
            }
        };
        let mut values: Vec<(u32, usize)> =
            self.members.iter().map(|member| (value(&member.problem), member.weight)).collect();
        values.sort_unstable_by_key(|value| std::cmp::Reverse(value.0));
        let mut held = 0;
        let mut least = value(&self.own);
        for (value, weight) in values {
            if held >= self.needed {
                break;
            }
            held += weight;
            least = least.min(value);
        }
        if held >= self.needed { least } else { 0 }
    }

    /// Runs to the proof that no part of this reference beats the best.
    pub(crate) fn run(&mut self, best: &mut BestPart, budget: &mut Budget) -> Result<(), Halt> {
        let mut alive = Bits::first(self.own.query.atoms);
        while let Some(piece) = self.widest_piece(&alive, best) {
            let root = self.choose_root(&piece, budget)?;
            self.search_from(root, &piece, best, budget)?;
            alive.remove(root);
        }
        Ok(())
    }

    fn widest_piece(&self, alive: &Bits<W>, best: &BestPart) -> Option<Bits<W>> {
        let mut rest = *alive;
        let mut widest: Option<(u32, Bits<W>)> = None;
        while let Some(seed) = rest.lowest() {
            let piece = self.own.query.flood(Bits::single(seed), &rest);
            rest = rest.minus(&piece);
            let primary = self.bound_within(&piece);
            let secondary = match self.objective {
                Objective::Mcis => {
                    (primary + self.own.query.rings_within(&piece)).saturating_sub(1)
                }
                Objective::Mces => (piece.len() as u32).min(primary + 1),
            };
            if primary > 0
                && best.admits(primary, secondary)
                && widest.as_ref().is_none_or(|&(old, _)| primary > old)
            {
                widest = Some((primary, piece));
            }
        }
        widest.map(|(_, piece)| piece)
    }

    /// The atom whose removal leaves the smallest pieces, and has the fewest places.
    fn choose_root(&self, piece: &Bits<W>, budget: &mut Budget) -> Result<usize, Halt> {
        let mut chosen: Option<((usize, usize), usize)> = None;
        for q in piece.iter() {
            budget.check()?;
            let mut rest = *piece;
            rest.remove(q);
            let mut left = 0;
            while let Some(seed) = rest.lowest() {
                let part = self.own.query.flood(Bits::single(seed), &rest);
                rest = rest.minus(&part);
                left = left.max(part.len());
            }
            let places = self.members.iter().map(|member| member.problem.domain[q].len()).sum();
            let key = (left, places);
            if chosen.is_none_or(|(old, _)| key < old) {
                chosen = Some((key, q));
            }
        }
        Ok(chosen.map_or(0, |(_, q)| q))
    }

    /// Every part that holds `root` and otherwise only atoms of `piece`.
    fn search_from(
        &mut self,
        root: usize,
        piece: &Bits<W>,
        best: &mut BestPart,
        budget: &mut Budget,
    ) -> Result<(), Halt> {
        while !self.frames.is_empty() {
            self.pop();
        }
        self.order.clear();
        budget.tick()?;
        let lists: Vec<Vec<u32>> = self
            .members
            .iter()
            .map(|member| {
                let places = member.problem.target.one_of_twins(member.problem.domain[root]);
                places.iter().map(|t| t as u32).collect()
            })
            .collect();
        if !self.enough(|index, _| !lists[index].is_empty()) {
            return Ok(());
        }
        let mut open = *piece;
        open.remove(root);
        if !self.induced() {
            open = self.own.query.bonds_inside(piece);
        }
        self.place[root] = 0;
        self.order.push(root as u32);
        self.push(Bits::single(root), Bits::EMPTY, open, lists, best)?;
        while let Some(frame) = self.frames.last() {
            if !frame.expanded && !self.expand(best, budget)? {
                self.pop();
                continue;
            }
            let top = self.frames.len() - 1;
            match self.frames[top].branch {
                Branch::Atom(q) => self.ask_atom(top, q, best, budget)?,
                Branch::Bond(bond, inner, outer) => {
                    self.ask_bond(top, bond, (inner, outer), best, budget)?;
                }
            }
        }
        Ok(())
    }

    /// The part with the atom; after that the frame stands for the parts without it.
    fn ask_atom(
        &mut self,
        top: usize,
        q: usize,
        best: &mut BestPart,
        budget: &mut Budget,
    ) -> Result<(), Halt> {
        let (atoms, mut open) = (self.frames[top].atoms, self.frames[top].open);
        // Without this atom, nor its twins, which would do as well.
        self.frames[top].open = open.minus(&self.own.query.twins(q));
        self.frames[top].expanded = false;
        open.remove(q);
        let joined = self.own.query.bonds_inside(&atoms).or(&self.own.query.incident[q]
            .and(&self.own.query.bonds_inside(&atoms.or(&Bits::single(q)))));
        if let Some(lists) = self.extend(top, q, None, &joined, budget)? {
            self.place[q] = self.order.len();
            self.order.push(q as u32);
            self.push(atoms.or(&Bits::single(q)), joined, open, lists, best)?;
        }
        Ok(())
    }

    /// The part with the bond; after that the frame stands for the parts without it.
    fn ask_bond(
        &mut self,
        top: usize,
        bond: usize,
        (inner, outer): (usize, usize),
        best: &mut BestPart,
        budget: &mut Budget,
    ) -> Result<(), Halt> {
        let (atoms, mut open) = (self.frames[top].atoms, self.frames[top].open);
        let mut without = open;
        for twin in self.own.query.twins(outer).minus(&atoms).iter() {
            without = without.minus(&self.own.query.incident[twin]);
        }
        without.remove(bond);
        open.remove(bond);
        self.frames[top].open = if atoms.contains(outer) { open } else { without };
        self.frames[top].expanded = false;
        let joined = self.frames[top].bonds.or(&Bits::single(bond));
        if !atoms.contains(outer) {
            if let Some(lists) = self.extend(top, outer, Some((bond, inner)), &joined, budget)? {
                self.place[outer] = self.order.len();
                self.order.push(outer as u32);
                self.push(atoms.or(&Bits::single(outer)), joined, open, lists, best)?;
            }
            return Ok(());
        }
        let Some(lists) = self.keep_joined(top, (bond, inner, outer), &joined, budget)? else {
            return Ok(());
        };
        let lost =
            lists.iter().zip(&self.frames[top].lists).any(|(new, old)| new.len() < old.len());
        self.push(atoms, joined, open, lists, best)?;
        if !lost && self.members.iter().all(|member| member.problem.stereo.is_none()) {
            // Every embedding has the bond: without it nothing can be better.
            self.frames[top].open = Bits::EMPTY;
        }
        Ok(())
    }

    /// Takes a frame off.
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.cells -= frame.lists.iter().map(Vec::len).sum::<usize>();
            let width = self.frames.last().map_or(0, |frame| frame.width);
            self.order.truncate(width);
        }
    }

    fn push(
        &mut self,
        atoms: Bits<W>,
        bonds: Bits<W>,
        open: Bits<W>,
        lists: Vec<Vec<u32>>,
        best: &mut BestPart,
    ) -> Result<(), Halt> {
        self.cells += lists.iter().map(Vec::len).sum::<usize>();
        if self.cells > MOST_CELLS {
            self.cells -= lists.iter().map(Vec::len).sum::<usize>();
            return Err(Halt::Memory);
        }
        let width = self.order.len();
        let branch = Branch::Atom(0);
        self.frames.push(Frame { atoms, bonds, open, lists, width, branch, expanded: false });
        let (primary, secondary) = match self.objective {
            Objective::Mcis => (width as u32, bonds.len() as u32),
            Objective::Mces => (bonds.len() as u32, width as u32),
        };
        if primary > 0
            && best.admits(primary, secondary)
            && let Some(placements) = self.placements()
        {
            *best = BestPart {
                primary,
                secondary,
                reference: self.reference,
                order: self.order.clone(),
                bonds: bonds.iter().map(|bond| bond as u32).collect(),
                placements,
            };
        }
        Ok(())
    }

    /// One embedding for each member that holds the part of the top frame; `None` when too few do
    /// or the whole-rings rule forbids the part in the reference.
    fn placements(&mut self) -> Option<Vec<(usize, Vec<u32>)>> {
        let frame = &self.frames[self.frames.len() - 1];
        if let Some(rings) = &self.own.rings
            && !rings.query.are_whole(&frame.atoms, &frame.bonds)
        {
            return None;
        }
        let mut image = std::mem::take(&mut self.image);
        let mut placements = Vec::new();
        let enough = self.enough_of_all(|index, member| {
            let found = frame.lists[index].chunks_exact(frame.width).find(|embedding| {
                for (&q, &t) in self.order.iter().zip(*embedding) {
                    image[q as usize] = t;
                }
                has_whole_images(&member.problem, &frame.bonds, embedding, &image)
            });
            placements.extend(found.map(|embedding| (member.molecule, embedding.to_vec())));
            found.is_some()
        });
        self.image = image;
        enough.then_some(placements)
    }

    /// Places for `q` beside one embedding of the part.
    #[inline]
    fn options(
        &self,
        problem: &Problem<W>,
        frame: &Frame<W>,
        embedding: &[u32],
        used: &Bits<W>,
        q: usize,
        via: Option<(usize, usize)>,
    ) -> Bits<W> {
        let mut options = problem.domain[q].minus(used);
        if let Some((bond, inner)) = via {
            return options.and(problem.reach(bond, embedding[self.place[inner]] as usize));
        }
        let mut bonded = 0;
        for &(other, bond) in &problem.query.neighbours[q] {
            if frame.atoms.contains(other as usize) {
                let t = embedding[self.place[other as usize]] as usize;
                options = options.and(problem.reach(bond as usize, t));
                bonded += 1;
            }
        }
        for t in options.iter() {
            if problem.target.adjacent[t].common(used) != bonded {
                options.remove(t);
            }
        }
        options
    }

    /// The embeddings that grow by `q`; `None` when too few members have any.
    fn extend(
        &mut self,
        top: usize,
        q: usize,
        via: Option<(usize, usize)>,
        joined: &Bits<W>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Vec<u32>>>, Halt> {
        let mut image = std::mem::take(&mut self.image);
        let frame = &self.frames[top];
        let mut lists = vec![Vec::new(); self.members.len()];
        let (mut spent, mut cells) = (1, self.cells);
        let atoms = frame.atoms.or(&Bits::single(q));
        let enough = self.enough_of_all(|index, member| {
            let problem = &member.problem;
            let list: &mut Vec<u32> = &mut lists[index];
            for embedding in frame.lists[index].chunks_exact(frame.width) {
                let used = bits_of(embedding);
                let options = self.options(problem, frame, embedding, &used, q, via);
                for t in problem.target.one_of_twins(options).iter() {
                    if let Some(stereo) = &problem.stereo {
                        for (&q, &t) in self.order.iter().zip(embedding) {
                            image[q as usize] = t;
                        }
                        image[q] = t as u32;
                        if stereo.contradicts(q, &atoms, joined, &image) {
                            continue;
                        }
                    }
                    cells += frame.width + 1;
                    if cells <= MOST_CELLS {
                        list.extend_from_slice(embedding);
                        list.push(t as u32);
                    }
                }
            }
            spent += (frame.lists[index].len() / frame.width / 16) as u64;
            !list.is_empty()
        });
        self.image = image;
        budget.spend(spent)?;
        if cells > MOST_CELLS {
            return Err(Halt::Memory);
        }
        Ok(enough.then_some(lists))
    }

    /// As [`enough`](Self::enough), but `hold` is asked about every member unless it is already
    /// certain that too few hold.
    fn enough_of_all(&self, mut hold: impl FnMut(usize, &Member<W>) -> bool) -> bool {
        let mut left: usize = self.members.iter().map(|member| member.weight).sum();
        for (index, member) in self.members.iter().enumerate() {
            if left < self.needed {
                return false;
            }
            if !hold(index, member) {
                left -= member.weight;
            }
        }
        left >= self.needed
    }

    /// The embeddings in which `bond`, between two atoms of the part, is matched.
    fn keep_joined(
        &mut self,
        top: usize,
        (bond, a, b): (usize, usize, usize),
        joined: &Bits<W>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Vec<u32>>>, Halt> {
        let mut image = std::mem::take(&mut self.image);
        let frame = &self.frames[top];
        let mut lists = vec![Vec::new(); self.members.len()];
        let enough = self.enough_of_all(|index, member| {
            let problem = &member.problem;
            for embedding in frame.lists[index].chunks_exact(frame.width) {
                let (x, y) = (embedding[self.place[a]], embedding[self.place[b]]);
                if !problem.bond_matches(bond, x as usize, y as usize) {
                    continue;
                }
                if let Some(stereo) = &problem.stereo {
                    for (&q, &t) in self.order.iter().zip(embedding) {
                        image[q as usize] = t;
                    }
                    if [a, b].iter().any(|&q| stereo.contradicts(q, &frame.atoms, joined, &image)) {
                        continue;
                    }
                }
                lists[index].extend_from_slice(embedding);
            }
            !lists[index].is_empty()
        });
        self.image = image;
        budget.tick()?;
        Ok(enough.then_some(lists))
    }

    /// Works out what the top frame can still reach and what to ask about; false when nothing
    /// better can come of it.
    fn expand(&mut self, best: &BestPart, budget: &mut Budget) -> Result<bool, Halt> {
        budget.tick()?;
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

fn bits_of<const W: usize>(embedding: &[u32]) -> Bits<W> {
    embedding.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &t| {
        all.insert(t as usize);
        all
    })
}

/// Whether the image of the part keeps to the whole-rings rule.
pub(crate) fn has_whole_images<const W: usize>(
    problem: &Problem<W>,
    bonds: &Bits<W>,
    embedding: &[u32],
    image: &[u32],
) -> bool {
    problem.rings.as_ref().is_none_or(|rings| {
        let images = problem.images_of_bonds(bonds, image);
        rings.target.are_whole(&bits_of(embedding), &images)
    })
}

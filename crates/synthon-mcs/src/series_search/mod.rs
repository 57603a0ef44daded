//! The largest connected part of one molecule, the reference, that enough others hold as well.
//!
//! The part grows from its fringe as in the search of a pair, but its places are not chosen: for
//! every other molecule all embeddings of the part are kept and grow with it. A step asks only
//! whether an atom (induced) or a bond (edge objective) of the reference belongs to the part; a
//! molecule counts for as long as it has an embedding left. What each molecule can still add
//! bounds the rest, and enough molecules must be able to beat the best.

mod branch;
mod embeddings;

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::options::Objective;
use crate::problem::{Problem, bound};

pub(crate) use embeddings::has_whole_images;

/// Most numbers in all lists of embeddings at one time: 16 MB.
const MOST_CELLS: usize = 4 << 20;

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
}

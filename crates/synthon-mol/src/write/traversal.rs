//! The walk through a component that a SMILES text follows: a spanning tree with ordered
//! branches, and the bonds left over as ring closures.

use crate::canon::partition::Span;
use crate::{BondOrder, Molecule};

pub(super) const NONE: u32 = u32::MAX;

/// A ring closure at an atom: the bond, and the next closure of the same atom.
#[derive(Clone, Copy)]
struct Closure {
    bond: u32,
    next: u32,
}

/// Where an atom stands in the walk.
#[derive(Clone, Copy)]
struct Place {
    /// Place in the order of the text.
    position: u32,
    /// Bond by which the atom is reached; [`NONE`] for the first of its component.
    parent_bond: u32,
    first_child: u32,
    next_sibling: u32,
    first_closure: u32,
    last_closure: u32,
    /// All its bonds have been followed.
    done: bool,
}

const UNSEEN: Place = Place {
    position: NONE,
    parent_bond: NONE,
    first_child: NONE,
    next_sibling: NONE,
    first_closure: NONE,
    last_closure: NONE,
    done: false,
};

/// The walk through all components.
pub(super) struct Traversal {
    /// Atoms in the order of the text, by component.
    pub(super) order: Vec<u32>,
    places: Vec<Place>,
    closures: Vec<Closure>,
}

/// How branches are put in order.
#[derive(Clone, Copy)]
pub(super) enum Branching {
    /// By rank, chain before ring, and in rings the higher bond orders first.
    ChainsFirst,
    /// By rank alone.
    ByRank,
}

struct Frame {
    atom: u32,
    /// Where its open possibilities begin.
    start: usize,
    last_child: u32,
}

impl Traversal {
    pub(super) fn new(
        molecule: &Molecule,
        ranks: &[u32],
        starts: &[Span],
        order: &[u32],
        branching: Branching,
    ) -> Self {
        let n = molecule.atom_count();
        let mut walk = Traversal {
            order: Vec::with_capacity(n),
            places: vec![UNSEEN; n],
            closures: Vec::with_capacity(8),
        };
        let mut frames: Vec<Frame> = Vec::with_capacity(32);
        let mut possible: Vec<(u64, u32, u32)> = Vec::with_capacity(32);
        for span in starts {
            let root = order[span.start..span.end]
                .iter()
                .copied()
                .min_by_key(|&atom| ranks[atom as usize])
                .expect("a component has atoms");
            walk.enter(molecule, ranks, root, branching, &mut frames, &mut possible);
            while let Some(frame) = frames.last_mut() {
                let atom = frame.atom;
                if possible.len() == frame.start {
                    walk.places[atom as usize].done = true;
                    frames.pop();
                    continue;
                }
                let (_, other, bond) = possible.pop().expect("a possibility is open");
                let there = &mut walk.places[other as usize];
                if there.position == NONE {
                    there.parent_bond = bond;
                    if frame.last_child == NONE {
                        walk.places[atom as usize].first_child = other;
                    } else {
                        walk.places[frame.last_child as usize].next_sibling = other;
                    }
                    frame.last_child = other;
                    walk.enter(molecule, ranks, other, branching, &mut frames, &mut possible);
                } else if !there.done {
                    walk.add_closure(other, bond);
                    walk.add_closure(atom, bond);
                }
            }
        }
        walk
    }

    /// Opens an atom: its possibilities go onto the stack, the best on top.
    fn enter(
        &mut self,
        molecule: &Molecule,
        ranks: &[u32],
        atom: u32,
        branching: Branching,
        frames: &mut Vec<Frame>,
        possible: &mut Vec<(u64, u32, u32)>,
    ) {
        let place = &mut self.places[atom as usize];
        place.position = self.order.len() as u32;
        let parent = place.parent_bond;
        self.order.push(atom);
        let start = possible.len();
        frames.push(Frame { atom, start, last_child: NONE });
        for neighbour in molecule.neighbours(atom as usize) {
            if neighbour.bond == parent {
                continue;
            }
            let rank = u64::from(ranks[neighbour.atom()]);
            let bond = molecule.bond(neighbour.bond());
            let key = match branching {
                // At ring closures other readers forget `~`, so these bonds go into the tree.
                _ if bond.order == BondOrder::Unspecified => rank,
                Branching::ByRank => 1 << 32 | rank,
                Branching::ChainsFirst => {
                    let order = u64::from(bond_weight(bond.order));
                    if self.places[neighbour.atom()].position != NONE {
                        // Open atoms, that is ring closures, first; closed ones are passed over.
                        order << 32 | rank
                    } else if bond.in_ring() {
                        (order + 17) << 32 | rank
                    } else {
                        16 << 32 | rank
                    }
                }
            };
            possible.push((key, neighbour.atom, neighbour.bond));
        }
        let mine = &mut possible[start..];
        if mine.len() <= 6 {
            for i in 1..mine.len() {
                let mut k = i;
                while k > 0 && mine[k - 1].0 < mine[k].0 {
                    mine.swap(k - 1, k);
                    k -= 1;
                }
            }
        } else {
            mine.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.0));
        }
    }

    fn add_closure(&mut self, atom: u32, bond: u32) {
        let index = self.closures.len() as u32;
        self.closures.push(Closure { bond, next: NONE });
        let place = &mut self.places[atom as usize];
        match std::mem::replace(&mut place.last_closure, index) {
            NONE => place.first_closure = index,
            last => self.closures[last as usize].next = index,
        }
    }

    /// Place of an atom in the order of the text.
    pub(super) fn position(&self, atom: usize) -> u32 {
        self.places[atom].position
    }

    /// Bond by which an atom is reached; [`NONE`] for the first of its component.
    pub(super) fn parent_bond(&self, atom: usize) -> u32 {
        self.places[atom].parent_bond
    }

    /// Bonds of the ring closures written at an atom, in order.
    pub(super) fn closures(&self, atom: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.places[atom as usize].first_closure;
        std::iter::from_fn(move || {
            let closure = *self.closures.get(next as usize)?;
            next = closure.next;
            Some(closure.bond)
        })
    }

    /// Atoms that follow an atom as its branches and its continuation, in order.
    pub(super) fn children(&self, atom: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.places[atom as usize].first_child;
        std::iter::from_fn(move || {
            let child = next;
            if child == NONE {
                return None;
            }
            next = self.places[child as usize].next_sibling;
            Some(child)
        })
    }

    /// Whether a bond is written as a ring closure.
    pub(super) fn is_closure(&self, molecule: &Molecule, bond: u32) -> bool {
        let ends = molecule.bond(bond as usize);
        self.parent_bond(ends.begin()) != bond && self.parent_bond(ends.end()) != bond
    }

    /// The atom from which a bond is read: the parent in the tree; for ring closures, whose
    /// symbol stands where the ring is closed, the later atom.
    pub(super) fn left_atom(&self, molecule: &Molecule, bond: u32) -> usize {
        let ends = molecule.bond(bond as usize);
        let begin_first = self.position(ends.begin()) < self.position(ends.end());
        if begin_first != self.is_closure(molecule, bond) { ends.begin() } else { ends.end() }
    }

    /// Place of a bond symbol in the text, relative to those of other bonds.
    pub(super) fn bond_position(&self, molecule: &Molecule, bond: u32) -> u32 {
        let ends = molecule.bond(bond as usize);
        let later = self.position(ends.begin()).max(self.position(ends.end()));
        2 * later + u32::from(self.is_closure(molecule, bond))
    }
}

/// Lower for the orders that are followed first within rings.
fn bond_weight(order: BondOrder) -> u8 {
    match order {
        BondOrder::Dative => 0,
        BondOrder::Aromatic => 1,
        BondOrder::Quadruple => 2,
        BondOrder::Triple => 3,
        BondOrder::Double => 4,
        BondOrder::Single => 5,
        BondOrder::Unspecified => 6,
    }
}

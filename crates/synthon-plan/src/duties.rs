//! What a whole route must have, followed down while the search goes.
//!
//! Some constraints ask for something that only has to be somewhere in a route: an element, a
//! building block, a reaction family, a molecule to start from. The target owes all of it. A step
//! of an asked family pays that, and hands what is left to its precursors, in every way in which
//! they can share it; a building block may end a branch only where it pays what the branch owes.
//! Molecules that owe different things are different molecules to the search, so that it goes for
//! routes which meet the constraints, and finds out when there is none.

use std::collections::BTreeMap;

use synthon_mol::Molecule;

use crate::chemistry::contains;
use crate::cost::Cost;
use crate::request::{Constraints, NamedMolecule};

/// What a molecule owes, one bit a duty.
pub(crate) type Owed = u8;

/// Most duties that steer the search; any further ones are only asked of finished routes.
const MOST: usize = 4;
/// Cost, in nats, that is added to the estimate of a molecule in which nothing of a block that it
/// owes can be seen.
const FAR_FROM_BLOCK: f64 = 6.0;
/// The same where an owed element is not there.
const NO_SUCH_ELEMENT: f64 = 0.7;

#[derive(Clone, Debug)]
enum Duty {
    Element(synthon_mol::Element),
    /// One of these, by key, with its bonds.
    Block(Vec<(u128, Bonds)>),
    Family(Vec<String>),
}

/// The duties of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duties {
    /// Name of the constraint, and what it asks for.
    list: Vec<(&'static str, Duty)>,
}

impl Duties {
    pub fn new(asked: &Constraints) -> Self {
        let blocks = |blocks: &[NamedMolecule]| {
            Duty::Block(
                blocks.iter().map(|b| (b.molecule.canonical_key(), bonds(&b.molecule))).collect(),
            )
        };
        let mut list = Vec::new();
        if let Some(own) = &asked.start_from {
            list.push(("start_from", blocks(std::slice::from_ref(own))));
        }
        if !asked.require_building_blocks.is_empty() {
            list.push(("require_building_blocks", blocks(&asked.require_building_blocks)));
        }
        if !asked.require_reaction_families.is_empty() {
            let families = asked.require_reaction_families.clone();
            list.push(("require_reaction_families", Duty::Family(families)));
        }
        let elements = asked.require_elements.iter();
        list.extend(elements.map(|&element| ("require_elements", Duty::Element(element))));
        list.truncate(MOST);
        Duties { list }
    }

    /// What the target owes.
    pub fn all(&self) -> Owed {
        (1 << self.list.len()) - 1
    }

    fn owed(&self, owed: Owed) -> impl Iterator<Item = (Owed, &(&'static str, Duty))> {
        let bits = (0..).map(|place| 1 << place);
        bits.zip(&self.list).filter(move |(bit, _)| owed & bit != 0)
    }

    /// The first constraint that a building block leaves unpaid, by name.
    pub fn unpaid(&self, owed: Owed, block: &Molecule) -> Option<&'static str> {
        self.owed(owed).find_map(|(_, (name, duty))| {
            let pays = match duty {
                Duty::Element(element) => contains(block, *element),
                Duty::Block(blocks) => {
                    let key = block.canonical_key();
                    blocks.iter().any(|(wanted, _)| *wanted == key)
                }
                Duty::Family(_) => false,
            };
            (!pays).then_some(*name)
        })
    }

    /// What is still owed after a step of this family.
    pub fn after(&self, owed: Owed, family: &str) -> Owed {
        let paid = self.owed(owed).filter(|(_, (_, duty))| match duty {
            Duty::Family(families) => families.iter().any(|asked| asked == family),
            _ => false,
        });
        paid.fold(owed, |owed, (bit, _)| owed & !bit)
    }

    /// Whether a molecule in stock that does not pay may be made of one that does. Only a block
    /// that is asked for by name is worth that; otherwise a branch ends in stock.
    pub fn reaches_beyond_stock(&self, owed: Owed) -> bool {
        self.owed(owed).all(|(_, (_, duty))| matches!(duty, Duty::Block(_)))
    }

    /// What is to be added to the estimated cost of a molecule for what it owes.
    pub fn surcharge(&self, owed: Owed, molecule: &Molecule) -> Cost {
        let nats = self.owed(owed).map(|(_, (_, duty))| match duty {
            Duty::Element(element) if contains(molecule, *element) => 0.0,
            Duty::Element(_) => NO_SUCH_ELEMENT,
            Duty::Block(blocks) => {
                let own = bonds(molecule);
                let lacks = blocks.iter().map(|(_, block)| lacking(block, &own));
                FAR_FROM_BLOCK * lacks.fold(1.0, f64::min)
            }
            Duty::Family(_) => 0.0,
        });
        Cost::from_nats(nats.sum())
    }
}

/// All ways to share what is owed among so many precursors: each duty falls to one of them.
pub(crate) fn shares(owed: Owed, precursors: usize) -> Vec<Vec<Owed>> {
    let mut all = vec![vec![0; precursors]];
    for bit in (0..Owed::BITS).map(|place| 1 << place).filter(|bit| owed & bit != 0) {
        let given = |share: &Vec<Owed>, to: usize| {
            let mut share = share.clone();
            share[to] |= bit;
            share
        };
        all = all.iter().flat_map(|share| (0..precursors).map(|to| given(share, to))).collect();
    }
    all
}

/// How often each kind of bond occurs: elements and aromaticity of the ends, and the order.
type Bonds = BTreeMap<[u8; 3], u32>;

fn bonds(molecule: &Molecule) -> Bonds {
    let end = |atom: usize| {
        let atom = molecule.atom(atom);
        atom.atomic_number() | u8::from(atom.is_aromatic()) << 7
    };
    let mut bonds = Bonds::new();
    for bond in molecule.bonds() {
        let (a, b) = (end(bond.begin()), end(bond.end()));
        *bonds.entry([a.min(b), a.max(b), bond.order() as u8]).or_default() += 1;
    }
    bonds
}

/// Share of the bonds of a block, 0 to 1, that a molecule does not have.
fn lacking(block: &Bonds, molecule: &Bonds) -> f64 {
    let all: u32 = block.values().sum();
    let lacks = block
        .iter()
        .map(|(kind, count)| count.saturating_sub(molecule.get(kind).copied().unwrap_or(0)));
    f64::from(lacks.sum::<u32>()) / f64::from(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_duty_falls_to_one_precursor() {
        assert_eq!(shares(0, 2), [[0, 0]]);
        assert_eq!(shares(1, 2), [[1, 0], [0, 1]]);
        assert_eq!(shares(3, 2), [[3, 0], [1, 2], [2, 1], [0, 3]]);
        assert_eq!(shares(2, 1), [[2]]);
    }

    #[test]
    fn a_block_is_near_where_its_bonds_are() {
        let of = |smiles| bonds(&Molecule::from_smiles(smiles).expect(smiles));
        let block = of("Brc1ccccc1");
        assert!(lacking(&block, &of("OB(O)c1ccccc1")) < 0.2);
        assert!(lacking(&block, &of("CCO")) > 0.9);
        assert!(lacking(&of("C"), &of("CCO")) < 0.1, "a block without bonds is nowhere far");
    }
}

//! Marks of allenes and of higher coordination, brought from the order of the ligands in the text
//! to the order of the bonds.

use super::reader::Centre;
use crate::builder::MoleculeBuilder;
use crate::stereo::configuration::{ligand_count, reordered};
use crate::{BondOrder, Chirality};

/// A ring-closure number in the text: its atom, how many bonds along the text the atom had
/// before, and the bond.
pub(super) type ClosureEnd = (u32, u16, u32);

/// Corrects all marks that are not tetrahedral. A tetrahedral mark in the middle of an allene is
/// short for an allene mark.
pub(super) fn correct(builder: &mut MoleculeBuilder, ends: &[ClosureEnd], centres: &[Centre]) {
    let in_question = |c: &&Centre| {
        let mark = builder.atoms[c.atom as usize].chirality;
        !mark.is_tetrahedral() || c.may_be_allene
    };
    let centres: Vec<u32> = centres.iter().filter(in_question).map(|c| c.atom).collect();
    let order = TextOrder::new(builder, ends);
    for atom in centres {
        let mark = builder.atoms[atom as usize].chirality;
        let corrected = match mark {
            Chirality::None => mark,
            Chirality::Anticlockwise => order.allene_mark(builder, atom, 1).unwrap_or(mark),
            Chirality::Clockwise => order.allene_mark(builder, atom, 2).unwrap_or(mark),
            Chirality::Allene(number) => order.allene_mark(builder, atom, number).unwrap_or(mark),
            _ => order.coordination_mark(atom, mark),
        };
        builder.atoms[atom as usize].chirality = corrected;
    }
}

/// The bonds of every atom in the order of the text.
struct TextOrder {
    bonds: Vec<Vec<u32>>,
    /// Whether an atom is preceded by another one of its component.
    preceded: Vec<bool>,
}

impl TextOrder {
    fn new(builder: &MoleculeBuilder, ends: &[ClosureEnd]) -> Self {
        let mut is_closure = vec![false; builder.bonds.len()];
        ends.iter().for_each(|&(_, _, bond)| is_closure[bond as usize] = true);
        let mut order = TextOrder {
            bonds: vec![Vec::new(); builder.atoms.len()],
            preceded: vec![false; builder.atoms.len()],
        };
        // Bonds along the text are numbered along the text.
        for (index, bond) in builder.bonds.iter().enumerate().filter(|(i, _)| !is_closure[*i]) {
            order.bonds[bond.begin as usize].push(index as u32);
            order.bonds[bond.end as usize].push(index as u32);
            order.preceded[bond.begin.max(bond.end) as usize] = true;
        }
        // From the last number back, so that those before keep their places.
        for &(atom, before, bond) in ends.iter().rev() {
            order.bonds[atom as usize].insert(before as usize, bond);
        }
        order
    }

    fn coordination_mark(&self, atom: u32, mark: Chirality) -> Chirality {
        let text = &self.bonds[atom as usize];
        let mut sorted = text.clone();
        sorted.sort_unstable();
        let known = sorted.len();
        let Some(missing) = ligand_count(mark).checked_sub(known) else { return mark };
        // Ligands that are no atoms stand right after the atom before, or first.
        let gap = usize::from(self.preceded[atom as usize]).min(known);
        let place = |bond: &u32| {
            let at = text.iter().position(|b| b == bond).expect("both lists hold the same bonds");
            (if at < gap { at } else { at + missing }) as u8
        };
        let implied = (0..missing).map(|k| (gap + k) as u8);
        let order: Vec<u8> = sorted.iter().map(place).chain(implied).collect();
        reordered(mark, &order)
    }

    /// The mark of an allene with its outer ligands in the order of bonds, end by end; `None`
    /// when this is not the middle of an allene.
    fn allene_mark(&self, builder: &MoleculeBuilder, middle: u32, number: u8) -> Option<Chirality> {
        let [first, second] = self.bonds[middle as usize][..] else { return None };
        let mut odd = false;
        for bond in [first, second] {
            let (inner, terminal) = self.allene_end(builder, middle, bond)?;
            let text = &self.bonds[terminal as usize];
            let outer: Vec<u32> = text.iter().copied().filter(|&b| b != inner).collect();
            odd ^= match outer[..] {
                // A hydrogen of the terminal atom is read right after the atom before.
                [only] => !(self.preceded[terminal as usize] && text.first() == Some(&only)),
                [one, two] => one > two,
                _ => return None,
            };
        }
        Some(Chirality::Allene(if odd { 3 - number } else { number }))
    }

    /// Last bond and last atom of the cumulated double bonds that begin with this one.
    fn allene_end(&self, builder: &MoleculeBuilder, middle: u32, bond: u32) -> Option<(u32, u32)> {
        let (mut before, mut bond) = (middle, bond);
        for _ in 0..builder.bonds.len() {
            let spec = &builder.bonds[bond as usize];
            if spec.order != BondOrder::Double {
                return None;
            }
            let here = spec.begin ^ spec.end ^ before;
            let next = match self.bonds[here as usize][..] {
                [a, b] => Some(if a == bond { b } else { a }),
                _ => None,
            };
            match next.filter(|&next| builder.bonds[next as usize].order == BondOrder::Double) {
                Some(next) => (before, bond) = (here, next),
                None => return Some((bond, here)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::Molecule;

    fn canonical(text: &str) -> String {
        Molecule::from_smiles(text).expect(text).to_smiles()
    }

    #[test]
    fn an_allene_mark_follows_the_text() {
        assert_eq!(canonical("OC(Cl)=[C@]=C(C)F"), "CC(F)=[C@AL1]=C(O)Cl");
        assert_eq!(canonical("OC(Cl)=[C@AL1]=C(C)F"), canonical("OC(Cl)=[C@@]=C(F)C"));
        assert_eq!(canonical("C(C)=[C@AL1]=CC"), canonical("CC=[C@AL2]=CC"));
        assert_ne!(canonical("CC=[C@AL1]=CC"), canonical("CC=[C@AL2]=CC"));
        assert_eq!(canonical("CC(C)=[C@AL1]=CC"), "CC=C=C(C)C");
    }

    #[test]
    fn implied_ligands_of_higher_coordination_stand_after_the_atom_before() {
        assert_eq!(canonical("N[Co@OH12H](Cl)(Br)(F)C"), "[CH3][Co@OH6H]([NH2])([F])([Cl])[Br]");
        assert_eq!(canonical("[Co@TB5H](Cl)(Br)(F)C"), "[CH3][Co@TB11H]([F])([Cl])[Br]");
        assert_eq!(canonical("C[Pt@SP1](Cl)(F)N"), "[CH3][Pt@SP1]([NH2])([F])[Cl]");
        assert_eq!(canonical("[Pt@SP1](Cl)(F)N"), "[NH2][Pt@SP3]([F])[Cl]");
    }
}

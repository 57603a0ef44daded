//! Topological torsions: chains of four atoms, and rings of three walked once around. Hydrogens
//! that are atoms of the graph are part of no chain.

use synthon_budget::{Budget, Stop};
use synthon_mol::{Element, Molecule};

use crate::atom_code::{CODE_BITS, CODE_LIMIT, atom_codes};
use crate::codes::Sink;
use crate::hash::sequence;

/// Finds torsions; its memory is used again for the next molecule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Torsions {
    codes: Vec<u32>,
}

impl Torsions {
    /// Passes the code of every torsion to `sink`: a hash when `folded`, else the four atoms'
    /// codes side by side.
    pub(crate) fn codes(
        &mut self,
        molecule: &Molecule,
        folded: bool,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        atom_codes(molecule, &mut self.codes);
        // An atom of the chain does not count the bonds of the chain as branches.
        for code in &mut self.codes {
            *code = code.wrapping_sub(2) % CODE_LIMIT;
        }
        let heavy = |atom: usize| molecule.atom(atom).element() != Element::H;
        for bond in molecule.bonds().iter().filter(|b| heavy(b.begin()) && heavy(b.end())) {
            let (b, c) = (bond.begin(), bond.end());
            budget.spend(1 + molecule.degree(b) as u64)?;
            let others = |of: usize, not: usize| {
                let atoms = molecule.neighbours(of).iter().map(|n| n.atom());
                atoms.filter(move |&atom| atom != not && heavy(atom))
            };
            for a in others(b, c) {
                // Where d is a, it is a ring of three, which its own loop finds.
                for d in others(c, b).filter(|&d| d != a) {
                    sink.take(self.code([a, b, c, d], folded));
                }
            }
        }
        self.rings_of_three(molecule, folded, sink, budget)
    }

    /// A ring of three is walked from its first atom to the second and back to the first; which
    /// that is depends on the order of the atoms, as in RDKit.
    fn rings_of_three(
        &self,
        molecule: &Molecule,
        folded: bool,
        sink: &mut impl Sink,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for bond in molecule.bonds().iter().filter(|bond| bond.smallest_ring() == 3) {
            budget.tick()?;
            let (a, b) = (bond.begin().min(bond.end()), bond.begin().max(bond.end()));
            for c in molecule.neighbours(a).iter().map(|n| n.atom()).filter(|&c| c > b) {
                if molecule.bond_between(b, c).is_some() {
                    sink.take(self.code([a, b, c, a], folded));
                }
            }
        }
        Ok(())
    }

    fn code(&self, atoms: [usize; 4], folded: bool) -> u64 {
        let [a, b, c, d] = atoms.map(|atom| self.codes[atom]);
        let mut codes = [a + 1, b, c, d + 1];
        if (codes[0], codes[1]) > (codes[3], codes[2]) {
            codes.reverse();
        }
        if folded {
            return sequence(&codes).into();
        }
        codes.iter().rev().fold(0, |code, &part| code << CODE_BITS | u64::from(part))
    }
}

//! Atoms of the target that bond constraints speak of, followed while the search goes.
//!
//! A molecule of the search that still holds a bond which shall be made, or must be kept, carries
//! marks on the atoms of that bond. Molecules with different marks are different molecules to the
//! search, so both rules can be judged where they matter and nowhere else: no branch may end
//! where a bond that shall be made is still there, and no step may take a bond that must be kept.
//! Marks that no longer matter are dropped, so that the search shares what it can. What a molecule
//! owes ([`crate::duties`]) is told apart in the same way.

use std::ops::Deref;

use synthon_mol::{Molecule, WriteOptions, write_smiles};
use synthon_reaction::{Origin, Outcome};

use crate::duties::Owed;
use crate::request::Constraints;

/// Marks of a molecule: atom and mark, ascending by atom.
pub(crate) type Marks = Vec<(u32, u16)>;

/// A molecule as an expansion gives it, with its marks and what it owes.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub molecule: Molecule,
    pub marks: Marks,
    pub owed: Owed,
}

impl Marked {
    /// A molecule without marks.
    pub fn plain(molecule: Molecule) -> Self {
        Marked { molecule, marks: Vec::new(), owed: 0 }
    }

    /// The same molecule, owing this.
    pub fn owing(mut self, owed: Owed) -> Self {
        self.owed = owed;
        self
    }

    /// Equal for molecules that are the same, marks and debts included.
    pub fn key(&self) -> u128 {
        let key = match self.marks.is_empty() {
            true => self.molecule.canonical_key(),
            false => self.labelled().canonical_key(),
        };
        key ^ u128::from(self.owed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
    }

    /// The same molecule with marks as isotopes.
    fn labelled(&self) -> Molecule {
        let mut builder = self.molecule.to_builder();
        for &(atom, mark) in &self.marks {
            let atom = builder.atom_mut(atom as usize);
            atom.map = 0;
            // No isotope is that heavy, and none of an element lies 200 from another.
            atom.isotope = match atom.isotope {
                0 => 1_000 + mark,
                isotope => 2_000 + isotope % 200 * 257 + mark,
            };
        }
        builder.build().unwrap_or_else(|_| self.molecule.clone())
    }

    /// The small form.
    pub fn keep(&self) -> Kept {
        let (text, order) = unmapped(&self.molecule);
        let mut marks: Marks = Vec::new();
        for (place, atom) in (0..).zip(order) {
            if let Ok(found) = self.marks.binary_search_by_key(&atom, |mark| mark.0) {
                marks.push((place, self.marks[found].1));
            }
        }
        Kept { text: text.into(), marks: marks.into(), owed: self.owed }
    }

    /// Its atoms in an order that is the same for equal keys.
    fn order(&self) -> Vec<u32> {
        write_smiles(&self.labelled(), &WriteOptions::default()).atom_order
    }
}

/// Canonical text without maps, and the order of its atoms.
pub(crate) fn unmapped(molecule: &Molecule) -> (String, Vec<u32>) {
    let options = WriteOptions { atom_maps: false, ..WriteOptions::default() };
    let written = write_smiles(molecule, &options);
    (written.text, written.atom_order)
}

/// A molecule of the search as it is kept: canonical text, marks by place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    text: Box<str>,
    marks: Box<[(u32, u16)]>,
    owed: Owed,
}

impl Kept {
    /// The molecule; `None` for a text that is none, which is no text of ours.
    pub fn read(&self) -> Option<Marked> {
        let molecule = Molecule::from_smiles(&self.text).ok()?;
        Some(Marked { molecule, marks: self.marks.to_vec(), owed: self.owed })
    }

    /// Whether it carries any marks.
    pub fn is_marked(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Whether it is a molecule like any other: no marks, no debts.
    pub fn is_plain(&self) -> bool {
        !self.is_marked() && self.owed == 0
    }
}

impl Deref for Kept {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// For each atom of `from` the atom of `to` that is the same in two equal molecules.
pub(crate) fn alignment(from: &Marked, to: &Marked) -> Vec<u32> {
    let mut same = vec![u32::MAX; from.molecule.atom_count()];
    for (&from, to) in from.order().iter().zip(to.order()) {
        same[from as usize] = to;
    }
    same
}

/// The bond constraints of a request in terms of marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarkRule {
    /// Atom of the target for each mark; the first mark is 1.
    atoms: Vec<u32>,
    made: Vec<[u16; 2]>,
    kept: Vec<[u16; 2]>,
}

impl MarkRule {
    pub fn new(asked: &Constraints) -> Self {
        let mut rule = MarkRule::default();
        rule.made = rule.in_marks(&asked.break_bonds);
        rule.kept = rule.in_marks(&asked.freeze_bonds);
        rule
    }

    fn in_marks(&mut self, bonds: &[[u32; 2]]) -> Vec<[u16; 2]> {
        let mut mark = |atom: u32| {
            let place = self.atoms.iter().position(|&known| known == atom).unwrap_or_else(|| {
                self.atoms.push(atom);
                self.atoms.len() - 1
            });
            // 64 pairs of each kind at most.
            place as u16 + 1
        };
        bonds.iter().map(|&[a, b]| [mark(a), mark(b)]).collect()
    }

    /// The target with its marks.
    pub fn target(&self, molecule: Molecule) -> Marked {
        let mut marks: Marks = (1..).zip(&self.atoms).map(|(mark, &atom)| (atom, mark)).collect();
        marks.sort_unstable();
        let marks = self.that_matter(&molecule, marks);
        Marked { molecule, marks, owed: 0 }
    }

    /// Whether a bond is still there that shall be made.
    pub fn must_be_taken_apart(&self, marked: &Marked) -> bool {
        !marked.marks.is_empty() && self.made.iter().any(|&bond| holds(marked, bond))
    }

    /// Marks of the precursors of a step; `None` when the step takes a bond that must be kept.
    pub fn below(&self, product: &Marked, outcome: &Outcome) -> Option<Vec<Marks>> {
        if product.marks.is_empty() {
            return Some(vec![Vec::new(); outcome.precursors.len()]);
        }
        let mut all = Vec::with_capacity(outcome.precursors.len());
        let mut marked: Vec<Marked> = Vec::with_capacity(outcome.precursors.len());
        for (molecule, origins) in outcome.precursors.iter().zip(&outcome.origins) {
            let marks = (0..).zip(origins).filter_map(|(atom, origin)| {
                let Origin::Product(from) = origin else { return None };
                let found = product.marks.binary_search_by_key(from, |mark| mark.0).ok()?;
                Some((atom, product.marks[found].1))
            });
            marked.push(Marked { molecule: molecule.clone(), marks: marks.collect(), owed: 0 });
        }
        let lost = |&&bond: &&[u16; 2]| {
            holds(product, bond) && !marked.iter().any(|precursor| holds(precursor, bond))
        };
        if self.kept.iter().find(lost).is_some() {
            return None;
        }
        for Marked { molecule, marks, .. } in marked {
            all.push(self.that_matter(&molecule, marks));
        }
        Some(all)
    }

    /// Those of the marks that belong to a bond which the molecule holds.
    fn that_matter(&self, molecule: &Molecule, marks: Marks) -> Marks {
        let bonds = self.made.iter().chain(&self.kept);
        let mut needed: Vec<u16> =
            bonds.filter(|&&bond| holds_in(molecule, &marks, bond)).flatten().copied().collect();
        needed.sort_unstable();
        marks.into_iter().filter(|(_, mark)| needed.binary_search(mark).is_ok()).collect()
    }
}

fn holds(marked: &Marked, bond: [u16; 2]) -> bool {
    holds_in(&marked.molecule, &marked.marks, bond)
}

fn holds_in(molecule: &Molecule, marks: &[(u32, u16)], bond: [u16; 2]) -> bool {
    let at = |wanted: u16| marks.iter().find(|(_, mark)| *mark == wanted).map(|&(atom, _)| atom);
    match bond.map(at) {
        [Some(a), Some(b)] => molecule.bond_between(a as usize, b as usize).is_some(),
        _ => false,
    }
}

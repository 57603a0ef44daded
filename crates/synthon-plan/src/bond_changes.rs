//! Which bonds a step makes, breaks and changes, for words and for drawings.
//!
//! A step carries its reaction centre as atom maps ([`ChangedAtoms`]); what happens to the bonds
//! follows from comparing the mapped texts.

use std::collections::BTreeMap;

use synthon_mol::{BondOrder, Molecule};

use crate::route::{ChangedAtoms, Step};

/// A bond as a pair of zero-based atoms of a text.
pub type AtomPair = [u32; 2];

/// What a step does to bonds. A bond that only becomes aromatic, or ceases to be, is left out
/// unless it lies between two atoms that the step changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BondChanges {
    /// Bonds of the step's `target` that are new or of another order.
    pub target: Vec<AtomPair>,
    /// The same for each of the `precursors`: bonds that go or change their order.
    pub precursors: Vec<Vec<AtomPair>>,
    /// The new ones in words, such as `C-N`, sorted.
    pub made: Vec<String>,
    /// Those that go, such as `C-Cl`, sorted. A bond to an atom that leaves is among them.
    pub broken: Vec<String>,
    /// Those that change their order, such as `C=O to C-O`, sorted.
    pub changed: Vec<String>,
}

/// Compares the two sides of a step. `None` when the step states no reaction centre or its texts
/// do not fit it.
pub fn bond_changes(step: &Step) -> Option<BondChanges> {
    let sides = Sides::read(step, step.changed_atoms.as_ref()?)?;
    let mut out = BondChanges {
        precursors: vec![Vec::new(); step.precursors.len()],
        ..BondChanges::default()
    };
    for bond in sides.target.bonds() {
        let (a, b) = (bond.begin(), bond.end());
        let maps = (sides.target.atom(a).map(), sides.target.atom(b).map());
        if maps.0 == 0 || maps.1 == 0 {
            continue;
        }
        let before = sides.before(maps.0, maps.1);
        if before.as_ref().map(|(order, _)| *order) == Some(bond.order()) {
            continue;
        }
        out.target.push(pair(a, b));
        let now = words(&sides.target, a, b, bond.order());
        match before {
            None => out.made.push(now),
            Some((_, was)) if was != now => out.changed.push(format!("{was} to {now}")),
            Some(_) => {}
        }
    }
    for (which, precursor) in sides.precursors.iter().enumerate() {
        let centre = &sides.centre[which];
        for bond in precursor.bonds() {
            let (a, b) = (bond.begin(), bond.end());
            if !centre.contains(&(a as u32)) || !centre.contains(&(b as u32)) {
                continue;
            }
            let maps = (precursor.atom(a).map(), precursor.atom(b).map());
            let after = match maps {
                // Bonds within what leaves are no change that anybody looks for.
                (0, 0) => continue,
                (0, _) | (_, 0) => None,
                (a, b) => sides.after(a, b),
            };
            if after == Some(bond.order()) {
                continue;
            }
            out.precursors[which].push(pair(a, b));
            if after.is_none() {
                out.broken.push(words(precursor, a, b, bond.order()));
            }
        }
    }
    for list in [&mut out.made, &mut out.broken, &mut out.changed] {
        list.sort();
    }
    Some(out)
}

/// The molecules of a step with the changed atoms mapped, their atoms in the order of the texts.
struct Sides {
    target: Molecule,
    precursors: Vec<Molecule>,
    /// Changed atoms of each precursor.
    centre: Vec<Vec<u32>>,
    /// By map: the precursor and the atom there.
    source: BTreeMap<u32, (usize, usize)>,
    /// By map: the atom of the target.
    product: BTreeMap<u32, usize>,
}

impl Sides {
    fn read(step: &Step, changed: &ChangedAtoms) -> Option<Sides> {
        let (left, right) = changed.mapped.split_once(">>")?;
        let target = same_atoms(right, &step.target)?;
        if changed.precursors.len() != step.precursors.len() {
            return None;
        }
        // A precursor may be written in several pieces itself.
        let mut pieces = left.split('.');
        let mut precursors = Vec::with_capacity(step.precursors.len());
        for text in &step.precursors {
            let own: Vec<&str> = pieces.by_ref().take(text.split('.').count()).collect();
            precursors.push(same_atoms(&own.join("."), text)?);
        }
        let mut source = BTreeMap::new();
        for (which, molecule) in precursors.iter().enumerate() {
            source.extend(mapped(molecule).map(|(map, atom)| (map, (which, atom))));
        }
        let product = mapped(&target).collect();
        Some(Sides { target, precursors, centre: changed.precursors.clone(), source, product })
    }

    /// The bond between two atoms before the step, if there was one, and its words.
    fn before(&self, a: u32, b: u32) -> Option<(BondOrder, String)> {
        let (&(one, a), &(other, b)) = (self.source.get(&a)?, self.source.get(&b)?);
        let molecule = (one == other).then(|| &self.precursors[one])?;
        let order = molecule.bond(molecule.bond_between(a, b)?).order();
        Some((order, words(molecule, a, b, order)))
    }

    /// The order of the bond between two atoms after the step, if there is one.
    fn after(&self, a: u32, b: u32) -> Option<BondOrder> {
        let bond = self.target.bond_between(*self.product.get(&a)?, *self.product.get(&b)?)?;
        Some(self.target.bond(bond).order())
    }
}

fn mapped(molecule: &Molecule) -> impl Iterator<Item = (u32, usize)> + '_ {
    let maps = molecule.atoms().iter().enumerate().map(|(atom, known)| (known.map(), atom));
    maps.filter(|(map, _)| *map != 0)
}

/// The molecule of a mapped text, if its atoms are those of the plain one, in the same order.
fn same_atoms(text: &str, plain: &str) -> Option<Molecule> {
    let (molecule, plain) = (Molecule::from_smiles(text).ok()?, Molecule::from_smiles(plain).ok()?);
    let same = molecule.atom_count() == plain.atom_count()
        && molecule.atoms().iter().zip(plain.atoms()).all(|(a, b)| a.element() == b.element());
    same.then_some(molecule)
}

fn pair(a: usize, b: usize) -> AtomPair {
    [a.min(b) as u32, a.max(b) as u32]
}

/// Such as `C=O`: carbon first, then by symbol, as in a formula.
fn words(molecule: &Molecule, a: usize, b: usize, order: BondOrder) -> String {
    let symbol = |atom: usize| molecule.atom(atom).element().symbol();
    let (mut first, mut second) = (symbol(a), symbol(b));
    if (second == "C", first) > (first == "C", second) {
        std::mem::swap(&mut first, &mut second);
    }
    let mark = match order {
        BondOrder::Double => "=",
        BondOrder::Triple => "#",
        BondOrder::Quadruple => "$",
        BondOrder::Aromatic => ":",
        BondOrder::Unspecified => "~",
        BondOrder::Single | BondOrder::Dative => "-",
    };
    format!("{first}{mark}{second}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(target: &str, precursors: &[&str], mapped: &str, centre: &[&[u32]]) -> Step {
        Step {
            target: target.to_owned(),
            precursors: precursors.iter().map(|&p| p.to_owned()).collect(),
            changed_atoms: Some(ChangedAtoms {
                mapped: mapped.to_owned(),
                target: Vec::new(),
                precursors: centre.iter().map(|c| c.to_vec()).collect(),
            }),
            ..Step::default()
        }
    }

    #[test]
    fn an_amide_is_made_from_an_acid_chloride_and_an_amine() {
        let step = step(
            "CNC(C)=O",
            &["CC(=O)Cl", "CN"],
            "C[C:2](=O)Cl.C[NH2:1]>>C[NH:1][C:2](C)=O",
            &[&[1, 3], &[1]],
        );
        let changes = bond_changes(&step).expect("a centre");
        assert_eq!(changes.target, [[1, 2]]);
        assert_eq!(changes.precursors, [vec![[1, 3]], vec![]]);
        assert_eq!((changes.made, changes.broken), (vec!["C-N".into()], vec!["C-Cl".into()]));
        assert!(changes.changed.is_empty());
    }

    #[test]
    fn a_reduction_changes_an_order() {
        let step = step("CC(C)O", &["CC(C)=O"], "C[C:1](C)=[O:2]>>C[CH:1](C)[OH:2]", &[&[1, 3]]);
        let changes = bond_changes(&step).expect("a centre");
        assert_eq!(changes.changed, ["C=O to C-O"]);
        assert!(changes.made.is_empty() && changes.broken.is_empty());
        assert_eq!((changes.target, changes.precursors), (vec![[1, 3]], vec![vec![[1, 3]]]));
    }

    #[test]
    fn precursors_in_pieces_are_told_apart() {
        let step = step(
            "CNC(C)=O",
            &["CC(=O)O", "C[NH3+].[Cl-]"],
            "C[C:2](=O)O.C[NH3+:1].[Cl-]>>C[NH:1][C:2](C)=O",
            &[&[1, 3], &[1]],
        );
        let changes = bond_changes(&step).expect("a centre");
        assert_eq!(changes.made, ["C-N"]);
        assert_eq!(changes.broken, ["C-O"]);
    }

    #[test]
    fn texts_that_do_not_fit_give_nothing() {
        let mut step = step("CO", &["CCl"], "C[Br:1]>>C[OH:1]", &[&[1]]);
        assert_eq!(bond_changes(&step), None);
        step.changed_atoms = None;
        assert_eq!(bond_changes(&step), None);
    }
}

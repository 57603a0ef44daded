//! The text of a template, from the atoms that it shows.
//!
//! Each atom is written by itself, with a ring closure for each of its bonds: the canonical text,
//! which the world sees, is made from this one.

use std::fmt::Write;

use synthon_mol::{BondOrder, BondStereo, Chirality, Molecule};

use super::reaction::{MappedReaction, NONE};

/// How much is said of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// All: element, hydrogens, neighbours, charge.
    Full,
    /// Element and aromaticity, charge if there is one.
    Element,
    /// As in a molecule, for atoms that only the precursors have.
    New,
}

/// The text `product>>precursors`. `changed` and `shown` are said of the product's atoms.
pub(super) fn template(reaction: &MappedReaction, changed: &[bool], shown: &[bool]) -> String {
    let product = reaction.product();
    let mut map = vec![0u32; shown.len()];
    let mut next = 0;
    for atom in (0..shown.len()).filter(|&a| shown[a]) {
        next += 1;
        map[atom] = next;
    }
    let mut out = String::new();
    let label_of = |molecule: &Molecule, atom: usize, target: usize| {
        if changed[target] || (molecule.degree(atom) == 1 && !molecule.atom(atom).is_aromatic()) {
            Label::Full
        } else {
            Label::Element
        }
    };
    side(&mut out, product, |atom| shown[atom].then(|| (map[atom], label_of(product, atom, atom))));
    out.push_str(">>");
    for (r, reactant) in reaction.reactants().iter().enumerate() {
        if r > 0 {
            out.push('.');
        }
        side(&mut out, reactant, |atom| match reaction.target(r, atom) {
            NONE => Some((0, Label::New)),
            target => {
                let target = target as usize;
                // The same word on both sides, unless the atom changes.
                let label =
                    if changed[target] { Label::Full } else { label_of(product, target, target) };
                shown[target].then(|| (map[target], label))
            }
        });
    }
    out
}

/// Writes one molecule's part. `show` gives the map number and the label of an atom that is shown.
fn side(out: &mut String, molecule: &Molecule, show: impl Fn(usize) -> Option<(u32, Label)>) {
    let atoms: Vec<usize> = (0..molecule.atom_count()).filter(|&a| show(a).is_some()).collect();
    let mut place = vec![usize::MAX; molecule.atom_count()];
    for (k, &atom) in atoms.iter().enumerate() {
        place[atom] = k;
    }
    let grouped = pieces(molecule, &atoms, &place) > 1;
    let directions = directions(molecule, &place);
    let mut digits = vec![0u32; molecule.bond_count()];
    let mut used: Vec<bool> = vec![true];
    if grouped {
        out.push('(');
    }
    for (k, &atom) in atoms.iter().enumerate() {
        if k > 0 {
            out.push('.');
        }
        let around: Vec<_> =
            molecule.neighbours(atom).iter().filter(|n| place[n.atom()] != usize::MAX).collect();
        let (map, label) = show(atom).expect("the atom is shown");
        word(out, molecule, atom, around.len(), map, label);
        let mut free = Vec::new();
        for n in around {
            let (bond, digit) = (molecule.bond(n.bond()), digits[n.bond()]);
            if digit != 0 {
                number(out, digit);
                // Free for the next atom only: here it would be read as opened anew.
                free.push(digit as usize);
                continue;
            }
            let digit = used.iter().position(|used| !used).unwrap_or_else(|| {
                used.push(false);
                used.len() - 1
            });
            used[digit] = true;
            digits[n.bond()] = digit as u32;
            out.push_str(match (bond.order(), directions[n.bond()]) {
                // Said in the direction from this end, which opens the ring closure.
                (BondOrder::Single, Some(above)) if above == (bond.begin() == atom) => "/",
                (BondOrder::Single, Some(_)) => "\\",
                (BondOrder::Single, None) => "-",
                (BondOrder::Double, _) => "=",
                (BondOrder::Triple, _) => "#",
                (BondOrder::Quadruple, _) => "$",
                (BondOrder::Aromatic, _) => ":",
                (BondOrder::Dative, _) if bond.begin() == atom => "->",
                (BondOrder::Dative, _) => "<-",
                (BondOrder::Unspecified, _) => "~",
            });
            number(out, digit as u32);
        }
        free.into_iter().for_each(|digit| used[digit] = false);
    }
    if grouped {
        out.push(')');
    }
}

fn number(out: &mut String, digit: u32) {
    match digit {
        0..=9 => write!(out, "{digit}"),
        10..=99 => write!(out, "%{digit}"),
        _ => write!(out, "%({digit})"),
    }
    .expect("a string takes any text");
}

/// Number of connected pieces of the atoms that are shown.
fn pieces(molecule: &Molecule, atoms: &[usize], place: &[usize]) -> usize {
    let mut seen = vec![false; atoms.len()];
    let (mut count, mut stack) = (0, Vec::new());
    for start in 0..atoms.len() {
        if seen[start] {
            continue;
        }
        count += 1;
        seen[start] = true;
        stack.push(start);
        while let Some(k) = stack.pop() {
            for n in molecule.neighbours(atoms[k]) {
                let other = place[n.atom()];
                if other != usize::MAX && !std::mem::replace(&mut seen[other], true) {
                    stack.push(other);
                }
            }
        }
    }
    count
}

fn word(out: &mut String, molecule: &Molecule, index: usize, shown: usize, map: u32, label: Label) {
    let atom = molecule.atom(index);
    let mark = mark(molecule, index, shown, label != Label::Element);
    let lower;
    let symbol = if atom.is_aromatic() {
        lower = atom.element().symbol().to_lowercase();
        &lower
    } else {
        atom.element().symbol()
    };
    let hydrogens = molecule.total_hydrogens(index);
    let bare = label == Label::New
        && hydrogens == 0
        && atom.charge() == 0
        && atom.isotope() == 0
        && mark.is_empty()
        && ["B", "C", "N", "O", "P", "S", "F", "Cl", "Br", "I", "b", "c", "n", "o", "p", "s"]
            .contains(&symbol);
    if bare {
        out.push_str(symbol);
        return;
    }
    out.push('[');
    if atom.isotope() != 0 {
        write!(out, "{}", atom.isotope()).expect("a string takes any text");
    }
    // Hydrogen as an atom is `#1`: `H` behind a bracket may be read as a count.
    if atom.atomic_number() == 1 {
        out.push_str("#1");
    } else {
        out.push_str(symbol);
    }
    out.push_str(mark);
    match (label, hydrogens) {
        (Label::Element, _) => {}
        (_, 0) => out.push_str(if label == Label::Full { ";H0" } else { "" }),
        (_, 1) => out.push('H'),
        (_, n) => write!(out, "H{n}").expect("a string takes any text"),
    }
    if label == Label::Full {
        write!(out, ";D{}", molecule.degree(index)).expect("a string takes any text");
    }
    match (label, atom.charge()) {
        (Label::Full, 0) => out.push_str(";+0"),
        (_, 0) => {}
        (Label::New, charge) => write!(out, "{charge:+}").expect("a string takes any text"),
        (_, charge) => write!(out, ";{charge:+}").expect("a string takes any text"),
    }
    if map != 0 {
        write!(out, ":{map}").expect("a string takes any text");
    }
    out.push(']');
}

/// The mark of a centre of which all ligands are shown, as `@` or `@@`.
fn mark(molecule: &Molecule, atom: usize, shown: usize, says_hydrogens: bool) -> &'static str {
    let chirality = molecule.atom(atom).chirality();
    if !chirality.is_tetrahedral() || shown < molecule.degree(atom) || shown < 3 {
        return "";
    }
    if shown == 3 && !says_hydrogens {
        return "";
    }
    // No atom leads here: a hydrogen is read before the ring closures, the molecule's mark has it
    // behind them.
    let first = shown == 3 && molecule.atom(atom).hydrogens() == 1;
    match if first { chirality.inverted() } else { chirality } {
        Chirality::Anticlockwise => "@",
        _ => "@@",
    }
}

/// For each single bond beside a double bond of which the template shows the geometry, whether it
/// rises from its begin to its end.
fn directions(molecule: &Molecule, place: &[usize]) -> Vec<Option<bool>> {
    let mut rises: Vec<Option<bool>> = vec![None; molecule.bond_count()];
    for (index, bond) in molecule.bonds().iter().enumerate() {
        if bond.stereo() == BondStereo::None {
            continue;
        }
        let Some(first) = molecule.stereo_references(index) else { continue };
        let mut cis = bond.stereo() == BondStereo::Cis;
        let mut beside = [usize::MAX; 2];
        let ends = [(bond.begin(), bond.end(), first.0), (bond.end(), bond.begin(), first.1)];
        for (k, &(at, not, reference)) in ends.iter().enumerate() {
            let single = |n: &&synthon_mol::Neighbour| {
                n.atom() != not
                    && place[n.atom()] != usize::MAX
                    && molecule.bond(n.bond()).order() == BondOrder::Single
            };
            // One that has a direction already, so that neighbouring double bonds agree.
            let around = || molecule.neighbours(at).iter().filter(single);
            let chosen = around().find(|n| rises[n.bond()].is_some()).or_else(|| around().next());
            if let (Some(n), true) = (chosen, place[at] != usize::MAX) {
                beside[k] = n.bond();
                cis ^= n.atom() != reference;
            }
        }
        if beside.contains(&usize::MAX) {
            continue;
        }
        // Whether the neighbour lies above its end, for a bond that rises.
        let above =
            |k: usize, rises: bool| rises == (molecule.bond(beside[k]).begin() == ends[k].0);
        let set = |k: usize, above: bool| above == (molecule.bond(beside[k]).begin() == ends[k].0);
        match (rises[beside[0]], rises[beside[1]]) {
            (Some(r), None) => rises[beside[1]] = Some(set(1, above(0, r) == cis)),
            (None, Some(r)) => rises[beside[0]] = Some(set(0, above(1, r) == cis)),
            (None, None) => {
                rises[beside[0]] = Some(set(0, true));
                rises[beside[1]] = Some(set(1, cis));
            }
            // A ring of double bonds: both are said already, rightly or not at all.
            (Some(_), Some(_)) => {}
        }
    }
    rises
}

//! Taking charges away with protons.
//!
//! The rules are those of RDKit's Uncharger with its canonical order: charges that bonds hold
//! (quaternary nitrogen) stay, and as much negative charge stays as they need, on the weakest
//! sites first to be neutralised and on acids last; charges that belong to a neutral group (nitro,
//! N-oxide, sydnone) are left alone. A proton comes or goes with every charge, never without.

use std::sync::LazyLock;

use synthon_budget::Stop;
use synthon_mol::{Element, Molecule};
use synthon_query::Pattern;

use crate::edit::Edit;
use crate::order::in_canonical_order;
use crate::search::{Finder, compiled};

/// Positive with a proton to give.
const PROTONATED: &str = "[+,+2,+3,+4;!h0;!$(*~[-]),$(*(~[-])~[-])]";
/// Positive without one.
const QUATERNARY: &str = "[+,+2,+3,+4;h0;!$(*~[-])]";
/// Negative, and not beside its positive partner.
const ANION: &str = "[-!$(*~[+,+2,+3,+4])]";
/// Anions of acids: carboxylate, sulphonate and their like; phosphate and nitrate written with
/// charges; halates; tetrazole.
const ACID_ANION: &str = "[$([O,S;-][C,S;+0]=[O,S]),\
                          $([O,S;-][N,P;+](=[O,S])[O,S;-]),\
                          $([O-][Cl,Br,I;+,+2,+3][O-]),\
                          $([n-]1nnnc1),$([n-]1ncnn1)]";

struct Patterns {
    protonated: Pattern,
    quaternary: Pattern,
    anion: Pattern,
    acid_anion: Pattern,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    protonated: compiled(PROTONATED),
    quaternary: compiled(QUATERNARY),
    anion: compiled(ANION),
    acid_anion: compiled(ACID_ANION),
});

/// Takes away the charges that protons can pay for; `None` when there are none.
pub(crate) fn neutralise(
    molecule: &Molecule,
    finder: &mut Finder<'_>,
) -> Result<Option<Molecule>, Stop> {
    if molecule.atoms().iter().all(|atom| atom.charge() == 0) {
        return Ok(None);
    }
    let molecule = in_canonical_order(molecule);
    let protonated = finder.atoms(&PATTERNS.protonated, &molecule)?;
    let quaternary = finder.atoms(&PATTERNS.quaternary, &molecule)?;
    let mut anions = finder.atoms(&PATTERNS.anion, &molecule)?;
    let mut acids = finder.atoms(&PATTERNS.acid_anion, &molecule)?;
    let charge = |&atom: &usize| i32::from(molecule.atom(atom).charge());
    let held: i32 = quaternary.iter().map(charge).sum::<i32>()
        + protonated
            .iter()
            .filter(|&&atom| change_of_cation(&molecule, atom) == 0)
            .map(charge)
            .sum::<i32>();
    if held > 0 && !(anions.is_empty() && acids.is_empty()) {
        let ranks = molecule.canonical_ranks();
        let rank = |&atom: &usize| {
            // RDKit ranks all fragments together, by these first.
            let this = molecule.atom(atom);
            let degree = molecule.degree(atom);
            (degree, this.atomic_number(), this.isotope(), this.hydrogens(), ranks[atom])
        };
        anions.sort_by_key(rank);
        acids.sort_by_key(rank);
    }
    let mut sites: Vec<usize> = anions.into_iter().filter(|atom| !acids.contains(atom)).collect();
    sites.extend(unpaired_acids(&molecule, &acids));

    let mut edit = Edit::of(&molecule);
    let mut net = molecule.charge();
    let mut surplus = sites.len() as i32 - held;
    let mut changed = false;
    if surplus != 0 {
        for site in sites {
            let change = change_of_anion(&molecule, site);
            if change == 0 || !allowed(&molecule, site, change) {
                continue;
            }
            shift(&molecule, &mut edit, site, 1, change);
            net += 1;
            changed = true;
            surplus -= 1;
            if surplus == 0 {
                break;
            }
        }
    }
    for atom in protonated {
        let mut left = i32::from(molecule.atom(atom).charge());
        while left > 0 && net > 0 {
            let carbon = molecule.atom(atom).element() == Element::C
                || is_early(molecule.atom(atom).element());
            let hydrogens = edit.hydrogens(atom);
            if !carbon && hydrogens == 0 {
                break;
            }
            left -= 1;
            net -= 1;
            changed = true;
            edit.set_charge(atom, left);
            edit.set_hydrogens(atom, if carbon { hydrogens + 1 } else { hydrogens - 1 });
        }
    }
    Ok(if changed { edit.finish() } else { None })
}

/// Acid anions without those whose charge is balanced by the atom beside them (in nitrate one of
/// the two).
fn unpaired_acids(molecule: &Molecule, acids: &[usize]) -> Vec<usize> {
    let mut balanced = vec![0i32; molecule.atom_count()];
    acids
        .iter()
        .copied()
        .filter(|&acid| {
            let mut cations = molecule
                .neighbours(acid)
                .iter()
                .map(|n| n.atom())
                .filter(|&atom| molecule.atom(atom).charge() > 0);
            let Some(cation) = cations.next() else { return true };
            if balanced[cation] < i32::from(molecule.atom(cation).charge()) {
                balanced[cation] += 1;
                return false;
            }
            true
        })
        .collect()
}

/// Elements left of carbon in the periodic table, which gain a bond with a negative charge.
fn is_early(element: Element) -> bool {
    let number = element.atomic_number();
    match element.outer_electrons() {
        1..=3 => number > 1,
        4 => number > 14,
        5 => number > 33,
        _ => false,
    }
}

/// Hydrogens that an anion gains when its charge is taken; 0: it cannot be.
fn change_of_anion(molecule: &Molecule, atom: usize) -> i8 {
    let this = molecule.atom(atom);
    match (is_early(this.element()), this.hydrogens()) {
        (true, 0) => 0,
        (true, _) => -1,
        (false, _) => 1,
    }
}

/// The same for a cation.
fn change_of_cation(molecule: &Molecule, atom: usize) -> i8 {
    let this = molecule.atom(atom);
    if this.element() == Element::C || is_early(this.element()) {
        1
    } else if this.hydrogens() == 0 {
        0
    } else {
        -1
    }
}

/// Whether the element has a valence with these hydrogens more.
fn allowed(molecule: &Molecule, atom: usize, change: i8) -> bool {
    let valence = crate::metals::valence(molecule, atom) + i32::from(change);
    let valences = molecule.atom(atom).element().valences();
    valence >= 0 && valences.iter().any(|&v| i32::from(v) == valence)
}

fn shift(molecule: &Molecule, edit: &mut Edit<'_>, atom: usize, charge: i32, change: i8) {
    let this = molecule.atom(atom);
    edit.set_charge(atom, i32::from(this.charge()) + charge);
    edit.set_hydrogens(atom, this.hydrogens().saturating_add_signed(change));
}

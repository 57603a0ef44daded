//! Charges where they belong: metals and halides that were written as atoms become ions, and of
//! several acids the strongest gives its proton first.
//!
//! The list of acids, strongest first, is RDKit's, which was taken from the FDA's Substance
//! Registration System standard operating procedure (by way of MolVS).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use synthon_budget::Stop;
use synthon_mol::Molecule;
use synthon_query::{Pattern, Target};

use crate::edit::Edit;
use crate::search::{Finder, compiled};

/// Acid and conjugate base; the proton sits on the last atom.
#[rustfmt::skip]
const ACIDS: [(&str, &str); 33] = [
    ("OS(=O)(=O)[OH]", "OS(=O)(=O)[O-]"),
    ("[!O]S(=O)(=O)[OH]", "[!O]S(=O)(=O)[O-]"),
    ("O[SD3](=O)[OH]", "O[SD3](=O)[O-]"),
    ("[!O][SD3](=O)[OH]", "[!O][SD3](=O)[O-]"),
    ("OP(=O)([OH])[OH]", "OP(=O)([OH])[O-]"),
    ("[!O]P(=O)([OH])[OH]", "[!O]P(=O)([OH])[O-]"),
    ("C(=O)[OH]", "C(=O)[O-]"),
    ("c[SH]", "c[S-]"),
    ("OP(=O)([O-])[OH]", "OP(=O)([O-])[O-]"),
    ("[!O]P(=O)([O-])[OH]", "[!O]P(=O)([O-])[O-]"),
    ("O=C2c1ccccc1C(=O)[NH]2", "O=C2c1ccccc1C(=O)[N-]2"),
    ("C(=O)O[OH]", "C(=O)O[O-]"),
    ("O=N(O)[CH]", "O=N(O)[C-]"),
    ("S(=O)(=O)[NH2]", "S(=O)(=O)[NH-]"),
    ("OB([OH])[OH]", "OB([OH])[O-]"),
    ("[!O]B([OH])[OH]", "[!O]B([OH])[O-]"),
    ("c[OH]", "c[O-]"),
    ("C[SH]", "C[S-]"),
    ("OB([O-])[OH]", "OB([O-])[O-]"),
    ("[!O]B([O-])[OH]", "[!O]B([O-])[O-]"),
    ("C1=CC=C[CH2]1", "c1ccc[cH-]1"),
    ("C(=O)[NH2]", "C(=O)[NH-]"),
    ("c1cnc[nH]1", "c1cnc[n-]1"),
    ("[CX4][OH]", "[CX4][O-]"),
    ("O=C([!O])[C!H0+0]", "O=C([!O])[C-]"),
    ("OC(=O)[C!H0+0]", "OC(=O)[C-]"),
    ("C#[CH]", "C#[C-]"),
    ("CS(=O)(=O)[C!H0+0]", "CS(=O)(=O)[C-]"),
    ("C[SD3](=O)[C!H0+0]", "C[SD3](=O)[C-]"),
    ("[CX4][NH2]", "[CX4][NH-]"),
    ("c[CX4H2]", "c[CX3H-]"),
    ("[CX3]=[CX3!H0+0]", "[CX3]=[CX2-]"),
    ("[CX4!H0+0]", "[CX3-]"),
];

/// Lone atoms that are ions, with the charge that they get.
const IONS: [(&str, i32); 3] = [("[Li,Na,K;X0+0]", 1), ("[Mg,Ca;X0+0]", 2), ("[Cl;X0+0]", -1)];

/// An anion that shares its charge with a cation of the ring beside it (sydnones and the like):
/// the pair is neutral together, and no proton belongs there.
const MESOIONIC: &str = "[N,O,P,S;-1;$(*-c:a:a:[n,o,p,s;+1]),$(*-a:[n,o,p,s;+1])]";

struct Tables {
    acids: Vec<(Pattern, Pattern)>,
    ions: Vec<(Pattern, i32)>,
    mesoionic: Pattern,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    acids: ACIDS.iter().map(|(acid, base)| (compiled(acid), compiled(base))).collect(),
    ions: IONS.iter().map(|&(smarts, charge)| (compiled(smarts), charge)).collect(),
    mesoionic: compiled(MESOIONIC),
});

/// Whether there is anything to do: an atom that is an ion, or an anion and a stronger acid.
pub(crate) fn applies(molecule: &Molecule, finder: &mut Finder<'_>) -> Result<bool, Stop> {
    for (pattern, _) in &TABLES.ions {
        if !finder.atoms(pattern, molecule)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(transfer(molecule, finder)?.is_some())
}

/// Moves protons until none wants to move; `None` when nothing changes.
pub(crate) fn reionise(
    molecule: &Molecule,
    finder: &mut Finder<'_>,
) -> Result<Option<Molecule>, Stop> {
    let mut now = ionise_atoms(molecule, finder)?;
    if let Some(charged) = &now
        && let Some(balanced) = balance(charged, molecule.charge(), finder)?
    {
        now = Some(balanced);
    }
    let mut moved = BTreeSet::new();
    loop {
        let before = now.as_ref().unwrap_or(molecule);
        let Some((from, to)) = transfer(before, finder)? else { break };
        if from == to || !moved.insert((from.min(to), from.max(to))) {
            break;
        }
        let mut edit = Edit::of(before);
        move_proton(before, &mut edit, from, -1);
        move_proton(before, &mut edit, to, 1);
        let Some(after) = edit.finish_as_marked() else { break };
        now = Some(after);
    }
    Ok(now)
}

/// Gives an atom a proton, or takes one.
fn move_proton(molecule: &Molecule, edit: &mut Edit<'_>, atom: usize, change: i8) {
    let hydrogens = molecule.atom(atom).hydrogens().saturating_add_signed(change);
    edit.set_charge(atom, i32::from(molecule.atom(atom).charge()) + i32::from(change));
    edit.set_hydrogens(atom, hydrogens);
}

fn ionise_atoms(molecule: &Molecule, finder: &mut Finder<'_>) -> Result<Option<Molecule>, Stop> {
    let mut edit = Edit::of(molecule);
    let mut any = false;
    for (pattern, charge) in &TABLES.ions {
        for atom in finder.atoms(pattern, molecule)? {
            edit.set_charge(atom, *charge);
            any = true;
        }
    }
    Ok(if any { edit.finish_as_marked() } else { None })
}

/// Makes up for positive charge that came with the ions: the strongest acids lose their protons.
fn balance(
    molecule: &Molecule,
    charge_before: i32,
    finder: &mut Finder<'_>,
) -> Result<Option<Molecule>, Stop> {
    let mut now: Option<Molecule> = None;
    if molecule.charge() == 0 {
        return Ok(None);
    }
    for _ in 0..molecule.charge() - charge_before {
        let before = now.as_ref().unwrap_or(molecule);
        let Some((_, atom)) = strongest_acid(&Target::new(before), ACIDS.len(), finder)? else {
            break;
        };
        let mut edit = Edit::of(before);
        move_proton(before, &mut edit, atom, -1);
        let Some(after) = edit.finish_as_marked() else { break };
        now = Some(after);
    }
    Ok(now)
}

/// The proton that wants to move: from the strongest acid to the weakest acid's base, where the
/// former is stronger.
fn transfer(molecule: &Molecule, finder: &mut Finder<'_>) -> Result<Option<(usize, usize)>, Stop> {
    if molecule.atoms().iter().all(|atom| atom.charge() >= 0) {
        return Ok(None);
    }
    let target = Target::new(molecule);
    for (strength, (_, base)) in TABLES.acids.iter().enumerate().rev() {
        let Some(found) = finder.first(base, &target)? else { continue };
        let mut to = last(&found);
        let spoken_for = finder.atoms(&TABLES.mesoionic, molecule)?;
        if spoken_for.contains(&to) {
            let all = finder.all(base, &target)?;
            let free = all.iter().map(|found| last(found)).find(|atom| !spoken_for.contains(atom));
            let Some(free) = free else { continue };
            to = free;
        }
        let acid = strongest_acid(&target, strength, finder)?;
        return Ok(acid.map(|(_, acid)| (acid, to)));
    }
    Ok(None)
}

/// Place in the list and atom of the strongest acid among the first `limit` of the list.
fn strongest_acid(
    target: &Target<'_>,
    limit: usize,
    finder: &mut Finder<'_>,
) -> Result<Option<(usize, usize)>, Stop> {
    for (strength, (acid, _)) in TABLES.acids[..limit].iter().enumerate() {
        if let Some(found) = finder.first(acid, target)? {
            return Ok(Some((strength, last(&found))));
        }
    }
    Ok(None)
}

fn last(found: &[u32]) -> usize {
    found[found.len() - 1] as usize
}

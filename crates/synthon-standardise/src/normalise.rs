//! Functional groups in one form: charge-separated nitro groups, recombined charges, cations of
//! amidines and the like.
//!
//! The rules are those of RDKit's Normalizer, which come from MolVS (M. Swain), the InChI
//! technical manual (sections 1.3, 1.5, 1.6 and 1.8) and F. Atkinson's standardiser. A rule moves
//! electrons only: hydrogens stay where they are unless it says otherwise.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use synthon_budget::Stop;
use synthon_mol::{BondOrder, Molecule};
use synthon_query::{Pattern, Target};

use crate::edit::Edit;
use crate::search::{Finder, compiled};

use BondOrder::{Double, Single, Triple};

/// A rule: where it applies, and what becomes of the matched atoms and of the bonds between them.
/// Aromatic bonds stay aromatic; their double bonds are placed anew.
struct Rule {
    smarts: &'static str,
    /// Pattern atom and its new charge.
    charges: &'static [(usize, i32)],
    /// Pattern atoms and the new order of the bond between them.
    orders: &'static [(usize, usize, BondOrder)],
    /// Pattern atom and its new number of hydrogens.
    hydrogens: &'static [(usize, u8)],
}

const fn rule(
    smarts: &'static str,
    charges: &'static [(usize, i32)],
    orders: &'static [(usize, usize, BondOrder)],
) -> Rule {
    Rule { smarts, charges, orders, hydrogens: &[] }
}

/// In the order in which they are tried.
#[rustfmt::skip]
const RULES: [Rule; 22] = [
    // Nitro and its relatives.
    rule("[N,P,As,Sb;X3](=[O,S,Se,Te])=[O,S,Se,Te]", &[(0, 1), (1, -1)], &[(0, 1, Single)]),
    // Sulphone written with charges.
    rule("[S+2]([O-])([O-])", &[(0, 0), (1, 0), (2, 0)], &[(0, 1, Double), (0, 2, Double)]),
    // N-oxide of an aromatic ring.
    rule("[nH0+0]=[OH0+0]", &[(0, 1), (1, -1)], &[(0, 1, Single)]),
    // Azide.
    rule("*[N]=[N]#[N]", &[(2, 1), (3, -1)], &[(2, 3, Double)]),
    // Diazo.
    rule("*=[N]#[N]", &[(1, 1), (2, -1)], &[(1, 2, Double)]),
    // Sulphoxide.
    rule("[!O][S+0;X3](=[O])[!O]", &[(1, 1), (2, -1)], &[(1, 2, Single)]),
    // Phosphate with a charge on phosphorus.
    rule("[O,S,Se,Te;-1][P+;D4][O,S,Se,Te;-1]", &[(0, 0), (1, 0), (2, -1)], &[(0, 1, Double)]),
    // Carbocation or sulphonium beside nitrogens.
    rule("[C,S&!$([S+]-[O-]);X3+1]([NX3])[NX3!H0]", &[(0, 0), (2, 1)], &[(0, 2, Double)]),
    // Aminophosphonium.
    rule("[P;X4+1]([NX3])[NX3!H0]", &[(0, 0), (2, 1)], &[(0, 2, Double)]),
    // Hydrazine beside a diazonium group.
    Rule {
        smarts: "[CX4][NX3H]-[NX3H][CX4][NX2+]#[NX1]",
        charges: &[(2, 1), (4, 0)],
        orders: &[(1, 2, Double), (4, 5, Double)],
        hydrogens: &[(1, 0), (2, 1), (5, 1)],
    },
    // Opposite charges that meet across one bond, or across two.
    rule("[N,P,As,Sb,O,S,Se,Te;-1]-[A+0]=[N,P,As,Sb,O,S,Se,Te;+1]",
         &[(0, 0), (2, 0)], &[(0, 1, Double), (1, 2, Single)]),
    rule("[n,o,p,s;-1]:[a]=[N,O,P,S;+1]", &[(0, 0), (2, 0)], &[(1, 2, Single)]),
    rule("[N,O,P,S;-1]-[a+0]:[n,o,p,s;+1]", &[(0, 0), (2, 0)], &[(0, 1, Double)]),
    rule("[N,P,As,Sb,O,S,Se,Te;-1]-[A+0]=[A]-[A]=[N,P,As,Sb,O,S,Se,Te;+1]",
         &[(0, 0), (4, 0)], &[(0, 1, Double), (1, 2, Single), (2, 3, Double), (3, 4, Single)]),
    rule("[n,o,p,s;-1]:[a]:[a]:[c]=[N,O,P,S;+1]", &[(0, 0), (4, 0)], &[(3, 4, Single)]),
    rule("[N,O,P,S;-1]-[c]:[a]:[a]:[n,o,p,s;+1]", &[(0, 0), (4, 0)], &[(0, 1, Double)]),
    // Cations that conjugation may place elsewhere.
    rule("[N,O!$(*N);+0!H0]-[A]=[N!$(*~[N,O,P,S;-1]),O;+1H0]",
         &[(0, 1), (2, 0)], &[(0, 1, Double), (1, 2, Single)]),
    rule("[n;+0!H0]:[c]=[N!$(*~[N,O,P,S;-1]),O;+1H0]", &[(0, 1), (2, 0)], &[(1, 2, Single)]),
    rule("[N,O!$(*N);+0!H0]-[A]=[A]-[A]=[N!$(*~[N,O,P,S;-1]),O;+1H0]",
         &[(0, 1), (4, 0)], &[(0, 1, Double), (1, 2, Single), (2, 3, Double), (3, 4, Single)]),
    rule("[n;+0!H0]:[a]:[a]:[c]=[N!$(*~[N,O,P,S;-1]),O;+1H0]",
         &[(0, 1), (4, 0)], &[(3, 4, Single)]),
    // Halide with a double bond to oxygen; nitrogen anion beside a carbon cation.
    rule("[F,Cl,Br,I,At;-1]=[O]", &[(0, 0), (1, -1)], &[(0, 1, Single)]),
    rule("[N,P,As,Sb;-1]=[C+;v3]", &[(0, 0), (1, 0)], &[(0, 1, Triple)]),
];

static PATTERNS: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| RULES.iter().map(|rule| compiled(rule.smarts)).collect());

/// Applications of one rule in a row, and rounds through all rules; RDKit's limits.
const IN_A_ROW: usize = 20;
const ROUNDS: usize = 200;

/// Whether some rule applies.
pub(crate) fn applies(molecule: &Molecule, finder: &mut Finder<'_>) -> Result<bool, Stop> {
    let target = Target::new(molecule);
    for pattern in PATTERNS.iter() {
        if finder.first(pattern, &target)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Applies the rules, the first that applies before the others, until none does; `None` when none
/// applies at all.
pub(crate) fn normalise(
    molecule: &Molecule,
    finder: &mut Finder<'_>,
) -> Result<Option<Molecule>, Stop> {
    let mut now: Option<Molecule> = None;
    let mut seen = BTreeSet::new();
    'rounds: for _ in 0..ROUNDS {
        for (rule, pattern) in RULES.iter().zip(PATTERNS.iter()) {
            let before = now.as_ref().unwrap_or(molecule);
            if let Some((text, after)) = apply(rule, pattern, before, finder)?
                && seen.insert(text)
            {
                now = Some(after);
                continue 'rounds;
            }
        }
        break;
    }
    Ok(now)
}

/// Applies one rule as long as it applies. Of several places the one whose product has the first
/// canonical text is taken, which makes the outcome one for all spellings.
fn apply(
    rule: &Rule,
    pattern: &Pattern,
    molecule: &Molecule,
    finder: &mut Finder<'_>,
) -> Result<Option<(String, Molecule)>, Stop> {
    let mut now: Option<(String, Molecule)> = None;
    for _ in 0..IN_A_ROW {
        let before = now.as_ref().map_or(molecule, |(_, molecule)| molecule);
        let mut best: Option<(String, Molecule)> = None;
        for found in finder.all(pattern, &Target::new(before))? {
            finder.budget.spend(16 + before.atom_count() as u64)?;
            finder.budget.check()?;
            let Some(product) = rule.apply(before, &found) else { continue };
            let text = product.to_smiles();
            if best.as_ref().is_none_or(|(first, _)| text < *first) {
                best = Some((text, product));
            }
        }
        let Some(best) = best else { break };
        now = Some(best);
    }
    Ok(now)
}

impl Rule {
    fn apply(&self, molecule: &Molecule, found: &[u32]) -> Option<Molecule> {
        let mut edit = Edit::of(molecule);
        let at = |place: usize| found[place] as usize;
        for &(place, charge) in self.charges {
            edit.set_charge(at(place), charge);
        }
        for &(place, count) in self.hydrogens {
            edit.set_hydrogens(at(place), count);
        }
        for &(a, b, order) in self.orders {
            let bond = molecule.bond_between(at(a), at(b))?;
            edit.set_order(bond, order);
        }
        edit.finish()
    }
}

//! How good a representative a tautomer is: aromatic rings above all, then functional groups that
//! chemists draw.
//!
//! Terms and weights are RDKit's (scoring version 1.0.0).

use std::sync::LazyLock;

use synthon_mol::Molecule;
use synthon_query::{Pattern, Target};

use crate::search::{Finder, compiled};

/// An aromatic ring, and what one of carbon alone counts on top.
const AROMATIC_RING: i32 = 100;
const CARBON_RING: i32 = 150;

#[rustfmt::skip]
const TERMS: [(&str, i32); 12] = [
    ("[#6]1([#6]=[#6][#6]([#6]=[#6]1)=,:[N,S,O])=,:[N,S,O]", 25), // benzoquinone
    ("[#6]=[N][OH]", 4), // oxime
    ("[#6]=,:[#8]", 2),
    ("[#7]=,:[#8]", 2),
    ("[#15]=,:[#8]", 2),
    ("[C]=[!#1;!#6]", 1),
    ("[C](=[!#1;!#6])[!#1;!#6]", 2),
    ("[c]=!@[N]", -1),
    ("[CX4H3]", 1),
    ("[#7]C(=[NR0])[#7H0]", 1), // guanidine, =N outside rings
    ("[#7;R][#6;R]([N])=[#7;R]", 2), // guanidine, =N in a ring
    ("[#6]=[N+]([O-])[OH]", -4), // aci-nitro
];

static PATTERNS: LazyLock<Vec<(Pattern, i32)>> =
    LazyLock::new(|| TERMS.iter().map(|&(smarts, weight)| (compiled(smarts), weight)).collect());

/// The tautomer with the best score, and of equal ones the first by text (they come sorted).
/// Where the budget runs out, the best of those that were scored, at least the first.
pub(super) fn best(
    tautomers: Vec<(String, Molecule)>,
    finder: &mut Finder<'_>,
) -> Option<(String, Molecule)> {
    let mut best: Option<(i32, (String, Molecule))> = None;
    for (text, molecule) in tautomers {
        let score = score(&molecule, finder);
        if best.as_ref().is_none_or(|&(highest, _)| score > highest) {
            best = Some((score, (text, molecule)));
        }
    }
    best.map(|(_, tautomer)| tautomer)
}

fn score(molecule: &Molecule, finder: &mut Finder<'_>) -> i32 {
    let target = Target::new(molecule);
    let groups: i32 = PATTERNS
        .iter()
        .map(|(pattern, weight)| {
            finder.all(pattern, &target).map_or(0, |found| found.len() as i32 * weight)
        })
        .sum();
    rings(molecule) + groups - hydrogens_on_heavy_heteroatoms(molecule)
}

fn rings(molecule: &Molecule) -> i32 {
    let rings = molecule.rings();
    (0..rings.len())
        .map(|ring| {
            let bonds = rings.bonds(ring).iter().map(|&bond| molecule.bond(bond as usize));
            if !bonds.clone().all(|bond| bond.is_aromatic()) {
                return 0;
            }
            let carbon = |atom: usize| molecule.atom(atom).atomic_number() == 6;
            let all_carbon = bonds.clone().all(|bond| carbon(bond.begin()) && carbon(bond.end()));
            AROMATIC_RING + if all_carbon { CARBON_RING } else { 0 }
        })
        .sum()
}

fn hydrogens_on_heavy_heteroatoms(molecule: &Molecule) -> i32 {
    molecule
        .atoms()
        .iter()
        .filter(|atom| matches!(atom.atomic_number(), 15 | 16 | 34 | 52))
        .map(|atom| i32::from(atom.hydrogens()))
        .sum()
}

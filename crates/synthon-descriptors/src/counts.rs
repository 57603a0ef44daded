//! Counting by patterns, and the way through all descriptors.

use std::sync::LazyLock;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{MatchOptions, Matcher, Pattern, Target};

use crate::{Descriptors, crippen, rings, surface};

/// Donors as RDKit's `CalcNumHBD` counts them.
const DONORS: &str = "[N&!H0&v3,N&!H0&+1&v4,O&H1&+0,S&H1&+0,n&H1&+0]";
/// Acceptors as RDKit's `CalcNumHBA` counts them.
const ACCEPTORS: &str = "[$([O,S;H1;v2]-[!$(*=[O,N,P,S])]),$([O,S;H0;v2]),$([O,S;-]),\
    $([N;v3;!$(N-*=!@[O,N,P,S])]),$([nX2H0,o,s;+0])]";
/// Rotatable bonds in RDKit's strict definition.
const ROTATABLE: &str = "[!$(*#*)&!D1&!$(C(F)(F)F)&!$(C(Cl)(Cl)Cl)&!$(C(Br)(Br)Br)\
    &!$(C([CH3])([CH3])[CH3])&!$([CD3](=[N,O,S])-!@[#7,O,S!D1])\
    &!$([#7,O,S!D1]-!@[CD3]=[N,O,S])&!$([CD3](=[N+])-!@[#7!D1])&!$([#7!D1]-!@[CD3]=[N+])]\
    -!@[!$(*#*)&!D1&!$(C(F)(F)F)&!$(C(Cl)(Cl)Cl)&!$(C(Br)(Br)Br)&!$(C([CH3])([CH3])[CH3])]";

struct Patterns {
    donors: Pattern,
    acceptors: Pattern,
    rotatable: Pattern,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    donors: pattern(DONORS),
    acceptors: pattern(ACCEPTORS),
    rotatable: pattern(ROTATABLE),
});

/// A pattern of this crate.
pub(crate) fn pattern(smarts: &str) -> Pattern {
    Pattern::from_smarts(smarts).expect("the patterns of this crate are SMARTS")
}

/// Computes descriptors; keeps its memory from one molecule to the next.
#[derive(Default)]
pub struct Describer {
    matcher: Matcher,
    budget: Budget,
}

impl Describer {
    /// A describer without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// All descriptors of a molecule.
    pub fn describe(&mut self, molecule: &Molecule) -> Descriptors {
        let target = Target::new(molecule);
        let (log_p, molar_refractivity) = crippen::sums(self, &target);
        let rings = rings::count(molecule);
        let number = |i: usize| molecule.atom(i).atomic_number();
        let atoms = 0..molecule.atom_count();
        let four_neighbours =
            |i: usize| molecule.degree(i) + usize::from(molecule.atom(i).hydrogens()) == 4;
        let carbons = atoms.clone().filter(|&i| number(i) == 6).count();
        let csp3 = atoms.clone().filter(|&i| number(i) == 6 && four_neighbours(i)).count();
        Descriptors {
            molecular_weight: molecule.average_mass(),
            exact_mass: molecule.exact_mass(),
            heavy_atoms: atoms.clone().filter(|&i| number(i) > 1).count(),
            heteroatoms: atoms.clone().filter(|&i| !matches!(number(i), 1 | 6)).count(),
            formal_charge: molecule.charge(),
            log_p,
            molar_refractivity,
            tpsa: surface::tpsa(molecule),
            hydrogen_bond_donors: self.count(&PATTERNS.donors, &target),
            hydrogen_bond_acceptors: self.count(&PATTERNS.acceptors, &target),
            rotatable_bonds: self.count(&PATTERNS.rotatable, &target),
            rings: rings.all,
            aromatic_rings: rings.aromatic,
            aliphatic_rings: rings.aliphatic,
            saturated_rings: rings.saturated,
            heterocycles: rings.hetero,
            fraction_csp3: if carbons == 0 { 0.0 } else { csp3 as f64 / carbons as f64 },
            stereocentres: atoms.filter(|&i| molecule.atom(i).chirality().is_tetrahedral()).count(),
        }
    }

    /// Number of sets of atoms on which a pattern lies.
    fn count(&mut self, pattern: &Pattern, target: &Target<'_>) -> usize {
        self.embeddings(pattern, target).unique().len()
    }

    /// Every embedding of a pattern.
    pub(crate) fn embeddings(
        &mut self,
        pattern: &Pattern,
        target: &Target<'_>,
    ) -> synthon_query::Embeddings {
        let options = MatchOptions::default();
        self.matcher.all_within(pattern, target, &options, usize::MAX, &mut self.budget)
    }
}

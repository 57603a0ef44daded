//! Where a pattern matches, its features are among the target's.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_mol::Molecule;
use synthon_query::{BondOrderMatch, ChemistryOptions, Features, Matcher, Pattern, Target};
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

const PATTERNS: &[&str] = &[
    "*",
    "C",
    "c",
    "[#6]",
    "[#6]~[#6]",
    "CC",
    "C-C",
    "cc",
    "c:c",
    "C=C",
    "C=,:C",
    "C~N",
    "[!C]C",
    "[C,c]~[N,n]",
    "C(C)(C)C",
    "C(*)(*)C",
    "C1CC1",
    "C1CCC1",
    "c1ccccc1",
    "[#6]1~[#6]~[#6]1",
    "[$(CC)]C",
    "C.C.C",
    "(C).(C)",
    "[CH3]C",
    "[H]C",
    "[2H]C",
    "C@C",
    "C!@C",
    "O=C-*",
    "N#C",
    "CCCCCC",
    "[#6]~[#6]~[#6]~[#6]~[#6]~[#6]~[#6]",
    "*C*C*C",
    "C[C@H](C)C",
    "C/C=C/C",
    "C->[Fe]",
    "[Fe]<-N",
    "[F,Cl,Br]C",
    "c-c",
    "c!:c",
    "[R]~[R]",
    "n1cccc1",
    "[nH]1cccc1",
    "N1C=CC=C1",
];

#[test]
fn matches_pass_the_screen() {
    let mut random = Random::new(77);
    let mut matcher = Matcher::new();
    let patterns: Vec<Pattern> =
        PATTERNS.iter().map(|p| Pattern::from_smarts(p).unwrap()).collect();
    let asked: Vec<Features> = patterns.iter().map(Features::of_pattern).collect();
    let (mut matches, mut passed, mut all) = (0, 0, 0);
    let mut molecules: Vec<Molecule> = Vec::new();
    for round in 0..1_500 {
        let shape = MoleculeShape {
            atoms: random.between(1, 24),
            aromatic_rings: random.below(3),
            ..MoleculeShape::default()
        };
        let text = RandomMolecule::new(&shape, &mut random).spell(&mut random);
        let Ok(molecule) = Molecule::from_smiles(&text) else { continue };
        let target = Target::new(&molecule);
        let there = Features::of_target(target.profile());
        for ((pattern, asked), smarts) in patterns.iter().zip(&asked).zip(PATTERNS) {
            let found = matcher.matches(pattern, &target);
            let allowed = asked.allow(&there);
            assert!(allowed || !found, "{smarts} matches {text}");
            (matches, passed, all) = (matches + found as u32, passed + allowed as u32, all + 1);
        }
        // Molecules as queries, under options that loosen atoms and bonds.
        let options = ChemistryOptions {
            bond_order: [BondOrderMatch::Strict, BondOrderMatch::Any, BondOrderMatch::Any]
                [round % 3],
            ..ChemistryOptions::default()
        };
        for small in molecules.iter().rev().take(40) {
            let pattern = Pattern::from_molecule(small, &options);
            let asked = Features::of_pattern(&pattern);
            if matcher.matches(&pattern, &target) {
                assert!(asked.allow(&there), "{} in {text}", small.to_smiles());
                matches += 1;
            }
        }
        if molecule.atom_count() < 9 {
            molecules.push(molecule);
        }
    }
    assert!(matches > 5_000, "{matches}");
    assert!(passed < all * 3 / 4, "the screen screens nothing: {passed} of {all}");
}

//! The search against the brute-force matcher on random small pairs.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

mod brute_force;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_query::{BondOrderMatch, ChemistryOptions, MatchOptions, Matcher, Pattern, Target};
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

fn small_molecule(random: &mut Random) -> (String, Molecule) {
    let shape = MoleculeShape {
        atoms: 6,
        closures: 2,
        aromatic_rings: random.below(2),
        ..MoleculeShape::default()
    };
    loop {
        let mut text = RandomMolecule::new(&shape, random).spell(random);
        if random.chance(20) {
            let more = MoleculeShape { atoms: 3, closures: 0, aromatic_rings: 0, ..shape };
            text = format!("{text}.{}", RandomMolecule::new(&more, random).spell(random));
        }
        if let Ok(molecule) = Molecule::from_smiles(&text) {
            return (text, molecule);
        }
    }
}

fn word(random: &mut Random, words: &[&'static str]) -> &'static str {
    let word: &&'static str = random.pick(words);
    word
}

fn primitive(random: &mut Random, depth: usize) -> String {
    const WORDS: &[&str] = &[
        "*", "C", "c", "N", "n", "O", "#6", "#7", "#8", "A", "a", "H", "H0", "H1", "H{1-2}", "D1",
        "D2", "D{2-}", "D3", "X2", "X3", "X4", "v3", "v4", "v2", "R", "R0", "R1", "R2", "r3", "r4",
        "r5", "r6", "r{5-6}", "r0", "x", "x2", "x3", "x0", "+0", "+", "-", "h1", "h0", "d2", "d3",
        "k5", "k3", "k6", "k0", "z1", "z0", "Z1", "@", "@@", "@?", "S", "F", "Cl", "13", "0", "D9",
        "#1", "v5", "H4", "x4", "R3", "r9",
    ];
    if depth < 2 && random.chance(15) {
        return format!("$({})", graph(random, 3, depth + 1));
    }
    word(random, WORDS).to_string()
}

fn atom(random: &mut Random, depth: usize) -> String {
    if random.chance(60) {
        return word(random, &["C", "C", "*", "*", "*", "A", "A", "a", "c", "N", "O", "n", "[#6]"])
            .to_string();
    }
    let mut text = String::from("[");
    for k in 0..random.between(1, 3) {
        if k > 0 {
            text.push_str(word(random, &["&", ",", ";", ",", ","]));
        }
        if random.chance(20) {
            text.push('!');
        }
        text.push_str(&primitive(random, depth));
    }
    text.push(']');
    text
}

fn bond(random: &mut Random) -> &'static str {
    const BONDS: &[&str] = &[
        "", "", "", "", "~", "~", "~", "~", "~", "-", "=", ":", "#", "@", "!@", "-,=", "=,:",
        "~;@", "!-", "/", "\\", "/?", "/,\\", "!/", "-;!@", "->",
    ];
    word(random, BONDS)
}

/// A connected random pattern, with dots and groups only outside recursive parts.
fn graph(random: &mut Random, most: usize, depth: usize) -> String {
    let atoms = random.between(1, most);
    let mut text = atom(random, depth);
    let mut open = 0;
    let mut ring = None;
    for k in 1..atoms {
        if ring.is_none() && k + 2 < atoms && random.chance(30) {
            text.push('1');
            ring = Some(k - 1);
        }
        if open < 2 && random.chance(30) {
            text.push('(');
            open += 1;
            text.push_str(bond(random));
            text.push_str(&atom(random, depth));
            text.push(')');
            open -= 1;
        } else {
            text.push_str(bond(random));
            text.push_str(&atom(random, depth));
        }
    }
    if ring.is_some_and(|begun| atoms - begun > 2) {
        text.push_str(bond(random));
        text.push('1');
    }
    text
}

fn random_pattern(random: &mut Random) -> (String, Pattern) {
    loop {
        let mut text = graph(random, 4, 0);
        match random.below(12) {
            0 => text = format!("{text}.{}", graph(random, 2, 0)),
            1 => text = format!("({text}).({})", graph(random, 2, 0)),
            2 => text = format!("({text}.{})", graph(random, 2, 0)),
            _ => {}
        }
        if let Ok(pattern) = Pattern::from_smarts(&text) {
            return (text, pattern);
        }
    }
}

fn check(
    what: &str,
    pattern: &Pattern,
    molecule: &Molecule,
    options: MatchOptions,
    expected: &[Vec<u32>],
    matcher: &mut Matcher,
) {
    let target = Target::new(molecule);
    let mut budget = Budget::unlimited();
    let all = matcher.all_within(pattern, &target, &options, usize::MAX, &mut budget);
    let found: Vec<Vec<u32>> = all.iter().map(<[u32]>::to_vec).collect();
    assert_eq!(found, expected, "{what}");
    assert!(all.is_complete());
    let first = matcher.first_within(pattern, &target, &options, &mut budget).unwrap();
    assert_eq!(first.as_ref(), expected.first(), "{what}: first");
    let any = matcher.matches_within(pattern, &target, &options, &mut budget).unwrap();
    assert_eq!(any, !expected.is_empty(), "{what}: any");
    if expected.len() > 1 {
        let limit = expected.len() / 2;
        let cut = matcher.all_within(pattern, &target, &options, limit, &mut budget);
        let cut_maps: Vec<Vec<u32>> = cut.iter().map(<[u32]>::to_vec).collect();
        assert_eq!(cut_maps, expected[..limit], "{what}: the first {limit}");
        assert!(cut.is_truncated() && !cut.is_complete());
        let exact = matcher.all_within(pattern, &target, &options, expected.len(), &mut budget);
        assert!(exact.is_complete() && !exact.is_truncated(), "{what}: equal is not a cut");
    }
}

#[test]
fn smarts_agree_with_brute_force() {
    let mut random = Random::new(20_261);
    let mut matcher = Matcher::new();
    let (mut hits, mut embeddings) = (0, 0);
    for round in 0..20_000 {
        let (smiles, molecule) = small_molecule(&mut random);
        let (smarts, pattern) = random_pattern(&mut random);
        let options = MatchOptions { induced: round % 3 == 1, complete_rings_only: round % 4 == 1 };
        let expected = brute_force::embeddings(
            &pattern,
            &molecule,
            options.induced,
            options.complete_rings_only,
        );
        hits += !expected.is_empty() as usize;
        embeddings += expected.len();
        let what = format!("{smarts} in {smiles} with {options:?}");
        check(&what, &pattern, &molecule, options, &expected, &mut matcher);
    }
    // The pairs must not all be trivial misses.
    assert!(hits > 3_000 && embeddings > 15_000, "{hits} hits, {embeddings} embeddings");
}

#[test]
fn a_spelling_read_as_smarts_agrees_with_brute_force() {
    let mut random = Random::new(7);
    let mut matcher = Matcher::new();
    let mut hits = 0;
    for _ in 0..1_500 {
        let shape =
            MoleculeShape { atoms: 7, closures: 1, aromatic_rings: 0, ..Default::default() };
        let graph = RandomMolecule::new(&shape, &mut random);
        let (a, b) = (graph.spell(&mut random), graph.spell(&mut random));
        let (Ok(molecule), Ok(pattern)) = (Molecule::from_smiles(&a), Pattern::from_smarts(&b))
        else {
            continue;
        };
        let expected = brute_force::embeddings(&pattern, &molecule, false, false);
        hits += !expected.is_empty() as usize;
        let options = MatchOptions::default();
        check(&format!("{b} in {a}"), &pattern, &molecule, options, &expected, &mut matcher);
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn molecule_queries_agree_with_brute_force() {
    let mut random = Random::new(99);
    let mut matcher = Matcher::new();
    let (mut hits, mut stereo_hits) = (0, 0);
    for round in 0..20_000 {
        let (target_text, target) = small_molecule(&mut random);
        let shape =
            MoleculeShape { atoms: 4, closures: 1, aromatic_rings: 0, ..Default::default() };
        // Every other query is the target itself, re-spelled by the reader's atom order.
        let query_text = if random.chance(70) {
            RandomMolecule::new(&shape, &mut random).spell(&mut random)
        } else {
            target_text.clone()
        };
        let Ok(query) = Molecule::from_smiles(&query_text) else { continue };
        let mut flag = || random.chance(25);
        let options = ChemistryOptions {
            match_stereo: flag() || flag(),
            ring_matches_ring_only: flag(),
            complete_rings_only: flag(),
            aromaticity_strict: flag(),
            formal_charge: flag(),
            isotope: flag(),
            atom_type: !flag(),
            bond_order: if flag() { BondOrderMatch::Loose } else { BondOrderMatch::Strict },
        };
        let induced = round % 3 == 1;
        let expected = brute_force::molecule_embeddings(&query, &target, &options, induced);
        hits += !expected.is_empty() as usize;
        stereo_hits += (options.match_stereo && !expected.is_empty()) as usize;
        let pattern = Pattern::from_molecule(&query, &options);
        let what = format!("{query_text} in {target_text} with {options:?}, induced {induced}");
        check(&what, &pattern, &target, options.match_options(induced), &expected, &mut matcher);
    }
    assert!(hits > 1_500 && stereo_hits > 500, "{hits} hits, {stereo_hits} with stereo");
}

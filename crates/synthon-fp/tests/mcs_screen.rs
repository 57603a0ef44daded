//! The `mcs` fingerprint never hides a substructure.

use synthon_budget::Budget;
use synthon_fp::{Fingerprinter, Scheme};
use synthon_mol::{AtomSpec, Molecule, MoleculeBuilder};
use synthon_query::{ChemistryOptions, MatchOptions, Matcher, Pattern, Target};
use synthon_testkit::read_shared_lines;

fn maker(max_path: usize, size: usize) -> Fingerprinter {
    Fingerprinter::new(Scheme::Mcs { max_path }, size).expect("in range")
}

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).expect("reads")
}

/// Whether `query` is in `target` under the default chemistry.
fn is_part(query: &Molecule, target: &Molecule) -> bool {
    let pattern = Pattern::from_molecule(query, &ChemistryOptions::default());
    let mut budget = Budget::unlimited().with_node_limit(1_000_000);
    Matcher::new()
        .matches_within(&pattern, &Target::new(target), &MatchOptions::default(), &mut budget)
        .unwrap_or(false)
}

#[test]
fn bits_of_a_part_are_bits_of_the_whole() {
    let pairs = [
        ("CC=CC", "c1ccccc1"),
        ("C1CCCCC1", "c1ccccc1"),
        ("c1ccccc1", "C1CCCCC1CC"),
        ("C[NH3+]", "CN(C)C"),
        ("[13CH3]O", "CO.CO"),
        ("C~N", "C#N"),
        ("C->[Fe]", "CC->[Fe]"),
        ("C1CC1", "C12C3C1C23"),
        ("*C", "CC*"),
    ];
    for max_path in [1, 3, 7, 8] {
        let mut maker = maker(max_path, 2048);
        for (query, target) in pairs {
            let (query, target) = (molecule(query), molecule(target));
            let bits = [&query, &target].map(|m| maker.bits(m).expect("bits"));
            // Where it is no part after all, nothing is promised.
            if is_part(&query, &target) {
                assert!(bits[0].is_subset_of(&bits[1]), "{query:?} in {target:?}");
            }
        }
    }
}

#[test]
fn what_is_no_part_is_mostly_seen_in_the_bits() {
    let Some(lines) = read_shared_lines("data/smiles/pubchem_100k.smi.gz") else { return };
    let read = |line: &String| Molecule::from_smiles(line.split_whitespace().next()?).ok();
    let molecules: Vec<Molecule> = lines.iter().step_by(19).filter_map(read).collect();
    let mut maker = maker(7, 2048);
    let bits: Vec<_> = molecules.iter().map(|m| maker.bits(m).expect("bits")).collect();
    let (mut parts, mut passed) = (0, 0);
    let common =
        ["CC(=O)O", "c1ccccc1", "CCN(C)C", "CC#N", "NCC(=O)NC", "c1ccncc1", "OCCCO", "NS(=O)=O"]
            .map(molecule);
    let few = molecules.iter().filter(|m| (3..16).contains(&m.atom_count())).step_by(3);
    for query in common.iter().chain(few) {
        let wanted = maker.bits(query).expect("bits");
        for (target, bits) in molecules.iter().zip(&bits) {
            let (part, pass) = (is_part(query, target), wanted.is_subset_of(bits));
            assert!(pass || !part, "{query:?} in {target:?}");
            parts += usize::from(part);
            passed += usize::from(pass);
        }
    }
    assert!(parts > 500, "{parts} parts are too few to prove anything");
    assert!(passed < 2 * parts, "{passed} pass for {parts} that are parts");
}

#[test]
fn what_is_left_without_an_atom_is_a_part() {
    let Some(lines) = read_shared_lines("data/smiles/znp_natural_products.smi.gz") else { return };
    let mut maker = maker(7, 1024);
    for line in lines.iter().step_by(101) {
        let whole = molecule(line.split_whitespace().next().expect("a SMILES"));
        let bits = maker.bits(&whole).expect("bits");
        for out in (0..whole.atom_count()).step_by(5) {
            let Some(pieces) = without(&whole, out) else { continue };
            if is_part(&pieces, &whole) {
                assert!(
                    maker.bits(&pieces).expect("bits").is_subset_of(&bits),
                    "{line} less {out}"
                );
            }
        }
    }
}

/// What is left of a molecule when an atom is taken out: elements and bonds alone, hydrogens and
/// aromaticity perceived anew. `None` where that is no molecule.
fn without(whole: &Molecule, out: usize) -> Option<Molecule> {
    let mut builder = MoleculeBuilder::new();
    let kept = |atom: usize| atom - usize::from(atom > out);
    for (_, atom) in whole.atoms().iter().enumerate().filter(|&(index, _)| index != out) {
        builder.add_atom(AtomSpec { charge: atom.charge(), ..AtomSpec::new(atom.element()) });
    }
    for bond in whole.bonds().iter().filter(|b| b.begin() != out && b.end() != out) {
        builder.add_bond(kept(bond.begin()), kept(bond.end()), bond.kekule_order());
    }
    builder.build().ok()
}

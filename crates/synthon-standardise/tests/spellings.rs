//! Whatever the spelling, one result; and a result is its own.

use synthon_budget::{Budget, Status};
use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_standardise::{StandardiseOptions, standardise};
use synthon_testkit::{MoleculeShape, Random, RandomMolecule, workspace_root};

/// Each operation alone, and all together.
fn choices() -> [StandardiseOptions; 6] {
    let mut choices = [StandardiseOptions::default(); 6];
    choices[0].remove_atom_maps = true;
    choices[1].cleanup = true;
    choices[2].largest_fragment = true;
    choices[3].neutralise = true;
    choices[4].canonical_tautomer = true;
    choices[5] = StandardiseOptions {
        remove_atom_maps: true,
        cleanup: true,
        largest_fragment: true,
        neutralise: true,
        canonical_tautomer: true,
        ..StandardiseOptions::default()
    };
    choices
}

fn result(molecule: &Molecule, options: &StandardiseOptions) -> (String, Status) {
    let done = standardise(molecule, options, &mut Budget::unlimited());
    (done.molecule.to_smiles(), done.status)
}

fn expect_one_result(spellings: &[String]) {
    let molecules: Vec<Molecule> =
        spellings.iter().map(|text| Molecule::from_smiles(text).expect("reads")).collect();
    for options in choices() {
        let first = result(&molecules[0], &options);
        for (molecule, text) in molecules.iter().zip(spellings).skip(1) {
            assert_eq!(result(molecule, &options), first, "{text} as {}", spellings[0]);
        }
    }
}

/// The public molecules of the table of fingerprints: drugs, salts, natural products, odd ones.
fn table() -> Vec<Molecule> {
    let path = workspace_root().join("testdata/fingerprints/rdkit.tsv");
    let table = std::fs::read_to_string(path).expect("the table is there");
    let texts = table.lines().skip(1).filter_map(|line| line.split('\t').next());
    texts.map(|text| Molecule::from_smiles(text).expect("reads")).collect()
}

#[test]
fn molecules_of_the_table() {
    let molecules = table();
    assert!(molecules.len() >= 200);
    for molecule in &molecules {
        let spelled = |seed| {
            let order = AtomOrder::Random(seed);
            write_smiles(molecule, &WriteOptions { order, ..WriteOptions::default() }).text
        };
        let mut spellings = vec![molecule.to_smiles()];
        spellings.extend((0..3).map(spelled));
        expect_one_result(&spellings);
    }
}

#[test]
fn random_molecules() {
    let mut random = Random::new(4);
    for _ in 0..150 {
        let molecule = RandomMolecule::new(&MoleculeShape::default(), &mut random);
        let spellings: Vec<String> = (0..4).map(|_| molecule.spell(&mut random)).collect();
        if Molecule::from_smiles(&spellings[0]).is_ok() {
            expect_one_result(&spellings);
        }
    }
}

#[test]
fn done_twice_is_done_once() {
    let mut changed = Vec::new();
    for molecule in table() {
        for options in choices() {
            let once = standardise(&molecule, &options, &mut Budget::unlimited());
            if once.status != Status::Completed {
                continue;
            }
            let text = once.molecule.to_smiles();
            let twice = result(&once.molecule, &options).0;
            if twice != text {
                changed.push(format!("{} {text} {twice}", molecule.to_smiles()));
            }
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

//! Fingerprints of 200 molecules against RDKit's, see `xtask/oracle/fingerprints_table.py`.

use std::fmt::Write as _;

use synthon_budget::Budget;
use synthon_fp::{Fingerprint, Fingerprinter, FpErrorKind, Scheme};
use synthon_mol::Molecule;
use synthon_testkit::workspace_root;

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).expect("reads")
}

/// The bytes of the words, least significant first, in hexadecimal.
fn hexadecimal(bits: &Fingerprint) -> String {
    let bytes = bits.words().iter().flat_map(|word| word.to_le_bytes());
    bytes.take(bits.size().div_ceil(8)).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn bits_and_counts_are_rdkits() {
    let path = workspace_root().join("testdata/fingerprints/rdkit.tsv");
    let table = std::fs::read_to_string(path).expect("the table is there");
    let mut lines = table.lines();
    let mut makers: Vec<(bool, Fingerprinter)> = lines
        .next()
        .expect("a header")
        .split('\t')
        .skip(1)
        .map(|title| {
            let words: Vec<&str> = title.split(' ').collect();
            let scheme = Scheme::from_name(words[0]).expect("a scheme");
            let size = words[words.len() - 1].parse().expect("a size");
            let maker = Fingerprinter::new(scheme, size).expect("the size fits");
            (words[1] == "counts", maker)
        })
        .collect();
    assert_eq!(makers.len(), 7);
    let mut compared = 0;
    for line in lines {
        let mut fields = line.split('\t');
        let smiles = fields.next().expect("a SMILES");
        let molecule = molecule(smiles);
        for ((counts, maker), expected) in makers.iter_mut().zip(fields) {
            let found = if *counts {
                let counts = maker.counts(&molecule).expect("counts");
                let texts: Vec<String> =
                    counts.entries().iter().map(|(k, v)| format!("{k}:{v}")).collect();
                texts.join(" ")
            } else {
                hexadecimal(&maker.bits(&molecule).expect("bits"))
            };
            assert_eq!(found, expected, "{} of {smiles}", maker.scheme());
            compared += 1;
        }
    }
    assert!(compared >= 7 * 200, "{compared}");
}

#[test]
fn codes_that_are_not_folded() {
    let codes = |scheme, smiles: &str| -> Vec<(u64, u32)> {
        let mut maker = Fingerprinter::new(scheme, 1024).expect("fits");
        let counts = maker.sparse_counts_within(&molecule(smiles), &mut Budget::unlimited());
        counts.expect("counts").entries().to_vec()
    };
    assert_eq!(codes(Scheme::Torsion, "OCCO"), [(12_893_306_976, 1)]);
    assert_eq!(
        codes(Scheme::AtomPair, "OCCO"),
        [(558_145, 1), (1_590_337, 2), (1_590_338, 2), (1_592_355, 1)]
    );
    assert_eq!(
        codes(Scheme::ECFP4, "OCCO"),
        [
            (864_662_311, 2),
            (1_394_881_325, 1),
            (1_535_166_686, 2),
            (2_245_384_272, 2),
            (4_023_654_873, 2)
        ]
    );
}

#[test]
fn counts_at_least_as_many_as_the_bounds_set_bits() {
    // The chain of 20 has 17 equal torsions but for its ends: more than eight.
    let mut maker = Fingerprinter::new(Scheme::Torsion, 5).expect("fits");
    let bits = maker.bits(&molecule(&"C".repeat(20))).expect("bits");
    assert_eq!(bits.on_bits().collect::<Vec<_>>(), [0, 1, 2, 3]);
    let bits = maker.bits(&molecule("CCCC")).expect("bits");
    assert_eq!(bits.on_bits().collect::<Vec<_>>(), [0]);
}

/// `rdkit_5198`: maps changed the bits.
#[test]
fn atom_maps_do_not_count() {
    let plain = molecule("C[C@@H]1CC[C@H](c2ccccc2)C[C@H]1O");
    let mapped = molecule(
        "[CH3:7][C@@H:2]1[CH2:3][CH2:4][C@H:5]([c:6]2[cH:1][cH:8][cH:9][cH:10][cH:11]2)[CH2:12]\
         [C@H:13]1[OH:14]",
    );
    for name in Scheme::NAMES {
        let scheme = Scheme::from_name(name).expect("a scheme");
        let size = scheme.fixed_size().unwrap_or(2048);
        let mut maker = Fingerprinter::new(scheme, size).expect("fits");
        assert_eq!(maker.bits(&plain), maker.bits(&mapped), "{name}");
    }
}

#[test]
fn the_order_of_atoms_does_not_count() {
    let spellings = ["CC(=O)Nc1ccc(O)cc1", "c1cc(O)ccc1NC(C)=O", "Oc1ccc(cc1)NC(=O)C"];
    for name in Scheme::NAMES {
        let scheme = Scheme::from_name(name).expect("a scheme");
        let size = scheme.fixed_size().unwrap_or(1000);
        let mut maker = Fingerprinter::new(scheme, size).expect("fits");
        let bits = spellings.map(|smiles| maker.bits(&molecule(smiles)).expect("bits"));
        assert!(bits[0] == bits[1] && bits[0] == bits[2], "{name}");
    }
}

#[test]
fn sizes_and_parameters_out_of_range_are_refused() {
    let kind = |scheme, size| Fingerprinter::new(scheme, size).expect_err("refused").kind();
    assert_eq!(kind(Scheme::ECFP4, 0), FpErrorKind::Size);
    assert_eq!(kind(Scheme::ECFP4, usize::MAX), FpErrorKind::Size);
    assert_eq!(kind(Scheme::Maccs, 166), FpErrorKind::Size);
    assert_eq!(kind(Scheme::Path { min_path: 0, max_path: 3 }, 64), FpErrorKind::Parameter);
    assert_eq!(kind(Scheme::Path { min_path: 4, max_path: 3 }, 64), FpErrorKind::Parameter);
    assert_eq!(kind(Scheme::Mcs { max_path: 17 }, 64), FpErrorKind::Parameter);
    for scheme in [Scheme::Torsion, Scheme::AtomPair] {
        let mut maker = Fingerprinter::new(scheme, 4).expect("counts fit");
        let butane = molecule("CCCC");
        assert_eq!(maker.bits(&butane).expect_err("refused").kind(), FpErrorKind::Size);
        assert!(maker.counts(&butane).expect("counts").total() > 0);
    }
    let mut maker = Fingerprinter::new(Scheme::Maccs, 167).expect("fits");
    assert_eq!(maker.counts(&molecule("C")).expect_err("none").kind(), FpErrorKind::NoCounts);
}

#[test]
fn a_budget_stops_long_work() {
    // A cage has very many connected sets of sixteen bonds.
    let cage = molecule("C12C3C4C1C5C2C3C45");
    let mut maker =
        Fingerprinter::new(Scheme::Path { min_path: 1, max_path: 12 }, 64).expect("fits");
    let mut budget = Budget::unlimited().with_node_limit(100);
    let error = maker.bits_within(&cage, &mut budget).expect_err("stopped");
    assert!(matches!(error.kind(), FpErrorKind::Stopped(_)));
    // What was left half done does not show in the next molecule.
    let mut fresh = Fingerprinter::new(maker.scheme(), 64).expect("fits");
    let next = molecule("CCO");
    assert_eq!(maker.bits(&next), fresh.bits(&next));
}

#[test]
fn an_empty_molecule_has_no_bits() {
    let empty = synthon_mol::MoleculeBuilder::new().build().expect("nothing is a molecule");
    for name in Scheme::NAMES {
        let scheme = Scheme::from_name(name).expect("a scheme");
        let size = scheme.fixed_size().unwrap_or(64);
        let mut maker = Fingerprinter::new(scheme, size).expect("fits");
        assert_eq!(maker.bits(&empty).expect("bits").popcount(), 0, "{name}");
    }
}

//! What each operation makes of molecules that show its rules, and reports from the field.

use synthon_budget::{Budget, Status};
use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_standardise::{
    Operation, StandardiseOptions, Standardised, TautomerLimits, standardise,
};

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).unwrap_or_else(|error| panic!("{smiles}: {error}"))
}

fn only(operation: Operation) -> StandardiseOptions {
    let none = StandardiseOptions::default();
    match operation {
        Operation::RemoveAtomMaps => StandardiseOptions { remove_atom_maps: true, ..none },
        Operation::Cleanup => StandardiseOptions { cleanup: true, ..none },
        Operation::LargestFragment => StandardiseOptions { largest_fragment: true, ..none },
        Operation::Neutralise => StandardiseOptions { neutralise: true, ..none },
        Operation::CanonicalTautomer => StandardiseOptions { canonical_tautomer: true, ..none },
    }
}

fn run(smiles: &str, options: &StandardiseOptions) -> Standardised {
    standardise(&molecule(smiles), options, &mut Budget::unlimited())
}

/// Each input, however it is spelled, becomes the molecule beside it.
fn expect(operation: Operation, pairs: &[(&str, &str)]) {
    for &(input, expected) in pairs {
        let expected = molecule(expected).to_smiles();
        let given = molecule(input);
        for seed in 0..4 {
            let order = AtomOrder::Random(seed);
            let spelled = write_smiles(&given, &WriteOptions { order, ..Default::default() }).text;
            let done = run(&spelled, &only(operation));
            assert_eq!(done.molecule.to_smiles(), expected, "{input} as {spelled}");
            assert_eq!(done.status, Status::Completed);
        }
    }
}

#[test]
fn functional_groups_have_one_form() {
    expect(
        Operation::Cleanup,
        &[
            ("CS(=O)C", "C[S+]([O-])C"),
            ("C[S+2]([O-])([O-])C", "CS(C)(=O)=O"),
            ("CN=N#N", "CN=[N+]=[N-]"),
            ("CN(=O)=O", "C[N+](=O)[O-]"),
            ("C[P+]([O-])([O-])C", "C[P](C)(=O)[O-]"),
            ("C[C+](N(C)C)N", "CC(N(C)C)=[NH2+]"),
            ("[O-]c1cccc[n+]1C", "O=c1ccccn1C"),
            ("NC=C[CH]=[N+](C)C", "[NH2+]=CC=CN(C)C"),
        ],
    );
}

#[test]
fn metals_are_cut_off_and_charged() {
    expect(
        Operation::Cleanup,
        &[
            ("CCC(=O)O[Na]", "CCC(=O)[O-].[Na+]"),
            ("[Na]OC(=O)CC[C@H](N)C(=O)O[Na]", "[Na+].[Na+].[O-]C(=O)CC[C@H](N)C(=O)[O-]"),
            ("c1ccccc1[Mg]Br", "c1ccccc1[Mg]Br"),
            ("O=[Ti]=O", "[O-2].[O-2].[Ti+4]"),
            ("[Na].CO", "[Na+].C[O-]"),
            ("[K].[Cl]", "[K+].[Cl-]"),
        ],
    );
}

#[test]
fn protons_leave_the_strongest_acid() {
    expect(
        Operation::Cleanup,
        &[
            ("OC(=O)CCc1ccc([O-])cc1", "[O-]C(=O)CCc1ccc(O)cc1"),
            ("C[CH-]C(=O)O", "CCC(=O)[O-]"),
            ("OS(=O)(=O)c1ccc(cc1)C(=O)[O-]", "[O-]S(=O)(=O)c1ccc(cc1)C(=O)O"),
        ],
    );
}

#[test]
fn the_largest_fragment_has_the_most_heavy_atoms() {
    expect(
        Operation::LargestFragment,
        &[
            ("[Na+].[O-]C(=O)c1ccccc1", "[O-]C(=O)c1ccccc1"),
            // Equal numbers: the heavier one.
            ("CCN.CCO.CCS", "CCS"),
            // Equal masses: the first canonical text; an anion weighs an electron more.
            ("OCC.CC=O", "CC=O"),
            ("CCO.CC[O-]", "CC[O-]"),
        ],
    );
}

#[test]
fn rdkit_4754_counter_ion_with_many_hydrogens() {
    let done = run(
        "CNC[C@@H]([C@H]([C@@H]([C@@H](CO)O)O)O)O.c1cc2c(cc1C(=O)O)oc(n2)c3cc(cc(c3)Cl)Cl",
        &only(Operation::LargestFragment),
    );
    assert_eq!(done.molecule.to_smiles(), "O=C(O)c1ccc2nc(-c3cc(Cl)cc(Cl)c3)oc2c1");
    let removed = done.changes[0].removed.as_deref().expect("something was removed");
    assert_eq!(removed, molecule("CNC[C@@H]([C@H]([C@@H]([C@@H](CO)O)O)O)O").to_smiles());
}

#[test]
fn charges_go_with_protons_only() {
    expect(
        Operation::Neutralise,
        &[
            ("[NH3+]CC(=O)[O-]", "NCC(=O)O"),
            ("C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CC(=O)[O-]"),
            // The quaternary nitrogen keeps one anion: the acid's, not the phenol's.
            ("C[N+](C)(C)CC(C(=O)[O-])c1ccc([O-])cc1", "C[N+](C)(C)CC(C(=O)[O-])c1ccc(O)cc1"),
            ("C[N+](=O)[O-]", "C[N+](=O)[O-]"),
            ("[O-][N+](=O)[O-]", "O[N+](=O)[O-]"),
            ("[BH4-]", "B"),
            ("[Na+].[O-]c1ccccc1", "[Na+].[O-]c1ccccc1"),
            ("Cn1cc[nH+]c1", "Cn1ccnc1"),
        ],
    );
}

#[test]
fn rdkit_9062_a_sydnone_stays() {
    let sydnone = "[O-]c1c[n+](-c2ccccc2)no1";
    let all = StandardiseOptions {
        cleanup: true,
        largest_fragment: true,
        neutralise: true,
        ..Default::default()
    };
    let done = run(sydnone, &all);
    assert_eq!(done.molecule.to_smiles(), molecule(sydnone).to_smiles());
    // Nor does the acid beside it lend it a proton.
    expect(Operation::Cleanup, &[("CC[n+]1noc([O-])c1C(=O)O", "CC[n+]1noc([O-])c1C(=O)O")]);
}

#[test]
fn tautomers_become_one() {
    for family in [
        &["O=C1CCCCC1", "OC1=CCCCC1"][..],
        &["Oc1ccccn1", "O=c1cccc[nH]1", "OC1=NC=CC=C1"],
        &["CC(=O)CC(C)=O", "CC(O)=CC(C)=O", "CC(=O)C=C(C)O"],
        &["Cc1c[nH]cn1", "Cc1cnc[nH]1"],
        &["NC(=N)NC", "NC(N)=NC"],
        &["CC=NO", "CCN=O"],
        &["Oc1nc(N)nc2[nH]cnc12", "O=c1[nH]c(N)nc2nc[nH]c12", "O=c1[nH]c(N)nc2[nH]cnc12"],
        &["C#N", "[C-]#[NH+]"],
    ] {
        let texts: Vec<String> = family
            .iter()
            .map(|smiles| run(smiles, &only(Operation::CanonicalTautomer)).molecule.to_smiles())
            .collect();
        assert!(texts.windows(2).all(|w| w[0] == w[1]), "{texts:?}");
    }
    expect(
        Operation::CanonicalTautomer,
        &[("OC1=CCCCC1", "O=C1CCCCC1"), ("Oc1ccccn1", "O=c1cccc[nH]1"), ("CC=NO", "CC=NO")],
    );
}

#[test]
fn stereo_goes_where_protons_move_and_stays_elsewhere() {
    expect(
        Operation::CanonicalTautomer,
        &[
            // The centre between the two carbonyls can be an enol's carbon, the other cannot.
            ("CC(=O)[C@H](F)C(=O)C", "CC(=O)C(F)C(C)=O"),
            ("C[C@H](F)CCC(=O)C", "C[C@H](F)CCC(C)=O"),
            // The double bond moves along from one place to the next, too far away it does not.
            ("C/C=C/CC(C)=O", "CC=CCC(C)=O"),
            ("CCC/C=C/CCCC(C)=O", "CCC/C=C/CCCC(C)=O"),
        ],
    );
}

#[test]
fn a_stopped_enumeration_says_so() {
    let options = StandardiseOptions {
        canonical_tautomer: true,
        tautomer_limits: TautomerLimits { tautomers: 3, transforms: 256 },
        ..Default::default()
    };
    let done = run("O=c1[nH]c(N)nc2[nH]cnc12", &options);
    assert_eq!(done.status, Status::LimitReached);
    assert_eq!(done.changes.len(), 1);
    let formula = molecule("O=c1[nH]c(N)nc2[nH]cnc12").formula();
    assert_eq!(done.molecule.formula(), formula);
}

#[test]
fn operations_come_in_their_order_with_before_and_after() {
    let options = StandardiseOptions {
        remove_atom_maps: true,
        cleanup: true,
        largest_fragment: true,
        neutralise: true,
        canonical_tautomer: true,
        tautomer_limits: TautomerLimits::default(),
    };
    let done = run("[Na]OC(=O)c1ccc(=O)[nH:1]c1.Cl", &options);
    let operations: Vec<Operation> = done.changes.iter().map(|change| change.operation).collect();
    assert_eq!(operations, Operation::ALL);
    assert!(done.changes.windows(2).all(|w| w[0].after == w[1].before));
    assert_eq!(done.changes[4].after, done.molecule.to_smiles());
    assert_eq!(done.molecule.to_smiles(), molecule("OC(=O)c1ccc(=O)[nH]c1").to_smiles());
    assert_eq!(done.status, Status::Completed);
}

#[test]
fn a_deadline_is_kept_and_told() {
    let chain = "CC(=O)".repeat(60) + "C";
    let start = std::time::Instant::now();
    let mut budget = Budget::unlimited().with_time_limit(std::time::Duration::from_millis(200));
    let options = StandardiseOptions {
        canonical_tautomer: true,
        tautomer_limits: TautomerLimits { tautomers: usize::MAX, transforms: usize::MAX },
        ..Default::default()
    };
    let done = standardise(&molecule(&chain), &options, &mut budget);
    assert_eq!(done.status, Status::TimedOut);
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(done.molecule.formula(), molecule(&chain).formula());
}

/// Large and symmetrical inputs end at the deadline or before, with the atoms that they came with.
#[test]
fn hostile_molecules_end_in_time() {
    let inputs = [
        "c1c(O)c(O)c(O)c(c1O)-".repeat(90) + "c1ccccc1",
        "NCC(=O)".repeat(250) + "O",
        "[O-]C(=O)[C-](C)[NH3+].".repeat(150) + "C",
        "C.".repeat(3_000) + "C",
        "O[Fe](O)O.".repeat(200) + "C[Ni](C)(C)C",
        "CS(=O)".repeat(120) + "C",
        "N=C(N)".repeat(100) + "N",
    ];
    let all = StandardiseOptions {
        remove_atom_maps: true,
        cleanup: true,
        largest_fragment: true,
        neutralise: true,
        canonical_tautomer: true,
        tautomer_limits: TautomerLimits::default(),
    };
    let limit = std::time::Duration::from_millis(500);
    for smiles in &inputs {
        let given = molecule(smiles);
        let start = std::time::Instant::now();
        let done = standardise(&given, &all, &mut Budget::unlimited().with_time_limit(limit));
        // Generous, since tests share their machine; what counts is that it ends.
        assert!(start.elapsed() < 20 * limit, "{:?} for {smiles:.40}", start.elapsed());
        println!("{:?} {:?} {smiles:.40}", start.elapsed(), done.status);
        if done.status == Status::Completed {
            assert_eq!(done.changes.len(), 5);
        }
        assert!(done.molecule.atom_count() <= given.atom_count());
    }
}

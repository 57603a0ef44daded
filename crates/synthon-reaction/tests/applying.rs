//! What templates make of molecules, kind by kind.

use std::collections::BTreeSet;

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{
    Applied, ApplyOptions, Note, Origin, Scratch, Spectators, StereoRule, Template,
};

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).unwrap_or_else(|e| panic!("{smiles}: {e}"))
}

fn run(template: &str, smiles: &str, options: &ApplyOptions) -> Applied {
    let template = Template::from_smarts(template).unwrap_or_else(|e| panic!("{template}: {e}"));
    let mut budget = Budget::unlimited();
    template.apply_with(&molecule(smiles), options, &mut Scratch::new(), &mut budget)
}

fn sets(applied: &Applied) -> BTreeSet<Vec<String>> {
    let sets: BTreeSet<Vec<String>> = applied
        .outcomes
        .iter()
        .map(|o| {
            let mut set: Vec<String> = o.precursors.iter().map(Molecule::to_smiles).collect();
            set.sort();
            set
        })
        .collect();
    assert_eq!(sets.len(), applied.outcomes.len(), "outcomes are distinct");
    sets
}

/// The precursor sets as text, each set dot-separated; expected ones in any spelling.
fn check(template: &str, smiles: &str, expected: &[&str]) {
    check_with(template, smiles, expected, &ApplyOptions::default());
}

fn check_with(template: &str, smiles: &str, expected: &[&str], options: &ApplyOptions) {
    let found = sets(&run(template, smiles, options));
    let wanted: BTreeSet<Vec<String>> = expected
        .iter()
        .map(|set| {
            let mut set: Vec<String> = set.split('.').map(|s| molecule(s).to_smiles()).collect();
            set.sort();
            set
        })
        .collect();
    assert_eq!(found, wanted, "{template} on {smiles}");
}

fn lenient() -> ApplyOptions {
    ApplyOptions::default().stereo(StereoRule::Lenient)
}

const AMIDE: &str = "[C:1](=[O:2])-[N:3]>>[C:1](=[O:2])-[OH].[N:3]";

#[test]
fn an_amide_is_taken_apart_at_each_amide_bond() {
    check(AMIDE, "CC(=O)Nc1ccc(O)cc1", &["CC(=O)O.Nc1ccc(O)cc1"]);
    check(AMIDE, "CC(=O)NCCNC(=O)CC", &["CC(=O)O.NCCNC(=O)CC", "CCC(=O)O.NCCNC(=O)C"]);
    // Two equal sites are one outcome.
    check(AMIDE, "CC(=O)NCCNC(C)=O", &["CC(=O)O.NCCNC(C)=O"]);
    check(AMIDE, "CCO", &[]);
}

#[test]
fn a_ring_that_opens_is_one_precursor() {
    check(AMIDE, "O=C1CCCN1", &["OC(=O)CCCN"]);
}

#[test]
fn aizynthfinder_152() {
    check(
        "[C;H0;D4;+0:1]1-[NH;D2;+0:2]-[CH2;D2;+0:3]-[CH2;D2;+0:4]-[O;H0;D2;+0:5]-1>>\
         O=[C;H0;D3;+0:1].[NH2;D1;+0:2]-[CH2;D2;+0:3]-[CH2;D2;+0:4]-[OH;D1;+0:5]",
        "CC1(C)NCCO1",
        &["CC(C)=O.NCCO"],
    );
}

#[test]
fn rdkit_2891() {
    // The mark turns over, so the centre is inverted; bromide leaves, the thiol comes from
    // another molecule.
    let template = "[C@:1][Br:2].[S:3][C:4]>>[C@@:1][*:3][*:4]";
    check(template, "C[C@H](Br)c1ccccc1.CCS", &["CCS[C@H](C)c1ccccc1"]);
    check(template, "C[C@@H](Br)c1ccccc1.CCS", &["CCS[C@@H](C)c1ccccc1"]);
    check(template, "CC(Br)c1ccccc1.CCS", &[]);
    check_with(template, "CC(Br)c1ccccc1.CCS", &["CCSC(C)c1ccccc1"], &lenient());
    // With equal marks the centre is retained.
    let retained = "[C@:1][Br:2].[S:3][C:4]>>[C@:1][*:3][*:4]";
    check(retained, "C[C@H](Br)c1ccccc1.CCS", &["CCS[C@@H](C)c1ccccc1"]);
}

#[test]
fn rdchiral_18() {
    let template = "[#6:4][#8:6][#6:2](=[O:3])[#6:1]>>[#6:4][#6:2](=[O:3])[#6:1]";
    let applied = run(template, "C[C@@H]1CCOC(=O)CC1", &ApplyOptions::default());
    assert_eq!(sets(&applied), BTreeSet::from([vec!["CC1CCC(=O)CC1".to_owned()]]));
    let outcome = &applied.outcomes[0];
    assert!(outcome.notes.contains(&Note::CentreLost(1)), "{:?}", outcome.notes);
    assert_eq!(outcome.notes[0].to_string(), "stereo centre lost at product atom 1");
}

#[test]
fn a_swapped_ligand_keeps_the_centre_that_the_template_leaves_unmarked() {
    let template = "[C:1]-[O:2]-[c:3]>>[C:1]-Br.[OH:2]-[c:3]";
    check(template, "C[C@H](CC)Oc1ccccc1", &["C[C@H](CC)Br.Oc1ccccc1"]);
    check(template, "C[C@@H](CC)Oc1ccccc1", &["C[C@@H](CC)Br.Oc1ccccc1"]);
    // Whatever the order in which the ligands are written.
    check(template, "c1ccccc1O[C@@H](C)CC", &["Br[C@@H](C)CC.Oc1ccccc1"]);
}

#[test]
fn marks_with_all_neighbours_invert_keep_make_and_clear() {
    let inverts = "[C@H:1]([#6:2])([#6:3])[O:4][c:5]>>[C@@H:1]([#6:2])([#6:3])[OH].[OH:4][c:5]";
    check(inverts, "C[C@H](CC)Oc1ccccc1", &["C[C@@H](CC)O.Oc1ccccc1"]);
    // The mirror image is taken apart in the mirrored way.
    check(inverts, "C[C@@H](CC)Oc1ccccc1", &["C[C@H](CC)O.Oc1ccccc1"]);
    check(inverts, "CC(CC)Oc1ccccc1", &[]);
    let clears = "[C@H:1]([#6:2])([#6:3])[OH:4]>>[C:1]([#6:2])([#6:3])=[O:4]";
    check(clears, "C[C@H](CC)O", &["CC(CC)=O"]);
    let makes = "[C:1]([#6:2])([#6:3])=[O:4]>>[C@H:1]([#6:2])([#6:3])[OH:4]";
    check(makes, "CCC(C)=O", &["CC[C@H](C)O", "CC[C@@H](C)O"]);
    let applied = run(makes, "CCC(C)=O", &ApplyOptions::default());
    assert!(applied.outcomes.iter().all(|o| o.notes == [Note::CentreMade(2)]));
}

#[test]
fn an_unmarked_centre_that_is_shown_in_full_does_not_match_a_specified_one() {
    let template = "[C:1]([#6:2])([#6:3])([#6:4])[OH:5]>>[C:1]([#6:2])([#6:3])([#6:4])Cl.[OH2:5]";
    check(template, "CC[C@](C)(O)c1ccccc1", &[]);
    check(template, "CCC(C)(O)c1ccccc1", &["CCC(C)(Cl)c1ccccc1.O"]);
    check_with(template, "CC[C@](C)(O)c1ccccc1", &["CC[C@](C)(Cl)c1ccccc1.O"], &lenient());
}

#[test]
fn double_bond_geometry_is_kept_demanded_and_made() {
    // Kept where the template does not touch it, and where a ligand is replaced.
    check(AMIDE, r"C/C=C/C(=O)NC", &[r"C/C=C/C(=O)O.CN"]);
    let swap = "[C:1]=[C:2]-[c:3]>>[C:1]=[C:2]-Br.[c:3]B(O)O";
    check(swap, r"C/C=C/c1ccccc1", &[r"C/C=C/Br.c1ccccc1B(O)O"]);
    check(swap, r"C/C=C\c1ccccc1", &[r"C/C=C\Br.c1ccccc1B(O)O"]);
    check(swap, r"C/C=C(\C)c1ccccc1", &[r"C/C=C(\C)Br.c1ccccc1B(O)O"]);
    // Demanded.
    let from_alkyne = r"[C:1]/[CH:2]=[CH:3]\[C:4]>>[C:1][C:2]#[C:3][C:4]";
    check(from_alkyne, r"CC/C=C\C", &["CCC#CC"]);
    check(from_alkyne, r"CC/C=C/C", &[]);
    check(from_alkyne, "CCC=CC", &[]);
    check(from_alkyne, "C1CC=CC1", &["C1CC#CC1"]);
    // Made.
    let to_alkene = r"[C:1][C:2]#[C:3][C:4]>>[C:1]/[CH:2]=[CH:3]/[C:4]";
    check(to_alkene, "CCC#CC", &[r"CC/C=C/C"]);
    // Shown in full, but not marked: not for a specified one, unless leniently.
    let wittig = "[#6:1]-[CH:2]=[CH:3]-[#6:4]>>[#6:1]-[CH:2]=O.[#6:4]-[CH2:3]P(C)(C)=O";
    check(wittig, r"C/C=C/C", &[]);
    check_with(wittig, r"C/C=C/C", &["CC=O.CCP(C)(C)=O"], &lenient());
}

#[test]
fn hydrogens_follow_the_bonds_whatever_the_spelling() {
    let oxidised = "[CH:1]-[OH:2]>>[C:1]=[O:2]";
    check(oxidised, "CC(O)CC", &["CC(=O)CC"]);
    check(oxidised, "[CH3][CH]([OH])CC", &["CC(=O)CC"]);
    check("[C:1]-[OH:2]>>[C:1]=[O:2]", "C[C@H](O)CC", &["CC(=O)CC"]);
    check("[C:1]=[C:2]>>[C:1]-[C:2]", "C=CC", &["CCC"]);
    check("[C:1]=[C:2]>>[C:1][C:2]", "C=CC", &["CCC"]);
    check(
        "[N+:1](=[O:2])([O-:3])-[c:4]>>[NH2;+0:1]-[c:4].[O:2].[OH2;+0:3]",
        "O=[N+]([O-])c1ccccc1",
        &["Nc1ccccc1.O.O"],
    );
}

#[test]
fn charges_are_set_kept_or_cleared() {
    check("[O-:1]-[C:2]=[O:3]>>[OH;+0:1]-[C:2]=[O:3]", "CC(=O)[O-]", &["CC(=O)O"]);
    check("[N+:1]-[CH3:2]>>[N+0:1].I-[CH3:2]", "C[N+](C)(C)CC", &["CN(C)CC.CI"]);
    check(
        "[C:1]-[N:2]=[N+:3]=[N-:4]>>[C:1]-Br.[N-:2]=[N+:3]=[N-:4]",
        "CCN=[N+]=[N-]",
        &["CCBr.[N-]=[N+]=[N-]"],
    );
    check("[N:1]-[c:2]>>[N+:1](=O)([O-])-[c:2]", "Nc1ccccc1", &["O=[N+]([O-])c1ccccc1"]);
}

#[test]
fn aromatic_rings_are_made_broken_and_kept() {
    check("[n:1]-[C:2]>>[nH:1].Br-[C:2]", "Cn1ccnc1", &["c1c[nH]cn1.CBr"]);
    // The hydrogen takes the place of the substituent also where the template does not say so.
    check("[n:1]-[C:2]>>[n:1].Br-[C:2]", "Cn1ccnc1", &["c1c[nH]cn1.CBr"]);
    check("[nH:1]>>[n:1]-C(C)=O", "c1ccc2[nH]ccc2c1", &["CC(=O)n1ccc2ccccc21"]);
    check(
        "[C:1]1[c:2][c:3][C:4][N:5]1>>[C:1](Br)[c:2][c:3][C:4][N:5]",
        "C1c2ccccc2CN1",
        &["BrCc1ccccc1CN"],
    );
    // Paal-Knorr: the ring is taken apart with all its atoms in the template.
    check(
        "[c:1]1[c:2][c:3][c:4][n:5]1>>[C:1](=O)[C:2][C:3][C:4](=O).[N:5]",
        "Cc1ccc(C)n1CC",
        &["CC(=O)CCC(C)=O.CCN"],
    );
    // Hydrogenation of a pyridine, backwards: the new aromatic bonds are not written.
    check(
        "[N;H1:1]1-[C:2]-[C:3]-[C:4]-[C:5]-[C:6]-1>>[n;H0:1]1[c:2][c:3][c:4][c:5][c:6]1",
        "CC1CCNCC1",
        &["Cc1ccncc1"],
    );
    // A biaryl bond that is not written is single.
    check("[c:1]Br>>[c:1]c1ccccc1", "Brc1ccncc1", &["c1cc(ccn1)-c1ccccc1"]);
    check("[c:1]Br.[c:2]I>>[c:1][c:2]", "Brc1ccncc1.Ic1ccccc1", &["c1cc(ccn1)-c1ccccc1"]);
    // A ring that stays must stay able to carry its double bonds.
    let applied = run("[c:1]:[c:2]>>[C:1].[C:2]", "c1ccncc1", &ApplyOptions::default());
    assert!(applied.is_empty() && applied.invalid > 0);
}

#[test]
fn new_pieces_come_whole() {
    check(
        "[O:1]-[CH2:2]-[c:3]>>[OH:1].[CH2:2](-[c:3])-OS(=O)(=O)c1ccc(C)cc1",
        "COCc1ccccc1",
        &["CO.c1ccccc1COS(=O)(=O)c1ccc(C)cc1"],
    );
    check(
        "[c:1]-[c:2]>>[c:1]-Br.[c:2]-B1OC(C)(C)C(C)(C)O1",
        "c1ccccc1-c1ccccc1",
        &["Brc1ccccc1.CC1(C)OB(c2ccccc2)OC1(C)C"],
    );
    check("[C:1]#[N:2]>>[C:1](=O)[NH2:2]", "CC#N", &["CC(N)=O"]);
    check("[C:1](=O)-[OH:2]>>[C:1]#N.[OH2:2].O", "CC(=O)O", &["CC#N.O.O"]);
}

#[test]
fn what_hangs_on_a_vanished_atom_alone_vanishes() {
    check("[C:1]-[Si]>>[C:1]", "CC[Si](C)(C)C", &["CC", "C"]);
    check("[C;H0:1]-[S]>>[C:1]O", "CC(C)(C)SCC", &["CC(C)(C)O"]);
}

#[test]
fn untouched_components_are_dropped_or_kept() {
    check(AMIDE, "CC(=O)NC.Cl", &["CC(=O)O.CN"]);
    let keep = ApplyOptions::default().spectators(Spectators::Keep);
    check_with(AMIDE, "CC(=O)NC.Cl", &["CC(=O)O.CN.Cl"], &keep);
    check_with("[C:1]-[Si]>>[C:1]", "CC[Si](C)(C)CCC.Cl", &["CC.Cl", "CCC.Cl", "C.Cl"], &keep);
}

#[test]
fn component_groups_say_which_molecules() {
    let one = "([C:1](=[O:2])[OH:3].[NH2:4])>>[C:1](=[O:2])([O:3])[N:4]";
    let two = "[C:1](=[O:2])[OH:3].[NH2:4]>>[C:1](=[O:2])[N:4].[OH2:3]";
    assert_eq!(run(one, "NCC(=O)O", &ApplyOptions::default()).outcomes.len(), 0);
    let lactam = "([C:1](=[O:2])[OH:3].[NH2:4])>>[C:1](=[O:2])[N:4].[OH2:3]";
    check(lactam, "NCCCC(=O)O", &["O=C1CCCN1.O"]);
    check(two, "NCCCC(=O)O", &[]);
    check(two, "NCCCC(=O)O.NC", &["CNC(=O)CCCN.O"]);
    check(lactam, "CC(=O)O.NC", &[]);
}

#[test]
fn open_bonds_keep_their_order() {
    check("[#6:1]~[#6:2]-[O:3]>>[#6:1]~[#6:2]-Cl.[O:3]", "C=CO", &["C=CCl.O"]);
    check("[#6:1]~[#6:2]-[O:3]>>[#6:1]~[#6:2]-Cl.[O:3]", "Oc1ccccc1", &["Clc1ccccc1.O"]);
    check("[c:1][c:2]-[F:3]>>[c:1][c:2]-[OH].[F:3]", "Fc1ccccc1", &["Oc1ccccc1.F"]);
    check("[C:1]-;!@[N:2]>>[C:1]=[N:2]", "CCN", &["CC=N"]);
}

#[test]
fn isotopes_are_kept_and_set() {
    check("[C:1]-[OH:2]>>[C:1]-Br.[O:2]", "[13CH3]O", &["[13CH3]Br.O"]);
    check("[13C:1]>>[12C:1]", "[13CH3]O", &["[12CH3]O"]);
}

#[test]
fn written_hydrogen_atoms_fold() {
    check("[C:1]-[O:2]>>[C:1][H].[O:2]", "CCO", &["CC.O"]);
    check("[C:1]-[O:2]>>[C:1].[O:2][H]", "CCOC", &["CC.CO", "CCO.C"]);
    check("[C:1]-[O:2]>>[C:1]([2H]).[O:2]", "CO", &["C[2H].O"]);
    let applied = run("[C:1]-[O:2]>>[C:1][H].[O:2]", "CCO", &ApplyOptions::default());
    let outcome = &applied.outcomes[0];
    for (precursor, origins) in outcome.precursors.iter().zip(&outcome.origins) {
        assert_eq!(precursor.atom_count(), origins.len());
        assert!(!origins.contains(&Origin::New));
    }
}

#[test]
fn origins_and_changed_atoms_say_what_happened() {
    let applied = run(AMIDE, "CC(=O)NCC", &ApplyOptions::default());
    let outcome = &applied.outcomes[0];
    assert_eq!(outcome.changed_atoms, [1, 3]);
    assert_eq!(outcome.matched, [1, 2, 3]);
    let acid = &outcome.origins[0];
    assert_eq!(outcome.precursors[0].to_smiles(), "CC(=O)O");
    let mut origins = acid.clone();
    origins.sort_unstable();
    assert_eq!(origins, [Origin::Product(0), Origin::Product(1), Origin::Product(2), Origin::New]);
    for (molecule, origins) in outcome.precursors.iter().zip(&outcome.origins) {
        for (atom, origin) in molecule.atoms().iter().zip(origins) {
            if let Origin::Product(old) = origin {
                assert_eq!(atom.element(), molecule_of("CC(=O)NCC").atom(*old as usize).element());
            }
        }
    }
}

fn molecule_of(smiles: &str) -> Molecule {
    molecule(smiles)
}

#[test]
fn maps_are_written_on_request() {
    let options = ApplyOptions::default().write_maps(true);
    let applied = run(AMIDE, "CC(=O)NC", &options);
    let maps: Vec<Vec<u32>> = applied.outcomes[0]
        .precursors
        .iter()
        .map(|m| {
            let mut maps: Vec<u32> = m.atoms().iter().map(|a| a.map()).collect();
            maps.sort_unstable();
            maps
        })
        .collect();
    assert_eq!(maps, [vec![0, 1, 2, 3], vec![4, 5]]);
}

#[test]
fn limits_are_honest() {
    let pattern = "[C:1]-[C:2]>>[C:1]-Br.[C:2]";
    let chain = "C".repeat(60);
    let all = run(pattern, &chain, &ApplyOptions::default());
    assert!(!all.truncated && all.matches == 118 && all.outcomes.len() == 59);
    let cut = run(pattern, &chain, &ApplyOptions::default().max_matches(10));
    assert!(cut.truncated && cut.matches == 10);
    let template = Template::from_smarts(pattern).expect("reads");
    let mut budget = Budget::unlimited().with_node_limit(5);
    let stopped = template.apply(&molecule(&chain), &mut Scratch::new(), &mut budget);
    assert!(stopped.truncated && budget.stopped().is_some());
}

#[test]
fn hostile_templates_end_soon() {
    let big = format!("[C:1]{0}>>[C:1]{0}O", "C".repeat(1_000));
    let started = std::time::Instant::now();
    for (template, smiles) in [
        (big.as_str(), "C".repeat(900)),
        (
            "[*:1].[*:2].[*:3].[*:4].[*:5].[*:6]>>[*:1][*:2].[*:3][*:4].[*:5][*:6]",
            "C.".repeat(40) + "C",
        ),
        (
            "([*:1]~[*:2].[*:3]~[*:4].[*:5]~[*:6].[*:7]~[*:8])>>[*:1]-[*:3].[*:2].[*:4].[*:5].[*:6].[*:7].[*:8]",
            "c1ccc2cc3ccccc3cc2c1".repeat(4),
        ),
        ("[C;$(C(C)(C)C);$([$([$([$(CC)]C)]C)]C):1]>>[C:1]O", "CC(C)(C)C".repeat(50)),
    ] {
        let template = Template::from_smarts(template).unwrap_or_else(|e| panic!("{e}"));
        let mut budget = Budget::unlimited().with_node_limit(2_000_000);
        let smiles = molecule(&smiles);
        let _ = template.apply(&smiles, &mut Scratch::new(), &mut budget);
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn scratch_holds_no_state() {
    let mut scratch = Scratch::new();
    let mut results = Vec::new();
    for _ in 0..2 {
        for (template, smiles) in [
            (AMIDE, "CC(=O)NCCNC(=O)CC"),
            ("[c:1]-[c:2]>>[c:1]-Br.[c:2]-B(O)O", "c1ccccc1-c1ccncc1"),
            (AMIDE, "CC(=O)Nc1ccc(O)cc1"),
        ] {
            let template = Template::from_smarts(template).expect("reads");
            let mut budget = Budget::unlimited();
            results.push(sets(&template.apply(&molecule(smiles), &mut scratch, &mut budget)));
        }
    }
    assert_eq!(results[..3], results[3..]);
}

#[test]
fn a_centre_with_three_ligands_in_a_ring_keeps_its_hand_in_canonical_text() {
    let text = "[C:1][S@+:2]1[C:3][C:4][C:5]1F>>[C:1][S@+:2]1[C:3][C:4][C:5]1Cl";
    let template = Template::from_smarts(text).expect("reads");
    for text in [text, template.smarts()] {
        let left = text.split_once(">>").expect("an arrow").0;
        let pattern = synthon_query::Pattern::from_smarts(left).expect("reads");
        assert!(pattern.matches(&molecule("C[S@+]1CCC1F")), "{left}");
        assert!(!pattern.matches(&molecule("C[S@@+]1CCC1F")), "{left}");
    }
}

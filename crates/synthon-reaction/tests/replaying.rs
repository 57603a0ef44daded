//! Steps run forwards: balance, atom economy, products.

use synthon_budget::Budget;
use synthon_mol::Molecule;
use synthon_reaction::{
    ApplyOptions, AtomEconomyStatus, ForwardCheck, Scratch, Template, atom_economy, balance,
    combine, forward_check,
};

fn molecules(smiles: &str) -> Vec<Molecule> {
    smiles.split('.').map(|s| Molecule::from_smiles(s).expect(s)).collect()
}

fn replay(template: &str, precursors: &str, target: &str) -> ForwardCheck {
    let forward =
        Template::from_smarts(template).expect("reads").reversed().expect("can be reversed");
    let target = Molecule::from_smiles(target).expect(target);
    forward_check(
        &forward,
        &molecules(precursors),
        &target,
        &ApplyOptions::default(),
        &mut Scratch::new(),
        &mut Budget::unlimited(),
    )
}

const AMIDE: &str = "[C:1](=[O:2])-[N:3]>>[C:1](=[O:2])-[OH].[N;H1,H2:3]";

#[test]
fn a_clean_step_gives_its_target_alone() {
    let check = replay(AMIDE, "CC(=O)O.Nc1ccc(O)cc1", "CC(=O)Nc1ccc(O)cc1");
    assert_eq!(
        check,
        ForwardCheck {
            reproduces_target: true,
            reproduces_without_stereo: true,
            distinct_products: 1,
            selectivity_warning: None,
            truncated: false,
        }
    );
}

#[test]
fn competing_sites_are_counted() {
    let check = replay(AMIDE, "CC(=O)O.NCCCNC", "CC(=O)NCCCNC");
    assert!(check.reproduces_target && check.distinct_products == 2);
    assert_eq!(
        check.selectivity_warning.as_deref(),
        Some("the same reaction can also give 1 other product from these precursors")
    );
}

#[test]
fn precursors_react_with_each_other_not_with_themselves() {
    // The amino acid could also react with itself; that is another reaction than the one asked.
    let check = replay(AMIDE, "NCC(=O)O.CC(=O)O", "CC(=O)NCC(=O)O");
    assert!(check.reproduces_target);
    assert_eq!(check.distinct_products, 1);
}

#[test]
fn a_ring_closes_within_one_precursor() {
    let check = replay(AMIDE, "NCCCC(=O)O", "O=C1CCCN1");
    assert!(check.reproduces_target && check.distinct_products == 1);
}

#[test]
fn a_target_that_does_not_come_out_is_told() {
    let check = replay(AMIDE, "CC(=O)O.NC", "CC(=O)NCC");
    assert!(!check.reproduces_target && !check.reproduces_without_stereo);
    assert_eq!(check.distinct_products, 1);
    let none = replay(AMIDE, "CCO.NC", "CC(=O)NC");
    assert_eq!(none.distinct_products, 0);
}

#[test]
fn stereo_that_is_lost_forwards_is_told_apart() {
    let template = "[C@H:1]([#6:2])([#6:3])[OH:4]>>[C:1]([#6:2])([#6:3])=[O:4]";
    let reduced = replay(template, "CCC(C)=O", "CC[C@H](C)O");
    assert!(reduced.reproduces_target && reduced.distinct_products == 2);
    let unmarked = "[CH:1]-[OH:4]>>[C:1]=[O:4]";
    let reduced = replay(unmarked, "CCC(C)=O", "CC[C@H](C)O");
    assert!(!reduced.reproduces_target && reduced.reproduces_without_stereo);
}

#[test]
fn leaving_groups_leave() {
    let suzuki = "[c:1]-[c:2]>>[c:1]-Br.[c:2]-B(O)O";
    let check = replay(suzuki, "Brc1ccncc1.OB(O)c1ccccc1", "c1ccc(-c2ccncc2)cc1");
    assert!(check.reproduces_target && check.distinct_products == 1);
}

#[test]
fn elements_are_counted_but_for_hydrogen() {
    let target = &molecules("CC(=O)NC")[0];
    let full = balance(&molecules("CC(=O)O.NC"), target);
    assert!(full.is_balanced() && full.left_over == [(8, 1)]);
    let short = balance(&molecules("CC=O.C"), target);
    assert_eq!(short.missing, [(7, 1)]);
    assert!(!short.is_balanced());
    let reduced = balance(&molecules("CC(C)=O"), &molecules("CC(C)O")[0]);
    assert!(reduced.is_balanced() && reduced.left_over.is_empty());
}

#[test]
fn atom_economy_is_mass_over_mass_or_absent() {
    // C8H9NO2 151.165 from C2H4O2 60.052 and C6H7NO 109.128: water is lost.
    let economy =
        atom_economy(&molecules("CC(=O)O.Nc1ccc(O)cc1"), &molecules("CC(=O)Nc1ccc(O)cc1")[0]);
    assert_eq!(economy.status, AtomEconomyStatus::Evaluated);
    assert!((economy.value.expect("evaluated") - 151.165 / 169.180).abs() < 1e-4);
    let reduced = atom_economy(&molecules("CC(C)=O"), &molecules("CC(C)O")[0]);
    assert_eq!((reduced.value, reduced.status), (None, AtomEconomyStatus::HydrogenFromReagent));
    let missing = atom_economy(&molecules("CC"), &molecules("CCO")[0]);
    assert_eq!((missing.value, missing.status.as_str()), (None, "unbalanced"));
}

#[test]
fn molecules_are_put_side_by_side_unchanged() {
    for text in [r"C/C=C\[C@H](N)c1cc[nH]c1.[Na+].[13CH3]C(=O)[O-].CC", "C"] {
        let parts: Vec<Molecule> = molecules(text);
        let both = combine(&parts).expect("built before");
        let whole = Molecule::from_smiles(text).expect(text);
        assert_eq!(both.canonical_key(), whole.canonical_key());
    }
}

#[test]
fn reversing_twice_gives_the_same_template() {
    for text in [
        AMIDE,
        "[C@H:1]([#6:2])([#6:3])[N:4]>>[C@@H:1]([#6:2])([#6:3])Br.[N:4]",
        "([C:1](=[O:2])[OH:3].[NH2:4])>>[C:1](=[O:2])[N:4].[OH2:3]",
    ] {
        let template = Template::from_smarts(text).expect(text);
        let twice = template.reversed().expect("reverses").reversed().expect("reverses");
        assert_eq!(twice.id(), template.id());
    }
    // What the product side leaves open cannot be made.
    let open = Template::from_smarts("[C:1]-[F,Cl]>>[C:1]-O").expect("reads");
    assert_eq!(open.reversed().expect_err("which halogen?").code(), "reaction.no_element");
}

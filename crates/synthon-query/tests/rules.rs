//! The measured rules of matching, table by table, and cases from the field.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use std::time::Duration;
use synthon_budget::{Budget, Status};
use synthon_mol::Molecule;
use synthon_query::{
    BondOrderMatch, ChemistryOptions, Embeddings, MatchOptions, Matcher, Pattern, Target, explain,
};

fn molecule(text: &str) -> Molecule {
    Molecule::from_smiles(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn smarts(text: &str) -> Pattern {
    Pattern::from_smarts(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn all(pattern: &Pattern, target: &str, options: MatchOptions) -> Embeddings {
    let molecule = molecule(target);
    let target = Target::new(&molecule);
    let mut budget = Budget::unlimited();
    Matcher::new().all_within(pattern, &target, &options, usize::MAX, &mut budget)
}

fn count(pattern: &str, target: &str) -> usize {
    all(&smarts(pattern), target, MatchOptions::default()).len()
}

fn count_molecule(query: &str, target: &str, options: ChemistryOptions, induced: bool) -> usize {
    let pattern = Pattern::from_molecule(&molecule(query), &options);
    all(&pattern, target, options.match_options(induced)).len()
}

/// Pattern, molecule, embeddings: measured on RDKit and on the peer, which agree.
const AGREED: &[(&str, &str, usize)] = &[
    ("[H,O]", "CCO", 1),
    ("[!H]", "CCO", 2),
    ("[CH]", "CC(C)C", 1),
    ("[H]", "C[2H]", 1),
    ("[2H]", "C[2H]", 1),
    ("[H;D1]", "C[2H]", 0),
    ("[#1]", "C[2H]", 1),
    ("[D{3-2}]", "CCC", 0),
    ("[D{2-3}]", "CCC", 1),
    ("[D{-1}]", "CCC", 2),
    ("[r{5-6}]", "C1CCCC1", 5),
    ("[R{1-}]", "C1CCCC1", 5),
    ("[0C]", "C[13CH3]", 1),
    ("[13]", "C[13CH3]", 1),
    ("[x]", "C1CCCC1", 5),
    ("[x0]", "CC1CCCC1", 1),
    ("[x1]", "CC1CCCC1", 0),
    ("[v]", "C#N", 0),
    ("[z1]", "Cc1ccno1", 4),
    ("[Z1]", "Cc1ccno1", 0),
    ("[r0]", "C1CC1C", 1),
    ("[r2]", "C1CC1C", 0),
    ("[+0]", "CO", 2),
    // Dative bonds close no ring of the target, but a ring of the pattern may lie over them.
    ("[#7]~1~[#6]~[#6]~[#7]~[#29]1", "N1CCN->[Cu]<-1", 2),
    ("[#7]~1~[#6]~[#6]~[#7]~[#29]~1", "N1CCN->[Cu]<-1", 2),
    ("[#7]1-[#6]-[#6]-[#7]!-[#29]!-1", "N1CCN->[Cu]<-1", 2),
    ("[#7]1~[#6]~[#6]~[#7]~[#29]@1", "N1CCN->[Cu]<-1", 0),
    ("[#7;R]", "N1CCN->[Cu]<-1", 0),
    ("C~1~C~C~C~1", "C1CC~C1", 8),
    ("C@C", "C1CC~C1", 8),
    ("[-0]", "CO", 2),
    ("[+-]", "CO", 0),
    ("C-,=C", "CC=C", 4),
    ("CC", "c1ccccc1", 0),
    ("cc", "c1ccccc1", 12),
    ("c-c", "c1ccccc1", 0),
    ("c=c", "c1ccccc1", 0),
    ("C/C", "CC", 2),
    ("F[C@](Cl)Br", "F[C@H](Cl)Br", 1),
    ("F[C@@](Cl)Br", "F[C@H](Cl)Br", 0),
    ("[C@H](F)(Cl)Br", "[C@H](F)(Cl)Br", 1),
    ("[C@]", "F[C@H](Cl)Br", 1),
    ("[C@@]", "F[C@H](Cl)Br", 1),
    ("[C@]", "FC(Cl)Br", 0),
    ("F[C@@H]Cl", "F[C@H](Cl)Br", 1),
    ("F[C@H](*)*", "F[C@H](Cl)Br", 1),
    ("C[S@](=O)N", "C[S@](=O)N", 1),
    ("F[C@](Cl)Br", "F[C@](Cl)(Br)I", 1),
    ("F[C@H](Cl)Br", "F[C@](Cl)(Br)I", 0),
    ("F/C=C/F", "F/C=C/F", 2),
    ("F/C=C/F", "F/C=C\\F", 0),
    ("F/C=C/F", "FC=CF", 0),
    ("F/C=C", "FC=CF", 2),
    ("F/C=CF", "F/C=C\\F", 2),
    ("Br/C=C/Cl", "F/C(Br)=C/Cl", 0),
    ("Br/C=C\\Cl", "F/C(Br)=C/Cl", 1),
    ("F/C=,-C/F", "F/C=C\\F", 0),
    ("F/C=!@C/F", "F/C=C\\F", 0),
    ("F/[#6]=[#6]/F", "F/C=C\\F", 0),
    ("C/C=C/C=C/C", "C/C=C/C=C/C", 2),
    ("C/C=C/C=C/C", "C/C=C/C=C\\C", 0),
    ("F/;!@C=C/F", "F/C=C\\F", 0),
    ("C.C", "CC", 2),
    ("[$(C.O)]", "CO", 1),
    ("[SX1]", "C=S", 1),
    ("[v3]", "c1cc[nH]c1", 1),
    ("[v2]", "c1ccsc1", 1),
    ("[v4]", "[O-][N+](=O)C", 2),
    ("[R2]", "c1ccc2ccccc2c1", 2),
    ("[x3]", "C1CC2CCC1CC2", 2),
    ("[^2]", "c1cc[nH]c1", 5),
];

/// Where the two differ: what is right here.
const JUDGED: &[(&str, &str, usize)] = &[
    // Component grouping, `@?` and `/?`: Daylight's, which RDKit does not read.
    ("(C).(C)", "CC", 0),
    ("(C).(C)", "C.C", 2),
    ("(C.C)", "CC", 2),
    ("(C.C)", "C.C", 0),
    ("(C).C", "CC", 2),
    ("(C.O).(N)", "CO.CN", 1),
    ("F[C@?H](Cl)Br", "F[C@H](Cl)Br", 1),
    ("F[C@?H](Cl)Br", "F[C@@H](Cl)Br", 0),
    ("F[C@?H](Cl)Br", "FC(Cl)Br", 1),
    ("F/?C=C/F", "FC=CF", 2),
    ("F/?C=C/F", "F/C=C\\F", 0),
    ("F/?C=C/?F", "F/C=C/F", 2),
    // Marks follow plain logic.
    ("F[C;!@](Cl)Br", "FC(Cl)Br", 1),
    ("F[C;!@](Cl)Br", "F[C@H](Cl)Br", 0),
    ("F[C;!@](Cl)Br", "F[C@@H](Cl)Br", 1),
    ("F/,-C=C/F", "F/C=C\\F", 2),
    ("F!/C=C/F", "F/C=C\\F", 2),
    ("F/,\\C=C/F", "F/C=C\\F", 2),
    ("F/,\\C=C/F", "FC=CF", 0),
    ("[$(F/C=C/F)]", "F/C=C\\F", 0),
    // A hydrogen stated in any way is the first ligand where the centre leads.
    ("[C@;H1](F)(Cl)Br", "[C@H](F)(Cl)Br", 1),
    ("[$([C@H](F)(Cl)Br)]", "[C@H](F)(Cl)Br", 1),
    // Without one the missing ligand comes last, as RDKit has it.
    ("[C@@](F)(Cl)Br", "[C@H](F)(Cl)Br", 1),
    ("[S@](N)(=O)C", "C[S@](=O)N", 0),
    // A direction mark asks for a single or an aromatic bond, as RDKit has it.
    ("c/c", "c1ccccc1", 12),
    ("C/C", "C=C", 0),
    // RDKit's extensions.
    ("[h]", "CC(C)C", 4),
    ("[h{1-3}]", "CC", 2),
    ("[k5]", "c1ccc2[nH]ccc2c1", 5),
    ("[k0]", "C1CC1C", 1),
    ("[d2]", "CC[2H]", 1),
    ("[^2]", "NC(=O)C", 3),
    ("[^0]", "[H+]", 1),
    ("N->[Fe]", "N->[Fe]", 1),
    ("[Fe]<-N", "N->[Fe]", 1),
    ("N<-[Fe]", "N->[Fe]", 0),
    ("N~[Fe]", "N->[Fe]", 1),
    ("N-[Fe]", "N->[Fe]", 0),
    ("[Re]$[Re]", "[Re]$[Re]", 2),
    ("[#0]", "*C", 1),
    ("[+{1-2}]", "C[N+](C)(C)C", 1),
    // Rings of a smallest set.
    ("[R3]", "C1CC2CCC1CC2", 0),
];

#[test]
fn primitives_mean_what_was_measured() {
    for &(pattern, target, expected) in AGREED.iter().chain(JUDGED) {
        assert_eq!(count(pattern, target), expected, "{pattern} in {target}");
    }
}

#[test]
fn rdkit_5354() {
    let first = smarts("[C@H](Cl)(Br)I");
    let second = smarts("[C@@H](Cl)(Br)I");
    let target = molecule("[C@H](Cl)(Br)I");
    assert!(first.matches(&target));
    assert!(!second.matches(&target));
}

#[test]
fn chematic_84() {
    let atoms = |pattern: &str| -> Vec<u32> {
        let found = all(&smarts(pattern), "c1ncc2[nH]cnc2n1", MatchOptions::default());
        found.iter().map(|map| map[0]).collect()
    };
    assert_eq!(atoms("[r5]"), [3, 4, 5, 6, 7]);
    assert_eq!(atoms("[r6]"), [0, 1, 2, 8]);
    assert_eq!(atoms("[k6]"), [0, 1, 2, 3, 7, 8]);
}

#[test]
fn rdkit_3566() {
    let maps = |pattern: &str, target: &str| -> Vec<Vec<u32>> {
        let found = all(&smarts(pattern), target, MatchOptions::default());
        found.iter().map(<[u32]>::to_vec).collect()
    };
    assert_eq!(maps("C[$([OH0,SH0,NH0,NH1,SiH2][CX4])]", "CCNO"), [[1, 2]]);
    assert_eq!(maps("C[$(O[CX4])]", "CCO"), [[1, 2]]);
    assert_eq!(maps("C[$(O[CX4])]", "CCOC"), [[1, 2], [3, 2]]);
}

#[test]
fn rdkit_880() {
    let pattern = smarts("O.O.O.O.O.O.O.O.O.OS(O)(=O)=O");
    let text = "O[C@H]1[C@H](O)[C@@H](O)[C@@H](O)[C@H](O[C@H]2[C@@H](O)[C@H](O)[C@@H](O)\
                [C@@H](O)[C@@H]2O)[C@H]1O";
    let target = molecule(text);
    let target = Target::new(&target);
    assert!(!pattern.requirements().allow(target.profile()));
    let mut budget = Budget::unlimited();
    let found =
        Matcher::new().all_within(&pattern, &target, &MatchOptions::default(), 1, &mut budget);
    assert!(found.is_empty() && found.is_complete());
    assert_eq!(budget.nodes(), 0);
}

#[test]
fn molecule_queries_follow_the_switches() {
    let plain = ChemistryOptions::default();
    let stereo = ChemistryOptions { match_stereo: true, ..plain };
    let apart = ChemistryOptions { ring_matches_ring_only: true, ..plain };
    let whole = ChemistryOptions { complete_rings_only: true, ..plain };
    let cases: &[(&str, &str, ChemistryOptions, usize)] = &[
        ("C1CCCCC1", "c1ccccc1", plain, 12),
        ("C=C", "c1ccccc1", plain, 12),
        ("C#C", "c1ccccc1", plain, 0),
        ("CCC", "C1CC1", plain, 6),
        ("C.C", "CC", plain, 2),
        ("c1ccccc1", "c1ccccc1", plain, 12),
        ("c1ccccc1", "Cc1ccccc1", plain, 12),
        ("[NH4+]", "N", plain, 1),
        ("*C", "NC", plain, 0),
        ("*C", "*C", plain, 1),
        ("CC", "C1CCCCC1", plain, 12),
        ("CC", "C1CCCCC1", apart, 0),
        ("CC", "C1CCCCC1", whole, 0),
        ("CC1CCCCC1", "CC1CCCCC1", whole, 2),
        ("C1CCCCC1", "C1CCC2CCCCC2C1", whole, 24),
        ("CC(N)O", "C[C@H](N)O", stereo, 1),
        ("C[C@H](N)O", "CC(N)O", stereo, 0),
        ("C[C@H](N)O", "C[C@H](N)O", stereo, 1),
        ("C[C@H](N)O", "C[C@@H](N)O", stereo, 0),
        ("C[C@H](N)O", "C[C@](F)(N)O", stereo, 1),
        ("C[C@H](N)O", "C[C@@](F)(N)O", stereo, 0),
        ("C/C=C/C", "C/C=C/C", stereo, 2),
        ("C/C=C/C", "C/C=C\\C", stereo, 0),
        ("C/C=C/C", "CC=CC", stereo, 0),
        ("CC=CC", "C/C=C\\C", stereo, 2),
        // A label must be present, and an aromatic bond has none.
        ("C/C=C/C", "Cc1ccccc1C", stereo, 0),
        ("C/C=C/C", "Cc1ccccc1C", plain, 22),
        ("C[S@](=O)N", "C[S@@](=O)N", stereo, 0),
        ("C1CCCCC1", "c1ccccc1", ChemistryOptions { aromaticity_strict: true, ..plain }, 0),
        ("C#C", "CC", ChemistryOptions { bond_order: BondOrderMatch::Loose, ..plain }, 2),
        ("CN", "OF", ChemistryOptions { atom_type: false, ..plain }, 2),
        ("C[NH3+]", "CN", ChemistryOptions { formal_charge: true, ..plain }, 0),
        ("[13CH4]", "C", ChemistryOptions { isotope: true, ..plain }, 1),
        ("C", "[13CH4]", ChemistryOptions { isotope: true, ..plain }, 1),
        ("[13CH4]", "[12CH4]", ChemistryOptions { isotope: true, ..plain }, 0),
        ("[13CH4]", "[12CH4]", plain, 1),
    ];
    for (query, target, options, expected) in cases {
        let found = count_molecule(query, target, *options, false);
        assert_eq!(found, *expected, "{query} in {target} with {options:?}");
    }
    assert_eq!(count_molecule("CCC", "C1CC1", plain, true), 0);
    assert_eq!(count_molecule("C.C", "CC", plain, true), 0);
    assert_eq!(count_molecule("CCCCCC", "c1ccccc1", plain, true), 0);
}

#[test]
fn an_empty_query_has_one_empty_embedding() {
    let empty = synthon_mol::MoleculeBuilder::new().build().unwrap();
    let pattern = Pattern::from_molecule(&empty, &ChemistryOptions::default());
    let found = all(&pattern, "CC", MatchOptions::default());
    assert_eq!(found.iter().collect::<Vec<_>>(), [&[] as &[u32]]);
}

#[test]
fn switches_of_a_smarts_query() {
    let pattern = smarts("CCCC");
    let whole = MatchOptions { complete_rings_only: true, ..MatchOptions::default() };
    assert_eq!(all(&pattern, "C1CCC1", MatchOptions::default()).len(), 8);
    assert_eq!(all(&pattern, "C1CCC1", whole).len(), 0);
    assert_eq!(all(&smarts("C1CCC1"), "C1CCC1", whole).len(), 8);
    let induced = MatchOptions { induced: true, ..MatchOptions::default() };
    assert_eq!(all(&smarts("***"), "C1CC1", induced).len(), 0);
    assert_eq!(all(&smarts("*~*~*"), "C1CC1", MatchOptions::default()).len(), 6);
}

#[test]
fn limits_and_stops_are_told() {
    let pattern = smarts("[OH]");
    let glycerol = molecule("OCC(O)CO");
    let target = Target::new(&glycerol);
    let mut matcher = Matcher::new();
    let mut find = |limit, budget: &mut Budget| {
        matcher.all_within(&pattern, &target, &MatchOptions::default(), limit, budget)
    };
    let cut = find(2, &mut Budget::unlimited());
    assert_eq!((cut.len(), cut.status(), cut.is_truncated()), (2, Status::LimitReached, true));
    let exact = find(3, &mut Budget::unlimited());
    assert_eq!((exact.len(), exact.status(), exact.is_truncated()), (3, Status::Completed, false));
    let mut late = Budget::unlimited().with_time_limit(Duration::ZERO);
    let stopped = find(3, &mut late);
    assert_eq!((stopped.len(), stopped.status()), (0, Status::TimedOut));
    assert_eq!(late.nodes(), 0);
    let mut few = Budget::unlimited().with_node_limit(1);
    let stopped = find(3, &mut few);
    assert_eq!((stopped.status(), stopped.is_truncated()), (Status::LimitReached, false));
}

#[test]
fn equal_sets_of_atoms_count_once_when_asked() {
    let found = all(&smarts("c1ccccc1"), "Cc1ccccc1", MatchOptions::default());
    assert_eq!((found.len(), found.unique().len()), (12, 1));
    assert_eq!(found.unique().get(0), found.get(0));
}

#[test]
fn misses_are_explained() {
    let told = |pattern: &str, target: &str| {
        let target = molecule(target);
        let target = Target::new(&target);
        let options = MatchOptions::default();
        explain(&smarts(pattern), &target, &options, &mut Budget::unlimited()).unwrap()
    };
    assert!(told("CO", "CCO").matches);
    let shown = told("[OX2H]c", "CCO").to_string();
    assert_eq!(
        shown,
        "query atom 1 [c]: no atom of the target meets it; the closest, atom 0, fails c"
    );
    let shown = told("[N;H2;X3;!$(NC=O)]C", "CC(N)=O").to_string();
    assert_eq!(
        shown,
        "query atom 0 [N;H2;X3;!$(NC=O)]: no atom of the target meets it; the closest, atom 2, \
         fails !$(NC=O)"
    );
    let shown = told("O.O.O", "CC(O)CO").to_string();
    assert!(shown.ends_with("3 such atoms are needed, the target has 2"), "{shown}");
    let shown = told("OC(=O)CN", "OC(=O)CCN").to_string();
    assert_eq!(
        shown,
        "query atom 4 [N]: beside query atom 3 on target atom 3, atom 1 is taken by query atom 1, \
         atom 4 fails N"
    );
    let shown = told("C1CCC1", "CCCC").to_string();
    assert!(shown.contains("lacks the ring bond to query atom 0"), "{shown}");
    let shown = told("F[C@@H](Cl)Br", "F[C@H](Cl)Br").to_string();
    assert!(shown.contains("has the wrong stereo"), "{shown}");
}

#[test]
fn self_matching_of_symmetric_molecules_stops_at_its_cap() {
    let text = "Oc1nc(C(C(F)(F)F)(C(F)(F)F)C(F)(F)C(F)(F)C(C(F)(F)F)(C(F)(F)F)F)nc(N(C)C)n1";
    let molecule = molecule(text);
    let pattern = Pattern::from_molecule(&molecule, &ChemistryOptions::default());
    let target = Target::new(&molecule);
    let mut budget = Budget::unlimited();
    let found =
        Matcher::new().all_within(&pattern, &target, &MatchOptions::default(), 32, &mut budget);
    assert!(found.is_truncated());
    assert!(budget.nodes() < 20_000, "{} nodes", budget.nodes());
    // The identity is the first of all embeddings.
    let identity: Vec<u32> = (0..molecule.atom_count() as u32).collect();
    assert_eq!(found.get(0), identity);
}

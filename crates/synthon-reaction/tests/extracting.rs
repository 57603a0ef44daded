//! Templates out of mapped reactions.

use synthon_budget::Budget;
use synthon_mol::{AtomOrder, Molecule, WriteOptions, write_smiles};
use synthon_reaction::{
    ExtractError, ExtractErrorKind, ExtractOptions, MappedReaction, Scratch, Template,
};

fn extract(reaction: &str) -> Result<Template, ExtractError> {
    extract_with(reaction, &ExtractOptions::default())
}

fn extract_with(reaction: &str, options: &ExtractOptions) -> Result<Template, ExtractError> {
    MappedReaction::from_smiles(reaction)?.extract(
        options,
        &mut Scratch::new(),
        &mut Budget::unlimited(),
    )
}

fn smarts(reaction: &str) -> String {
    extract(reaction).map(|t| t.smarts().to_owned()).unwrap_or_else(|e| panic!("{reaction}: {e}"))
}

fn refused(reaction: &str) -> ExtractErrorKind {
    extract(reaction).map(|t| t.smarts().to_owned()).expect_err(reaction).kind()
}

/// All sets of precursors, written and sorted.
fn applied(template: &Template, product: &str) -> Vec<String> {
    let product = Molecule::from_smiles(product).expect("a product");
    let applied = template.apply(&product, &mut Scratch::new(), &mut Budget::unlimited());
    let mut sets: Vec<String> = applied
        .outcomes
        .iter()
        .map(|o| {
            let mut parts: Vec<String> = o.precursors.iter().map(Molecule::to_smiles).collect();
            parts.sort();
            parts.join(".")
        })
        .collect();
    sets.sort();
    sets
}

const AMIDE: &str =
    "[CH3:1][C:2](=[O:3])[OH].[NH2:4][CH2:5][CH3:6]>>[CH3:1][C:2](=[O:3])[NH:4][CH2:5][CH3:6]";

#[test]
fn the_centre_is_shown_in_full_and_its_neighbours_by_element() {
    assert_eq!(
        smarts(AMIDE),
        "[O;H0;D1;+0:1]=[C;H0;D3;+0:2](-[CH3;D1;+0:3])-[NH;D2;+0:4]-[C:5]>>[OH]-[C;H0;D3;+0:2](=[O;H0;D1;+0:1])-[CH3;D1;+0:3].[NH2;D1;+0:4]-[C:5]"
    );
    let reaction = MappedReaction::from_smiles(AMIDE).expect("a reaction");
    assert_eq!(reaction.reaction_centre(), [1, 3]);
}

#[test]
fn spelling_and_numbering_do_not_matter() {
    let other = "OC(=O)[CH3:1].CC[NH2:4]>>CCN[C:2](C)=O";
    assert_eq!(refused(other), ExtractErrorKind::NotMapped);
    let other =
        "[CH3:9][CH2:8][NH2:30].[O:7]=[C:5]([CH3:2])O>>[CH2:8]([CH3:9])[NH:30][C:5]([CH3:2])=[O:7]";
    let (one, other) = (extract(AMIDE).expect("kept"), extract(other).expect("kept"));
    assert_eq!(one.id(), other.id());
}

#[test]
fn a_template_applies_to_other_molecules() {
    let template = extract(
        "[cH:1]1[cH:2][cH:3][c:4](Br)[cH:5][cH:6]1.OB(O)[c:7]1[cH:8][cH:9][n:10][cH:11][cH:12]1>>[cH:1]1[cH:2][cH:3][c:4](-[c:7]2[cH:8][cH:9][n:10][cH:11][cH:12]2)[cH:5][cH:6]1",
    )
    .expect("kept");
    assert_eq!(
        applied(&template, "Cc1ccc(-c2ccccc2)cc1"),
        ["Brc1ccccc1.Cc1ccc(B(O)O)cc1", "Cc1ccc(Br)cc1.OB(O)c1ccccc1"]
    );
}

#[test]
fn reagents_and_by_products_are_left_out() {
    let with_reagents = "[CH3:1][C:2](=[O:3])[OH].[NH2:4][CH2:5][CH3:6].CCN(CC)CC.[Na+:20].[Cl-:21]>O=C=NC>[CH3:1][C:2](=[O:3])[NH:4][CH2:5][CH3:6].O";
    let reaction = MappedReaction::from_smiles(with_reagents).expect("a reaction");
    assert_eq!(reaction.reactants().len(), 2);
    assert_eq!(reaction.left_out(), 4);
    assert_eq!(smarts(with_reagents), smarts(AMIDE));
}

#[test]
fn of_two_products_the_larger_is_made_and_the_other_leaves() {
    let both = "[CH3:1][C:2](=[O:3])[O:4][C:5](=[O:6])[CH3:7].[NH2:8][CH2:9][CH3:10]>>[CH3:7][C:5](=[O:6])[OH:4].[CH3:1][C:2](=[O:3])[NH:8][CH2:9][CH3:10]";
    let one = "[CH3:1][C:2](=[O:3])OC(=O)C.[NH2:8][CH2:9][CH3:10]>>[CH3:1][C:2](=[O:3])[NH:8][CH2:9][CH3:10]";
    assert_eq!(smarts(both), smarts(one));
    assert!(smarts(one).contains("-O-C(-[CH3])=O."), "the whole anhydride: {}", smarts(one));
}

#[test]
fn functional_groups_are_whole() {
    // The nitro group of the neighbour, but not the chain of the ester.
    let text = "[O:1]=[N+:2]([O-:3])[c:4]1[cH:5][cH:6][c:7](F)[cH:8][cH:9]1.[NH2:10][CH2:11][C:12](=[O:13])[O:14][CH2:15][CH3:16]>>[O:1]=[N+:2]([O-:3])[c:4]1[cH:5][cH:6][c:7]([NH:10][CH2:11][C:12](=[O:13])[O:14][CH2:15][CH3:16])[cH:8][cH:9]1";
    assert!(!smarts(text).contains('='), "neither is near the centre: {}", smarts(text));
    let acylation = "[CH3:1][CH2:2][O:3][C:4](=[O:5])Cl.[NH2:6][CH3:7]>>[CH3:1][CH2:2][O:3][C:4](=[O:5])[NH:6][CH3:7]";
    assert!(smarts(acylation).contains("[O;H0;D1;+0"), "{}", smarts(acylation));
    let beside =
        "[CH3:1][C:2](=[O:3])[CH2:4]Br.[SH:5][CH3:6]>>[CH3:1][C:2](=[O:3])[CH2:4][S:5][CH3:6]";
    assert!(smarts(beside).contains('='), "{}", smarts(beside));
    let bare = extract_with(beside, &ExtractOptions::default().whole_groups(false));
    assert!(!bare.expect("kept").smarts().contains('='));
}

#[test]
fn the_centre_alone_is_the_most_general_template() {
    let template = extract_with(AMIDE, &ExtractOptions::centre_only()).expect("kept");
    assert_eq!(template.smarts(), "[NH;D2;+0:1]-[C;H0;D3;+0:2]>>[OH]-[C;H0;D3;+0:2].[NH2;D1;+0:1]");
}

#[test]
fn rings_close_and_open() {
    let closing =
        "[NH2:1][CH2:2][CH2:3][CH2:4][C:5](=[O:6])[O]C>>[NH:1]1[CH2:2][CH2:3][CH2:4][C:5]1=[O:6]";
    let template = extract(closing).expect("kept");
    assert_eq!(applied(&template, "O=C1CCOCCN1"), ["COC(=O)CCOCCN"]);
    let opening =
        "[O:1]1[CH2:2][CH2:3]1.[NH2:4][CH2:5][CH3:6]>>[OH:1][CH2:2][CH2:3][NH:4][CH2:5][CH3:6]";
    let template = extract(opening).expect("kept");
    assert_eq!(applied(&template, "OCCNCc1ccccc1"), ["C1CO1.NCc1ccccc1"]);
}

#[test]
fn centres_apart_in_one_molecule_stay_in_one() {
    let both = "[CH3:1][O:2][C:3](=[O:4])[CH2:5][CH2:6][CH2:7][C:8]#[N:9]>>[OH:2][C:3](=[O:4])[CH2:5][CH2:6][CH2:7][CH2:8][NH2:9]";
    let smarts = smarts(both);
    assert!(smarts.starts_with('(') && smarts.contains(">>("), "{smarts}");
}

#[test]
fn an_inverted_centre_is_inverted_back() {
    let text = "[CH3:1][C@H:2]([CH2:3][CH3:4])Br.[N-:5]=[N+:6]=[N-:7]>>[CH3:1][C@@H:2]([CH2:3][CH3:4])[N:5]=[N+:6]=[N-:7]";
    let template = extract(text).expect("kept");
    let inverted = applied(&template, "CCC[C@H](C)N=[N+]=[N-]");
    let mirrored = applied(&template, "CCC[C@@H](C)N=[N+]=[N-]");
    assert_eq!(inverted, ["CCC[C@@H](C)Br.[N-]=[N+]=[N-]"]);
    assert_eq!(mirrored, ["CCC[C@H](C)Br.[N-]=[N+]=[N-]"]);
    assert!(applied(&template, "CCCC(C)N=[N+]=[N-]").is_empty(), "not specified");
}

#[test]
fn double_bonds_keep_and_make_their_geometry() {
    let reduction = "[CH3:1][C:2]#[C:3][CH2:4][CH3:5]>>[CH3:1]/[CH:2]=[CH:3]\\[CH2:4][CH3:5]";
    let template = extract(reduction).expect("kept");
    assert_eq!(applied(&template, "CCC/C=C\\C"), ["CC#CCCC"]);
    assert!(applied(&template, "CCC/C=C/C").is_empty());
    let turn = "[CH3:1]/[CH:2]=[CH:3]\\[CH2:4][CH3:5]>>[CH3:1]/[CH:2]=[CH:3]/[CH2:4][CH3:5]";
    assert_eq!(applied(&extract(turn).expect("kept"), "C/C=C/CCC"), ["C/C=C\\CCC"]);
    let diene = "[CH3:1][O:2][C:3](=[O:4])/[CH:5]=[CH:6]/[CH:7]=[CH:8]\\[CH3:9]>>[OH:2][C:3](=[O:4])/[CH:5]=[CH:6]/[CH:7]=[CH:8]\\[CH3:9]";
    for radius in 0..5 {
        let options = ExtractOptions::default().radius(radius);
        assert!(extract_with(diene, &options).is_ok(), "radius {radius}");
    }
}

#[test]
fn a_centre_that_symmetry_hides_does_not_change() {
    // Removing one of two equal groups makes the carbon between them a centre.
    let text = "C[O:1][C:2](=[O:3])[CH:4]([CH3:5])[C:6](=[O:7])[O:8][CH3:9]>>[OH:1][C:2](=[O:3])[C@@H:4]([CH3:5])[C:6](=[O:7])[O:8][CH3:9]";
    let reaction = MappedReaction::from_smiles(text).expect("a reaction");
    assert_eq!(reaction.reaction_centre(), [0]);
    assert!(extract(text).is_ok());
}

#[test]
fn faults_have_kinds() {
    for (text, kind) in [
        ("CCO", ExtractErrorKind::Arrow),
        ("[CH4:1]>[CH4:1]", ExtractErrorKind::Arrow),
        (">>", ExtractErrorKind::NotMapped),
        ("CC>>CC", ExtractErrorKind::NotMapped),
        ("[CH3:1]O>>[CH3:1", ExtractErrorKind::Molecule),
        ("[CH3:1][CH3:1]>>[CH3:1]Br", ExtractErrorKind::RepeatedMap),
        ("[CH3:1][CH3:2]>>[CH3:1][CH2:1]Br", ExtractErrorKind::RepeatedMap),
        ("[CH3:1][CH3:2]>>[CH3:1][CH2:2]Br", ExtractErrorKind::UnmappedProduct),
        ("[CH3:1][OH:2]>>[CH3:1][SH:2]", ExtractErrorKind::ElementChanges),
        ("[CH3:1][OH:2].[NaH:3]>>[CH3:1][OH:2]", ExtractErrorKind::ProductAmongReactants),
        (
            "[CH3:1][C:2](=[O:3])[CH3:4]>>[CH3:1][C:2](=[O:3])[CH3:4]",
            ExtractErrorKind::ProductAmongReactants,
        ),
    ] {
        assert_eq!(refused(text), kind, "{text}");
    }
}

/// Reactions of US patents (D. M. Lowe's extraction, CC0).
const REACTIONS: &str = include_str!("../../../testdata/mapped_reactions.tsv");

/// The same reaction with other orders of atoms and molecules, and other map numbers.
fn respelled(reaction: &str, seed: u64) -> String {
    let options = WriteOptions { order: AtomOrder::Random(seed), ..WriteOptions::default() };
    let respell = |side: &str| {
        let mut parts: Vec<String> = side
            .split('.')
            .map(|part| {
                let molecule = Molecule::from_smiles(part).expect(part);
                write_smiles(&molecule, &options).text
            })
            .collect();
        if seed % 2 == 1 {
            parts.reverse();
        }
        parts.join(".")
    };
    let (before, after) = reaction.split_once(">>").expect("two sides");
    let text = format!("{}>>{}", respell(before), respell(after));
    // Numbers from the back: 1 becomes 999.
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(colon) = rest.find(':') {
        out.push_str(&rest[..=colon]);
        rest = &rest[colon + 1..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match rest[..end].parse::<u32>() {
            Ok(map) => out.push_str(&(1000 - map).to_string()),
            Err(_) => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out + rest
}

#[test]
fn a_reaction_gives_one_template_however_it_is_spelled() {
    let (mut compared, mut unlike) = (0, Vec::new());
    for line in REACTIONS.lines().skip(1) {
        let reaction = line.split('\t').nth(2).expect("a column");
        let Ok(template) = extract(reaction) else { continue };
        for seed in 1..4 {
            let other = respelled(reaction, seed);
            compared += 1;
            match extract(&other) {
                Ok(again) if again.id() == template.id() => {}
                Ok(again) => unlike.push((template.smarts().to_owned(), again.smarts().to_owned())),
                Err(error) => unlike.push((other, error.to_string())),
            }
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(unlike.is_empty(), "{} of {compared}: {:#?}", unlike.len(), &unlike[..1]);
}

#[test]
fn damaged_reactions_never_panic() {
    // Each text with one character changed, inserted or left out.
    let letters = b"CNO[]()=#:>.@/\\1234%+-Hcn";
    let mut kept = 0;
    for (number, line) in REACTIONS.lines().skip(1).step_by(4).enumerate() {
        let reaction = line.split('\t').nth(2).expect("a column");
        for k in 0..40 {
            let at = (number * 7919 + k * 104_729) % reaction.len();
            let letter = letters[(number + k * 13) % letters.len()] as char;
            let end = at + usize::from(k % 3 != 0);
            let text = format!(
                "{}{}{}",
                &reaction[..at],
                if k % 3 == 1 { String::new() } else { letter.to_string() },
                &reaction[end..]
            );
            kept += usize::from(extract(&text).is_ok());
        }
    }
    assert!(kept > 10, "some survive: {kept}");
}

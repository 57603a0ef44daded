//! Templates that are refused, with reason and place, and the odd ones that are not.

use synthon_reaction::{ReactionError, Side, Template};

fn refused(text: &str) -> ReactionError {
    match Template::from_smarts(text) {
        Err(error) => error,
        Ok(_) => panic!("{text} was accepted"),
    }
}

#[test]
fn aizynthfinder_5() {
    let text = "[C:1]-[N;H0;D3;+0:2](-[C:3])-[O;H0;D2;+0:6]-[C:5]=[O;D1;H0:4]>>\
                [C:1]-[NH;D2;+0:2]-[C:3].[O;D1;H0:4]=[C:5]-[O;H0;D2;+0:6]-\
                [O;H0;D2;+0:6]-[C:5]=[O;D1;H0:4]";
    let error = refused(text);
    assert_eq!(error.code(), "reaction.repeated_map");
    assert_eq!(error.maps(), [4, 5, 6]);
    assert_eq!(error.side(), Some(Side::Precursor));
    let place = error.span().expect("a place");
    // The first atom that repeats a number.
    assert_eq!(&text[place.clone()], "[O;H0;D2;+0:6]");
    assert_eq!(place.start, text.rfind("[O;H0;D2;+0:6]").expect("occurs"));
    assert!(
        error.to_string().starts_with(
            "map numbers 4, 5, 6 occur more than once on the precursor side at position"
        )
    );
}

#[test]
fn each_kind_has_its_code_and_place() {
    for (text, code, place) in [
        ("", "reaction.arrow", None),
        ("[C:1]O", "reaction.arrow", None),
        ("[C:1]O>[C:1]", "reaction.arrow", Some("> ")),
        ("[C:1]>>[C:1]>>[C:1]", "reaction.arrow", Some(">>")),
        (">>[C:1]", "reaction.empty_side", None),
        ("[C:1]>>", "reaction.empty_side", None),
        ("[C:1>>[C:1]", "reaction.arrow", None),
        ("[C:1]>>[C:1](O", "reaction.pattern", None),
        ("[C:1]>>[C:1]-[Q!:2]", "reaction.pattern", None),
        ("[C:1][C:1]>>[C:1]", "reaction.repeated_map", Some("[C:1]>>")),
        ("[C:1]>>[C:1][N:2]", "reaction.unknown_map", Some("[N:2]")),
        ("CO>>C.O", "reaction.not_mapped", None),
        ("[C:1]>>[N:1]", "reaction.element_changes", Some("[N:1]")),
        ("[C:1]>>[C:1]-*", "reaction.no_element", Some("*")),
        ("[C:1]>>[C:1]-[F,Cl]", "reaction.no_element", Some("[F,Cl]")),
    ] {
        let error = refused(text);
        assert_eq!(error.code(), code, "{text}: {error}");
        if let Some(at) = place.filter(|p| *p != "> ") {
            let start = error.span().unwrap_or_else(|| panic!("{text}: no place")).start;
            assert!(text[start..].starts_with(at), "{text}: {error}");
        }
    }
}

#[test]
fn pattern_faults_carry_the_place_in_the_whole_text() {
    let text = "[C:1]-[N:2]>>[C:1].[N:2](O";
    let error = refused(text);
    assert_eq!((error.code(), error.side()), ("reaction.pattern", Some(Side::Precursor)));
    let place = error.span().expect("a place");
    assert!(place.start > text.find('>').expect("an arrow"), "{place:?}");
}

#[test]
fn sizes_are_limited() {
    let long = format!("[C:1]{}>>[C:1]", "C".repeat(1_024));
    assert_eq!(refused(&long).code(), "reaction.too_large");
    let just = format!("[C:1]{}>>[C:1]{}", "C".repeat(1_023), "C".repeat(1_023));
    let template = Template::from_smarts(&just).expect("1,024 atoms a side are allowed");
    assert!(template.id().starts_with("smarts-sha256:"));
    let text = format!("[C:1]>>[C:1]{}", " ".repeat(70_000));
    assert_eq!(refused(&text).code(), "reaction.too_large");
}

#[test]
fn agents_and_names_are_left_out() {
    let template = Template::from_smarts("[C:1]-[N:2]>[Pd].O>[C:1]Br.[N:2] an_alkylation")
        .expect("agents are allowed");
    assert_eq!(template.text(), "[C:1]-[N:2]>>[C:1]Br.[N:2]");
    let plain = Template::from_smarts("[C:1]-[N:2]>>[C:1]Br.[N:2]").expect("reads");
    assert_eq!(template.id(), plain.id());
}

#[test]
fn atoms_without_source_are_listed_and_can_be_refused() {
    let bare = Template::from_smarts("[C:1]-[C:2](=[O:3])-[NH2:4]>>[C:1]-[C:2]#[N:4]")
        .expect("published templates leave reagents out");
    assert_eq!(bare.missing(), [(8, 1)]);
    let error = bare.require_balanced().expect_err("an oxygen is missing");
    assert_eq!(error.code(), "reaction.unbalanced");
    assert!(error.message().contains("1 O"), "{error}");
    let full =
        Template::from_smarts("[C:1]-[C:2](=[O:3])-[NH2:4]>>[C:1]-[C:2]#[N:4].O").expect("reads");
    assert!(full.require_balanced().is_ok() && full.missing().is_empty());
}

#[test]
fn a_halogen_left_open_is_covered_by_any_new_atom() {
    let template = Template::from_smarts("[C:1]-[F,Cl,Br,I]>>[C:1]-O.[Br]").expect("reads");
    assert!(template.require_balanced().is_ok());
    let without = Template::from_smarts("[C:1]-[F,Cl,Br,I]>>[C:1]").expect("reads");
    assert_eq!(without.missing(), [(0, 1)]);
}

//! The grammar: what is read, and what is refused where.

use crate::{AtomPrimitive as P, BondPrimitive as B, Count, Pattern, SmartsLimits};
use synthon_mol::{Chirality, Element};

fn read(text: &str) -> Pattern {
    Pattern::from_smarts(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn primitives(pattern: &Pattern, atom: usize) -> Vec<P> {
    pattern.atom_expression(&pattern.atoms()[atom]).iter().map(|l| l.primitive).collect()
}

#[test]
fn h_alone_is_an_atom_and_elsewhere_a_count() {
    for text in ["[H]", "[H:3]"] {
        assert_eq!(primitives(&read(text), 0), [P::Number(Element::H)]);
    }
    assert_eq!(
        primitives(&read("[2H+]"), 0),
        [P::Number(Element::H), P::Isotope(2), P::Charge(1, 1)]
    );
    for (text, at) in [("[*H]", 1), ("[H,O]", 0), ("[!H]", 0), ("[H1]", 0), ("[CH]", 1)] {
        assert_eq!(primitives(&read(text), 0)[at], P::Hydrogens(Count::exactly(1)), "{text}");
    }
}

#[test]
fn counts_ranges_and_charges() {
    let one = |text: &str| primitives(&read(text), 0)[0];
    assert_eq!(one("[D{2-3}]"), P::Degree(Count { min: 2, max: 3 }));
    assert_eq!(one("[D{2}]"), P::Degree(Count::exactly(2)));
    assert_eq!(one("[H{1-}]"), P::Hydrogens(Count::at_least(1)));
    assert_eq!(one("[h{-2}]"), P::ImplicitHydrogens(Count { min: 0, max: 2 }));
    assert_eq!(one("[D]"), P::Degree(Count::exactly(1)));
    assert_eq!(one("[R]"), P::RingCount(Count::at_least(1)));
    assert_eq!(one("[r0]"), P::SmallestRing(Count::exactly(0)));
    assert_eq!(one("[+]"), P::Charge(1, 1));
    assert_eq!(one("[---]"), P::Charge(-3, -3));
    assert_eq!(one("[-2]"), P::Charge(-2, -2));
    assert_eq!(one("[-{1-2}]"), P::Charge(-2, -1));
    assert_eq!(one("[+0]"), P::Charge(0, 0));
    assert_eq!(one("[13]"), P::Isotope(13));
}

#[test]
fn longest_symbol_first() {
    let one = |text: &str| primitives(&read(text), 0);
    assert_eq!(one("[as]"), [P::Symbol(Element::AS, true)]);
    assert_eq!(one("[si]"), [P::Symbol(Element::SI, true)]);
    assert_eq!(one("[Zn]"), [P::Symbol(Element::ZN, false)]);
    assert_eq!(one("[ab]"), [P::Aromatic, P::Symbol(Element::B, true)]);
    assert_eq!(
        one("[Nh]"),
        [P::Symbol(Element::N, false), P::ImplicitHydrogens(Count::at_least(1))]
    );
    assert_eq!(read("Sc").atoms().len(), 2);
}

#[test]
fn bonds_and_ring_closures() {
    let p = read("C1=,@C%12-;!@C->N<-[Fe]$C1:*%(112)~*%12/C\\C%(112)");
    let bonds: Vec<_> = p.bonds().iter().map(|b| (b.begin(), b.end())).collect();
    assert_eq!(bonds[..5], [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    assert!(bonds.contains(&(0, 5)) && bonds.contains(&(1, 7)) && bonds.contains(&(6, 9)));
    let closing = read("C1CC\\1");
    let bond = &closing.bonds()[2];
    // Written at the closing atom, kept from the opening one.
    assert_eq!((bond.begin(), bond.end()), (0, 2));
    assert_eq!(
        closing.bond_expression(bond)[0].primitive,
        B::Direction { up: true, or_unspecified: false }
    );
    assert_eq!(closing.stated_bond(2), Some(B::Direction { up: true, or_unspecified: false }));
    assert_eq!(read("C=,-C").stated_bond(0), None);
    assert_eq!(read("C=;@C").stated_bond(0), Some(B::Double));
    assert_eq!(read("CC").stated_bond(0), None);
}

#[test]
fn chirality_is_kept_relative_to_bond_order() {
    use Chirality::{Anticlockwise as Anti, Clockwise as Clock};
    let at = |text: &str, atom: usize| read(text).atoms()[atom].chirality();
    assert_eq!(at("F[C@](Cl)(Br)I", 1), Anti);
    assert_eq!(at("F[C@H](Cl)Br", 1), Anti);
    // The hydrogen comes first here, and is kept last.
    assert_eq!(at("[C@H](F)(Cl)Br", 0), Clock);
    assert_eq!(at("[C@;H1;D3](F)(Cl)Br", 0), Clock);
    assert_eq!(at("[C@](F)(Cl)Br", 0), Anti);
    // The ring bond is written before the others and completed after them.
    assert_eq!(at("F[C@]1(Cl)CC1", 1), Anti);
    assert_eq!(at("F[C@]1(Cl)CCC1", 1), Anti);
    assert_eq!(at("[C@]1(F)(Cl)CC1", 0), Clock);
    // A missing ligand is the last, or the last but one of a saturated centre with one closure.
    assert_eq!(at("F[C@](Cl)Br", 1), Anti);
    assert_eq!(at("F[C@]1CC1", 1), Anti);
    assert_eq!(at("F[C@]1~CC1", 1), Anti);
    assert_eq!(at("F[C@]1=CC1", 1), Clock);
    assert_eq!(at("F[C@H]1CC1", 1), Clock);
    assert_eq!(at("F[C@]12CC1C2", 1), at("F[C@H]12CC1C2", 1));
    assert_eq!(at("[C;!@](F)(Cl)(Br)I", 0), Chirality::None);
    assert_eq!(at("[C@,N](F)(Cl)(Br)I", 0), Chirality::None);
    assert_eq!(at("[C,N;@](F)(Cl)(Br)I", 0), Anti);
    assert!(read("[C@,N]").atoms()[0].has_chirality_mark());
}

#[test]
fn components_groups_and_spans() {
    let p = read("(C.O).N.[Cl:2]C");
    let groups: Vec<_> = p.atoms().iter().map(|a| a.group()).collect();
    assert_eq!(groups, [Some(0), Some(0), None, None, None]);
    let components: Vec<_> = p.atoms().iter().map(|a| a.component()).collect();
    assert_eq!(components, [0, 1, 2, 3, 3]);
    assert_eq!(p.atoms()[3].span(), 8..14);
    assert_eq!(p.atoms()[3].map(), 2);
    assert_eq!(read("C1.C1").graph().component_count(), 1);
}

#[test]
fn recursive_parts_are_shared_and_bounded() {
    let p = read("[$(CN),$(CO)]~[$(CN)]");
    assert_eq!(primitives(&p, 0), [P::Recursive(0), P::Recursive(1)]);
    assert_eq!(primitives(&p, 1), [P::Recursive(0)]);
    let nested = |n| format!("{}C{}", "[$(".repeat(n), ")]".repeat(n));
    assert!(Pattern::from_smarts(&nested(20)).is_ok());
    let error = Pattern::from_smarts(&nested(21)).unwrap_err();
    assert_eq!(error.code(), "smarts.too_deep");
    assert_eq!(error.message(), "Recursive SMARTS nesting exceeds maximum depth of 20");
    assert!(Pattern::from_smarts(&"C".repeat(10_000)).is_ok());
    let error = Pattern::from_smarts(&"C".repeat(10_001)).unwrap_err();
    assert_eq!(error.message(), "SMARTS exceeds the maximum of 10000 atoms");
    let few = SmartsLimits { max_atoms: 2, max_recursion: 0 };
    assert!(Pattern::from_smarts_within("CC", &few).is_ok());
    assert!(Pattern::from_smarts_within("CCC", &few).is_err());
    assert!(Pattern::from_smarts_within("[$(C)]", &few).is_err());
}

#[test]
fn white_space_ends_the_pattern() {
    assert_eq!(read(" \tCC ethane").atoms().len(), 2);
}

/// Text, start of the message, place.
const REFUSED: &[(&str, &str, usize)] = &[
    ("", "SMARTS must be a non-empty string", 0),
    (" ", "SMARTS must be a non-empty string", 0),
    ("C;;H", "Unexpected character in SMARTS: ';' at position 1", 1),
    ("[C;;H]", "Unexpected character in SMARTS atom: ';'", 3),
    ("[C,,N]", "Unexpected character in SMARTS atom: ','", 3),
    ("[C&&N]", "Unexpected character in SMARTS atom: '&'", 3),
    ("[C,]", "Unexpected character in SMARTS atom: ']'", 3),
    ("[;C]", "Unexpected character in SMARTS atom: ';'", 1),
    ("[!]", "Unexpected character in SMARTS atom: ']'", 2),
    ("[]", "Unexpected character in SMARTS atom: ']'", 1),
    ("C>>N", "Unexpected character in SMARTS: '>' at position 1", 1),
    ("[CQ1]", "Unknown element in SMARTS: Q", 2),
    ("Q", "Unknown element in SMARTS: Q", 0),
    ("[C@TH1](F)Cl", "Unknown element in SMARTS: T", 2),
    ("C1CC", "Unclosed ring in SMARTS", 1),
    ("C1CC2", "Unclosed ring in SMARTS", 1),
    ("C(C", "Unmatched '(' in SMARTS", 1),
    ("C)", "Unmatched ')' in SMARTS", 1),
    ("[C", "Expected ']' in bracket atom at pos 2; close the '[' opened at position 0", 0),
    ("C]", "Unexpected character in SMARTS: ']' at position 1", 1),
    ("[$(C]", "Unmatched '(' in recursive SMARTS", 1),
    (")C", "Unmatched ')' in SMARTS", 0),
    ("C(.O)", "Component without atoms in SMARTS", 2),
    ("C(O.)", "Component without atoms in SMARTS", 4),
    ("[$(C),$(", "Unmatched '(' in recursive SMARTS", 6),
    ("[$C]", "Expected '(' after '$' in recursive SMARTS", 1),
    ("[$()]", "SMARTS must be a non-empty string", 3),
    ("$(C)", "Unexpected character in SMARTS: '$' at position 0", 0),
    ("C=,C", "Expected bond primitive in SMARTS", 3),
    ("C=,,-C", "Expected bond primitive in SMARTS", 3),
    ("C!C", "Expected bond primitive in SMARTS", 2),
    ("C!", "Expected bond primitive in SMARTS", 2),
    ("C%C", "Expected digits after % in ring closure", 1),
    ("C%1C", "Expected digits after % in ring closure", 1),
    ("C=1CC-1", "Ring closure 1 has different bond expressions at its two ends", 5),
    ("C11", "Ring closure 1 joins an atom to itself", 1),
    ("C1C1", "Two bonds between atoms 0 and 1", 3),
    ("1", "Ring closure before any atom", 0),
    ("C1CC(1C)", "Ring closure at the start of a branch", 5),
    ("C1CC(=1C)", "Ring closure at the start of a branch", 5),
    ("[#]", "Expected number after # in SMARTS", 1),
    ("[#200]", "Unknown element in SMARTS: #200", 1),
    ("[^]", "Expected digit 0-5 after ^ in SMARTS hybridisation", 1),
    ("[al]", "Unknown aromatic element in SMARTS: l", 2),
    ("Cx", "Unknown element in SMARTS: x", 1),
    ("[D{}]", "Unexpected character in SMARTS atom: '{'", 2),
    ("[C(N)]", "Unexpected character in SMARTS atom: '('", 2),
    ("[C:x]", "Expected atom-map number", 3),
    ("é", "Unexpected character in SMARTS: 'é' at position 0", 0),
    ("C\u{1b}[31mC", r"Unexpected character in SMARTS: '\u{1b}' at position 1", 1),
    ("[C\u{202e}]", r"Unexpected character in SMARTS atom: '\u{202e}'", 2),
    ("[\0]", r"Unexpected character in SMARTS atom: '\0'", 1),
    ("C.", "Component without atoms in SMARTS", 2),
    (".C", "Component without atoms in SMARTS", 0),
    ("C()C", "Empty parentheses in SMARTS", 1),
    ("C((C))", "Branch without an atom before it in SMARTS", 2),
    ("C=", "Bond without a second atom in SMARTS", 1),
    ("=C", "Unexpected character in SMARTS: '=' at position 0", 0),
    ("((C).(O))", "Nested component groups in SMARTS", 1),
    ("(C)C", "Atom after a component group in SMARTS", 3),
];

#[test]
fn refusals_name_the_place() {
    for &(text, sentence, place) in REFUSED {
        let error = Pattern::from_smarts(text).expect_err(text);
        let shown = error.to_string();
        assert!(shown.starts_with(sentence), "{text}: {shown}");
        assert_eq!(error.span().start, place, "{text}: {shown}");
    }
}

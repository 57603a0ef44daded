//! Libraries that are refused: with file, line and reason.

use synthon_budget::Budget;
use synthon_library::{Library, LibraryLimits, Scratch};
use synthon_mol::Molecule;

const HEAD: &str = "[[template]]\nid = \"ether\"\nname = \"Ether\"\nfamily = \"o_alkylation\"\n";
const RETRO: &str = "retro = '[C:1]-[O:2]-[C:3]>>[C:1]-[OH:2].[C:3]-Br'\n";

fn refusal(text: &str) -> (String, Option<usize>, String) {
    let limits = LibraryLimits::default();
    let error = Library::from_toml("mine", &[("mine.toml", text)], &limits).expect_err(text);
    assert_eq!(error.file(), Some("mine.toml"), "{error}");
    (error.code().to_owned(), error.line(), error.to_string())
}

#[test]
fn a_small_library_is_read_and_may_use_the_shipped_words() {
    let text = format!(
        "{HEAD}{RETRO}competes = [\"phenol\"]\n[[template]]\nid = \"amide\"\nname = \"Amide\"\n\
         family = \"amide_formation\"\nretro = '[{{acyl}}:1]-[N:2]>>[C:1]-[OH].[{{amine}}:2]'\n"
    );
    let limits = LibraryLimits::default();
    let library = Library::from_toml("mine", &[("mine.toml", &text)], &limits).expect("reads");
    assert_eq!((library.name(), library.len()), ("mine", 2));
    assert_eq!(library.families(), ["amide_formation", "o_alkylation"]);
    assert!(library.find("ether").expect("there").template().id().starts_with("smarts-sha256:"));
}

#[test]
fn faults_are_named_with_their_line() {
    let cases = [
        ("[[template]]\nid = 3\n".to_owned(), "library.syntax", 2),
        (format!("{HEAD}retro = '[C:1]>>[C:1'\n"), "library.template", 5),
        (format!("{HEAD}retro = '[C:1]-[N:2]>>[C:1]'\n"), "library.unbalanced", 5),
        // rdkit would make a peroxide of an ester here
        (format!("{HEAD}retro = '[C:1]-[O:2]>>[C:1]-[O:2].[C:1]'\n"), "library.template", 5),
        (format!("{HEAD}retro = '[{{nothing}}:1]>>[C:1]'\n"), "library.macro", 5),
        (format!("{HEAD}{RETRO}plausibility = 1.5\n"), "library.value", 6),
        (format!("{HEAD}{RETRO}forbids = [\"unobtainium\"]\n"), "library.unknown_group", 6),
        (format!("{HEAD}{RETRO}colour = \"red\"\n"), "library.syntax", 6),
        (format!("{HEAD}{RETRO}\n{HEAD}{RETRO}"), "library.duplicate", 8),
        (HEAD.replace("o_alkylation", "alchemy") + RETRO, "library.unknown_family", 4),
    ];
    for (text, code, line) in cases {
        let (found, at, message) = refusal(&text);
        assert_eq!((found.as_str(), at), (code, Some(line)), "{text}\n{message}");
    }
    assert_eq!(refusal("[macros]\n").0, "library.empty");
    let (_, _, message) = refusal(&(HEAD.replace("o_alkylation", "alchemy") + RETRO));
    assert!(message.contains("alchemy") && message.contains("suzuki_coupling"), "{message}");
}

/// Patterns that grow threefold with each level, and a chain of any atoms that runs through a cage in
/// more ways than can be counted: refused, or tried within the budget.
#[test]
fn templates_that_are_costly_to_match_end_with_the_budget() {
    let nested = |levels: usize| {
        (0..levels).fold("C".to_owned(), |atom, _| format!("[$({atom}~*~{atom}),$(*~{atom})]"))
    };
    let chain = format!("C{}~[#6X1]", "~*".repeat(18));
    let mut refused = 0;
    for pattern in [nested(5), nested(10), nested(12), chain] {
        let retro = format!("retro = '[C;$({pattern}):1]-[OH:2]>>[C:1]-Br.[OH2:2]'\n");
        let text = format!("{HEAD}{retro}");
        let mut limits = LibraryLimits::default();
        limits.max_file = 1 << 20;
        let library = match Library::from_toml("mine", &[("mine.toml", &text)], &limits) {
            Ok(library) => library,
            Err(error) => {
                assert_eq!(error.file(), Some("mine.toml"), "{error}");
                refused += 1;
                continue;
            }
        };
        let dodecahedranol = "OC12C3C4C5C1C6C7C2C8C3C9C4C1C5C6C2C7C8C9C12";
        let molecule = Molecule::from_smiles(dodecahedranol).expect("a cage");
        let mut budget = Budget::unlimited().with_node_limit(100_000);
        library.expand(&molecule, &mut Scratch::new(), &mut budget);
        assert!(budget.nodes() <= 110_000, "{}", budget.nodes());
    }
    assert_eq!(refused, 2);
}

#[test]
fn limits_hold() {
    let mut limits = LibraryLimits::default();
    limits.max_templates = 1;
    let text = format!("{HEAD}{RETRO}\n{}{RETRO}", HEAD.replace("\"ether\"", "\"other\""));
    let error = Library::from_toml("mine", &[("mine.toml", &text)], &limits).expect_err("two");
    assert_eq!(error.code(), "library.too_large");
    let folder = std::env::temp_dir().join(format!("synthon-empty-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let error = Library::from_path("mine", &folder, &limits).expect_err("an empty folder");
    assert_eq!((error.code(), error.file()), ("library.empty", folder.to_str()));
    std::fs::remove_dir(&folder).expect("removed");
    let path = std::path::Path::new("/nowhere/at/all.toml");
    let error = Library::from_path("mine", path, &limits).expect_err("no file");
    assert_eq!(error.code(), "library.read");
}

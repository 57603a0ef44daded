//! What the planner calls complete, held against a search that tries everything.

use std::collections::{BTreeMap, BTreeSet};

use synthon_budget::{Budget, Status};
use synthon_library::{Library, ProposeOptions, Review, Scratch};
use synthon_mol::Molecule;
use synthon_plan::{PlanRequest, Route, plan};
use synthon_reaction::{ApplyOptions, StereoRule, balance, forward_check};
use synthon_stock::Stock;

/// How each molecule of a route is made: from which others, or not at all.
type RouteMap = BTreeMap<String, Option<BTreeSet<String>>>;

/// All ways to make molecules that hold when run forwards, each asked for once.
struct Ways<'l> {
    library: &'l Library,
    known: BTreeMap<String, BTreeSet<BTreeSet<String>>>,
}

impl Ways<'_> {
    fn of(&mut self, text: &str) -> BTreeSet<BTreeSet<String>> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let target = Molecule::from_smiles(text).expect(text);
        let (mut scratch, mut replay) = (Scratch::new(), synthon_reaction::Scratch::new());
        let mut budget = Budget::unlimited();
        let found = self.library.propose(
            &target,
            |_| true,
            &ProposeOptions::default(),
            &mut scratch,
            &mut budget,
        );
        assert!(!found.cut && !found.truncated, "{text}: the library is too large for this test");
        let options = ApplyOptions::default().stereo(StereoRule::Lenient);
        let mut ways = BTreeSet::new();
        for proposal in found.proposals {
            let precursors = &proposal.outcome.precursors;
            let holds = std::iter::once(proposal.template).chain(proposal.also).any(|position| {
                let rule = self.library.rule(position);
                let Some(forward) = rule.forward() else { return false };
                let check = forward_check(
                    &forward,
                    precursors,
                    &target,
                    &options,
                    &mut replay,
                    &mut budget,
                );
                let review =
                    self.library.review(position, &target, &proposal.outcome, &mut scratch);
                check.reproduces_target && matches!(review, Review::Holds(_))
            });
            if holds && balance(precursors, &target).is_balanced() {
                ways.insert(precursors.iter().map(Molecule::to_unmapped_smiles).collect());
            }
        }
        self.known.insert(text.to_owned(), ways.clone());
        ways
    }
}

/// Every route within `depth`, by trying each way for each molecule that is not made yet.
fn brute_force(
    target: &str,
    ways: &mut Ways<'_>,
    stock: &Stock,
    depth: usize,
) -> BTreeSet<RouteMap> {
    let mut routes = BTreeSet::new();
    let mut unfinished = vec![RouteMap::new()];
    while let Some(route) = unfinished.pop() {
        if longest(&route, target, &mut Vec::new()).is_none_or(|steps| steps > depth) {
            continue;
        }
        let missing = std::iter::once(target)
            .chain(route.values().flatten().flatten().map(String::as_str))
            .find(|molecule| !route.contains_key(*molecule))
            .map(str::to_owned);
        let Some(molecule) = missing else {
            routes.insert(route);
            continue;
        };
        let read = Molecule::from_smiles(&molecule).expect("a text of ours");
        let choices: Vec<Option<BTreeSet<String>>> =
            if molecule != target && stock.contains(&read).is_yes() {
                vec![None]
            } else {
                ways.of(&molecule).into_iter().map(Some).collect()
            };
        for choice in choices {
            let mut next = route.clone();
            next.insert(molecule.clone(), choice);
            unfinished.push(next);
        }
    }
    routes
}

/// Longest chain of steps below a molecule; `None` if one is its own ancestor.
fn longest(route: &RouteMap, molecule: &str, above: &mut Vec<String>) -> Option<usize> {
    if above.iter().any(|other| other == molecule) {
        return None;
    }
    let Some(Some(precursors)) = route.get(molecule) else { return Some(0) };
    above.push(molecule.to_owned());
    let mut deepest = 0;
    for precursor in precursors {
        deepest = deepest.max(longest(route, precursor, above)?);
    }
    above.pop();
    Some(deepest + 1)
}

fn as_map(route: &Route) -> RouteMap {
    let steps = route
        .steps
        .iter()
        .map(|step| (step.target.clone(), Some(step.precursors.iter().cloned().collect())));
    let leaves = route.leaves.iter().map(|leaf| (leaf.smiles.clone(), None));
    steps.chain(leaves).collect()
}

/// The named templates of these words as a library of their own.
fn chosen(words: &[&str]) -> Library {
    let curated = Library::curated();
    let toml: String = words
        .iter()
        .map(|word| {
            let named = curated.find(word).unwrap_or_else(|| panic!("no template {word}"));
            format!(
                "[[template]]\nid = '{word}'\nname = '{}'\nfamily = '{}'\nretro = '{}'\nabout = \
                 'From the shipped library.'\nplausibility = {}\n",
                named.name().replace('\'', " "),
                named.family(),
                named.template().smarts(),
                named.plausibility()
            )
        })
        .collect();
    Library::from_toml("chosen", &[("chosen.toml", &toml)], &Default::default()).expect("sound")
}

#[test]
fn a_complete_answer_holds_exactly_the_routes_that_exist() {
    let library = chosen(&[
        "reductive_amination_aldehyde",
        "nitro_reduction",
        "boc_deprotection",
        "amide_from_acid",
        "ester_hydrolysis_methyl",
    ]);
    let blocks = [
        "O=Cc1ccccc1",
        "O=[N+]([O-])c1ccc(C(=O)O)cc1",
        "COC(=O)c1ccc([N+](=O)[O-])cc1",
        "CN",
        "NCc1ccccc1",
        "CC(C)(C)OC(=O)NCc1ccccc1",
        "CC(=O)O",
        "C1COCCN1",
        "COC(=O)c1ccc(C=O)cc1",
    ]
    .map(|smiles| Molecule::from_smiles(smiles).expect(smiles));
    let stock = Stock::from_molecules("small", &blocks).expect("small");
    let mut ways = Ways { library: &library, known: BTreeMap::new() };
    let mut several = 0;
    for (target, depth) in [
        ("Nc1ccc(C(=O)NCc2ccccc2)cc1", 4),
        ("CN(Cc1ccccc1)Cc1ccccc1", 3),
        ("O=C(NCc1ccccc1)c1ccc(CN2CCOCC2)cc1", 4),
        ("CC(=O)Nc1ccc(C(=O)N2CCOCC2)cc1", 4),
        ("CC(=O)NCc1ccc(C(=O)O)cc1", 3),
    ] {
        let target = Molecule::from_smiles(target).expect(target);
        let text = target.to_unmapped_smiles();
        for depth in 1..=depth {
            let expected = brute_force(&text, &mut ways, &stock, depth);
            let request = PlanRequest::new(target.clone()).depth(depth as u8).max_routes(100);
            let found = plan(&request, &library, &stock, &mut Budget::unlimited());
            assert_eq!(found.status, Status::Completed, "{text}");
            assert!(found.complete, "{text}: {}", found.claim);
            let routes: BTreeSet<RouteMap> = found.routes.iter().map(as_map).collect();
            assert_eq!(routes.len(), found.routes.len(), "{text}: a route came twice");
            assert_eq!(routes, expected, "{text}, depth {depth}");
            several += usize::from(expected.len() > 1);
        }
    }
    assert!(several >= 3, "the targets are too easy to fail in: {several}");
}

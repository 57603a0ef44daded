//! The planner with the shipped library and stock.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use synthon_budget::{Budget, CancelFlag, Status};
use synthon_library::{Library, LibraryLimits, Reagent};
use synthon_mol::{Element, Molecule};
use synthon_plan::{
    Constraints, InStock, NamedMolecule, PlanRequest, PlanResult, Route, plan, plan_with_progress,
    render_result,
};
use synthon_stock::Stock;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::curated);
static EXTRACTED: LazyLock<Library> = LazyLock::new(Library::uspto);
static STOCK: LazyLock<Stock> = LazyLock::new(Stock::embedded);

const PACLITAXEL: &str = "CC1=C2[C@@]([C@]([C@H]([C@@H]3[C@]4([C@H](OC4)C[C@@H]([C@]3(C(=O)[C@@H]2OC(=O)C)C)O)OC(=O)C)OC(=O)c2ccccc2)(C[C@@H]1OC(=O)[C@H](O)[C@@H](NC(=O)c1ccccc1)c1ccccc1)O)(C)C";

fn read(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).expect(smiles)
}

fn request(smiles: &str) -> PlanRequest {
    PlanRequest::new(read(smiles))
}

fn nodes(limit: u64) -> Budget {
    Budget::unlimited().with_node_limit(limit)
}

fn find(request: &PlanRequest) -> PlanResult {
    plan(request, &LIBRARY, &STOCK, &mut nodes(500))
}

/// What every route that leaves the planner must hold to, looked at without the planner's help.
fn check(route: &Route) {
    let made: BTreeMap<&str, &[String]> =
        route.steps.iter().map(|step| (step.target.as_str(), step.precursors.as_slice())).collect();
    assert_eq!(made.len(), route.steps.len(), "a molecule is made twice");
    let mut paths = vec![vec![route.steps[0].target.as_str()]];
    let mut deepest = 0;
    while let Some(path) = paths.pop() {
        let molecule = path[path.len() - 1];
        match made.get(molecule) {
            Some(precursors) => {
                for precursor in *precursors {
                    assert!(!path.contains(&precursor.as_str()), "{precursor} is its own ancestor");
                    let mut longer = path.clone();
                    longer.push(precursor);
                    paths.push(longer);
                }
            }
            None => {
                deepest = deepest.max(path.len() - 1);
                let leaf = route.leaf(molecule).expect("a branch ends in a leaf");
                assert_ne!(leaf.in_stock, InStock::No);
                assert!(STOCK.contains(&read(molecule)).is_yes(), "{molecule}");
            }
        }
    }
    assert_eq!(deepest, route.depth);
    for step in &route.steps {
        let mut left: BTreeMap<u8, i32> = BTreeMap::new();
        for atom in step.precursors.iter().flat_map(|p| read(p).atoms().to_vec()) {
            *left.entry(atom.atomic_number()).or_default() += 1;
        }
        for atom in read(&step.target).atoms() {
            *left.entry(atom.atomic_number()).or_default() -= 1;
        }
        assert!(left.values().all(|&count| count >= 0), "{} is not balanced", step.target);
        assert!(step.balanced && step.forward_check.reproduces_target);
        let named = LIBRARY
            .templates()
            .iter()
            .find(|named| named.template().id() == step.template_id)
            .expect("the template is in the library");
        assert_eq!((named.name(), named.family()), (&*step.rule, &*step.reaction_family));
        let changed = step.changed_atoms.as_ref().expect("a reaction centre");
        assert!(!changed.target.is_empty());
        let (before, after) = changed.mapped.split_once(">>").expect("a mapped step");
        assert_eq!(read(after).to_unmapped_smiles(), step.target);
        let mut precursors: Vec<String> =
            before.split('.').map(|part| read(part).to_unmapped_smiles()).collect();
        let mut expected = step.precursors.clone();
        precursors.sort();
        expected.sort();
        assert_eq!(precursors, expected);
    }
    assert!((0.0..=1.0).contains(&route.confidence) && (0.0..=1.0).contains(&route.convergency));
    assert!(route.atom_economy.is_none_or(|value| value > 0.0 && value <= 1.0));
}

#[test]
fn aizynthfinder_160() {
    let result = find(&request("CC(=O)Oc1ccccc1C(=O)O"));
    assert_eq!(result.status, Status::Completed);
    assert_eq!(result.target_in_stock, InStock::Yes);
    assert!(result.claim.contains("the target itself is in stock"), "{}", result.claim);
    let best = &result.routes[0];
    assert_eq!(best.steps.len(), 1);
    assert_eq!(best.building_blocks, ["CC(=O)OC(C)=O", "O=C(O)c1ccccc1O"]);
    let aspirin = request("CC(=O)Oc1ccccc1C(=O)O");
    let result = plan(&aspirin, &EXTRACTED, &STOCK, &mut nodes(500));
    let best = &result.routes[0];
    assert_eq!(best.steps.len(), 1);
    assert!(best.leaf("O=C(O)c1ccccc1O").is_some(), "{:?}", best.building_blocks);
}

#[test]
fn aizynthfinder_152() {
    let toml = "[[template]]
id = 'oxazolidine'
name = 'Oxazolidine from an amino alcohol'
family = 'heterocycle_synthesis'
retro = '[C;H0;D4;+0:1]1-[NH;D2;+0:2]-[CH2;D2;+0:3]-[CH2;D2;+0:4]-[O;H0;D2;+0:5]-1>>O=[C;H0;D3;+0:1].[NH2;D1;+0:2]-[CH2;D2;+0:3]-[CH2;D2;+0:4]-[OH;D1;+0:5]'
about = 'A ketone and an amino alcohol close to an oxazolidine.'
makes = [['CC1(C)NCCO1', 'CC(C)=O.NCCO'], ['CCC1(CC)NCCO1', 'CCC(=O)CC.NCCO']]
spares = ['C1COCCN1']
";
    let library = Library::from_toml("one", &[("one.toml", toml)], &LibraryLimits::default())
        .expect("a library of one template");
    let stock = Stock::from_molecules("two", &[read("CC(C)=O"), read("NCCO")]).expect("small");
    let result = plan(&request("CC1(C)NCCO1"), &library, &stock, &mut nodes(10));
    assert_eq!(result.routes_found, 1);
    assert_eq!(result.routes[0].building_blocks, ["CC(C)=O", "NCCO"]);
    assert!(result.complete && !result.truncated, "one template, one step: all was tried");
    assert_eq!(
        result.claim,
        "This is the only route with library one, stock two and at most 5 steps in a row."
    );
    let none = plan(&request("CCCCN"), &library, &stock, &mut nodes(10));
    assert!(none.complete && none.routes.is_empty() && none.status == Status::Completed);
    assert!(none.claim.starts_with("No route exists with library one"), "{}", none.claim);
}

#[test]
fn aizynthfinder_38() {
    let request = request(PACLITAXEL).depth(10);
    let result = plan(&request, &LIBRARY, &STOCK, &mut nodes(150));
    result.routes.iter().for_each(check);
    assert!(!result.complete);
    assert!(result.routes_found > 0 || result.claim.starts_with("No route was found before"));
}

#[test]
fn routes_of_simple_drugs_hold_what_they_promise() {
    for smiles in [
        "CC(=O)Nc1ccc(O)cc1",
        "CCN(CC)CC(=O)Nc1c(C)cccc1C",
        "CCN(CC)CCOC(=O)c1ccc(N)cc1",
        "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
        "CC(C)NCC(O)COc1ccc(CC(N)=O)cc1",
        "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12",
        "CNCCC(Oc1ccc(cc1)C(F)(F)F)c1ccccc1",
    ] {
        let result = find(&request(smiles));
        assert!(result.routes_found > 0, "{smiles}: {}", result.claim);
        result.routes.iter().for_each(check);
        let scores: Vec<f64> = result.routes.iter().map(|route| route.score).collect();
        assert!(scores.is_sorted(), "{smiles}: {scores:?}");
        let mut ids: Vec<&str> = result.routes.iter().map(|route| &*route.route_id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), result.routes.len());
        let text = render_result(&result, 80);
        assert!(text.lines().all(|line| line.chars().count() <= 80));
    }
}

#[test]
fn a_node_budget_gives_the_same_bytes_each_time() {
    let request = request("CC(C)NCC(O)COc1ccc(CC(N)=O)cc1").candidate_trace_limit(50);
    let answers: Vec<String> = (0..2)
        .map(|_| {
            let result = plan(&request, &LIBRARY, &STOCK, &mut nodes(60));
            assert_eq!((result.candidates.len(), result.candidates_truncated), (50, true));
            serde_json::to_string(&result).expect("serialisable")
        })
        .collect();
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let mut asked = Constraints::default();
    asked.avoid_reaction_families = vec!["protection".to_owned()];
    asked.avoid_reagents = vec![Reagent::new("LiAlH4")];
    asked.require_elements = vec![Element::BR];
    for (target, constraints) in [
        ("Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1", Constraints::default()),
        ("CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12", asked),
    ] {
        let request = request(target).constraints(constraints).candidate_trace_limit(100);
        for library in [&*LIBRARY, &*EXTRACTED] {
            let answers = [1, 2, 8].map(|threads| {
                let request = request.clone().threads(threads);
                let result = plan(&request, library, &STOCK, &mut nodes(40));
                serde_json::to_string(&result).expect("serialisable")
            });
            assert_eq!(answers[0], answers[1], "{target}: two threads");
            assert_eq!(answers[0], answers[2], "{target}: eight threads");
        }
    }
}

#[test]
fn threads_that_help_keep_the_deadline_and_hear_of_the_end() {
    let request = request(PACLITAXEL).depth(20).threads(4);
    LazyLock::force(&EXTRACTED);
    let started = Instant::now();
    let mut budget = Budget::unlimited().with_time_limit(Duration::from_millis(300));
    let result = plan(&request, &EXTRACTED, &STOCK, &mut budget);
    assert_eq!(result.status, Status::TimedOut);
    assert!(started.elapsed() < Duration::from_millis(2_500), "{:?}", started.elapsed());
    let flag = CancelFlag::new();
    let mut budget = Budget::unlimited().with_cancel_flag(flag.clone());
    let result = plan_with_progress(&request, &EXTRACTED, &STOCK, &mut budget, |progress| {
        if progress.nodes_expanded >= 3 {
            flag.cancel();
        }
    });
    assert_eq!((result.status, result.search.nodes_expanded), (Status::Cancelled, 3));
}

#[test]
fn the_spelling_of_the_target_does_not_matter() {
    let one = find(&request("CC(C)NCC(O)COc1ccc(CC(N)=O)cc1"));
    let other = find(&request("NC(=O)Cc1ccc(cc1)OCC(CNC(C)C)O"));
    let json = |result: &PlanResult| serde_json::to_string(result).expect("serialisable");
    assert_eq!(json(&one), json(&other));
}

#[test]
fn elements_are_avoided_and_required_inside_the_search() {
    let target = "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12";
    let mut constraints = Constraints::default();
    constraints.avoid_elements = vec![Element::I, Element::BR];
    let result = find(&request(target).constraints(constraints));
    assert!(result.routes_found > 0);
    for smiles in result.routes.iter().flat_map(|route| &route.building_blocks) {
        assert!(!smiles.contains('I') && !smiles.contains("Br"), "{smiles}");
    }
    let mut constraints = Constraints::default();
    constraints.require_elements = vec![Element::I];
    let result = find(&request(target).constraints(constraints));
    assert!(result.routes_found > 0);
    for route in &result.routes {
        assert!(route.building_blocks.iter().any(|smiles| smiles.contains('I')));
    }
    let json = serde_json::to_value(&result).expect("serialisable");
    assert_eq!(json["proof"]["constraints"], serde_json::json!({"require_elements": ["I"]}));
}

#[test]
fn blocks_and_families_are_kept_out_or_asked_for() {
    let aspirin = "CC(=O)Oc1ccccc1C(=O)O";
    let anhydride =
        NamedMolecule { smiles: "CC(=O)OC(C)=O".to_owned(), molecule: read("CC(=O)OC(C)=O") };
    let mut constraints = Constraints::default();
    constraints.avoid_building_blocks = vec![anhydride.clone()];
    constraints.avoid_reaction_families = vec!["oxidation".to_owned()];
    let result = find(&request(aspirin).constraints(constraints));
    assert!(result.routes_found > 0);
    for route in &result.routes {
        assert!(!route.building_blocks.contains(&anhydride.smiles));
        assert!(route.steps.iter().all(|step| step.reaction_family != "oxidation"));
    }
    let mut constraints = Constraints::default();
    constraints.require_building_blocks = vec![anhydride.clone()];
    constraints.max_steps = Some(1);
    let result = find(&request(aspirin).constraints(constraints));
    assert_eq!(result.routes_found, 1);
    assert!(result.routes[0].building_blocks.contains(&anhydride.smiles));
}

/// What a molecule named in a constraint is.
fn named(smiles: &str) -> NamedMolecule {
    NamedMolecule { smiles: read(smiles).to_smiles(), molecule: read(smiles) }
}

/// Routes that have what is asked for are found by going for them, not by waiting until one comes
/// along: fewer molecules are expanded than in a search without the condition, up to the first
/// route that meets it.
#[test]
fn what_routes_must_have_steers_the_search() {
    type Asks = fn(&mut Constraints);
    type Has = fn(&Route) -> bool;
    let cases: [(&str, Asks, Has); 4] = [
        (
            "CC(C)NCC(O)COc1ccc(CC(N)=O)cc1",
            |asked| asked.start_from = Some(named("N#CCc1ccc(O)cc1")),
            |route| route.leaf("N#CCc1ccc(O)cc1").is_some(),
        ),
        (
            "CC(=O)Nc1ccc(-c2ccccc2)cc1",
            |asked| asked.require_elements = vec![Element::I, Element::B],
            |route| ["I", "B("].iter().all(|e| route.building_blocks.iter().any(|b| b.contains(e))),
        ),
        (
            "CCOC(=O)c1ccc(NC(C)=O)cc1",
            |asked| asked.require_building_blocks = vec![named("O=C(O)c1ccc([N+](=O)[O-])cc1")],
            |route| route.leaf("O=C(O)c1ccc([N+](=O)[O-])cc1").is_some(),
        ),
        (
            "Nc1ccc(C(=O)NCc2ccccc2)cc1",
            |asked| asked.require_reaction_families = vec!["reduction".to_owned()],
            |route| route.steps.iter().any(|step| step.reaction_family == "reduction"),
        ),
    ];
    let mut by_chance = 0;
    for (target, asks, has) in cases {
        let mut constraints = Constraints::default();
        asks(&mut constraints);
        let name = format!("{target} {:?}", constraints.entries());
        let limit = 300;
        let steered = plan(
            &request(target).max_routes(1).constraints(constraints),
            &LIBRARY,
            &STOCK,
            &mut nodes(limit),
        );
        assert!(!steered.routes.is_empty(), "{name}: {}", steered.claim);
        assert!(steered.routes.iter().all(has), "{name}");
        let needed = first_with(target, limit, &asks, has).expect("the steered search found one");
        // Without the condition, until one of a hundred routes happens to have it.
        let filtered = plan(&request(target).max_routes(100), &LIBRARY, &STOCK, &mut nodes(needed));
        by_chance += usize::from(filtered.routes.iter().any(has));
    }
    assert!(by_chance < 4, "all were found without steering as soon");
}

/// The fewest molecules expanded until a route meets the constraints.
fn first_with(
    target: &str,
    limit: u64,
    asks: &dyn Fn(&mut Constraints),
    has: fn(&Route) -> bool,
) -> Option<u64> {
    let mut constraints = Constraints::default();
    asks(&mut constraints);
    let mut first = None;
    let request = request(target).max_routes(1).constraints(constraints);
    let result = plan_with_progress(&request, &LIBRARY, &STOCK, &mut nodes(limit), |progress| {
        if progress.routes_found > 0 && first.is_none() {
            first = Some(progress.nodes_expanded);
        }
    });
    assert!(result.routes.iter().all(has));
    first
}

#[test]
fn a_bound_on_steps_is_kept_while_routes_are_put_together() {
    let target = "CC(C)NCC(O)COc1ccc(CC(N)=O)cc1";
    for most in 1..=3 {
        let mut constraints = Constraints::default();
        constraints.max_steps = Some(most);
        let result = find(&request(target).max_routes(20).constraints(constraints));
        assert!(result.routes.iter().all(|route| route.steps.len() <= most));
        assert_eq!(result.routes.is_empty(), most == 1, "{most}: {}", result.claim);
        if most == 1 {
            assert!(result.removed.iter().any(|removed| removed.constraint == "max_steps"));
        }
    }
}

#[test]
fn a_deadline_is_kept_and_the_answer_says_so() {
    let request = request(PACLITAXEL).depth(20);
    LazyLock::force(&LIBRARY);
    let started = Instant::now();
    let mut budget = Budget::unlimited().with_time_limit(Duration::from_millis(100));
    let result = plan(&request, &LIBRARY, &STOCK, &mut budget);
    assert!(started.elapsed() < Duration::from_millis(1_500), "{:?}", started.elapsed());
    assert_eq!(result.status, Status::TimedOut);
    assert!(!result.complete && result.truncated);
    assert!(result.claim.contains("the time was up"), "{}", result.claim);
}

#[test]
fn a_listener_hears_of_progress_and_can_cancel() {
    let flag = CancelFlag::new();
    let mut budget = Budget::unlimited().with_cancel_flag(flag.clone());
    let mut heard = 0;
    let request = request(PACLITAXEL).depth(20);
    let result = plan_with_progress(&request, &LIBRARY, &STOCK, &mut budget, |progress| {
        assert!(progress.nodes_expanded >= heard);
        heard = progress.nodes_expanded;
        if heard >= 5 {
            flag.cancel();
        }
    });
    assert_eq!(result.status, Status::Cancelled);
    assert_eq!(result.search.nodes_expanded, heard);
}

/// Targets that are no single ordinary molecule, or hardly one.
const ODD: [&str; 7] = [
    "CCO.CC(=O)O",
    "[Na+].CC(=O)[O-]",
    "C[CH]C",
    "*c1ccccc1",
    "[2H]C([2H])([2H])Oc1ccccc1",
    "[Fe]",
    "C",
];

/// A peptide as long as is allowed.
fn long_peptide() -> String {
    format!("N{}", "CC(=O)N".repeat(250) + "CC(=O)O")
}

#[test]
fn odd_targets_get_an_answer_or_a_reason_in_time() {
    let chain = "C".repeat(1_024);
    let peptide = long_peptide();
    let more = ["[H][H]", "[C-]#[O+]", "c1ccc2c(c1)ccc1ccccc12", &chain, &peptide];
    for smiles in ODD.into_iter().chain(more) {
        let started = Instant::now();
        let mut budget = nodes(30).with_time_limit(Duration::from_secs(2));
        let result = plan(&request(smiles), &LIBRARY, &STOCK, &mut budget);
        result.routes.iter().for_each(check);
        assert!(result.claim.ends_with('.'));
        let name: String = smiles.chars().take(20).collect();
        assert!(started.elapsed() < Duration::from_secs(4), "{name}: {:?}", started.elapsed());
    }
}

/// A library in which an amine can be protected, a nitro group reduced, and the amine freed.
fn protecting_library(competes: &str) -> Library {
    let toml = format!(
        "[[template]]
id = 'boc_off'
name = 'Boc deprotection'
family = 'deprotection'
retro = '[N;H2;$(N-[CX4]):1]>>[N:1]-C(=O)OC(C)(C)C'
about = 'Acid takes the Boc group off an amine.'
plausibility = 0.9
[[template]]
id = 'boc_on'
name = 'Boc protection'
family = 'protection'
retro = '[N;H1;$(N-[CX4]):1]-[C:2](=[O:3])-[O:4]-[C:5](-[CH3:6])(-[CH3:7])-[CH3:8]>>[NH2:1].[C:2](=[O:3])(-OC(=O)OC(C)(C)C)-[O:4]-[C:5](-[CH3:6])(-[CH3:7])-[CH3:8]'
about = 'An amine and di-tert-butyl dicarbonate give the Boc amine.'
plausibility = 0.9
[[template]]
id = 'nitro_reduction'
name = 'Reduction of a nitroarene'
family = 'reduction'
retro = '[c:1]-[N;H2;+0:2]>>[c:1]-[N+:2](=O)[O-]'
about = 'Hydrogen takes a nitroarene to the aniline.'
plausibility = 0.9
competes = [{competes}]
"
    );
    Library::from_toml("protecting", &[("protecting.toml", &toml)], &LibraryLimits::default())
        .expect("three templates")
}

#[test]
fn a_protection_that_changes_nothing_raises_an_alarm_and_one_that_is_needed_does_not() {
    let blocks = ["NCCc1ccc([N+](=O)[O-])cc1", "CC(C)(C)OC(=O)OC(=O)OC(C)(C)C"].map(read);
    let stock = Stock::from_molecules("two", &blocks).expect("small");
    for (competes, needed) in [("", false), ("'aliphatic_amine'", true)] {
        let library = protecting_library(competes);
        let request = request("NCCc1ccc(N)cc1").max_routes(20);
        let result = plan(&request, &library, &stock, &mut nodes(200));
        let protected: Vec<&Route> =
            result.routes.iter().filter(|route| route.steps.len() == 3).collect();
        assert_eq!(protected.len(), 1, "{}", render_result(&result, 80));
        let alarmed = protected[0].steps[0].alarms.iter().any(|a| a.contains("protecting group"));
        assert_eq!(alarmed, !needed);
        assert_eq!(protected[0].tier, if needed { 2 } else { 1 });
    }
}

#[test]
fn a_mixture_is_named_as_the_reason() {
    let result = find(&request("CCO.CC(=O)O"));
    assert!(result.routes.is_empty());
    assert!(result.claim.contains("a mixture of 2 molecules"), "{}", result.claim);
}

/// Both halves of the target are alike, so every step comes from either of them.
#[test]
fn bonds_of_symmetric_atoms_are_told_apart_inside_the_search() {
    let blocks = ["CC(=O)Nc1ccc(N)cc1", "CC(=O)OC(C)=O", "Nc1ccc(N)cc1"].map(read);
    let stock = Stock::from_molecules("three", &blocks).expect("small");
    let target = "CC(=O)Nc1ccc(NC(C)=O)cc1";
    let ask = |made: &[[u32; 2]], kept: &[[u32; 2]]| {
        let mut constraints = Constraints::default();
        constraints.break_bonds = made.to_vec();
        constraints.freeze_bonds = kept.to_vec();
        let request = request(target).depth(2).constraints(constraints);
        plan(&request, &LIBRARY, &stock, &mut nodes(200))
    };
    for (one, other) in [([1, 3], [8, 9]), ([8, 9], [1, 3])] {
        let result = ask(&[one], &[other]);
        assert!(result.routes_found > 0, "{}", result.claim);
        for route in &result.routes {
            assert!(route.building_blocks.contains(&"CC(=O)Nc1ccc(N)cc1".to_owned()));
        }
    }
    let both = ask(&[[1, 3], [8, 9]], &[]);
    assert!(both.routes_found > 0, "{}", both.claim);
    for route in &both.routes {
        assert!(route.building_blocks.contains(&"Nc1ccc(N)cc1".to_owned()), "{route:?}");
        assert_eq!(route.steps.len(), 2);
    }
    let neither = ask(&[], &[[1, 3], [8, 9]]);
    assert!(neither.routes.is_empty(), "{}", neither.claim);
    assert!(neither.removed.iter().any(|removed| removed.constraint == "freeze_bonds"));
}

#[test]
fn no_step_makes_alanine_of_ethylamine_and_formic_acid() {
    for smiles in ["C[C@H](N)C(=O)O", "CC(N)C(=O)O"] {
        let result = plan(&request(smiles).max_routes(50), &EXTRACTED, &STOCK, &mut nodes(300));
        for step in result.routes.iter().flat_map(|route| &route.steps) {
            let carbon_from_nowhere = |texts: &[&str]| {
                texts.iter().all(|text| step.precursors.iter().any(|found| found == text))
            };
            assert!(!carbon_from_nowhere(&["CCN", "O=CO"]), "{step:?}");
            assert!(!carbon_from_nowhere(&["CCN", "O=C=O"]), "{step:?}");
        }
    }
}

#[test]
fn no_molecule_is_its_own_ancestor_with_extracted_templates_either() {
    let targets =
        [(PACLITAXEL, 60), ("CC(=O)Oc1ccccc1C(=O)O", 100), ("CC(C)NCC(O)COc1ccc(CC(N)=O)cc1", 100)];
    for (smiles, limit) in targets {
        let result = plan(&request(smiles).depth(8), &EXTRACTED, &STOCK, &mut nodes(limit));
        for route in &result.routes {
            let mut paths = vec![vec![route.steps[0].target.as_str()]];
            while let Some(path) = paths.pop() {
                let Some(step) = route.step_making(path[path.len() - 1]) else { continue };
                for precursor in &step.precursors {
                    assert!(!path.contains(&precursor.as_str()), "{precursor}");
                    paths.push([&path[..], &[precursor.as_str()]].concat());
                }
            }
            assert!(route.steps.iter().all(|step| step.balanced));
        }
        assert!(result.routes_found > 0 || smiles == PACLITAXEL, "{smiles}: {}", result.claim);
    }
}

#[test]
fn hostile_targets_end_in_time_with_extracted_templates_too() {
    LazyLock::force(&EXTRACTED);
    let peptide = long_peptide();
    let fullerene = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41";
    let more = ["[Cl-].[Cl-].[Pt+2].N.N", fullerene, &peptide, PACLITAXEL];
    for smiles in ODD.into_iter().chain(more) {
        let started = Instant::now();
        let mut budget = Budget::unlimited().with_time_limit(Duration::from_millis(500));
        let result = plan(&request(smiles), &EXTRACTED, &STOCK, &mut budget);
        assert!(result.claim.ends_with('.'));
        let name: String = smiles.chars().take(20).collect();
        assert!(started.elapsed() < Duration::from_secs(3), "{name}: {:?}", started.elapsed());
    }
}

//! Each template of the shipped library against its own examples, in our engine.

use std::time::Instant;

use synthon_budget::Budget;
use synthon_library::{Library, Scratch, curated_examples, families};
use synthon_mol::Molecule;
use synthon_reaction::{ApplyOptions, StereoRule, balance, forward_check};

fn read(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).expect(smiles)
}

/// Canonical texts of the molecules of a dotted SMILES, sorted.
fn texts(smiles: &str) -> Vec<String> {
    let mut texts: Vec<String> = smiles.split('.').map(|s| read(s).to_smiles()).collect();
    texts.sort();
    texts
}

/// Precursor sets that one template of the library proposes.
fn proposals(library: &Library, id: &str, product: &Molecule) -> Vec<Vec<String>> {
    let (mut scratch, mut budget) = (Scratch::new(), Budget::unlimited());
    let expansion = library.expand_where(product, |t| t.id() == id, &mut scratch, &mut budget);
    let texts = expansion.proposals.iter().map(|proposal| {
        let mut texts: Vec<String> =
            proposal.outcome.precursors.iter().map(Molecule::to_smiles).collect();
        texts.sort();
        texts
    });
    texts.collect()
}

#[test]
fn templates_take_apart_what_they_should_and_spare_the_rest() {
    let library = Library::curated();
    let mut faults = Vec::new();
    for examples in curated_examples() {
        let id = &examples.id;
        if examples.makes.len() < 2 || examples.spares.is_empty() {
            faults.push(format!("{id}: two products and one molecule to spare are wanted"));
        }
        for (product, precursors) in &examples.makes {
            let found = proposals(&library, id, &read(product));
            if !found.contains(&texts(precursors)) {
                faults.push(format!("{id}: {product} gives {found:?}, not {precursors}"));
            }
        }
        for product in &examples.spares {
            let found = proposals(&library, id, &read(product));
            if !found.is_empty() {
                faults.push(format!("{id}: {product} should be spared, gives {found:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn examples_run_forwards_and_balance() {
    let library = Library::curated();
    let options = ApplyOptions::default().stereo(StereoRule::Lenient);
    let (mut scratch, mut budget) = (Default::default(), Budget::unlimited());
    let mut faults = Vec::new();
    for examples in curated_examples() {
        let named = library.find(&examples.id).expect("it is in the library");
        let Some(forward) = named.forward() else {
            faults.push(format!("{}: cannot be run forwards", examples.id));
            continue;
        };
        for (product, precursors) in &examples.makes {
            let target = read(product);
            let molecules: Vec<Molecule> = precursors.split('.').map(read).collect();
            let missing = balance(&molecules, &target).missing;
            if !missing.is_empty() {
                faults.push(format!("{}: {product} lacks {missing:?}", examples.id));
            }
            let check =
                forward_check(forward, &molecules, &target, &options, &mut scratch, &mut budget);
            if !check.reproduces_without_stereo {
                faults.push(format!(
                    "{}: {precursors} gives {} products, none of them {product}",
                    examples.id, check.distinct_products
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_library_is_large_and_every_family_has_a_template() {
    let library = Library::curated();
    assert!(library.len() >= 120, "{}", library.len());
    assert_eq!(library.families().len(), families().len());
    for named in library.templates() {
        assert!(named.conditions().is_some_and(|c| !c.is_empty()), "{}", named.id());
        assert!(named.about().ends_with('.'), "{}", named.id());
        assert!(!named.name().is_empty() && named.name().len() <= 90, "{}", named.id());
    }
    let counted = library.templates().iter().filter(|t| t.use_count() > 0).count();
    assert!(counted >= 200, "only {counted} templates account for reactions of the data");
    let mut ids: Vec<&str> = library.templates().iter().map(|t| t.template().id()).collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all, "two templates are the same reaction SMARTS");
}

#[test]
fn reading_it_is_quick() {
    let start = Instant::now();
    let library = Library::curated();
    library.index();
    let elapsed = start.elapsed();
    // Tens of milliseconds unoptimised on a busy machine; the bound only catches a blunder.
    assert!(elapsed.as_millis() < 1_500, "{elapsed:?}");
}

#[test]
fn competing_groups_are_named_and_forbidden_ones_exclude() {
    let library = Library::curated();
    let (mut scratch, mut budget) = (Scratch::new(), Budget::unlimited());
    // A free aliphatic amine beside the amide that is made.
    let product = read("NCCNC(=O)c1ccccc1");
    let expansion = library.expand(&product, &mut scratch, &mut budget);
    let coupling = expansion
        .proposals
        .iter()
        .find(|p| library.templates()[p.template].id() == "amide_from_acid")
        .expect("an amide is taken apart");
    let names: Vec<&str> = coupling.alarms.iter().map(|a| library.groups()[a.group].id()).collect();
    assert_eq!(names, ["aliphatic_amine"]);
    assert!(coupling.confidence < library.templates()[coupling.template].plausibility());
    // A free amino acid would couple with itself.
    let product = read("NCCCC(=O)Nc1ccccc1");
    let expansion = library.expand(&product, &mut scratch, &mut budget);
    let templates = expansion.proposals.iter().map(|p| &library.templates()[p.template]);
    assert!(templates.clone().all(|t| t.id() != "amide_from_acid"));
    assert!(templates.clone().any(|t| t.id() == "boc_deprotection"));
    // A Grignard reagent does not survive beside a ketone.
    let product = read("CC(=O)CCC(O)c1ccccc1");
    let expansion = library.expand(&product, &mut scratch, &mut budget);
    assert!(expansion.proposals.iter().all(|p| {
        let id = library.templates()[p.template].id();
        id != "grignard_to_aldehyde"
    }));
}

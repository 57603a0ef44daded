//! The cases of `testdata/`, put to the library crates themselves.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use synthon_budget::Budget;
use synthon_mol::{MolError, Molecule};
use synthon_query::Pattern;
use synthon_reaction::{Scratch, Template, combine};
use synthon_testkit::{Door, run_cases, workspace_root};
use synthon_tools::{CallContext, Catalogue, call_tool};

struct Engine {
    catalogue: Catalogue,
}

impl Door for Engine {
    fn answer(&mut self, ask: &str, with: &Map<String, Value>) -> Option<Value> {
        let text = |key: &str| {
            with[key].as_str().unwrap_or_else(|| panic!("`{key}` of `{ask}` is a text"))
        };
        match ask {
            "read" => Some(read(text("smiles"))),
            "same" => Some(json!({ "distinct": distinct(&texts(&with["smiles"])) })),
            "match" => Some(find(text("smarts"), &molecule(text("smiles")))),
            "apply" => Some(apply(text("template"), &molecule(text("product")))),
            "react" => {
                let reactants: Vec<Molecule> =
                    texts(&with["reactants"]).into_iter().map(molecule).collect();
                let together = combine(&reactants).expect("the reactants of cases are right");
                Some(apply(text("template"), &together))
            }
            "call" => Some(self.call(text("tool"), &with["arguments"])),
            _ => None,
        }
    }
}

impl Engine {
    fn call(&self, tool: &str, arguments: &Value) -> Value {
        match call_tool(tool, arguments, &CallContext::new(&self.catalogue)) {
            Ok(reply) => Value::Object(reply.structured),
            Err(error) => {
                let mut refused = error.details();
                refused.insert("error".to_string(), json!(error.short()));
                Value::Object(refused)
            }
        }
    }
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list of texts");
    list.iter().map(|item| item.as_str().expect("a text")).collect()
}

fn molecule(smiles: &str) -> Molecule {
    Molecule::from_smiles(smiles).unwrap_or_else(|error| panic!("{smiles}: {error}"))
}

fn read(smiles: &str) -> Value {
    match Molecule::from_smiles(smiles) {
        Ok(molecule) => json!({
            "accepted": true,
            "canonical": molecule.to_smiles(),
            "formula": molecule.formula(),
            "warnings": molecule.warnings(),
        }),
        Err(error) => refused(&error),
    }
}

fn refused(error: &MolError) -> Value {
    json!({
        "accepted": false,
        "code": error.code(),
        "message": error.message(),
        "position": error.span().map(|span| span.start),
        "atoms": error.atoms(),
        "hint": error.hint(),
    })
}

/// The canonical texts of all spellings, and of those read again.
fn distinct(spellings: &[&str]) -> BTreeSet<String> {
    let mut distinct = BTreeSet::new();
    for spelling in spellings {
        let canonical = molecule(spelling).to_smiles();
        distinct.extend([molecule(&canonical).to_smiles(), canonical]);
    }
    distinct
}

/// One embedding for each set of atoms.
fn find(smarts: &str, molecule: &Molecule) -> Value {
    match Pattern::from_smarts(smarts) {
        Ok(pattern) => {
            let found = pattern.find_all(molecule, usize::MAX, &mut Budget::unlimited()).unique();
            let mut matches: Vec<&[u32]> = found.iter().collect();
            matches.sort_unstable();
            json!({ "accepted": true, "matches": matches })
        }
        Err(error) => json!({
            "accepted": false,
            "code": error.code(),
            "message": error.message(),
            "position": error.span().start,
            "hint": error.hint(),
        }),
    }
}

/// What the left side of a template becomes: each outcome sorted, and the outcomes too.
fn apply(template: &str, molecule: &Molecule) -> Value {
    match Template::from_smarts(template) {
        Ok(template) => {
            let mut budget = Budget::unlimited();
            let applied = template.apply(molecule, &mut Scratch::new(), &mut budget);
            let outcomes: BTreeSet<BTreeSet<String>> = applied
                .outcomes
                .iter()
                .map(|outcome| outcome.precursors.iter().map(Molecule::to_smiles).collect())
                .collect();
            json!({ "accepted": true, "outcomes": outcomes })
        }
        Err(error) => json!({
            "accepted": false,
            "code": error.code(),
            "message": error.message(),
            "maps": error.maps(),
            "hint": error.hint(),
        }),
    }
}

#[test]
fn cases_hold_in_the_engine() {
    let mut engine = Engine { catalogue: Catalogue::shipped() };
    let report = run_cases(&workspace_root().join("testdata"), &mut engine).expect("cases");
    report.assert_right();
    println!("{} cases answered, {} not served here", report.answered, report.not_served.len());
}

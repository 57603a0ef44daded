//! Cases as data: a question, its input and the right answer in `testdata/*.toml`, put to the
//! engine and to every door that serves the question.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One question with its right answer.
///
/// ```toml
/// [[case]]
/// name = "rdkit_4534"                     # after its source where it has one
/// why = "an aromatic N without hydrogen"  # what it guards
/// ask = "read"
/// with = { smiles = "c1cccn1" }
/// expect = { accepted = false }           # these keys, equal; objects key by key
/// contains = { hint = ["[nH]"] }          # these texts in the value of the key
/// absent = ["formula"]                    # these keys not at all
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique over all files.
    pub name: String,
    /// What the case guards, in a sentence.
    #[serde(default)]
    pub why: String,
    /// The question, such as `read`, `match` or `call`.
    pub ask: String,
    /// The input.
    pub with: Map<String, Value>,
    /// Keys of the answer and their values. An object is compared key by key, and may have more
    /// keys than are named; everything else has to be equal.
    #[serde(default)]
    pub expect: Map<String, Value>,
    /// Keys of the answer and texts that their values contain.
    #[serde(default)]
    pub contains: Map<String, Value>,
    /// Keys that the answer must not have.
    #[serde(default)]
    pub absent: Vec<String>,
}

impl Case {
    /// What is wrong with an answer; empty when it is right.
    pub fn faults(&self, answer: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        for (key, expected) in &self.expect {
            if !holds(&answer[key], expected) {
                faults.push(format!("{key} is {}, not {expected}", answer[key]));
            }
        }
        for (key, texts) in &self.contains {
            let found = match &answer[key] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            for text in as_list(texts) {
                if !text.as_str().is_some_and(|text| found.contains(text)) {
                    faults.push(format!("{key} is {found:?}, without {text}"));
                }
            }
        }
        for key in &self.absent {
            if answer.get(key).is_some() {
                faults.push(format!("{key} is there: {}", answer[key]));
            }
        }
        faults
    }
}

fn as_list(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        other => std::slice::from_ref(other),
    }
}

fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => expected
            .iter()
            .all(|(key, expected)| found.get(key).is_some_and(|found| holds(found, expected))),
        (Value::Number(found), Value::Number(expected)) => found.as_f64() == expected.as_f64(),
        (found, expected) => found == expected,
    }
}

/// A way to put a question: the engine itself, the command line, the server, Python.
pub trait Door {
    /// The answer, or `None` when the question is not served here.
    fn answer(&mut self, ask: &str, with: &Map<String, Value>) -> Option<Value>;
}

/// What came of the cases of one door.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// Cases that the door answered.
    pub answered: usize,
    /// Cases whose question the door does not serve.
    pub not_served: Vec<String>,
    /// Wrong answers, in words.
    pub faults: Vec<String>,
}

impl CaseReport {
    /// Panics with all faults, or when the door answered nothing.
    #[track_caller]
    pub fn assert_right(&self) {
        assert!(self.faults.is_empty(), "wrong answers:\n  {}", self.faults.join("\n  "));
        assert!(self.answered > 0, "no case was answered");
    }
}

/// Reads one file of cases.
///
/// # Errors
/// A sentence with file and place when it is unreadable, malformed, or a case expects nothing.
pub fn read_cases(path: &Path) -> Result<Vec<Case>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CaseFile {
        case: Vec<Case>,
    }
    let place = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| place(&error))?;
    let file: CaseFile = toml::from_str(&text).map_err(|error| place(&error))?;
    let mut names: Vec<&str> = file.case.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(place(&format!("two cases are named {}", twice[0])));
    }
    for case in &file.case {
        if case.expect.is_empty() && case.contains.is_empty() && case.absent.is_empty() {
            return Err(place(&format!("{} expects nothing", case.name)));
        }
    }
    Ok(file.case)
}

/// Puts the cases of all `*.toml` files of a folder to a door, in the order of the file names.
///
/// # Errors
/// As [`read_cases`].
pub fn run_cases(folder: &Path, door: &mut dyn Door) -> Result<CaseReport, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort_unstable();
    let mut report = CaseReport::default();
    for file in &files {
        for case in read_cases(file)? {
            match door.answer(&case.ask, &case.with) {
                None => report.not_served.push(case.name),
                Some(answer) => {
                    report.answered += 1;
                    let faults = case.faults(&answer);
                    let named = faults.iter().map(|fault| format!("{}: {fault}", case.name));
                    report.faults.extend(named);
                }
            }
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case() -> Case {
        toml::from_str(
            r#"
            name = "water"
            ask = "read"
            with = { smiles = "O" }
            expect = { formula = "H2O", atoms = { heavy = 1 }, mass = 18 }
            contains = { claim = ["read", "one"] }
            absent = ["code"]
            "#,
        )
        .expect("the case is well formed")
    }

    #[test]
    fn an_answer_may_say_more_than_is_expected() {
        let answer = json!({
            "formula": "H2O", "atoms": { "heavy": 1, "all": 3 }, "mass": 18.0,
            "claim": "one molecule was read", "canonical": "O",
        });
        assert_eq!(case().faults(&answer), Vec::<String>::new());
    }

    #[test]
    fn every_wrong_key_is_named() {
        let answer = json!({
            "formula": "H2O2", "atoms": { "all": 3 }, "mass": 18.0, "claim": "read", "code": "x",
        });
        assert_eq!(case().faults(&answer).len(), 4);
    }

    #[test]
    fn unknown_fields_are_refused() {
        let text = "name = 'a'\nask = 'b'\nexpected = { c = 1 }\n[with]\n";
        assert!(toml::from_str::<Case>(text).is_err());
    }
}

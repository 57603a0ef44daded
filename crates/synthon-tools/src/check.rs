//! Checks an arguments object against a tool's table, before anything runs.
//!
//! Order: unknown names (a misspelt name is best told as such), then missing ones, then each
//! value in the order of the table.

use serde_json::{Map, Value};

use crate::arguments::{Argument, Checked, Kind};
use crate::error::ToolError;

/// Checks `given` against `table` and fills in the defaults.
///
/// # Errors
/// The first fault, as a [`ToolError`] of kind argument.
pub fn check(table: &[Argument], given: &Map<String, Value>) -> Result<Checked, ToolError> {
    if let Some(name) = given.keys().find(|name| table.iter().all(|known| known.name != **name)) {
        return Err(unknown_argument(table, name));
    }
    if let Some(missing) =
        table.iter().find(|argument| argument.required && !given.contains_key(argument.name))
    {
        return Err(ToolError::argument("argument.missing", "Missing required tool argument")
            .about(missing.name)
            .found(missing.name));
    }
    let mut checked = Checked::default();
    for argument in table {
        let value = match given.get(argument.name) {
            Some(value) => {
                checked.given.push(argument.name.to_owned());
                Some(check_value(argument, value)?)
            }
            None => argument.kind.default(),
        };
        if let Some(value) = value {
            checked.values.insert(argument.name.to_owned(), value);
        }
    }
    Ok(checked)
}

fn unknown_argument(table: &[Argument], name: &str) -> ToolError {
    let shown = shorten(name);
    let error = ToolError::argument("argument.unknown", "Unknown tool argument")
        .about(shown.clone())
        .found(shown);
    match closest(name, table.iter().map(|argument| argument.name)) {
        Some(known) => error.with_hint(format!("did you mean {known}?")),
        None => {
            let names: Vec<_> = table.iter().map(|argument| argument.name).collect();
            error.accepting(format!("accepted: {}", names.join(", ")))
        }
    }
}

/// Checks one value and returns it in its normal form (whole numbers as integers).
fn check_value(argument: &Argument, value: &Value) -> Result<Value, ToolError> {
    let wrong_type = || {
        ToolError::argument(
            "argument.type",
            format!("{} must have JSON type {}", argument.name, argument.kind.json_type()),
        )
        .about(argument.name)
        .found(describe(value))
    };
    match argument.kind {
        Kind::Text { max_chars, default } => {
            let text = value.as_str().ok_or_else(wrong_type)?;
            check_text(argument.name, text, max_chars, default == Some(""))?;
            Ok(value.clone())
        }
        Kind::Choice { values, .. } => {
            let name = value.as_str().ok_or_else(wrong_type)?;
            if values.contains(&name) {
                return Ok(value.clone());
            }
            Err(ToolError::argument(
                "argument.choice",
                format!("{} is not a supported value", argument.name),
            )
            .about(argument.name)
            .found(shorten(name))
            .accepting(values.join(", ")))
        }
        Kind::Integer { min, max, .. } => {
            let number = value.as_number().ok_or_else(wrong_type)?;
            match whole(number) {
                Whole::Fits(whole) if (min..=max).contains(&whole) => Ok(whole.into()),
                Whole::Fits(_) | Whole::TooLarge => {
                    Err(out_of_range(argument.name, number).accepting(format!("{min} to {max}")))
                }
                Whole::Fraction => Err(wrong_type()),
            }
        }
        Kind::Number { min, max, .. } => {
            let number = value.as_number().ok_or_else(wrong_type)?;
            match number.as_f64() {
                Some(real) if (min..=max).contains(&real) => Ok(value.clone()),
                _ => Err(out_of_range(argument.name, number).accepting(format!("{min} to {max}"))),
            }
        }
        Kind::Flag { .. } => value.as_bool().map(Value::from).ok_or_else(wrong_type),
        Kind::Object => value.is_object().then(|| value.clone()).ok_or_else(wrong_type),
        Kind::PairList { max_items, max } => {
            let items = value.as_array().ok_or_else(wrong_type)?;
            check_pairs(argument.name, items, max_items, max)
        }
        Kind::TextList { max_items, max_chars } => {
            let items = value.as_array().ok_or_else(wrong_type)?;
            if items.is_empty() || items.len() > max_items {
                return Err(ToolError::argument(
                    "argument.range",
                    format!("{} is outside its supported length", argument.name),
                )
                .about(argument.name)
                .found(items.len().to_string())
                .accepting(format!("1 to {max_items} entries")));
            }
            for (index, item) in items.iter().enumerate() {
                let name = format!("{}[{index}]", argument.name);
                let text = item.as_str().ok_or_else(|| {
                    ToolError::argument(
                        "argument.type",
                        format!("{} must have JSON type string", argument.name),
                    )
                    .about(name.clone())
                    .found(describe(item))
                })?;
                check_text(&name, text, max_chars, false)?;
            }
            Ok(value.clone())
        }
    }
}

/// Checks a list of pairs and returns it with whole numbers as integers.
fn check_pairs(
    name: &str,
    items: &[Value],
    max_items: usize,
    max: i64,
) -> Result<Value, ToolError> {
    if items.len() > max_items {
        return Err(ToolError::argument(
            "argument.range",
            format!("{name} is outside its supported length"),
        )
        .about(name)
        .found(items.len().to_string())
        .accepting(format!("at most {max_items} pairs")));
    }
    let mut pairs = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let numbers: Option<Vec<i64>> = item.as_array().and_then(|pair| {
            pair.iter()
                .map(|number| match number.as_number().map(whole) {
                    Some(Whole::Fits(number)) if (0..=max).contains(&number) => Some(number),
                    _ => None,
                })
                .collect()
        });
        match numbers.as_deref() {
            Some(&[a, b]) if a != b => pairs.push(Value::from(vec![a, b])),
            _ => {
                let place = format!("{name}[{index}]");
                return Err(ToolError::argument(
                    "argument.pair",
                    format!("{place} must be a pair of different whole numbers"),
                )
                .about(place)
                .found(shorten(&item.to_string()))
                .accepting(format!("0 to {max}")));
            }
        }
    }
    Ok(pairs.into())
}

fn check_text(
    name: &str,
    text: &str,
    max_chars: usize,
    blank_allowed: bool,
) -> Result<(), ToolError> {
    if !blank_allowed && text.trim().is_empty() {
        return Err(
            ToolError::argument("argument.blank", format!("{name} must not be blank")).about(name)
        );
    }
    let chars = text.chars().count();
    if chars > max_chars {
        return Err(ToolError::argument(
            "argument.too_long",
            format!("{name} is longer than its supported length"),
        )
        .about(name)
        .found(chars.to_string())
        .accepting(format!("at most {max_chars} characters")));
    }
    Ok(())
}

fn out_of_range(name: &str, found: &serde_json::Number) -> ToolError {
    ToolError::argument("argument.range", format!("{name} is outside its supported range"))
        .about(name)
        .found(found.to_string())
}

enum Whole {
    Fits(i64),
    TooLarge,
    Fraction,
}

fn whole(number: &serde_json::Number) -> Whole {
    if let Some(whole) = number.as_i64() {
        return Whole::Fits(whole);
    }
    match number.as_f64() {
        Some(real) if real.fract() == 0.0 => {
            // Exact: every whole f64 of this magnitude is an i64.
            if real.abs() < 9.0e18 { Whole::Fits(real as i64) } else { Whole::TooLarge }
        }
        _ => Whole::Fraction,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("the string {:?}", shorten(text)),
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// Input is shown in messages, but never more than a little of it.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The known name that a wrong one was probably meant for.
pub(crate) fn closest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > 64 {
        return None;
    }
    let lower = wrong.to_lowercase().replace('-', "_");
    known
        .filter_map(|name| {
            let distance = edit_distance(&lower, name);
            let related = lower.len() >= 4 && (name.starts_with(&lower) || lower.starts_with(name));
            (related || distance <= 1 + name.len() / 5).then_some((!related, distance, name))
        })
        .min()
        .map(|(_, _, name)| name)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::arguments::{arguments, choice, choices, flag, integer, number, text, text_list};

    choices! {
        /// Objectives.
        enum Objective { Atoms = "mcis", Bonds = "mces", }
    }

    arguments! {
        /// One argument of each kind.
        struct Sample {
            /// Text.
            smiles: String = text(8),
            /// Choice.
            objective: Objective = choice("mcis"),
            /// Integer.
            timeout_ms: i64 = integer(0, 30_000, 1_000),
            /// Number.
            threshold: f64 = number(0.0, 1.0, 0.7),
            /// Flag.
            counts: bool = flag(false),
        }
    }

    fn run(arguments: Value) -> Result<Sample, ToolError> {
        let object = arguments.as_object().expect("an object");
        check(Sample::TABLE, object).map(|checked| Sample::read(&checked))
    }

    #[test]
    fn faults_have_the_reference_sentences() {
        let rows = [
            (json!({}), "Missing required tool argument", "Missing required tool argument: smiles"),
            (
                json!({"smiles": "C", "timeout_ms": 60000}),
                "timeout_ms is outside its supported range",
                "timeout_ms is outside its supported range: 60000 (0 to 30000)",
            ),
            (
                json!({"smiles": "C", "timeout_ms": "500"}),
                "timeout_ms must have JSON type integer",
                "timeout_ms must have JSON type integer: the string \"500\"",
            ),
            (
                json!({"smiles": "C", "timeout": 500}),
                "Unknown tool argument",
                "Unknown tool argument: timeout; did you mean timeout_ms?",
            ),
            (
                json!({"smiles": "C", "path": "a.sdf"}),
                "Unknown tool argument",
                "Unknown tool argument: path (accepted: smiles, objective, timeout_ms, \
                 threshold, counts)",
            ),
            (json!({"smiles": " \t"}), "smiles must not be blank", "smiles must not be blank"),
            (
                json!({"smiles": "CCCCCCCCC"}),
                "smiles is longer than its supported length",
                "smiles is longer than its supported length: 9 (at most 8 characters)",
            ),
            (
                json!({"smiles": "C", "objective": "atoms"}),
                "objective is not a supported value",
                "objective is not a supported value: atoms (mcis, mces)",
            ),
            (
                json!({"smiles": "C", "timeout_ms": 1.5}),
                "timeout_ms must have JSON type integer",
                "timeout_ms must have JSON type integer: 1.5",
            ),
            (
                json!({"smiles": "C", "timeout_ms": true}),
                "timeout_ms must have JSON type integer",
                "timeout_ms must have JSON type integer: true",
            ),
            (
                json!({"smiles": "C", "timeout_ms": 1e300}),
                "timeout_ms is outside its supported range",
                "timeout_ms is outside its supported range: 1e+300 (0 to 30000)",
            ),
            (
                json!({"smiles": "C", "counts": 1}),
                "counts must have JSON type boolean",
                "counts must have JSON type boolean: 1",
            ),
            (
                json!({"smiles": null}),
                "smiles must have JSON type string",
                "smiles must have JSON type string: null",
            ),
        ];
        for (arguments, sentence, whole) in rows {
            let error = run(arguments.clone()).expect_err("refused");
            assert_eq!((error.sentence(), error.to_string().as_str()), (sentence, whole));
            assert_eq!(error.short(), sentence, "{arguments}");
        }
    }

    #[test]
    fn whole_numbers_written_as_fractions_count_as_integers() {
        let sample = run(json!({"smiles": "C", "timeout_ms": 500.0})).expect("accepted");
        assert_eq!(sample.timeout_ms, 500);
    }

    #[test]
    fn defaults_fill_what_is_left_out() {
        let sample = run(json!({"smiles": "C", "objective": "mces"})).expect("accepted");
        assert_eq!(
            (sample.objective, sample.timeout_ms, sample.threshold, sample.counts),
            (Objective::Bonds, 1_000, 0.7, false)
        );
        assert_eq!(sample.smiles, "C");
    }

    #[test]
    fn of_duplicate_keys_the_last_wins() {
        let arguments: Value =
            serde_json::from_str(r#"{"smiles":"C","timeout_ms":"x","timeout_ms":5}"#)
                .expect("JSON");
        assert_eq!(run(arguments).expect("accepted").timeout_ms, 5);
    }

    #[test]
    fn lists_are_checked_entry_by_entry() {
        let table = [Argument {
            name: "targets_smiles",
            description: "",
            kind: text_list(2, 4).kind,
            required: true,
        }];
        let refused = |list: Value| {
            let object = json!({ "targets_smiles": list });
            check(&table, object.as_object().expect("an object")).expect_err("refused").to_string()
        };
        assert_eq!(refused(json!(["C", " "])), "targets_smiles[1] must not be blank");
        assert_eq!(
            refused(json!(["C", "C", "C"])),
            "targets_smiles is outside its supported length: 3 (1 to 2 entries)"
        );
        assert_eq!(
            refused(json!(["C", 5])),
            "targets_smiles must have JSON type string: 5 in targets_smiles[1]"
        );
    }
}

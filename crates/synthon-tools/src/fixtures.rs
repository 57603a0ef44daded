//! Two tools that the wire contract is tested with. No door offers them.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::arguments::{Checked, arguments, integer, optional_integer, text};
use crate::context::{CallContext, Progress};
use crate::error::ToolError;
use crate::output;
use crate::registry::{Registry, Tool, ToolReply, Toolset};

arguments! {
    /// Arguments of `count_atoms`.
    pub struct CountAtoms {
        /// A molecular formula such as C9H8O4.
        formula: String = text(1_000),
        /// Charge in elementary charges.
        charge: Option<i64> = optional_integer(-8, 8),
    }
}

arguments! {
    /// Arguments of `slow_count`.
    pub struct SlowCount {
        /// How long to count.
        seconds: i64 = integer(0, 60, 3),
    }
}

/// Counts the atoms of a formula. A formula without a number fails as chemistry would; the
/// formula `panic` panics.
pub static COUNT_ATOMS: Tool = Tool {
    name: "count_atoms",
    title: "Count atoms",
    description: "Count the atoms of a molecular formula.",
    toolset: Toolset::Molecules,
    arguments: CountAtoms::TABLE,
    output_schema: || output::object([("formula", output::string()), ("atoms", output::count())]),
    run: count_atoms,
};

/// Counts slowly, in steps of 100 ms.
pub static SLOW_COUNT: Tool = Tool {
    name: "slow_count",
    title: "Count slowly",
    description: "Count slowly, in steps of 100 ms.",
    toolset: Toolset::Planning,
    arguments: SlowCount::TABLE,
    output_schema: || output::object([("steps", output::count())]),
    run: slow_count,
};

/// A registry of the two.
pub fn registry() -> Registry {
    Registry::with(vec![&COUNT_ATOMS, &SLOW_COUNT])
}

fn count_atoms(checked: &Checked, _context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    let arguments = CountAtoms::read(checked);
    assert!(arguments.formula != "panic", "the fixture was asked to panic");
    let formula = arguments.formula.as_str();
    let mut atoms = 0u64;
    let mut rest = formula.char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        if !letter.is_ascii_uppercase() {
            return Err(ToolError::tool("formula.syntax", format!("Not a formula: {formula}"))
                .about("formula")
                .at(at));
        }
        while rest.next_if(|(_, c)| c.is_ascii_lowercase()).is_some() {}
        let mut count = None;
        while let Some((_, digit)) = rest.next_if(|(_, c)| c.is_ascii_digit()) {
            let digit = u64::from(digit as u32 - '0' as u32);
            count = Some(count.unwrap_or(0u64).saturating_mul(10).saturating_add(digit));
        }
        atoms = atoms.saturating_add(count.unwrap_or(1));
    }
    if !formula.contains(|c: char| c.is_ascii_digit()) {
        return Err(
            ToolError::tool("formula.no_number", "The formula has no number").about("formula")
        );
    }
    let mut out = Map::new();
    out.insert("formula".into(), formula.into());
    out.insert("atoms".into(), atoms.into());
    Ok(ToolReply::json(out))
}

fn slow_count(checked: &Checked, context: &CallContext<'_>) -> Result<ToolReply, ToolError> {
    const STEP: Duration = Duration::from_millis(100);
    const STEPS_PER_REPORT: i64 = 5;
    let steps = SlowCount::read(checked).seconds * 10;
    let mut budget = context.budget().child();
    let started = Instant::now();
    for step in 1..=steps {
        let due = STEP * u32::try_from(step).expect("at most 600 steps");
        thread::sleep(due.saturating_sub(started.elapsed()));
        if budget.check().is_err() {
            return Err(ToolError::tool("stopped", "The count was stopped"));
        }
        if step % STEPS_PER_REPORT == 0 && step < steps {
            context.report(|| Progress {
                done: step as f64,
                total: Some(steps as f64),
                message: format!("{step} of {steps} steps"),
            });
        }
    }
    let mut out = Map::new();
    out.insert("steps".into(), Value::from(steps));
    Ok(ToolReply::json(out))
}

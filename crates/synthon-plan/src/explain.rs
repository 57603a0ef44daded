//! A route in words. Every sentence names the field that it rests on.

use serde::Serialize;

use crate::route::{InStock, Route, Step};

/// A sentence about a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The sentence.
    pub text: String,
    /// The field of the route that says the same.
    pub field: String,
}

/// What a route does, and what speaks for and against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The route.
    pub route_id: String,
    /// Its tier.
    pub tier: u8,
    /// What speaks for it.
    pub strengths: Vec<Remark>,
    /// What speaks against it.
    pub weaknesses: Vec<Remark>,
    /// The steps in the order in which they are run, in sentences.
    pub steps: Vec<String>,
}

/// Few steps, said as a strength.
const SHORT: usize = 3;
/// Many steps, said as a weakness.
const LONG: usize = 7;
/// A step confidence below this is a weakness.
const DOUBTFUL: f64 = 0.5;
/// Atom economy from which on it is a strength, and below which it is a weakness.
const LEAN: f64 = 0.6;
const WASTEFUL: f64 = 0.3;

/// Explains a route.
pub fn explain(route: &Route) -> Explanation {
    let mut strengths = Vec::new();
    let mut weaknesses = Vec::new();
    let mut say = |good: bool, field: &str, text: String| {
        let list = if good { &mut strengths } else { &mut weaknesses };
        list.push(Remark { text, field: field.to_owned() });
    };
    let count = route.steps.len();
    if count <= SHORT {
        say(true, "steps", format!("It takes {}.", counted(count, "step")));
    } else if count >= LONG {
        say(false, "steps", format!("It takes {count} steps."));
    }
    if route.depth < count {
        say(
            true,
            "depth",
            format!("It branches: of its {count} steps only {} follow on each other.", route.depth),
        );
    }
    stock(route, &mut say);
    if route.tier >= 2 {
        say(
            true,
            "tier",
            "Every step gives its product when run forwards, with all atoms accounted for, and \
             none raises an alarm."
                .into(),
        );
    } else if let Some(failing) = &route.first_failing_step {
        say(
            false,
            "first_failing_step",
            format!(
                "It stays at tier {} because of step {}: {}.",
                route.tier,
                failing.step + 1,
                failing.reason
            ),
        );
    }
    for (at, step) in route.steps.iter().enumerate() {
        for alarm in &step.alarms {
            say(false, &format!("steps[{at}].alarms"), format!("Step {}: {alarm}.", at + 1));
        }
    }
    trust(route, &mut say);
    match route.atom_economy {
        Some(value) if value >= LEAN => {
            say(true, "atom_economy", format!("Atom economy is {value:.2}."));
        }
        Some(value) if value < WASTEFUL => {
            say(false, "atom_economy", format!("Atom economy is only {value:.2}."));
        }
        _ => {}
    }
    let steps = route.steps.iter().enumerate().rev().map(|(at, step)| sentence(at, step)).collect();
    Explanation { route_id: route.route_id.clone(), tier: route.tier, strengths, weaknesses, steps }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn stock(route: &Route, say: &mut impl FnMut(bool, &str, String)) {
    let out_of: Vec<&str> = route
        .leaves
        .iter()
        .filter(|leaf| leaf.in_stock != InStock::Yes)
        .map(|leaf| leaf.smiles.as_str())
        .collect();
    if out_of.is_empty() {
        let blocks = counted(route.leaves.len(), "building block");
        say(true, "leaves", format!("All {blocks} in stock."));
    } else {
        say(false, "leaves", format!("Not certainly in stock: {}.", out_of.join(", ")));
    }
    for leaf in &route.leaves {
        if let Some(form) = &leaf.sold_as {
            say(false, "leaves", format!("{} is sold as {form}.", leaf.smiles));
        }
    }
}

fn trust(route: &Route, say: &mut impl FnMut(bool, &str, String)) {
    let counts: Option<Vec<u64>> = route
        .steps
        .iter()
        .map(|step| step.precedents.as_ref().map(|known| known.count).filter(|&count| count > 0))
        .collect();
    match counts.as_deref().and_then(|counts| counts.iter().min()) {
        Some(fewest) => say(
            true,
            "steps[].precedents",
            format!("Each step's template stands for at least {fewest} known reactions."),
        ),
        None if !route.steps.is_empty() => {
            let place = route
                .steps
                .iter()
                .position(|step| step.precedents.as_ref().is_none_or(|known| known.count == 0))
                .unwrap_or(0);
            say(
                false,
                "steps[].precedents",
                format!("No known reaction is recorded for the template of step {}.", place + 1),
            );
        }
        None => {}
    }
    let weakest = route
        .steps
        .iter()
        .enumerate()
        .min_by(|a, b| a.1.step_confidence.total_cmp(&b.1.step_confidence));
    if let Some((at, step)) = weakest {
        let text = format!(
            "The least trusted step is {} ({}), with a confidence of {:.2}.",
            at + 1,
            step.rule,
            step.step_confidence
        );
        say(step.step_confidence >= DOUBTFUL, "steps[].step_confidence", text);
    }
}

fn sentence(at: usize, step: &Step) -> String {
    let conditions = match &step.conditions {
        Some(known) => format!("; typical conditions: {}", known.text),
        None => String::new(),
    };
    format!(
        "Step {}: {} gives {} from {}{conditions}.",
        at + 1,
        step.rule,
        step.target,
        step.precursors.join(" and ")
    )
}

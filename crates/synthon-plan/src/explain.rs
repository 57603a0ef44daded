//! A route in words. Every sentence names the field that it rests on.

use serde::Serialize;

use crate::bond_changes::{BondChanges, bond_changes};
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
    /// The steps in the order in which they are run, in sentences: what is made from what, which
    /// bonds, on what evidence, under which conditions, and what could go wrong. Steps carry the
    /// numbers that they have in the route, whose first step makes the target.
    pub steps: Vec<Remark>,
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
    let steps =
        route.steps.iter().enumerate().rev().flat_map(|(at, step)| sentences(at, step)).collect();
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

/// What a step does, on what evidence, under which conditions, and what could go wrong.
fn sentences(at: usize, step: &Step) -> Vec<Remark> {
    let mut out = Vec::new();
    let mut say = |field: &str, text: String| {
        out.push(Remark { text, field: format!("steps[{at}].{field}") });
    };
    let family = match step.reaction_family.as_str() {
        "" | "unassigned" => String::new(),
        family => format!(" ({})", family.replace('_', " ")),
    };
    say(
        "rule",
        format!(
            "Step {} makes {} from {}: {}{family}.",
            at + 1,
            step.target,
            listed(&step.precursors),
            step.rule
        ),
    );
    if let Some(text) = bond_changes(step).and_then(|changes| bonds(&changes)) {
        say("changed_atoms", text);
    }
    match &step.precedents {
        Some(known) if known.count > 0 => {
            let reactions = if known.count == 1 { "reaction" } else { "reactions" };
            let examples = match known.examples.is_empty() {
                true => String::new(),
                false => format!(", such as {}", listed(&known.examples)),
            };
            let text =
                format!("Its template stands for {} known {reactions}{examples}.", known.count);
            say("precedents", text);
        }
        _ => say("precedents", "No known reaction is recorded for its template.".into()),
    }
    say("step_confidence", format!("Its confidence is {:.2}.", step.step_confidence));
    let forward = &step.forward_check;
    if forward.reproduces_target {
        let others = forward.distinct_products.saturating_sub(1);
        let least = if forward.truncated { "at least " } else { "" };
        let text = match others {
            0 => "Run forwards it gives this product and no other.".to_owned(),
            1 => format!("Run forwards it gives this product, and {least}one other."),
            _ => format!("Run forwards it gives this product, and {least}{others} others."),
        };
        say("forward_check", text);
    }
    if let Some(known) = &step.conditions {
        say("conditions", format!("Typical conditions: {}.", known.text));
    }
    if let Some(warning) = &forward.selectivity_warning {
        say("forward_check.selectivity_warning", capitalised(warning));
    }
    for alarm in &step.alarms {
        say("alarms", capitalised(alarm));
    }
    if step.alarms.is_empty() && forward.selectivity_warning.is_none() {
        say("alarms", "It raises no alarm.".into());
    }
    out
}

/// `It makes a C-N bond and breaks a C-Cl bond.`
fn bonds(changes: &BondChanges) -> Option<String> {
    let parts: Vec<String> = [("makes", &changes.made), ("breaks", &changes.broken)]
        .into_iter()
        .filter(|(_, bonds)| !bonds.is_empty())
        .map(|(verb, bonds)| format!("{verb} {}", listed(&counted_bonds(bonds))))
        .chain((!changes.changed.is_empty()).then(|| format!("turns {}", listed(&changes.changed))))
        .collect();
    (!parts.is_empty()).then(|| format!("It {}.", listed(&parts)))
}

/// Equal bonds of a sorted list together: `a C-N bond`, `2 C-C bonds`.
fn counted_bonds(bonds: &[String]) -> Vec<String> {
    bonds
        .chunk_by(|a, b| a == b)
        .map(|equal| match equal.len() {
            1 => format!("a {} bond", equal[0]),
            count => format!("{count} {} bonds", equal[0]),
        })
        .collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A clause as a sentence.
fn capitalised(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(letters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{ChangedAtoms, ForwardReport, Precedents};

    #[test]
    fn a_step_is_told_with_the_fields_behind_it() {
        let step = Step {
            target: "CNC(C)=O".into(),
            precursors: vec!["CC(=O)Cl".into(), "CN".into()],
            rule: "Amide from an acid chloride".into(),
            reaction_family: "amide_formation".into(),
            step_confidence: 0.9,
            precedents: Some(Precedents { count: 12, examples: vec!["US1".into(), "US2".into()] }),
            forward_check: ForwardReport {
                reproduces_target: true,
                distinct_products: 2,
                ..ForwardReport::default()
            },
            changed_atoms: Some(ChangedAtoms {
                mapped: "C[C:2](=O)Cl.C[NH2:1]>>C[NH:1][C:2](C)=O".into(),
                target: vec![1, 2],
                precursors: vec![vec![1, 3], vec![1]],
            }),
            alarms: vec!["an alcohol elsewhere in the molecule may react".into()],
            ..Step::default()
        };
        let told: Vec<(String, String)> =
            sentences(1, &step).into_iter().map(|remark| (remark.field, remark.text)).collect();
        let expected = [
            (
                "steps[1].rule",
                "Step 2 makes CNC(C)=O from CC(=O)Cl and CN: Amide from an acid chloride (amide formation).",
            ),
            ("steps[1].changed_atoms", "It makes a C-N bond and breaks a C-Cl bond."),
            (
                "steps[1].precedents",
                "Its template stands for 12 known reactions, such as US1 and US2.",
            ),
            ("steps[1].step_confidence", "Its confidence is 0.90."),
            ("steps[1].forward_check", "Run forwards it gives this product, and one other."),
            ("steps[1].alarms", "An alcohol elsewhere in the molecule may react."),
        ];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(f, t)| ((*f).to_owned(), (*t).to_owned())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn equal_bonds_are_counted() {
        let bonds: Vec<String> = ["C-C", "C-N", "C-N"].map(str::to_owned).to_vec();
        assert_eq!(listed(&counted_bonds(&bonds)), "a C-C bond and 2 C-N bonds");
    }
}

//! Routes as text for people: a tree of at most 80 columns.

use std::collections::HashSet;
use std::fmt::Write;

use crate::result::PlanResult;
use crate::route::{InStock, Route, Step};

/// Columns used when nothing else is asked for.
pub const DEFAULT_WIDTH: usize = 80;
/// Fewest columns that a tree is laid out for.
const LEAST_WIDTH: usize = 40;

/// The whole answer: what was asked, what may be claimed, and every route as a tree.
pub fn render_result(result: &PlanResult, width: usize) -> String {
    let mut text = render_head(result, width);
    for (place, route) in result.routes.iter().enumerate() {
        let _ = write!(text, "\nRoute {} of {}", place + 1, result.routes.len());
        text.push('\n');
        text.push_str(&render_route(route, width));
    }
    text
}

/// What was asked and what may be claimed.
pub fn render_head(result: &PlanResult, width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let mut text = String::new();
    push_wrapped(&mut text, "Target  ", "        ", &result.target, width);
    if result.target_in_stock != InStock::No {
        let mark = result.target_in_stock.in_words();
        let _ = writeln!(text, "        the target itself is {mark}");
    }
    push_prose(&mut text, &result.claim, width);
    text
}

/// One route: its figures, then the tree from the target down to the building blocks.
pub fn render_route(route: &Route, width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let mut text = String::new();
    let steps = route.steps.len();
    let figures = format!(
        "{steps} {}, depth {}, tier {}, score {:.2}, confidence {:.2}, success {:.2}",
        if steps == 1 { "step" } else { "steps" },
        route.depth,
        route.tier,
        route.score,
        route.confidence,
        route.success_probability
    );
    push_prose(&mut text, &figures, width);
    if let Some(first) = route.steps.first() {
        push_wrapped(&mut text, "", "  ", &first.target, width);
        push_step(&mut text, route, first, "", width);
    }
    for warning in &route.warnings {
        push_prose(&mut text, &format!("! {warning}"), width);
    }
    text
}

enum Line<'r> {
    Step { step: &'r Step, indent: String },
    Molecule { smiles: &'r str, indent: String, last: bool },
}

fn push_step<'r>(text: &mut String, route: &'r Route, step: &'r Step, indent: &str, width: usize) {
    let mut stack = vec![Line::Step { step, indent: indent.to_owned() }];
    let mut shown = HashSet::from([step.target.as_str()]);
    while let Some(line) = stack.pop() {
        match line {
            Line::Step { step, indent } => {
                let heading =
                    format!("{} [{}] {:.2}", step.rule, step.reaction_family, step.step_confidence);
                let first = format!("{indent}└─ ");
                let rest = format!("{indent}   ");
                push_prose_with(text, &first, &rest, &heading, width);
                if let Some(conditions) = &step.conditions {
                    push_prose_with(text, &rest, &rest, &conditions.text, width);
                }
                for (place, precursor) in step.precursors.iter().enumerate().rev() {
                    let last = place + 1 == step.precursors.len();
                    stack.push(Line::Molecule { smiles: precursor, indent: rest.clone(), last });
                }
            }
            Line::Molecule { smiles, indent, last } => {
                let first = format!("{indent}{}", if last { "└─ " } else { "├─ " });
                let rest = format!("{indent}{}", if last { "   " } else { "│  " });
                let mark = route.leaf(smiles).map(|leaf| match &leaf.sold_as {
                    Some(form) => format!("{} (sold as {form})", leaf.in_stock.in_words()),
                    None => leaf.in_stock.in_words().to_owned(),
                });
                let below = route.step_making(smiles);
                match mark {
                    Some(mark) if fits(&first, smiles, &mark, width) => {
                        let _ = writeln!(text, "{first}{smiles}  {mark}");
                    }
                    Some(mark) => {
                        push_wrapped(text, &first, &rest, smiles, width);
                        push_prose_with(text, &rest, &rest, &mark, width);
                    }
                    None => push_wrapped(text, &first, &rest, smiles, width),
                }
                if let Some(step) = below {
                    if shown.insert(smiles) {
                        stack.push(Line::Step { step, indent: rest });
                    } else {
                        push_prose_with(text, &rest, &rest, "made as above", width);
                    }
                }
            }
        }
    }
}

fn fits(first: &str, smiles: &str, mark: &str, width: usize) -> bool {
    first.chars().count() + smiles.chars().count() + 2 + mark.chars().count() <= width
}

/// Writes a text without spaces, broken where the line is full.
fn push_wrapped(text: &mut String, first: &str, rest: &str, word: &str, width: usize) {
    let mut prefix = first;
    let mut characters = word.chars().peekable();
    loop {
        text.push_str(prefix);
        let room = width.saturating_sub(prefix.chars().count()).max(10);
        text.extend(characters.by_ref().take(room));
        text.push('\n');
        if characters.peek().is_none() {
            return;
        }
        prefix = rest;
    }
}

fn push_prose(text: &mut String, prose: &str, width: usize) {
    push_prose_with(text, "", "  ", prose, width);
}

/// Writes words, broken between them; a word longer than a line is broken inside.
fn push_prose_with(text: &mut String, first: &str, rest: &str, prose: &str, width: usize) {
    let mut line = first.to_owned();
    let mut used = first.chars().count();
    let mut empty = true;
    for word in prose.split_whitespace() {
        let length = word.chars().count();
        if !empty && used + 1 + length > width {
            text.push_str(&line);
            text.push('\n');
            line = rest.to_owned();
            used = rest.chars().count();
            empty = true;
        }
        if empty && used + length > width {
            push_wrapped(text, &line, rest, word, width);
            line = rest.to_owned();
            used = rest.chars().count();
            continue;
        }
        if !empty {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
        empty = false;
    }
    if !empty {
        text.push_str(&line);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Conditions, Leaf};

    fn two_step_route(long: &str) -> Route {
        let leaf = |smiles: &str| Leaf {
            smiles: smiles.to_owned(),
            in_stock: InStock::Yes,
            source: Some("starter".to_owned()),
            ..Leaf::default()
        };
        let step = |target: &str, precursors: &[&str], rule: &str| Step {
            target: target.to_owned(),
            precursors: precursors.iter().map(|&p| p.to_owned()).collect(),
            rule: rule.to_owned(),
            reaction_family: "amide formation".to_owned(),
            step_confidence: 0.9,
            conditions: Some(Conditions {
                text: "acetic anhydride, water, room temperature, then filtration and \
                       recrystallisation from water"
                    .to_owned(),
                metadata_source: "curated".to_owned(),
            }),
            ..Step::default()
        };
        Route {
            steps: vec![step(long, &["B", "C"], "first"), step("B", &["D", "E"], "second")],
            leaves: vec![leaf("C"), leaf("D"), leaf("E")],
            depth: 2,
            tier: 1,
            warnings: vec![
                "a warning that is long enough to need a second line in the tree, \
                            since it says a lot"
                    .to_owned(),
            ],
            ..Route::default()
        }
    }

    #[test]
    fn no_line_is_wider_than_asked_and_no_character_is_lost() {
        let long = "C1CC1".repeat(60);
        let route = two_step_route(&long);
        for width in [40, 60, 80, 120] {
            let text = render_route(&route, width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            let joined: String = text.split_whitespace().collect();
            assert!(joined.contains(&long) && joined.contains("recrystallisation"));
        }
    }

    #[test]
    fn the_tree_shows_which_molecule_belongs_to_which_step() {
        let text = render_route(&two_step_route("A"), 80);
        let expected = "\
A
└─ first [amide formation] 0.90
   acetic anhydride, water, room temperature, then filtration and
   recrystallisation from water
   ├─ B
   │  └─ second [amide formation] 0.90
   │     acetic anhydride, water, room temperature, then filtration and
   │     recrystallisation from water
   │     ├─ D  in stock
   │     └─ E  in stock
   └─ C  in stock
";
        assert!(text.contains(expected), "{text}");
    }
}

//! Routes as a graph in Mermaid's language, from the building blocks to the target.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use synthon_plan::{InStock, Route};

/// Characters of a line of a label; longer texts are broken.
const LINE: usize = 28;

/// A flow chart with a part for each route: molecules as boxes (those in stock rounded, those out
/// of stock dashed), reactions as hexagons. Mermaid 9 and later render it.
///
/// ```
/// use synthon_plan::Route;
///
/// let graph = synthon_report::mermaid(&[Route::default()]);
/// assert!(graph.starts_with("flowchart LR\n"));
/// ```
pub fn mermaid(routes: &[Route]) -> String {
    let mut out = String::from("flowchart LR\n");
    for (number, route) in (1..).zip(routes) {
        if routes.len() > 1 {
            let _ = writeln!(out, "  subgraph r{number}[\"Route {number}\"]");
        }
        push_route(&mut out, number, route);
        if routes.len() > 1 {
            out.push_str("  end\n");
        }
    }
    out.push_str("  classDef stock stroke-width:2px\n");
    out.push_str("  classDef probable stroke-width:2px,stroke-dasharray:6 3\n");
    out.push_str("  classDef missing stroke-width:2px,stroke-dasharray:2 3\n");
    out
}

fn push_route(out: &mut String, number: usize, route: &Route) {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let texts = route
        .steps
        .iter()
        .flat_map(|step| [&step.target].into_iter().chain(&step.precursors))
        .map(String::as_str);
    for text in texts {
        let next = names.len() + 1;
        if names.contains_key(text) {
            continue;
        }
        let name = format!("r{number}m{next}");
        let label = molecule_label(text);
        let _ = match route.leaf(text) {
            Some(leaf) => {
                let state = leaf.in_stock.in_words();
                let class = match leaf.in_stock {
                    InStock::Yes => "stock",
                    InStock::Probable => "probable",
                    InStock::No => "missing",
                };
                writeln!(out, "    {name}([\"{label}<br/>{state}\"]):::{class}")
            }
            None => writeln!(out, "    {name}[\"{label}\"]"),
        };
        names.insert(text, name);
    }
    for (at, step) in route.steps.iter().enumerate() {
        let place = at + 1;
        let reaction = format!("r{number}s{place}");
        let label = words_label(&format!("{place}. {}", step.rule));
        let _ = writeln!(out, "    {reaction}{{{{\"{label}\"}}}}");
        for precursor in &step.precursors {
            let _ = writeln!(out, "    {} --> {reaction}", names[precursor.as_str()]);
        }
        let _ = writeln!(out, "    {reaction} --> {}", names[step.target.as_str()]);
    }
}

/// A SMILES in lines, so that boxes stay narrow.
fn molecule_label(smiles: &str) -> String {
    let letters: Vec<char> = smiles.chars().collect();
    let lines: Vec<String> =
        letters.chunks(LINE).map(|line| escaped(&line.iter().collect::<String>())).collect();
    lines.join("<br/>")
}

fn words_label(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    lines.join("<br/>")
}

/// Everything that Mermaid or Markdown could take for a mark, as character codes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | ',' => out.push(c),
            // A line that begins with a number and a full stop would become a list.
            c => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use synthon_plan::{Leaf, Step};

    use super::*;

    fn route() -> Route {
        Route {
            steps: vec![Step {
                target: "CC(=O)N[C@@H](C)\"|".to_owned(),
                precursors: vec!["CC(=O)O".to_owned(), "C#N".to_owned()],
                rule: "Amide <b>of</b> an acid".to_owned(),
                ..Step::default()
            }],
            leaves: vec![
                Leaf { smiles: "CC(=O)O".into(), in_stock: InStock::Yes, ..Leaf::default() },
                Leaf { smiles: "C#N".into(), in_stock: InStock::No, ..Leaf::default() },
            ],
            ..Route::default()
        }
    }

    #[test]
    fn labels_hold_nothing_that_has_a_meaning() {
        let graph = mermaid(&[route(), route()]);
        for line in graph.lines().filter(|line| line.contains('"')) {
            let (_, rest) = line.split_once('"').expect("a label");
            let (label, _) = rest.rsplit_once('"').expect("its end");
            let label = label.replace("<br/>", "");
            assert!(!label.contains(['"', '<', '[', '(', '|', '`', '@']), "{line}");
        }
        assert!(graph.contains("subgraph r2[\"Route 2\"]") && graph.contains("  end\n"));
    }

    #[test]
    fn every_edge_joins_nodes_that_are_there() {
        let graph = mermaid(&[route()]);
        let edges: Vec<(&str, &str)> =
            graph.lines().filter_map(|line| line.trim().split_once(" --> ")).collect();
        assert_eq!(edges.len(), 3);
        for name in edges.iter().flat_map(|(a, b)| [a, b]) {
            assert!(
                graph.contains(&format!("    {name}["))
                    || graph.contains(&format!("    {name}("))
                    || graph.contains(&format!("    {name}{{")),
                "{name} in {graph}"
            );
        }
    }
}

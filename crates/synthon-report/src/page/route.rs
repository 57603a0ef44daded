//! One route of a page: figures, tree, and the details of its steps.

use std::fmt::Write as _;

use synthon_plan::{InStock, Route, Step, bond_changes};

use super::Escaped;
use super::drawings::Drawings;
use crate::scheme::SchemeStep;

/// Molecules of a tree at most: one that is used twice stands there twice.
const MAX_NODES: usize = 2_000;

pub(super) fn push(
    out: &mut String,
    number: usize,
    of: usize,
    route: &Route,
    drawings: &mut Drawings<'_>,
) {
    let mut text = String::new();
    for step in &route.steps {
        let _ = write!(text, "{} {} {} ", step.target, step.rule, step.reaction_family);
        if let Some(conditions) = &step.conditions {
            let _ = write!(text, "{} ", conditions.text);
        }
    }
    text.push_str(&route.building_blocks.join(" "));
    let steps = route.steps.len();
    let _ = writeln!(
        out,
        "<li data-rank=\"{number}\" data-tier=\"{}\" data-steps=\"{steps}\" data-score=\"{}\" \
         data-confidence=\"{}\" data-success=\"{}\" data-cost=\"{}\" data-text=\"{}\">\n\
         <article class=\"route\" aria-labelledby=\"r{number}\">\n\
         <h2 id=\"r{number}\">Route {number} <span class=\"of\">of {of}</span></h2>",
        route.tier,
        route.score,
        route.confidence,
        route.success_probability,
        route.route_cost,
        Escaped(&text),
    );
    push_figures(out, route);
    push_warnings(out, route);
    if !route.steps.is_empty() {
        let _ = writeln!(
            out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Tree of route \
             {number}\">\n<ul class=\"tree\">"
        );
        Tree { out, route, number, drawings, count: 0 }.molecule(&route.steps[0].target, steps);
        out.push_str("</ul>\n</div>\n");
    }
    let _ = writeln!(out, "<h3>Steps of route {number}</h3>\n<div class=\"steps\">");
    for at in (0..steps).rev() {
        push_step(out, number, at, route, drawings);
    }
    let _ = writeln!(
        out,
        "</div>\n<p class=\"id\"><code>{}</code></p>\n</article>\n</li>",
        Escaped(&route.route_id)
    );
}

fn push_figures(out: &mut String, route: &Route) {
    let basis = match route.cost_basis.as_str() {
        "stock_prices" => "Cost, stock prices",
        _ => "Cost, estimated",
    };
    let economy = route.atom_economy.map_or("not known".to_owned(), |v| format!("{v:.2}"));
    let figures = [
        ("Tier", route.tier.to_string()),
        ("Steps", route.steps.len().to_string()),
        ("Depth", route.depth.to_string()),
        ("Score", format!("{:.2}", route.score)),
        ("Confidence", format!("{:.2}", route.confidence)),
        ("Success", format!("{:.2}", route.success_probability)),
        (basis, format!("{:.2}", route.route_cost)),
        ("Atom economy", economy),
        ("Convergency", format!("{:.2}", route.convergency)),
    ];
    out.push_str("<dl class=\"figures\">\n");
    for (name, value) in figures {
        let class =
            if name == "Tier" { format!(" class=\"tier t{value}\"") } else { String::new() };
        let _ = writeln!(out, "<div{class}><dt>{name}</dt><dd>{value}</dd></div>");
    }
    out.push_str("</dl>\n");
}

fn push_warnings(out: &mut String, route: &Route) {
    if let Some(failing) = &route.first_failing_step {
        let _ = writeln!(
            out,
            "<p class=\"failing\">Not tier {}: step {}, {}.</p>",
            failing.tier,
            failing.step + 1,
            Escaped(&failing.reason)
        );
    }
    if route.warnings.is_empty() {
        return;
    }
    out.push_str("<ul class=\"warnings\" aria-label=\"Warnings\">\n");
    for warning in &route.warnings {
        let _ = writeln!(out, "<li><span aria-hidden=\"true\">⚠ </span>{}</li>", Escaped(warning));
    }
    out.push_str("</ul>\n");
}

struct Tree<'a, 'b> {
    out: &'a mut String,
    route: &'a Route,
    number: usize,
    drawings: &'a mut Drawings<'b>,
    count: usize,
}

impl Tree<'_, '_> {
    /// A molecule and what it is made from. A route holds no loop, so no branch has more molecules
    /// than it has steps.
    fn molecule(&mut self, smiles: &str, left: usize) {
        self.count += 1;
        let route = self.route;
        let at = route.steps.iter().position(|step| step.target == smiles);
        let at = at.filter(|_| left > 0 && self.count < MAX_NODES);
        let state = route.leaf(smiles).filter(|_| at.is_none());
        let class = match (state.map(|leaf| leaf.in_stock), self.count) {
            (_, 1) => "mol goal",
            (Some(InStock::Yes), _) => "mol yes",
            (Some(InStock::Probable), _) => "mol probable",
            (Some(InStock::No), _) => "mol no",
            (None, _) => "mol",
        };
        let picture = self.drawings.molecule(smiles, false);
        let _ = write!(self.out, "<li class=\"node\"><div class=\"{class}\">{picture}");
        if let Some(leaf) = state {
            let _ = write!(self.out, "{}", mark(leaf.in_stock));
            if let Some(form) = &leaf.sold_as {
                let _ = write!(self.out, "<span class=\"note\">sold as {}</span>", Escaped(form));
            }
            if let Some(price) = leaf.price {
                let _ = write!(self.out, "<span class=\"note\">price {price}</span>");
            }
            if let Some(source) = &leaf.source {
                let _ = write!(self.out, "<span class=\"note\">{}</span>", Escaped(source));
            }
        }
        let _ = write!(
            self.out,
            "<code class=\"smiles\" title=\"{0}\">{0}</code></div>",
            Escaped(smiles)
        );
        if let Some(at) = at {
            let step = &route.steps[at];
            let alarm = match step.alarms.len() {
                0 => String::new(),
                1 => "<span class=\"alarm\">⚠ 1 alarm</span>".to_owned(),
                count => format!("<span class=\"alarm\">⚠ {count} alarms</span>"),
            };
            let _ = write!(
                self.out,
                "<div class=\"made\"><a class=\"by\" href=\"#r{}s{}\"><span class=\"n\">Step {}\
                 </span> <span class=\"rule\">{}</span> <span class=\"trust\">confidence {:.2}\
                 </span>{alarm}</a><ul class=\"from\">",
                self.number,
                at + 1,
                at + 1,
                Escaped(&step.rule),
                step.step_confidence
            );
            for precursor in &step.precursors {
                self.molecule(precursor, left - 1);
            }
            self.out.push_str("</ul></div>");
        }
        self.out.push_str("</li>\n");
    }
}

/// The stock state as a sign and in words.
fn mark(state: InStock) -> String {
    let (class, sign) = match state {
        InStock::Yes => ("yes", "✓"),
        InStock::Probable => ("probable", "≈"),
        InStock::No => ("no", "✗"),
    };
    format!(
        "<span class=\"mark {class}\"><span aria-hidden=\"true\">{sign} </span>{}</span>",
        state.in_words()
    )
}

fn push_step(
    out: &mut String,
    number: usize,
    at: usize,
    route: &Route,
    drawings: &mut Drawings<'_>,
) {
    let step = &route.steps[at];
    let place = at + 1;
    let alarm = if step.alarms.is_empty() { "" } else { "<span class=\"alarm\">⚠ alarm</span>" };
    let _ = writeln!(
        out,
        "<details class=\"step\" id=\"r{number}s{place}\">\n<summary><span class=\"n\">Step \
         {place}</span> <span class=\"rule\">{}</span> <span class=\"family\">{}</span> <span \
         class=\"trust\">confidence {:.2}</span>{alarm}</summary>",
        Escaped(&step.rule),
        Escaped(&step.reaction_family.replace('_', " ")),
        step.step_confidence
    );
    let picture = drawings.step(SchemeStep::new(place, step, &route.leaves));
    if !picture.is_empty() {
        let _ = writeln!(
            out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Drawing of step \
             {place}\">{picture}</div>"
        );
    }
    out.push_str("<dl class=\"details\">\n");
    for (name, value) in details(step) {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    out.push_str("</dl>\n</details>\n");
}

/// Names and values, as HTML, of what is known of a step.
fn details(step: &Step) -> Vec<(&'static str, String)> {
    let text = |text: &str| Escaped(text).to_string();
    let code = |text: &str| format!("<code>{}</code>", Escaped(text));
    let from: Vec<String> = step.precursors.iter().map(|p| code(p)).collect();
    let mut out = vec![("Makes", code(&step.target)), ("From", from.join(" + "))];
    if let Some(changes) = bond_changes(step) {
        let lists = [
            ("Bonds made", changes.made),
            ("Bonds broken", changes.broken),
            ("Bonds changed", changes.changed),
        ];
        for (name, bonds) in lists.into_iter().filter(|(_, bonds)| !bonds.is_empty()) {
            out.push((name, text(&bonds.join(", "))));
        }
    }
    if let Some(known) = &step.conditions {
        out.push((
            "Typical conditions",
            format!(
                "{} <span class=\"note\">{}</span>",
                text(&known.text),
                text(&known.metadata_source)
            ),
        ));
    }
    out.push(match &step.precedents {
        Some(known) if known.count > 0 => {
            let examples = match known.examples.is_empty() {
                true => String::new(),
                false => format!(", such as {}", text(&known.examples.join(", "))),
            };
            let reactions = if known.count == 1 { "reaction" } else { "reactions" };
            ("Precedents", format!("{} known {reactions}{examples}", known.count))
        }
        _ => ("Precedents", "none recorded for this template".to_owned()),
    });
    let forward = &step.forward_check;
    let more = if forward.truncated { "at least " } else { "" };
    let products = match forward.distinct_products {
        1 => "product".to_owned(),
        _ => "different products".to_owned(),
    };
    let mut check = format!(
        "{}; {more}{} {products}",
        if forward.reproduces_target { "gives the target" } else { "does not give the target" },
        forward.distinct_products
    );
    if let Some(warning) = &forward.selectivity_warning {
        let _ = write!(check, ". {}", text(warning));
    }
    out.push(("Run forwards", check));
    let balanced = if step.balanced { "every atom is accounted for" } else { "atoms are missing" };
    out.push(("Balance", balanced.to_owned()));
    if let Some(economy) = step.atom_economy {
        out.push(("Atom economy", format!("{economy:.2}")));
    }
    if !step.alarms.is_empty() {
        let alarms: Vec<String> =
            step.alarms.iter().map(|alarm| format!("<li>⚠ {}</li>", text(alarm))).collect();
        out.push(("Alarms", format!("<ul>{}</ul>", alarms.concat())));
    }
    out.push(("Template", code(&step.template_id)));
    out
}

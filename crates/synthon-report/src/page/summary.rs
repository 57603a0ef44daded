//! The page of a batch: plots, shared intermediates, and a line for each target.

use std::fmt::Write as _;

use synthon_budget::Budget;

use super::drawings::Drawings;
use super::plots::{Bar, chart};
use super::{Escaped, document};
use crate::batch::{BatchSummary, TargetOutcome};

/// Shared intermediates and targets that the page lists; all are counted.
const MAX_SHARED: usize = 50;
const MAX_ROWS: usize = 5_000;
/// Upper ends of the classes of times, in seconds.
const TIMES: [f64; 8] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// A page that sums up a batch: how many targets were solved and how well, the depths of their
/// best routes, the times of the searches, what the routes share, and each target.
///
/// The budget is that of the drawings of shared intermediates.
pub fn batch_page(title: &str, summary: &BatchSummary, budget: &mut Budget) -> String {
    let mut drawings = Drawings::new(budget);
    let mut body =
        format!("<header class=\"top\"><div class=\"what\"><h1>{}</h1>\n", Escaped(title));
    body.push_str("<dl class=\"facts\">\n");
    for (name, value) in facts(summary) {
        let _ = writeln!(body, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    body.push_str(
        "</dl></div><div class=\"controls\"><button type=\"button\" id=\"b-theme\">Theme: as the \
         system</button></div></header>\n<main>\n<div class=\"plots\">\n",
    );
    push_plots(&mut body, summary);
    body.push_str("</div>\n");
    push_shared(&mut body, summary, &mut drawings);
    push_targets(&mut body, &summary.outcomes);
    body.push_str("</main>\n");
    body.push_str(&drawings.definitions());
    document(title, &body)
}

fn facts(summary: &BatchSummary) -> Vec<(&'static str, String)> {
    let seconds =
        |value: Option<f64>| value.map_or("not known".to_owned(), |s| format!("{s:.2} s"));
    vec![
        ("Targets", summary.targets.to_string()),
        ("Solved", summary.solved.to_string()),
        ("Stopped by a limit", summary.stopped.to_string()),
        ("Bad lines", summary.errors.to_string()),
        ("Median time", seconds(summary.median_seconds)),
        ("95 % within", seconds(summary.p95_seconds)),
        ("All searches", format!("{:.1} s", summary.total_seconds)),
    ]
}

fn push_plots(out: &mut String, summary: &BatchSummary) {
    let all = summary.targets;
    let bar = |name: String, value, class| Bar { name, value, class };
    let solved = [
        bar("solved".into(), summary.solved, "bar"),
        bar("no route".into(), all.saturating_sub(summary.solved), "rest"),
    ];
    out.push_str(&chart("Solved targets", &solved, all));
    let classes = ["t0", "t1", "t2", "t3"];
    let tiers: Vec<Bar> = summary
        .tiers
        .iter()
        .zip(classes)
        .enumerate()
        .map(|(tier, (&count, class))| bar(format!("tier {tier}"), count, class))
        .collect();
    out.push_str(&chart("Highest tier of a route", &tiers, all));
    let depths: Vec<Bar> = summary
        .depths
        .iter()
        .enumerate()
        .skip(1)
        .map(|(depth, &count)| bar(format!("depth {depth}"), count, "bar"))
        .collect();
    if !depths.is_empty() {
        out.push_str(&chart("Depth of the best route", &depths, all));
    }
    let mut counts = [0; TIMES.len() + 1];
    for seconds in summary.outcomes.iter().filter_map(|outcome| outcome.seconds) {
        counts[TIMES.iter().position(|&end| seconds < end).unwrap_or(TIMES.len())] += 1;
    }
    let first = counts.iter().position(|&count| count > 0);
    let last = counts.iter().rposition(|&count| count > 0);
    if let (Some(first), Some(last)) = (first, last) {
        let times: Vec<Bar> = (first..=last)
            .map(|at| {
                let name = match TIMES.get(at) {
                    Some(end) => format!("under {end} s"),
                    None => format!("{} s or more", TIMES[at - 1]),
                };
                bar(name, counts[at], "bar")
            })
            .collect();
        out.push_str(&chart("Time of the search", &times, all));
    }
}

fn push_shared(out: &mut String, summary: &BatchSummary, drawings: &mut Drawings<'_>) {
    let series = &summary.series;
    if series.shared.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<section class=\"panel\"><h2>Intermediates that routes of several targets share</h2>\n\
         <p>The best routes have {} steps, {} when a step that several have is run once; with \
         routes chosen to share, {}. What single intermediates save does not add up.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Shared intermediates\">\
         <table><thead><tr><th scope=\"col\">Intermediate</th><th scope=\"col\" class=\"r\">\
         Targets</th><th scope=\"col\" class=\"r\">In best routes</th><th scope=\"col\" \
         class=\"r\">Steps to it</th><th scope=\"col\" class=\"r\">Steps saved</th><th \
         scope=\"col\">Of</th></tr></thead><tbody>",
        series.steps_apart, series.steps_together, series.steps_chosen
    );
    for shared in series.shared.iter().take(MAX_SHARED) {
        let names: Vec<String> = shared
            .targets
            .iter()
            .take(8)
            .map(|&at| {
                let outcome = &summary.outcomes[at];
                Escaped(outcome.name.as_deref().unwrap_or(&outcome.smiles)).to_string()
            })
            .collect();
        let more = shared.targets.len().saturating_sub(8);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(
            out,
            "<tr><td>{}<code>{}</code></td><td class=\"r\">{}</td><td class=\"r\">{}</td><td \
             class=\"r\">{}</td><td class=\"r\">{}</td><td>{}{more}</td></tr>",
            drawings.molecule(&shared.smiles, false),
            Escaped(&shared.smiles),
            shared.targets.len(),
            shared.in_best_routes,
            shared.steps,
            shared.steps_saved,
            names.join(", ")
        );
    }
    out.push_str("</tbody></table></div>\n");
    if series.shared.len() > MAX_SHARED {
        let _ = writeln!(out, "<p>{} more are not listed.</p>", series.shared.len() - MAX_SHARED);
    }
    out.push_str("</section>\n");
}

fn push_targets(out: &mut String, outcomes: &[TargetOutcome]) {
    out.push_str(
        "<section class=\"panel\"><h2>Targets</h2>\n<div class=\"scroll\" tabindex=\"0\" \
         role=\"group\" aria-label=\"Targets\"><table><thead><tr><th scope=\"col\" class=\"r\">No.\
         </th><th scope=\"col\">Target</th><th scope=\"col\">Outcome</th><th scope=\"col\" \
         class=\"r\">Routes</th><th scope=\"col\" class=\"r\">Tier</th><th scope=\"col\" \
         class=\"r\">Steps</th><th scope=\"col\" class=\"r\">Depth</th><th scope=\"col\" \
         class=\"r\">Time</th></tr></thead><tbody>\n",
    );
    for (number, outcome) in (1..).zip(outcomes).take(MAX_ROWS) {
        let figure = |value: Option<usize>| value.map_or("–".to_owned(), |v| v.to_string());
        let words = match (&outcome.error, outcome.routes, outcome.status.as_deref()) {
            (Some(error), _, _) => format!("✗ {}", Escaped(error)),
            (None, 0, Some("COMPLETED")) => "no route".to_owned(),
            (None, 0, status) => {
                let status = status.unwrap_or("unknown").replace('_', " ").to_lowercase();
                format!("no route, {}", Escaped(&status))
            }
            (None, _, _) => "✓ solved".to_owned(),
        };
        let name =
            outcome.name.as_ref().map_or(String::new(), |name| format!("{}<br>", Escaped(name)));
        let _ = writeln!(
            out,
            "<tr><td class=\"r\">{number}</td><td>{name}<code>{}</code></td><td>{words}</td><td \
             class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}\
             </td><td class=\"r\">{}</td></tr>",
            Escaped(&outcome.smiles),
            outcome.routes,
            figure(outcome.tier.map(usize::from)),
            figure(outcome.steps),
            figure(outcome.depth),
            outcome.seconds.map_or("–".to_owned(), |s| format!("{s:.2} s")),
        );
    }
    out.push_str("</tbody></table></div>\n");
    if outcomes.len() > MAX_ROWS {
        let _ = writeln!(out, "<p>{} more are not listed.</p>", outcomes.len() - MAX_ROWS);
    }
    out.push_str("</section>\n");
}

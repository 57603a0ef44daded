//! Many targets summed up: how many were solved, how well, how deep and in what time.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use synthon_plan::{Series, SeriesRoute, SeriesTarget, series};

/// What came of one target.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TargetOutcome {
    /// SMILES as given.
    pub smiles: String,
    /// Name, where the input has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How the search ended, such as `COMPLETED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Routes found.
    pub routes: usize,
    /// Highest tier of a route.
    pub tier: Option<u8>,
    /// Steps of the best route.
    pub steps: Option<usize>,
    /// Depth of the best route.
    pub depth: Option<usize>,
    /// Time of the search in seconds.
    pub seconds: Option<f64>,
}

/// What the lines of a batch come to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BatchSummary {
    /// Targets, bad lines not counted.
    pub targets: usize,
    /// Lines that gave no target, or a target that could not be planned for.
    pub errors: usize,
    /// Targets with a route.
    pub solved: usize,
    /// Targets whose search was ended by its time or node limit.
    pub stopped: usize,
    /// Targets by the highest tier of their routes, from 0 to 3.
    pub tiers: [usize; 4],
    /// Targets by the depth of their best route, from 0.
    pub depths: Vec<usize>,
    /// Median time of a search, in seconds.
    pub median_seconds: Option<f64>,
    /// The time that 95 % of the searches keep within, in seconds.
    pub p95_seconds: Option<f64>,
    /// The times of all searches together, in seconds.
    pub total_seconds: f64,
    /// What the routes of several targets share.
    pub series: Series,
    /// Each target.
    pub outcomes: Vec<TargetOutcome>,
    #[serde(skip)]
    found: Vec<SeriesTarget>,
}

impl BatchSummary {
    /// Takes in one line: a result of `find_routes` or `plan_with_constraints` with the key
    /// `smiles`, or an object with `smiles` and `error`.
    pub fn add(&mut self, line: &Value) {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let routes = line.get("routes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let number = |route: &Value, key: &str| route[key].as_u64().map(|n| n as usize);
        let best = routes.first();
        let tiers = routes.iter().filter_map(|route| route["tier"].as_u64());
        let outcome = TargetOutcome {
            smiles: text("smiles").or_else(|| text("target")).unwrap_or_default(),
            name: text("name"),
            error: text("error"),
            status: text("status"),
            routes: routes.len(),
            tier: tiers.max().map(|tier| tier.min(3) as u8),
            steps: best.and_then(|route| route["steps"].as_array()).map(Vec::len),
            depth: best.and_then(|route| number(route, "depth")),
            seconds: line["timings"]["search_ms"].as_f64().map(|ms| ms / 1_000.0),
        };
        match outcome.error {
            Some(_) => self.errors += 1,
            None => self.targets += 1,
        }
        self.solved += usize::from(outcome.routes > 0);
        let is_stopped = |status: &String| status != "COMPLETED";
        self.stopped += usize::from(outcome.status.as_ref().is_some_and(is_stopped));
        if let Some(tier) = outcome.tier {
            self.tiers[usize::from(tier)] += 1;
        }
        if let Some(depth) = outcome.depth.filter(|depth| *depth <= 100) {
            self.depths.resize(self.depths.len().max(depth + 1), 0);
            self.depths[depth] += 1;
        }
        self.total_seconds += outcome.seconds.unwrap_or(0.0);
        self.found.push(SeriesTarget {
            target: text("target").unwrap_or_else(|| outcome.smiles.clone()),
            routes: routes.iter().map(route_of).collect(),
        });
        self.outcomes.push(outcome);
    }

    /// Works out what needs all lines: the times, and what the targets share.
    pub fn finish(&mut self) {
        let mut times: Vec<f64> = self.outcomes.iter().filter_map(|o| o.seconds).collect();
        times.sort_by(f64::total_cmp);
        // Nearest rank: the smallest time that this share of the searches keeps within.
        let at = |share: f64| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times.get(rank.saturating_sub(1)).copied()
        };
        self.median_seconds = at(0.5);
        self.p95_seconds = at(0.95);
        self.series = series(&self.found);
    }

    /// The figures as a table for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let share = |count: usize| match self.targets {
            0 => String::new(),
            all => format!("{:5.1} %", 100.0 * count as f64 / all as f64),
        };
        let _ = writeln!(out, "{:<22}{:>7}", "targets", self.targets);
        if self.errors > 0 {
            let _ = writeln!(out, "{:<22}{:>7}", "bad lines", self.errors);
        }
        let mut row = |name: &str, count: usize| {
            let _ = writeln!(out, "{name:<22}{count:>7}  {}", share(count));
        };
        row("solved", self.solved);
        let at_least = |tier: usize| self.tiers[tier..].iter().sum::<usize>();
        for tier in 1..=3 {
            row(&format!("  with tier {tier} or more"), at_least(tier));
        }
        row("stopped by a limit", self.stopped);
        for (depth, &count) in self.depths.iter().enumerate().filter(|(_, count)| **count > 0) {
            row(&format!("  best route depth {depth}"), count);
        }
        if let (Some(median), Some(p95)) = (self.median_seconds, self.p95_seconds) {
            let _ = writeln!(
                out,
                "{:<22}{median:>7.2} s median, {p95:.2} s for 95 %, {:.1} s in all",
                "search time", self.total_seconds
            );
        }
        let series = &self.series;
        if !series.shared.is_empty() {
            let _ = writeln!(
                out,
                "{:<22}{:>7}  best routes: {} steps apart, {} together, {} with routes chosen \
                 to share",
                "shared intermediates",
                series.shared.len(),
                series.steps_apart,
                series.steps_together,
                series.steps_chosen
            );
            for shared in series.shared.iter().take(5) {
                let _ = writeln!(
                    out,
                    "  {} targets, {} steps saved: {}",
                    shared.targets.len(),
                    shared.steps_saved,
                    shared.smiles
                );
            }
        }
        out
    }
}

fn route_of(route: &Value) -> SeriesRoute {
    let steps = route["steps"].as_array().into_iter().flatten().filter_map(|step| {
        let target = step["target"].as_str()?.to_owned();
        let from = step["precursors"].as_array()?;
        Some((target, from.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
    });
    SeriesRoute { steps: steps.collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn solved(smiles: &str, tier: u8, ms: f64) -> Value {
        json!({
            "smiles": smiles, "target": smiles, "status": "COMPLETED",
            "routes": [{"tier": tier, "depth": 2, "steps": [
                {"target": smiles, "precursors": ["I", "B"]},
                {"target": "I", "precursors": ["C"]},
            ]}],
            "timings": {"search_ms": ms},
        })
    }

    #[test]
    fn lines_are_counted_and_compared() {
        let mut summary = BatchSummary::default();
        summary.add(&solved("T", 2, 10.0));
        summary.add(&solved("U", 0, 20.0));
        summary.add(&json!({"smiles": "C1", "error": "Unclosed ring(s): 1"}));
        summary.add(&json!({"smiles": "V", "status": "TIMED_OUT", "routes": [],
                            "timings": {"search_ms": 5_000.0}}));
        summary.finish();
        assert_eq!((summary.targets, summary.errors, summary.solved), (3, 1, 2));
        assert_eq!((summary.tiers, summary.stopped), ([1, 0, 1, 0], 1));
        assert_eq!(summary.depths, [0, 0, 2]);
        assert_eq!((summary.median_seconds, summary.p95_seconds), (Some(0.02), Some(5.0)));
        assert_eq!(summary.series.shared[0].smiles, "I");
        let text = summary.text();
        assert!(text.contains("solved                      2   66.7 %"), "{text}");
        assert!(text.contains("2 targets, 1 steps saved: I"), "{text}");
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let mut summary = BatchSummary::default();
        summary.finish();
        assert!(summary.text().contains("targets"));
        assert!(serde_json::to_string(&summary).is_ok());
    }
}

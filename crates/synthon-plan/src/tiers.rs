//! How far a route has been checked.
//!
//! | tier | holds when |
//! | --- | --- |
//! | 0 | every molecule is valid and every leaf is in stock |
//! | 1 | each step replays forwards to its target and is balanced by element |
//! | 2 | no selectivity alarm: competing sites, a functional group that the conditions would not spare, a stereo centre made or lost without cause, a protection that changes nothing |
//! | 3 | each step has a precedent |
//!
//! A route with a leaf that is only probably in stock stays at tier 0.

use crate::route::{FailingStep, InStock, Leaf, Step};

/// The highest tier reached, and the first step that fails the next.
pub(crate) fn tier_of(steps: &[Step], leaves: &[Leaf]) -> (u8, Option<FailingStep>) {
    let fails = |tier: u8, found: Option<(usize, String)>| {
        found.map(|(step, reason)| FailingStep { step, tier, reason })
    };
    let uncertain = leaves.iter().find(|leaf| leaf.in_stock != InStock::Yes).and_then(|leaf| {
        let step = steps.iter().position(|step| step.precursors.contains(&leaf.smiles))?;
        let state = match leaf.in_stock {
            InStock::Probable => "is only probably in stock",
            _ => "is not in stock",
        };
        Some((step, format!("{} {state}", leaf.smiles)))
    });
    if uncertain.is_some() {
        return (0, fails(1, uncertain));
    }
    let replay = steps.iter().enumerate().find_map(|(place, step)| {
        if !step.forward_check.reproduces_target {
            Some((place, "the forward reaction does not give the target".to_owned()))
        } else if !step.balanced {
            Some((place, "the target has atoms that no precursor brings".to_owned()))
        } else {
            None
        }
    });
    if replay.is_some() {
        return (0, fails(1, replay));
    }
    let alarm = steps
        .iter()
        .enumerate()
        .find_map(|(place, step)| Some((place, step.alarms.first()?.clone())));
    if alarm.is_some() {
        return (1, fails(2, alarm));
    }
    let unprecedented = steps
        .iter()
        .position(|step| step.precedents.as_ref().is_none_or(|known| known.count == 0))
        .map(|place| (place, "no known reaction is recorded for the template".to_owned()));
    if unprecedented.is_some() {
        return (2, fails(3, unprecedented));
    }
    (3, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{ForwardReport, Precedents};

    fn sound_step() -> Step {
        Step {
            target: "T".to_owned(),
            precursors: vec!["A".to_owned()],
            balanced: true,
            forward_check: ForwardReport {
                reproduces_target: true,
                distinct_products: 1,
                ..ForwardReport::default()
            },
            ..Step::default()
        }
    }

    fn leaf(in_stock: InStock) -> Leaf {
        Leaf { smiles: "A".to_owned(), in_stock, ..Leaf::default() }
    }

    #[test]
    fn each_tier_needs_the_ones_below() {
        let stocked = [leaf(InStock::Yes)];
        let mut step = sound_step();
        let (tier, failing) = tier_of(&[step.clone()], &stocked);
        assert_eq!((tier, failing.map(|f| (f.step, f.tier))), (2, Some((0, 3))));
        step.precedents = Some(Precedents { count: 12, examples: Vec::new() });
        assert_eq!(tier_of(&[step.clone()], &stocked), (3, None));
        step.alarms = vec!["two amines compete".to_owned()];
        let (tier, failing) = tier_of(&[sound_step(), step.clone()], &stocked);
        let failing = failing.expect("tier 1 fails tier 2");
        assert_eq!((tier, failing.step, failing.tier), (1, 1, 2));
        assert_eq!(failing.reason, "two amines compete");
        step.balanced = false;
        assert_eq!(tier_of(&[step.clone()], &stocked).0, 0);
        assert_eq!(tier_of(&[sound_step()], &[leaf(InStock::Probable)]).0, 0);
        assert_eq!(tier_of(&[sound_step()], &[leaf(InStock::No)]).0, 0);
    }
}

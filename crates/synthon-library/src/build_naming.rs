//! Which named template accounts for an extracted one, and to which family it belongs.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_reaction::{ExtractOptions, MappedReaction, Template};

use crate::build::{Found, keys};
use crate::expand::Scratch;
use crate::library::Library;

/// Share of the named templates of one reaction centre that must agree for the others to take
/// over their family.
const AGREEMENT: f64 = 0.6;

/// What an extracted template is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// Word of the named template that gives the same precursors for a precedent.
    pub named: Option<String>,
    pub family: Option<String>,
    /// The reaction centre alone, as a template.
    pub core: String,
}

/// Names templates by their precedents: a named template that proposes the same precursors, and
/// its family; where none does, the family of most named templates with the same reaction centre
/// and class.
pub(crate) fn names(found: &[Found], curated: &Library) -> Vec<Named> {
    let mut names: Vec<Named> = found
        .par_iter()
        .map_init(Scratch::new, |scratch, found| Named {
            named: name(found, curated, scratch),
            family: None,
            core: core(found),
        })
        .collect();
    let mut votes: BTreeMap<(String, u8), HashMap<String, u32>> = BTreeMap::new();
    let class = |found: &Found| {
        (1..=10u8).rev().max_by_key(|&c| found.classes[usize::from(c)]).unwrap_or(0)
    };
    for (named, found) in names.iter_mut().zip(found) {
        let family = named.named.as_deref().and_then(|id| curated.find(id));
        named.family = family.map(|t| t.family().to_owned());
        if let Some(family) = &named.family {
            let families = votes.entry((named.core.clone(), class(found))).or_default();
            *families.entry(family.clone()).or_default() += 1;
        }
    }
    for (named, found) in names.iter_mut().zip(found) {
        if named.family.is_some() {
            continue;
        }
        let Some(families) = votes.get(&(named.core.clone(), class(found))) else { continue };
        let all: u32 = families.values().sum();
        // Of equals the first by name, whatever the order of the map.
        let best = families.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        if let Some((family, &count)) = best
            && f64::from(count) >= AGREEMENT * f64::from(all)
        {
            named.family = Some(family.clone());
        }
    }
    names
}

/// The named template that accounts for most precedents; of equals the first of the library.
fn name(found: &Found, curated: &Library, scratch: &mut Scratch) -> Option<String> {
    let mut votes: BTreeMap<usize, u32> = BTreeMap::new();
    for (reaction, _) in &found.precedents {
        let Ok(reaction) = MappedReaction::from_smiles(reaction) else { continue };
        let expansion = curated.expand(reaction.product(), scratch, &mut Budget::unlimited());
        for proposal in &expansion.proposals {
            if keys(&proposal.outcome.precursors) == reaction.reactant_keys() {
                for &template in proposal.also.iter().chain([&proposal.template]) {
                    *votes.entry(template).or_default() += 1;
                }
            }
        }
    }
    let best = votes.iter().rev().max_by_key(|(_, votes)| **votes)?;
    Some(curated.templates()[*best.0].id().to_owned())
}

/// The reaction centre of the first precedent, alone, in canonical text; empty where that is no
/// template.
fn core(found: &Found) -> String {
    let read = || {
        let reaction = MappedReaction::from_smiles(&found.precedents.first()?.0).ok()?;
        let text = reaction.write_template(&ExtractOptions::centre_only()).ok()?;
        Some(Template::from_smarts(&text).ok()?.smarts().to_owned())
    };
    read().unwrap_or_default()
}

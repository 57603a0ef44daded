//! Which named template accounts for an extracted one, and to which family it belongs.

use std::collections::BTreeMap;

use rayon::prelude::*;
use synthon_budget::Budget;
use synthon_reaction::{ExtractOptions, MappedReaction, Template};

use crate::build::{Found, keys, main_class};
use crate::change::change;
use crate::combined::family_of_class;
use crate::expand::Scratch;
use crate::library::Library;

/// Share of the templates of one kind that must agree for the others to take over their family.
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

/// Names templates by their precedents. A named template that proposes the same precursors gives
/// its family. Where none does, others do that change the same: first those with the same reaction
/// centre and class, then those that are told alike by [`change`] and have the same class, then
/// those told alike. Last comes the family that a class amounts to, of the template itself or of
/// most that are told alike.
pub(crate) fn names(found: &[Found], curated: &Library) -> Vec<Named> {
    let mut names: Vec<Named> = found
        .par_iter()
        .map_init(Scratch::new, |scratch, found| Named {
            named: name(found, curated, scratch),
            family: None,
            core: core(found),
        })
        .collect();
    for named in &mut names {
        let family = named.named.as_deref().and_then(|id| curated.find(id));
        named.family = family.map(|t| t.family().to_owned());
    }
    let changes: Vec<String> = found.par_iter().map(told).collect();
    let class = |found: &Found| main_class(&found.classes).unwrap_or(0);
    let alike = |place: usize, way: u8| -> Option<(String, u8)> {
        let (class, change) = (class(&found[place]), &changes[place]);
        match way {
            0 => Some((names[place].core.clone(), class)),
            1 => Some((change.clone(), class)).filter(|_| class != 0 && !change.is_empty()),
            _ => Some((change.clone(), 0)).filter(|_| !change.is_empty()),
        }
    };
    let mut votes: BTreeMap<(u8, (String, u8)), BTreeMap<String, u32>> = BTreeMap::new();
    let mut classes: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
    for (place, named) in names.iter().enumerate() {
        if let Some(family) = &named.family {
            for (way, key) in (0..3).filter_map(|way| Some((way, alike(place, way)?))) {
                *votes.entry((way, key)).or_default().entry(family.clone()).or_default() += 1;
            }
        }
        let class = main_class(&found[place].classes);
        if let Some(class) = class {
            let known = classes.entry(&changes[place]).or_default();
            *known.entry(class.to_string()).or_default() += 1;
        }
    }
    let families: Vec<Option<String>> = (0..names.len())
        .map(|place| {
            let by_votes =
                || (0..3).find_map(|way| elected(votes.get(&(way, alike(place, way)?))?));
            let by_class = || {
                let own = main_class(&found[place].classes);
                let told_alike = || elected(classes.get(changes[place].as_str())?)?.parse().ok();
                let class = own.or_else(told_alike).filter(|_| !changes[place].is_empty());
                family_of_class(class).map(str::to_owned)
            };
            names[place].family.clone().or_else(by_votes).or_else(by_class)
        })
        .collect();
    for (named, family) in names.iter_mut().zip(families) {
        named.family = family;
    }
    names
}

/// What most agree on; of equals the first by name.
fn elected(votes: &BTreeMap<String, u32>) -> Option<String> {
    let all: u32 = votes.values().sum();
    let (best, &count) = votes.iter().rev().max_by_key(|(_, count)| **count)?;
    (f64::from(count) >= AGREEMENT * f64::from(all)).then(|| best.clone())
}

/// What the first precedent changes.
fn told(found: &Found) -> String {
    let reaction = found.precedents.first().map(|p| MappedReaction::from_smiles(&p.0));
    reaction.and_then(Result::ok).map(|reaction| change(&reaction)).unwrap_or_default()
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

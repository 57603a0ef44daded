//! What the named templates know, held against a step by an extracted one.
//!
//! An extracted template says where bonds change, and nothing of the conditions. Those are much
//! the same within a reaction family, so the groups that the named templates of a family mind are
//! minded for the extracted ones too. And whatever the family, a precursor must be something that
//! can be kept in a bottle.

use std::collections::BTreeMap;

use synthon_mol::{Element, Molecule};
use synthon_query::Target;
use synthon_reaction::{Origin, Outcome};

use crate::combined::Rule;
use crate::expand::{Alarm, Scratch};
use crate::group::sites;
use crate::library::Library;
use crate::selectivity::misplaced;
use crate::sense::attacked_arenes;

/// Share of the named templates of a family that must mind a group before it is minded for the
/// extracted templates of the family.
const SHARE: f64 = 0.5;

/// The group of aryl fluorides that nucleophiles displace.
const ACTIVATED_FLUORIDE: &str = "activated_fluoroarene";

/// The group of ring positions that carbon electrophiles do not attack.
const DEACTIVATED_ARENE: &str = "deactivated_arene";

/// What a second look at a step found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Review {
    /// The step makes no sense, for this reason.
    Refused(&'static str),
    /// It may work; these groups elsewhere in the product would compete or not survive.
    Holds(Vec<Alarm>),
}

/// For each reaction family the groups that its named templates mind, ascending.
pub(crate) fn minded_by_families(library: &Library) -> BTreeMap<String, Vec<usize>> {
    let mut families: BTreeMap<String, (usize, BTreeMap<usize, usize>)> = BTreeMap::new();
    for named in library.templates() {
        let (templates, groups) = families.entry(named.family().to_owned()).or_default();
        *templates += 1;
        for group in Rule::Named(named).minds() {
            *groups.entry(group).or_default() += 1;
        }
    }
    families
        .into_iter()
        .map(|(family, (templates, groups))| {
            let often = |count: usize| count as f64 >= SHARE * templates as f64;
            let groups = groups.into_iter().filter(|&(_, count)| often(count));
            (family, groups.map(|(group, _)| group).collect())
        })
        .collect()
}

impl Library {
    /// Looks at what the template at a position does to a product, with what is known of its
    /// kind. Most of what this asks was asked of named templates when they proposed the step.
    pub fn review(
        &self,
        position: usize,
        product: &Molecule,
        outcome: &Outcome,
        scratch: &mut Scratch,
    ) -> Review {
        let rule = self.rule(position);
        let named_family = matches!(rule, Rule::Named(_)).then(|| rule.family());
        if let Some(reason) = misplaced(product, outcome, named_family) {
            return Review::Refused(reason);
        }
        let Rule::Extracted(extracted, _) = rule else { return Review::Holds(Vec::new()) };
        let target = Target::new(product);
        scratch.sites.reset(self.groups().len());
        if !self.could_be_bottled(&outcome.precursors, &target, scratch) {
            return Review::Refused("a precursor has a group that is not stable");
        }
        if self.displaces_idle_fluoride(outcome, scratch) {
            return Review::Refused("nothing activates the aryl fluoride");
        }
        if self.attacks_deactivated_arene(product, outcome, scratch) {
            return Review::Refused("carbon electrophiles do not attack a deactivated ring");
        }
        if !self
            .standing(self.default_forbids().iter().copied(), outcome, &target, scratch)
            .is_empty()
        {
            return Review::Refused("a group elsewhere would not survive any conditions");
        }
        let named = extracted.named().and_then(|id| self.find(id));
        let minded: Vec<usize> = match named {
            Some(named) => Rule::Named(named).minds().collect(),
            None => self.minded_in(rule.family()).to_vec(),
        };
        let mut alarms = self.standing(minded, outcome, &target, scratch);
        alarms.dedup_by_key(|alarm| alarm.group);
        Review::Holds(alarms)
    }

    /// Whether a carbon electrophile is to replace a hydrogen of a ring that lacks electrons.
    fn attacks_deactivated_arene(
        &self,
        product: &Molecule,
        outcome: &Outcome,
        scratch: &mut Scratch,
    ) -> bool {
        let Some(group) = self.groups().iter().find(|g| g.id() == DEACTIVATED_ARENE) else {
            return false;
        };
        attacked_arenes(product, outcome).into_iter().any(|(which, atom)| {
            let target = Target::new(&outcome.precursors[which]);
            sites(group, &target, &mut scratch.matcher).binary_search(&atom).is_ok()
        })
    }

    /// Whether fluoride leaves an aromatic ring that has nothing to make it leave.
    fn displaces_idle_fluoride(&self, outcome: &Outcome, scratch: &mut Scratch) -> bool {
        let Some(activated) = self.groups().iter().find(|g| g.id() == ACTIVATED_FLUORIDE) else {
            return false;
        };
        for (molecule, origins) in outcome.precursors.iter().zip(&outcome.origins) {
            let displaced = |atom: usize| {
                molecule.atom(atom).is_aromatic()
                    && molecule.neighbours(atom).iter().any(|n| {
                        origins[n.atom()] == Origin::New
                            && molecule.atom(n.atom()).element() == Element::F
                    })
            };
            let places: Vec<usize> = (0..molecule.atom_count()).filter(|&a| displaced(a)).collect();
            if places.is_empty() {
                continue;
            }
            let sites = sites(activated, &Target::new(molecule), &mut scratch.matcher);
            if places.iter().any(|&place| sites.binary_search(&(place as u32)).is_err()) {
                return true;
            }
        }
        false
    }
}

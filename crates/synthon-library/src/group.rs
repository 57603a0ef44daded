//! Functional groups that compete with a reaction or do not survive it.

use synthon_query::{MatchOptions, Matcher, Pattern, Target};

use synthon_budget::Budget;

/// A functional group with a name.
#[derive(Clone, Debug)]
pub struct FunctionalGroup {
    id: String,
    about: String,
    pattern: Pattern,
}

impl FunctionalGroup {
    pub(crate) fn new(id: String, about: String, pattern: Pattern) -> Self {
        FunctionalGroup { id, about, pattern }
    }

    /// Its word, such as `aliphatic_amine`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is, in words that fit into a sentence: `primary or secondary aliphatic amine`.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Its pattern, of which the first atom is the site.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

/// Most sites of a group that are told apart in one molecule.
const MAX_SITES: usize = 256;

/// Where the groups of a library stand in one molecule, looked for when first asked.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    found: Vec<Option<Vec<u32>>>,
}

impl Sites {
    /// For a new molecule and this many groups.
    pub fn reset(&mut self, groups: usize) {
        self.found.clear();
        self.found.resize(groups, None);
    }

    /// Sites of a group, ascending.
    pub fn of(
        &mut self,
        group: usize,
        groups: &[FunctionalGroup],
        molecule: &Target<'_>,
        matcher: &mut Matcher,
    ) -> &[u32] {
        self.found[group].get_or_insert_with(|| sites(&groups[group], molecule, matcher))
    }
}

/// Atoms of a molecule at which a group stands, ascending.
pub(crate) fn sites(
    group: &FunctionalGroup,
    molecule: &Target<'_>,
    matcher: &mut Matcher,
) -> Vec<u32> {
    let mut budget = Budget::unlimited();
    let options = MatchOptions::default();
    let found = matcher.all_within(&group.pattern, molecule, &options, MAX_SITES, &mut budget);
    let mut sites: Vec<u32> = found.iter().map(|atoms| atoms[0]).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

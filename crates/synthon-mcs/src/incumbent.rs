//! The best common graph found so far, or all of the best size.

/// A map under construction: query atom and image, matched query bonds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) bonds: Vec<u32>,
}

/// Best so far, with its two sizes in the order of the objective.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incumbent {
    /// Atoms (induced) or bonds (edge objective).
    pub(crate) primary: u32,
    /// Bonds (induced) or atoms (edge objective).
    pub(crate) secondary: u32,
    pub(crate) map: Map,
    /// Present when every map of the best size is wanted: the maps so far and how many may be
    /// kept.
    pub(crate) all: Option<(Vec<Map>, usize)>,
    /// More maps of the best size exist than may be kept.
    pub(crate) overflow: bool,
    /// Query atoms without which a map does not count.
    pub(crate) required: Vec<u32>,
}

impl Incumbent {
    /// Whether a map of these sizes, or a bound of them, is worth going on for.
    #[inline(always)]
    pub(crate) fn admits(&self, primary: u32, secondary: u32) -> bool {
        let (new, old) = ((primary, secondary), (self.primary, self.secondary));
        new > old || (self.all.is_some() && new == old && !self.overflow)
    }

    /// Takes a map that is [admitted](Self::admits), unless it lacks a required atom.
    pub(crate) fn take(
        &mut self,
        primary: u32,
        secondary: u32,
        pairs: impl Iterator<Item = (u32, u32)>,
        bonds: impl Iterator<Item = usize>,
    ) {
        let map = Map { pairs: pairs.collect(), bonds: bonds.map(|bond| bond as u32).collect() };
        if !self.required.iter().all(|q| map.pairs.iter().any(|pair| pair.0 == *q)) {
            return;
        }
        let better = (primary, secondary) > (self.primary, self.secondary);
        (self.primary, self.secondary) = (primary, secondary);
        if let Some((maps, limit)) = &mut self.all {
            if better {
                maps.clear();
                self.overflow = false;
            }
            if maps.len() < *limit {
                maps.push(map.clone());
            } else {
                self.overflow = true;
            }
        }
        self.map = map;
    }

    /// Starts over without a map; the sizes found so far stay as a floor when all maps of that
    /// size are collected.
    pub(crate) fn forget(&mut self) {
        if let Some((maps, _)) = &mut self.all {
            maps.clear();
            self.overflow = false;
        } else {
            (self.primary, self.secondary) = (0, 0);
        }
        self.map = Map::default();
    }
}

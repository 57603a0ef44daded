//! The common substructure of a series: the largest connected part that enough molecules hold.

use std::collections::BTreeMap;

use synthon_budget::{Budget, Status, Stop};
use synthon_mol::Molecule;

use crate::answer::McsError;
use crate::bits::Bits;
use crate::connected_atoms::AtomSearch;
use crate::connected_bonds::BondSearch;
use crate::constrained::{McsConstraints, find_constrained_mcs};
use crate::incumbent::Incumbent;
use crate::measure::Count;
use crate::options::{McsOptions, Objective};
use crate::peel;
use crate::placement::first_placement;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::series_search::{BestPart, Halt, Member, SeriesSearch};
use crate::similarity::similarity;
use crate::smarts::{SmartsWriter, atom_term};
use crate::strategy::{LARGEST, largest_size};

/// Nodes that a search of one pair may cost when it only prepares the search of the series.
const PAIR_NODES: u64 = 20_000;

/// Molecules that a reference is compared with one by one before the search of the series.
const PAIRS_TRIED: usize = 8;

/// How the common substructure of a series is to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesOptions {
    /// Share of the inputs that must hold the substructure, above 0 and at most 1 (default).
    pub support: f64,
    /// Objective and chemistry; `connected` must be true.
    pub mcs: McsOptions,
}

impl Default for SeriesOptions {
    /// All inputs, connected MCIS by elements and bond orders.
    fn default() -> Self {
        SeriesOptions { support: 1.0, mcs: McsOptions::default() }
    }
}

/// The common substructure of a series.
#[derive(Clone, Debug)]
pub struct SeriesMcs {
    /// The input that the substructure is cut from.
    pub reference: Option<usize>,
    /// Its atoms in the reference, ascending; empty when nothing is common.
    pub atoms: Vec<u32>,
    /// Its bonds, as pairs of atoms of the reference.
    pub bonds: Vec<(u32, u32)>,
    /// For each input the atoms that stand for `atoms`, in the same order: one embedding, and
    /// for the reference `atoms` itself. `None` for an input that does not hold the substructure.
    pub placements: Vec<Option<Vec<u32>>>,
    /// SMARTS that matches every input with a placement, its atoms in the order of
    /// `smarts_atoms`.
    pub smarts: String,
    /// For each atom of the SMARTS its place in `atoms`.
    pub smarts_atoms: Vec<u32>,
    /// How many inputs had to hold it.
    pub needed: usize,
    /// How the search ended.
    pub status: Status,
    /// Whether the sizes are proved to be the greatest on both levels of the objective; otherwise
    /// the substructure is valid, and a lower bound.
    pub optimal: bool,
    /// No substructure has more atoms (MCIS) or bonds (MCES) than this; proved in any case.
    pub at_most: usize,
    /// Search nodes visited.
    pub nodes: u64,
}

impl SeriesMcs {
    /// The first size of the objective: atoms (MCIS) or bonds (MCES).
    pub fn score(&self, objective: Objective) -> usize {
        match objective {
            Objective::Mcis => self.atoms.len(),
            Objective::Mces => self.bonds.len(),
        }
    }

    /// The inputs that hold the substructure.
    pub fn supporting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.placements.len()).filter(|&i| self.placements[i].is_some())
    }
}

/// Finds the largest connected part of an input that enough inputs hold.
///
/// A molecule holds a part of the reference when the part can be mapped into it whole, under the
/// rules of a pair with the reference as its query: induced for MCIS, by bonds for MCES. Every
/// input is considered as the reference, so that the sizes of a proved answer do not depend on
/// the order of the inputs; inputs that are given more than once are searched once and counted
/// as often as they are given, so that a copy changes nothing where all must hold the part.
/// A budget that runs out leaves the best part found so far.
///
/// ```
/// use synthon_budget::Budget;
/// use synthon_mcs::{SeriesOptions, find_series_mcs};
/// use synthon_mol::Molecule;
///
/// let series = ["Cc1ccccc1O", "Clc1ccccc1O", "NCc1ccccc1O"];
/// let series = series.map(|text| Molecule::from_smiles(text).unwrap());
/// let mut budget = Budget::unlimited();
/// let found = find_series_mcs(&series, &SeriesOptions::default(), &mut budget)?;
/// assert!(found.optimal);
/// assert_eq!((found.atoms.len(), found.bonds.len()), (7, 7));
/// assert_eq!(found.smarts, "[#6]:1:[#6]:[#6]:[#6]:[#6]:[#6]1-[#8]");
/// # Ok::<(), synthon_mcs::McsError>(())
/// ```
///
/// # Errors
/// [`McsError::Support`] for a share that is not above 0 and at most 1; [`McsError::Series`] when
/// several pieces are asked for; [`McsError::TooLarge`] as in [`find_mcs`](crate::find_mcs).
pub fn find_series_mcs(
    molecules: &[Molecule],
    options: &SeriesOptions,
    budget: &mut Budget,
) -> Result<SeriesMcs, McsError> {
    if !(options.support > 0.0 && options.support <= 1.0) {
        return Err(McsError::Support);
    }
    if !options.mcs.connected {
        return Err(McsError::Series("the common substructure of a series is connected"));
    }
    let needed = (options.support * molecules.len() as f64 - 1e-9).ceil().max(1.0) as usize;
    let largest = molecules.iter().map(|molecule| largest_size(molecule, molecule)).max();
    match largest.unwrap_or(0) {
        0..=64 => Ok(Series::<1>::new(molecules, options, needed).find(budget)),
        65..=128 => Ok(Series::<2>::new(molecules, options, needed).find(budget)),
        129..=256 => Ok(Series::<4>::new(molecules, options, needed).find(budget)),
        257..=LARGEST => Ok(Series::<32>::new(molecules, options, needed).find(budget)),
        found => Err(McsError::TooLarge { found, limit: LARGEST }),
    }
}

/// Inputs that are the same molecule.
struct Class {
    /// The first of them.
    first: usize,
    inputs: Vec<usize>,
}

struct Series<'a, const W: usize> {
    molecules: &'a [Molecule],
    options: &'a SeriesOptions,
    needed: usize,
    classes: Vec<Class>,
}

impl<'a, const W: usize> Series<'a, W> {
    fn new(molecules: &'a [Molecule], options: &'a SeriesOptions, needed: usize) -> Self {
        let mut classes: BTreeMap<(usize, u128), Class> = BTreeMap::new();
        for (index, molecule) in molecules.iter().enumerate() {
            // The smallest first: a small reference leaves the least to search.
            let key = (molecule.atom_count(), molecule.canonical_key());
            let class = classes.entry(key).or_insert(Class { first: index, inputs: Vec::new() });
            class.inputs.push(index);
        }
        Series { molecules, options, needed, classes: classes.into_values().collect() }
    }

    fn problem(&self, query: usize, target: usize) -> Problem<W> {
        Problem::new(&Rules {
            query: &self.molecules[query],
            target: &self.molecules[target],
            options: &self.options.mcs.chemistry,
        })
    }

    fn find(&self, budget: &mut Budget) -> SeriesMcs {
        let mut best = BestPart::default();
        let mut at_most = 0;
        let mut halt = None;
        for reference in 0..self.classes.len() {
            // Where the search is over, what is left still bounds the answer.
            let bound = match &halt {
                None => match self.search_reference(reference, &mut best, budget) {
                    Ok(()) => continue,
                    Err((bound, why)) => {
                        halt = (why != Halt::Memory).then_some(why);
                        bound
                    }
                },
                Some(_) => self.greatest_size(reference),
            };
            at_most = at_most.max(bound);
        }
        let optimal = at_most == 0 || at_most < best.primary;
        let status = match budget.status() {
            Status::Completed if !optimal => Status::LimitReached,
            status => status,
        };
        self.report(&best, status, optimal, at_most.max(best.primary) as usize, budget)
    }

    /// The first size that no part of a reference can exceed.
    fn greatest_size(&self, reference: usize) -> u32 {
        let molecule = &self.molecules[self.classes[reference].first];
        match self.options.mcs.objective {
            Objective::Mcis => molecule.atom_count() as u32,
            Objective::Mces => molecule.bond_count() as u32,
        }
    }

    /// Searches one reference to the proof; otherwise what bounds it, and why it stopped.
    fn search_reference(
        &self,
        reference: usize,
        best: &mut BestPart,
        budget: &mut Budget,
    ) -> Result<(), (u32, Halt)> {
        let stopped = |stop: Stop| (self.greatest_size(reference), Halt::Budget(stop));
        budget.check().map_err(stopped)?;
        let class = &self.classes[reference];
        let mut members = Vec::with_capacity(self.classes.len());
        let mut others = Vec::with_capacity(self.classes.len());
        for (index, other) in self.classes.iter().enumerate() {
            if index != reference {
                budget.check().map_err(stopped)?;
                let problem = self.problem(class.first, other.first);
                let weight = other.inputs.len();
                members.push(Member { molecule: other.first, problem, weight });
                others.push(other.first);
            }
        }
        let needed = self.needed.saturating_sub(class.inputs.len());
        let own = self.problem(class.first, class.first);
        let objective = self.options.mcs.objective;
        let mut search = SeriesSearch::new(class.first, own, members, needed, objective);
        let all = Bits::first(self.molecules[class.first].atom_count());
        let bound = search.bound_within(&all);
        if bound < best.primary || bound == 0 {
            return Ok(());
        }
        if best.order.is_empty() {
            self.first_answer(&search, &others, best, budget)
                .map_err(|stop| (bound, stop.into()))?;
        }
        match self.is_hopeless(&search, &others, best, budget) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(stop) => return Err((bound, stop.into())),
        }
        search.run(best, budget).map_err(|halt| (bound, halt))
    }

    /// A first answer: what is left of the reference when it is compared with one molecule after
    /// the other, beginning with those that share the most with it.
    fn first_answer(
        &self,
        search: &SeriesSearch<W>,
        others: &[usize],
        best: &mut BestPart,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let reference = &self.molecules[search.reference];
        let mcs = &self.options.mcs;
        let compare = |other: usize, excluded: &[u32], budget: &mut Budget| {
            let constraints = McsConstraints {
                excluded_query_atoms: excluded.to_vec(),
                ..McsConstraints::default()
            };
            let mut child = budget.child().with_node_limit(PAIR_NODES);
            let other = &self.molecules[other];
            let answer = find_constrained_mcs(reference, other, mcs, &constraints, &mut child);
            budget.spend(child.nodes()).map(|()| answer.ok().and_then(|answer| answer.common))
        };
        let mut by_size = Vec::with_capacity(others.len());
        for (index, &other) in others.iter().enumerate() {
            let size = compare(other, &[], budget)?.map_or(0, |c| c.score(mcs.objective));
            by_size.push((std::cmp::Reverse(size), index));
        }
        by_size.sort_unstable();
        let mut excluded: Vec<u32> = Vec::new();
        let mut bonds: Vec<u32> = (0..reference.bond_count() as u32).collect();
        let mut held = 0;
        for &(_, index) in &by_size {
            if held >= search.needed {
                break;
            }
            let Some(common) = compare(others[index], &excluded, budget)? else { return Ok(()) };
            let atoms: Vec<u32> = common.atoms.iter().map(|&(q, _)| q).collect();
            excluded = (0..reference.atom_count() as u32).filter(|q| !atoms.contains(q)).collect();
            let joined: Vec<u32> = common
                .bonds
                .iter()
                .filter_map(|bond| {
                    let (a, b) = bond.query;
                    reference.bond_between(a as usize, b as usize).map(|bond| bond as u32)
                })
                .collect();
            bonds.retain(|bond| joined.contains(bond));
            held += search.members[index].weight;
        }
        if by_size.is_empty() {
            return Ok(());
        }
        // Judged like any other: with whole rings, or where bonds were dropped, it may not hold.
        let joined = bonds.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &bond| {
            all.insert(bond as usize);
            all
        });
        let atoms = search.own.query.ends_of(&joined);
        let Some(start) = atoms.lowest() else { return Ok(()) };
        let order = connected_order(&search.own, start, &joined);
        if order.len() != atoms.len() {
            return Ok(());
        }
        let rings = search.own.rings.as_ref();
        if rings.is_some_and(|rings| !rings.query.are_whole(&atoms, &joined)) {
            return Ok(());
        }
        let (mut held, mut placements) = (0, Vec::new());
        for member in &search.members {
            let found = first_placement(
                &member.problem,
                &order,
                &joined,
                self.options.mcs.objective,
                budget,
            )?;
            held += if found.is_some() { member.weight } else { 0 };
            placements.extend(found.map(|images| (member.molecule, images)));
        }
        if held >= search.needed {
            let (n, m) = (order.len() as u32, joined.len() as u32);
            let (primary, secondary) = match self.options.mcs.objective {
                Objective::Mcis => (n, m),
                Objective::Mces => (m, n),
            };
            let reference = search.reference;
            *best = BestPart { primary, secondary, reference, order, bonds, placements };
        }
        Ok(())
    }

    /// Whether so many pairs with the reference are proved to have nothing better than the best
    /// that too few molecules are left.
    fn is_hopeless(
        &self,
        search: &SeriesSearch<W>,
        others: &[usize],
        best: &BestPart,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let mut left: usize = search.members.iter().map(|member| member.weight).sum();
        if left < search.needed {
            return Ok(true);
        }
        let mut order: Vec<usize> = (0..others.len()).collect();
        order.sort_by_key(|&index| (self.molecules[others[index]].atom_count(), index));
        for index in order.into_iter().take(PAIRS_TRIED) {
            let problem = &search.members[index].problem;
            let mut child = budget.child().with_node_limit(PAIR_NODES);
            let mut floor = Incumbent {
                primary: best.primary,
                secondary: best.secondary,
                ..Incumbent::default()
            };
            let order = similarity(problem, &mut child)?;
            let ended = match self.options.mcs.objective {
                Objective::Mcis => {
                    let mut search = AtomSearch::new(problem, &order, Count);
                    peel::run(&mut search, &order, &mut floor, &mut child)
                }
                Objective::Mces => {
                    let mut search = BondSearch::new(problem, &order);
                    peel::run(&mut search, &order, &mut floor, &mut child)
                }
            };
            budget.spend(child.nodes())?;
            if ended.is_ok() && floor.map.pairs.is_empty() {
                left -= search.members[index].weight;
                if left < search.needed {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn report(
        &self,
        best: &BestPart,
        status: Status,
        optimal: bool,
        at_most: usize,
        budget: &Budget,
    ) -> SeriesMcs {
        let mut answer = SeriesMcs {
            reference: None,
            atoms: Vec::new(),
            bonds: Vec::new(),
            placements: vec![None; self.molecules.len()],
            smarts: String::new(),
            smarts_atoms: Vec::new(),
            needed: self.needed,
            status,
            optimal,
            at_most,
            nodes: budget.nodes(),
        };
        if best.order.is_empty() {
            return answer;
        }
        let reference = &self.molecules[best.reference];
        answer.reference = Some(best.reference);
        answer.atoms = best.order.clone();
        answer.atoms.sort_unstable();
        answer.bonds = best
            .bonds
            .iter()
            .map(|&bond| {
                let bond = reference.bond(bond as usize);
                let (a, b) = (bond.begin() as u32, bond.end() as u32);
                (a.min(b), a.max(b))
            })
            .collect();
        answer.bonds.sort_unstable();
        let own = (best.reference, best.order.clone());
        for (first, images) in std::iter::once(&own).chain(&best.placements) {
            let mut pairs: Vec<(u32, u32)> =
                best.order.iter().copied().zip(images.iter().copied()).collect();
            pairs.sort_unstable();
            let images: Vec<u32> = pairs.into_iter().map(|(_, t)| t).collect();
            let class = self.classes.iter().find(|class| class.first == *first);
            for &input in class.iter().flat_map(|class| &class.inputs) {
                answer.placements[input] = self.carried_over(*first, input, &images);
            }
        }
        self.write_smarts(reference, &mut answer);
        answer
    }

    /// Atoms of one input as atoms of another that is the same molecule.
    fn carried_over(&self, from: usize, to: usize, atoms: &[u32]) -> Option<Vec<u32>> {
        if from == to {
            return Some(atoms.to_vec());
        }
        let ranks = self.molecules[from].canonical_ranks();
        let mut by_rank = vec![0; ranks.len()];
        for (atom, &rank) in self.molecules[to].canonical_ranks().iter().enumerate() {
            *by_rank.get_mut(rank as usize)? = atom as u32;
        }
        atoms.iter().map(|&atom| by_rank.get(ranks[atom as usize] as usize).copied()).collect()
    }

    fn write_smarts(&self, reference: &Molecule, answer: &mut SeriesMcs) {
        let chemistry = &self.options.mcs.chemistry;
        let held: Vec<(&Molecule, &Vec<u32>)> = std::iter::once((reference, &answer.atoms))
            .chain(
                self.molecules
                    .iter()
                    .zip(&answer.placements)
                    .filter_map(|(molecule, placement)| Some((molecule, placement.as_ref()?))),
            )
            .collect();
        let mut writer = SmartsWriter::default();
        for place in 0..answer.atoms.len() {
            let images: Vec<_> = held.iter().map(|&(m, atoms)| (m, atoms[place])).collect();
            writer.atoms.push(atom_term(&images, chemistry));
        }
        for &(a, b) in &answer.bonds {
            let (a, b) = (
                answer.atoms.partition_point(|&q| q < a),
                answer.atoms.partition_point(|&q| q < b),
            );
            let images: Vec<_> = held.iter().map(|&(m, atoms)| (m, (atoms[a], atoms[b]))).collect();
            writer.add_bond(a as u32, b as u32, &images, chemistry);
        }
        (answer.smarts, answer.smarts_atoms) = writer.write();
    }
}

/// The atoms that `joined` reaches from `start`, each bonded to one before it.
fn connected_order<const W: usize>(
    problem: &Problem<W>,
    start: usize,
    joined: &Bits<W>,
) -> Vec<u32> {
    let mut order = vec![start as u32];
    let mut seen = Bits::<W>::single(start);
    let mut next = 0;
    while let Some(&atom) = order.get(next) {
        next += 1;
        for &(other, bond) in &problem.query.neighbours[atom as usize] {
            if joined.contains(bond as usize) && !seen.contains(other as usize) {
                seen.insert(other as usize);
                order.push(other);
            }
        }
    }
    order
}

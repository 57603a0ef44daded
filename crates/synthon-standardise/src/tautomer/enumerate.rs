//! All tautomers within limits.

use std::collections::BTreeMap;
use std::ops::Bound;

use synthon_budget::{Status, Stop};
use synthon_mol::{BondOrder, BondStereo, Chirality, Hydrogens, Molecule, MoleculeBuilder};
use synthon_query::{Target, TargetProfile};

use super::TautomerLimits;
use super::rules::{Rule, rules};
use crate::order::ByRank;
use crate::search::Finder;

/// What was found.
pub(super) struct Enumerated {
    /// By canonical text; the input is one of them.
    pub(super) tautomers: Vec<(String, Molecule)>,
    pub(super) status: Status,
}

struct Tautomer {
    molecule: Molecule,
    /// All rules have been tried on it.
    done: bool,
    /// Atoms and bonds that had changed when its stereo marks were last looked through.
    changed: (usize, usize),
}

/// Which atoms gave or took a proton, and which bonds changed, in any tautomer. Stereo marks mean
/// nothing there.
struct Zone {
    atoms: Vec<bool>,
    bonds: Vec<bool>,
}

impl Zone {
    fn size(&self) -> (usize, usize) {
        let count = |marks: &[bool]| marks.iter().filter(|&&mark| mark).count();
        (count(&self.atoms), count(&self.bonds))
    }
}

/// Enumerates the tautomers of a molecule whose atoms are in canonical order.
///
/// Tautomers are gone through in the order of their texts, so that what is found within the
/// limits does not depend on the spelling either.
pub(super) fn tautomers(
    start: Molecule,
    limits: &TautomerLimits,
    finder: &mut Finder<'_>,
) -> Enumerated {
    let mut work = Enumeration {
        zone: Zone {
            atoms: vec![false; start.atom_count()],
            bonds: vec![false; start.bond_count()],
        },
        transforms: 0,
        found: BTreeMap::new(),
        limits: *limits,
        limit_hit: None,
        start,
    };
    let stop = work.run(finder).err();
    let status = match (stop, work.limit_hit) {
        (Some(stop), _) => stop.into(),
        (None, Some(_)) => Status::LimitReached,
        (None, None) => Status::Completed,
    };
    let tautomers = work.found.into_iter().map(|(text, t)| (text, t.molecule)).collect();
    Enumerated { tautomers, status }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Tautomers,
    Transforms,
}

struct Enumeration {
    start: Molecule,
    limits: TautomerLimits,
    found: BTreeMap<String, Tautomer>,
    zone: Zone,
    transforms: usize,
    limit_hit: Option<Limit>,
}

impl Enumeration {
    fn run(&mut self, finder: &mut Finder<'_>) -> Result<(), Stop> {
        let first = Tautomer { molecule: self.start.clone(), done: false, changed: (0, 0) };
        self.found.insert(self.start.to_smiles(), first);
        loop {
            let ended = self.pass(finder);
            let open = self.found.values().any(|tautomer| !tautomer.done);
            self.drop_stereo();
            ended?;
            if self.limit_hit == Some(Limit::Tautomers) && self.found.len() < self.limits.tautomers
            {
                // Some turned out to be the same.
                self.limit_hit = None;
            }
            if !open || self.limit_hit.is_some() {
                return Ok(());
            }
        }
    }

    /// Tries all rules on all tautomers not tried yet, in the order of their texts, those found
    /// further down on the way included.
    fn pass(&mut self, finder: &mut Finder<'_>) -> Result<(), Stop> {
        let mut after = Bound::Unbounded;
        loop {
            let next = self
                .found
                .range::<String, _>((after, Bound::Unbounded))
                .find(|(_, tautomer)| !tautomer.done)
                .map(|(text, tautomer)| (text.clone(), tautomer.molecule.clone()));
            let Some((text, molecule)) = next else { return Ok(()) };
            if self.limit_hit.is_none() {
                self.expand(&molecule, finder)?;
            }
            if let Some(tautomer) = self.found.get_mut(&text) {
                tautomer.done = true;
            }
            after = Bound::Excluded(text);
        }
    }

    /// Applies every rule to one tautomer wherever it applies.
    fn expand(&mut self, tautomer: &Molecule, finder: &mut Finder<'_>) -> Result<(), Stop> {
        let ordered = ByRank::of(tautomer);
        let profile = TargetProfile::kekulised(&ordered.molecule);
        let target = Target::with_profile(&ordered.molecule, &profile);
        for rule in rules() {
            let places = finder.all(&rule.pattern, &target)?;
            if places.is_empty() {
                continue;
            }
            self.transforms += 1;
            for place in places {
                if self.transforms >= self.limits.transforms {
                    self.limit_hit = Some(Limit::Transforms);
                } else if self.found.len() >= self.limits.tautomers {
                    self.limit_hit = Some(Limit::Tautomers);
                }
                if self.limit_hit.is_some() {
                    return Ok(());
                }
                // Building a molecule and its text takes about as long as so many steps of a
                // search.
                finder.budget.spend(16 + tautomer.atom_count() as u64)?;
                finder.budget.check()?;
                self.apply(rule, tautomer, &ordered.original(&place));
            }
        }
        Ok(())
    }

    fn apply(&mut self, rule: &Rule, tautomer: &Molecule, place: &[u32]) {
        let (first, last) = (place[0] as usize, place[place.len() - 1] as usize);
        let giver = tautomer.atom(first).hydrogens();
        if giver == 0 {
            // Its only hydrogens are atoms of the graph (deuterium), which do not move.
            return;
        }
        self.zone.atoms[first] = true;
        self.zone.atoms[last] = true;
        let mut builder = tautomer.to_builder();
        builder.atom_mut(first).hydrogens = Hydrogens::Exactly(giver - 1);
        builder.atom_mut(last).hydrogens =
            Hydrogens::Exactly(tautomer.atom(last).hydrogens().saturating_add(1));
        for (index, query) in rule.pattern.bonds().iter().enumerate() {
            let ends = (place[query.begin()] as usize, place[query.end()] as usize);
            let Some(bond) = tautomer.bond_between(ends.0, ends.1) else { return };
            self.zone.bonds[bond] = true;
            let before = tautomer.bond(bond);
            if before.is_aromatic() {
                // The double bonds of the ring are placed anew.
                continue;
            }
            let order = match (rule.orders.get(index), before.order()) {
                (Some(&order), _) => order,
                (None, BondOrder::Single) => BondOrder::Double,
                (None, BondOrder::Double) => BondOrder::Single,
                (None, other) => other,
            };
            builder.bond_mut(bond).order = order;
        }
        for (&change, &atom) in rule.charges.iter().zip(place) {
            let spec = builder.atom_mut(atom as usize);
            spec.charge = (i32::from(spec.charge) + change) as i8;
            if let Hydrogens::Implied = spec.hydrogens {
                spec.hydrogens = Hydrogens::Exactly(tautomer.atom(atom as usize).hydrogens());
            }
        }
        self.restore_stereo(&mut builder);
        let Ok(product) = builder.build() else { return };
        let text = product.to_smiles();
        if self.found.contains_key(&text) {
            return;
        }
        for (bond, changed) in self.zone.bonds.iter_mut().enumerate() {
            *changed |= self.start.bond(bond).order() != product.bond(bond).order();
        }
        let changed = self.zone.size();
        self.found.insert(text, Tautomer { molecule: product, done: false, changed });
    }

    /// Puts the marks of the input on a tautomer, but for those in the zone.
    fn restore_stereo(&self, builder: &mut MoleculeBuilder) {
        for (atom, given) in self.start.atoms().iter().enumerate() {
            let mark = if self.zone.atoms[atom] { Chirality::None } else { given.chirality() };
            builder.atom_mut(atom).chirality = mark;
        }
        for (bond, given) in self.start.bonds().iter().enumerate() {
            let spec = builder.bond_mut(bond);
            let keeps = !self.zone.bonds[bond] && spec.order == given.order();
            spec.stereo = if keeps { given.stereo() } else { BondStereo::None };
        }
    }

    /// Takes stereo marks off that have come to lie in the zone since a tautomer was found; two
    /// that are the same without become one.
    fn drop_stereo(&mut self) {
        let size = self.zone.size();
        let stale: Vec<String> = self
            .found
            .iter()
            .filter(|(_, t)| t.changed.0 < size.0 || t.changed.1 < size.1)
            .filter(|(_, t)| self.has_marks_in_zone(&t.molecule))
            .map(|(text, _)| text.clone())
            .collect();
        for text in stale {
            let Some(mut tautomer) = self.found.remove(&text) else { continue };
            let mut builder = tautomer.molecule.to_builder();
            self.restore_stereo(&mut builder);
            if let Ok(molecule) = builder.build() {
                tautomer.molecule = molecule;
            }
            tautomer.changed = size;
            self.found.entry(tautomer.molecule.to_smiles()).or_insert(tautomer);
        }
    }

    fn has_marks_in_zone(&self, molecule: &Molecule) -> bool {
        let marked = |(i, atom): (usize, &synthon_mol::Atom)| {
            self.zone.atoms[i] && atom.chirality() != Chirality::None
        };
        let geometric = |(i, bond): (usize, &synthon_mol::Bond)| {
            self.zone.bonds[i] && bond.stereo() != BondStereo::None
        };
        molecule.atoms().iter().enumerate().any(marked)
            || molecule.bonds().iter().enumerate().any(geometric)
    }
}

//! One pair of molecules as the search engines see it: who may match whom, as bit sets.

use synthon_budget::{Budget, Stop};
use synthon_mol::Molecule;

use crate::bits::Bits;
use crate::rings::{RingSet, WholeRings};
use crate::rules::Rules;
use crate::stereo::StereoRules;

/// An upper bound of the form |Q ∩ query| + |T ∩ target|, where Q and T are what is still open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut<const W: usize> {
    pub(crate) query: Bits<W>,
    pub(crate) target: Bits<W>,
}

/// Items (atoms or bonds) that can only match among each other. At most the least of its cuts
/// can be matched.
#[derive(Clone, Debug)]
pub(crate) struct Group<const W: usize> {
    pub(crate) query: Bits<W>,
    pub(crate) target: Bits<W>,
    pub(crate) cuts: Vec<Cut<W>>,
}

impl<const W: usize> Group<W> {
    #[inline(always)]
    pub(crate) fn bound(&self, query: &Bits<W>, target: &Bits<W>) -> usize {
        let mut bound = self.query.common(query).min(self.target.common(target));
        for cut in &self.cuts {
            bound = bound.min(cut.query.common(query) + cut.target.common(target));
        }
        bound
    }
}

/// The most of `query` and `target` that can be matched by these groups.
#[inline(always)]
pub(crate) fn bound<const W: usize>(
    groups: &[Group<W>],
    query: &Bits<W>,
    target: &Bits<W>,
) -> usize {
    groups.iter().map(|group| group.bound(query, target)).sum()
}

/// One molecule's graph as bit sets.
pub(crate) struct Side<const W: usize> {
    pub(crate) atoms: usize,
    pub(crate) bonds: Vec<(u32, u32)>,
    pub(crate) adjacent: Vec<Bits<W>>,
    /// Bonds at each atom.
    pub(crate) incident: Vec<Bits<W>>,
    /// Neighbour and bond, by atom.
    pub(crate) neighbours: Vec<Vec<(u32, u32)>>,
    /// The lowest atom that is this atom's twin: a leaf on the same neighbour that looks the
    /// same to every rule. The atom itself when it has none.
    pub(crate) twin: Vec<u32>,
}

impl<const W: usize> Side<W> {
    fn new(molecule: &Molecule, match_stereo: bool) -> Self {
        let n = molecule.atom_count();
        let mut side = Side {
            atoms: n,
            bonds: molecule.bonds().iter().map(|b| (b.begin() as u32, b.end() as u32)).collect(),
            adjacent: vec![Bits::EMPTY; n],
            incident: vec![Bits::EMPTY; n],
            neighbours: vec![Vec::new(); n],
            twin: (0..n as u32).collect(),
        };
        for (index, bond) in molecule.bonds().iter().enumerate() {
            for (from, to) in [(bond.begin(), bond.end()), (bond.end(), bond.begin())] {
                side.adjacent[from].insert(to);
                side.incident[from].insert(index);
                side.neighbours[from].push((to as u32, index as u32));
            }
        }
        for hub in 0..n {
            if match_stereo && molecule.atom(hub).chirality().is_tetrahedral() {
                continue;
            }
            let leaves: Vec<(usize, usize)> = side.neighbours[hub]
                .iter()
                .map(|&(leaf, bond)| (leaf as usize, bond as usize))
                .filter(|&(leaf, _)| molecule.degree(leaf) == 1)
                .collect();
            let key =
                |(leaf, bond)| (Rules::atom_key(molecule, leaf), Rules::bond_key(molecule, bond));
            for (index, &leaf) in leaves.iter().enumerate() {
                if let Some(first) = leaves[..index].iter().find(|&&other| key(other) == key(leaf))
                {
                    side.twin[leaf.0] = first.0 as u32;
                }
            }
        }
        side
    }

    /// Keeps as twins only those that are `alike`.
    fn split_twins(&mut self, alike: impl Fn(usize, usize) -> bool) {
        let old = self.twin.clone();
        for atom in 0..self.atoms {
            let first = (0..atom).find(|&other| old[other] == old[atom] && alike(other, atom));
            self.twin[atom] = first.unwrap_or(atom) as u32;
        }
    }

    /// The atom and its twins.
    pub(crate) fn twins(&self, atom: usize) -> Bits<W> {
        let mut twins = Bits::single(atom);
        if let [(hub, _)] = self.neighbours[atom][..] {
            for &(leaf, _) in &self.neighbours[hub as usize] {
                if self.twin[leaf as usize] == self.twin[atom] {
                    twins.insert(leaf as usize);
                }
            }
        }
        twins
    }

    /// `atoms` with only the lowest of each set of twins.
    #[inline(always)]
    pub(crate) fn one_of_twins(&self, atoms: Bits<W>) -> Bits<W> {
        let mut kept = Bits::EMPTY;
        'atoms: for atom in atoms.iter() {
            for other in kept.iter() {
                if self.twin[other] == self.twin[atom] {
                    continue 'atoms;
                }
            }
            kept.insert(atom);
        }
        kept
    }

    /// What can be reached from `start` over these bonds.
    pub(crate) fn flood_over(&self, start: Bits<W>, bonds: &Bits<W>) -> Bits<W> {
        let mut reached = start;
        let mut todo = start;
        while let Some(atom) = todo.pop() {
            for &(other, bond) in &self.neighbours[atom] {
                if bonds.contains(bond as usize) && !reached.contains(other as usize) {
                    reached.insert(other as usize);
                    todo.insert(other as usize);
                }
            }
        }
        reached
    }

    /// What can be reached from `start` over `bonds` through `atoms`.
    pub(crate) fn flood_within(&self, start: usize, bonds: &Bits<W>, atoms: &Bits<W>) -> Bits<W> {
        let mut reached = Bits::single(start);
        let mut todo = reached;
        while let Some(atom) = todo.pop() {
            for &(other, bond) in &self.neighbours[atom] {
                let other = other as usize;
                if bonds.contains(bond as usize)
                    && atoms.contains(other)
                    && !reached.contains(other)
                {
                    reached.insert(other);
                    todo.insert(other);
                }
            }
        }
        reached
    }

    /// The ends of `bonds`.
    pub(crate) fn ends_of(&self, bonds: &Bits<W>) -> Bits<W> {
        let mut ends = Bits::EMPTY;
        for bond in bonds.iter() {
            let (a, b) = self.bonds[bond];
            ends.insert(a as usize);
            ends.insert(b as usize);
        }
        ends
    }

    /// Bonds with both ends in `atoms`.
    pub(crate) fn bonds_inside(&self, atoms: &Bits<W>) -> Bits<W> {
        let mut inside = Bits::EMPTY;
        for atom in atoms.iter() {
            for &(other, bond) in &self.neighbours[atom] {
                if atoms.contains(other as usize) {
                    inside.insert(bond as usize);
                }
            }
        }
        inside
    }

    /// What can be reached from `start` (included) inside `allowed`.
    #[inline(always)]
    pub(crate) fn flood(&self, start: Bits<W>, allowed: &Bits<W>) -> Bits<W> {
        let mut reached = start;
        let mut todo = start;
        while let Some(atom) = todo.pop() {
            let new = self.adjacent[atom].and(allowed).minus(&reached);
            reached = reached.or(&new);
            todo = todo.or(&new);
        }
        reached
    }

    /// Bonds with at least one end in `atoms`.
    #[inline(always)]
    pub(crate) fn touched_bonds(&self, atoms: &Bits<W>) -> Bits<W> {
        atoms.iter().fold(Bits::EMPTY, |all, atom| all.or(&self.incident[atom]))
    }

    /// Number of independent rings within `atoms`.
    pub(crate) fn rings_within(&self, atoms: &Bits<W>) -> u32 {
        let mut rest = *atoms;
        let mut pieces = 0;
        while let Some(seed) = rest.lowest() {
            rest = rest.minus(&self.flood(Bits::single(seed), &rest));
            pieces += 1;
        }
        (self.bonds_within(atoms) + pieces - atoms.len()) as u32
    }

    /// Number of bonds with both ends in `atoms`.
    #[inline(always)]
    pub(crate) fn bonds_within(&self, atoms: &Bits<W>) -> usize {
        atoms.iter().map(|atom| self.adjacent[atom].common(atoms)).sum::<usize>() / 2
    }
}

/// Spends one node. In large molecules one takes long enough to look at the clock each time.
#[inline(always)]
pub(crate) fn tick<const W: usize>(budget: &mut Budget) -> Result<(), Stop> {
    budget.tick()?;
    if W > 4 { budget.check() } else { Ok(()) }
}

/// Of a bond that matches none.
pub(crate) const NO_GROUP: u16 = u16::MAX;

/// A pair of molecules, with every compatibility worked out.
pub(crate) struct Problem<const W: usize> {
    pub(crate) query: Side<W>,
    pub(crate) target: Side<W>,
    /// Target atoms that may be the image of each query atom.
    pub(crate) domain: Vec<Bits<W>>,
    /// Kind of each query bond, a row of `reach`.
    pub(crate) kind: Vec<u8>,
    /// `reach[kind * target.atoms + t]`: neighbours of `t` over bonds that match the kind.
    pub(crate) reach: Vec<Bits<W>>,
    pub(crate) atom_groups: Vec<Group<W>>,
    pub(crate) bond_groups: Vec<Group<W>>,
    /// Group of each query bond, [`NO_GROUP`] for one that matches nothing.
    pub(crate) bond_group: Vec<u16>,
    /// Present when stereo counts.
    pub(crate) stereo: Option<StereoRules>,
    /// Present when only whole rings count.
    pub(crate) rings: Option<WholeRings<W>>,
    /// Query atoms that every map must hold, if there are any.
    pub(crate) required: Option<Bits<W>>,
}

impl<const W: usize> Problem<W> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (query, target) = (rules.query, rules.target);
        let match_stereo = rules.options.match_stereo;
        let query_side = Side::new(query, match_stereo);
        let target_side = Side::new(target, match_stereo);
        // Atoms that look the same to every rule have the same places.
        let mut known: Vec<usize> = Vec::new();
        let mut domain: Vec<Bits<W>> = Vec::with_capacity(query.atom_count());
        for q in 0..query.atom_count() {
            let key = Rules::atom_key(query, q);
            let row = match known.iter().find(|&&other| Rules::atom_key(query, other) == key) {
                Some(&same) => domain[same],
                None => {
                    known.push(q);
                    let places = (0..target.atom_count()).filter(|&t| rules.atoms_match(q, t));
                    places.fold(Bits::EMPTY, |mut row: Bits<W>, t| {
                        row.insert(t);
                        row
                    })
                }
            };
            domain.push(row);
        }

        let mut kinds = Vec::new();
        let kind: Vec<u8> = (0..query.bond_count())
            .map(|bond| {
                let key = Rules::bond_key(query, bond);
                let known = kinds.iter().position(|&(k, _)| k == key);
                known.unwrap_or_else(|| {
                    kinds.push((key, bond));
                    kinds.len() - 1
                }) as u8
            })
            .collect();
        let mut reach = vec![Bits::EMPTY; kinds.len() * target.atom_count()];
        for (row, &(_, example)) in kinds.iter().enumerate() {
            for bond in 0..target.bond_count() {
                if rules.bonds_match(example, bond) {
                    let (a, b) = (target.bond(bond).begin(), target.bond(bond).end());
                    reach[row * target.atom_count() + a].insert(b);
                    reach[row * target.atom_count() + b].insert(a);
                }
            }
        }

        let atom_groups = atom_groups(&domain);
        let bond_groups = bond_groups(&query_side, &target_side, &domain, rules);
        let stereo = match_stereo.then(|| StereoRules::new(query, target));
        let rings = rules
            .options
            .complete_rings_only
            .then(|| WholeRings { query: RingSet::new(query), target: RingSet::new(target) });
        Problem {
            query: query_side,
            target: target_side,
            domain,
            kind,
            reach,
            atom_groups,
            bond_group: group_of_bonds(&bond_groups, query.bond_count()),
            bond_groups,
            stereo,
            rings,
            required: None,
        }
    }

    /// Whether a map within these query atoms can hold all that are required.
    #[inline(always)]
    pub(crate) fn may_hold_required(&self, atoms: &Bits<W>) -> bool {
        self.required.as_ref().is_none_or(|required| required.minus(atoms).is_empty())
    }

    /// Leaves of the pairs that may match only those that `keeps(q, t)`. Atoms stay twins only
    /// where that and `class` (of a query atom) make no difference between them.
    pub(crate) fn restrict(
        &mut self,
        rules: &Rules,
        keeps: impl Fn(usize, usize) -> bool,
        class: impl Fn(usize) -> u32,
    ) {
        for (q, row) in self.domain.iter_mut().enumerate() {
            for t in row.iter() {
                if !keeps(q, t) {
                    row.remove(t);
                }
            }
        }
        let domain = &self.domain;
        let atoms = self.query.atoms;
        self.query.split_twins(|a, b| domain[a] == domain[b] && class(a) == class(b));
        self.target
            .split_twins(|a, b| (0..atoms).all(|q| domain[q].contains(a) == domain[q].contains(b)));
        self.atom_groups = atom_groups(&self.domain);
        self.bond_groups = bond_groups(&self.query, &self.target, &self.domain, rules);
        self.bond_group = group_of_bonds(&self.bond_groups, self.query.bonds.len());
    }

    /// Treats every atom as its own twin: for lists of all maps.
    pub(crate) fn tell_twins_apart(&mut self) {
        for side in [&mut self.query, &mut self.target] {
            side.twin = (0..side.atoms as u32).collect();
        }
    }

    /// The target bond that a matched query bond lies on.
    pub(crate) fn image_of_bond(&self, bond: usize, image: &[u32]) -> Option<usize> {
        let (a, b) = self.query.bonds[bond];
        let other = image[b as usize];
        self.target.neighbours[image[a as usize] as usize]
            .iter()
            .find(|&&(t, _)| t == other)
            .map(|&(_, bond)| bond as usize)
    }

    /// The target bonds that matched query bonds lie on.
    pub(crate) fn images_of_bonds(&self, joined: &Bits<W>, image: &[u32]) -> Bits<W> {
        joined.iter().filter_map(|bond| self.image_of_bond(bond, image)).fold(
            Bits::EMPTY,
            |mut all: Bits<W>, bond| {
                all.insert(bond);
                all
            },
        )
    }

    /// Neighbours of `t` over bonds that match query bond `bond`.
    #[inline(always)]
    pub(crate) fn reach(&self, bond: usize, t: usize) -> &Bits<W> {
        &self.reach[self.kind[bond] as usize * self.target.atoms + t]
    }

    /// Whether `t1` and `t2` are joined by a bond that matches query bond `bond`.
    #[inline(always)]
    pub(crate) fn bond_matches(&self, bond: usize, t1: usize, t2: usize) -> bool {
        self.reach(bond, t1).contains(t2)
    }
}

/// Groups of atoms by connected components of the relation "may match".
fn atom_groups<const W: usize>(domain: &[Bits<W>]) -> Vec<Group<W>> {
    // Query atoms with equal domains behave alike, and domains rarely overlap in part.
    let mut groups: Vec<Group<W>> = Vec::new();
    for (q, row) in domain.iter().enumerate() {
        if row.is_empty() {
            continue;
        }
        let mut merged = Group { query: Bits::single(q), target: *row, cuts: Vec::new() };
        groups.retain(|group| {
            let joined = group.target.meets(row);
            if joined {
                merged.query = merged.query.or(&group.query);
                merged.target = merged.target.or(&group.target);
            }
            !joined
        });
        groups.push(merged);
    }
    groups
}

/// Groups of bonds by connected components of the relation "may match", with one cut for each
/// class of query bonds that matches only a part of its group.
fn bond_groups<const W: usize>(
    query_side: &Side<W>,
    target_side: &Side<W>,
    domain: &[Bits<W>],
    rules: &Rules,
) -> Vec<Group<W>> {
    // Classes of query bonds with the target bonds that they match.
    let mut classes: Vec<(Bits<W>, Bits<W>)> = Vec::new();
    // A bond of each kind between each two domains, with its row.
    let mut known: Vec<(usize, Bits<W>)> = Vec::new();
    let ends = |bond: usize| {
        let (a, b) = query_side.bonds[bond];
        (&domain[a as usize], &domain[b as usize])
    };
    for bond in 0..query_side.bonds.len() {
        let (da, db) = ends(bond);
        let key = Rules::bond_key(rules.query, bond);
        let same = known.iter().find(|&&(other, _)| {
            let (x, y) = ends(other);
            Rules::bond_key(rules.query, other) == key
                && ((x == da && y == db) || (x == db && y == da))
        });
        let row = same.map_or_else(
            || {
                let mut row = Bits::EMPTY;
                for (other, &(x, y)) in target_side.bonds.iter().enumerate() {
                    let (x, y) = (x as usize, y as usize);
                    let ends =
                        (da.contains(x) && db.contains(y)) || (da.contains(y) && db.contains(x));
                    if ends && rules.bonds_match(bond, other) {
                        row.insert(other);
                    }
                }
                row
            },
            |&(_, row)| row,
        );
        if same.is_none() {
            known.push((bond, row));
        }
        match classes.iter_mut().find(|class| class.1 == row) {
            _ if row.is_empty() => {}
            Some(class) => class.0.insert(bond),
            None => classes.push((Bits::single(bond), row)),
        }
    }
    let mut groups: Vec<(Group<W>, Vec<(Bits<W>, Bits<W>)>)> = Vec::new();
    for class in classes {
        let mut merged = (Group { query: class.0, target: class.1, cuts: Vec::new() }, vec![class]);
        groups.retain_mut(|(group, members)| {
            let joined = group.target.meets(&class.1);
            if joined {
                merged.0.query = merged.0.query.or(&group.query);
                merged.0.target = merged.0.target.or(&group.target);
                merged.1.append(members);
            }
            !joined
        });
        groups.push(merged);
    }
    groups
        .into_iter()
        .map(|(mut group, members)| {
            if members.len() > 1 {
                for (bonds, matched) in members {
                    if matched != group.target {
                        group.cuts.push(Cut { query: group.query.minus(&bonds), target: matched });
                    }
                }
            }
            group
        })
        .collect()
}

fn group_of_bonds<const W: usize>(groups: &[Group<W>], bonds: usize) -> Vec<u16> {
    let mut of = vec![NO_GROUP; bonds];
    for (index, group) in groups.iter().enumerate() {
        for bond in group.query.iter() {
            of[bond] = index as u16;
        }
    }
    of
}

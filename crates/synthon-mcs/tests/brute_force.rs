//! The engines against brute force on small random pairs: every atom map and, for the edge
//! objective, every choice of common bonds that could beat the answer is built and judged by the
//! independent check.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_budget::Budget;
use synthon_mcs::{
    CommonBond, CommonSubgraph, McsOptions, Objective, check_common_subgraph, find_all_mcs,
    find_mcs,
};
use synthon_mol::{BondOrder, Molecule};
use synthon_query::{BondOrderMatch, ChemistryOptions};
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

/// Pairs for each option set: enough for every run; the long checks ask for more.
fn pairs() -> usize {
    std::env::var("SYNTHON_LONG_PAIRS").map_or(400, |text| text.parse().unwrap())
}

fn small_molecule(random: &mut Random, atoms: usize) -> (String, Molecule) {
    const SMALL: &[&str] = &[
        "C1CC1",
        "C1CCC1",
        "C1CC2CC12",
        "C1C2CC12",
        "C1CC1C",
        "OC1CC1",
        "C1CCC1C",
        "C=C1CC1",
        "C1OC1C",
        "c1ccsc1",
        "c1cc[nH]c1",
        "c1ccoc1",
        "C1CC2CC1C2",
        "C12CC1C2",
        "C1CC1.C",
        "CC.CC",
        "C[C@H](N)O",
        "C[C@@H](N)O",
        "C[C@](F)(N)O",
        "C[C@@](F)(Cl)Br",
        "F/C=C/F",
        "F/C=C\\F",
        "C/C=C/C=C",
        "C[C@H]1CCO1",
        "C[C@@H]1CCO1",
        "C[S@](=O)N",
        "C[S@@](=O)N",
        "C/C=N/C",
        "O[C@H]1C[C@@H]1F",
        "O[C@@H]1C[C@@H]1F",
        "C/C(F)=C/F",
        "C/C(F)=C\\F",
    ];
    let shape = MoleculeShape { atoms, closures: 2, aromatic_rings: 0, ..MoleculeShape::default() };
    loop {
        let text = if random.chance(40) {
            (*random.pick(SMALL)).to_string()
        } else {
            RandomMolecule::new(&shape, random).spell(random)
        };
        if let Ok(molecule) = Molecule::from_smiles(&text)
            && molecule.atom_count() <= 6
        {
            return (text, molecule);
        }
    }
}

/// Builds maps atom by atom; `visit` sees each of them.
struct Maps<'a> {
    query: &'a Molecule,
    target: &'a Molecule,
    options: &'a McsOptions,
    image: Vec<Option<usize>>,
}

impl Maps<'_> {
    /// Whether some valid common subgraph is larger than these sizes.
    fn can_exceed(&mut self, atom: usize, sizes: (usize, usize)) -> Option<CommonSubgraph> {
        if atom == self.query.atom_count() {
            return self.judge(sizes);
        }
        for t in 0..self.target.atom_count() {
            if !self.image.contains(&Some(t)) && self.atoms_match(atom, t) {
                self.image[atom] = Some(t);
                if let Some(found) = self.can_exceed(atom + 1, sizes) {
                    return Some(found);
                }
                self.image[atom] = None;
            }
        }
        self.can_exceed(atom + 1, sizes)
    }

    fn atoms_match(&self, q: usize, t: usize) -> bool {
        !self.options.chemistry.atom_type
            || self.query.atom(q).element() == self.target.atom(t).element()
    }

    fn sizes(&self, atoms: usize, bonds: usize) -> (usize, usize) {
        match self.options.objective {
            Objective::Mcis => (atoms, bonds),
            Objective::Mces => (bonds, atoms),
        }
    }

    fn judge(&self, sizes: (usize, usize)) -> Option<CommonSubgraph> {
        let mut common = Vec::new();
        for bond in self.query.bonds() {
            let (a, b) = (bond.begin().min(bond.end()), bond.begin().max(bond.end()));
            if let (Some(x), Some(y)) = (self.image[a], self.image[b])
                && let Some(other) = self.target.bond_between(x, y)
                && self.orders_match(bond.order(), self.target.bond(other).order())
            {
                common
                    .push(CommonBond { query: (a as u32, b as u32), target: (x as u32, y as u32) });
            }
        }
        common.sort_unstable();
        let all_atoms = self.image.iter().flatten().count();
        let may_drop = self.options.objective == Objective::Mces
            && (self.options.chemistry.match_stereo || self.options.chemistry.complete_rings_only);
        let subsets = if may_drop { 1u32 << common.len() } else { 1 };
        for dropped in 0..subsets {
            let bonds: Vec<CommonBond> =
                (0..common.len()).filter(|i| dropped >> i & 1 == 0).map(|i| common[i]).collect();
            if self.sizes(all_atoms, bonds.len()) <= sizes {
                continue;
            }
            let candidate = self.assemble(bonds);
            if check_common_subgraph(self.query, self.target, &candidate, self.options).is_empty() {
                return Some(candidate);
            }
        }
        None
    }

    fn orders_match(&self, a: BondOrder, b: BondOrder) -> bool {
        let flexible = |o| matches!(o, BondOrder::Single | BondOrder::Double);
        self.options.chemistry.bond_order != BondOrderMatch::Strict
            || a == b
            || (a == BondOrder::Aromatic && flexible(b))
            || (b == BondOrder::Aromatic && flexible(a))
    }

    fn assemble(&self, bonds: Vec<CommonBond>) -> CommonSubgraph {
        let atoms: Vec<(u32, u32)> = (0..self.image.len())
            .filter_map(|q| self.image[q].map(|t| (q as u32, t as u32)))
            .collect();
        let mut piece: Vec<u32> = (0..self.image.len() as u32).collect();
        for _ in 0..bonds.len() {
            for bond in &bonds {
                let low = piece[bond.query.0 as usize].min(piece[bond.query.1 as usize]);
                piece[bond.query.0 as usize] = low;
                piece[bond.query.1 as usize] = low;
            }
        }
        let mut fragments: Vec<Vec<u32>> = Vec::new();
        for &(q, _) in &atoms {
            let home = piece[q as usize];
            match fragments.iter_mut().find(|f| piece[f[0] as usize] == home) {
                Some(fragment) => fragment.push(q),
                None => fragments.push(vec![q]),
            }
        }
        CommonSubgraph { atoms, bonds, fragments }
    }
}

fn compare(seed: u64, options: &McsOptions) {
    let mut random = Random::new(seed);
    for round in 0..pairs() {
        // Dropping bonds multiplies the work of the reference.
        let atoms = if options.chemistry.match_stereo { 5 } else { 6 };
        let (text_a, a) = small_molecule(&mut random, atoms);
        let (text_b, b) = small_molecule(&mut random, atoms);
        let answer = find_mcs(&a, &b, options, &mut Budget::unlimited()).unwrap();
        let back = find_mcs(&b, &a, options, &mut Budget::unlimited()).unwrap();
        let sizes = |common: &Option<CommonSubgraph>| {
            let (atoms, bonds) = common.as_ref().map_or((0, 0), |c| (c.atoms.len(), c.bonds.len()));
            match options.objective {
                Objective::Mcis => (atoms, bonds),
                Objective::Mces => (bonds, atoms),
            }
        };
        let found = sizes(&answer.common);
        let label = format!("round {round}: {text_a} {text_b} {options:?}");
        assert!(answer.optimal, "{label}");
        assert_eq!(found, sizes(&back.common), "other way round, {label}");
        if let Some(common) = &answer.common {
            let faults = check_common_subgraph(&a, &b, common, options);
            assert!(faults.is_empty(), "{faults:?} {label}");
        }
        let mut maps = Maps { query: &a, target: &b, options, image: vec![None; a.atom_count()] };
        let larger = maps.can_exceed(0, found);
        assert!(larger.is_none(), "{found:?} found, but {larger:?}: {label}");
    }
}

fn both_objectives(seed: u64, options: McsOptions) {
    for objective in [Objective::Mcis, Objective::Mces] {
        for connected in [true, false] {
            compare(seed, &McsOptions { objective, connected, ..options });
        }
    }
}

fn with_chemistry(seed: u64, chemistry: ChemistryOptions) {
    both_objectives(seed, McsOptions { chemistry, ..McsOptions::default() });
}

#[test]
fn default_rules() {
    with_chemistry(11, ChemistryOptions::default());
}

#[test]
fn ring_matches_ring_only() {
    with_chemistry(
        12,
        ChemistryOptions { ring_matches_ring_only: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn complete_rings_only() {
    with_chemistry(
        13,
        ChemistryOptions { complete_rings_only: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn match_stereo() {
    with_chemistry(14, ChemistryOptions { match_stereo: true, ..ChemistryOptions::default() });
}

#[test]
fn stereo_and_whole_rings() {
    let chemistry = ChemistryOptions {
        match_stereo: true,
        complete_rings_only: true,
        ..ChemistryOptions::default()
    };
    with_chemistry(15, chemistry);
}

#[test]
fn strict_aromaticity() {
    with_chemistry(
        16,
        ChemistryOptions { aromaticity_strict: true, ..ChemistryOptions::default() },
    );
}

#[test]
fn loose_bonds_and_charges() {
    let chemistry = ChemistryOptions {
        bond_order: BondOrderMatch::Any,
        formal_charge: true,
        isotope: true,
        ..ChemistryOptions::default()
    };
    with_chemistry(17, chemistry);
}

#[test]
fn any_element() {
    with_chemistry(18, ChemistryOptions { atom_type: false, ..ChemistryOptions::default() });
}

#[test]
fn limits_on_pieces() {
    let options = McsOptions {
        connected: false,
        min_fragment_atoms: 2,
        max_fragments: 2,
        ..McsOptions::default()
    };
    for objective in [Objective::Mcis, Objective::Mces] {
        compare(19, &McsOptions { objective, ..options });
    }
}

/// All maps of the greatest size are found once each, by counting them in another way: every
/// automorphism of a molecule is a largest common subgraph of it with itself.
#[test]
fn all_maps_of_symmetric_molecules() {
    for (text, automorphisms) in [
        ("c1ccccc1", 12),
        ("CC", 2),
        ("CC(C)(C)C", 24),
        ("C1CC1", 6),
        ("C1CCCCC1", 12),
        ("c1ccc2ccccc2c1", 4),
        ("C1CC2CCC1CC2", 12),
        ("FC(F)(F)c1ccccc1", 12),
    ] {
        let molecule = Molecule::from_smiles(text).unwrap();
        for objective in [Objective::Mcis, Objective::Mces] {
            let options = McsOptions { objective, ..McsOptions::default() };
            let mut budget = Budget::unlimited();
            let (list, complete, answer) =
                find_all_mcs(&molecule, &molecule, &options, 1000, &mut budget).unwrap();
            assert_eq!(list.len(), automorphisms, "{text} {objective:?}");
            assert!(complete && answer.optimal, "{text}");
            assert!(list.windows(2).all(|w| w[0].atoms < w[1].atoms), "{text}");
            let (cut, complete, _) =
                find_all_mcs(&molecule, &molecule, &options, 1, &mut Budget::unlimited()).unwrap();
            assert!(cut.len() == 1 && !complete, "{text}");
        }
    }
}

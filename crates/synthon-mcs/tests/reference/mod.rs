//! Every common subgraph of two small molecules, built without the engines and judged by the
//! independent check.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_mcs::{CommonBond, CommonSubgraph, McsOptions, Objective, check_common_subgraph};
use synthon_mol::{BondOrder, Molecule};
use synthon_query::BondOrderMatch;
use synthon_testkit::{MoleculeShape, Random, RandomMolecule};

pub fn small_molecule(random: &mut Random, atoms: usize) -> (String, Molecule) {
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

/// Calls `visit` with every valid common subgraph; of those with the same map only the ones that
/// dropping bonds may be worth something for.
#[allow(dead_code, reason = "each test program uses its part of the reference")]
pub fn every_common_subgraph(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    visit: &mut impl FnMut(&CommonSubgraph),
) {
    let mut maps = Maps::new(query, target, options);
    maps.visit_all(0, &mut |_| true, &mut |common| {
        visit(common);
        false
    });
}

/// Calls `visit` with every valid common subgraph, for the edge objective with every choice of
/// its bonds.
#[allow(dead_code, reason = "each test program uses its part of the reference")]
pub fn every_choice_of_bonds(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    visit: &mut impl FnMut(&CommonSubgraph),
) {
    let mut maps = Maps::new(query, target, options);
    maps.drop_any = options.objective == Objective::Mces;
    maps.visit_all(0, &mut |_| true, &mut |common| {
        visit(common);
        false
    });
}

/// Some valid common subgraph that is larger than these sizes.
#[allow(dead_code, reason = "each test program uses its part of the reference")]
pub fn larger_common_subgraph(
    query: &Molecule,
    target: &Molecule,
    options: &McsOptions,
    sizes: (usize, usize),
) -> Option<CommonSubgraph> {
    let mut maps = Maps::new(query, target, options);
    let mut found = None;
    maps.visit_all(0, &mut |here| here > sizes, &mut |common| {
        found = Some(common.clone());
        true
    });
    found
}

/// Builds maps atom by atom; `visit` sees each of them.
struct Maps<'a> {
    query: &'a Molecule,
    target: &'a Molecule,
    options: &'a McsOptions,
    image: Vec<Option<usize>>,
    drop_any: bool,
}

impl<'a> Maps<'a> {
    fn new(query: &'a Molecule, target: &'a Molecule, options: &'a McsOptions) -> Self {
        let image = vec![None; query.atom_count()];
        Maps { query, target, options, image, drop_any: false }
    }

    /// Shows every valid common subgraph of a size that is `wanted` to `visit`, until that
    /// returns true.
    fn visit_all(
        &mut self,
        atom: usize,
        wanted: &mut impl FnMut((usize, usize)) -> bool,
        visit: &mut impl FnMut(&CommonSubgraph) -> bool,
    ) -> bool {
        if atom == self.query.atom_count() {
            return self.judge(wanted, visit);
        }
        for t in 0..self.target.atom_count() {
            if !self.image.contains(&Some(t)) && self.atoms_match(atom, t) {
                self.image[atom] = Some(t);
                let done = self.visit_all(atom + 1, wanted, visit);
                self.image[atom] = None;
                if done {
                    return true;
                }
            }
        }
        self.visit_all(atom + 1, wanted, visit)
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

    fn judge(
        &self,
        wanted: &mut impl FnMut((usize, usize)) -> bool,
        visit: &mut impl FnMut(&CommonSubgraph) -> bool,
    ) -> bool {
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
        let subsets = if may_drop || self.drop_any { 1u32 << common.len() } else { 1 };
        for dropped in 0..subsets {
            let bonds: Vec<CommonBond> =
                (0..common.len()).filter(|i| dropped >> i & 1 == 0).map(|i| common[i]).collect();
            if !wanted(self.sizes(all_atoms, bonds.len())) {
                continue;
            }
            let candidate = self.assemble(bonds);
            if check_common_subgraph(self.query, self.target, &candidate, self.options).is_empty()
                && visit(&candidate)
            {
                return true;
            }
        }
        false
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

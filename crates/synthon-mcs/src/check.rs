//! An independent check of a common subgraph, written from the definitions and sharing no code
//! with the search engines.

use std::collections::{BTreeMap, BTreeSet};

use synthon_mol::{BondOrder, BondStereo, Chirality, Molecule};
use synthon_query::BondOrderMatch;

use crate::answer::CommonSubgraph;
use crate::options::{McsOptions, Objective};

/// What is wrong with a common subgraph under these options; empty when it is valid. Says
/// nothing about its being the largest.
pub fn check_common_subgraph(
    query: &Molecule,
    target: &Molecule,
    common: &CommonSubgraph,
    options: &McsOptions,
) -> Vec<String> {
    let mut faults = Vec::new();
    let map: BTreeMap<usize, usize> =
        common.atoms.iter().map(|&(q, t)| (q as usize, t as usize)).collect();
    let images: BTreeSet<usize> = map.values().copied().collect();
    if map.len() != common.atoms.len() || images.len() != map.len() {
        faults.push("the map is not one to one".to_string());
    }
    if map.keys().any(|&q| q >= query.atom_count())
        || images.iter().any(|&t| t >= target.atom_count())
    {
        faults.push("the map names an atom that does not exist".to_string());
        return faults;
    }
    let chemistry = &options.chemistry;
    let rings_apart = chemistry.ring_matches_ring_only || chemistry.complete_rings_only;
    for (&q, &t) in &map {
        let (a, b) = (query.atom(q), target.atom(t));
        let stated = a.isotope() != 0 && b.isotope() != 0;
        if (chemistry.atom_type && a.element() != b.element())
            || (chemistry.formal_charge && a.charge() != b.charge())
            || (chemistry.isotope && stated && a.isotope() != b.isotope())
            || (chemistry.aromaticity_strict && a.is_aromatic() != b.is_aromatic())
            || (rings_apart && a.in_ring() != b.in_ring())
        {
            faults.push(format!("query atom {q} does not match target atom {t}"));
        }
    }
    let orders_match = |a: BondOrder, b: BondOrder| {
        if chemistry.bond_order != BondOrderMatch::Strict || a == b {
            return true;
        }
        let (low, high) = (a.min(b), a.max(b));
        high == BondOrder::Aromatic && matches!(low, BondOrder::Single | BondOrder::Double)
    };
    // Matched bonds as (query bond, target bond).
    let mut matched = BTreeMap::new();
    for bond in &common.bonds {
        let (a, b) = (bond.query.0 as usize, bond.query.1 as usize);
        let (x, y) = (bond.target.0 as usize, bond.target.1 as usize);
        if map.get(&a) != Some(&x) || map.get(&b) != Some(&y) {
            faults.push(format!("bond {a}-{b} does not follow the atom map"));
            continue;
        }
        let (Some(q), Some(t)) = (query.bond_between(a, b), target.bond_between(x, y)) else {
            faults.push(format!("bond {a}-{b} is not a bond of both molecules"));
            continue;
        };
        let (one, two) = (query.bond(q), target.bond(t));
        if !orders_match(one.order(), two.order())
            || (chemistry.aromaticity_strict && one.is_aromatic() != two.is_aromatic())
            || (rings_apart && one.in_ring() != two.in_ring())
        {
            faults.push(format!("bond {a}-{b} does not match bond {x}-{y}"));
        }
        if matched.insert(q, t).is_some() {
            faults.push(format!("bond {a}-{b} is listed twice"));
        }
    }
    if options.objective == Objective::Mcis {
        for (&a, &x) in &map {
            for (&b, &y) in map.range(a + 1..) {
                let q = query.bond_between(a, b);
                if q.is_some() != target.bond_between(x, y).is_some() {
                    faults.push(format!("atoms {a} and {b} are bonded on one side only"));
                } else if q.is_some_and(|q| !matched.contains_key(&q)) {
                    faults.push(format!("bond {a}-{b} is not listed as common"));
                }
            }
        }
    } else {
        for &q in map.keys() {
            if !query.neighbours(q).iter().any(|n| matched.contains_key(&n.bond())) {
                faults.push(format!("query atom {q} has no common bond"));
            }
        }
    }
    check_pieces(query, common, &map, &matched, options, &mut faults);
    if chemistry.complete_rings_only {
        let query_bonds: BTreeSet<usize> = matched.keys().copied().collect();
        let target_bonds: BTreeSet<usize> = matched.values().copied().collect();
        let query_atoms: BTreeSet<usize> = map.keys().copied().collect();
        for (name, molecule, atoms, bonds) in [
            ("query", query, &query_atoms, &query_bonds),
            ("target", target, &images, &target_bonds),
        ] {
            check_rings(name, molecule, atoms, bonds, &mut faults);
        }
    }
    if chemistry.match_stereo {
        check_stereo(query, target, &map, &matched, &mut faults);
    }
    faults
}

fn check_pieces(
    query: &Molecule,
    common: &CommonSubgraph,
    map: &BTreeMap<usize, usize>,
    matched: &BTreeMap<usize, usize>,
    options: &McsOptions,
    faults: &mut Vec<String>,
) {
    let mut rest: BTreeSet<usize> = map.keys().copied().collect();
    let mut pieces = Vec::new();
    while let Some(start) = rest.pop_first() {
        let mut piece = BTreeSet::from([start]);
        let mut todo = vec![start];
        while let Some(atom) = todo.pop() {
            for n in query.neighbours(atom) {
                if matched.contains_key(&n.bond()) && piece.insert(n.atom()) {
                    rest.remove(&n.atom());
                    todo.push(n.atom());
                }
            }
        }
        pieces.push(piece.into_iter().map(|atom| atom as u32).collect::<Vec<u32>>());
    }
    if pieces != common.fragments {
        faults.push("the pieces do not follow from the bonds".to_string());
    }
    if options.connected && pieces.len() > 1 {
        faults.push(format!("{} pieces where one is wanted", pieces.len()));
    }
    if !options.connected {
        if pieces.len() > options.max_fragments {
            faults.push("too many pieces".to_string());
        }
        if pieces.iter().any(|piece| piece.len() < options.min_fragment_atoms) {
            faults.push("a piece is too small".to_string());
        }
    }
}

fn check_rings(
    name: &str,
    molecule: &Molecule,
    atoms: &BTreeSet<usize>,
    bonds: &BTreeSet<usize>,
    faults: &mut Vec<String>,
) {
    let whole: Vec<usize> = (0..molecule.rings().len())
        .filter(|&ring| molecule.rings().bonds(ring).iter().all(|&b| bonds.contains(&(b as usize))))
        .collect();
    for &atom in atoms {
        let in_whole =
            whole.iter().any(|&ring| molecule.rings().atoms(ring).contains(&(atom as u32)));
        if molecule.atom(atom).in_ring() && !in_whole {
            faults.push(format!("{name} atom {atom} is in a ring that is not whole"));
        }
    }
    for &bond in bonds {
        let in_whole =
            whole.iter().any(|&ring| molecule.rings().bonds(ring).contains(&(bond as u32)));
        if molecule.bond(bond).in_ring() && !in_whole {
            faults.push(format!("{name} bond {bond} is in a ring that is not whole"));
        }
    }
}

/// Parity of a list that holds each number once: true when odd.
fn is_odd(order: &[usize]) -> bool {
    let inversions = (0..order.len())
        .flat_map(|i| (i + 1..order.len()).map(move |j| (i, j)))
        .filter(|&(i, j)| order[i] > order[j])
        .count();
    inversions % 2 == 1
}

fn check_stereo(
    query: &Molecule,
    target: &Molecule,
    map: &BTreeMap<usize, usize>,
    matched: &BTreeMap<usize, usize>,
    faults: &mut Vec<String>,
) {
    for (&q, &t) in map {
        let (one, two) = (query.atom(q).chirality(), target.atom(t).chirality());
        if !one.is_tetrahedral() || !two.is_tetrahedral() {
            continue;
        }
        // Ranks of the target ligands in the order of the query's; the implied ligand is last
        // on either side, and an unmapped one takes the rank that is left.
        let ligands: Vec<usize> = target.neighbours(t).iter().map(|n| n.atom()).collect();
        let mut order: Vec<Option<usize>> = query
            .neighbours(q)
            .iter()
            .map(|n| {
                let image = map.get(&n.atom()).filter(|_| matched.contains_key(&n.bond()))?;
                ligands.iter().position(|l| l == image)
            })
            .collect();
        order.resize(4, None);
        if order.iter().flatten().count() < 3 {
            continue;
        }
        let left = (0..4).find(|rank| !order.contains(&Some(*rank)));
        let order: Vec<usize> = order.into_iter().filter_map(|rank| rank.or(left)).collect();
        let expected = if is_odd(&order) { one.inverted() } else { one };
        if expected != two {
            faults.push(format!("query atom {q} and target atom {t} are of opposite handedness"));
        }
        debug_assert!(matches!(one, Chirality::Clockwise | Chirality::Anticlockwise));
    }
    for (&q, &t) in matched {
        let (one, two) = (query.bond(q), target.bond(t));
        if one.stereo() == BondStereo::None || two.stereo() == BondStereo::None {
            continue;
        }
        let (Some(refs), Some(target_refs)) =
            (query.stereo_references(q), target.stereo_references(t))
        else {
            continue;
        };
        let beside = |end: usize, other: usize| {
            query
                .neighbours(end)
                .iter()
                .find(|n| n.atom() != other && matched.contains_key(&n.bond()))
                .map(|n| n.atom())
        };
        let (Some(a), Some(b)) = (beside(one.begin(), one.end()), beside(one.end(), one.begin()))
        else {
            continue;
        };
        let same_way = map[&one.begin()] == two.begin();
        let (ref_a, ref_b) = if same_way { target_refs } else { (target_refs.1, target_refs.0) };
        let mut expected = one.stereo();
        for flipped in [a != refs.0, b != refs.1, map[&a] != ref_a, map[&b] != ref_b] {
            if flipped {
                expected = expected.inverted();
            }
        }
        if expected != two.stereo() {
            faults.push(format!("query bond {q} and target bond {t} are of opposite geometry"));
        }
    }
}

//! A matcher that is slow and plain: it tries every injective map and judges each whole, straight
//! from the molecule and from the words of the pattern.

#![allow(clippy::unwrap_used, reason = "test code: a broken assumption should fail loudly")]

use synthon_mol::{BondOrder, BondStereo, Chirality, Molecule};
use synthon_query::{
    AtomPrimitive as P, BondPrimitive as B, ChemistryOptions, Pattern, QueryGraph, evaluate,
};

/// All embeddings of a pattern in lexicographic order.
pub fn embeddings(
    pattern: &Pattern,
    molecule: &Molecule,
    induced: bool,
    complete_rings: bool,
) -> Vec<Vec<u32>> {
    let graph = pattern.graph();
    let mut found = Vec::new();
    every_map(
        graph.atoms().len(),
        molecule.atom_count(),
        &mut Vec::new(),
        &mut |map, last| partial_holds(pattern, graph, molecule, map, last),
        &mut |map| {
            if whole_holds(pattern, graph, molecule, map)
                && groups_hold(graph, molecule, map)
                && (!induced || is_induced(&bonds_of(graph), molecule, map))
                && (!complete_rings || rings_complete(&bonds_of(graph), molecule, map))
            {
                found.push(map.iter().map(|&a| a as u32).collect());
            }
        },
    );
    found
}

fn bonds_of(graph: &QueryGraph) -> Vec<(usize, usize)> {
    graph.bonds().iter().map(|b| (b.begin(), b.end())).collect()
}

/// Calls `visit` for every injective map whose beginnings all pass `keep`.
fn every_map(
    query: usize,
    target: usize,
    map: &mut Vec<usize>,
    keep: &mut dyn FnMut(&[usize], usize) -> bool,
    visit: &mut dyn FnMut(&[usize]),
) {
    if map.len() == query {
        visit(map);
        return;
    }
    for candidate in 0..target {
        if map.contains(&candidate) {
            continue;
        }
        map.push(candidate);
        if keep(map, map.len() - 1) {
            every_map(query, target, map, keep, visit);
        }
        map.pop();
    }
}

fn partial_holds(
    pattern: &Pattern,
    graph: &QueryGraph,
    molecule: &Molecule,
    map: &[usize],
    last: usize,
) -> bool {
    // Whatever the handedness of the atom, some reading of the marks must make it true.
    let atom = [None, Some(false), Some(true)]
        .into_iter()
        .any(|state| atom_holds(pattern, graph, molecule, last, map[last], state));
    atom && graph.bonds().iter().filter(|b| b.begin().max(b.end()) == last).all(|b| {
        (0..3).any(|direction| {
            bond_holds(pattern, b, molecule, map[b.begin()], map[b.end()], direction)
        })
    })
}

fn atom_holds(
    pattern: &Pattern,
    graph: &QueryGraph,
    molecule: &Molecule,
    query: usize,
    target: usize,
    handedness: Option<bool>,
) -> bool {
    evaluate(pattern.atom_expression(&graph.atoms()[query]), |p| match p {
        P::Chirality { clockwise, or_unspecified } => match handedness {
            None => or_unspecified,
            Some(found) => found == clockwise,
        },
        P::Recursive(inner) => recursive_holds(pattern, inner, molecule, target),
        other => meets(other, molecule, target),
    })
}

fn recursive_holds(pattern: &Pattern, inner: u32, molecule: &Molecule, target: usize) -> bool {
    let graph = pattern.recursive_graph(inner);
    let mut found = false;
    every_map(
        graph.atoms().len(),
        molecule.atom_count(),
        &mut Vec::new(),
        &mut |map, last| map[0] == target && partial_holds(pattern, graph, molecule, map, last),
        &mut |map| {
            found |= whole_holds(pattern, graph, molecule, map) && groups_hold(graph, molecule, map)
        },
    );
    found
}

fn order_value(order: BondOrder) -> u16 {
    match order {
        BondOrder::Single => 1,
        BondOrder::Double => 2,
        BondOrder::Triple => 3,
        BondOrder::Quadruple => 4,
        BondOrder::Aromatic | BondOrder::Dative | BondOrder::Unspecified => {
            unreachable!("not a kekulé order here")
        }
    }
}

fn meets(primitive: P, m: &Molecule, i: usize) -> bool {
    let atom = m.atom(i);
    let around: Vec<_> = m.neighbours(i).to_vec();
    let number = |k: usize| m.atom(k).atomic_number();
    let folded = atom.hydrogens() as usize;
    let hydrogens = around.iter().filter(|n| number(n.atom()) == 1).count();
    let in_range = |c: synthon_query::Count, value: usize| {
        c.min as usize <= value && (c.max == u16::MAX || value <= c.max as usize)
    };
    let rings_with = |k: usize| m.rings().iter().take(k).filter(|r| r.contains(&(i as u32)));
    match primitive {
        P::Any => true,
        P::Aliphatic => !atom.is_aromatic(),
        P::Aromatic => atom.is_aromatic(),
        P::Number(e) => e == atom.element(),
        P::Symbol(e, aromatic) => e == atom.element() && aromatic == atom.is_aromatic(),
        P::Isotope(n) => n == atom.isotope(),
        P::IsotopeIfStated(n) => atom.isotope() == 0 || n == atom.isotope(),
        P::Charge(low, high) => low <= atom.charge() as i16 && atom.charge() as i16 <= high,
        P::Degree(c) => in_range(c, around.len()),
        P::HeavyDegree(c) => {
            let plain = |k: usize| number(k) == 1 && m.atom(k).isotope() == 0;
            in_range(c, around.iter().filter(|n| !plain(n.atom())).count())
        }
        P::Hydrogens(c) => in_range(c, folded + hydrogens),
        P::ImplicitHydrogens(c) => in_range(c, folded),
        P::Connectivity(c) => in_range(c, around.len() + folded),
        P::Valence(c) => {
            let bonds: u16 =
                around.iter().map(|n| order_value(m.bond(n.bond()).kekule_order())).sum();
            in_range(c, bonds as usize + folded)
        }
        P::RingBonds(c) => {
            in_range(c, around.iter().filter(|n| m.bond(n.bond()).in_ring()).count())
        }
        P::RingCount(c) => in_range(c, rings_with(m.rings().sssr_count()).count()),
        P::SmallestRing(c) => {
            in_range(c, rings_with(usize::MAX).map(|r| r.len()).min().unwrap_or(0))
        }
        P::AnyRing(c) => {
            let sizes: Vec<usize> = rings_with(usize::MAX).map(|r| r.len()).collect();
            sizes.iter().any(|&s| in_range(c, s)) || (sizes.is_empty() && in_range(c, 0))
        }
        P::HeteroNeighbours(c) => {
            in_range(c, around.iter().filter(|n| ![1, 6].contains(&number(n.atom()))).count())
        }
        P::AliphaticHeteroNeighbours(c) => in_range(
            c,
            around
                .iter()
                .filter(|n| ![1, 6].contains(&number(n.atom())) && !m.atom(n.atom()).is_aromatic())
                .count(),
        ),
        P::Hybridisation(_) => unreachable!("compared with RDKit instead"),
        P::Chirality { .. } | P::Recursive(_) => unreachable!("answered by the caller"),
    }
}

fn bond_holds(
    pattern: &Pattern,
    bond: &synthon_query::QueryBond,
    molecule: &Molecule,
    begin: usize,
    end: usize,
    direction: usize,
) -> bool {
    let Some(found) = molecule.bond_between(begin, end).map(|b| molecule.bond(b)) else {
        return false;
    };
    evaluate(pattern.bond_expression(bond), |p| match p {
        B::Any => true,
        B::SingleOrAromatic => matches!(found.order(), BondOrder::Single | BondOrder::Aromatic),
        B::Single => found.order() == BondOrder::Single,
        B::Double => found.order() == BondOrder::Double,
        B::Triple => found.order() == BondOrder::Triple,
        B::Quadruple => found.order() == BondOrder::Quadruple,
        B::Aromatic => found.order() == BondOrder::Aromatic,
        B::Dative(forward) => {
            found.order() == BondOrder::Dative && (found.begin() == begin) == forward
        }
        B::Ring => found.in_ring(),
        B::Direction { up, or_unspecified } => {
            let mark = match direction {
                0 => or_unspecified,
                1 => up,
                _ => !up,
            };
            matches!(found.order(), BondOrder::Single | BondOrder::Aromatic) && mark
        }
    })
}

/// Handedness, geometry.
fn whole_holds(pattern: &Pattern, graph: &QueryGraph, molecule: &Molecule, map: &[usize]) -> bool {
    (0..graph.atoms().len()).all(|i| {
        handedness_states(graph, molecule, i, map)
            .into_iter()
            .any(|state| atom_holds(pattern, graph, molecule, i, map[i], state))
    }) && graph
        .bonds()
        .iter()
        .enumerate()
        .all(|(b, _)| geometry_holds(pattern, graph, molecule, b, map))
}

/// Sorts a copy by exchanges and says whether their number is odd.
fn is_odd(mut order: Vec<usize>) -> bool {
    let mut exchanges = 0;
    for i in 0..order.len() {
        let least = (i..order.len()).min_by_key(|&j| order[j]).unwrap();
        if least != i {
            order.swap(i, least);
            exchanges += 1;
        }
    }
    exchanges % 2 == 1
}

/// What may be said of the handedness of the image of a query atom, seen from its neighbours.
fn handedness_states(
    graph: &QueryGraph,
    molecule: &Molecule,
    i: usize,
    map: &[usize],
) -> Vec<Option<bool>> {
    let clockwise = match molecule.atom(map[i]).chirality() {
        Chirality::Clockwise => true,
        Chirality::Anticlockwise => false,
        _ => return vec![None],
    };
    let ligands: Vec<usize> = graph.neighbours(i).iter().map(|n| map[n.atom()]).collect();
    if ligands.len() < 3 {
        return vec![Some(true), Some(false)];
    }
    // The implied ligand, or the one that is not in the query, goes last.
    let mut target: Vec<usize> = molecule.neighbours(map[i]).iter().map(|n| n.atom()).collect();
    if target.len() == 3 {
        target.push(usize::MAX);
    }
    let mut order: Vec<usize> =
        ligands.iter().map(|l| target.iter().position(|t| t == l).unwrap()).collect();
    order.extend((0..4).filter(|k| !order.contains(k)).collect::<Vec<_>>());
    vec![Some(clockwise ^ is_odd(order))]
}

fn geometry_holds(
    pattern: &Pattern,
    graph: &QueryGraph,
    molecule: &Molecule,
    b: usize,
    map: &[usize],
) -> bool {
    let bond = &graph.bonds()[b];
    let directed = |k: usize| {
        let expression = pattern.bond_expression(&graph.bonds()[k]);
        expression.iter().any(|l| matches!(l.primitive, B::Direction { .. }))
    };
    let found = molecule.bond_between(map[bond.begin()], map[bond.end()]).unwrap();
    if directed(b) {
        return true;
    }
    if !matches!(molecule.bond(found).order(), BondOrder::Double | BondOrder::Aromatic) {
        return true;
    }
    let allows = |k: usize, direction| {
        let e = &graph.bonds()[k];
        bond_holds(pattern, e, molecule, map[e.begin()], map[e.end()], direction)
    };
    for first in graph.neighbours(bond.begin()).iter().filter(|n| n.bond() != b) {
        for second in graph.neighbours(bond.end()).iter().filter(|n| n.bond() != b) {
            let (e, f) = (first.bond(), second.bond());
            if !directed(e) || !directed(f) || first.atom() == second.atom() {
                continue;
            }
            let holds = match opposite(molecule, found, map[first.atom()], map[second.atom()]) {
                None => allows(e, 0) || allows(f, 0),
                Some(opposite) => [(1, 1), (1, 2), (2, 1), (2, 2)].iter().any(|&(d, c)| {
                    // Up along a bond away from the double bond puts its far end above.
                    let above = |k: usize, inner: usize, direction: i32| {
                        (graph.bonds()[k].begin() == inner) == (direction == 1)
                    };
                    let same = above(e, bond.begin(), d) == above(f, bond.end(), c);
                    same != opposite && allows(e, d as usize) && allows(f, c as usize)
                }),
            };
            if !holds {
                return false;
            }
        }
    }
    true
}

/// Whether two neighbours of the ends of a double bond lie on opposite sides.
fn opposite(molecule: &Molecule, bond: usize, a: usize, b: usize) -> Option<bool> {
    let trans = match molecule.bond(bond).stereo() {
        BondStereo::None => return None,
        BondStereo::Cis => false,
        BondStereo::Trans => true,
    };
    let (x, y) = molecule.stereo_references(bond).unwrap();
    // Each outer atom that is not a reference lies across from the reference of its end.
    let beside_begin = |n: usize| molecule.bond_between(molecule.bond(bond).begin(), n).is_some();
    let (at_begin, at_end) = if beside_begin(a) { (a, b) } else { (b, a) };
    let mut trans = trans;
    if at_begin != x {
        trans = !trans;
    }
    if at_end != y {
        trans = !trans;
    }
    Some(trans)
}

fn groups_hold(graph: &QueryGraph, molecule: &Molecule, map: &[usize]) -> bool {
    let (_, component) = molecule.components();
    let atoms = graph.atoms();
    (0..map.len()).all(|i| {
        (0..map.len()).all(|j| match (atoms[i].group(), atoms[j].group()) {
            (Some(g), Some(h)) => (component[map[i]] == component[map[j]]) == (g == h),
            _ => true,
        })
    })
}

fn is_induced(bonds: &[(usize, usize)], molecule: &Molecule, map: &[usize]) -> bool {
    (0..map.len()).all(|i| {
        (0..i).all(|j| {
            let bonded = bonds.contains(&(i, j)) || bonds.contains(&(j, i));
            bonded || molecule.bond_between(map[i], map[j]).is_none()
        })
    })
}

fn rings_complete(bonds: &[(usize, usize)], molecule: &Molecule, map: &[usize]) -> bool {
    let used: Vec<usize> =
        bonds.iter().map(|&(a, b)| molecule.bond_between(map[a], map[b]).unwrap()).collect();
    let whole: Vec<usize> = (0..molecule.rings().len())
        .filter(|&r| molecule.rings().bonds(r).iter().all(|b| used.contains(&(*b as usize))))
        .collect();
    map.iter().all(|&a| {
        !molecule.atom(a).in_ring()
            || whole.iter().any(|&r| molecule.rings().atoms(r).contains(&(a as u32)))
    }) && used.iter().all(|&b| {
        !molecule.bond(b).in_ring()
            || whole.iter().any(|&r| molecule.rings().bonds(r).contains(&(b as u32)))
    })
}

/// All embeddings of a molecule query, by the rules themselves.
pub fn molecule_embeddings(
    query: &Molecule,
    target: &Molecule,
    options: &ChemistryOptions,
    induced: bool,
) -> Vec<Vec<u32>> {
    use synthon_query::BondOrderMatch;
    let rings_apart = options.ring_matches_ring_only || options.complete_rings_only;
    let bonds: Vec<(usize, usize)> = query.bonds().iter().map(|b| (b.begin(), b.end())).collect();
    let mut found = Vec::new();
    let atoms_agree = |q: usize, t: usize| {
        let (a, b) = (query.atom(q), target.atom(t));
        (!options.atom_type || a.element() == b.element())
            && (!options.formal_charge || a.charge() == b.charge())
            && (!options.isotope
                || a.isotope() == 0
                || b.isotope() == 0
                || a.isotope() == b.isotope())
            && (!options.aromaticity_strict || a.is_aromatic() == b.is_aromatic())
            && (!rings_apart || a.in_ring() == b.in_ring())
    };
    let bonds_agree = |q: usize, t: usize| {
        let (a, b) = (query.bond(q), target.bond(t));
        let aromatic = [a, b].iter().any(|x| x.is_aromatic());
        let plain = [a, b].iter().all(|x| {
            matches!(x.order(), BondOrder::Single | BondOrder::Double | BondOrder::Aromatic)
        });
        let order = options.bond_order != BondOrderMatch::Strict
            || a.order() == b.order()
            || (aromatic && plain);
        order
            && (!options.aromaticity_strict || a.is_aromatic() == b.is_aromatic())
            && (!rings_apart || a.in_ring() == b.in_ring())
    };
    every_map(
        query.atom_count(),
        target.atom_count(),
        &mut Vec::new(),
        &mut |map, last| {
            atoms_agree(last, map[last])
                && query.neighbours(last).iter().filter(|n| n.atom() < last).all(|n| {
                    target
                        .bond_between(map[last], map[n.atom()])
                        .is_some_and(|t| bonds_agree(n.bond(), t))
                })
        },
        &mut |map| {
            if (!options.match_stereo || stereo_agrees(query, target, map))
                && (!induced || is_induced(&bonds, target, map))
                && (!options.complete_rings_only || rings_complete(&bonds, target, map))
            {
                found.push(map.iter().map(|&a| a as u32).collect());
            }
        },
    );
    found
}

fn stereo_agrees(query: &Molecule, target: &Molecule, map: &[usize]) -> bool {
    (0..query.atom_count()).all(|i| {
        let wanted = match query.atom(i).chirality() {
            Chirality::Clockwise => true,
            Chirality::Anticlockwise => false,
            _ => return true,
        };
        let found = match target.atom(map[i]).chirality() {
            Chirality::Clockwise => true,
            Chirality::Anticlockwise => false,
            _ => return false,
        };
        let ligands: Vec<usize> = query.neighbours(i).iter().map(|n| map[n.atom()]).collect();
        if ligands.len() < 3 {
            return true;
        }
        let places: Vec<usize> = target.neighbours(map[i]).iter().map(|n| n.atom()).collect();
        let mut order: Vec<usize> =
            ligands.iter().map(|l| places.iter().position(|p| p == l).unwrap()).collect();
        order.extend((0..4).filter(|k| !order.contains(k)).collect::<Vec<_>>());
        (found ^ is_odd(order)) == wanted
    }) && (0..query.bond_count()).all(|b| {
        if query.bond(b).stereo() == BondStereo::None {
            return true;
        }
        let (x, y) = query.stereo_references(b).unwrap();
        let bond = query.bond(b);
        let image = target.bond_between(map[bond.begin()], map[bond.end()]).unwrap();
        target.bond(image).order() == BondOrder::Double
            && opposite(target, image, map[x], map[y])
                == Some(query.bond(b).stereo() == BondStereo::Trans)
    })
}

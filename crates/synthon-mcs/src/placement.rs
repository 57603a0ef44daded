//! Where in a molecule a given part of another one lies.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::incumbent::Incumbent;
use crate::options::Objective;
use crate::problem::{Problem, bound};
use crate::series_search::has_whole_images;

/// Nodes spent, for each atom of the query, on placing it as a whole.
const NODES_PER_ATOM: u64 = 16;

/// The first placement, in ascending order of images, of the part of the query with the atoms
/// `order` (each bonded to one before it, but for the first) and the bonds `joined`: the images
/// of `order`. `None` when there is none.
pub(crate) fn first_placement<const W: usize>(
    problem: &Problem<W>,
    order: &[u32],
    joined: &Bits<W>,
    objective: Objective,
    budget: &mut Budget,
) -> Result<Option<Vec<u32>>, Stop> {
    let mut image = vec![0; problem.query.atoms];
    let mut left: Vec<Bits<W>> = Vec::with_capacity(order.len());
    let mut images: Vec<u32> = Vec::with_capacity(order.len());
    let mut placed = Bits::<W>::EMPTY;
    let mut used = Bits::<W>::EMPTY;
    let options = |q: usize, placed: &Bits<W>, used: &Bits<W>, image: &[u32]| {
        let mut options = problem.domain[q].minus(used);
        let mut bonded = 0;
        for &(other, bond) in &problem.query.neighbours[q] {
            if placed.contains(other as usize) && joined.contains(bond as usize) {
                options = options.and(problem.reach(bond as usize, image[other as usize] as usize));
                bonded += 1;
            }
        }
        if objective == Objective::Mcis {
            for t in options.iter() {
                if problem.target.adjacent[t].common(used) != bonded {
                    options.remove(t);
                }
            }
        }
        options
    };
    // A place has as many bonds of each kind as the atom needs.
    let has_room = |q: usize, t: usize| {
        let needed = problem.query.incident[q].and(joined);
        problem.target.neighbours[t].len() >= needed.len()
            && bound(&problem.bond_groups, &needed, &problem.target.incident[t]) == needed.len()
    };
    let Some(&first) = order.first() else { return Ok(Some(Vec::new())) };
    left.push(options(first as usize, &placed, &used, &image));
    while let Some(row) = left.last_mut() {
        let q = order[images.len()] as usize;
        let Some(t) = row.pop() else {
            left.pop();
            if let Some(t) = images.pop() {
                used.remove(t as usize);
                placed.remove(order[images.len()] as usize);
            }
            continue;
        };
        if !has_room(q, t) {
            continue;
        }
        budget.tick()?;
        image[q] = t as u32;
        placed.insert(q);
        if let Some(stereo) = &problem.stereo {
            let near = joined.and(&problem.query.bonds_inside(&placed));
            if stereo.contradicts(q, &placed, &near, &image) {
                placed.remove(q);
                continue;
            }
        }
        used.insert(t);
        images.push(t as u32);
        match order.get(images.len()) {
            Some(&next) => left.push(options(next as usize, &placed, &used, &image)),
            None if has_whole_images(problem, joined, &images, &image) => return Ok(Some(images)),
            None => {
                images.pop();
                used.remove(t);
                placed.remove(q);
            }
        }
    }
    Ok(None)
}

/// Places the whole query, if it is connected and lies in the target: nothing can be larger, and
/// neither an order of pairs nor a bound is needed to find it. False when it was not placed within
/// a few nodes for each atom.
pub(crate) fn place_whole<const W: usize>(
    problem: &Problem<W>,
    objective: Objective,
    best: &mut Incumbent,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let (atoms, bonds) = (problem.query.atoms, problem.query.bonds.len());
    let (all, joined) = (Bits::<W>::first(atoms), Bits::<W>::first(bonds));
    if (objective == Objective::Mces && bonds == 0)
        || bound(&problem.atom_groups, &all, &Bits::first(problem.target.atoms)) < atoms
        || bound(&problem.bond_groups, &joined, &Bits::first(problem.target.bonds.len())) < bonds
    {
        return Ok(false);
    }
    let order = whole_order(problem);
    if order.len() < atoms {
        return Ok(false);
    }
    // Where nodes are counted, most are left to the search, which has something to show for them.
    let left = budget.node_limit().saturating_sub(budget.nodes());
    let mut child = budget.child().with_node_limit((NODES_PER_ATOM * atoms as u64).min(left / 4));
    let found = first_placement(problem, &order, &joined, objective, &mut child);
    budget.spend(child.nodes())?;
    let Ok(Some(images)) = found else { return Ok(false) };
    let (primary, secondary) = match objective {
        Objective::Mcis => (atoms, bonds),
        Objective::Mces => (bonds, atoms),
    };
    best.take(primary as u32, secondary as u32, order.into_iter().zip(images), joined.iter());
    Ok(true)
}

/// The atoms of the query as far as they hang together, from one with the fewest places on:
/// always the atom with the most bonds to those before it, then that with the fewest places.
fn whole_order<const W: usize>(problem: &Problem<W>) -> Vec<u32> {
    let places: Vec<usize> = problem.domain.iter().map(Bits::len).collect();
    let mut next = (0..places.len()).min_by_key(|&q| places[q]);
    let mut order = Vec::with_capacity(places.len());
    let (mut placed, mut fringe) = (Bits::<W>::EMPTY, Bits::<W>::EMPTY);
    while let Some(q) = next {
        order.push(q as u32);
        placed.insert(q);
        fringe = fringe.or(&problem.query.adjacent[q]).minus(&placed);
        next = fringe.iter().min_by_key(|&other| {
            let bonds = problem.query.adjacent[other].common(&placed);
            (std::cmp::Reverse(bonds), places[other])
        });
    }
    order
}

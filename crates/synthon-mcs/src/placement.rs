//! Where in a molecule a given part of another one lies.

use synthon_budget::{Budget, Stop};

use crate::bits::Bits;
use crate::options::Objective;
use crate::problem::Problem;
use crate::series_search::has_whole_images;

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

//! The embeddings of the part in every member, and how they grow.

use synthon_budget::Budget;

use super::{Frame, Halt, MOST_CELLS, Member, SeriesSearch};
use crate::bits::Bits;
use crate::problem::Problem;

impl<const W: usize> SeriesSearch<W> {
    /// One embedding for each member that holds the part of the top frame; `None` when too few do
    /// or the whole-rings rule forbids the part in the reference.
    pub(super) fn placements(&mut self) -> Option<Vec<(usize, Vec<u32>)>> {
        let frame = &self.frames[self.frames.len() - 1];
        if let Some(rings) = &self.own.rings
            && !rings.query.are_whole(&frame.atoms, &frame.bonds)
        {
            return None;
        }
        let mut image = std::mem::take(&mut self.image);
        let mut placements = Vec::new();
        let enough = self.enough_of_all(|index, member| {
            let found = frame.lists[index].chunks_exact(frame.width).find(|embedding| {
                for (&q, &t) in self.order.iter().zip(*embedding) {
                    image[q as usize] = t;
                }
                has_whole_images(&member.problem, &frame.bonds, embedding, &image)
            });
            placements.extend(found.map(|embedding| (member.molecule, embedding.to_vec())));
            found.is_some()
        });
        self.image = image;
        enough.then_some(placements)
    }

    /// Places for `q` beside one embedding of the part.
    #[inline]
    pub(super) fn options(
        &self,
        problem: &Problem<W>,
        frame: &Frame<W>,
        embedding: &[u32],
        used: &Bits<W>,
        q: usize,
        via: Option<(usize, usize)>,
    ) -> Bits<W> {
        let mut options = problem.domain[q].minus(used);
        if let Some((bond, inner)) = via {
            return options.and(problem.reach(bond, embedding[self.place[inner]] as usize));
        }
        let mut bonded = 0;
        for &(other, bond) in &problem.query.neighbours[q] {
            if frame.atoms.contains(other as usize) {
                let t = embedding[self.place[other as usize]] as usize;
                options = options.and(problem.reach(bond as usize, t));
                bonded += 1;
            }
        }
        for t in options.iter() {
            if problem.target.adjacent[t].common(used) != bonded {
                options.remove(t);
            }
        }
        options
    }

    /// The embeddings that grow by `q`; `None` when too few members have any.
    pub(super) fn extend(
        &mut self,
        top: usize,
        q: usize,
        via: Option<(usize, usize)>,
        joined: &Bits<W>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Vec<u32>>>, Halt> {
        let mut image = std::mem::take(&mut self.image);
        let frame = &self.frames[top];
        let mut lists = vec![Vec::new(); self.members.len()];
        let (mut spent, mut cells) = (1, self.cells);
        let atoms = frame.atoms.or(&Bits::single(q));
        let enough = self.enough_of_all(|index, member| {
            let problem = &member.problem;
            let list: &mut Vec<u32> = &mut lists[index];
            for embedding in frame.lists[index].chunks_exact(frame.width) {
                let used = bits_of(embedding);
                let options = self.options(problem, frame, embedding, &used, q, via);
                for t in problem.target.one_of_twins(options).iter() {
                    if let Some(stereo) = &problem.stereo {
                        for (&q, &t) in self.order.iter().zip(embedding) {
                            image[q as usize] = t;
                        }
                        image[q] = t as u32;
                        if stereo.contradicts(q, &atoms, joined, &image) {
                            continue;
                        }
                    }
                    cells += frame.width + 1;
                    if cells <= MOST_CELLS {
                        list.extend_from_slice(embedding);
                        list.push(t as u32);
                    }
                }
            }
            spent += (frame.lists[index].len() / frame.width / 16) as u64;
            !list.is_empty()
        });
        self.image = image;
        budget.spend(spent)?;
        if cells > MOST_CELLS {
            return Err(Halt::Memory);
        }
        Ok(enough.then_some(lists))
    }

    /// As [`enough`](Self::enough), but `hold` is asked about every member unless it is already
    /// certain that too few hold.
    fn enough_of_all(&self, mut hold: impl FnMut(usize, &Member<W>) -> bool) -> bool {
        let mut left: usize = self.members.iter().map(|member| member.weight).sum();
        for (index, member) in self.members.iter().enumerate() {
            if left < self.needed {
                return false;
            }
            if !hold(index, member) {
                left -= member.weight;
            }
        }
        left >= self.needed
    }

    /// The embeddings in which `bond`, between two atoms of the part, is matched.
    pub(super) fn keep_joined(
        &mut self,
        top: usize,
        (bond, a, b): (usize, usize, usize),
        joined: &Bits<W>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Vec<u32>>>, Halt> {
        let mut image = std::mem::take(&mut self.image);
        let frame = &self.frames[top];
        let mut lists = vec![Vec::new(); self.members.len()];
        let enough = self.enough_of_all(|index, member| {
            let problem = &member.problem;
            for embedding in frame.lists[index].chunks_exact(frame.width) {
                let (x, y) = (embedding[self.place[a]], embedding[self.place[b]]);
                if !problem.bond_matches(bond, x as usize, y as usize) {
                    continue;
                }
                if let Some(stereo) = &problem.stereo {
                    for (&q, &t) in self.order.iter().zip(embedding) {
                        image[q as usize] = t;
                    }
                    if [a, b].iter().any(|&q| stereo.contradicts(q, &frame.atoms, joined, &image)) {
                        continue;
                    }
                }
                lists[index].extend_from_slice(embedding);
            }
            !lists[index].is_empty()
        });
        self.image = image;
        budget.tick()?;
        Ok(enough.then_some(lists))
    }
}

pub(super) fn bits_of<const W: usize>(embedding: &[u32]) -> Bits<W> {
    embedding.iter().fold(Bits::EMPTY, |mut all: Bits<W>, &t| {
        all.insert(t as usize);
        all
    })
}

/// Whether the image of the part keeps to the whole-rings rule.
pub(crate) fn has_whole_images<const W: usize>(
    problem: &Problem<W>,
    bonds: &Bits<W>,
    embedding: &[u32],
    image: &[u32],
) -> bool {
    problem.rings.as_ref().is_none_or(|rings| {
        let images = problem.images_of_bonds(bonds, image);
        rings.target.are_whole(&bits_of(embedding), &images)
    })
}

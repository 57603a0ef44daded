//! Best-first search of the AND/OR graph of a target.
//!
//! The method follows Retro* (B. Chen, C. Li, H. Dai, L. Song, "Retro*: learning retrosynthetic
//! planning with neural guided A* search", ICML 2020): the molecule expanded next is the one
//! that lies on the cheapest route still open, where a route costs the sum of its steps plus the
//! estimates of the molecules not yet expanded. Three things differ.
//!
//! - The graph is shared: a molecule is expanded once, however many routes pass through it.
//! - Values live on *states*, a molecule at a distance from the target. States at distance `d`
//!   only depend on states at `d + 1`, so there are no cycles to settle, and the depth limit is
//!   exact: what is solvable at distance 2 may not be at distance 4.
//! - Each state carries two values: the cheapest route that is finished, and the cheapest that
//!   still holds an open molecule. Descending along the second from the target finds the next
//!   molecule to expand even after routes have been found, and when it is infinite there is
//!   nothing left that could become a route: the search is exhausted.
//!
//! [`driver`] decides when enough has been seen; [`enumerate`] reads the distinct routes off the
//! graph, cheapest first.

pub(crate) mod driver;
pub(crate) mod enumerate;
pub(crate) mod graph;

#[cfg(test)]
mod tests;

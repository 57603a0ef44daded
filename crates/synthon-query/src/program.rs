//! What the search runs on, made of a pattern when it is first needed.

use crate::atom_test::{AtomTest, Tests};
use crate::bond_test::BondTest;
use crate::pattern::Pattern;
use crate::plan::{Compiled, Plan, compile_graph};
use crate::requirements::Requirements;
use crate::stereo_check::{Geometry, geometries_of_marks};
use std::sync::OnceLock;

/// The tests of all graphs of a pattern, and the counts that a target must reach.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) graphs: Vec<GraphProgram>,
    /// Arenas of the atom tests of all graphs.
    pub(crate) arenas: Tests,
    pub(crate) requirements: Requirements,
}

/// A graph compiled for the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphProgram {
    pub(crate) tests: Vec<AtomTest>,
    pub(crate) bonds: Vec<BondTest>,
    pub(crate) geometries: Vec<Geometry>,
    plans: OnceLock<Plans>,
}

/// The orders in which the atoms of a graph are placed; made when the graph is first searched, so
/// that of a large set of patterns only those pay that pass their screens.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    /// Rarest atoms first; recursive parts start at atom 0.
    pub(crate) best: Plan,
    /// The order of the text, where it differs from `best`; not for recursive parts.
    pub(crate) text: Option<Plan>,
}

impl Program {
    fn new(pattern: &Pattern) -> Self {
        let mut arenas = Tests::default();
        let mut graphs = Vec::with_capacity(pattern.graphs.len());
        for (k, graph) in pattern.graphs.iter().enumerate() {
            let bonds =
                graph.bonds.iter().map(|b| BondTest::new(pattern.bond_expression(b))).collect();
            let mut program = GraphProgram { bonds, ..GraphProgram::default() };
            program.geometries = geometries_of_marks(graph, &program.bonds);
            if k + 1 == pattern.graphs.len() {
                program.geometries.extend_from_slice(&pattern.fixed_geometries);
            }
            program.tests =
                compile_graph(graph, &pattern.atom_literals, &mut program.bonds, &mut arenas);
            graphs.push(program);
        }
        let requirements = graphs
            .last()
            .map(|graph| Requirements::new(&graph.tests, &graph.bonds))
            .unwrap_or_default();
        Program { graphs, arenas, requirements }
    }
}

impl Pattern {
    /// What the search runs on.
    #[inline]
    pub(crate) fn program(&self) -> &Program {
        self.program.get_or_init(|| Program::new(self))
    }

    /// The plans of a graph.
    #[inline]
    pub(crate) fn plans(&self, graph: usize) -> &Plans {
        let program = &self.program().graphs[graph];
        program.plans.get_or_init(|| {
            let compiled = self.compiled(graph);
            let top = graph + 1 == self.graphs.len();
            let best = Plan::rarest_first(&compiled, if top { None } else { Some(0) });
            let text = (top && !best.in_text_order).then(|| Plan::in_text_order(&compiled));
            Plans { best, text }
        })
    }

    /// A graph with everything that plans and tables are made from.
    pub(crate) fn compiled(&self, graph: usize) -> Compiled<'_> {
        let program = &self.program().graphs[graph];
        Compiled {
            graph: &self.graphs[graph],
            tests: &program.tests,
            bonds: &program.bonds,
            geometries: &program.geometries,
            literals: &self.atom_literals,
        }
    }

    /// What a target must have for this pattern to match.
    pub fn requirements(&self) -> &Requirements {
        &self.program().requirements
    }

    /// Makes now what the first search would otherwise make. Patterns that are shared by threads
    /// or timed may want it; the answers are the same.
    pub fn prepare(&self) {
        for graph in 0..self.graphs.len() {
            self.plans(graph);
        }
    }
}

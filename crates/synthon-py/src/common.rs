//! `synthon.mcs`: the largest common part of two molecules.

use std::sync::Arc;

use pyo3::prelude::*;
use synthon_budget::Status;
use synthon_depict::{PairMap, Theme, pair_figure, to_svg};
use synthon_mcs::{
    CommonBond, CommonSubgraph, McsAnswer, McsOptions, Objective, check_common_subgraph, find_mcs,
};
use synthon_mol::Molecule;
use synthon_query::ChemistryOptions;

use crate::errors::{Fault, bad_argument};
use crate::given;
use crate::interrupt::interruptible;
use crate::molecule::PyMolecule;
use crate::pattern::budget;
use crate::pickle::{self, reduced};

/// The largest common part of two molecules.
///
/// `objective` is ``mcis`` (most atoms; atoms are bonded in both or in neither) or ``mces`` (most
/// bonds). A part is `connected` unless asked for otherwise. The switches are those of
/// `Pattern.from_molecule`. `timeout` is in seconds, 10 unless given, and ``None`` for no limit;
/// what is returned is always a common part, and `optimal` says whether it is proved the largest.
///
/// Raises `SynthonError` for molecules that cannot be read or have more than 2,048 atoms or bonds.
#[pyfunction]
#[pyo3(signature = (
    query, target, *, objective="mcis", connected=true, match_stereo=false,
    ring_matches_ring_only=false, complete_rings_only=false, timeout=Some(10.0), node_limit=None
))]
#[expect(clippy::too_many_arguments, reason = "keywords of one Python function")]
pub(crate) fn mcs(
    py: Python<'_>,
    query: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    objective: &str,
    connected: bool,
    match_stereo: bool,
    ring_matches_ring_only: bool,
    complete_rings_only: bool,
    timeout: Option<f64>,
    node_limit: Option<u64>,
) -> PyResult<PyCommon> {
    let (query, target) = (given::molecule(query)?, given::molecule(target)?);
    let objective = match objective {
        "mcis" => Objective::Mcis,
        "mces" => Objective::Mces,
        other => {
            let sentence = format!("objective is not {other}");
            return Err(bad_argument(py, "objective", sentence, "one of mcis, mces"));
        }
    };
    let chemistry = ChemistryOptions {
        match_stereo,
        ring_matches_ring_only,
        complete_rings_only,
        ..ChemistryOptions::default()
    };
    let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
    let found = interruptible(py, |flag| -> PyResult<_> {
        let mut budget = budget(timeout, flag)?;
        if let Some(limit) = node_limit {
            budget = budget.with_node_limit(limit);
        }
        Ok(find_mcs(&query, &target, &options, &mut budget))
    })??;
    let answer = found.map_err(|error| error.raised(py))?;
    let McsAnswer { common, optimal, status, nodes, .. } = answer;
    Ok(PyCommon { query, target, options, common, optimal, status, nodes })
}

/// The largest common part of two molecules that was found.
#[pyclass(frozen, name = "CommonPart", module = "synthon")]
pub(crate) struct PyCommon {
    query: Arc<Molecule>,
    target: Arc<Molecule>,
    options: McsOptions,
    common: Option<CommonSubgraph>,
    optimal: bool,
    status: Status,
    nodes: u64,
}

#[pymethods]
impl PyCommon {
    /// Atom of the query, atom of the target; by rising query atom.
    #[getter]
    fn atoms(&self) -> Vec<(u32, u32)> {
        self.common.as_ref().map(|common| common.atoms.clone()).unwrap_or_default()
    }

    /// The common bonds: a pair of query atoms, and the pair of target atoms on them.
    #[getter]
    fn bonds(&self) -> Vec<((u32, u32), (u32, u32))> {
        let bonds = self.common.iter().flat_map(|common| &common.bonds);
        bonds.map(|bond| (bond.query, bond.target)).collect()
    }

    /// The query atoms of each connected piece.
    #[getter]
    fn fragments(&self) -> Vec<Vec<u32>> {
        self.common.as_ref().map(|common| common.fragments.clone()).unwrap_or_default()
    }

    /// The part as SMARTS that matches both molecules; empty when nothing is common.
    #[getter]
    fn smarts(&self) -> String {
        let Some(common) = &self.common else { return String::new() };
        common.to_smarts(&self.query, &self.target, &self.options).text
    }

    /// Whether the part is proved to be the largest, or, when it is empty, that there is none.
    #[getter]
    fn optimal(&self) -> bool {
        self.optimal
    }

    /// ``COMPLETED``, or what stopped the search: ``TIMED_OUT``, ``LIMIT_REACHED``.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.as_str()
    }

    /// Search nodes visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Both molecules side by side with the part highlighted, as SVG text; sizes in pixels.
    #[pyo3(signature = (*, width=800.0, height=360.0))]
    fn to_svg(&self, py: Python<'_>, width: f64, height: f64) -> PyResult<String> {
        let mut map = PairMap::default();
        if let Some(common) = &self.common {
            map.atoms = common.atoms.iter().map(|&(q, t)| (q as usize, t as usize)).collect();
            let index = |molecule: &Molecule, (a, b): (u32, u32)| {
                molecule.bond_between(a as usize, b as usize)
            };
            map.first_bonds =
                common.bonds.iter().filter_map(|bond| index(&self.query, bond.query)).collect();
            map.second_bonds =
                common.bonds.iter().filter_map(|bond| index(&self.target, bond.target)).collect();
        }
        interruptible(py, |flag| {
            let mut budget = synthon_budget::Budget::unlimited().with_cancel_flag(flag);
            pair_figure(&self.query, &self.target, &map, width, height, &mut budget)
                .and_then(|scene| to_svg(&scene, Theme::Auto))
        })?
        .map_err(|error| error.raised(py))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.to_svg(py, 800.0, 360.0)
    }

    /// Number of common atoms.
    fn __len__(&self) -> usize {
        self.common.as_ref().map_or(0, |common| common.atoms.len())
    }

    fn __repr__(&self) -> String {
        let proved = if self.optimal { "proved largest" } else { "best found" };
        format!("<CommonPart of {} atoms, {}, {proved}>", self.__len__(), self.status())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of =
            |molecule: &Arc<Molecule>| Py::new(py, PyMolecule { molecule: Arc::clone(molecule) });
        let chemistry = &self.options.chemistry;
        let options = (
            self.options.objective == Objective::Mces,
            self.options.connected,
            chemistry.match_stereo,
            chemistry.ring_matches_ring_only,
            chemistry.complete_rings_only,
        );
        let common = self.common.as_ref().map(|_| (self.atoms(), self.bonds(), self.fragments()));
        let proof = (self.optimal, self.status(), self.nodes);
        reduced(py, "CommonPart", (of(&self.query)?, of(&self.target)?, options, common, proof))
    }
}

/// Pairs of atoms, pairs of bonds, and the pieces.
type Common = (Vec<(u32, u32)>, Vec<((u32, u32), (u32, u32))>, Vec<Vec<u32>>);

impl PyCommon {
    pub(crate) fn from_parts(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (query, target, options, common, proof) = parts.extract()?;
        let (query, target): (Bound<'_, PyMolecule>, Bound<'_, PyMolecule>) = (query, target);
        let (mces, connected, match_stereo, ring_matches_ring_only, complete_rings_only) = options;
        let (optimal, status, nodes): (_, String, _) = proof;
        let common: Option<Common> = common;
        let chemistry = ChemistryOptions {
            match_stereo,
            ring_matches_ring_only,
            complete_rings_only,
            ..ChemistryOptions::default()
        };
        let objective = if mces { Objective::Mces } else { Objective::Mcis };
        let options = McsOptions { objective, connected, chemistry, ..McsOptions::default() };
        let [query, target] = [query, target].map(|given| Arc::clone(&given.get().molecule));
        let common = common.map(|(atoms, bonds, fragments)| {
            let bonds = bonds.into_iter().map(|(query, target)| CommonBond { query, target });
            CommonSubgraph { atoms, bonds: bonds.collect(), fragments }
        });
        if let Some(common) = &common
            && let [fault, ..] = &check_common_subgraph(&query, &target, common, &options)[..]
        {
            return Err(pickle::no_part("common part", fault));
        }
        let status = pickle::status(&status)?;
        Ok(PyCommon { query, target, options, common, optimal, status, nodes })
    }
}

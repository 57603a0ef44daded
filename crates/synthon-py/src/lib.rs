//! The native half of the Python package `synthon`: `synthon._native`.
//!
//! A door like the others: it translates, and holds no chemistry. There are two ways in. The
//! tools (`tools.rs`, `json.rs`) take and give dicts. The objects (`molecule.rs`, `pattern.rs`,
//! `common.rs`, `fingerprint.rs`, `standardise.rs`, `corpus.rs`) are for people who write
//! programs, and take whatever `given.rs` counts as a molecule. Work runs without Python's lock:
//! on the caller's thread (`interrupt.rs`), or on all cores for many molecules (`threads.rs`);
//! Ctrl-C stops either. What the docstrings here say is what `help()` shows; types are in
//! `python/synthon/_native.pyi`.

mod array;
mod batch;
mod catalogue;
mod common;
mod corpus;
mod errors;
mod fingerprint;
mod given;
mod interrupt;
mod json;
mod molecule;
mod pattern;
mod pickle;
mod programs;
mod standardise;
mod threads;
mod tools;

/// The engine behind the package.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    const VERSION: &str = synthon_tools::ENGINE_VERSION;

    #[pymodule_export]
    use crate::catalogue::PyCatalogue;
    #[pymodule_export]
    use crate::programs::{run_synthon, run_synthon_mcp};
    #[pymodule_export]
    use crate::tools::{call_tool, render_routes, tool_definitions, tools};

    #[pymodule_export]
    use crate::batch::{canonical_smiles, descriptor_table, inchi_keys};
    #[pymodule_export]
    use crate::common::{PyCommon, mcs};
    #[pymodule_export]
    use crate::corpus::{PyCorpus, PyHit, PyHits};
    #[pymodule_export]
    use crate::fingerprint::{PyFingerprint, PyMatrix, fingerprint_from_bytes, fingerprints};
    #[pymodule_export]
    use crate::molecule::{PyAtom, PyBond, PyMolecule, molecule_in_order};
    #[pymodule_export]
    use crate::pattern::{PyExplanation, PyMatches, PyMiss, PyPattern, pattern_of_molecule};
    #[pymodule_export]
    use crate::pickle::restored;
    #[pymodule_export]
    use crate::standardise::{PyChange, PyStandardised, standardise, standardise_many};
}

//! What the fingerprint tools share: the choice of scheme, its limits and errors, the fields of
//! the results.

use serde_json::{Map, Value, json};
use synthon_budget::{Budget, Stop};
use synthon_fp::similarity::{Comparable, Overlap};
use synthon_fp::{CountFingerprint, Fingerprint, Fingerprinter, FpError, FpErrorKind, Scheme};
use synthon_mol::Molecule;

use crate::arguments::{Choice, MAX_TEXT_CHARS, choices};
use crate::context::CallContext;
use crate::envelope::{
    ENGINE_VERSION, milliseconds, operation_proof, operation_proof_schema, timings_schema,
};
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule};
use crate::output::{boolean, count, described, nullable, object, one_of, string};
use crate::registry::MAX_RESULT_BYTES;

/// Largest width of a fingerprint, in bits.
pub(crate) const MAX_FP_SIZE: i64 = 65_536;
/// Largest radius of surroundings.
pub(crate) const MAX_RADIUS: i64 = 8;
/// Most bonds of a path.
pub(crate) const MAX_PATH_LENGTH: i64 = 8;
/// Most paths of a molecule that are walked.
const MAX_PATH_WALKS: u64 = 2_000_000;
/// Most atoms of the molecules of a call together.
pub(crate) const MAX_COMBINED_ATOMS: usize = 4_096;

choices! {
    /// Kinds of fingerprints.
    pub enum FingerprintKind {
        /// Extended connectivity.
        Ecfp = "ecfp",
        /// The same on pharmacophoric roles.
        Fcfp = "fcfp",
        /// Another name of ecfp.
        Circular = "circular",
        /// Paths and branched subgraphs.
        Path = "path",
        /// Topological torsions.
        Torsion = "torsion",
        /// Screen for common substructures.
        Mcs = "mcs",
    }
}

/// The fingerprint arguments that the tools have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    pub(crate) kind: FingerprintKind,
    pub(crate) fp_size: i64,
    pub(crate) radius: i64,
    pub(crate) path_length: i64,
    pub(crate) counts: bool,
}

impl Inputs {
    fn scheme(&self) -> Scheme {
        Scheme::from_name(FingerprintKind::NAMES[self.kind as usize])
            .expect("each kind is the name of a scheme")
            .with_radius(self.radius.unsigned_abs() as u32)
            .with_max_path(self.path_length.unsigned_abs() as usize)
    }

    /// Checks which arguments go together, and makes what makes the fingerprints.
    pub(crate) fn maker(self) -> Result<Maker, ToolError> {
        let (scheme, size) = (self.scheme(), self.fp_size.unsigned_abs() as usize);
        let name = scheme.name();
        if self.counts && !scheme.has_counts() {
            let sentence = format!("counts are not available for {name}");
            return Err(ToolError::argument("argument.combination", sentence)
                .about("counts")
                .with_hint("leave counts out, or choose another kind"));
        }
        if !self.counts && size < scheme.min_size() {
            let sentence = format!("fp_size is too small for {name}");
            return Err(ToolError::argument("argument.combination", sentence)
                .about("fp_size")
                .found(size.to_string())
                .accepting(format!("at least {}", scheme.min_size()))
                .with_hint("each torsion takes four bits; counts fit into any size"));
        }
        let fingerprinter = Fingerprinter::new(scheme, size)
            .map_err(|error| ToolError::argument("argument.range", error.to_string()))?;
        Ok(Maker { inputs: self, fingerprinter })
    }
}

/// A fingerprint of either form.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    Bits(Fingerprint),
    Counts(CountFingerprint),
}

impl Made {
    /// Positions, or positions and counts.
    pub(crate) fn values(&self) -> Value {
        match self {
            Made::Bits(bits) => bits.on_bits().collect(),
            Made::Counts(counts) => counts.entries().iter().map(|entry| json!(entry)).collect(),
        }
    }
}

/// What two fingerprints made alike have in common.
pub(crate) fn overlap(a: &Made, b: &Made) -> Overlap {
    match (a, b) {
        (Made::Bits(a), Made::Bits(b)) => a.overlap(b),
        (Made::Counts(a), Made::Counts(b)) => a.overlap(b),
        _ => unreachable!("one maker made both"),
    }
}

/// Makes the fingerprints of a call.
#[derive(Debug)]
pub(crate) struct Maker {
    inputs: Inputs,
    fingerprinter: Fingerprinter,
}

impl Maker {
    /// The fingerprint of the molecule given as `argument`.
    pub(crate) fn make(
        &mut self,
        argument: &str,
        molecule: &Molecule,
        context: &CallContext<'_>,
    ) -> Result<Made, ToolError> {
        let mut budget = context.budget().child();
        if matches!(self.inputs.kind, FingerprintKind::Path | FingerprintKind::Mcs) {
            budget = budget.with_node_limit(MAX_PATH_WALKS);
        }
        self.make_within(molecule, &mut budget).map_err(|error| failed(argument, &error))
    }

    fn make_within(&mut self, molecule: &Molecule, budget: &mut Budget) -> Result<Made, FpError> {
        Ok(if self.inputs.counts {
            Made::Counts(self.fingerprinter.counts_within(molecule, budget)?)
        } else {
            Made::Bits(self.fingerprinter.bits_within(molecule, budget)?)
        })
    }

    /// Which fingerprint it was, in fields of the result.
    pub(crate) fn describe(&self, out: &mut Map<String, Value>) {
        let scheme = self.fingerprinter.scheme();
        let kind = FingerprintKind::NAMES[self.inputs.kind as usize];
        put(out, "kind", kind);
        put(out, "fp_size", self.inputs.fp_size);
        let radius = matches!(scheme, Scheme::Ecfp { .. } | Scheme::Fcfp { .. });
        put(out, "radius", radius.then_some(self.inputs.radius));
        let paths = matches!(scheme, Scheme::Path { .. } | Scheme::Mcs { .. });
        put(out, "path_length", paths.then_some(self.inputs.path_length));
        put(out, "counts", self.inputs.counts);
        put(out, "scheme", scheme.to_string());
        put(out, "scheme_version", scheme.version());
    }
}

fn failed(argument: &str, error: &FpError) -> ToolError {
    match error.kind() {
        FpErrorKind::Stopped(Stop::Nodes) => {
            ToolError::tool("fingerprint.too_many_paths", format!("{argument} has too many paths"))
                .about(argument)
                .accepting(format!("at most {MAX_PATH_WALKS}"))
                .with_hint("a smaller path_length has fewer")
        }
        FpErrorKind::Stopped(_) => {
            ToolError::tool("stopped", "The call was stopped by its time limit").about(argument)
        }
        _ => ToolError::tool(error.code(), error.message()).about(argument),
    }
}

/// Reads the molecules of a call, each with the name of its argument, within the caps on each and
/// on all together.
pub(crate) fn read_molecules(
    given: &[(String, &str)],
    context: &CallContext<'_>,
) -> Result<Vec<Molecule>, ToolError> {
    let mut molecules = Vec::with_capacity(given.len());
    let mut atoms = 0;
    for (argument, smiles) in given {
        if context.budget().child().check().is_err() {
            return Err(ToolError::tool("stopped", "The call was stopped by its time limit"));
        }
        let molecule = read_molecule(argument, smiles, MAX_ATOMS)?;
        atoms += molecule.atom_count();
        if atoms > MAX_COMBINED_ATOMS {
            let sentence = "The molecules have too many atoms together";
            return Err(ToolError::tool("molecule.too_large", sentence)
                .about(argument)
                .found(format!("more than {MAX_COMBINED_ATOMS}"))
                .with_hint("compare fewer molecules at a time"));
        }
        molecules.push(molecule);
    }
    Ok(molecules)
}

/// The molecules of a call with the names of their arguments.
pub(crate) fn named<'a>(
    given: &'a [(String, &str)],
    molecules: &'a [Molecule],
) -> impl Iterator<Item = (Option<&'a str>, &'a Molecule)> {
    given.iter().map(|(argument, _)| Some(argument.as_str())).zip(molecules)
}

/// Adds a field to a result.
pub(crate) fn put(out: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    out.insert(key.to_owned(), value.into());
}

/// The schemas of [`Maker::describe`].
pub(crate) fn described_fields() -> [(&'static str, Value); 7] {
    [
        ("kind", one_of(FingerprintKind::NAMES)),
        ("fp_size", count()),
        ("radius", nullable(count())),
        ("path_length", nullable(count())),
        ("counts", boolean()),
        ("scheme", described(string(), "Kind with its parameters.")),
        (
            "scheme_version",
            described(string(), "Fingerprints of one version, scheme and size can be compared."),
        ),
    ]
}

/// The fields that end the results.
pub(crate) fn finish(
    out: &mut Map<String, Value>,
    scope: &str,
    claim: String,
    context: &CallContext<'_>,
) {
    put(out, "status", "COMPLETED");
    put(out, "proof", operation_proof(scope));
    put(out, "claim", claim);
    put(out, "budget", json!({"call_timeout_ms": context.call_timeout().as_millis() as u64}));
    put(
        out,
        "limits",
        json!({
            "max_text_chars": MAX_TEXT_CHARS,
            "max_atoms": MAX_ATOMS,
            "max_combined_atoms": MAX_COMBINED_ATOMS,
            "max_fp_size": MAX_FP_SIZE,
            "max_radius": MAX_RADIUS,
            "max_path_length": MAX_PATH_LENGTH,
            "max_path_walks": MAX_PATH_WALKS,
            "max_result_bytes": MAX_RESULT_BYTES,
        }),
    );
    put(out, "timings", json!({"wall_elapsed_ms": milliseconds(context.budget().elapsed())}));
    put(out, "engine_version", ENGINE_VERSION);
}

/// The schemas of [`finish`].
pub(crate) fn finished_fields() -> [(&'static str, Value); 7] {
    let limits = object([
        ("max_text_chars", count()),
        ("max_atoms", count()),
        ("max_combined_atoms", count()),
        ("max_fp_size", count()),
        ("max_radius", count()),
        ("max_path_length", count()),
        ("max_path_walks", count()),
        ("max_result_bytes", count()),
    ]);
    [
        ("status", one_of(&["COMPLETED"])),
        ("proof", operation_proof_schema()),
        ("claim", string()),
        ("budget", object([("call_timeout_ms", count())])),
        ("limits", limits),
        ("timings", timings_schema()),
        ("engine_version", string()),
    ]
}

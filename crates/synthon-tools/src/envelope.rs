//! The fields that every result carries.

use std::time::Duration;

use serde_json::{Value, json};

/// Version of the engine, stated in every result.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// A duration in milliseconds, to the microsecond.
pub fn milliseconds(duration: Duration) -> Value {
    json!(duration.as_micros() as f64 / 1_000.0)
}

/// The proof of an operation that is no search: there is nothing to prove.
pub fn operation_proof(scope: &str) -> Value {
    json!({"scope": scope, "optimal": null, "search_proof_applicable": false})
}

/// Schema of [`operation_proof`].
pub fn operation_proof_schema() -> Value {
    use crate::output::{boolean, object, string};
    object([
        ("scope", string()),
        ("optimal", json!({"type": "null"})),
        ("search_proof_applicable", boolean()),
    ])
}

/// Schema of `timings` where there is no search.
pub fn timings_schema() -> Value {
    use crate::output::{object, real};
    object([("wall_elapsed_ms", real())])
}

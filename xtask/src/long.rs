//! `cargo xtask check-long`: what is too long for every change. Some hours at most.

use anyhow::Result;

use crate::{parity, workspace};

/// Random pairs for each option set that the common subgraph searches are held to brute force on.
const PAIRS: &str = "20000";

/// The searches for common subgraphs against brute force, tests marked `#[ignore]` with the
/// release profile, then all of parity.
pub fn run() -> Result<()> {
    // In debug builds small pairs reach every bound, also those that only long searches use.
    workspace::run(
        workspace::cargo()
            .args(["test", "--package", "synthon-mcs", "--test", "brute_force"])
            .args(["--test", "constraints"])
            .env("SYNTHON_LONG_PAIRS", PAIRS),
    )?;
    workspace::run(workspace::cargo().args([
        "test",
        "--workspace",
        "--release",
        "--",
        "--ignored",
    ]))?;
    parity::run(&[])
}

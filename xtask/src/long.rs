//! `cargo xtask check-long`: what is too long for every change. Some hours at most.

use anyhow::Result;

use crate::{parity, workspace};

/// Tests marked `#[ignore]` with the release profile, then all of parity.
pub fn run() -> Result<()> {
    workspace::run(workspace::cargo().args([
        "test",
        "--workspace",
        "--release",
        "--",
        "--ignored",
    ]))?;
    parity::run(&[])
}

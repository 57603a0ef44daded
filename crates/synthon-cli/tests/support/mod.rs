//! Running the program as a user does.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `synthon` with something to read.
pub fn synthon(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_synthon"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("synthon runs");
    // One that refuses its arguments ends without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
    child.wait_with_output().expect("it ends")
}

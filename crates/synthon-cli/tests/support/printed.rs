//! What the program printed, by how it ended.

use crate::support::synthon;

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Standard output of a run that ended well.
pub fn printed(arguments: &[&str], input: &str) -> String {
    let run = synthon(arguments, input);
    assert_eq!(run.status.code(), Some(0), "{arguments:?}: {}", text(&run.stderr));
    text(&run.stdout)
}

/// Standard error of a run that refused what it was given.
pub fn refused(arguments: &[&str], input: &str) -> String {
    let run = synthon(arguments, input);
    assert_eq!(run.status.code(), Some(2), "{arguments:?}: {}", text(&run.stdout));
    text(&run.stderr)
}

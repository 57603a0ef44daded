//! The commands, one file each.

pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod corpus;
pub(crate) mod depict;
pub(crate) mod describe;
pub(crate) mod doctor;
pub(crate) mod expand;
pub(crate) mod fingerprint;
pub(crate) mod library;
pub(crate) mod library_policy;
pub(crate) mod mcp;
pub(crate) mod questions;
pub(crate) mod routes;
pub(crate) mod routes_batch;
pub(crate) mod screen;
pub(crate) mod search;
pub(crate) mod search_file;
pub(crate) mod standardise;
pub(crate) mod stock;
pub(crate) mod tools;

use std::io::{self, Read};

use crate::failure::Failure;

/// All of standard input as text.
fn read_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Failure::file("standard input", &error))?;
    Ok(text)
}

//! The tools over the Model Context Protocol: on standard input and output, or over HTTP.
//!
//! One process serves one client. A connection speaks one of two eras: the *legacy* one with its
//! handshake (revisions 2024-11-05 to 2025-11-25), or the *modern* one, where each request
//! carries what it needs (2026-07-28). Which it is follows from the first valid request.
//!
//! From the outside in: [`serve()`] runs a transport that reads bounded lines, checks the JSON-RPC
//! envelope, passes the era gate, and answers everything that is wrong up to there itself; the
//! protocol library dispatches what is left to the handler, which calls
//! [`synthon_tools`]. How a request fares is decided in one place each: `lines` (framing),
//! `envelope`, `era`, `transport` (order, back-pressure, cancelling, ending), `handler`
//! (answers), `wire` (how each revision lists a tool).
#![deny(missing_docs)]

#[cfg(feature = "conformance")]
mod conformance;
mod envelope;
mod era;
mod handler;
#[cfg(feature = "http")]
mod http;
mod in_flight;
mod lines;
mod revision;
mod serve;
mod settings;
mod transport;
mod wire;

#[cfg(feature = "http")]
pub use crate::http::{HttpSettings, serve_http};
pub use serve::serve;
pub use settings::Settings;

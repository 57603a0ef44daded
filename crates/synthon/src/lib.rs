//! Synthesis planning and molecular comparison.
//!
//! One crate for programs: it re-exports the layers of the engine, each under its own name.
//!
//! ```
//! use std::time::Duration;
//!
//! use synthon::{Budget, InStock, Library, Molecule, PlanRequest, Stock, plan};
//!
//! // One text for every way of writing a molecule.
//! let paracetamol = Molecule::from_smiles("Oc1ccc(NC(C)=O)cc1")?;
//! assert_eq!(paracetamol.to_smiles(), "CC(=O)Nc1ccc(O)cc1");
//!
//! // How could it be made, from the shipped templates and the shipped stock?
//! let mut budget = Budget::unlimited().with_time_limit(Duration::from_secs(20));
//! let request = PlanRequest::new(paracetamol).depth(3);
//! let answer = plan(&request, &Library::curated(), &Stock::embedded(), &mut budget);
//! let best = answer.routes.first().expect("a route to paracetamol");
//! assert!(best.leaves.iter().all(|leaf| leaf.in_stock == InStock::Yes));
//! assert!(best.steps.iter().all(|step| step.forward_check.reproduces_target));
//!
//! // Nothing is claimed that was not shown.
//! println!("{}", answer.claim);
//! # Ok::<(), synthon::MolError>(())
//! ```
//!
//! The tools that assistants call are here too, with the same arguments and results as on the
//! command line and over MCP:
//!
//! ```
//! use synthon::tools::{CallContext, Catalogue, call_tool};
//!
//! let catalogue = Catalogue::shipped();
//! let arguments = serde_json::json!({"smiles": "OCC"});
//! let reply = call_tool("standardise_molecule", &arguments, &CallContext::new(&catalogue))?;
//! assert_eq!(reply.structured["smiles"], "CCO");
//! # Ok::<(), synthon::tools::ToolError>(())
//! ```
#![deny(missing_docs)]

pub use synthon_budget as budget;
pub use synthon_corpus as corpus;
pub use synthon_depict as depict;
pub use synthon_descriptors as descriptors;
pub use synthon_fp as fp;
pub use synthon_library as library;
pub use synthon_mol as mol;
pub use synthon_plan as planning;
pub use synthon_query as query;
pub use synthon_reaction as reaction;
pub use synthon_records as records;
pub use synthon_report as report;
pub use synthon_standardise as standardisation;
pub use synthon_stock as stock;
pub use synthon_toolkit as toolkit;
pub use synthon_tools as tools;

pub use synthon_budget::{Budget, CancelFlag, Status};
pub use synthon_library::Library;
pub use synthon_mol::{MolError, Molecule};
pub use synthon_plan::{InStock, PlanRequest, PlanResult, Route, Step, plan};
pub use synthon_stock::Stock;

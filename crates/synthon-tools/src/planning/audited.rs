//! A route brought or found, and its audit: what validate_route, explain_route and depict_route
//! start from.

use serde_json::{Map, Value};
use synthon_budget::Status;
use synthon_mol::Molecule;
use synthon_plan::{Audit, GivenStep, PlanRequest, Verdict, audit};

use super::given_route;
use super::search::{Question, Setting, bounded, frame, proof};
use crate::context::CallContext;
use crate::error::ToolError;

/// Bounds of an audit that the call's own deadline bounds: the largest that the tools take.
const LONGEST: i64 = 3_600;
const LARGEST: i64 = 10_000_000;

/// A route under audit; `audit` is `None` when no route was brought and none was found.
pub(crate) struct Audited<'a> {
    pub question: Question<'a>,
    pub audit: Option<Audit>,
    /// Target, status, complete, truncated, proof and claim.
    pub head: Map<String, Value>,
    /// The work of the search, when there was one.
    pub search: Option<Value>,
}

impl Audited<'_> {
    /// The conclusion, and why it is not `pass`.
    pub fn verdict(&self) -> (&'static str, Vec<String>) {
        match &self.audit {
            Some(audit) => (audit.verdict.as_str(), audit.reasons.clone()),
            None if self.head["complete"] == true => {
                (Verdict::Fail.as_str(), vec!["no route exists within these bounds".into()])
            }
            None => (Verdict::Partial.as_str(), vec!["no route was found to look at".into()]),
        }
    }

    /// The claim of the result.
    pub fn claim(&self) -> &str {
        self.head["claim"].as_str().expect("a claim is text")
    }
}

/// Reads the route that was brought, or finds the best one, and audits it.
pub(crate) fn audit_of<'a>(
    context: &'a CallContext<'a>,
    setting: Setting<'a>,
    smiles: &str,
    route: Option<&Map<String, Value>>,
    depth: i64,
) -> Result<Audited<'a>, ToolError> {
    let mut question = Question::new(context, setting, smiles)?;
    let (library, stock) = (question.library()?, question.stock()?);
    let look_at = |question: &mut Question<'_>, steps: &[GivenStep]| {
        let mut budget = question.budget();
        let audit = audit(&question.target, steps, &library, &stock, &mut budget);
        question.spent += budget.elapsed();
        audit
    };
    if let Some(route) = route {
        let steps = given_route::read(route, &question.target)?;
        let audit = look_at(&mut question, &steps);
        let status: Status = audit.stopped.map_or(Status::Completed, Into::into);
        let complete = status == Status::Completed;
        let looked = audit.steps.len();
        let known = audit.steps.iter().filter(|step| step.known.is_some()).count();
        let claim = format!(
            "Of the {looked} {} looked at, {known} {} by a template of library {} and replayed \
             forwards; stock {}{}.",
            if looked == 1 { "step" } else { "steps" },
            if known == 1 { "is known" } else { "are known" },
            setting.library,
            setting.stock,
            if complete { "" } else { "; the time was up before the end" },
        );
        let mut head = Map::new();
        head.insert("target".into(), question.target.to_unmapped_smiles().into());
        head.insert("status".into(), status.as_str().into());
        head.insert("complete".into(), complete.into());
        head.insert("truncated".into(), (!complete).into());
        head.insert("proof".into(), proof(complete, &setting, depth));
        head.insert("claim".into(), claim.into());
        return Ok(Audited { question, audit: Some(audit), head, search: None });
    }
    let request = PlanRequest::new(question.target.clone()).depth(bounded(depth)).max_routes(1);
    let result = question.plan(&request)?;
    let (mut head, mut after) = frame(&result);
    head.shift_remove("target_in_stock");
    head.shift_remove("routes_found");
    let found = match result.routes.first() {
        Some(route) => {
            let steps: Vec<GivenStep> = route
                .steps
                .iter()
                .map(|step| GivenStep {
                    target: read_own(&step.target),
                    precursors: step.precursors.iter().map(|text| read_own(text)).collect(),
                })
                .collect();
            Some(look_at(&mut question, &steps))
        }
        None => None,
    };
    Ok(Audited { question, audit: found, head, search: after.shift_remove("search") })
}

/// Reads a route from anywhere, in any form that the argument `route` of the tools takes, and
/// audits every step, for callers that want more than the tools tell. `smiles` is what it is to
/// make; `library` and `stock` are names of the context's catalogue.
///
/// # Errors
/// An unknown name, a text that is no molecule, a route of no known form or to another molecule.
pub fn audit_given_route(
    context: &CallContext<'_>,
    library: &str,
    stock: &str,
    smiles: &str,
    route: &Map<String, Value>,
) -> Result<Audit, ToolError> {
    let setting = Setting { library, stock, timeout_secs: LONGEST, node_limit: LARGEST };
    let audited = audit_of(context, setting, smiles, Some(route), 1)?;
    Ok(audited.audit.expect("a route that was brought is audited"))
}

fn read_own(text: &str) -> Molecule {
    Molecule::from_smiles(text).expect("the planner writes texts that can be read")
}

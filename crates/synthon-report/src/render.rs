//! A planning result in the forms that others read.

use std::fmt;

use serde_json::Value;
use synthon_budget::Budget;
use synthon_depict::{DepictError, SheetSize, Theme, to_svg};
use synthon_plan::Route;

use crate::mermaid::mermaid;
use crate::page::{PageHead, routes_page};
use crate::scheme::{Scheme, scheme_figure};
use crate::trees::aizynthfinder_trees;

/// A form of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteForm {
    /// A drawing of all routes, one below the other.
    Svg,
    /// One self-contained page.
    Html,
    /// A graph in Mermaid's language.
    Mermaid,
    /// A JSON list of trees as AiZynthFinder writes them.
    Aizynthfinder,
}

impl RouteForm {
    /// All forms.
    pub const ALL: [RouteForm; 4] =
        [RouteForm::Svg, RouteForm::Html, RouteForm::Mermaid, RouteForm::Aizynthfinder];

    /// The name: `svg`, `html`, `mermaid` or `aizynthfinder`.
    pub fn name(self) -> &'static str {
        match self {
            RouteForm::Svg => "svg",
            RouteForm::Html => "html",
            RouteForm::Mermaid => "mermaid",
            RouteForm::Aizynthfinder => "aizynthfinder",
        }
    }

    /// The form of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}

/// Why a result could not be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportError {
    /// The result has no routes, or others than `find_routes` with full detail gives.
    Routes(String),
    /// The drawing failed.
    Drawing(DepictError),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Routes(reason) => write!(
                f,
                "The routes cannot be shown: {reason}; give a result of find_routes or \
                 plan_with_constraints with full detail"
            ),
            ReportError::Drawing(error) => write!(f, "{error}; fewer routes make less to draw"),
        }
    }
}

impl std::error::Error for ReportError {}

/// Writes the routes of a planning result, which is the object that the tools `find_routes` and
/// `plan_with_constraints` give. The budget is that of the drawings.
///
/// # Errors
/// Routes that are none, or a drawing that cannot be made.
pub fn render(form: RouteForm, result: &Value, budget: &mut Budget) -> Result<String, ReportError> {
    let routes = result.get("routes").cloned().unwrap_or_default();
    let routes: Vec<Route> =
        serde_json::from_value(routes).map_err(|error| ReportError::Routes(error.to_string()))?;
    Ok(match form {
        RouteForm::Svg => {
            let target = result["target"].as_str().unwrap_or_default();
            drawing(target, &routes, budget).map_err(ReportError::Drawing)?
        }
        RouteForm::Html => routes_page(&PageHead::of(result), &routes, budget),
        RouteForm::Mermaid => mermaid(&routes),
        RouteForm::Aizynthfinder => {
            let trees = Value::from(aizynthfinder_trees(&routes));
            serde_json::to_string_pretty(&trees).expect("JSON serialises") + "\n"
        }
    })
}

/// All routes, one below the other.
fn drawing(target: &str, routes: &[Route], budget: &mut Budget) -> Result<String, DepictError> {
    let numbered = (1..).zip(routes);
    let mut schemes: Vec<Scheme> = numbered
        .map(|(number, route)| {
            let steps = match route.steps.len() {
                1 => "1 step".to_owned(),
                count => format!("{count} steps"),
            };
            let (of, tier) = (routes.len(), route.tier);
            Scheme::of(route).under(format!("Route {number} of {of}: {steps}, tier {tier}"))
        })
        .collect();
    if schemes.is_empty() {
        schemes.push(Scheme::default().under("There is no route to draw"));
    }
    let scene = scheme_figure(&schemes, SheetSize::default(), budget)?;
    to_svg(&scene.with_title(format!("Routes to {target}")), Theme::Auto)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_without_routes_is_refused_and_one_with_none_is_shown() {
        let mut budget = Budget::unlimited();
        for form in RouteForm::ALL {
            assert_eq!(RouteForm::from_name(form.name()), Some(form));
            let refused = render(form, &json!({"routes": [{"steps": 5}]}), &mut budget);
            assert!(matches!(refused, Err(ReportError::Routes(_))), "{form:?}");
            assert!(render(form, &json!({}), &mut budget).is_err());
            let empty = render(form, &json!({"target": "C", "routes": []}), &mut budget);
            assert!(empty.is_ok_and(|text| !text.is_empty()), "{form:?}");
        }
    }
}

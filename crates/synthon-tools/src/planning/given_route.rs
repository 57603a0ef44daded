//! A route that the caller brings, in the forms that planners write.
//!
//! | form | how it is told | who writes it |
//! | --- | --- | --- |
//! | list of steps | `steps`: `target`, `precursors` | this project |
//! | list of reactions | `reactions`: `product`, `reactants` | Syntheseus, RetroChimera |
//! | tree of molecules and reactions by turns | `smiles`, `children` | AiZynthFinder, PaRoutes, Syntheseus |
//! | tree of molecules | `target` or `smiles`, `product_of` (`synthesis_step` before version 1): `reactants` | RetroCast |
//!
//! A fault names its place as a JSON pointer (RFC 6901) into the route.

use serde_json::{Map, Value};
use synthon_mol::Molecule;
use synthon_plan::GivenStep;

use crate::check::shorten;
use crate::error::ToolError;
use crate::molecule::{MAX_ATOMS, read_molecule};

/// Most steps of a route that is looked at.
const MAX_STEPS: usize = 200;
/// Most precursors of a step.
const MAX_PRECURSORS: usize = 20;
/// Most routes taken from one file.
const MAX_ROUTES: usize = 100_000;

/// A molecule as text, and where in the argument it stands.
struct Text<'v> {
    place: String,
    smiles: &'v str,
}

/// One step as text.
struct Raw<'v> {
    target: Text<'v>,
    precursors: Vec<Text<'v>>,
}

/// A route found in a file of routes.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRoute {
    /// JSON pointer to it.
    pub place: String,
    /// SMILES of the molecule that it makes, as written; `None` where the route has no known form.
    pub target: Option<String>,
    /// The route, as the argument `route` of a tool takes it.
    pub route: Map<String, Value>,
}

/// The routes in what a planner wrote: one route, a list of them, or an object that holds them
/// under `routes`, `trees`, `data`, `outputs`, `result`, `route` or the names of targets. What
/// else stands there is passed over.
///
/// ```
/// use serde_json::json;
///
/// let file = json!([{"smiles": "CO", "children": []}, {"smiles": "CN"}]);
/// let found = synthon_tools::routes_in(&file);
/// assert_eq!((found[1].place.as_str(), found[1].target.as_deref()), ("/1", Some("CN")));
/// ```
pub fn routes_in(file: &Value) -> Vec<FoundRoute> {
    const HOLDERS: [&str; 6] = ["routes", "trees", "data", "outputs", "result", "route"];
    let mut found = Vec::new();
    let mut waiting = vec![(file, String::new())];
    while let Some((value, place)) = waiting.pop() {
        if found.len() == MAX_ROUTES {
            break;
        }
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                waiting.extend(items.map(|(at, item)| (item, format!("{place}/{at}"))));
            }
            // A target that was refused, as a batch writes it.
            Value::Object(object) if object.contains_key("error") => {}
            Value::Object(object) => {
                let held: Vec<&str> =
                    HOLDERS.into_iter().filter(|key| object.contains_key(*key)).collect();
                if !held.is_empty() {
                    let inside = held.into_iter().rev();
                    waiting.extend(inside.map(|key| (&object[key], format!("{place}/{key}"))));
                } else if let Some(form) = Form::of(object) {
                    let target = form.target().map(str::to_owned);
                    found.push(FoundRoute { place, target, route: object.clone() });
                } else {
                    let inside = object.iter().rev().filter(|(_, v)| v.is_array() || v.is_object());
                    waiting.extend(inside.map(|(key, v)| (v, format!("{place}/{}", token(key)))));
                }
            }
            _ => {}
        }
    }
    found
}

/// A key as part of a JSON pointer.
fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The forms of a route.
enum Form<'v> {
    Steps(&'v Value),
    Reactions(&'v Value),
    Bipartite(&'v Map<String, Value>),
    /// The root, and its place.
    RetroCast(&'v Map<String, Value>, &'static str),
}

impl<'v> Form<'v> {
    fn of(route: &'v Map<String, Value>) -> Option<Self> {
        let made = |node: &Map<String, Value>| {
            node.contains_key("product_of") || node.contains_key("synthesis_step")
        };
        if let Some(steps) = route.get("steps").filter(|steps| steps.is_array()) {
            return Some(Form::Steps(steps));
        }
        if let Some(reactions) = route.get("reactions").filter(|reactions| reactions.is_array()) {
            return Some(Form::Reactions(reactions));
        }
        if let Some(root) = route.get("target").and_then(Value::as_object) {
            return Some(Form::RetroCast(root, "/target"));
        }
        if made(route) {
            return Some(Form::RetroCast(route, ""));
        }
        route.contains_key("smiles").then_some(Form::Bipartite(route))
    }

    /// The text of the molecule that is made, as far as it can be told without reading any.
    fn target(&self) -> Option<&'v str> {
        let text = |value: &'v Value| value.as_str().or_else(|| value.get("smiles")?.as_str());
        match self {
            Form::Steps(steps) => text(steps.get(0)?.get("target")?),
            Form::Reactions(reactions) => {
                // In whichever order they stand: the product that no other reaction takes up.
                let reactions = reactions.as_array()?;
                let products = || reactions.iter().filter_map(|r| text(r.get("product")?));
                let taken: Vec<&str> = reactions
                    .iter()
                    .filter_map(|r| r.get("reactants")?.as_array())
                    .flatten()
                    .filter_map(text)
                    .collect();
                products().find(|product| !taken.contains(product)).or_else(|| products().next())
            }
            Form::Bipartite(root) | Form::RetroCast(root, _) => root.get("smiles")?.as_str(),
        }
    }
}

/// Reads the argument `route` of a question about `target`.
///
/// # Errors
/// A fault of the argument when it has no known form; a failure of the tool when a molecule
/// cannot be read or no step makes the target.
pub(crate) fn read(
    route: &Map<String, Value>,
    target: &Molecule,
) -> Result<Vec<GivenStep>, ToolError> {
    let mut raw = Vec::new();
    match Form::of(route) {
        Some(Form::Steps(steps)) => list(steps, "/steps", ["target", "precursors"], &mut raw)?,
        Some(Form::Reactions(reactions)) => {
            list(reactions, "/reactions", ["product", "reactants"], &mut raw)?;
        }
        Some(Form::Bipartite(root)) => tree(root, &mut raw)?,
        Some(Form::RetroCast(root, place)) => retrocast(root, place, &mut raw)?,
        None => {
            return Err(malformed(
                "",
                "it has none of the keys steps, reactions, smiles and target",
            ));
        }
    }
    if raw.is_empty() {
        return Err(malformed("", "it has no step"));
    }
    let molecule =
        |text: &Text<'_>| read_molecule(&format!("route{}", text.place), text.smiles, MAX_ATOMS);
    let mut steps = Vec::with_capacity(raw.len());
    for Raw { target, precursors } in &raw {
        let precursors = precursors.iter().map(molecule).collect::<Result<_, _>>()?;
        steps.push(GivenStep { target: molecule(target)?, precursors });
    }
    let wanted = target.to_unmapped_smiles();
    if steps.iter().all(|step| step.target.to_unmapped_smiles() != wanted) {
        return Err(ToolError::tool("route.root", "The route makes another molecule than smiles")
            .about("route")
            .found(steps[0].target.to_unmapped_smiles())
            .accepting(wanted)
            .with_hint("a step, or the root of the tree, makes the target"));
    }
    Ok(steps)
}

/// `place` is a JSON pointer into the route, empty for all of it.
fn malformed(place: &str, reason: &str) -> ToolError {
    ToolError::argument("route.form", format!("route{place} is no route that can be read"))
        .about("route")
        .found(reason)
        .accepting(
            "{\"steps\": [{\"target\": .., \"precursors\": [..]}, ..]}, {\"reactions\": \
             [{\"product\": .., \"reactants\": [..]}, ..]}, or a tree of AiZynthFinder, PaRoutes, \
             Syntheseus or RetroCast",
        )
}

/// Text, or an object with the text under `smiles`.
fn smiles<'v>(value: Option<&'v Value>, place: String) -> Result<Text<'v>, ToolError> {
    match value {
        Some(Value::String(smiles)) => Ok(Text { place, smiles }),
        Some(Value::Object(node)) => match node.get("smiles") {
            Some(Value::String(smiles)) => Ok(Text { place: place + "/smiles", smiles }),
            _ => Err(malformed(&place, "a molecule without smiles")),
        },
        Some(other) => Err(malformed(&place, &shorten(&other.to_string()))),
        None => Err(malformed(&place, "a molecule is missing")),
    }
}

fn list<'v>(
    steps: &'v Value,
    name: &str,
    [target, precursors]: [&str; 2],
    raw: &mut Vec<Raw<'v>>,
) -> Result<(), ToolError> {
    for (at, step) in steps.as_array().into_iter().flatten().enumerate() {
        let place = format!("{name}/{at}");
        let Value::Object(step) = step else {
            return Err(malformed(&place, "it must be an object"));
        };
        let Some(Value::Array(from)) = step.get(precursors) else {
            return Err(malformed(&place, &format!("it needs the list {precursors}")));
        };
        let numbered = from.iter().enumerate();
        let from = numbered
            .map(|(at, value)| smiles(Some(value), format!("{place}/{precursors}/{at}")))
            .collect::<Result<_, _>>()?;
        let target = smiles(step.get(target), format!("{place}/{target}"))?;
        push(raw, &place, target, from)?;
    }
    Ok(())
}

fn push<'v>(
    raw: &mut Vec<Raw<'v>>,
    place: &str,
    target: Text<'v>,
    precursors: Vec<Text<'v>>,
) -> Result<(), ToolError> {
    if precursors.is_empty() || precursors.len() > MAX_PRECURSORS {
        return Err(malformed(place, &format!("a step has 1 to {MAX_PRECURSORS} precursors")));
    }
    if raw.len() == MAX_STEPS {
        return Err(malformed("", &format!("it has more than {MAX_STEPS} steps")));
    }
    raw.push(Raw { target, precursors });
    Ok(())
}

/// A tree of molecules whose children are reactions whose children are molecules. The envelope
/// bounds how deep it can be, so walking it with a stack of places is enough.
fn tree<'v>(root: &'v Map<String, Value>, raw: &mut Vec<Raw<'v>>) -> Result<(), ToolError> {
    let mut waiting = vec![(root, String::new())];
    while let Some((node, place)) = waiting.pop() {
        kind(node, &place, "mol")?;
        for (at, reaction) in children(node, "children", &place)?.into_iter().enumerate() {
            let place_of_reaction = format!("{place}/children/{at}");
            kind(reaction, &place_of_reaction, "reaction")?;
            let molecules = children(reaction, "children", &place_of_reaction)?;
            step(raw, node, &place, molecules, &place_of_reaction, "children", &mut waiting)?;
        }
    }
    Ok(())
}

/// A tree of molecules each of which may state the reaction that it is the product of.
fn retrocast<'v>(
    root: &'v Map<String, Value>,
    place: &str,
    raw: &mut Vec<Raw<'v>>,
) -> Result<(), ToolError> {
    let mut waiting = vec![(root, place.to_owned())];
    while let Some((node, place)) = waiting.pop() {
        for key in ["product_of", "synthesis_step"] {
            let reaction = match node.get(key) {
                None | Some(Value::Null) => continue,
                Some(Value::Object(reaction)) => reaction,
                Some(_) => {
                    return Err(malformed(&format!("{place}/{key}"), "it must be an object"));
                }
            };
            let place_of_reaction = format!("{place}/{key}");
            let molecules = children(reaction, "reactants", &place_of_reaction)?;
            step(raw, node, &place, molecules, &place_of_reaction, "reactants", &mut waiting)?;
        }
    }
    Ok(())
}

/// Takes a step of a tree, and leaves its precursors to be looked at.
fn step<'v>(
    raw: &mut Vec<Raw<'v>>,
    node: &'v Map<String, Value>,
    place: &str,
    molecules: Vec<&'v Map<String, Value>>,
    place_of_reaction: &str,
    list: &str,
    waiting: &mut Vec<(&'v Map<String, Value>, String)>,
) -> Result<(), ToolError> {
    let text = |node: &'v Map<String, Value>, place: &str| match node.get("smiles") {
        Some(Value::String(smiles)) => Ok(Text { place: format!("{place}/smiles"), smiles }),
        _ => Err(malformed(place, "a molecule without smiles")),
    };
    let place_of = |at: usize| format!("{place_of_reaction}/{list}/{at}");
    let numbered = molecules.iter().enumerate();
    let precursors =
        numbered.map(|(at, node)| text(node, &place_of(at))).collect::<Result<_, _>>()?;
    push(raw, place_of_reaction, text(node, place)?, precursors)?;
    waiting.extend(molecules.into_iter().enumerate().rev().map(|(at, node)| (node, place_of(at))));
    Ok(())
}

/// Molecules and reactions take turns; a node that says to be the other thing is refused.
fn kind(node: &Map<String, Value>, place: &str, wanted: &str) -> Result<(), ToolError> {
    match node.get("type") {
        None => Ok(()),
        Some(Value::String(kind)) if kind == wanted => Ok(()),
        Some(other) => Err(malformed(
            &format!("{place}/type"),
            &format!("{}, where {wanted} stands", shorten(&other.to_string())),
        )),
    }
}

fn children<'v>(
    node: &'v Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<Vec<&'v Map<String, Value>>, ToolError> {
    let items = match node.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(malformed(&format!("{place}/{key}"), "it must be a list")),
    };
    let objects = items.iter().enumerate().map(|(at, item)| {
        let refuse = || malformed(&format!("{place}/{key}/{at}"), "it must be an object");
        item.as_object().ok_or_else(refuse)
    });
    objects.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(route: Value, target: &str) -> Result<Vec<(String, Vec<String>)>, ToolError> {
        let target = Molecule::from_smiles(target).expect("a target");
        let steps = read(route.as_object().expect("an object"), &target)?;
        Ok(steps
            .into_iter()
            .map(|step| {
                let text = |molecule: &Molecule| molecule.to_unmapped_smiles();
                (text(&step.target), step.precursors.iter().map(text).collect())
            })
            .collect())
    }

    #[test]
    fn all_forms_say_the_same() {
        let forms = [
            json!({"steps": [{"target": "CC(=O)OC", "precursors": ["CC(=O)O", "CO"]}]}),
            json!({"reactions": [{"product": {"smiles": "CC(=O)OC"}, "reactants": [{"smiles": "CC(=O)O"}, "OC"]}]}),
            json!({"type": "mol", "smiles": "COC(C)=O", "children": [{
                "type": "reaction", "smiles": "x>>y", "children": [
                    {"type": "mol", "smiles": "CC(=O)O", "in_stock": true},
                    {"type": "mol", "smiles": "CO", "in_stock": true},
                ],
            }]}),
            // PaRoutes: the mapped reaction stands in the metadata.
            json!({"smiles": "COC(C)=O", "type": "mol", "in_stock": false, "children": [{
                "type": "reaction", "hide": false, "smiles": "O[C:1]=O.O>>C[O:3][C:1]=O",
                "metadata": {"template_hash": "0a", "classification": "1.7.4", "library_occurence": 3,
                    "reaction_hash": "A.B>>C", "ID": "US20150051201A1;0267;1234", "RingBreaker": false,
                    "rsmi": "C[C:1](=[O:2])O.C[OH:3]>>C[O:3][C:1](C)=[O:2]"},
                "children": [
                    {"smiles": "CC(=O)O", "type": "mol", "in_stock": true},
                    {"smiles": "CO", "type": "mol", "in_stock": true},
                ],
            }]}),
            // RetroCast, and as it was before version 1.
            json!({"schema_version": "2", "annotations": {}, "target": {
                "smiles": "COC(C)=O", "inchikey": "KXKVLQRXCPHEJC-UHFFFAOYSA-N", "annotations": {},
                "product_of": {"annotations": {}, "template": null, "reactants": [
                    {"smiles": "CC(=O)O", "inchikey": "QTBSBXVTEAMEQO-UHFFFAOYSA-N", "product_of": null},
                    {"smiles": "CO", "inchikey": "OKKJLVBELUTLKV-UHFFFAOYSA-N", "product_of": null},
                ]},
            }}),
            json!({"rank": 1, "target": {"smiles": "COC(C)=O", "synthesis_step": {"reactants": [
                {"smiles": "CC(=O)O"}, {"smiles": "CO"},
            ]}}}),
        ];
        for form in forms {
            let steps = read_json(form, "CC(=O)OC").expect("read");
            assert_eq!(steps, [("COC(C)=O".into(), vec!["CC(=O)O".into(), "CO".into()])]);
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let faults = [
            (json!({}), "route.form"),
            (json!({"steps": []}), "route.form"),
            (json!({"steps": [{"target": "C"}]}), "route.form"),
            (json!({"steps": [{"target": "C", "precursors": []}]}), "route.form"),
            (json!({"smiles": "C", "children": 5}), "route.form"),
            (json!({"steps": [{"target": "CCN", "precursors": ["C"]}]}), "route.root"),
            (json!({"steps": [{"target": "C(", "precursors": ["C"]}]}), "smiles.unclosed_branch"),
        ];
        for (route, code) in faults {
            let error = read_json(route.clone(), "CCO").expect_err("refused");
            assert_eq!(error.code(), code, "{route}: {error}");
        }
    }

    #[test]
    fn the_place_of_a_fault_is_a_pointer() {
        let leaf = |smiles: Value| json!({"type": "mol", "smiles": smiles});
        let tree = |below: Value| json!({"smiles": "CCO", "children": [{"type": "reaction", "children": [leaf("C".into()), below]}]});
        let cases = [
            (tree(leaf("C(".into())), "/children/0/children/1/smiles"),
            (tree(leaf(5.into())), "/children/0/children/1"),
            (tree(json!({"type": "reaction", "smiles": "x"})), "/children/0/children/1/type"),
            (tree(json!(7)), "/children/0/children/1"),
            (
                json!({"steps": [{"target": "CCO", "precursors": ["C", "C)"]}]}),
                "/steps/0/precursors/1",
            ),
            (
                json!({"reactions": [{"product": "CCO", "reactants": [{"smiles": 1}]}]}),
                "/reactions/0/reactants/0",
            ),
            (
                json!({"target": {"smiles": "CCO", "product_of": {"reactants": [{"smiles": "C1"}]}}}),
                "/target/product_of/reactants/0/smiles",
            ),
            (
                json!({"target": {"smiles": "CCO", "product_of": {"reactants": {}}}}),
                "/target/product_of/reactants",
            ),
        ];
        for (route, place) in cases {
            let error = read_json(route.clone(), "CCO").expect_err("refused");
            let text = error.to_string() + " " + error.argument_name().unwrap_or_default();
            assert!(text.contains(&format!("route{place}")), "{route}: {text}");
        }
    }

    #[test]
    fn routes_are_found_in_what_planners_write() {
        let tree = json!({"type": "mol", "smiles": "CO", "children": []});
        let cast = json!({"target": {"smiles": "CN", "product_of": null}});
        let cases = [
            (tree.clone(), vec![("", "CO")]),
            (json!([tree, tree]), vec![("/0", "CO"), ("/1", "CO")]),
            // aizynthcli: a table with a column of trees.
            (
                json!({"schema": {}, "data": [{"target": "CO", "trees": [tree]}]}),
                vec![("/data/0/trees/0", "CO")],
            ),
            (json!({"a/b": [cast], "c": [tree]}), vec![("/a~1b/0", "CN"), ("/c/0", "CO")]),
            (json!({"c": [{"rank": 1, "route": cast}]}), vec![("/c/0/route", "CN")]),
            (
                json!({"smiles": "CO", "routes_found": 1, "routes": [{"steps": [{"target": "CO", "precursors": ["C"]}]}]}),
                vec![("/routes/0", "CO")],
            ),
            (json!({"smiles": "C1", "error": "Unclosed ring(s): 1"}), vec![]),
            // A list in which the target is made last.
            (
                json!({"reactions": [{"product": "B", "reactants": ["C"]}, {"product": "A", "reactants": ["B"]}]}),
                vec![("", "A")],
            ),
            (json!(5), vec![]),
        ];
        for (file, expected) in cases {
            let found = routes_in(&file);
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|f| (f.place.as_str(), f.target.as_deref().unwrap_or("")))
                .collect();
            assert_eq!(found, expected, "{file}");
        }
    }
}

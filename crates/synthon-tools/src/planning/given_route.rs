//! A route that the caller brings: our own form, an AiZynthFinder tree, or a list of reactions as
//! Syntheseus has them.

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

/// One step as text, and where in the argument it stands.
struct Raw<'v> {
    place: String,
    target: &'v str,
    precursors: Vec<&'v str>,
}

/// Reads the argument `route` of a question about `target`.
///
/// # Errors
/// A fault of the argument when it has no known form; a failure of the tool when a molecule
/// cannot be read or the root is another molecule than the target.
pub(crate) fn read(
    route: &Map<String, Value>,
    target: &Molecule,
) -> Result<Vec<GivenStep>, ToolError> {
    let mut raw = Vec::new();
    if let Some(steps) = route.get("steps") {
        list(steps, "steps", ["target", "precursors"], &mut raw)?;
    } else if let Some(reactions) = route.get("reactions") {
        list(reactions, "reactions", ["product", "reactants"], &mut raw)?;
    } else if route.contains_key("smiles") {
        tree(route, &mut raw)?;
    } else {
        return Err(malformed("route", "it has none of the keys steps, reactions and smiles"));
    }
    if raw.is_empty() {
        return Err(malformed("route", "it has no step"));
    }
    let molecule =
        |place: &str, text: &str| read_molecule(&format!("route.{place}"), text, MAX_ATOMS);
    let mut steps = Vec::with_capacity(raw.len());
    for Raw { place, target, precursors } in &raw {
        steps.push(GivenStep {
            target: molecule(place, target)?,
            precursors: precursors
                .iter()
                .map(|text| molecule(place, text))
                .collect::<Result<_, _>>()?,
        });
    }
    let root = steps[0].target.to_unmapped_smiles();
    let wanted = target.to_unmapped_smiles();
    if root != wanted {
        return Err(ToolError::tool("route.root", "The route makes another molecule than smiles")
            .about("route")
            .found(root)
            .accepting(wanted)
            .with_hint("the first step, or the root of the tree, makes the target"));
    }
    Ok(steps)
}

fn malformed(place: &str, reason: &str) -> ToolError {
    ToolError::argument("route.form", format!("{place} is no route that can be read"))
        .about("route")
        .found(reason)
        .accepting(
            "{\"steps\": [{\"target\": .., \"precursors\": [..]}, ..]}, an AiZynthFinder tree, or \
             {\"reactions\": [{\"product\": .., \"reactants\": [..]}, ..]}",
        )
}

/// Text, or an object with the text under `smiles`.
fn smiles<'v>(value: Option<&'v Value>, place: &str) -> Result<&'v str, ToolError> {
    match value {
        Some(Value::String(text)) => Ok(text),
        Some(Value::Object(node)) => match node.get("smiles") {
            Some(Value::String(text)) => Ok(text),
            _ => Err(malformed(place, "a molecule without smiles")),
        },
        Some(other) => Err(malformed(place, &shorten(&other.to_string()))),
        None => Err(malformed(place, "a molecule is missing")),
    }
}

fn list<'v>(
    steps: &'v Value,
    name: &str,
    [target, precursors]: [&str; 2],
    raw: &mut Vec<Raw<'v>>,
) -> Result<(), ToolError> {
    let Value::Array(steps) = steps else { return Err(malformed(name, "it must be a list")) };
    for (at, step) in steps.iter().enumerate() {
        let place = format!("{name}[{at}]");
        let Value::Object(step) = step else {
            return Err(malformed(&place, "it must be an object"));
        };
        let Some(Value::Array(from)) = step.get(precursors) else {
            return Err(malformed(&place, &format!("it needs the list {precursors}")));
        };
        let from = from.iter().map(|value| smiles(Some(value), &place));
        push(
            raw,
            place.clone(),
            smiles(step.get(target), &place)?,
            from.collect::<Result<_, _>>()?,
        )?;
    }
    Ok(())
}

fn push<'v>(
    raw: &mut Vec<Raw<'v>>,
    place: String,
    target: &'v str,
    precursors: Vec<&'v str>,
) -> Result<(), ToolError> {
    if precursors.is_empty() || precursors.len() > MAX_PRECURSORS {
        return Err(malformed(&place, &format!("a step has 1 to {MAX_PRECURSORS} precursors")));
    }
    if raw.len() == MAX_STEPS {
        return Err(malformed("route", &format!("it has more than {MAX_STEPS} steps")));
    }
    raw.push(Raw { place, target, precursors });
    Ok(())
}

/// A tree of molecules whose children are reactions whose children are molecules. The envelope
/// bounds how deep it can be, so walking it with a stack of places is enough.
fn tree<'v>(root: &'v Map<String, Value>, raw: &mut Vec<Raw<'v>>) -> Result<(), ToolError> {
    let mut waiting = vec![(root, "tree".to_owned())];
    while let Some((node, place)) = waiting.pop() {
        let target = match node.get("smiles") {
            Some(Value::String(text)) => text,
            _ => return Err(malformed(&place, "a molecule without smiles")),
        };
        for reaction in children(node, &place)? {
            let molecules = children(reaction, &place)?;
            let precursors: Vec<&str> = molecules
                .iter()
                .map(|molecule| match molecule.get("smiles") {
                    Some(Value::String(text)) => Ok(text.as_str()),
                    _ => Err(malformed(&place, "a molecule without smiles")),
                })
                .collect::<Result<_, _>>()?;
            push(raw, place.clone(), target, precursors)?;
            for (at, molecule) in molecules.into_iter().enumerate().rev() {
                waiting.push((molecule, format!("{place}.{at}")));
            }
        }
    }
    Ok(())
}

fn children<'v>(
    node: &'v Map<String, Value>,
    place: &str,
) -> Result<Vec<&'v Map<String, Value>>, ToolError> {
    let Some(children) = node.get("children") else { return Ok(Vec::new()) };
    let Value::Array(children) = children else {
        return Err(malformed(place, "children must be a list"));
    };
    children
        .iter()
        .map(|child| child.as_object().ok_or_else(|| malformed(place, "a child must be an object")))
        .collect()
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
    fn three_forms_say_the_same() {
        let forms = [
            json!({"steps": [{"target": "CC(=O)OC", "precursors": ["CC(=O)O", "CO"]}]}),
            json!({"reactions": [{"product": {"smiles": "CC(=O)OC"}, "reactants": [{"smiles": "CC(=O)O"}, "OC"]}]}),
            json!({"type": "mol", "smiles": "COC(C)=O", "children": [{
                "type": "reaction", "smiles": "x>>y", "children": [
                    {"type": "mol", "smiles": "CC(=O)O", "in_stock": true},
                    {"type": "mol", "smiles": "CO", "in_stock": true},
                ],
            }]}),
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
}

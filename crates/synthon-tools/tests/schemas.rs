//! Rules that every schema keeps, so that no client refuses a tool or the whole list.

use serde_json::Value;
use synthon_tools::arguments::SchemaDetail;
use synthon_tools::{Registry, Shape, get_tool_definitions};

/// The order of the registry; a tool is here before it exists.
const ORDER: [&str; 17] = [
    "find_mcs",
    "find_substructure",
    "search_smarts",
    "molecular_fingerprint",
    "molecular_similarity",
    "screen_molecules",
    "standardise_molecule",
    "depict_mcs",
    "find_routes",
    "validate_route",
    "explain_route",
    "find_pareto_routes",
    "plan_with_constraints",
    "estimate_diversity",
    "diagnose_failure",
    "suggest_disconnections",
    "depict_route",
];

#[test]
fn the_registry_keeps_its_order() {
    let names: Vec<_> = Registry::standard().tools().iter().map(|tool| tool.name).collect();
    let expected: Vec<_> = ORDER.into_iter().filter(|name| names.contains(name)).collect();
    assert_eq!(names, expected);
}

#[test]
fn input_schemas_are_plain_objects() {
    for tool in Registry::standard().tools() {
        for detail in [SchemaDetail::Plain, SchemaDetail::Full] {
            let schema = Value::Object(tool.input_schema(detail));
            check_root(tool.name, &schema);
            walk(&schema, &mut |part| check_part(tool.name, part));
            for (name, property) in schema["properties"].as_object().expect("an object") {
                check_property(&format!("{}.{name}", tool.name), property, detail);
                let required = schema["required"].as_array().expect("a list");
                assert!(
                    required.contains(&name.as_str().into()) != property.get("default").is_some()
                        || WITHOUT_DEFAULT.contains(&name.as_str()),
                    "{}.{name} is neither required nor has it a default",
                    tool.name
                );
            }
        }
    }
}

/// Optional arguments for which no value can stand for "not given".
const WITHOUT_DEFAULT: [&str; 6] = [
    "coverage_templates",
    "route",
    "max_steps",
    "max_route_cost",
    "min_confidence",
    "min_success_probability",
];

#[test]
fn output_schemas_are_plain_objects() {
    for tool in Registry::standard().tools() {
        let schema = (tool.output_schema)();
        check_root(tool.name, &schema);
        walk(&schema, &mut |part| check_part(tool.name, part));
        jsonschema::validator_for(&schema).expect("a valid schema");
    }
}

#[test]
fn names_and_texts_suit_every_client() {
    for tool in Registry::standard().tools() {
        assert!(tool.name.len() <= 40 && !tool.name.is_empty());
        assert!(tool.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{}", tool.name);
        assert!(tool.title.len() <= 60 && tool.description.len() <= 1_000, "{}", tool.name);
        assert!(!tool.description.contains("  "), "{}", tool.name);
    }
}

#[test]
fn all_tools_together_are_small_enough() {
    let (mut input, mut output) = (0, 0);
    for tool in Registry::standard().tools() {
        let schema = Value::Object(tool.input_schema(SchemaDetail::Full));
        input += tool.name.len() + tool.description.len() + schema.to_string().len();
        output += tool.published_schema().to_string().len();
    }
    let shares: Vec<String> = Registry::standard()
        .tools()
        .iter()
        .map(|tool| format!("{} {}", tool.name, tool.published_schema().to_string().len()))
        .collect();
    assert!(
        input <= 32_000 && output <= 48_000,
        "{input} and {output} bytes; output schemas: {}",
        shares.join(", ")
    );
}

#[test]
fn each_shape_has_exactly_its_keys() {
    let keys =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    for (shape, expected) in [
        (Shape::Mcp, vec!["name", "description", "inputSchema"]),
        (Shape::InputSchema, vec!["name", "description", "input_schema"]),
        (Shape::Function, vec!["type", "name", "description", "parameters", "strict"]),
        (Shape::ChatFunction, vec!["type", "function"]),
    ] {
        for definition in get_tool_definitions(&Registry::standard(), shape) {
            assert_eq!(keys(&definition), expected);
            if shape == Shape::ChatFunction {
                let function = &definition["function"];
                assert_eq!(keys(function), ["name", "description", "parameters", "strict"]);
                assert_eq!(function["strict"], false);
            }
        }
    }
}

fn check_root(tool: &str, schema: &Value) {
    assert_eq!(schema["type"], "object", "{tool}");
    assert_eq!(schema["additionalProperties"], false, "{tool}");
}

fn check_part(tool: &str, part: &Value) {
    for word in ["$ref", "$defs", "oneOf", "anyOf", "allOf", "not"] {
        assert!(part.get(word).is_none(), "{tool} uses {word}: {part}");
    }
    if part["type"] == "array" {
        assert!(part.get("items").is_some(), "{tool} has an array without items: {part}");
    }
}

fn check_property(name: &str, property: &Value, detail: SchemaDetail) {
    let keys: Vec<&str> =
        property.as_object().expect("an object").keys().map(String::as_str).collect();
    if detail == SchemaDetail::Plain {
        let order = ["type", "items", "minimum", "maximum", "enum", "default"];
        let expected: Vec<_> = order.into_iter().filter(|key| keys.contains(key)).collect();
        assert_eq!(keys, expected, "{name}");
    } else {
        let text = property["description"].as_str().expect("a description");
        assert!(text.len() > 10 && text.ends_with('.'), "{name}: {text}");
    }
    let bounded = match property["type"].as_str().expect("a type") {
        "integer" | "number" => keys.contains(&"minimum") && keys.contains(&"maximum"),
        "string" if detail == SchemaDetail::Full => {
            keys.contains(&"enum") || keys.contains(&"maxLength")
        }
        "array" if detail == SchemaDetail::Full => keys.contains(&"maxItems"),
        _ => true,
    };
    assert!(bounded, "{name} has no bounds");
}

fn walk(schema: &Value, visit: &mut impl FnMut(&Value)) {
    visit(schema);
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        properties.values().for_each(|property| walk(property, visit));
    }
    if let Some(items) = schema.get("items") {
        walk(items, visit);
    }
}

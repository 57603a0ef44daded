//! Replies stay short enough for a model, and what was cut can be asked for.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use synthon_tools::{CallContext, Catalogue, MAX_REPLY_BYTES, ToolReply, call_tool};

const SILDENAFIL: &str = "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1";
/// Small, with many routes.
const PARACETAMOL: &str = "CC(=O)Nc1ccc(O)cc1";
const IMATINIB: &str = "Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(n1)-c1cccnc1";

/// Every tool with a list that may be cut, the list, and the argument that makes it long.
const LISTS: [(&str, &str, &str); 6] = [
    ("find_routes", "routes", "max_routes"),
    ("explain_route", "explanations", "max_routes"),
    ("find_pareto_routes", "routes", "max_routes"),
    ("plan_with_constraints", "routes", "max_routes"),
    ("diagnose_failure", "near_misses", ""),
    ("suggest_disconnections", "disconnections", "max_results"),
];

fn call(tool: &str, arguments: &Value, whole: bool) -> ToolReply {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::default);
    let context = CallContext::new(&CATALOGUE);
    let context = if whole { context.with_whole_lists() } else { context };
    call_tool(tool, arguments, &context).unwrap_or_else(|error| panic!("{tool}: {error}"))
}

fn size(reply: &ToolReply) -> usize {
    Value::Object(reply.structured.clone()).to_string().len()
        + Value::from(reply.text.as_str()).to_string().len()
}

fn list<'a>(reply: &'a ToolReply, key: &str) -> &'a Vec<Value> {
    reply.structured[key].as_array().expect("a list")
}

fn arguments(tool: &str, smiles: &str, more: &[(&str, Value)]) -> Value {
    let mut out = Map::new();
    out.insert("smiles".into(), smiles.into());
    if tool != "suggest_disconnections" {
        out.insert("node_limit".into(), 300.into());
    }
    out.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    out.into()
}

#[test]
fn what_is_asked_for_by_default_is_short() {
    for (tool, key, _) in LISTS {
        for smiles in [SILDENAFIL, IMATINIB] {
            let reply = call(tool, &arguments(tool, smiles, &[]), false);
            let (size, shown) = (size(&reply), list(&reply, key).len());
            assert!(size <= MAX_REPLY_BYTES || shown == 1, "{tool} {smiles}: {size} for {shown}");
        }
    }
    for tool in ["validate_route", "estimate_diversity", "depict_route"] {
        let size = size(&call(tool, &arguments(tool, SILDENAFIL, &[]), false));
        assert!(size <= MAX_REPLY_BYTES, "{tool}: {size}");
    }
}

#[test]
fn pages_make_up_the_whole_list() {
    let mut cut = 0;
    for (tool, key, length) in LISTS {
        let long = (length, json!(40));
        // Which templates there are does not matter here.
        let named = ("library", json!("curated"));
        let more: Vec<_> = if length.is_empty() { vec![named] } else { vec![named, long] };
        let whole = call(tool, &arguments(tool, PARACETAMOL, &more), true);
        assert_eq!(whole.structured["next_offset"], Value::Null, "{tool}");
        let mut collected = Vec::new();
        let (mut offset, mut pages) = (json!(0), 0);
        loop {
            let more = [&more[..], &[("offset", offset.clone())]].concat();
            let page = call(tool, &arguments(tool, PARACETAMOL, &more), false);
            let shown = list(&page, key);
            assert!(!shown.is_empty() || list(&whole, key).is_empty(), "{tool} from {offset}");
            assert!(size(&page) <= MAX_REPLY_BYTES + 400 || shown.len() == 1, "{tool}");
            if shown.len() < list(&whole, key).len() {
                assert_eq!(page.structured["truncated"], true, "{tool}");
            }
            collected.extend(shown.iter().cloned());
            pages += 1;
            let next = page.structured["next_offset"].clone();
            assert_eq!(next.is_null(), !page.text.contains("ask again with offset"), "{tool}");
            if next.is_null() {
                break;
            }
            assert!(page.text.contains(&format!("ask again with offset {next}")), "{tool}");
            offset = next;
        }
        assert_eq!(&collected, list(&whole, key), "{tool}");
        let beyond = arguments(
            tool,
            PARACETAMOL,
            &[("library", json!("curated")), ("offset", json!(1_000))],
        );
        let beyond = call(tool, &beyond, false);
        assert!(list(&beyond, key).is_empty(), "{tool}");
        assert_eq!(beyond.structured["next_offset"], Value::Null, "{tool}");
        assert!(pages > 1 || size(&whole) <= MAX_REPLY_BYTES, "{tool} was not cut");
        cut += pages - 1;
    }
    assert!(cut > 0, "the test has something to cut");
}

#[test]
fn a_long_route_is_audited_a_page_at_a_time() {
    // Ethers of growing chains: no template knows them, each step stands in the reply.
    let chain = |n: usize| format!("{}OC", "C".repeat(n));
    let steps: Vec<Value> = (1..=150)
        .rev()
        .map(|n| json!({"target": chain(n + 1), "precursors": [chain(n), "C"]}))
        .collect();
    let ask = |offset: u64| {
        let route = json!({"steps": steps.clone()});
        let arguments = json!({
            "smiles": chain(151), "route": route, "offset": offset, "library": "curated",
        });
        call("validate_route", &arguments, false)
    };
    let (mut offset, mut seen) = (0, 0);
    loop {
        let page = ask(offset);
        let shown = list(&page, "steps");
        assert_eq!(shown[0]["target"], steps[seen]["target"]);
        seen += shown.len();
        match page.structured["next_offset"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert_eq!(seen, 150);
}

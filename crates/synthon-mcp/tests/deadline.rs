//! A call always ends: at its deadline when the tool listens, soon after when it does not.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use synthon_mcp::{Settings, serve};
use synthon_tools::{Registry, Tool, ToolReply, Toolset, fixtures, output};

/// A tool that looks at neither clock nor flag.
static DEAF: Tool = Tool {
    name: "deaf",
    title: "Deaf",
    description: "Sleeps.",
    toolset: Toolset::Molecules,
    arguments: &[],
    output_schema: || output::object([]),
    run: |_, _| {
        thread::sleep(Duration::from_secs(30));
        Ok(ToolReply::json(Map::new()))
    },
};

fn call(tool: &str, arguments: Value) -> (Value, Duration) {
    let (to_server, mut client_out) = pipe().expect("the system makes pipes");
    let (client_in, from_server) = pipe().expect("the system makes pipes");
    let settings = Settings {
        registry: Registry::with(vec![&fixtures::SLOW_COUNT, &DEAF]),
        call_timeout: Duration::from_millis(400),
        ..Settings::default()
    };
    thread::spawn(move || serve(settings, to_server, from_server));
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}),
        json!({
            "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }),
    ];
    let started = Instant::now();
    for message in messages {
        client_out.write_all(format!("{message}\n").as_bytes()).expect("the server reads");
    }
    let answer = BufReader::new(client_in).lines().nth(1).expect("two answers").expect("text");
    (serde_json::from_str(&answer).expect("JSON"), started.elapsed())
}

#[test]
fn a_tool_that_listens_ends_at_its_deadline() {
    let (answer, waited) = call("slow_count", json!({"seconds": 30}));
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["content"][0]["text"], "The count was stopped [stopped]");
    assert!(waited < Duration::from_secs(2), "{waited:?}");
}

#[test]
fn a_tool_that_does_not_is_answered_for() {
    let (answer, waited) = call("deaf", json!({}));
    assert_eq!(answer["result"]["isError"], true);
    let text = answer["result"]["content"][0]["text"].as_str().expect("text");
    assert!(text.ends_with("[call.timed_out]"), "{text}");
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

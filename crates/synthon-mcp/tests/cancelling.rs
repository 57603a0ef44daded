//! A cancelled call leaves the worker pool at once, whatever tool it runs.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synthon_mcp::{Settings, serve};

const PACLITAXEL: &str = "CC1=C2[C@@]([C@]([C@H]([C@@H]3[C@]4([C@H](OC4)C[C@@H]([C@]3(C(=O)[C@@H]2OC(=O)C)C)O)OC(=O)C)OC(=O)c2ccccc2)(C[C@@H]1OC(=O)[C@H](O)[C@@H](NC(=O)c1ccccc1)c1ccccc1)O)(C)C";

const VINDOLINE_DIMER: &str = "CC[C@]1(O)C[C@@H]2CN(CCc3c([nH]c4ccccc34)[C@@](C2)(C(=O)OC)c2cc3c(cc2OC)N(C)[C@@H]2[C@]33CCN4CC=C[C@](CC)([C@@H]34)[C@@H](OC(C)=O)[C@]2(O)C(=O)OC)C1";

/// The goal is 100 ms on a quiet machine; a test of a deadline allows for a busy one.
const ALLOWED: Duration = Duration::from_millis(500);

fn call(id: u64, name: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

/// With one worker, a call that waits behind a long one can only run when that has ended.
#[test]
fn the_next_call_starts_soon_after() {
    let long = [
        call(1, "find_routes", json!({"smiles": PACLITAXEL, "depth": 20, "node_limit": 1_000_000})),
        call(1, "diagnose_failure", json!({"smiles": PACLITAXEL, "node_limit": 1_000_000})),
        call(
            1,
            "find_mcs",
            json!({
                "query_smiles": PACLITAXEL, "target_smiles": VINDOLINE_DIMER,
                "objective": "mces", "connected": false, "timeout_ms": 30_000,
                "node_limit": 1_000_000,
            }),
        ),
    ];
    for long in long {
        let (to_server, mut client_out) = pipe().expect("a pipe");
        let (client_in, from_server) = pipe().expect("a pipe");
        let settings = Settings { max_jobs: 1, ..Settings::default() };
        let server = thread::spawn(move || serve(settings, to_server, from_server));
        let mut answers = BufReader::new(client_in).lines();
        let mut send = |line: &Value| writeln!(client_out, "{line}").expect("the server reads");
        send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}));
        answers.next().expect("an answer").expect("text");
        // What the long call needs is loaded by a short one first.
        send(&call(9, "find_routes", json!({"smiles": "CCOC(C)=O", "node_limit": 1})));
        answers.next().expect("an answer").expect("text");
        send(&long);
        thread::sleep(Duration::from_millis(300));
        send(&call(2, "standardise_molecule", json!({"smiles": "OCC"})));
        let began = Instant::now();
        send(&json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1},
        }));
        let answer = answers.next().expect("an answer").expect("text");
        let took = began.elapsed();
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let name = &long["params"]["name"];
        assert_eq!(answer["id"], 2, "{name} answered before it was cancelled: {answer:.300}");
        assert!(took < ALLOWED, "{name} went on for {took:?}");
        drop(client_out);
        server.join().expect("it ends").expect("it served");
    }
}

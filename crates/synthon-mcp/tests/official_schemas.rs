//! Answers of every kind against the protocol's own JSON schemas, revision by revision.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::path::Path;
use std::thread;

use flate2::read::GzDecoder;
use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use synthon_mcp::{Settings, serve};
use synthon_tools::{Registry, fixtures};

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN: &str = "2026-07-28";

/// The definitions of a revision; the hash in the README is the one of the file that is read.
struct Official {
    schema: Value,
    definitions: &'static str,
}

impl Official {
    fn of(revision: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mcp/schemas");
        let file = File::open(folder.join(format!("{revision}.json.gz"))).expect("a schema");
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).expect("it unpacks");
        let hash: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("a README");
        assert!(readme.contains(&hash), "{revision} has the hash {hash}");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        Official { schema, definitions }
    }

    fn has(&self, name: &str) -> bool {
        self.schema[self.definitions].get(name).is_some()
    }

    fn definition(&self, name: &str) -> Validator {
        assert!(self.has(name), "there is no {name}");
        let mut schema = self.schema.clone();
        schema["$ref"] = format!("#/{}/{name}", self.definitions).into();
        jsonschema::validator_for(&schema).expect("a schema")
    }

    fn check(&self, name: &str, value: &Value) {
        let faults: Vec<String> = self
            .definition(name)
            .iter_errors(value)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{name}: {}\n{value:#}", faults.join("\n"));
    }

    /// The first of these names that the revision has.
    fn first(&self, names: &[&'static str]) -> &'static str {
        names.iter().copied().find(|name| self.has(name)).expect("one of the names")
    }
}

fn converse(settings: Settings, lines: &[Value]) -> Vec<Value> {
    let (to_server, mut client_out) = pipe().expect("a pipe");
    let (client_in, from_server) = pipe().expect("a pipe");
    let server = thread::spawn(move || serve(settings, to_server, from_server).expect("serves"));
    for line in lines {
        writeln!(client_out, "{line}").expect("the server reads");
    }
    drop(client_out);
    let answers = BufReader::new(client_in)
        .lines()
        .map(|line| serde_json::from_str(&line.expect("text")).expect("JSON"))
        .collect();
    server.join().expect("the server ends");
    answers
}

fn with_fixtures() -> Settings {
    Settings { registry: fixtures::registry(), ..Settings::default() }
}

fn answer<'a>(answers: &'a [Value], id: &str) -> &'a Value {
    answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{id} is answered"))
}

fn call(id: &str, name: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

/// The calls that show each kind of answer.
fn questions() -> Vec<Value> {
    let mut slow = call("slow", "slow_count", json!({"seconds": 2}));
    slow["params"]["_meta"] = json!({"progressToken": "p"});
    vec![
        json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}),
        call("good", "count_atoms", json!({"formula": "C9H8O4"})),
        call("failed", "count_atoms", json!({"formula": "CH"})),
        call("bad", "count_atoms", json!({"formula": 5})),
        call("unknown", "nope", json!({})),
        call("panic", "count_atoms", json!({"formula": "panic"})),
        slow,
        json!({"jsonrpc": "2.0", "id": "method", "method": "prompts/list"}),
    ]
}

/// What each answer must be: a whole JSON-RPC message, and its result of the right kind.
fn check_answers(official: &Official, answers: &[Value], errors: &[&str]) {
    let failed = official.first(&["JSONRPCErrorResponse", "JSONRPCError"]);
    let succeeded = official.first(&["JSONRPCResultResponse", "JSONRPCResponse"]);
    official.check("ListToolsResult", &answer(answers, "list")["result"]);
    for id in ["good", "failed", "slow", "bad", "unknown"] {
        let answer = answer(answers, id);
        if errors.contains(&id) {
            official.check(failed, answer);
        } else {
            official.check(succeeded, answer);
            official.check("CallToolResult", &answer["result"]);
        }
    }
    for id in ["panic", "method"] {
        official.check(failed, answer(answers, id));
    }
    let progress: Vec<&Value> =
        answers.iter().filter(|answer| answer["method"] == "notifications/progress").collect();
    assert!(!progress.is_empty());
    for notification in progress {
        official.check("ProgressNotification", notification);
    }
}

#[test]
fn every_legacy_revision() {
    for revision in LEGACY {
        let official = Official::of(revision);
        let mut lines = vec![
            json!({
                "jsonrpc": "2.0", "id": "init", "method": "initialize",
                "params": {
                    "protocolVersion": revision, "capabilities": {},
                    "clientInfo": {"name": "t", "version": "1"},
                },
            }),
            json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"}),
        ];
        lines.extend(questions());
        let answers = converse(with_fixtures(), &lines);
        let handshake = answer(&answers, "init");
        assert_eq!(handshake["result"]["protocolVersion"], revision);
        official.check("InitializeResult", &handshake["result"]);
        official.check("EmptyResult", &answer(&answers, "ping")["result"]);
        check_answers(&official, &answers, &[]);
    }
}

#[test]
fn the_modern_revision() {
    let official = Official::of(MODERN);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut lines = vec![json!({"jsonrpc": "2.0", "id": "discover", "method": "server/discover"})];
    lines.extend(questions());
    for line in &mut lines {
        let mut own = meta.clone();
        if let Some(token) = line["params"]["_meta"].get("progressToken") {
            own["progressToken"] = token.clone();
        }
        line["params"]["_meta"] = own;
    }
    let mut unsupported = lines[0].clone();
    unsupported["id"] = "unsupported".into();
    unsupported["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2030-01-01".into();
    lines.push(unsupported);
    let answers = converse(with_fixtures(), &lines);
    official.check("DiscoverResult", &answer(&answers, "discover")["result"]);
    let unsupported = answer(&answers, "unsupported");
    assert_eq!(unsupported["error"]["code"], -32022);
    official.check("JSONRPCErrorResponse", unsupported);
    official.check("UnsupportedProtocolVersionError", unsupported);
    check_answers(&official, &answers, &["bad", "unknown"]);
}

/// The real tools, as each revision lists them.
#[test]
fn the_list_of_all_tools() {
    for revision in LEGACY {
        let lines = [
            json!({
                "jsonrpc": "2.0", "id": "init", "method": "initialize",
                "params": {
                    "protocolVersion": revision, "capabilities": {},
                    "clientInfo": {"name": "t", "version": "1"},
                },
            }),
            json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}),
        ];
        let answers = converse(Settings::default(), &lines);
        let list = &answer(&answers, "list")["result"];
        assert_eq!(
            list["tools"].as_array().map(Vec::len),
            Some(Registry::standard().tools().len())
        );
        Official::of(revision).check("ListToolsResult", list);
    }
}

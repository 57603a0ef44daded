//! `cargo xtask soak`: very many requests against the released server on standard input and
//! output, a tenth of them hostile, eight calls in flight.
//!
//! Fails on a crash, a lost or doubled answer, anything on standard output that is no JSON-RPC
//! line, and memory that keeps growing after the first quarter.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::workspace;

const REQUESTS: u64 = 200_000;
const IN_FLIGHT: usize = 8;
/// An answer that takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(60);
/// Growth of resident memory after warm-up that is no leak: allocator noise.
const ALLOWED_GROWTH: f64 = 1.15;

pub fn run(arguments: &[String]) -> Result<()> {
    let mut requests = REQUESTS;
    let mut program = None;
    for pair in arguments.chunks(2) {
        match pair {
            [flag, number] if flag == "--requests" => {
                requests = number.parse().context("--requests")?;
            }
            [flag, path] if flag == "--program" => program = Some(path.into()),
            _ => bail!("`soak` takes --requests N, and --program of a built `synthon`"),
        }
    }
    let program = match program {
        Some(program) => program,
        None => workspace::release_program("synthon-cli", "synthon")?,
    };
    let mut server = Command::new(&program)
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()?;
    let mut input = server.stdin.take().context("standard input")?;
    let output = BufReader::new(server.stdout.take().context("standard output")?);
    let (heard, answers) = mpsc::channel::<std::io::Result<String>>();
    std::thread::spawn(move || {
        for line in output.lines() {
            if heard.send(line).is_err() {
                return;
            }
        }
    });

    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut open: HashMap<u64, Instant> = HashMap::new();
    // Answers without an id are owed for lines whose id cannot be read.
    let mut owed_without_id = 0u64;
    let (mut sent, mut answered, mut hostile) = (0u64, 0u64, 0u64);
    let mut slowest = Duration::ZERO;
    let mut memory: Vec<u64> = Vec::new();
    let started = Instant::now();
    writeln!(input, "{}", handshake())?;
    open.insert(0, Instant::now());
    while sent < requests || !open.is_empty() || owed_without_id > 0 {
        while sent < requests && open.len() + (owed_without_id as usize) < IN_FLIGHT {
            sent += 1;
            if random.below(10) == 0 {
                hostile += 1;
                let (line, owes) = hostile_line(&mut random, sent);
                input.write_all(&line)?;
                input.write_all(b"\n")?;
                match owes {
                    Owes::Nothing => {}
                    Owes::WithoutId => owed_without_id += 1,
                    Owes::Own => {
                        open.insert(sent, Instant::now());
                    }
                }
            } else {
                writeln!(input, "{}", request(&mut random, sent))?;
                open.insert(sent, Instant::now());
            }
        }
        if open.is_empty() && owed_without_id == 0 {
            continue;
        }
        let line = answers.recv_timeout(PATIENCE).context("no answer in time")??;
        let answer: Value =
            serde_json::from_str(&line).with_context(|| format!("no JSON: {line:.200}"))?;
        ensure!(answer["jsonrpc"] == "2.0", "no JSON-RPC: {line:.200}");
        ensure!(
            answer.get("result").is_some() != answer.get("error").is_some(),
            "neither result nor error: {line:.200}"
        );
        match answer["id"].as_u64() {
            Some(id) => {
                let asked = open.remove(&id).with_context(|| format!("{id} answered twice"))?;
                slowest = slowest.max(asked.elapsed());
            }
            None => {
                owed_without_id =
                    owed_without_id.checked_sub(1).context("an answer that nobody asked for")?;
            }
        }
        answered += 1;
        if answered.is_multiple_of((requests / 20).max(1)) {
            let resident = resident(server.id()).unwrap_or(0);
            memory.push(resident);
            println!(
                "{answered} answers, {hostile} hostile lines, {:.0} s, {} MB resident",
                started.elapsed().as_secs_f64(),
                resident / 1_048_576
            );
        }
    }
    drop(input);
    ensure!(server.wait()?.success(), "the server did not end well");
    ensure!(answers.recv().is_err(), "answers after the last one");
    if let [.., last] = memory.as_slice() {
        let warm = memory[memory.len() / 4];
        ensure!(
            *last as f64 <= warm as f64 * ALLOWED_GROWTH,
            "resident memory grew from {warm} to {last} bytes after warm-up"
        );
    }
    println!(
        "{sent} lines, {answered} answers in {:.0} s; the slowest took {:.1} s",
        started.elapsed().as_secs_f64(),
        slowest.as_secs_f64()
    );
    Ok(())
}

fn handshake() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"},
        },
    })
}

const MOLECULES: [&str; 8] = [
    "CCO",
    "CC(=O)Nc1ccc(O)cc1",
    "CC(=O)Oc1ccccc1C(=O)O",
    "c1ccccc1",
    "CN1CCC[C@H]1c1cccnc1",
    "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "OCC(O)CO",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
];

/// A request that is well-formed, though not every molecule is.
fn request(random: &mut Random, id: u64) -> Value {
    let pick = |random: &mut Random| MOLECULES[random.below(MOLECULES.len() as u64) as usize];
    let (a, b) = (pick(random), pick(random));
    let (name, arguments) = match random.below(100) {
        0..=2 => return json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}),
        3..=9 => return json!({"jsonrpc": "2.0", "id": id, "method": "ping"}),
        10..=29 => ("standardise_molecule", json!({"smiles": a})),
        30..=44 => ("find_mcs", json!({"query_smiles": a, "target_smiles": b})),
        45..=59 => ("find_substructure", json!({"query": "[OX2H]", "target_smiles": a})),
        60..=69 => ("search_smarts", json!({"query_smarts": "[#6]", "target_smiles": a})),
        70..=79 => ("molecular_fingerprint", json!({"smiles": a})),
        80..=86 => ("molecular_similarity", json!({"query_smiles": a, "target_smiles": b})),
        87..=90 => ("screen_molecules", json!({"query_smiles": a, "targets_smiles": MOLECULES})),
        91..=93 => ("suggest_disconnections", json!({"smiles": a, "max_results": 3})),
        94..=95 => ("standardise_molecule", json!({"smiles": "C1CC"})),
        96..=97 => ("find_mcs", json!({"query_smiles": a})),
        _ => ("find_routes", json!({"smiles": a, "node_limit": 20, "max_routes": 1})),
    };
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

enum Owes {
    Nothing,
    WithoutId,
    Own,
}

/// A line that nobody should send, and the answer that it is owed.
fn hostile_line(random: &mut Random, id: u64) -> (Vec<u8>, Owes) {
    let text = |text: String, owes: Owes| (text.into_bytes(), owes);
    match random.below(12) {
        0 => text("{\"jsonrpc\":\"2.0\",".into(), Owes::WithoutId),
        1 => (vec![b'{', b'"', 0xff, b'"', b'}'], Owes::WithoutId),
        2 => text("[".repeat(2_000), Owes::WithoutId),
        3 => text(format!("[{}]", "0,".repeat(300_000)), Owes::WithoutId),
        4 => text("x".repeat(1_100_000), Owes::WithoutId),
        5 => text("null".into(), Owes::WithoutId),
        6 => text("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}".into(), Owes::WithoutId),
        7 => text("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}".into(), Owes::Nothing),
        8 => text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":[]}}".into(), Owes::Nothing),
        9 => text(json!({"jsonrpc": "2.0", "id": id, "method": "no/such"}).to_string(), Owes::Own),
        10 => {
            let deep = format!("{}C{}", "C(".repeat(4_000), ")".repeat(4_000));
            let call = json!({
                "jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": "standardise_molecule", "arguments": {"smiles": deep}},
            });
            text(call.to_string(), Owes::Own)
        }
        _ => {
            let call = json!({
                "jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": "find_routes", "arguments": {"smiles": 5, "nope": [[[]]]}},
            });
            text(call.to_string(), Owes::Own)
        }
    }
}

/// Resident memory of a process in bytes, where the system tells it.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1_024)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

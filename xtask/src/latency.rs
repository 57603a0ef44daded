//! `cargo xtask latency`: how long the released server takes to start and to answer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::workspace;

const STARTS: usize = 21;
const CALLS: usize = 1_001;

pub fn run(arguments: &[String]) -> Result<()> {
    ensure!(arguments.is_empty(), "`latency` takes no arguments");
    let program = workspace::release_program("synthon-cli", "synthon-mcp")?;
    let list = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/list",
        "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }},
    });
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let mut server = Server::start(&program)?;
        server.ask(&list)?;
        starts.push(began.elapsed());
    }
    println!("process start to the answer of tools/list: {}", median(&mut starts));

    let mut server = Server::start(&program)?;
    server.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}))?;
    let calls = [
        ("ping", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
        (
            "a call that is refused",
            json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "find_mcs", "arguments": {}},
            }),
        ),
        (
            "standardise_molecule of ethanol",
            json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "standardise_molecule", "arguments": {"smiles": "OCC"}},
            }),
        ),
    ];
    for (name, call) in calls {
        let mut times = Vec::new();
        for _ in 0..CALLS {
            let began = Instant::now();
            server.ask(&call)?;
            times.push(began.elapsed());
        }
        println!("{name}: {}", median(&mut times));
    }
    Ok(())
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(program: &std::path::Path) -> Result<Self> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("standard input")?;
        let output = BufReader::new(child.stdout.take().context("standard output")?);
        Ok(Server { child, input, output })
    }

    fn ask(&mut self, request: &Value) -> Result<String> {
        self.input.write_all(format!("{request}\n").as_bytes())?;
        let mut line = String::new();
        ensure!(self.output.read_line(&mut line)? > 0, "no answer");
        Ok(line)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn median(times: &mut [Duration]) -> String {
    times.sort();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e3;
    format!("median {:.3} ms, 95 % within {:.3} ms", at(0.5), at(0.95))
}

//! `cargo xtask bundle`: the server as one file that desktop clients install, and its entry for
//! the registry of servers.
//!
//! A bundle is a zip of `manifest.json` and the program. The program is the release build for
//! this machine; a release runs the chore once on each kind of machine.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::workspace;

/// Name of the server in the registry of servers.
const REGISTRY_NAME: &str = "io.github.synthon-chem/synthon";

/// Where releases are found unless `--url` says otherwise.
const RELEASES: &str = "https://github.com/synthon-chem/synthon/releases/download";

pub fn run(arguments: &[String]) -> Result<()> {
    let releases = match arguments {
        [] => RELEASES,
        [flag, url] if flag == "--url" => url.trim_end_matches('/'),
        _ => bail!("`bundle` takes --url and the address under which releases are found"),
    };
    let root = workspace::root();
    let server = format!("synthon-mcp{}", std::env::consts::EXE_SUFFIX);
    let program = fs::read(workspace::release_program("synthon-cli", "synthon-mcp")?)
        .context("the built server")?;
    let tools = tools(&workspace::release_program("synthon-cli", "synthon")?)?;

    let version = env!("CARGO_PKG_VERSION");
    let manifest = manifest(version, &server, &tools);
    let mut zip = Zip::default();
    zip.add("manifest.json", pretty(&manifest).as_bytes(), false)?;
    zip.add(&format!("server/{server}"), &program, true)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        zip.add(licence, &fs::read(root.join(licence))?, false)?;
    }
    let bytes = zip.finish();

    let folder = workspace::target().join("bundle");
    fs::create_dir_all(&folder)?;
    let name =
        format!("synthon-{version}-{}-{}.mcpb", std::env::consts::OS, std::env::consts::ARCH);
    fs::write(folder.join(&name), &bytes)?;
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let entry = registry_entry(version, &format!("{releases}/v{version}/{name}"), &hash);
    fs::write(folder.join("server.json"), pretty(&entry))?;
    println!("{} ({} bytes) and server.json in {}", name, bytes.len(), folder.display());
    Ok(())
}

/// Names and descriptions of the tools, as the program itself gives them.
fn tools(program: &Path) -> Result<Vec<Value>> {
    let output = Command::new(program).args(["tools", "--shape", "mcp"]).output()?;
    ensure!(output.status.success(), "`synthon tools` failed");
    let tools: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    Ok(tools
        .into_iter()
        .map(|tool| json!({"name": tool["name"], "description": tool["description"]}))
        .collect())
}

fn manifest(version: &str, server: &str, tools: &[Value]) -> Value {
    let platform = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    json!({
        "manifest_version": "0.3",
        "name": "synthon",
        "display_name": "Synthon",
        "version": version,
        "description": "Synthesis planning and molecular comparison, offline",
        "author": {"name": "The Synthon developers"},
        "license": "MIT OR Apache-2.0",
        "keywords": ["chemistry", "retrosynthesis", "substructure", "SMILES"],
        "server": {
            "type": "binary",
            "entry_point": format!("server/{server}"),
            "mcp_config": {"command": format!("${{__dirname}}/server/{server}"), "args": []},
        },
        "tools": tools,
        "tools_generated": false,
        "compatibility": {"platforms": [platform]},
    })
}

fn registry_entry(version: &str, address: &str, hash: &str) -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": REGISTRY_NAME,
        "title": "Synthon",
        "description": "Synthesis planning and molecular comparison, offline",
        "version": version,
        "packages": [{
            "registryType": "mcpb",
            "identifier": address,
            "fileSha256": hash,
            "transport": {"type": "stdio"},
        }],
    })
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("JSON serialises");
    text.push('\n');
    text
}

/// A zip archive. The same files give the same bytes: all bear the date at which the format
/// begins.
#[derive(Default)]
struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Zip {
    fn add(&mut self, name: &str, content: &[u8], is_program: bool) -> Result<()> {
        let mut crc = Crc::new();
        crc.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        let at = u32::try_from(self.bytes.len())?;

        // What the local header and the directory entry share: version needed, flags, method,
        // time, date, checksum, sizes, length of the name, length of the extra field.
        let mut shared = Vec::new();
        for half in [20u16, 0, 8, 0, 0x21] {
            shared.extend(half.to_le_bytes());
        }
        for word in [crc.sum(), u32::try_from(packed.len())?, u32::try_from(content.len())?] {
            shared.extend(word.to_le_bytes());
        }
        shared.extend(u16::try_from(name.len())?.to_le_bytes());
        shared.extend(0u16.to_le_bytes());

        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&shared);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(packed);

        let mode: u32 = if is_program { 0o100_755 } else { 0o100_644 };
        self.directory.extend(b"PK\x01\x02");
        // Made by version 2.0 on Unix, so that the mode counts.
        self.directory.extend(((3u16 << 8) | 20).to_le_bytes());
        self.directory.extend(&shared);
        // Comment length, disk, internal attributes.
        self.directory.extend([0u8; 6]);
        self.directory.extend((mode << 16).to_le_bytes());
        self.directory.extend(at.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        Ok(())
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        let size = self.directory.len() as u32;
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06");
        self.bytes.extend([0u8; 4]);
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend(0u16.to_le_bytes());
        self.bytes
    }
}

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

/// Name of the server in the registry of servers, unless `--name` says otherwise. The registry
/// takes a name only from who owns it, so this one, of a domain that nobody owns, cannot be
/// published by mistake.
const NAME: &str = "com.example/synthon";

/// Where releases are found unless `--url` says otherwise.
const RELEASES: &str = "https://example.com/synthon/releases/download";

/// Name in the registry, and address under which releases are found.
pub struct Named {
    registered: String,
    releases: String,
}

impl Named {
    /// From `--name NAME --url ADDRESS`.
    pub fn parse(arguments: &[String]) -> Result<Named> {
        let mut named = Named { registered: NAME.into(), releases: RELEASES.into() };
        for pair in arguments.chunks(2) {
            match pair {
                [flag, name] if flag == "--name" => named.registered = name.clone(),
                [flag, url] if flag == "--url" => {
                    named.releases = url.trim_end_matches('/').to_owned();
                }
                _ => bail!(
                    "what is taken: --name, the server's name in the registry, and --url, the \
                     address under which releases are found"
                ),
            }
        }
        check_name(&named.registered)?;
        ensure!(named.releases.starts_with("https://"), "--url must begin with https://");
        Ok(named)
    }
}

pub fn run(arguments: &[String]) -> Result<()> {
    let folder = workspace::target().join("bundle");
    fs::create_dir_all(&folder)?;
    write(&Named::parse(arguments)?, &folder, false)
}

/// Writes the bundle and `server.json` into `folder`; with the development build in a dry run.
pub fn write(named: &Named, folder: &Path, dry: bool) -> Result<()> {
    let root = workspace::root();
    let server = format!("synthon-mcp{}", std::env::consts::EXE_SUFFIX);
    let built = if dry { workspace::dev_program } else { workspace::release_program };
    let program = fs::read(built("synthon-cli", "synthon-mcp")?).context("the built server")?;
    let tools = tools(&built("synthon-cli", "synthon")?)?;

    let version = env!("CARGO_PKG_VERSION");
    let manifest = manifest(version, &server, &tools);
    let mut zip = Zip::default();
    zip.add("manifest.json", pretty(&manifest).as_bytes(), false)?;
    zip.add(&format!("server/{server}"), &program, true)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        zip.add(licence, &fs::read(root.join(licence))?, false)?;
    }
    let bytes = zip.finish();

    let name =
        format!("synthon-{version}-{}-{}.mcpb", std::env::consts::OS, std::env::consts::ARCH);
    fs::write(folder.join(&name), &bytes)?;
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let address = format!("{}/v{version}/{name}", named.releases);
    let entry = registry_entry(&named.registered, version, &address, &hash);
    fs::write(folder.join("server.json"), pretty(&entry))?;
    println!("{} ({} bytes) and server.json in {}", name, bytes.len(), folder.display());
    if named.registered == NAME || named.releases == RELEASES {
        println!("server.json is not for publishing yet: give --name and --url");
    }
    Ok(())
}

/// The registry's rule for names: a reversed domain and a name, with a slash between.
fn check_name(name: &str) -> Result<()> {
    let fits = |part: &str, more: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let good = (3..=200).contains(&name.len())
        && name.split_once('/').is_some_and(|(domain, own)| fits(domain, ".-") && fits(own, "._-"));
    ensure!(good, "a name in the registry looks like io.github.OWNER/synthon, not like {name}");
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

fn registry_entry(name: &str, version: &str, address: &str, hash: &str) -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_registry() {
        for good in [NAME, "io.github.someone/synthon", "a.b/c"] {
            check_name(good).expect("a good name");
        }
        for bad in ["", "synthon", "/synthon", "io.github.x/", "a/b/c", "io.github/x y", "ü.x/y"] {
            check_name(bad).expect_err(bad);
        }
        assert!(check_name(&format!("a/{}", "b".repeat(200))).is_err());
    }

    /// The limits of the registry's schema of 2025-12-11, and of manifest 0.3.
    #[test]
    fn both_papers_hold_what_must_be_there() {
        let hash = "0".repeat(64);
        let entry = registry_entry(NAME, "1.2.3", "https://example.com/x.mcpb", &hash);
        let description = entry["description"].as_str().expect("text");
        assert!((1..=100).contains(&description.len()));
        assert!(["name", "version"].iter().all(|key| entry[key].is_string()));
        let package = &entry["packages"][0];
        assert_eq!(
            (&package["registryType"], &package["fileSha256"]),
            (&"mcpb".into(), &hash.into())
        );
        assert_eq!(package["transport"]["type"], "stdio");
        let tools = [json!({"name": "x", "description": "y"})];
        let manifest = manifest("1.2.3", "synthon-mcp", &tools);
        for key in ["manifest_version", "name", "version", "description"] {
            assert!(manifest[key].is_string(), "{key}");
        }
        assert!(manifest["author"]["name"].is_string());
        let server = &manifest["server"];
        assert_eq!(
            (&server["type"], &server["entry_point"]),
            (&"binary".into(), &"server/synthon-mcp".into())
        );
        assert_eq!(server["mcp_config"]["command"], "${__dirname}/server/synthon-mcp");
        assert!(
            ["darwin", "win32", "linux"]
                .contains(&manifest["compatibility"]["platforms"][0].as_str().expect("text"))
        );
    }
}

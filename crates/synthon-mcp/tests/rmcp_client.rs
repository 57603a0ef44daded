//! The protocol library's own client lists and calls every tool, over both doors, in both eras.
#![cfg(all(feature = "http", unix))]

use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, UnixSocketHttpClient};
use rmcp::{RoleClient, Service};
use serde_json::{Map, Value};
use synthon_mcp::{HttpSettings, Settings, serve, serve_http};

fn eras() -> [(ClientLifecycleMode, &'static str); 2] {
    let modern =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    [(ClientLifecycleMode::Initialize, "2025-11-25"), (modern, "2026-07-28")]
}

fn calls() -> Map<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mcp/calls.json");
    let text = std::fs::read_to_string(path).expect("the calls");
    serde_json::from_str(&text).expect("JSON")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

async fn list_and_call<S: Service<RoleClient>>(client: RunningService<RoleClient, S>) {
    let listed = client.list_all_tools().await.expect("a list");
    let calls = calls();
    let names: Vec<&str> = listed.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, calls.keys().map(String::as_str).collect::<Vec<_>>());
    for (name, arguments) in calls {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(name.clone()).with_arguments(arguments);
        let result = client.call_tool(params).await.expect("an answer");
        assert_ne!(result.is_error, Some(true), "{name}: {result:?}");
        assert!(result.structured_content.is_some(), "{name}");
        assert!(!result.content.is_empty(), "{name}");
    }
    client.cancel().await.expect("it ends");
}

#[test]
fn over_standard_input_and_output() {
    for (era, _) in eras() {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        let (input, output) = (theirs.try_clone().expect("a socket"), theirs);
        let server = thread::spawn(move || serve(Settings::default(), input, output));
        runtime().block_on(async {
            ours.set_nonblocking(true).expect("a socket");
            let stream = tokio::net::UnixStream::from_std(ours).expect("a socket");
            let client = serve_client_with_lifecycle(info(), stream.into_split(), era)
                .await
                .expect("it opens");
            list_and_call(client).await;
        });
        server.join().expect("the server ends").expect("it served");
    }
}

fn info() -> ClientConfig {
    ClientConfig::default()
}

/// The library's client reaches HTTP without a network stack of its own through a Unix socket
/// only, so bytes are carried between one and the server.
fn relay(to: std::net::SocketAddr) -> PathBuf {
    let path = std::env::temp_dir().join(format!("synthon-{}.sock", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).expect("a socket");
    thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = std::net::TcpStream::connect(to) else { return };
            let (mut a, mut b) =
                (near.try_clone().expect("a socket"), far.try_clone().expect("a socket"));
            let (mut near, mut far) = (near, far);
            thread::spawn(move || {
                let _ = io::copy(&mut a, &mut b);
                let _ = b.shutdown(std::net::Shutdown::Write);
            });
            thread::spawn(move || {
                let _ = io::copy(&mut far, &mut near);
                let _ = near.shutdown(std::net::Shutdown::Write);
            });
        }
    });
    path
}

#[test]
fn over_http() {
    let (ready, address) = mpsc::channel();
    thread::spawn(move || {
        let http = HttpSettings::at("127.0.0.1:0".parse().expect("an address"));
        serve_http(Settings::default(), http, |address| ready.send(address).expect("a listener"))
    });
    let address = address.recv_timeout(Duration::from_secs(10)).expect("it listens");
    let socket = relay(address);
    let uri = format!("http://{address}/mcp");
    for (era, _) in eras() {
        runtime().block_on(async {
            let http = UnixSocketHttpClient::new(socket.to_str().expect("a path"), &uri);
            let config = StreamableHttpClientTransportConfig::with_uri(uri.clone());
            let transport = StreamableHttpClientTransport::with_client(http, config);
            let client =
                serve_client_with_lifecycle(info(), transport, era).await.expect("it opens");
            list_and_call(client).await;
        });
    }
    let _ = std::fs::remove_file(socket);
}

//! How the programs are started, for the settings of clients and for `synthon doctor`.

use std::env;
use std::path::PathBuf;

/// How the programs are started.
pub struct Programs {
    /// The file that runs; `None` where that is unknown.
    pub own: Option<PathBuf>,
    /// The words that start the server, its program first; empty where it has no program of its
    /// own, and is `synthon mcp` alone.
    pub server: Vec<String>,
}

impl Programs {
    /// Those of a program of its own: the server lies beside the file that this process runs.
    pub fn beside() -> Self {
        let own = env::current_exe().ok();
        let name = format!("synthon-mcp{}", env::consts::EXE_SUFFIX);
        let server = own.as_ref().map(|own| own.with_file_name(name)).filter(|path| path.is_file());
        Programs { own, server: server.iter().map(|path| path.display().to_string()).collect() }
    }
}

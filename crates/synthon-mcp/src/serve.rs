//! Serves one client over a pair of byte streams.

use std::io::{self, Read, Write};

use rmcp::service::serve_directly;

use crate::handler::Handler;
use crate::settings::Settings;
use crate::transport::LineTransport;

/// Serves until the input ends or the client closes the output.
///
/// Nothing but protocol messages is written to `output`. Start-up reads no data and has no side
/// effects. Calls that are still running when this returns have been told to stop; their
/// threads are not waited for, so a program should exit after this.
///
/// # Errors
/// When the runtime cannot be started.
pub fn serve(
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        // A cancelled call leaves the pool only when its tool has noticed.
        .max_blocking_threads(settings.max_jobs.saturating_mul(2).max(1))
        .build()?;
    runtime.block_on(async {
        let (transport, output_state) = LineTransport::new(input, output, settings.grace);
        let service = serve_directly(Handler::new(settings), transport, None);
        tokio::select! {
            _ = service.waiting() => {}
            () = output_state.broken() => {}
        }
    });
    runtime.shutdown_background();
    Ok(())
}

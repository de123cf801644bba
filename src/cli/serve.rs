//! `serve`: shows experiments in a browser on this machine.

use std::sync::Arc;

use tokio::runtime::Builder;
use tokio::sync::oneshot;

use super::arguments::ServeArguments;
use super::exit::{Ending, Refusal};
use super::output::note;
use super::report::build_served_page;
use crate::report::escape_unseen;
use crate::serve::{LiveServer, ServeError};

/// Serves until Ctrl-C.
///
/// # Errors
/// A [`Refusal`] when the folder does not exist or the port is taken.
pub fn run_serve(arguments: &ServeArguments) -> Result<Ending, Refusal> {
    let failed = |error: &dyn std::fmt::Display| Refusal::machine_failure(error);
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| failed(&format!("cannot start the server: {error}")))?;
    let (stop, stopped) = oneshot::channel::<()>();
    let mut stop = Some(stop);
    let watching = ctrlc::set_handler(move || drop(stop.take()));
    watching.map_err(|error| failed(&format!("cannot watch for Ctrl-C: {error}")))?;
    let ended = runtime.block_on(async {
        let server =
            LiveServer::bind(&arguments.path, arguments.port, Arc::new(build_served_page)).await.map_err(to_refusal)?;
        let address = server.address().map_err(|error| failed(&error))?;
        let path = escape_unseen(&arguments.path.display().to_string());
        note!("{path}: http://{address}/ (Ctrl-C ends it; nothing is written)");
        tokio::select! {
            ended = server.run() => ended.map_err(|error| failed(&error)),
            _ = stopped => Ok(()),
        }
    });
    // Open streams end with the program.
    runtime.shutdown_background();
    ended.map(|()| Ending::Done)
}

fn to_refusal(error: ServeError) -> Refusal {
    match &error {
        ServeError::Folder(error) => Refusal::wrong_input(error),
        ServeError::Port { port, reason } if reason.kind() == std::io::ErrorKind::AddrInUse => {
            Refusal::machine_failure(format!(
                "127.0.0.1:{port} is taken, perhaps by another `ekklesia serve`; give another with --port, or --port 0 for any that is free"
            ))
        }
        ServeError::Port { .. } => Refusal::machine_failure(error),
    }
}

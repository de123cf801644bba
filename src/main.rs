//! The `ekklesia` program: see `ekklesia --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ekklesia::cli::main()
}

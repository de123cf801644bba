//! The `ekklesia` program: see `ekklesia --help`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ekklesia::cli::main()
}

//! The command `crd2idx`: asks the algebra.

mod cli;
mod picture;

fn main() -> std::process::ExitCode {
    cli::run()
}

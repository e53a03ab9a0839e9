//! The command `crd2idx`: asks the algebra.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}

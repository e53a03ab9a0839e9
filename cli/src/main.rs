//! The command `crd2idx`.

fn main() -> std::process::ExitCode {
    crd2idx_cli::run()
}

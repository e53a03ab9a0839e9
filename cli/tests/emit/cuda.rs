//! Emitted CUDA, compiled.

use super::graphs;
use super::tool::{Folder, has, run};
use crd2idx::program::{Language, Time};
use std::fmt::Write;
use std::process::Command;

/// The compiler accepts every function, called from a kernel and from the host.
#[test]
fn cuda_is_taken_by_its_compiler() {
    let mut text = String::new();
    for (k, case) in graphs::cases().iter().enumerate() {
        let source = case.emit(k, Language::Cuda, "");
        let result = if case.program.outputs().len() == 1 { source.integer.into() } else { format!("q{k}_result") };
        text += &source.device;
        text += source.host.as_deref().unwrap_or_default();
        let mut arguments = case.arguments("in", source.host.as_ref().map(|_| Time::Thread));
        let launch = if source.host.is_some() { format!(", const q{k}_launch launch") } else { String::new() };
        if source.host.is_some() {
            arguments.push("launch".into());
        }
        let call =
            format!("(const {}* in, {result}* out{launch}) {{ out[threadIdx.x] = q{k}({}); }}", source.integer, arguments.join(", "));
        writeln!(text, "__global__ void kernel{k}{call}").unwrap();
    }
    assert!(text.matches("__global__").count() > 300);
    if !has("nvcc") {
        return;
    }
    let folder = Folder::new("cuda");
    let source = folder.write("emitted.cu", &text);
    run(Command::new("nvcc").args(["-c", "-o"]).arg(folder.0.join("emitted.o")).arg(&source), &text);
}

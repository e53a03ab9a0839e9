//! Checks emitted text on a GPU, and compares the library's model of banks with the hardware. `scripts/gpu` runs
//! it. With a folder as its argument, it writes the texts there.

mod banks;
mod gpu;
mod layouts;
mod ragged;
mod transpose;

use gpu::Gpu;
use std::path::Path;
use std::process::ExitCode;

/// A result whose error, of any kind, is printed and ends the program.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn run() -> Result<bool> {
    let Some(gpu) = Gpu::open()? else {
        println!("no CUDA driver, or no GPU: skipped");
        return Ok(true);
    };
    let copied = gpu.copy_rate()?;
    println!("{}, a copy reads and writes {:.0} GB/s\n", gpu.name()?, copied / 1e9);
    let right = layouts::check(&gpu)?;
    banks::measure(&gpu)?;
    transpose::measure(&gpu, copied)?;
    ragged::measure(&gpu, copied)?;
    Ok(right)
}

/// Writes the texts of all kernels to a folder, for compilers on machines without a GPU, and returns true. Fails if a file
/// cannot be written.
fn write_texts(folder: &Path) -> Result<bool> {
    std::fs::create_dir_all(folder)?;
    let texts = [layouts::texts()?, banks::texts(), transpose::texts()?, ragged::texts()?].concat();
    for (k, text) in texts.iter().enumerate() {
        std::fs::write(folder.join(format!("{k}.cu")), text)?;
    }
    println!("{} texts", texts.len());
    Ok(true)
}

fn main() -> ExitCode {
    let folder = std::env::args().nth(1);
    match folder.map_or_else(run, |folder| write_texts(folder.as_ref())) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

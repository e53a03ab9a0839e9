//! Times, and Python peers in a process of their own.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Returns the milliseconds of `run`, without the time to drop the result.
pub fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = black_box(run());
    let time = start.elapsed().as_secs_f64() * 1e3;
    drop(result);
    time
}

/// Returns the milliseconds of `run` by the clock, and those in which this thread was running, which other
/// processes do not change. Both exclude the time to drop the result.
pub fn time_twice<T>(run: impl FnOnce() -> T) -> [f64; 2] {
    let before = running();
    let start = Instant::now();
    let result = black_box(run());
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let after = running();
    drop(result);
    [wall, before.zip(after).map_or(wall, |(before, after)| (after - before) / 1e6)]
}

/// Returns the nanoseconds that this thread has run, if the system reports them.
fn running() -> Option<f64> {
    // The system updates the count when it looks for another thread to run.
    std::thread::yield_now();
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Returns the median, or NaN if there are no times.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A process that reads the name of an operation, runs it once and writes its milliseconds. `None` without an
/// interpreter.
pub struct Peers(Option<Child>);

impl Peers {
    /// Runs `script` on the files of `folder`, with the interpreter in the environment variable `variable`.
    pub fn start(variable: &str, script: &str, folder: &Path) -> Peers {
        Peers(std::env::var(variable).ok().map(|python| {
            Command::new(python).arg(script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python")
        }))
    }

    /// Returns the milliseconds of one operation, or NaN if there is no peer.
    pub fn time(&mut self, name: &str) -> f64 {
        let Some(Child { stdin: Some(stdin), stdout: Some(stdout), .. }) = &mut self.0 else { return f64::NAN };
        let mut line = String::new();
        let told = writeln!(stdin, "{name}").and_then(|()| BufReader::with_capacity(1, stdout).read_line(&mut line));
        told.ok().and_then(|_| line.trim().parse().ok()).unwrap_or(f64::NAN)
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            drop(child.stdin.take());
            drop(child.wait());
        }
    }
}

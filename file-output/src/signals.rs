//! Removal of temporary files when a signal ends the process.

use super::discard_unfinished;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Removes temporary files and folders when SIGHUP, SIGINT, SIGQUIT or SIGTERM ends the process, or a panic aborts
/// it. The process still ends by the signal.
///
/// A signal that the process ignores, as under `nohup`, stays ignored.
///
/// ```
/// use std::io::Write;
/// # let folder = tempfile::tempdir()?;
/// // Once, before the first output.
/// file_output::discard_when_killed();
/// let path = folder.path().join("a.txt");
/// file_output::write(&path, |out| out.write_all(b"all of it"))?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn discard_when_killed() {
    let ending: Vec<i32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    // If the handler or the thread cannot be created, a killed process leaves a temporary file, which blocks nothing.
    if let Ok(mut signals) = Signals::new(ending) {
        let watch = move || {
            if let Some(signal) = signals.forever().next() {
                discard_unfinished();
                let _ = emulate_default_handler(signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(watch);
    }
    #[cfg(panic = "abort")]
    {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            report(info);
            discard_unfinished();
        }));
    }
}

/// Tests whether the process ignores a signal. Returns false if the system does not say.
#[allow(unsafe_code, reason = "the standard library does not say what becomes of a signal")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: the new action is null, so the call only writes the present one, to memory of its type.
    let known = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } == 0;
    // SAFETY: the call has written it.
    known && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

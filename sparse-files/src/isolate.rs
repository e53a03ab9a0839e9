//! Isolates readers of other packages: returns a panic in one of them as an error of the file.
//!
//! This is the only module that catches panics. It needs a build that unwinds. Every call of such a reader goes through
//! `isolated`, and every callback of the user inside one through `passing`.

use crate::error::{FileError, Result};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// True while this thread runs a reader of another package.
    static ISOLATED: Cell<bool> = const { Cell::new(false) };
    /// The source line of the last panic of a reader of another package.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic of a function of the caller that unwinds through a reader.
struct Passing(Box<dyn Any + Send>);

/// Runs `read`, which calls another package, and returns its result. Fails if `read` fails. A panic becomes an error with the
/// message and the source line.
///
/// A panic prints nothing. It drops everything that `read` owns, so no value remains half done.
pub(crate) fn isolated<T>(what: &'static str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    silence();
    let outer = ISOLATED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    ISOLATED.set(outer);
    done.unwrap_or_else(|panic| match panic.downcast::<Passing>() {
        // Inside another isolated reader, unwind on: the outer call handles the panic too.
        Ok(passing) if outer => resume_unwind(passing),
        Ok(passing) => resume_unwind(passing.0),
        Err(panic) => {
            let place = PLACE.take().unwrap_or_else(|| "an unknown source line".into());
            Err(FileError::Caught { what, message: message(&*panic), place })
        }
    })
}

/// The stack size of a reader that recurses into the nesting of a file. HDF5 nests a level in 8 bytes, within at most
/// 64 KiB; a level of an unoptimised build takes 4 KiB of stack.
#[cfg(feature = "hdf5")]
const STACK: usize = 1 << 28;

/// Calls [`isolated`] on a stack that holds the deepest nesting of any file, because a stack overflow would end the process.
/// Also fails if the system cannot start the thread of this stack.
#[cfg(feature = "hdf5")]
pub(crate) fn isolated_deep<T: Send>(what: &'static str, read: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let outer = ISOLATED.get();
    std::thread::scope(|scope| {
        // The new thread inherits the flag, so that a panic of a callback passes through both threads.
        let work = move || {
            ISOLATED.set(outer);
            isolated(what, read)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs a function of the caller inside a reader. Its panics pass through the reader and print their messages as
/// usual.
pub(crate) fn passing<T>(call: impl FnOnce() -> T) -> T {
    if !ISOLATED.replace(false) {
        return call();
    }
    let done = catch_unwind(AssertUnwindSafe(call));
    ISOLATED.set(true);
    done.unwrap_or_else(|panic| resume_unwind(Box::new(Passing(panic))))
}

/// Replaces the panic hook of the process, once, by one that is silent for panics of isolated readers. The old hook still
/// reports all other panics.
fn silence() {
    static ONCE: Once = Once::new();
    // A hook cannot be set while this thread unwinds.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |about: &PanicHookInfo<'_>| {
            if ISOLATED.try_with(Cell::get).unwrap_or(false) {
                let place = about.location().map(|place| format!("{}:{}", file(place.file()), place.line()));
                let _ = PLACE.try_with(|last| last.replace(place));
            } else {
                before(about);
            }
        }));
    });
}

/// Returns the part of a path that does not depend on the machine: the package with its version, and the file in it.
fn file(path: &str) -> &str {
    match path.rfind("/src/") {
        Some(at) => &path[path[..at].rfind('/').map_or(0, |slash| slash + 1)..],
        None => path,
    }
}

/// Returns the text of a panic, or `a panic without a message` if its payload is no text.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_readers_are_errors_with_message_and_line() {
        let error = isolated::<()>("Parquet", || panic!("index {} of {}", 7, 3)).expect_err("a panic");
        let FileError::Caught { what, message, place } = &error else { panic!("{error}") };
        assert_eq!((*what, &message[..]), ("Parquet", "index 7 of 3"));
        assert!(place.contains("src/isolate.rs:"), "{place}");
        assert_eq!(error.class(), "file/panic");
        // A reader whose own reader panics, and one that runs after a panic.
        let inner = isolated("Zarr", || Ok(isolated::<()>("Zstandard", || panic!("inner")).is_err()));
        assert_eq!((inner, isolated("Zarr", || Ok(3))), (Ok(true), Ok(3)));
    }

    #[test]
    fn panics_of_callers_go_through() {
        let nested = || isolated("a", || isolated("b", || -> Result<()> { passing(|| resume_unwind(Box::new(17i32))) }));
        let payload = catch_unwind(AssertUnwindSafe(nested)).expect_err("a panic");
        assert_eq!(payload.downcast_ref::<i32>(), Some(&17));
        assert_eq!(passing(|| 4), 4);
    }

    #[test]
    #[cfg(feature = "hdf5")]
    fn stacks_of_their_own_are_deep_and_pass_panics() {
        fn depth(levels: u64) -> u64 {
            let frame = std::hint::black_box([levels; 512]);
            if levels == 0 { 0 } else { 1 + depth(frame[0] - 1) }
        }
        assert_eq!(isolated_deep("HDF5", || Ok(depth(8192))), Ok(8192));
        assert_eq!(isolated_deep::<()>("HDF5", || panic!("no")).expect_err("a panic").class(), "file/panic");
        let passed = || isolated("a", || isolated_deep("HDF5", || -> Result<()> { passing(|| resume_unwind(Box::new(17i32))) }));
        assert_eq!(catch_unwind(AssertUnwindSafe(passed)).expect_err("a panic").downcast_ref::<i32>(), Some(&17));
    }

    #[test]
    fn places_name_no_folder_of_the_machine() {
        assert_eq!(file("/home/x/registry/src/index/parquet-60.1.0/src/file/reader.rs"), "parquet-60.1.0/src/file/reader.rs");
        assert_eq!(file("library/core/src/option.rs"), "core/src/option.rs");
        assert_eq!(file("build.rs"), "build.rs");
    }
}

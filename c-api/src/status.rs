//! Results of calls: the status, the report of a refusal, and the guard that every call runs in.

use crd2idx::LayoutError;
use serde_json::Value;
use std::any::Any;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The call succeeded. All its results are written, and the error is not.
    Ok = 0,
    /// The library refuses the operands. `crd2idx_error.class_name` names the reason.
    Refused = 1,
    /// A pointer is null that must not be.
    NullPointer = 2,
    /// A pointer to numbers is not aligned for them.
    Misaligned = 3,
    /// An array has a length that does not fit.
    Length = 4,
    /// A text is not UTF-8.
    Encoding = 5,
    /// The library failed: a defect. The handles stay valid.
    Panicked = 6,
}

/// The report of a call that did not succeed. It owns no memory.
///
/// The texts end with a 0 byte. A text that is too long is cut at a character.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ErrorReport {
    /// The status that the call returned.
    pub status: Status,
    /// The number of entries of `modes`.
    pub depth: u32,
    /// The mode that is refused: the mode numbers from the outermost inwards. Without entries it is the whole layout.
    pub modes: [u8; 8],
    /// The numbers of the message, in the order of its text.
    pub numbers: [i64; 3],
    /// Bit `k` is set if `numbers[k]` is a number of the message and known.
    pub known: u32,
    /// 0, for later versions.
    pub reserved: u32,
    /// The refused coordinate among several, or the first byte of a text that is not UTF-8. It is -1 for all other errors.
    pub position: i64,
    /// The refused operation, such as `zipped_divide`. It is empty if no operation refused.
    pub operation: [c_char; 48],
    /// The class of the error, `family/detail`, such as `layout/tile_does_not_divide`. It is the same in every version.
    pub class_name: [c_char; 80],
    /// The message, with the operation, the mode and the numbers.
    pub message: [c_char; 1024],
}

/// What an [`ErrorReport`] says, in Rust.
#[derive(Debug)]
pub struct Parts {
    pub status: Status,
    pub operation: String,
    pub class: String,
    pub message: String,
    pub modes: Vec<u8>,
    pub numbers: [Option<i64>; 3],
    pub position: Option<usize>,
}

/// A call that did not succeed, before it is written to an [`ErrorReport`].
#[derive(Debug)]
pub struct Failure(Box<Parts>);

/// The result of what a call computes.
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// Returns a failure with a status, the detail of its class `call/detail`, and a message.
    pub fn call(status: Status, detail: &str, message: impl Into<String>) -> Failure {
        let (class, message) = (format!("call/{detail}"), message.into());
        Failure(Box::new(Parts { status, operation: String::new(), class, message, modes: vec![], numbers: [None; 3], position: None }))
    }

    /// Changes some parts of the failure.
    pub fn with(mut self, change: impl FnOnce(&mut Parts)) -> Failure {
        change(&mut self.0);
        self
    }

    /// Returns a refusal by the command, with the class or the kind that its answer states.
    pub fn answered(operation: &str, answer: &Value) -> Failure {
        let text = |key: &str| answer.get(key).and_then(Value::as_str);
        let class = text("class").or_else(|| text("kind")).unwrap_or("refused");
        Failure::call(Status::Refused, "", text("error").unwrap_or_default()).with(|parts| {
            parts.operation = operation.into();
            parts.class = if class.contains('/') { class.into() } else { format!("{operation}/{class}") };
        })
    }

    /// Returns the refusal of an operand, with the message of the command, which quotes `text`.
    pub fn layout(text: &str, error: &LayoutError) -> Failure {
        Failure::from(*error).with(|parts| parts.message = crd2idx_cli::describe(text, error))
    }

    fn panicked(payload: Box<dyn Any + Send>) -> Failure {
        let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        let failure = Failure::call(Status::Panicked, "panicked", text.unwrap_or("the library panicked"));
        // Dropping a value of an unknown type may panic again.
        if text.is_none() {
            std::mem::forget(payload);
        }
        failure
    }
}

impl From<LayoutError> for Failure {
    fn from(error: LayoutError) -> Failure {
        Failure::call(Status::Refused, "", error.to_string()).with(|parts| {
            parts.operation = error.op.name().into();
            parts.class = error.class().into();
            parts.modes = error.path.modes().to_vec();
            parts.numbers = error.numbers();
        })
    }
}

/// Writes a text and a 0 byte to an array. Cuts the text at a character if it is too long.
fn cut<const N: usize>(text: &str) -> [c_char; N] {
    let mut out = [0; N];
    let end = (0..N.min(text.len() + 1)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    for (to, from) in out.iter_mut().zip(&text.as_bytes()[..end]) {
        *to = c_char::from_ne_bytes([*from]);
    }
    out
}

impl From<&Failure> for ErrorReport {
    fn from(Failure(failure): &Failure) -> ErrorReport {
        let mut modes = [0; 8];
        let depth = failure.modes.len().min(modes.len());
        modes[..depth].copy_from_slice(&failure.modes[..depth]);
        ErrorReport {
            status: failure.status,
            depth: depth as u32,
            modes,
            numbers: failure.numbers.map(|number| number.unwrap_or(0)),
            known: (0..3).filter(|k| failure.numbers[*k].is_some()).map(|k| 1 << k).sum(),
            reserved: 0,
            position: failure.position.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1),
            operation: cut(&failure.operation),
            class_name: cut(&failure.class),
            message: cut(&failure.message),
        }
    }
}

/// Runs the body of a call, and returns a panic as a failure.
fn caught(run: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
    // After a panic nothing of `run` is used: it borrows handles, which no call changes, and writes results.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| Err(Failure::panicked(payload)))
}

/// Runs the body of a call. A failure and a panic become a status and, if C asks for it, a report. No panic leaves this function.
pub fn guarded(error: Option<&mut MaybeUninit<ErrorReport>>, run: impl FnOnce() -> Outcome<()>) -> Status {
    match caught(run) {
        Ok(()) => Status::Ok,
        Err(failure) => {
            if let Some(error) = error {
                error.write(ErrorReport::from(&failure));
            }
            failure.0.status
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorReport, Failure, Status, caught, cut, guarded};
    use std::ffi::{CStr, c_char};

    fn text(bytes: &[c_char]) -> String {
        let bytes: Vec<u8> = bytes.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
        CStr::from_bytes_until_nul(&bytes).expect("the text ends").to_str().expect("the text is UTF-8").to_owned()
    }

    /// Runs a body that fails, and returns the report.
    fn failed(run: impl FnOnce() -> Result<(), Failure>) -> ErrorReport {
        ErrorReport::from(&caught(run).expect_err("the body fails"))
    }

    #[test]
    fn a_panic_becomes_a_status() {
        for (run, message) in [
            ((|| panic!("mode {}", 3)) as fn() -> Result<(), Failure>, "mode 3"),
            (|| panic!("short"), "short"),
            (|| std::panic::panic_any(7), "the library panicked"),
        ] {
            let error = failed(run);
            assert_eq!(error.status, Status::Panicked);
            assert_eq!((text(&error.class_name).as_str(), text(&error.message).as_str()), ("call/panicked", message));
            assert_eq!(guarded(None, run), Status::Panicked);
        }
    }

    #[test]
    fn a_refusal_has_its_numbers() {
        let parse = |text: &str| crd2idx::DynLayout::<16>::parse(text);
        let divided = parse("(4,(30,8)):(1,(4,120))").and_then(|a| a.logical_divide(&"[_;[8;_]]".parse()?));
        let error = failed(|| Err(divided.expect_err("8 does not divide 30").into()));
        assert_eq!((error.status, error.depth, &error.modes[..2]), (Status::Refused, 2, &[1, 0][..]));
        assert_eq!((error.numbers, error.known, error.position), ([8, 30, 0], 7, -1));
        assert_eq!(text(&error.message), "logical_divide: tile 8 does not divide the extent 30 of mode 1.0");
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(text(&cut::<4>("abc")), "abc");
        assert_eq!(text(&cut::<4>("abcd")), "abc");
        assert_eq!(text(&cut::<4>("abé")), "ab");
        assert_eq!(text(&cut::<5>("abé")), "abé");
        assert_eq!(text(&cut::<4>("")), "");
    }
}

//! Laws: functions that say whether one case obeys. They run on lists, grids and random cases.

/// The reaction of the library to a case that obeys the law.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Answered,
    /// Refused, rightly.
    Refused,
}

/// The outcome of a case that obeys its law, or a message that says what broke.
pub type Verdict = Result<Outcome, String>;

/// The numbers of answered and refused cases: a law that is never tested means nothing.
#[derive(Default, Debug)]
pub struct Tally {
    pub answered: usize,
    pub refused: usize,
}

impl Tally {
    pub fn answers_at_least(self, n: usize) -> Tally {
        assert!(self.answered >= n, "only {} cases were answered", self.answered);
        self
    }

    pub fn refuses_at_least(self, n: usize) -> Tally {
        assert!(self.refused >= n, "only {} cases were refused", self.refused);
        self
    }
}

/// The number of broken cases that a failure prints.
const PRINTED: usize = 8;

/// Runs `law` on every case, and counts the outcomes. Panics with the shortest messages if a case breaks the law.
pub fn hold<C>(cases: impl IntoIterator<Item = C>, law: impl Fn(&C) -> Verdict) -> Tally {
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for case in cases {
        match law(&case) {
            Ok(Outcome::Answered) => tally.answered += 1,
            Ok(Outcome::Refused) => tally.refused += 1,
            Err(message) => broken.push(message),
        }
    }
    let total = tally.answered + tally.refused + broken.len();
    // The shortest texts are the easiest to understand.
    broken.sort_by_key(String::len);
    let printed = &broken[..broken.len().min(PRINTED)];
    assert!(broken.is_empty(), "{} of {total} cases break the law:\n{}", broken.len(), printed.join("\n"));
    tally
}

/// Checks the result of `op` for a list of (arguments, text of the result).
pub fn golden(op: &str, cases: &[(&[&str], &str)]) {
    for (args, want) in cases {
        let args: Vec<&dyn std::fmt::Display> = args.iter().map(|arg| arg as &dyn std::fmt::Display).collect();
        let got = super::ask(op, &args).unwrap_or_else(|error| format!("refused: {error}"));
        let shown: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
        assert_eq!(got, *want, "{op}({})", shown.join(", "));
    }
}

/// Checks that `op` is refused for a list of (arguments, text that the message contains).
pub fn refused(op: &str, cases: &[(&[&str], &str)]) {
    for (args, want) in cases {
        let args: Vec<&dyn std::fmt::Display> = args.iter().map(|arg| arg as &dyn std::fmt::Display).collect();
        let shown: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
        match super::ask(op, &args) {
            Ok(got) => panic!("{op}({}) gives {got}", shown.join(", ")),
            Err(error) => assert!(error.to_string().contains(want), "{op}({}): {error}, not {want}", shown.join(", ")),
        }
    }
}

/// Returns an error with both values if they differ. `what` names the value.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: {got:?} instead of {want:?}")) }
}

/// Returns from a law with a message if the condition is false.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($message:tt)*) => {
        if !$condition {
            return Err(format!($($message)*));
        }
    };
}

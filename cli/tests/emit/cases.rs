//! Programs, and their expected results.

use crd2idx::program::{Emit, Language, Program, Source, Time, WordWidth};

/// A program, with the outputs that some inputs must give.
pub struct Case {
    /// The question in words.
    pub what: String,
    pub program: Program,
    pub samples: Vec<Sample>,
}

pub struct Sample {
    /// The inputs of the program, in order.
    pub inputs: Vec<i64>,
    pub outputs: Vec<i64>,
    pub valid: bool,
}

impl Case {
    /// Builds a case. The program must agree with its samples before any text is emitted.
    pub fn new(what: String, program: Program, samples: Vec<Sample>) -> Case {
        assert!(!samples.is_empty(), "{what}: no samples");
        for Sample { inputs, outputs, valid } in &samples {
            assert_eq!(program.run(inputs).as_ref(), Ok(outputs), "{what} at {inputs:?}");
            assert_eq!(program.is_valid(inputs), Ok(*valid), "{what} at {inputs:?}");
        }
        Case { what, program, samples }
    }

    /// Returns the text of the function `q{k}`. Every third case divides plainly; every fifth uses 64 bits if the language has them.
    pub fn emit(&self, k: usize, language: Language, crate_path: &str) -> Source {
        let emit = Emit::new(language, &format!("q{k}")).fast_division(k % 3 != 1).crate_path(crate_path);
        let emit = if k % 5 == 2 && language != Language::Wgsl { emit.width(WordWidth::Bits64) } else { emit };
        self.program.emit(&emit).unwrap_or_else(|error| panic!("{}: {error}", self.what))
    }

    /// Returns the inputs that become known at `time`, or all, as `row[k]`.
    pub fn arguments(&self, row: &str, time: Option<Time>) -> Vec<String> {
        let inputs = self.program.inputs().iter().enumerate().filter(|(_, input)| time.is_none_or(|time| input.time == time));
        inputs.map(|(k, _)| format!("{row}[{k}]")).collect()
    }

    /// Returns rows of numbers between these brackets.
    pub fn rows(&self, [open, close]: [&str; 2], suffix: &str, row: impl Fn(&Sample) -> Vec<i64>) -> String {
        // The least number has no positive twin to negate.
        let number = |value: &i64| match *value {
            i64::MIN => format!("({}{suffix} - 1)", value + 1),
            value => format!("{value}{suffix}"),
        };
        let row = |sample: &Sample| format!("{open}{}{close}", row(sample).iter().map(number).collect::<Vec<_>>().join(","));
        format!("{open}{}{close}", self.samples.iter().map(row).collect::<Vec<_>>().join(","))
    }
}

/// Returns at most `count` of `all`, including the first and the last.
pub fn thinned<T: Clone>(all: &[T], count: usize) -> Vec<T> {
    if all.len() <= count {
        return all.to_vec();
    }
    (0..count).map(|k| all[k * (all.len() - 1) / (count - 1)].clone()).collect()
}

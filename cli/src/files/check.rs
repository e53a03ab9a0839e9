//! `crd2idx check`: whether files are valid, and where they are not.

use super::args::Check;
use super::{Outcome, open};
use crate::input;
use sparse_files::Opened;

pub fn run(ask: &Check) -> Outcome {
    let mut outcome = Outcome::default();
    let paths = match open::paths(&ask.files) {
        Ok(paths) => paths,
        Err(message) => return Outcome { refused: vec![message], ..outcome },
    };
    for path in &paths {
        match open::read(path, &ask.from) {
            Ok(Opened { tensor, kind, .. }) => {
                let sorted = if tensor.format().unsorted().contains(&true) { ", not sorted" } else { "" };
                let repeated = if tensor.format().is_multigraph() { ", which may repeat" } else { "" };
                let (name, kind, stored) = (input::name(path), kind.name(), tensor.stored());
                outcome.printed.push(format!("{name}: {kind}, {stored} stored elements{sorted}{repeated}"));
            }
            Err(message) => outcome.refused.push(message),
        }
    }
    outcome
}

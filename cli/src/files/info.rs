//! `crd2idx info`: describes files.

use super::args::Info;
use super::{Outcome, open, spy};
use crate::sparse::report::report;
use crate::view::{svg, terminal};
use clap::ColorChoice;
use crd2idx::sparse::{Symmetry, Triangle};
use sparse_files::{AnyValues, KINDS, Location, Opened};
use std::path::Path;

pub fn run(ask: &Info) -> Outcome {
    let mut outcome = Outcome::default();
    let paths = match open::paths(&ask.files) {
        Ok(paths) => paths,
        Err(message) => return Outcome { refused: vec![message], ..outcome },
    };
    if ask.svg.is_some() && paths.len() != 1 {
        return Outcome { refused: vec![format!("--svg draws one file, not {}", paths.len())], ..outcome };
    }
    for path in &paths {
        match one(path, ask) {
            Ok(text) => outcome.printed.push(text),
            Err(message) => outcome.refused.push(message),
        }
    }
    outcome
}

fn one(path: &Path, ask: &Info) -> Result<String, String> {
    let opened = open::read(path, &ask.from)?;
    let (mut text, tensor) = (described(path, &opened), opened.tensor);
    if ask.spy || ask.svg.is_some() {
        let picture = spy::picture(&tensor)?;
        if let Some(path) = &ask.svg {
            svg::save(&picture, path)?;
        }
        if ask.spy {
            text = format!("{text}\n{}", terminal::shown(&picture, ask.width, ColorChoice::Auto)?);
        }
    }
    Ok(text)
}

fn described(path: &Path, opened: &Opened) -> String {
    let tensor = &opened.tensor;
    let mut lines = Vec::new();
    let mut line = |what: &str, text: String| lines.push(format!("{:<10}{text}", format!("{what}:")));
    let what = KINDS.iter().find(|(known, ..)| *known == opened.kind).map_or("", |(.., what)| what);
    let what = what.split([',', ':', ';']).next().unwrap_or(what);
    let what = match &opened.location {
        Some(Location { convention, path }) if path.is_empty() => format!("{convention} in {what}"),
        Some(Location { convention, path }) => format!("{convention} in {what}, {path}"),
        None => what.into(),
    };
    line("file", format!("{}, {what}", crate::input::name(path)));
    line(
        "values",
        match tensor.values() {
            AnyValues::Each(values) => format!("{}, {} bytes", tensor.element(), values.bytes().len()),
            AnyValues::Iso(_) => format!("one for all, {}", tensor.element()),
            AnyValues::PatternOnly => "none".into(),
        },
    );
    if !tensor.fill_is_zero() {
        line("fill", "not 0".into());
    }
    let attributes = tensor.attributes();
    let symmetry = attributes.symmetry.map(|symmetry| match symmetry {
        Symmetry::Symmetric => "symmetric",
        Symmetry::Hermitian => "hermitian",
        Symmetry::Skew => "skew-symmetric",
    });
    let triangle = attributes.triangle.map(|triangle| match triangle {
        Triangle::Lower => "lower triangle",
        Triangle::Upper => "upper triangle",
    });
    let structure: Vec<&str> = symmetry.into_iter().chain(triangle).collect();
    if !structure.is_empty() {
        line("structure", structure.join(", "));
    }
    for (key, value) in &attributes.user {
        line("attribute", format!("{key} = {}", value.lines().next().unwrap_or_default()));
    }
    let (first, rest) = lines.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    [&[first.to_owned(), report(tensor.pattern())], rest].concat().join("\n")
}

//! Identifiers that are valid in a language and unique in their scope. `reserved.rs` has the words that languages reserve.

use super::Language;
use super::reserved::{begins_reserved, is_reserved};
use crate::sorted::SortedSet;
use layout_algebra::heap::*;

/// The identifiers that one scope of a text already uses. It gives new identifiers, which are neither used nor reserved by the
/// language of the text.
///
/// ```
/// use coordinate_graph::program::Language;
/// use coordinate_graph::program::kernel::Names;
/// let mut names = Names::reserving(Language::Cuda, "leaf k");
/// assert_eq!(names.fresh("leaf"), "leaf_2");
/// assert_eq!(names.fresh_in_file("sinf"), "sinf_2"); // a function of CUDA
/// ```
#[derive(Clone)]
pub struct Names {
    language: Language,
    /// The language of the host code, in which the names must be valid, too.
    host: Language,
    used: SortedSet<String>,
}

impl Names {
    pub(crate) fn new(language: Language) -> Names {
        let host = match language {
            Language::Wgsl => Language::Rust,
            Language::OpenCl => Language::C,
            _ => language,
        };
        Names { language, host, used: SortedSet::new() }
    }

    /// Creates a scope in which only the words of `own`, separated by spaces, are used: the names that a text itself needs.
    pub fn reserving(language: Language, own: &str) -> Names {
        let mut names = Names::new(language);
        own.split_ascii_whitespace().for_each(|name| drop(names.fresh(name)));
        names
    }

    /// Returns this scope for a text whose host code is Rust if `rust` is true; otherwise returns it unchanged.
    pub(crate) fn with_host(self, rust: bool) -> Names {
        Names { host: if rust { Language::Rust } else { self.host }, ..self }
    }

    /// Returns an unused identifier like `wanted`, for a parameter, a variable or a field. Marks it as used.
    pub fn fresh(&mut self, wanted: &str) -> String {
        self.distinct(wanted, false)
    }

    /// Returns an unused identifier as [`Names::fresh`] does, for a function, a kernel or a table. It also differs
    /// from every function that the language declares.
    pub fn fresh_in_file(&mut self, wanted: &str) -> String {
        self.distinct(wanted, true)
    }

    fn distinct(&mut self, wanted: &str, in_file: bool) -> String {
        let mut stem = identifier(wanted);
        if self.languages().any(|language| begins_reserved(language, &stem, in_file)) {
            stem = format!("x_{stem}");
        }
        let mut name = stem.clone();
        let mut count = 1;
        while self.is_taken(&name, in_file) {
            count += 1;
            name = format!("{stem}_{count}");
        }
        self.used.insert(name.clone());
        name
    }

    fn is_taken(&self, name: &str, in_file: bool) -> bool {
        self.used.contains(name) || self.languages().any(|language| is_reserved(language, name, in_file))
    }

    fn languages(&self) -> impl Iterator<Item = Language> + use<> {
        let others = (self.host != self.language).then_some(self.host);
        core::iter::once(self.language).chain(others)
    }

    /// Returns a stem like `wanted` such that `stem_part` is unused for every part of `parts`. Marks these identifiers as
    /// used.
    pub(crate) fn stem(&mut self, wanted: &str, parts: &[&str]) -> String {
        let full = |stem: &str, part: &&str| format!("{stem}_{part}");
        let mut stem = wanted.to_string();
        let mut count = 1;
        while parts.iter().any(|part| self.is_taken(&full(&stem, part), true)) {
            count += 1;
            stem = format!("{wanted}_{count}");
        }
        self.used.extend(parts.iter().map(|part| full(&stem, part)));
        stem
    }

    /// Returns the next unused name of the form `stem` with a number, from `*from` on. Sets `*from` to the number after it.
    pub(crate) fn numbered(&mut self, stem: &str, from: &mut usize) -> String {
        loop {
            let name = format!("{stem}{from}");
            *from += 1;
            if !self.is_taken(&name, false) {
                self.used.insert(name.clone());
                return name;
            }
        }
    }
}

/// Returns `wanted` with every other character replaced: only ASCII letters, digits and single underscores, and a letter
/// first.
fn identifier(wanted: &str) -> String {
    let mut name = String::new();
    for c in wanted.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name.to_string() } else { format!("x{name}") }
}

/// Converts `snake_case` to `CamelCase`.
pub(super) fn camel(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

/// Returns the name of a structure: the name of the function followed by `what`, in the spelling of the language.
pub(super) fn structure(language: Language, function: &str, what: &str) -> String {
    match language {
        Language::Rust | Language::Wgsl => camel(&format!("{function}_{what}")),
        _ => format!("{function}_{what}"),
    }
}

//! Reads subscripts, and compares them with the extents of the operands.

use crate::ContractionError;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The number of an axis of the contraction, an index of `Subscripts::extents`.
pub(crate) type Letter = usize;

/// The greatest number of letters, because a set of letters is a number of 128 bits.
pub(crate) const MOST_LETTERS: usize = 128;

/// Subscripts that fit their operands. Each axis of a contraction is a letter; axes that an ellipsis stands for, and axes
/// of extent 1 that it repeats, have letters that the text does not use.
pub(crate) struct Subscripts {
    pub text: String,
    /// The character of each letter.
    pub names: Vec<char>,
    /// The extent of each letter.
    pub extents: Vec<u64>,
    /// The letters of each operand. A letter may occur twice.
    pub inputs: Vec<Vec<Letter>>,
    /// The letters of the result, each once.
    pub output: Vec<Letter>,
}

/// A list of letters: those before an ellipsis, and those after it if there is one.
struct List {
    before: Vec<char>,
    after: Option<Vec<char>>,
}

impl List {
    fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.before.iter().chain(self.after.iter().flatten()).copied()
    }
}

impl Subscripts {
    /// Reads the subscripts of operands with these extents.
    pub fn new(text: &str, shapes: &[&[u64]]) -> Result<Self, ContractionError> {
        let subscripts = || text.to_string();
        let (inputs, output) = match text.split_once("->") {
            Some((_, rest)) if rest.contains("->") => return Err(ContractionError::Arrow { subscripts: subscripts() }),
            Some((inputs, output)) => (inputs, Some(list(text, output)?)),
            None => (text, None),
        };
        let lists = inputs.split(',').map(|letters| list(text, letters)).collect::<Result<Vec<List>, _>>()?;
        if lists.len() != shapes.len() {
            return Err(ContractionError::Operands { subscripts: subscripts(), lists: lists.len(), operands: shapes.len() });
        }
        let mut axes = Axes { text, names: Vec::new(), extents: Vec::new(), origins: Vec::new() };
        let broadcast = axes.broadcast(&lists, shapes)?;
        let mut letters = Vec::with_capacity(lists.len());
        for (operand, (list, shape)) in lists.iter().zip(shapes).enumerate() {
            let hidden = shape.len() - list.letters().count();
            let (before, after) = (list.before.len(), list.before.len() + hidden);
            let mut of = Vec::with_capacity(shape.len());
            for (letter, extent) in list.before.iter().zip(&shape[..before]) {
                of.push(axes.named(*letter, *extent, operand)?);
            }
            for (letter, extent) in broadcast[broadcast.len() - hidden..].iter().zip(&shape[before..after]) {
                // An axis of extent 1 that is repeated along others is summed: it has one element.
                of.push(if *extent == axes.extents[*letter] { *letter } else { axes.fresh(*extent) });
            }
            for (letter, extent) in list.after.iter().flatten().zip(&shape[after..]) {
                of.push(axes.named(*letter, *extent, operand)?);
            }
            letters.push(of);
        }
        if axes.names.len() > MOST_LETTERS {
            return Err(ContractionError::Letters { subscripts: subscripts(), found: axes.names.len(), most: MOST_LETTERS });
        }
        let output = match output {
            Some(list) => axes.result(&list, &broadcast)?,
            None => {
                let all: Vec<char> = lists.iter().flat_map(List::letters).collect();
                let mut once: Vec<char> =
                    all.iter().copied().filter(|letter| all.iter().filter(|other| *other == letter).count() == 1).collect();
                once.sort_unstable();
                axes.result(&List { before: Vec::new(), after: Some(once) }, &broadcast)?
            }
        };
        let Axes { names, extents, .. } = axes;
        Ok(Subscripts { text: subscripts(), names, extents, inputs: letters, output })
    }

    /// Returns the extents of letters.
    pub fn shape(&self, letters: &[Letter]) -> Vec<u64> {
        letters.iter().map(|letter| self.extents[*letter]).collect()
    }
}

/// Reads a list of letters with at most one ellipsis.
fn list(text: &str, letters: &str) -> Result<List, ContractionError> {
    let part = |part: &str| {
        let letters = part.chars().filter(|letter| !letter.is_whitespace());
        letters
            .map(|letter| match letter {
                '.' => Err(ContractionError::Ellipsis { subscripts: text.to_string() }),
                letter if letter.is_alphabetic() => Ok(letter),
                found => Err(ContractionError::Character { subscripts: text.to_string(), found }),
            })
            .collect::<Result<Vec<char>, _>>()
    };
    match letters.split_once("...") {
        Some((before, after)) => Ok(List { before: part(before)?, after: Some(part(after)?) }),
        None => Ok(List { before: part(letters)?, after: None }),
    }
}

/// The letters found so far.
struct Axes<'t> {
    text: &'t str,
    names: Vec<char>,
    extents: Vec<u64>,
    /// The operand in which each letter occurred first, or `None` for letters that the text does not have.
    origins: Vec<Option<usize>>,
}

impl Axes<'_> {
    /// Returns the letter of a character, whose extent must be the same in all operands.
    fn named(&mut self, name: char, extent: u64, operand: usize) -> Result<Letter, ContractionError> {
        let known = (0..self.names.len()).find(|letter| self.names[*letter] == name);
        match known.and_then(|letter| Some((letter, self.origins[letter]?))) {
            Some((letter, _)) if self.extents[letter] == extent => Ok(letter),
            Some((letter, first)) => Err(ContractionError::Extents {
                subscripts: self.text.to_string(),
                letter: name,
                first,
                extent: self.extents[letter],
                second: operand,
                other: extent,
            }),
            None => {
                self.names.push(name);
                self.extents.push(extent);
                self.origins.push(Some(operand));
                Ok(self.names.len() - 1)
            }
        }
    }

    /// Returns a new letter that the text does not have.
    fn fresh(&mut self, extent: u64) -> Letter {
        let unused = |name: &char| name.is_alphabetic() && !self.text.contains(*name) && !self.names.contains(name);
        let name = ('A'..=char::MAX).find(unused).unwrap_or('?');
        self.names.push(name);
        self.extents.push(extent);
        self.origins.push(None);
        self.names.len() - 1
    }

    /// Returns a letter for each axis that the ellipses stand for, aligned at the last axis.
    fn broadcast(&mut self, lists: &[List], shapes: &[&[u64]]) -> Result<Vec<Letter>, ContractionError> {
        // The extents from the last axis on, each with its operand.
        let mut found: Vec<(usize, u64)> = Vec::new();
        for (operand, (list, shape)) in lists.iter().zip(shapes).enumerate() {
            let (letters, axes) = (list.letters().count(), shape.len());
            if letters > axes || list.after.is_none() && letters < axes {
                return Err(ContractionError::Rank { subscripts: self.text.to_string(), operand, letters, axes });
            }
            let first = list.before.len();
            for (k, extent) in shape[first..][..axes - letters].iter().rev().enumerate() {
                match found.get_mut(k) {
                    None => found.push((operand, *extent)),
                    Some(known) if known.1 == 1 => *known = (operand, *extent),
                    Some((_, known)) if *known == *extent || *extent == 1 => {}
                    Some((first, known)) => {
                        let (first, extent, other) = (*first, *known, *extent);
                        return Err(ContractionError::Broadcast {
                            subscripts: self.text.to_string(),
                            first,
                            extent,
                            second: operand,
                            other,
                        });
                    }
                }
            }
        }
        Ok(found.iter().rev().map(|(_, extent)| self.fresh(*extent)).collect())
    }

    /// Returns the letters of the result.
    fn result(&self, list: &List, broadcast: &[Letter]) -> Result<Vec<Letter>, ContractionError> {
        let subscripts = || self.text.to_string();
        let known = |letter: char| {
            let found = (0..self.names.len()).find(|k| self.names[*k] == letter && self.origins[*k].is_some());
            found.ok_or_else(|| ContractionError::Unknown { subscripts: subscripts(), letter })
        };
        let letters: Vec<char> = list.letters().collect();
        if let Some(letter) = (0..letters.len()).find_map(|k| letters[..k].contains(&letters[k]).then_some(letters[k])) {
            return Err(ContractionError::Repeated { subscripts: subscripts(), letter });
        }
        if list.after.is_none() && !broadcast.is_empty() {
            return Err(ContractionError::NoEllipsis { subscripts: subscripts(), axes: broadcast.len() });
        }
        let mut out = list.before.iter().map(|letter| known(*letter)).collect::<Result<Vec<_>, _>>()?;
        out.extend(broadcast);
        for letter in list.after.iter().flatten() {
            out.push(known(*letter)?);
        }
        Ok(out)
    }
}

//! A JSON value with the way to it.

use super::{JsonError, JsonFault};
use crate::error::UnknownKey;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use serde_json::{Map, Value};

pub(super) type Result<T> = core::result::Result<T, JsonError>;

/// The most bytes of a value that a message shows.
const SHOWN: usize = 60;

/// A value, and where it stands in the value that was given.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) value: &'a Value,
    step: Step<'a>,
    parent: Option<&'a At<'a>>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(super) fn root(value: &'a Value) -> At<'a> {
        At { value, step: Step::Root, parent: None }
    }

    /// The element `k` of this list.
    fn element(&'a self, k: usize, value: &'a Value) -> At<'a> {
        At { value, step: Step::Index(k), parent: Some(self) }
    }

    /// `edges[3].params`
    fn path(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(here) = at {
            steps.push(here.step);
            at = here.parent;
        }
        let mut out = String::new();
        for step in steps.iter().rev() {
            match step {
                Step::Root => {}
                Step::Key(key) => {
                    out.push_str(if out.is_empty() { "" } else { "." });
                    out.push_str(key);
                }
                Step::Index(k) => out.push_str(&format!("[{k}]")),
            }
        }
        out
    }

    pub(super) fn fault(&self, fault: JsonFault) -> JsonError {
        JsonError::new(self.path(), fault)
    }

    /// The value is not what it should be.
    pub(super) fn expected(&self, what: impl ToString) -> JsonError {
        self.fault(JsonFault::Found { found: shown(self.value), expected: what.to_string() })
    }

    /// The value, or `None` for null.
    pub(super) fn non_null(self) -> Option<At<'a>> {
        (!self.value.is_null()).then_some(self)
    }

    pub(super) fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    pub(super) fn boolean(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(super) fn integer(&self) -> Result<i64> {
        self.value.as_i64().ok_or_else(|| self.expected("an integer of 64 bits"))
    }

    /// An integer that counts from 0.
    pub(super) fn number(&self) -> Result<usize> {
        usize::try_from(self.integer()?).map_err(|_| self.expected("a number from 0"))
    }

    /// The value that this string names, by a function from names.
    pub(super) fn named<T>(&self, from_name: impl Fn(&str) -> Option<T>, names: impl Fn() -> String) -> Result<T> {
        from_name(self.text()?).ok_or_else(|| self.expected(format!("one of {}", names())))
    }

    /// The results of `read` for the elements of this list.
    pub(super) fn each<T>(&self, mut read: impl FnMut(At<'_>) -> Result<T>) -> Result<Vec<T>> {
        let list = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        list.iter().enumerate().map(|(k, value)| read(self.element(k, value))).collect()
    }

    /// The results of `read` for both elements of this list.
    pub(super) fn pair<T>(&self, read: impl FnMut(At<'_>) -> Result<T>) -> Result<[T; 2]> {
        let elements = self.each(read)?;
        elements.try_into().map_err(|_| self.expected("a list of two"))
    }

    /// The value as an object with no keys but `allowed`.
    pub(super) fn object(&'a self, allowed: &[&'static str]) -> Result<Object<'a>> {
        let map = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        match UnknownKey::among(map.keys().map(String::as_str), allowed) {
            Some(unknown) => Err(self.fault(unknown.into())),
            None => Ok(Object { at: self, map }),
        }
    }
}

/// An object whose keys are known.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    at: &'a At<'a>,
    map: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    /// The value under a key that must be there.
    pub(super) fn key(&self, key: &'static str) -> Result<At<'a>> {
        self.optional(key).ok_or_else(|| self.at.fault(JsonFault::MissingKey { key }))
    }

    /// The value under a key, if there is one.
    pub(super) fn optional(&self, key: &'static str) -> Option<At<'a>> {
        self.map.get(key).map(|value| self.child(key, value))
    }

    /// A value that stands under a key, whether or not the object has it.
    pub(super) fn child(&self, key: &'static str, value: &'a Value) -> At<'a> {
        At { value, step: Step::Key(key), parent: Some(self.at) }
    }
}

/// The text of a value, or how it begins.
fn shown(value: &Value) -> String {
    let mut out = Clip(String::new());
    // Fails where the text is clipped.
    let _ = write!(out, "{value}");
    out.0
}

/// Takes so much text and no more.
struct Clip(String);

impl Write for Clip {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = SHOWN.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.0.push_str(&text[..end]);
        self.0.push_str("...");
        Err(core::fmt::Error)
    }
}

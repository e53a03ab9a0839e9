//! The header of a `.npy` file: a Python dictionary with three keys.

use crate::ElementType;
use crate::error::{FileError, Result};
use crate::value::Encoding;

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The type of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Numbers {
        encoding: Encoding,
        big_endian: bool,
    },
    /// Texts of `count` characters, each of four bytes.
    Characters {
        count: usize,
        big_endian: bool,
    },
    /// Texts of `count` bytes.
    Bytes {
        count: usize,
    },
}

impl Type {
    /// Returns the number of bytes of an element, or `None` if this number overflows.
    pub fn size(self) -> Option<usize> {
        match self {
            Type::Numbers { encoding, .. } => Some(encoding.size()),
            Type::Characters { count, .. } => count.checked_mul(4),
            Type::Bytes { count } => Some(count),
        }
    }

    /// Returns the type of a name such as `<f8`, `|b1`, `>i4`, `<U3` or `|S3`. Returns `None` for types that cannot be read.
    fn of(name: &str) -> Option<Type> {
        let (order, rest) = name.split_at_checked(1)?;
        let (kind, size) = rest.split_at_checked(1)?;
        let big_endian = match order {
            "<" | "|" => false,
            ">" => true,
            "=" => cfg!(target_endian = "big"),
            _ => return None,
        };
        let size: usize = size.parse().ok()?;
        let number = |encoding| Some(Type::Numbers { encoding, big_endian });
        match (kind, size) {
            ("U", count) => Some(Type::Characters { count, big_endian }),
            ("S" | "a", count) => Some(Type::Bytes { count }),
            ("b", 1) => number(ElementType::Bool.into()),
            ("f", 2) => number(Encoding::Half),
            _ => number(ElementType::ALL.iter().copied().find(|element| code(*element) == (kind, size))?.into()),
        }
    }
}

/// Returns the number type of a name, and true if it is big-endian. Returns `None` for texts and for types that cannot be read.
#[cfg(feature = "zarr")]
pub(crate) fn numbers(name: &str) -> Option<(Encoding, bool)> {
    match Type::of(name)? {
        Type::Numbers { encoding, big_endian } => Some((encoding, big_endian)),
        Type::Characters { .. } | Type::Bytes { .. } => None,
    }
}

/// Returns the names of all types that can be read, for error messages.
fn names() -> String {
    let numbers = ElementType::ALL.iter().map(|element| code(*element)).map(|(kind, size)| format!("{kind}{size}"));
    numbers.chain(["f2", "S", "U"].map(String::from)).collect::<Vec<_>>().join(", ")
}

/// Returns the letter by which NumPy names a type, and the number of bytes of a value.
pub(super) fn code(element: ElementType) -> (&'static str, usize) {
    let data = element.data_type();
    use sparse_formats::binsparse::ScalarType;
    let kind = match data.scalar {
        _ if data.complex => "c",
        ScalarType::Uint(_) => "u",
        ScalarType::Int(_) => "i",
        ScalarType::Float(_) => "f",
        ScalarType::Bool => "b",
    };
    (kind, element.size())
}

/// Returns the name by which NumPy calls a type in the byte order of this machine, such as `<f8`.
pub(super) fn name(element: ElementType) -> String {
    let (kind, size) = code(element);
    let order = match (size, cfg!(target_endian = "big")) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    format!("{order}{kind}{size}")
}

/// The content of a header: the type, the order of the axes, and the extents.
pub(super) struct Header {
    pub of: Type,
    pub fortran: bool,
    pub shape: Vec<u64>,
    /// The number of bytes of the header, after which the elements begin.
    pub end: usize,
}

impl Header {
    /// Parses the header at the start of `bytes`. `array` is the name of the array in errors. Fails if the header is damaged,
    /// or if its type cannot be read.
    pub fn read(array: &str, bytes: &[u8]) -> Result<Header> {
        let wrong = |what: &str| FileError::ArrayHeader { array: array.into(), what: what.into() };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("the file does not begin as a .npy file"))?;
        let (start, length) = match rest {
            [1, _, a, b, ..] => (MAGIC.len() + 4, usize::from(u16::from_le_bytes([*a, *b]))),
            [2 | 3, _, a, b, c, d, ..] => (MAGIC.len() + 6, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
            _ => return Err(wrong("the version is not 1, 2 or 3")),
        };
        let end = start.checked_add(length).filter(|end| *end <= bytes.len()).ok_or_else(|| wrong("the header ends after the file"))?;
        let text = std::str::from_utf8(&bytes[start..end]).map_err(|_| wrong("the header is not UTF-8 text"))?;
        let (mut of, mut fortran, mut shape) = (None, None, None);
        let mut words = Words { rest: text };
        words.expect('{').ok_or_else(|| wrong("the header is not a dictionary of Python"))?;
        while words.expect('}').is_none() {
            let key = words.text().ok_or_else(|| wrong("a key of the header is not a string"))?;
            words.expect(':').ok_or_else(|| wrong("a key of the header has no value"))?;
            let fresh = match key {
                "descr" => {
                    let name = words.text().ok_or_else(|| wrong("`descr` is not the name of a type"))?;
                    let known = Type::of(name);
                    of.replace(known.ok_or_else(|| FileError::ArrayHeader {
                        array: array.into(),
                        what: format!("its type `{name}` is not supported; the supported types, in any byte order, are: {}", names()),
                    })?)
                    .is_none()
                }
                "fortran_order" => fortran.replace(words.boolean().ok_or_else(|| wrong("`fortran_order` is not True or False"))?).is_none(),
                "shape" => shape.replace(words.tuple().ok_or_else(|| wrong("`shape` is not a tuple of unsigned integers"))?).is_none(),
                _ => return Err(wrong("the header has a key other than descr, fortran_order and shape")),
            };
            if !fresh {
                return Err(wrong("the header has a key twice"));
            }
            if words.expect(',').is_none() && !words.rest.trim_start().starts_with('}') {
                return Err(wrong("a `,` or `}` is missing in the header"));
            }
        }
        match (of, fortran, shape, words.rest.trim()) {
            (Some(of), Some(fortran), Some(shape), "") => Ok(Header { of, fortran, shape, end }),
            _ => Err(wrong("the header needs exactly the keys descr, fortran_order and shape")),
        }
    }
}

/// A tokenizer of Python literals.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    fn expect(&mut self, sign: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(sign)?;
        Some(())
    }

    fn text(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        let (text, rest) = rest[1..].split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    fn boolean(&mut self) -> Option<bool> {
        let rest = self.rest.trim_start();
        let known = [("True", true), ("False", false)];
        let (rest, value) = known.iter().find_map(|(word, value)| Some((rest.strip_prefix(word)?, *value)))?;
        self.rest = rest;
        Some(value)
    }

    fn tuple(&mut self) -> Option<Vec<u64>> {
        self.expect('(')?;
        let (inside, rest) = self.rest.split_once(')')?;
        self.rest = rest;
        let inside = inside.trim();
        let inside = inside.strip_suffix(',').unwrap_or(inside);
        if inside.is_empty() {
            return Some(Vec::new());
        }
        // Python 2 wrote an `L` after long numbers.
        inside.split(',').map(|number| number.trim().trim_end_matches('L').parse().ok()).collect()
    }
}

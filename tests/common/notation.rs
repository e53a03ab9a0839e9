//! A reader of the notation by recursive descent.

use super::function::{After, Function};
use super::{Layout, Leaf, Tree};

/// A leaf of a tuple: `_`, or an integer with the path of its basis, outermost step first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    Keep,
    Number(i64, Vec<usize>),
    /// An XOR stride such as `^9`, multiplied and summed without carries.
    Xor(i64),
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn number(&mut self) -> Option<i64> {
        let negative = self.skip(b'-');
        let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.rest[..digits]).ok()?;
        self.rest = &self.rest[digits..];
        format!("{}{text}", if negative { "-" } else { "" }).parse().ok()
    }

    fn tuple(&mut self) -> Option<Tree<Atom>> {
        if self.skip(b'(') {
            let mut modes = Vec::new();
            while !self.skip(b')') {
                modes.push(self.tuple()?);
                if !self.skip(b',') && self.rest.first() != Some(&b')') {
                    return None;
                }
            }
            return Some(Tree::Node(modes));
        }
        if self.skip(b'_') && !self.rest.first().is_some_and(|b| b.is_ascii_digit() || *b == b'-') {
            return Some(Tree::Leaf(Atom::Keep));
        }
        if self.skip(b'^') {
            return Some(Tree::Leaf(Atom::Xor(self.number()?)));
        }
        let value = self.number()?;
        let mut path = Vec::new();
        while self.skip(b'@') {
            path.insert(0, usize::try_from(self.number()?).ok()?);
        }
        Some(Tree::Leaf(Atom::Number(value, path)))
    }
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

pub fn atoms(text: &str) -> Option<Tree<Atom>> {
    let text = without_spaces(text);
    let mut reader = Reader { rest: text.as_bytes() };
    let tuple = reader.tuple()?;
    reader.rest.is_empty().then_some(tuple)
}

/// Reads a tuple of plain integers. Returns `None` for any other text.
pub fn ints(text: &str) -> Option<Tree<i64>> {
    let atoms = atoms(text)?;
    let plain = atoms.leaves().iter().all(|atom| matches!(atom, Atom::Number(_, path) if path.is_empty()));
    plain.then(|| {
        atoms.map(&mut |atom| match atom {
            Atom::Number(value, _) | Atom::Xor(value) => *value,
            Atom::Keep => 0,
        })
    })
}

pub fn layout(text: &str) -> Option<Layout> {
    let (shape, stride) = text.split_once(':')?;
    let both = ints(shape)?.zip(&atoms(stride)?)?;
    let keeps = both.leaves().iter().any(|(_, stride)| *stride == Atom::Keep);
    (!keeps).then(|| {
        both.map(&mut |(extent, stride)| match stride {
            Atom::Number(stride, path) => Leaf { extent: *extent, stride: *stride, path: path.clone(), xor: false },
            Atom::Xor(stride) => Leaf { extent: *extent, stride: *stride, path: Vec::new(), xor: true },
            Atom::Keep => unreachable!("no stride is `_`"),
        })
    })
}

/// Reads a layout, which may be swizzled or composed. Returns `None` for any other text.
pub fn function(text: &str) -> Option<Function> {
    let parts: Vec<&str> = text.split(" o ").collect();
    let [after, offset, outer] = parts.as_slice() else {
        return Some(Function { after: After::Nothing, offset: Tree::Leaf(0), outer: layout(text)? });
    };
    let after = match after.strip_prefix("S<") {
        Some(rest) => {
            let numbers: Vec<i64> = rest.strip_suffix('>')?.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
            let [bits, base, shift] = numbers.as_slice() else { return None };
            After::Swizzle(*bits, *base, *shift)
        }
        None => After::Layout(layout(after)?),
    };
    Some(Function { after, offset: ints(offset)?, outer: layout(outer)? })
}

/// Reads a layout. Panics for any other text.
pub fn parse(text: &str) -> Layout {
    layout(text).unwrap_or_else(|| panic!("{text} is not a layout"))
}

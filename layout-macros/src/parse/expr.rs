//! Reads layouts, tilers, and operations by name.

use super::cursor::Cursor;
use super::tuple::{LAYOUTS_IN_TUPLE, Tree, tree};
use crate::diag::{Error, Extent, Result, nearest};
use layout_algebra::Swizzle;
use layout_algebra::error::Op;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// An operand, or an operation on operands.
pub enum Expr {
    /// An operation: `name(...)`.
    Call(Call),
    /// A layout: `shape : stride`.
    Layout { shape: Tree, stride: Tree },
    /// A tuple, an integer, or a value that may be any operand.
    Tree(Tree),
    /// A swizzled layout: `S<bits,base,shift> o offset o layout`.
    Swizzled(Swizzled),
    /// A tiler by mode: `[tiler;tiler]`.
    Tiler {
        /// The tiler of each mode.
        modes: Vec<Expr>,
        /// The range of the tokens, with the brackets.
        at: Extent,
    },
}

/// An operation with its operands.
pub struct Call {
    pub op: Op,
    /// True for the `try_` form.
    pub checked: bool,
    pub name: Ident,
    pub args: Vec<Expr>,
    pub at: Extent,
}

/// A layout whose indices are swizzled.
pub struct Swizzled {
    /// The numbers of bits, base and shift, as written.
    pub parameters: TokenStream,
    pub offset: Tree,
    pub outer: Box<Expr>,
    pub at: Extent,
}

impl Call {
    /// Returns the range of the name alone.
    pub fn name_at(&self) -> Extent {
        Extent::at(self.name.span())
    }
}

impl Expr {
    /// Returns the range of the tokens of the expression.
    pub fn at(&self) -> Extent {
        match self {
            Expr::Call(call) => call.at,
            Expr::Layout { shape, stride } => shape.at().to(stride.at()),
            Expr::Tree(tree) => tree.at(),
            Expr::Swizzled(swizzled) => swizzled.at,
            Expr::Tiler { at, .. } => *at,
        }
    }
}

/// Reads an operand or an operation. Fails at a token that does not fit, or at a name that is no operation.
pub fn expression(cursor: &mut Cursor) -> Result<Expr> {
    if let Some(group) = cursor.group(0, Delimiter::Bracket).cloned() {
        cursor.next();
        return tiler(&group);
    }
    if let Some(group) = cursor.group(0, Delimiter::Parenthesis).cloned()
        && holds_layout(&group)
    {
        cursor.next();
        let mut inside = Cursor::inside(&group);
        let layout = expression(&mut inside)?;
        if inside.is_mark(0, ',') {
            return Err(Error::new(inside.here(), LAYOUTS_IN_TUPLE));
        }
        inside.finish("`)` after the layout")?;
        return Ok(layout);
    }
    if let Some(call) = call(cursor)? {
        return Ok(Expr::Call(call));
    }
    if cursor.is_word(0, "S") && cursor.is_mark(1, '<') {
        return swizzled(cursor).map(Expr::Swizzled);
    }
    let shape = tree(cursor)?;
    if !cursor.skip(':') {
        return Ok(Expr::Tree(shape));
    }
    let stride = tree(cursor)?;
    Ok(Expr::Layout { shape, stride })
}

/// Returns true if the parentheses contain a layout, not the modes of a tuple.
fn holds_layout(group: &Group) -> bool {
    let mut inside = Cursor::inside(group);
    if let (Some(group), None) = (inside.group(0, Delimiter::Parenthesis), inside.peek(1)) {
        return holds_layout(group);
    }
    inside.take_leaf();
    inside.is_mark(0, ':')
}

fn call(cursor: &mut Cursor) -> Result<Option<Call>> {
    let (Some(TokenTree::Ident(name)), Some(group)) = (cursor.peek(0).cloned(), cursor.group(1, Delimiter::Parenthesis).cloned()) else {
        return Ok(None);
    };
    let is_operand = cursor.is_separator(2) && !cursor.is_mark(2, ':');
    let text = name.to_string();
    if !is_operand || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Ok(None);
    }
    let (checked, plain) = text.strip_prefix("try_").map_or((false, text.as_str()), |plain| (true, plain));
    let Some(op) = Op::from_name(plain).filter(|op| *op != Op::Parse) else {
        let message = match nearest(plain, Op::ALL.iter().map(|op| op.name())) {
            Some(name) => format!("`{text}` is not an operation, did you mean `{name}`?"),
            None => format!("`{text}` is not an operation; the value of a function is an operand under a name of its own"),
        };
        return Err(Error::new(Extent::at(name.span()), message));
    };
    cursor.next();
    cursor.next();
    let mut inside = Cursor::inside(&group);
    let mut args = Vec::new();
    while !inside.is_done() {
        args.push(expression(&mut inside)?);
        if !inside.is_done() && !inside.skip(',') {
            inside.finish("`,` or `)`")?;
        }
    }
    let at = Extent { first: name.span(), last: group.span_close() };
    Ok(Some(Call { op, checked, name, args, at }))
}

fn swizzled(cursor: &mut Cursor) -> Result<Swizzled> {
    let start = cursor.position();
    let form = |cursor: &Cursor| Error::new(cursor.since(start), "a swizzled layout is written `S<bits,base,shift> o offset o layout`");
    cursor.next();
    cursor.next();
    let parameters: TokenStream = cursor.take_until(|cursor| cursor.is_mark(0, '>')).into_iter().collect();
    if !cursor.skip('>') {
        return Err(form(cursor));
    }
    let numbers: Vec<_> = parameters.to_string().split(',').map_while(|number| number.replace(' ', "").parse().ok()).collect();
    if let [bits, base, shift] = numbers[..] {
        Swizzle::new(bits, base, shift).map_err(|error| Error::new(cursor.since(start), error.to_string()))?;
    }
    if !cursor.skip_word("o") {
        return Err(form(cursor));
    }
    let offset = cursor.take_until(|cursor| cursor.is_word(0, "o"));
    let offset = tree(&mut Cursor::new(offset.into_iter().collect(), cursor.here()))?;
    if !cursor.skip_word("o") {
        return Err(form(cursor));
    }
    let outer = Box::new(expression(cursor)?);
    Ok(Swizzled { parameters, offset, outer, at: cursor.since(start) })
}

fn tiler(group: &Group) -> Result<Expr> {
    let mut inside = Cursor::inside(group);
    let mut modes = Vec::new();
    loop {
        modes.push(expression(&mut inside)?);
        if inside.is_done() {
            return Ok(Expr::Tiler { modes, at: Extent::group(group) });
        }
        if !inside.skip(';') {
            return Err(Error::new(
                inside.here(),
                "brackets hold a tiler, whose modes are separated by `;`; shapes and strides are tuples, `(4, 8)`",
            ));
        }
    }
}

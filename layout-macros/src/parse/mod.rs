//! Parsing: turns tokens into the expressions, items and leaves that they write. Nothing is evaluated or expanded here.

// `cursor` has the tokens. `leaf`, `tuple`, `expr` and `item` read layouts, and `words` reads parts of graphs, texts and kernels.
// `names` says what the spelling of a name means.
mod cursor;
mod expr;
mod item;
mod leaf;
mod names;
mod tuple;
#[cfg(any(feature = "graph", feature = "verdicts"))]
mod words;

pub use cursor::Cursor;
pub use expr::{Call, Expr, Swizzled, expression};
pub use item::{Item, is_item, items};
pub use leaf::{Kind, Leaf};
pub use names::{is_operator, is_type_path};
pub use tuple::{MAX_RANK, Tree, arguments, tree};
#[cfg(any(feature = "graph", feature = "verdicts"))]
pub use {item::attributes, words::ident};
#[cfg(feature = "graph")]
pub use {
    names::{is_constant_name, number},
    words::{is_condition, text},
};

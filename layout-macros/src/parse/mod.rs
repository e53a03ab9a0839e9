//! From tokens to what they say; nothing is evaluated here.

mod cursor;
mod expr;
mod item;
mod leaf;
mod names;
mod tuple;

pub use cursor::Cursor;
pub use expr::{Call, Expr, Swizzled, expression};
pub use item::{Item, attributes, ident, is_condition, is_item, items};
pub use leaf::{Kind, Leaf};
pub use names::{is_constant_name, is_operator, is_type_path, number, text};
pub use tuple::{MAX_RANK, Tree, arguments, tree};

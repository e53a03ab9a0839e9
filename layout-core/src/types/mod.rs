//! Layouts as types: what is static costs nothing, what is not is all that a value stores.

mod hoist;
mod int;
mod layout;
mod ops;
mod pattern;
mod plan;
mod steps;
mod storage;
mod term;

pub use hoist::Hoisted;
pub use int::{CeilDiv, Dyn, FactError, Int, Keep, Min, Neg, Prod, Quot, Signed, StaticInt, Sum};
pub use layout::{Const, Layout, Strided};
pub use ops::*;
pub use pattern::Pattern;
pub use storage::{Owned, StaticCosize, StaticSpan, Stored, ToTypenum};
pub(crate) use term::div_rem;
pub use term::{Form, IntTuple, MAX_LEAVES, Slots, Term};
/// The typenum that static integers and [`StaticCosize`] are made of.
pub use typenum;

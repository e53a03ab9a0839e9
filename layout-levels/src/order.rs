//! Promises of stored coordinates about their order below one parent.

mod sealed {
    pub trait Sealed {}
}

/// A promise about the coordinates below one parent, checked when the level is made.
pub trait Order: Copy + Default + sealed::Sealed {
    /// They ascend, or repeat.
    const ORDERED: bool;
    /// They differ.
    const UNIQUE: bool;
}

macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident $ordered:literal $unique:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Order for $name {
            const ORDERED: bool = $ordered;
            const UNIQUE: bool = $unique;
        }
    )* };
}

orders! {
    /// Each coordinate is greater than the one before.
    Ascending true true;
    /// No coordinate is smaller than the one before: `nonunique` in MLIR. The first level of a coordinate list, where each coordinate stands
    /// once for every entry below it.
    Sorted true false;
    /// No promise: `nonordered, nonunique`.
    Unordered false false;
}

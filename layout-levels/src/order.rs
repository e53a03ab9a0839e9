//! Promises about the order of stored coordinates below one parent.

mod sealed {
    pub trait Sealed {}
}

/// A promise about the coordinates below one parent. The constructor of a level checks it.
pub trait Order: Copy + Default + sealed::Sealed {
    /// True if the coordinates never decrease. They may repeat.
    const ORDERED: bool;
    /// True if no coordinate repeats.
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
    /// Each coordinate is greater than the one before it.
    Ascending true true;
    /// No coordinate is smaller than the one before it: `nonunique` in MLIR. In the first level of a
    /// coordinate list, each coordinate stands once for every entry below it.
    Sorted true false;
    /// No promise: coordinates may come in any order and repeat (`nonordered, nonunique` in MLIR).
    Unordered false false;
}

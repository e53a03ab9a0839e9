//! Promises about the order of stored coordinates below one parent.

mod sealed {
    pub trait Sealed {}
}

/// A promise about the coordinates below one parent. The constructor of a level checks it.
///
/// ```
/// use layout_levels::{Ascending, Compressed, Order, Search, Sorted, Unordered};
/// /// Returns true if a row with these columns keeps the promise.
/// fn keeps<O: Order>(order: O, columns: [u8; 3]) -> bool {
///     Compressed::with([0_u8, 3], columns, 8, order, Search).is_ok()
/// }
/// assert!(keeps(Ascending, [1, 3, 4]) && !keeps(Ascending, [1, 3, 3]));
/// assert!(keeps(Sorted, [1, 3, 3]) && !keeps(Sorted, [3, 1, 3]));
/// assert!(keeps(Unordered, [3, 1, 3]));
/// assert_eq!((Sorted::ORDERED, Sorted::UNIQUE), (true, false));
/// ```
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
    ///
    /// ```
    /// use layout_levels::{Ascending, Compressed, Search};
    /// let error = Compressed::with([0_u8, 2], [3_u8, 3], 4, Ascending, Search).unwrap_err();
    /// assert_eq!(error.to_string(), "coordinates[1] = 3 repeats the one before it");
    /// ```
    Ascending true true;
    /// No coordinate is smaller than the one before it: `nonunique` in MLIR. In the first level of a
    /// coordinate list, each coordinate stands once for every entry below it.
    ///
    /// ```
    /// use layout_levels::{Compressed, Locate, Search, Sorted};
    /// // The rows of five entries. A look-up returns the first position of a row.
    /// let rows = Compressed::with([0_u8, 5], [0_u8, 2, 2, 2, 3], 4, Sorted, Search)?;
    /// assert_eq!((rows.locate(0, 2), rows.locate(0, 1)), (Some(1), None));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    Sorted true false;
    /// No promise: coordinates may come in any order and repeat (`nonordered, nonunique` in MLIR).
    ///
    /// ```
    /// use layout_levels::{Compressed, Locate, Search, Unordered};
    /// // A look-up scans the row.
    /// let columns = Compressed::with([0_u8, 3], [3_u8, 1, 3], 4, Unordered, Search)?;
    /// assert_eq!((columns.locate(0, 1), columns.locate(0, 3)), (Some(1), Some(0)));
    /// # Ok::<(), layout_levels::LevelError>(())
    /// ```
    Unordered false false;
}

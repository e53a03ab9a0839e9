//! Coordinates of kernels: integers and nested tuples of them.

use cubecl::prelude::*;

/// A coordinate in a kernel: `u32`, `usize`, or a tuple of coordinates.
///
/// ```
/// use layout_cubecl::CubeCoordinate;
/// assert_eq!(<((u32, u32), usize)>::form(), "((_,_),_)");
/// let mut integers = Vec::new();
/// ((1_u32, 2_u32), 3_usize).integers(&mut integers);
/// assert_eq!(integers, [1, 2, 3]);
/// ```
pub trait CubeCoordinate: CubeType<ExpandType: Clone> + Copy + Send + Sync + 'static {
    /// Returns the form, with `_` for each integer.
    fn form() -> String;

    /// Appends the integers of a coordinate on the host.
    fn integers(&self, out: &mut Vec<i64>);

    /// Takes a coordinate on the host from its integers, modulo 2^32 as in a kernel. Panics if there are too few.
    fn from_integers(integers: &mut dyn Iterator<Item = i64>) -> Self;

    /// Appends the integers of a coordinate in a kernel, while the kernel is expanded.
    fn expand_integers(at: &Self::ExpandType, scope: &Scope, out: &mut Vec<NativeExpand<u32>>);

    /// Takes a coordinate in a kernel from its integers, while the kernel is expanded. Panics if there are too few.
    fn expand_from(scope: &Scope, integers: &mut dyn Iterator<Item = NativeExpand<u32>>) -> Self::ExpandType;
}

/// The message for too few integers.
const FORM: &str = "a coordinate has an integer for each position of its form";

impl CubeCoordinate for u32 {
    fn form() -> String {
        "_".into()
    }

    fn integers(&self, out: &mut Vec<i64>) {
        out.push((*self).into());
    }

    fn from_integers(integers: &mut dyn Iterator<Item = i64>) -> u32 {
        integers.next().expect(FORM) as u32
    }

    fn expand_integers(at: &NativeExpand<u32>, _: &Scope, out: &mut Vec<NativeExpand<u32>>) {
        out.push(*at);
    }

    fn expand_from(_: &Scope, integers: &mut dyn Iterator<Item = NativeExpand<u32>>) -> NativeExpand<u32> {
        integers.next().expect(FORM)
    }
}

impl CubeCoordinate for usize {
    fn form() -> String {
        "_".into()
    }

    fn integers(&self, out: &mut Vec<i64>) {
        out.push(*self as i64);
    }

    fn from_integers(integers: &mut dyn Iterator<Item = i64>) -> usize {
        integers.next().expect(FORM) as u32 as usize
    }

    fn expand_integers(at: &NativeExpand<usize>, scope: &Scope, out: &mut Vec<NativeExpand<u32>>) {
        out.push(match at.constant() {
            Some(value) => (value.as_usize() as u32).into(),
            None => u32::__expand_cast_from(scope, *at),
        });
    }

    fn expand_from(scope: &Scope, integers: &mut dyn Iterator<Item = NativeExpand<u32>>) -> NativeExpand<usize> {
        let value = u32::expand_from(scope, integers);
        match value.constant() {
            Some(value) => value.as_usize().into(),
            None => usize::__expand_cast_from(scope, value),
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name: CubeCoordinate),+> CubeCoordinate for ($($name,)+) {
            fn form() -> String {
                format!("({})", [$($name::form()),+].join(","))
            }

            fn integers(&self, out: &mut Vec<i64>) {
                $(self.$at.integers(out);)+
            }

            fn from_integers(integers: &mut dyn Iterator<Item = i64>) -> Self {
                ($($name::from_integers(integers),)+)
            }

            fn expand_integers(at: &Self::ExpandType, scope: &Scope, out: &mut Vec<NativeExpand<u32>>) {
                $($name::expand_integers(&at.$at, scope, out);)+
            }

            fn expand_from(scope: &Scope, integers: &mut dyn Iterator<Item = NativeExpand<u32>>) -> Self::ExpandType {
                ($($name::expand_from(scope, integers),)+)
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

/// Returns the number of integers of a coordinate.
pub(crate) fn integers_of<C: CubeCoordinate>() -> usize {
    C::form().matches('_').count()
}

//! Levels that have the same number of positions below every parent.

/// Implements the traits of a level `$level` whose parents have `number()` positions each. The position of a coordinate
/// below parent `p` is `p * number() + inside(coordinate)`, and `outside` is the inverse of `inside`.
macro_rules! uniform {
    ([$($generics:tt)*] $level:ty, ordered: $ordered:literal, fanout: $fanout:expr) => {
        impl<$($generics)*> $crate::Level for $level {
            const FULL: bool = true;
            const ORDERED: bool = $ordered;
            const UNIQUE: bool = true;
            const BRANCHLESS: bool = matches!(Self::FANOUT, Some(1));
            const COMPACT: bool = true;
            const UNIFORM: bool = true;
            const FANOUT: Option<usize> = $fanout;
            type Coord = usize;

            fn size(&self, parents: usize) -> Result<usize, LevelError> {
                let fanout = self.number();
                parents.checked_mul(fanout).ok_or(LevelError::new(LevelArray::Level, 0, Flaw::Overflow { parents, fanout }))
            }

            #[inline(always)]
            fn range(&self, parent: usize) -> core::ops::Range<usize> {
                let begin = self.begin(parent);
                begin..begin.wrapping_add(self.number())
            }

            #[inline(always)]
            fn coordinate(&self, parent: usize, position: usize) -> usize {
                self.outside(position.wrapping_sub(self.begin(parent)))
            }

            #[inline(always)]
            fn extent(&self, _: usize) -> usize {
                self.number()
            }

            #[inline(always)]
            fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
                let begin = self.begin(parent);
                for place in 0..self.number() {
                    f(self.outside(place), begin.wrapping_add(place))?;
                }
                ControlFlow::Continue(())
            }
        }

        impl<$($generics)*> $crate::Consecutive for $level {
            #[inline(always)]
            fn begin(&self, parent: usize) -> usize {
                parent.wrapping_mul(self.number())
            }

            #[inline(always)]
            fn parent(&self, position: usize) -> usize {
                div_rem(position, self.number()).0
            }

            // One division instead of two. With a static extent of a power of two it becomes a shift and a mask.
            #[inline(always)]
            fn split(&self, position: usize) -> (usize, usize) {
                let (parent, place) = div_rem(position, self.number());
                (parent, self.outside(place))
            }
        }

        impl<$($generics)*> $crate::Locate for $level {
            #[inline(always)]
            fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
                let (position, exists) = self.place(parent, coordinate);
                if exists { Some(position) } else { None }
            }

            #[inline(always)]
            fn place(&self, parent: usize, coordinate: usize) -> (usize, bool) {
                // Compare the coordinate before `inside` maps it: in this order the compiler need not keep a copy of it.
                let exists = coordinate < self.number();
                (self.begin(parent).wrapping_add(self.inside(coordinate)), exists)
            }
        }
    };
}
pub(super) use uniform;

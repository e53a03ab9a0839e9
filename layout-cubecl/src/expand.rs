//! The traits that every value of a kernel needs. Values of this crate are copied as they are.

/// Implements the traits of expanded values for a type whose values are copied and never assigned.
macro_rules! expanded {
    ([$($generics:tt)*] $ty:ident $args:tt of $cube:ident) => {
        impl<$($generics)*> cubecl::prelude::CubeType for expanded!(@ $cube $args) {
            type ExpandType = expanded!(@ $ty $args);
        }

        impl<$($generics)*> cubecl::prelude::IntoExpand for expanded!(@ $ty $args) {
            type Expand = Self;

            fn into_expand(self, _: &cubecl::prelude::Scope) -> Self {
                self
            }
        }

        impl<$($generics)*> cubecl::prelude::ExpandTypeClone for expanded!(@ $ty $args) {
            fn clone_unchecked(&self) -> Self {
                self.clone()
            }
        }

        impl<$($generics)*> cubecl::prelude::IntoMut for expanded!(@ $ty $args) {
            fn into_mut(self, _: &cubecl::prelude::Scope) -> Self {
                self
            }
        }

        impl<$($generics)*> cubecl::prelude::CubeDebug for expanded!(@ $ty $args) {}

        impl<$($generics)*> cubecl::prelude::AsRefExpand for expanded!(@ $ty $args) {
            fn __expand_ref_method(&self, _: &cubecl::prelude::Scope) -> &Self {
                self
            }
        }

        impl<$($generics)*> cubecl::prelude::AsMutExpand for expanded!(@ $ty $args) {
            fn __expand_ref_mut_method(&mut self, _: &cubecl::prelude::Scope) -> &mut Self {
                self
            }
        }

        impl<$($generics)*> cubecl::prelude::DerefExpand for expanded!(@ $ty $args) {
            type Target = Self;

            fn __expand_deref_method(&self, _: &cubecl::prelude::Scope) -> Self {
                self.clone()
            }
        }
    };
    (@ $ty:ident ($($arg:tt),*)) => { $ty<$($arg),*> };
}
pub(crate) use expanded;

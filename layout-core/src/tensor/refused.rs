//! Methods that only some tensors have, declared for the others with the missing bound, so that the compiler names it.
//!
//! A tensor that has such a method itself never calls the method here.

use super::rearrange::Rearrange;
use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use super::tile::Tile;
use super::window::Window;
use crate::types::{Coordinate, Layout};

macro_rules! refused {
    ($(#[$doc:meta])* $trait:ident: $part:ident is $bound:ident { $($name:ident($($this:tt)+) [$($arg:ident)*];)* }) => {
        $(#[$doc])*
        #[doc(hidden)]
        pub trait $trait: Sized {
            /// The component of the tensor that lacks the bound.
            type $part;

            $(
                /// A method that other tensors have.
                #[allow(non_snake_case, clippy::wrong_self_convention)]
                fn $name<$($arg),*>($($this)+ $(, $arg: $arg)*) -> Self
                where
                    Self::$part: $bound,
                {
                    $(let _ = $arg;)*
                    unreachable!("a tensor with this bound has the method itself")
                }
            )*
        }
    };
}

refused! {
    /// The methods of tensors with a [`Rearrange`].
    RearrangedTensor: Layout is Rearrange {
        coalesce(self) [];
        flatten(self) [];
        group(self) [X Y];
        logical_divide(self) [T];
        try_logical_divide(self) [T];
        zipped_divide(self) [T];
        try_zipped_divide(self) [T];
        tiled_divide(self) [T];
        try_tiled_divide(self) [T];
        flat_divide(self) [T];
        try_flat_divide(self) [T];
        windows(&self) [T];
        slice(&self) [C];
        slice_mut(&mut self) [C];
        select(self) [K];
        mode(self) [K];
        partition(&self) [B T];
        partition_mut(&mut self) [B T];
        composition(self) [B];
        try_composition(self) [B];
    }
}

refused! {
    /// The methods of tensors with a [`StorageMut`].
    WrittenTensor: Storage is StorageMut {
        get_mut(&mut self) [C];
        view_mut(&mut self) [];
        for_each_mut(&mut self) [F];
        for_each_at_mut(&mut self) [F];
        for_each_indexed_mut(&mut self) [F];
        zip_mut(&mut self) [O F];
        assign(&mut self) [O];
        fill(&mut self) [V];
        tiles_mut(&mut self) [T];
        try_tiles_mut(&mut self) [T];
        blocks_mut(&mut self) [T];
        window_mut(&mut self) [C T];
    }
}

impl<S: Storage, L: Layout> RearrangedTensor for Tensor<S, L> {
    type Layout = L;
}

impl<S: Storage, L: Layout, E: Coordinate> RearrangedTensor for Tile<S, L, E> {
    type Layout = Window<L, E, ()>;
}

impl<S: Storage, L: Layout> WrittenTensor for Tensor<S, L> {
    type Storage = S;
}

//! Tensors: elements in a storage, addressed by the indices of a layout.
//!
//! A [`Tensor`] has a storage and a layout whose indices all lie in the storage. The constructor checks this once, and an access need not
//! check the index. An access checks the coordinate against the shape, so that `(0, 5)` of a 4x4 tensor is never another element.
//!
//! | to | call |
//! |---|---|
//! | borrow elements | [`Tensor::new`] of a slice, which makes a [`View`] or a [`ViewMut`] |
//! | own elements | [`Owned::from_array`], [`Stored`]; `Boxed::filled` and `Boxed::new` on the heap |
//! | reach one element | `t[c]`, [`Tensor::get`], [`Tensor::get_mut`] |
//! | visit all elements | [`Tensor::for_each`], [`Tensor::fold`], [`Tensor::for_each_run`]; [`Tensor::ordered`] in the order of coordinates |
//! | visit several tensors together | [`Tensor::zip`], [`Tensor::zip_mut`], [`Tensor::assign`], [`Tensor::broadcast`] |
//! | give elements other coordinates | [`Tensor::slice`], [`Tensor::select`], [`Tensor::zipped_divide`], [`Tensor::composition`] |
//! | cut a tensor for a kernel | [`Tensor::tiles`], full ones with constant extents; [`Tensor::masked`] with predicates, [`Tensor::vectors`] |
//! | cut a tensor for the loops around a kernel | [`Tensor::blocks`], [`Tensor::window`] |
//! | read neighbours | [`Tensor::stencil`], [`Tensor::neighbours`], [`Tensor::windows_of`] a [`Convolution`] |
//! | write parts at the same time | [`Tensor::injective`], then [`Tensor::tiles_mut`] or [`Tensor::blocks_mut`] |
//!
//! ```
//! use layout_core::{Int, Tensor, make_layout};
//! let (data, mut out) = ([1, 2, 3, 4, 5, 6], [0; 6]);
//! let rows = Tensor::new(&data, make_layout((2, 3), (3, Int::<1>)))?;
//! let mut columns = Tensor::new(&mut out, make_layout((2, 3), (Int::<1>, 2)))?.injective()?;
//! columns.assign(&rows); // the same coordinates, another order in memory
//! for mut tile in columns.tiles_mut((Int::<2>, Int::<2>)) {
//!     tile[(0, 0)] *= 10;
//! }
//! assert_eq!(out, [10, 4, 2, 5, 30, 6]);
//! # Ok::<(), layout_core::TensorError>(())
//! ```

// `tensor` and `storage` have the type; `owned`, `packed`, `raw` and `vectors` have other elements or memory. `tiles` (with `tile`,
// `tileable`, `policy` and `indexed`), `blocks`, `window`, `masked`, `neighbours` and `convolution` cut tensors, and `broadcast` repeats
// them. `walks` runs every walk; `iterate`, `ordered`, `runs` and `zip` have its methods, `companions` and `array` the tensors walked
// together. `algebra` (with `rearrange`) gives elements other coordinates. `certificate` has proofs, `cosize` lengths as types, and
// `refused` better messages of the compiler. A new way to cut or to walk tensors is a file here.
mod algebra;
mod array;
mod blocks;
mod broadcast;
mod certificate;
mod companions;
mod convolution;
mod cosize;
mod error;
mod indexed;
mod iterate;
mod masked;
mod neighbours;
mod ordered;
mod owned;
mod packed;
mod policy;
mod raw;
mod rearrange;
mod refused;
mod runs;
mod storage;
#[allow(clippy::module_inception)]
mod tensor;
mod tile;
mod tileable;
mod tiles;
mod vectors;
mod walks;
mod window;
mod zip;

pub use algebra::{LayoutTv, Sliced, ThreadValues, layout_tv};
pub use blocks::Blocks;
pub use broadcast::Broadcast;
pub use certificate::Injective;
pub use companions::CompanionTensors;
pub use convolution::{Convolution, TapOf, WindowsOf};
pub use cosize::{StaticCosize, ToTypenum};
pub use error::TensorError;
pub use indexed::Indexed;
pub use iterate::Iter;
pub use masked::{Masked, MaskedTiles};
pub use neighbours::{Boundary, Neighbours};
pub use ordered::InOrder;
#[cfg(feature = "alloc")]
pub use owned::Boxed;
pub use owned::{Owned, Stored};
pub use packed::Packed;
pub use policy::{FullTiles, ShiftedTiles};
pub use rearrange::Rearrange;
#[doc(hidden)]
pub use refused::{RearrangedTensor, WrittenTensor};
#[cfg(feature = "alloc")]
pub use storage::Heap;
pub use storage::{Borrow, IntoStorage, Shared, Storage, StorageMut, Unique};
pub use tensor::{Tensor, View, ViewMut};
pub use tile::Tile;
pub use tileable::Tileable;
pub use tiles::Tiles;
pub use vectors::{Align16, Align32, Align64, AlignedVector, Parts, PlainData};
pub use window::Window;

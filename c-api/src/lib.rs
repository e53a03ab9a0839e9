//! The C interface of crd2idx. `crd2idx.h` is generated from the signatures and the docstrings of this crate, and documents them.
//!
//! `status` has errors, `memory` everything that C hands over by pointers, `layout` the functions of layouts, and `text` all others. The
//! functions wrap the algebra and the command, and compute nothing themselves. `form` has the three forms of a coordinate.
//!
//! Rust programs use `crd2idx`. They can call these functions, too, for example in tests:
//!
//! ```
//! use crd2idx_c::{Status, crd2idx_layout_free, crd2idx_layout_index, crd2idx_layout_parse};
//! use std::mem::MaybeUninit;
//!
//! let (text, mut layout, mut index) = ("((2,4),(3,5)):((3,6),(1,24))", MaybeUninit::uninit(), MaybeUninit::uninit());
//! // SAFETY: the pointers are those of a text and of an array, and a call that succeeds writes its results.
//! unsafe {
//!     assert_eq!(crd2idx_layout_parse(text.as_ptr().cast(), text.len(), Some(&mut layout), None), Status::Ok);
//!     let layout = layout.assume_init();
//!     assert_eq!(crd2idx_layout_index(layout.as_deref(), [7, 12].as_ptr(), 2, Some(&mut index), None), Status::Ok);
//!     assert_eq!(index.assume_init(), 117);
//!     crd2idx_layout_free(layout);
//! }
//! ```

mod form;
mod layout;
mod memory;
mod status;
mod text;

pub use layout::*;
pub use memory::{OwnedText, crd2idx_text_free};
pub use status::{ErrorReport, Status};
pub use text::*;

/// The version of this interface. It rises if a function or a struct changes; new functions leave it as it is.
pub const CRD2IDX_ABI: u32 = 1;

/// Returns the version of the interface that the library has. A program compares it with `CRD2IDX_ABI` of its header.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_abi() -> u32 {
    CRD2IDX_ABI
}

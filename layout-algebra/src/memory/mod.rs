//! Accesses of a warp to memory: bank conflicts, sectors and lines of global memory, layouts that avoid conflicts, and tensor maps.
//!
//! Each lane of a warp requests one element, or a vector of consecutive elements. Shared memory has banks of words, and a bank serves one
//! word at a time. A group of lanes takes one *wavefront* for each distinct word of its most requested bank. All wavefronts but the first
//! of each group are *conflicts*. A word that many lanes request counts once. Wide accesses are served in groups, on NVIDIA's GPUs half
//! warps for 64 bits and quarter warps for 128. Each constant of [`Banks`] describes a memory and names the source. Global memory is read
//! in sectors of lines.

mod conflicts;
#[cfg(feature = "alloc")]
mod report;
mod search;
mod tensor_map;
#[cfg(all(test, feature = "alloc"))]
mod tests;

pub use crate::banks::{Access, Banks, Lanes, MAX_LANES, Served};
pub use conflicts::{bank_conflicts, try_bank_conflicts};
#[cfg(feature = "alloc")]
pub use report::{BankReport, Collision, Lines, LinesReport, Threads};
#[cfg(feature = "alloc")]
pub use search::{Answer, Arrangement, SwizzleSearch};
pub use search::{Found, swizzle_for};
pub use tensor_map::{TensorBox, TensorMap, TensorMapSwizzle, tensor_map};

//! Accesses of a warp to memory: bank conflicts of shared memory, sectors and lines of global memory, and the layouts that avoid conflicts.
//!
//! A warp asks for one element, or a vector of consecutive ones, a lane. Shared memory has banks of words, each of which serves one word at a time: a
//! group of lanes takes as many *wavefronts* as the most distinct words that fall into one bank, and what is above one is *conflicts*. A word asked for
//! by many lanes counts once. Wide accesses are served in groups: half warps of 64 bits, quarter warps of 128. Global memory is read by sectors of
//! lines. Sources: CUDA C++ Programming Guide, compute capability 5.x and later (32 banks of 32 bits, broadcast); groups as in Zhou et al., Linear
//! Layouts, arXiv 2505.23819.

mod conflicts;
#[cfg(feature = "alloc")]
mod report;
mod search;

pub use crate::banks::{Access, Banks, Lanes, MAX_LANES, Served};
pub use conflicts::{bank_conflicts, try_bank_conflicts};
#[cfg(feature = "alloc")]
pub use report::{BankReport, Collision, Lines, LinesReport, Threads};
#[cfg(feature = "alloc")]
pub use search::{Answer, Arrangement, Search};
pub use search::{Found, swizzle_for};

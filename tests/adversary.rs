//! Safe programs that try to break memory: excluded numbers, sizes that wrap around, closures that panic, tiles that are kept, threads.
//!
//! Each attempt must be refused, panic, or be right. All of it runs under Miri too (`scripts/miri adversary`). `checks/messages` has the
//! programs that must not compile. A new attempt goes into the file of what it abuses, and must be short under Miri.

#![forbid(unsafe_code)]

#[path = "adversary/closures.rs"]
mod closures;
#[path = "adversary/implementations.rs"]
mod implementations;
#[path = "adversary/naturals.rs"]
mod naturals;
#[path = "adversary/sizes.rs"]
mod sizes;
#[path = "adversary/subtensors.rs"]
mod subtensors;
#[path = "adversary/threads.rs"]
mod threads;
#[path = "adversary/transfers.rs"]
mod transfers;
#[path = "adversary/values.rs"]
mod values;

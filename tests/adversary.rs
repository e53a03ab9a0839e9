//! Safe programs that try to break memory: by numbers that types exclude, sizes that wrap around, closures that panic, tiles
//! that outlive each other, and threads.
//!
//! Each attempt must be refused, panic, or compute the right result. All of it runs under Miri too (`scripts/miri
//! adversary`); programs that must not compile are in `checks/messages`.

#![forbid(unsafe_code)]

#[path = "adversary/closures.rs"]
mod closures;
#[path = "adversary/implementations.rs"]
mod implementations;
#[path = "adversary/naturals.rs"]
mod naturals;
#[path = "adversary/parts.rs"]
mod parts;
#[path = "adversary/sizes.rs"]
mod sizes;
#[path = "adversary/threads.rs"]
mod threads;
#[path = "adversary/transfers.rs"]
mod transfers;
#[path = "adversary/values.rs"]
mod values;

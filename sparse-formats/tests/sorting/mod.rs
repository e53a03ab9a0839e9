//! Random numbers, and runs on several numbers of threads.

#[path = "../common/random.rs"]
pub mod random;
#[path = "../common/threads.rs"]
pub mod threads;

//! Random numbers, and runs on several numbers of threads.

#[path = "../common/random.rs"]
mod random;
#[path = "../common/threads.rs"]
mod threads;

pub use random::Rng;
pub use threads::on_threads;

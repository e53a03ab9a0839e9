//! `graph!`: the recorded graphs as functions, one file for each group of cases, and the code that users write around them.

#[macro_use]
mod answers;
mod derived;
mod features;
mod names;
mod seed;
mod stream_k;
mod sunder;
mod swizzles;
mod texts;
mod unit;
mod workgroups;

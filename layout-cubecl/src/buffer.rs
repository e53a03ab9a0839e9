//! Buffers of a launch whose length is proven.

use crate::{CubeError, Result};
use cubecl::prelude::*;

/// Refuses an alias: CubeCL takes any number as its length, and nothing says how long the aliased buffer is.
pub(crate) fn refuse_alias(buffer: &BufferArg) -> Result<()> {
    match buffer {
        BufferArg::Handle { .. } => Ok(()),
        BufferArg::Alias { input_pos, .. } => Err(CubeError::Alias { input: *input_pos }),
    }
}

/// Adds a buffer to the launch. Its length is a number of elements `E`.
///
/// Panics if the buffer has fewer bytes: its length was given for another type. CubeCL knows the size of a type only here.
pub(crate) fn register<E: CubePrimitive>(buffer: BufferArg, launcher: &mut KernelLauncher) -> <[E] as LaunchArg>::CompilationArg {
    let len = buffer.len() as u64;
    let size = launcher.with_scope(|scope| E::__expand_size(scope)) as u64;
    match &buffer {
        BufferArg::Handle { handle } => {
            let bytes = handle.handle.size_in_used();
            assert!(bytes / size >= len, "the buffer has {bytes} bytes, but {len} elements of the kernel need {size} bytes each");
        }
        BufferArg::Alias { .. } => unreachable!("constructors refuse aliases"),
    }
    <[E] as LaunchArg>::register(buffer, launcher)
}

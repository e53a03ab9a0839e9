//! Copies as a kernel for a device.

use crate::plan::{Copy, Loop, Message};
use alloc::vec::Vec;
use coordinate_graph::program::{CopyKernel, EmitError};

impl Message {
    /// The kernel of its copies, of elements of so many bytes: `emit` prints it in C, CUDA, HIP, OpenCL, WGSL or Rust.
    ///
    /// Offset 0 of both places is where `source` and `target` of the kernel point.
    ///
    /// ```
    /// use coordinate_graph::program::{Emit, Language};
    /// use relayout::{Plan, Side};
    /// let plan = Plan::new(&Side::parse("(300,200):(1,300)")?, &Side::parse("(300,200):(200,1)")?)?;
    /// let text = plan.messages()[0].kernel(4)?.emit(&Emit::new(Language::Cuda, "transpose"))?.device;
    /// assert!(text.contains("__global__ void transpose(const uint32_t *source, uint32_t *target) {"));
    /// assert!(text.contains("target[place.target_at] = source[place.source_at];"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Fails for elements that are not of 1, 2, 4, 8 or 16 bytes.
    pub fn kernel(&self, bytes: u32) -> Result<CopyKernel, EmitError> {
        let add = |kernel: CopyKernel, copy: &Copy| {
            let loops = copy.loops.iter().map(|Loop { count, source, target }| [*count, *source, *target]);
            let loops: Vec<[i64; 3]> = core::iter::once([copy.count, 1, 1]).chain(loops).collect();
            // A run of one element is no loop.
            let from = usize::from(copy.count == 1 && loops.len() > 1);
            kernel.copy(copy.source, copy.target, &loops[from..])
        };
        Ok(self.copies.iter().fold(CopyKernel::new(bytes)?, add))
    }
}

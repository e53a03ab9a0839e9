//! The device: compiles text to functions and measures times. The other modules launch their own kernels.

use crate::Result;
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use std::sync::Arc;

/// A CUDA device with the stream on which all work runs.
pub struct Gpu {
    context: Arc<CudaContext>,
    pub stream: Arc<CudaStream>,
}

impl Gpu {
    /// Opens the first device; `None` if there is no driver or no device. Fails if the device cannot be opened.
    pub fn open() -> Result<Option<Gpu>> {
        // SAFETY: the call only searches for the library.
        if !unsafe { cudarc::driver::sys::is_culib_present() } || CudaContext::device_count().unwrap_or(0) == 0 {
            return Ok(None);
        }
        let context = CudaContext::new(0)?;
        let stream = context.new_stream()?;
        Ok(Some(Gpu { context, stream }))
    }

    pub fn name(&self) -> Result<String> {
        Ok(self.context.name()?)
    }

    /// Compiles a CUDA text and returns its function `name`. Fails with the messages of the compiler, or if the text has no
    /// such function.
    pub fn function(&self, text: &str, name: &str) -> Result<CudaFunction> {
        let (major, minor) = self.context.compute_capability()?;
        let options = vec![format!("--gpu-architecture=compute_{major}{minor}"), "--std=c++17".to_string()];
        let ptx = compile_ptx_with_opts(text, CompileOptions { options, ..Default::default() }).map_err(|error| match error {
            CompileError::CompileError { log, .. } => format!("{}\n{text}", log.to_string_lossy()),
            error => error.to_string(),
        })?;
        Ok(self.context.load_module(ptx)?.load_function(name)?)
    }

    /// Returns the median time of one call of `work` on the device, in seconds. Fails if `work` does.
    pub fn seconds(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        work()?;
        let mut times = Vec::new();
        for _ in 0..21 {
            let event = || self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
            let begin = event()?;
            work()?;
            let end = event()?;
            times.push(f64::from(begin.elapsed_ms(&end)?) / 1e3);
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }

    /// Returns the bytes per second that a copy in the memory of the device reads and writes together. Fails if the device
    /// does.
    pub fn copy_rate(&self) -> Result<f64> {
        let bytes = 1usize << 30;
        let from = self.stream.alloc_zeros::<u8>(bytes)?;
        let mut to = self.stream.alloc_zeros::<u8>(bytes)?;
        let seconds = self.seconds(|| Ok(self.stream.memcpy_dtod(&from, &mut to)?))?;
        Ok(2.0 * bytes as f64 / seconds)
    }
}

/// Returns a grid of `x` by `y` blocks with `threads` threads each.
pub fn grid(x: u32, y: u32, threads: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (x, y, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

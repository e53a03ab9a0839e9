//! The WGSL of kernels: the index of a static layout has no more operations than the same index by hand.

mod support;

use cubecl::prelude::*;
use cubecl::{CubeKernel, define_kernel};
use layout_cubecl::KernelLayout;

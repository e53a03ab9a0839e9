//! The WGSL of kernels: the index of a static layout has no more operations than the same index by hand.

mod support;

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::wgpu::WgslCompiler;
use cubecl::{Compiler, CubeKernel, define_kernel};
use layout_core::{Int, make_layout};
use layout_cubecl::{CubeLayout, CubeThreads, CubeTiles};
use std::sync::Arc;
use support::{argument, buffer, client};

/// Reads at the index of a coordinate of two integers.
macro_rules! by_hand {
    ($($name:ident($i:ident, $j:ident) = $index:expr;)+) => {$(
        #[cube(launch, create_dummy_kernel)]
        fn $name(from: &[f32], to: &mut [f32]) {
            let $i = UNIT_POS_X;
            let $j = UNIT_POS_Y;
            to[UNIT_POS as usize] = from[($index) as usize];
        }
    )+};
}

by_hand! {
    row_major(i, j) = i * 33 + j;
    column_major(i, j) = i + j * 32;
    blocks(i, j) = (i % 4) * 2 + (i / 4) * 64 + (j % 2) + (j / 2) * 8;
    swizzled(i, j) = (i * 32 + j) ^ ((i * 32 + j) / 32 % 8 * 4);
    three(i, j) = (i % 3) + (i / 3) * 50 + j * 400;
}

#[cube(launch, create_dummy_kernel)]
fn by_layout(from: &[f32], to: &mut [f32], layout: CubeLayout<(u32, u32)>) {
    to[UNIT_POS as usize] = from[layout.at((UNIT_POS_X, UNIT_POS_Y))];
}

#[cube(launch, create_dummy_kernel)]
fn copy_tile(from: &CubeTiles<f32, (u32, u32)>, to: &mut CubeTiles<f32, (u32, u32)>, threads: &CubeThreads<(u32, u32)>) {
    let (source, target) = (from.tile((CUBE_POS_X, CUBE_POS_Y)), to.tile_mut((CUBE_POS_X, CUBE_POS_Y)));
    #[unroll]
    for value in 0..threads.values() {
        target.write(threads, value, source.read(threads, value, 0.0));
    }
}

/// Returns the WGSL of a kernel.
fn wgsl(kernel: &impl CubeKernel) -> String {
    let definition = define_kernel(kernel).unwrap();
    let options = Default::default();
    WgslCompiler.compile(definition, &options).unwrap().to_string()
}

/// Counts the operations on integers, and the tests.
fn operations(source: &str) -> usize {
    let body = source.split("@compute").nth(1).unwrap();
    [" + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " ^ ", "select(", "min(", " < ", "if "]
        .iter()
        .map(|sign| body.matches(sign).count())
        .sum()
}

/// The arguments of a kernel that reads one buffer and writes another.
fn buffers(client: &Client, len: usize) -> [BufferArg; 2] {
    [0, 1].map(|_| argument(&buffer(client, &vec![0.0_f32; len]), len))
}

macro_rules! of {
    ($client:ident, $kernel:ident, $dim:expr $(, $more:expr)*) => {
        wgsl(&$kernel::create_dummy_kernel(
            Arc::new($client.properties().clone()),
            Arc::new($client.target_properties().clone()),
            CubeCount::new_single(),
            $dim
            $(, $more)*
        ))
    };
}

#[test]
fn indices_have_no_more_operations_than_by_hand() {
    let Some(client) = client() else { return };
    let dim = CubeDim::new_2d(32, 8);
    let layout = |text: &str| {
        let [from, to] = buffers(&client, 1 << 14);
        let text = of!(client, by_layout, dim, from, to, CubeLayout::parse(text).unwrap());
        operations(&text)
    };
    macro_rules! hand {
        ($kernel:ident) => {{
            let [from, to] = buffers(&client, 1 << 14);
            let text = of!(client, $kernel, dim, from, to);
            operations(&text)
        }};
    }
    // The operations of the kernel without the index are in both counts.
    let counts = [
        ("row_major", layout("(32,33):(33,1)"), hand!(row_major)),
        ("column_major", layout("(32,8):(1,32)"), hand!(column_major)),
        ("blocks", layout("((4,8),(2,4)):((2,64),(1,8))"), hand!(blocks)),
        ("swizzled", layout("S<3,2,3> o 0 o (32,32):(32,1)"), hand!(swizzled)),
        ("three", layout("((3,11),8):((1,50),400)"), hand!(three)),
    ];
    for (name, ours, hand) in counts {
        assert!(ours <= hand, "{name}: {ours} operations, and {hand} by hand");
    }
    assert_eq!(counts.map(|(_, ours, hand)| (ours, hand)), [(2, 2), (2, 2), (8, 10), (5, 6), (5, 6)]);
}

#[test]
fn tiles_that_divide_have_no_test() {
    let Some(client) = client() else { return };
    let threads = CubeThreads::<(u32, u32)>::parse("(64,4):(1,64)", (16, 16)).unwrap();
    let source = |layout: &CubeLayout<(u32, u32)>| {
        let [from, to] = buffers(&client, 1 << 14).map(|buffer| CubeTiles::new(layout, &threads, buffer).unwrap());
        of!(client, copy_tile, threads.cube_dim(), from, to, threads.clone())
    };
    let tests = |source: &str| source.matches("if ").count() + source.matches("select(").count();
    let whole = source(&CubeLayout::parse("(64,64):(64,1)").unwrap());
    assert_eq!(tests(&whole), 0);
    let n = 60_usize;
    let partial = source(&CubeLayout::of(&make_layout((n, n), (64_usize, Int::<1>))).unwrap());
    assert!(tests(&partial) > 0);
}

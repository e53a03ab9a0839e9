//! Indices in kernels against the same layouts on the host.

mod support;

use cubecl::prelude::*;
use layout_core::number::Signed;
use layout_core::{Dyn, Int, LayoutAlgebra, TypedLayout, make_layout};
use layout_cubecl::{CubeError, CubeLayout};
use support::{argument, buffer, client, read};

#[cube(launch)]
fn indices(to: &mut [u32], layout: CubeLayout<(u32, u32)>) {
    let width = CUBE_DIM_X * CUBE_COUNT_X;
    let at = ABSOLUTE_POS_Y * width + ABSOLUTE_POS_X;
    to[at as usize] = layout.at((ABSOLUTE_POS_X, ABSOLUTE_POS_Y)) as u32;
}

/// Compares the indices of a layout of 32 x 16 on the device and on the host.
fn compare(layout: &CubeLayout<(u32, u32)>) {
    let Some(client) = client() else { return };
    let handle = buffer(&client, &[0_u32; 512]);
    indices::launch(&client, CubeCount::new_2d(4, 4), CubeDim::new_2d(8, 4), argument(&handle, 512), layout.clone());
    let got = read::<u32>(&client, handle);
    let wanted: Vec<u32> = (0..512).map(|k| layout.at((k % 32, k / 32)) as u32).collect();
    assert_eq!(got, wanted, "{layout}");
}

#[test]
fn static_layouts() {
    for text in [
        "(32,16):(1,32)",
        "(32,16):(17,1)",
        "((4,8),(2,8)):((1,16),(4,128))",
        "((4,8),(2,8)):((3,16),(5,130))",
        "S<3,2,3> o 0 o (32,16):(16,1)",
        "S<2,0,3> o 5 o (32,16):(1,40)",
        "(32,16):(0,3)",
        "logical_divide(512:1, 16)",
        "((2,2,2,4),(8,2)):((^8,^256,^128,^16),(^1,^2080))",
        "((3,5,3),(7,3)):((1,50,400),(3,21))",
        "(32,16):(-1,32)",
        "(32,16):(1,-32)",
        "((4,8),(2,8)):((-1,-16),(4,-128))",
    ] {
        compare(&CubeLayout::parse(text).unwrap());
    }
}

#[test]
fn run_time_leaves_are_scalars() {
    for (rows, pitch) in [(32, 16), (40, 100), (1000, 4096)] {
        compare(&CubeLayout::of(&make_layout((rows, Int::<16>), (pitch, Int::<1>))).unwrap());
        compare(&CubeLayout::of(&make_layout((Int::<32>, rows), (rows, 1_usize))).unwrap());
    }
    let tiles = make_layout((Dyn::<8>::new(64).unwrap(), Int::<64>), (Int::<1>, 100_usize)).zipped_divide((Int::<8>, Int::<4>));
    let layout = CubeLayout::<(u32, u32)>::of(&tiles).unwrap();
    assert_eq!(layout.to_string(), tiles.to_dyn::<16>().unwrap().to_string());
    compare(&layout);
}

#[test]
fn negative_strides_wrap_on_the_device_and_on_the_host() {
    for stride in [-1, -40, 17] {
        let layout = CubeLayout::<(u32, u32)>::of(&make_layout((Int::<32>, Int::<16>), (Signed(stride), Int::<1>))).unwrap();
        assert_eq!(layout.leaves(), [stride as i64]);
        assert_eq!(layout.at((2, 1)), (2 * stride + 1) as u32 as usize);
        compare(&layout);
    }
    assert_eq!(CubeLayout::<u32>::parse("8:-1").unwrap().at(1), u32::MAX as usize);
}

#[test]
fn refusals_have_numbers() {
    let wide = CubeLayout::<(u32, u32)>::of(&make_layout((1 << 20, 1 << 20), (1 << 20, 1_usize))).unwrap_err();
    assert_eq!(wide.to_string(), "(1048576,1048576):(1048576,1) needs the number 1099511627775, which does not fit 32 bits");
    assert!(matches!(wide, CubeError::Width { value: 1_099_511_627_775, .. }));
    let backward = CubeLayout::<u32>::parse("8:-1").unwrap();
    assert_eq!(backward.fits(8).unwrap_err().to_string(), "8:-1 has negative indices");
    let pair = CubeLayout::<u32, (u32, u32)>::parse("8:1").unwrap_err();
    assert_eq!(pair.to_string(), "8:1 gives 1 integers for a coordinate, but the kernel expects 2");
}

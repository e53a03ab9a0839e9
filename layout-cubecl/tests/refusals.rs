//! Arguments that would let a kernel leave its buffers. Each is an error of a constructor, or fails the launch.

mod support;

use cubecl::prelude::*;
use layout_core::{Int, make_layout};
use layout_cubecl::{CubeLayout, CubePages, CubeThreads, CubeTiles, PageBuffers};
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{argument, buffer, client, read};

type Matrix = CubeTiles<f32, (u32, u32)>;
type Layout = CubeLayout<(u32, u32)>;
type Threads = CubeThreads<(u32, u32)>;

fn threads() -> Threads {
    Threads::parse("(64,4):(1,64)", (16, 16)).unwrap()
}

/// Returns the message of a panic.
fn panic_of<T>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    panic.downcast_ref::<String>().expect("a message with numbers").clone()
}

#[test]
fn an_alias_has_no_proven_length() {
    let Some(client) = client() else { return };
    let layout = Layout::parse("(1024,1024):(1024,1)").unwrap();
    let error = Matrix::new(&layout, &threads(), BufferArg::alias(3, 1 << 20)).unwrap_err();
    assert_eq!(error.to_string(), "the buffer is an alias of input 3, whose length is not known; pass the buffer itself");
    let error = Matrix::with_extents(&layout, (8, 8), BufferArg::alias(0, 1 << 20)).unwrap_err();
    assert_eq!(error.class(), "cube/alias");
    let page = Layout::parse("(4,8):(8,1)").unwrap();
    for alias in 0..3 {
        let of = |k: usize, len| if k == alias { BufferArg::alias(0, len) } else { argument(&buffer(&client, &vec![0_u32; len]), len) };
        let buffers = PageBuffers { pool: of(0, 128), table: of(1, 6), lengths: of(2, 3) };
        assert_eq!(CubePages::<f32, _>::new(&page, 4, 2, buffers).unwrap_err().class(), "cube/alias", "buffer {alias}");
    }
}

#[test]
fn pages_have_static_layouts() {
    let (rows, pitch) = (4_usize, 8_usize);
    let strides = Layout::of(&make_layout((Int::<4>, Int::<8>), (pitch, Int::<1>))).unwrap();
    // The index does not need this extent, so the launch has no scalar for it.
    let extents = Layout::of(&make_layout((Int::<8>, rows), (Int::<4>, Int::<1>))).unwrap();
    assert!(extents.leaves().is_empty());
    for layout in [strides, extents] {
        let [pool, table, lengths] = [128, 6, 3].map(|len| BufferArg::alias(0, len));
        let error = CubePages::<f32, _>::new(&layout, 4, 2, PageBuffers { pool, table, lengths }).unwrap_err();
        assert_eq!(error.to_string(), format!("{layout} has run-time extents or strides, but the layout of a page is static"));
    }
}

#[cube(launch)]
fn fill_wide(to: &mut CubeTiles<f64, (u32, u32)>, threads: &Threads) {
    to.tile_mut((CUBE_POS_X, CUBE_POS_Y)).write(threads, 0_usize, 1.0);
}

#[cube(launch)]
fn first_wide(pages: &CubePages<f64, (u32, u32)>, to: &mut [u32]) {
    to[UNIT_POS as usize] = u32::cast_from(pages.read(UNIT_POS, (UNIT_POS, UNIT_POS), 0.0));
}

#[test]
fn a_buffer_of_smaller_elements_fails_the_launch() {
    let Some(client) = client() else { return };
    let handle = buffer(&client, &[0.0_f32; 256]);
    let tiles = CubeTiles::new(&Layout::parse("(16,16):(16,1)").unwrap(), &threads(), argument(&handle, 256)).unwrap();
    let message = panic_of(|| fill_wide::launch(&client, CubeCount::new_single(), threads().cube_dim(), tiles, threads()));
    assert_eq!(message, "the buffer has 1024 bytes, but 256 elements of the kernel need 8 bytes each");

    let page = Layout::parse("(4,8):(8,1)").unwrap();
    let of = |len: usize| argument(&buffer(&client, &vec![0_u32; len]), len);
    let pages = CubePages::new(&page, 4, 2, PageBuffers { pool: of(128), table: of(6), lengths: of(3) }).unwrap();
    let to = argument(&handle, 256);
    let message = panic_of(|| first_wide::launch(&client, CubeCount::new_single(), CubeDim::new_1d(1), pages, to));
    assert_eq!(message, "the buffer has 512 bytes, but 128 elements of the kernel need 8 bytes each");
}

#[cube(launch)]
fn stage(from: &Matrix, to: &mut Matrix, layout: &Layout, threads: &Threads, #[comptime] len: usize) {
    let mut shared = Shared::<[f32]>::new_slice(len);
    from.tile((CUBE_POS_X, CUBE_POS_Y)).load(threads, &mut shared, layout, 0.0);
    sync_cube();
    to.tile_mut((CUBE_POS_X, CUBE_POS_Y)).store(threads, &shared, layout);
}

#[cube(launch)]
fn stage_out(from: &Matrix, to: &mut Matrix, layout: &Layout, threads: &Threads, #[comptime] len: usize) {
    let mut shared = Shared::<[f32]>::new_slice(len);
    shared[0] = from.tile((CUBE_POS_X, CUBE_POS_Y)).read(threads, 0_usize, 0.0);
    sync_cube();
    to.tile_mut((CUBE_POS_X, CUBE_POS_Y)).store(threads, &shared, layout);
}

/// Copies a matrix by `len` elements of shared memory, and returns the error of the launch.
fn through_shared(client: &cubecl::client::Client, layout: &Layout, len: usize, load: bool) -> Option<String> {
    let elements: Vec<f32> = (0..256).map(|k| k as f32).collect();
    let handles = [buffer(client, &elements), buffer(client, &[0.0_f32; 256])];
    let rows = Layout::parse("(16,16):(16,1)").unwrap();
    let [from, to] = [0, 1].map(|k| Matrix::new(&rows, &threads(), argument(&handles[k], 256)).unwrap());
    let (count, dim) = (from.cube_count(), threads().cube_dim());
    match load {
        true => stage::launch(client, count, dim, from, to, layout.clone(), threads(), len),
        false => stage_out::launch(client, count, dim, from, to, layout.clone(), threads(), len),
    }
    match client.read_one(handles[1].clone()) {
        Ok(_) => {
            assert!(!load || read::<f32>(client, handles[1].clone()) == elements, "{layout}");
            None
        }
        Err(error) => Some(format!("{error:?}")),
    }
}

#[test]
fn shared_memory_has_every_index_of_the_tile() {
    let Some(client) = client() else { return };
    let rows = Layout::parse("(16,16):(16,1)").unwrap();
    let n = 16_usize;
    for load in [true, false] {
        assert_eq!(through_shared(&client, &rows, 256, load), None);
        let refused = |layout: &Layout, len, text: &str| {
            let error = through_shared(&client, layout, len, load).unwrap_or_else(|| panic!("{layout} in {len} elements is accepted"));
            assert!(error.contains(text), "{error}");
        };
        refused(&rows, 255, "the layout of shared memory needs 256 elements, but shared memory has 255");
        refused(&rows, 1, "shared memory has 1");
        let wide = Layout::parse("(16,32):(32,1)").unwrap();
        refused(&wide, 512, "the layout of shared memory has the extents (16,32), but the tile has (16,16)");
        refused(&Layout::parse("(16,16):(-16,1)").unwrap(), 256, "the layout has negative indices, so it has no room");
        let run_time = Layout::of(&make_layout((Int::<16>, Int::<16>), (n, Int::<1>))).unwrap();
        refused(&run_time, 256, "the room of a layout with run-time leaves is unknown while a kernel is expanded");
    }
}

#[cube(launch)]
fn write_value(to: &mut Matrix, threads: &Threads, value: u32) {
    to.tile_mut((CUBE_POS_X, CUBE_POS_Y)).write(threads, value as usize, 5.0);
}

#[test]
fn a_value_that_is_too_great_is_the_last_one() {
    let Some(client) = client() else { return };
    for (value, columns) in [(0, 0..4), (3, 12..16), (4, 12..16), (u32::MAX, 12..16)] {
        let handle = buffer(&client, &[0.0_f32; 256]);
        let tiles = Matrix::new(&Layout::parse("(16,16):(16,1)").unwrap(), &threads(), argument(&handle, 256)).unwrap();
        write_value::launch(&client, CubeCount::new_single(), threads().cube_dim(), tiles, threads(), value);
        let wanted: Vec<f32> = (0..256).map(|k| if columns.contains(&(k % 16)) { 5.0 } else { 0.0 }).collect();
        assert_eq!(read::<f32>(&client, handle), wanted, "value {value}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_errors_and_do_not_wrap() {
    let wide = CubeThreads::<(usize, usize)>::parse("(32,2):(1,32)", ((1 << 32) + 8, 8)).unwrap_err();
    assert_eq!(wide.to_string(), "a tile [4294967304, 8] needs the number 4294967304, which does not fit 32 bits");
    // 2^64 elements, which are 0 modulo 2^64, and 2^32 elements.
    for extents in [(1 << 22, 1 << 21, 1 << 21), (1 << 16, 1 << 16, 1)] {
        let error = CubeThreads::<(u32, u32, u32)>::parse("(32,2):(1,32)", extents).unwrap_err();
        assert_eq!(error.class(), "cube/width");
    }
    let error = Threads::parse("(2147483648,4):(0,0)", (16, 16)).unwrap_err();
    assert_eq!(error.class(), "cube/width");
    let layout = CubeLayout::<(usize, usize)>::parse("(16,16):(16,1)").unwrap();
    let error = CubeTiles::<f32, _>::with_extents(&layout, ((1 << 32) + 8, 8), BufferArg::alias(0, 256)).unwrap_err();
    assert_eq!(error.class(), "cube/width");
}

#[test]
fn a_mode_that_does_not_exist_is_a_panic() {
    let Some(client) = client() else { return };
    let handle = buffer(&client, &[0.0_f32; 256]);
    let tiles = Matrix::new(&Layout::parse("(16,16):(16,1)").unwrap(), &threads(), argument(&handle, 256)).unwrap();
    assert_eq!((tiles.count(1), tiles.extent(1)), (1, 16));
    let message = "mode 2 does not exist: the tiles have 2 modes";
    assert_eq!(panic_of(|| tiles.count(2)), message);
    assert_eq!(panic_of(|| tiles.extent(2)), message);
}

#[test]
fn an_overflow_of_the_host_is_no_index() {
    let layout = CubeLayout::<u32>::parse("2:4294967294").unwrap();
    assert_eq!(layout.at(1), 4_294_967_294);
    assert_eq!(panic_of(|| layout.at(u32::MAX)), "2:4294967294 at [4294967295] overflows 64 bits");
}

#[test]
fn indices_without_a_proof_are_undecided_and_not_negative() {
    let layout = Layout::parse("S<3,2,3> o 1 o (1024,1024):(1025,3)").unwrap();
    let error = layout.fits(1 << 30).unwrap_err();
    assert_eq!(error.class(), "cube/undecided", "{error}");
    // The offset makes the greatest index greater than the span.
    let moved = CubeLayout::<u32>::parse("S<2,0,2> o 16 o 8:1").unwrap();
    assert_eq!((moved.room(), moved.fits(23).unwrap_err().class()), (24, "cube/short"));
}

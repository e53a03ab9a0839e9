//! Transposition through shared memory, with layouts that the search of the choice of layouts returned.

mod support;

use cubecl::prelude::*;
use layout_choice::TileProgram;
use layout_core::{Dyn, Int, make_layout};
use layout_cubecl::{CubeLayout, CubeThreads, CubeTiles};
use support::{argument, buffer, client, read};

type Matrix = CubeTiles<f32, (u32, u32)>;

#[cube(launch)]
fn transpose(
    from: &Matrix,
    to: &mut Matrix,
    swizzled: &CubeLayout<(u32, u32)>,
    rows: &CubeThreads<(u32, u32)>,
    columns: &CubeThreads<(u32, u32)>,
) {
    let mut shared = Shared::<[f32]>::new_slice(swizzled.room());
    from.tile((CUBE_POS_X, CUBE_POS_Y)).load(rows, &mut shared, swizzled, 0.0);
    sync_cube();
    to.tile_mut((CUBE_POS_X, CUBE_POS_Y)).store(columns, &shared, swizzled);
}

/// Threads and the tile in shared memory for a tile of 32 x 32.
struct Chosen {
    swizzled: CubeLayout<(u32, u32)>,
    rows: CubeThreads<(u32, u32)>,
    columns: CubeThreads<(u32, u32)>,
}

fn chosen() -> Chosen {
    let program = "
        tile transpose
        threads 128
        global a f32 (32, 32)
        global b f32 (32, 32)
        shared s f32 (32, 32)
        registers x f32 (32, 32)
        registers y f32 (32, 32)
        x[i, j] <- a[i, j]
        s[i, j] <- x[i, j]
        y[i, j] <- s[i, j]
        b[j, i] <- y[i, j]
    ";
    let choice = TileProgram::parse(program).unwrap().choose().unwrap();
    let layout = |name| choice.layout(name).unwrap();
    Chosen {
        swizzled: CubeLayout::parse(&layout("s")).unwrap(),
        rows: CubeThreads::parse(&layout("x"), (32, 32)).unwrap(),
        columns: CubeThreads::parse(&layout("y"), (32, 32)).unwrap(),
    }
}

/// Transposes a matrix and compares it with a loop. `source` and `target` are layouts of the same shape.
fn check(chosen: &Chosen, m: usize, n: usize, source: &CubeLayout<(u32, u32)>, target: &CubeLayout<(u32, u32)>) {
    let Some(client) = client() else { return };
    let elements: Vec<f32> = (0..m * n).map(|k| k as f32).collect();
    let (from, to) = (buffer(&client, &elements), buffer(&client, &vec![-1.0_f32; m * n]));
    let tiles = CubeTiles::new(source, &chosen.rows, argument(&from, m * n)).unwrap();
    let written = CubeTiles::new(target, &chosen.columns, argument(&to, m * n)).unwrap();
    assert_eq!(tiles.grid(), [m.div_ceil(32) as u32, n.div_ceil(32) as u32]);
    let Chosen { swizzled, rows, columns } = chosen;
    let (count, dim) = (tiles.cube_count(), rows.cube_dim());
    transpose::launch(&client, count, dim, tiles, written, swizzled.clone(), rows.clone(), columns.clone());
    let got = read::<f32>(&client, to);
    for i in 0..m {
        for j in 0..n {
            assert_eq!(got[j * m + i], elements[i * n + j], "({i},{j}) of {m} x {n}");
        }
    }
}

#[test]
fn any_size() {
    let chosen = chosen();
    for (m, n) in [(32, 32), (64, 96), (33, 65), (1, 100), (100, 1), (31, 31), (129, 70)] {
        let source = CubeLayout::of(&make_layout((m, n), (n, Int::<1>))).unwrap();
        let target = CubeLayout::of(&make_layout((m, n), (Int::<1>, m))).unwrap();
        check(&chosen, m, n, &source, &target);
    }
}

#[test]
fn multiples_of_the_tile_by_type() {
    let chosen = chosen();
    for (m, n) in [(32_usize, 64_usize), (96, 32)] {
        let extent = |n| Dyn::<32, 4096>::new(n).unwrap();
        let source = CubeLayout::of(&make_layout((extent(m), extent(n)), (n, Int::<1>))).unwrap();
        let target = CubeLayout::of(&make_layout((extent(m), extent(n)), (Int::<1>, m))).unwrap();
        check(&chosen, m, n, &source, &target);
    }
}

#[test]
fn static_sizes() {
    let chosen = chosen();
    for (m, n) in [(32, 32), (64, 32), (40, 50)] {
        let source = CubeLayout::parse(&format!("({m},{n}):({n},1)")).unwrap();
        let target = CubeLayout::parse(&format!("({m},{n}):(1,{m})")).unwrap();
        check(&chosen, m, n, &source, &target);
    }
}

#[test]
fn a_buffer_that_is_too_short_is_refused() {
    let Some(client) = client() else { return };
    let chosen = chosen();
    let handle = buffer(&client, &[0.0_f32; 100]);
    let layout = CubeLayout::parse("(10,11):(11,1)").unwrap();
    let error = CubeTiles::<f32, _>::new(&layout, &chosen.rows, argument(&handle, 100)).unwrap_err();
    assert_eq!(error.to_string(), "(10,11):(11,1) needs 110 elements, but the buffer has 100");
}

#[test]
fn cubes_beyond_the_grid_repeat_the_last_tile() {
    let Some(client) = client() else { return };
    let Chosen { swizzled, rows, columns } = chosen();
    let (m, n) = (40_usize, 33_usize);
    let elements: Vec<f32> = (0..m * n).map(|k| k as f32).collect();
    let (from, to) = (buffer(&client, &elements), buffer(&client, &vec![-1.0_f32; m * n]));
    let source = CubeLayout::of(&make_layout((m, n), (n, Int::<1>))).unwrap();
    let target = CubeLayout::of(&make_layout((m, n), (Int::<1>, m))).unwrap();
    let tiles = CubeTiles::new(&source, &rows, argument(&from, m * n)).unwrap();
    let written = CubeTiles::new(&target, &columns, argument(&to, m * n)).unwrap();
    let dim = rows.cube_dim();
    transpose::launch(&client, CubeCount::Static(5, 4, 1), dim, tiles, written, swizzled, rows, columns);
    let got = read::<f32>(&client, to);
    assert!((0..m * n).all(|k| got[k] == elements[k % m * n + k / m]));
}

#[test]
fn a_cube_of_another_size_is_an_error_of_the_launch() {
    let Some(client) = client() else { return };
    let Chosen { swizzled, rows, columns } = chosen();
    let handles = [0, 1].map(|_| buffer(&client, &[0.0_f32; 1024]));
    let layout = CubeLayout::parse("(32,32):(32,1)").unwrap();
    let tiles = CubeTiles::new(&layout, &rows, argument(&handles[0], 1024)).unwrap();
    let written = CubeTiles::new(&layout, &columns, argument(&handles[1], 1024)).unwrap();
    transpose::launch(&client, CubeCount::Static(1, 1, 1), CubeDim::new_1d(64), tiles, written, swizzled, rows, columns);
    let error = client.read_one(handles[1].clone()).unwrap_err();
    let text = format!("{error:?}");
    assert!(text.contains("the cube has 64 units, but the threads of the tile are 128"), "{text}");
}

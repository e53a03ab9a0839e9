//! Measures the redistribution of a matrix of doubles between block-cyclic distributions, beside ScaLAPACK's
//! `pdgemr2d` and plain copies of the same amount of memory.
//!
//! `cargo bench --features scalapack` starts itself on 4 ranks. A time is the slowest rank's, the median of [`TURNS`]
//! rounds in which all methods alternate. The results of both methods are compared element by element.

use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use relayout::BlockCyclic;
use relayout_mpi::Exchange;
use std::ffi::{c_char, c_int};
use std::time::Instant;

const TURNS: usize = 9;

#[link(name = "scalapack-openmpi")]
unsafe extern "C" {
    fn Cblacs_get(context: c_int, what: c_int, value: *mut c_int);
    fn Cblacs_gridinit(context: *mut c_int, order: *const c_char, rows: c_int, columns: c_int);
    fn Cpdgemr2d(
        m: c_int,
        n: c_int,
        a: *const f64,
        ia: c_int,
        ja: c_int,
        da: *const c_int,
        b: *mut f64,
        ib: c_int,
        jb: c_int,
        db: *const c_int,
        all: c_int,
    );
}

/// Creates a BLACS context for a grid of processes, row by row.
fn context(grid: [i64; 2]) -> c_int {
    let mut context = 0;
    // SAFETY: all ranks of the world call this together, after MPI is initialised.
    unsafe {
        Cblacs_get(-1, 0, &mut context);
        Cblacs_gridinit(&mut context, c"R".as_ptr(), grid[0] as c_int, grid[1] as c_int);
    }
    context
}

fn main() {
    if std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
        let Ok(own) = std::env::current_exe() else { panic!("this program has no path") };
        let mut run = std::process::Command::new("mpirun");
        run.args(["--oversubscribe", "-n", "4"]).arg(own);
        run.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        assert!(run.status().is_ok_and(|status| status.success()), "mpirun failed");
        return;
    }
    let universe = mpi::initialize().expect("MPI is not yet initialised");
    let world = universe.world();
    let size = std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(4096);
    // Block and grid of the source, then block and grid of the target.
    let cases: [[[i64; 2]; 4]; 7] = [
        [[64, 64], [2, 2], [64, 64], [2, 2]],
        [[64, 64], [2, 2], [64, 64], [1, 4]],
        [[64, 64], [2, 2], [32, 32], [2, 2]],
        [[64, 64], [2, 2], [32, 48], [4, 1]],
        [[1024, 1024], [4, 1], [1024, 1024], [1, 4]],
        [[1, 1], [2, 2], [2048, 2048], [2, 2]],
        [[13, 7], [2, 2], [5, 11], [1, 4]],
    ];
    if world.rank() == 0 {
        println!("{size} x {size} doubles, {} ranks; ms, median of {TURNS}, the slowest rank's", world.size());
        println!("{:>34} {:>9} {:>9} {:>9} {:>9} {:>12}", "", "memcpy", "alltoall", "pdgemr2d", "plan", "times faster");
    }
    let mut product = 1.0_f64;
    for [block, grid, block_to, grid_to] in cases {
        let from = BlockCyclic { extent: [size, size], block, grid, first: [0, 0] };
        let to = BlockCyclic { block: block_to, grid: grid_to, ..from };
        let [copy, all, peer, own] = times(&world, &from, &to);
        product *= peer / own;
        if world.rank() == 0 {
            let name = format!("{block:?} on {grid:?} to {block_to:?} on {grid_to:?}");
            println!("{name:>34} {:>9.2} {:>9.2} {:>9.2} {:>9.2} {:>12.2}", copy * 1e3, all * 1e3, peer * 1e3, own * 1e3, peer / own);
        }
    }
    if world.rank() == 0 {
        println!("geometric mean: {:.2} times faster", product.powf(1.0 / cases.len() as f64));
    }
}

/// Measures the seconds of a copy of each rank's share, an exchange of the same amount, `pdgemr2d`, and the plan.
fn times(world: &SimpleCommunicator, from: &BlockCyclic, to: &BlockCyclic) -> [f64; 4] {
    let process = |matrix: &BlockCyclic| [i64::from(world.rank()) / matrix.grid[1], i64::from(world.rank()) % matrix.grid[1]];
    let local = |matrix: &BlockCyclic| matrix.local_extent(process(matrix));
    let (rows, rows_to) = (local(from), local(to));
    let source: Vec<f64> = (0..rows[0] * rows[1]).map(|k| (k * 4 + i64::from(world.rank())) as f64).collect();
    let mut theirs = vec![0.0; (rows_to[0] * rows_to[1]) as usize];
    let mut ours = theirs.clone();
    let mut copy = source.clone();
    let (a, b) = (from.descriptor(context(from.grid), rows[0]), to.descriptor(context(to.grid), rows_to[0]));
    let everyone = context([1, i64::from(world.size())]);
    let mut exchange = Exchange::<f64>::block_cyclic(world, from, to, [rows[0], rows_to[0]]).expect("an exchange");
    // The share is the same on all ranks, whatever each rank has.
    let ranks = i64::from(world.size());
    let share = (from.extent[0] * from.extent[1] / ranks / ranks * ranks) as usize;
    let (whole, mut exchanged) = (vec![1.0; share], vec![0.0; share]);
    let mut seconds = [(); 4].map(|()| Vec::with_capacity(TURNS));
    for turn in 0..=TURNS {
        let now = [
            timed(world, || copy.copy_from_slice(&source)),
            timed(world, || world.all_to_all_into(&whole, &mut exchanged)),
            // SAFETY: the descriptors describe the local matrices, and all ranks call this together.
            timed(world, || unsafe {
                Cpdgemr2d(
                    from.extent[0] as c_int,
                    from.extent[1] as c_int,
                    source.as_ptr(),
                    1,
                    1,
                    a.as_ptr(),
                    theirs.as_mut_ptr(),
                    1,
                    1,
                    b.as_ptr(),
                    everyone,
                );
            }),
            timed(world, || exchange.run(world, &[&source], &mut [&mut ours]).expect("storages fit")),
        ];
        if turn > 0 {
            seconds.iter_mut().zip(now).for_each(|(list, now)| list.push(now));
        }
    }
    assert_eq!(ours, theirs);
    seconds.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[TURNS / 2]
    })
}

/// Runs `work` on all ranks, and returns the seconds of the slowest rank.
fn timed(world: &SimpleCommunicator, work: impl FnOnce()) -> f64 {
    world.barrier();
    let start = Instant::now();
    work();
    let mut slowest = 0.0_f64;
    world.all_reduce_into(&start.elapsed().as_secs_f64(), &mut slowest, SystemOperation::max());
    slowest
}

//! Tests everything on 1, 2, 3, 4 and 6 ranks. The program starts itself under `mpirun`.

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use relayout::json::Request;
use relayout::{BlockCyclic, HaloBlocks, Place, Plan, Planner, Side, TransferEnd};
use relayout_mpi::{Distributed, Exchange, ExchangeError};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

fn main() {
    if std::env::var_os("OMPI_COMM_WORLD_SIZE").is_some() || std::env::var_os("PMI_SIZE").is_some() {
        return of_a_rank();
    }
    let Ok(own) = std::env::current_exe() else { panic!("this program has no path") };
    for ranks in [1, 2, 3, 4, 6] {
        let mut run = Command::new("mpirun");
        run.args(["--oversubscribe", "-n", &ranks.to_string()]).arg(&own);
        run.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        match run.status() {
            Ok(status) => assert!(status.success(), "{ranks} ranks: {status}"),
            Err(error) => panic!("mpirun does not start: {error}"),
        }
    }
}

fn of_a_rank() {
    let universe = mpi::initialize().expect("MPI is not yet initialised");
    let world = universe.world();
    let cases = shared_cases(&world);
    long_runs(&world);
    distributed(&world);
    halos(&world);
    scalapack(&world);
    refusals(&world);
    world.barrier();
    if world.rank() == 0 {
        println!("{} ranks: {cases} plans, and all else, as they should be", world.size());
    }
}

/// Returns the value of an element of the source.
fn value(place: &Place, offset: i64) -> i64 {
    place.numbers().iter().fold(offset, |sum, number| sum * 1009 + number + 17)
}

/// Runs a plan whose places are assigned to the ranks in turn. Returns the storage of each place of this rank; -1
/// marks elements that nothing was written to.
fn run(world: &SimpleCommunicator, plan: &Plan) -> BTreeMap<Place, Vec<i64>> {
    let places: BTreeSet<&Place> = plan.messages().iter().flat_map(|message| [&message.from, &message.to]).collect();
    let numbers: BTreeMap<&Place, i64> = places.into_iter().zip((0..i64::from(world.size())).cycle()).collect();
    let mut exchange = Exchange::<i64>::with_ranks(world, plan, |_, place| numbers[place]).expect("an exchange");
    let sources: Vec<Vec<i64>> =
        exchange.sources().iter().map(|slot| (0..slot.len as i64).map(|offset| value(&slot.place, offset)).collect()).collect();
    let mut targets: Vec<Vec<i64>> = exchange.targets().iter().map(|slot| vec![-1; slot.len]).collect();
    // Run it twice: an exchange must be reusable.
    for _ in 0..2 {
        let (source, mut target) =
            (sources.iter().map(Vec::as_slice).collect::<Vec<_>>(), targets.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>());
        exchange.run(world, &source, &mut target).expect("storages fit");
    }
    let (sent, counts) = (exchange.send_counts(), exchange.receive_counts());
    // The counts that other ranks send to this one must equal the counts that it receives.
    let mut announced = vec![0_usize; counts.len()];
    world.all_to_all_into(&sent[..], &mut announced[..]);
    assert_eq!(announced, counts);
    let received: usize = counts.iter().sum();
    assert_eq!(counts[world.rank() as usize], 0);
    assert!(received as i64 <= plan.elements());
    exchange.targets().iter().map(|slot| slot.place.clone()).zip(targets).collect()
}

/// Checks that every element of the target has the value of one of its sources, and that nothing else is written.
fn check(case: &str, extents: &[i64], from: &Side, to: &Side, targets: &BTreeMap<Place, Vec<i64>>) {
    let mut coordinate = vec![0; extents.len()];
    let mut written = 0;
    for _ in 0..extents.iter().product::<i64>() {
        let sources: Vec<i64> =
            from.spots(extents, &coordinate).expect("a source").iter().map(|(place, offset)| value(place, *offset)).collect();
        for (place, offset) in to.spots(extents, &coordinate).expect("a target") {
            let Some(storage) = targets.get(&place) else { continue };
            assert!(sources.contains(&storage[offset as usize]), "{case}: element {coordinate:?}");
            written += 1;
        }
        for (c, extent) in coordinate.iter_mut().zip(extents) {
            *c += 1;
            if *c < *extent {
                break;
            }
            *c = 0;
        }
    }
    assert_eq!(targets.values().flatten().filter(|value| **value != -1).count(), written, "{case}: padding is written");
}

fn shared_cases(world: &SimpleCommunicator) -> usize {
    let mut run_cases = 0;
    for file in [include_str!("../../tests/data/plan/cases.json"), include_str!("../../tests/data/plan/tp_vocab.json")] {
        let file: Value = serde_json::from_str(file).expect("JSON");
        for case in file["cases"].as_array().expect("cases") {
            if case["expect"]["elements"].as_i64().is_none_or(|elements| elements > 20_000) {
                continue;
            }
            let mut request = case["request"].clone();
            request.as_object_mut().expect("an object").remove("op");
            let Ok(request) = serde_json::from_value::<Request>(request) else { continue };
            let (Ok([from, to]), Ok(plan)) = (request.sides(), request.plan()) else { continue };
            let extents = request.planner().extents(&from, &to).expect("extents");
            check(&case["id"].to_string(), &extents, &from, &to, &run(world, &plan));
            run_cases += 1;
        }
    }
    assert!(run_cases > 100, "{run_cases} cases");
    run_cases
}

/// Runs that travel without packing: contiguous, strided, and beside short ones.
fn long_runs(world: &SimpleCommunicator) {
    let pairs = [
        ("(20000,4):(1@0,1@1)", "((10000,2),4):((1@0,1@1),10000@0)"),
        ("(10000,3,4):(1@0,10003@0,1@1)", "(10000,3,4):(1@0,1@1,10007@0)"),
        ("(9000,2,3,3):(1@0,19000@0,9100@0,1@1)", "(9000,2,3,3):(1@0,27000@0,1@1,9000@0)"),
        ("(40000):(-1@0)", "(20000,2):(1@0,1@1)"),
    ];
    for (from, to) in pairs {
        let (mut from, to) = (Side::parse(from).expect("a side"), Side::parse(to).expect("a side"));
        if from.spots(&[40000], &[39999]).is_ok_and(|spots| spots[0].1 < 0) {
            from = from.with_base(&[39999, 0]);
        }
        let plan = Planner::new();
        let plan = plan.plan(&from, &to).expect("a plan");
        let targets = run(world, &plan);
        for (source, target, copy) in plan.copies() {
            let Some(storage) = targets.get(target) else { continue };
            for (a, b) in copy.offsets() {
                assert!((0..copy.count).all(|k| storage[(b + k) as usize] == value(source, a + k)));
            }
        }
    }
}

fn distributed(world: &SimpleCommunicator) {
    let (ranks, me) = (i64::from(world.size()), world.rank());
    let extent = [31, 10];
    let whole: Vec<f32> = (0..310_u16).map(f32::from).collect();
    let rows = 31_i64.div_euclid(ranks) + 1;
    let by_row = Side::parse(&format!("(({rows},{ranks}),10):((10@0,1@1),1@0)")).expect("a side");
    let columns = 10_i64.div_euclid(ranks) + 1;
    let by_column = Side::parse(&format!("(31,({columns},{ranks})):(1@0,(31@0,1@1))")).expect("a side");
    let root = world.size() - 1;
    let tensor = Distributed::scatter(world, &extent, root, (me == root).then_some(&whole[..]), by_row).expect("scattered");
    if let Some(first) = tensor.local().first() {
        assert_eq!(*first, (i64::from(me) * rows) as f32);
    }
    let tensor = tensor.redistribute(&by_column).expect("redistributed");
    assert_eq!(tensor.gather(0).expect("gathered"), (me == 0).then_some(whole));
}

fn halos(world: &SimpleCommunicator) {
    let grid = match world.size() {
        4 => [2, 2],
        6 => [3, 2],
        ranks => [ranks, 1],
    }
    .map(i64::from);
    let me = i64::from(world.rank());
    for periodic in [false, true] {
        let blocks =
            HaloBlocks { below: vec![2, 1], above: vec![1, 0], periodic: vec![periodic, true], ..HaloBlocks::new(&[23, 17], &grid) };
        let local = blocks.local_extent(me).expect("blocks");
        let first = blocks.first(me).expect("blocks");
        // The linear coordinate of an element, if it exists.
        let element = |c: [i64; 2]| {
            let global = [0, 1].map(|k| first[k] + c[k] - blocks.below[k]);
            let row = if periodic { global[0].rem_euclid(23) } else { global[0] };
            (0..23).contains(&row).then_some(row + 23 * global[1].rem_euclid(17))
        };
        let own = |c: [i64; 2]| (0..2).all(|k| (blocks.below[k]..local[k] - blocks.above[k]).contains(&c[k]));
        let cells: Vec<[i64; 2]> = (0..local[1]).flat_map(|j| (0..local[0]).map(move |i| [i, j])).collect();
        let mut field: Vec<i32> = cells.iter().map(|c| if own(*c) { element(*c).expect("an own element") as i32 } else { -1 }).collect();
        let mut halo = Exchange::<i32>::halo(world, &blocks).expect("halos");
        halo.run_in_place(world, &mut [&mut field]).expect("halos");
        let expected: Vec<i32> = cells.iter().map(|c| element(*c).map_or(-1, |element| element as i32)).collect();
        assert_eq!(field, expected, "rank {me}");
    }
}

fn scalapack(world: &SimpleCommunicator) {
    let ranks = i64::from(world.size());
    let grid = if ranks % 2 == 0 { [2, ranks / 2] } else { [ranks, 1] };
    let from = BlockCyclic { extent: [67, 45], block: [5, 4], grid, first: [grid[0] - 1, 0] };
    let to = BlockCyclic { extent: [67, 45], block: [8, 3], grid: [grid[1], grid[0]], first: [0, grid[0] - 1] };
    let process = |matrix: &BlockCyclic| [i64::from(world.rank()) / matrix.grid[1], i64::from(world.rank()) % matrix.grid[1]];
    // The local matrix of this process, with `more` additional rows in memory.
    let local = |matrix: &BlockCyclic, more: i64| {
        let own = process(matrix);
        let [rows, columns] = matrix.local_extent(own);
        let mut data = vec![-1.0; ((rows + more) * columns) as usize];
        let global = |k: usize, local: i64| {
            let block = local / matrix.block[k] * matrix.grid[k] + (own[k] - matrix.first[k]).rem_euclid(matrix.grid[k]);
            block * matrix.block[k] + local % matrix.block[k]
        };
        for j in 0..columns {
            (0..rows).for_each(|i| data[(i + j * (rows + more)) as usize] = (global(0, i) + 67 * global(1, j)) as f64);
        }
        (data, rows + more)
    };
    let ((source, lld), (expected, leading)) = (local(&from, 0), local(&to, 2));
    let mut exchange = Exchange::<f64>::block_cyclic(world, &from, &to, [lld, leading]).expect("an exchange");
    let mut target = vec![-1.0; expected.len()];
    let (sources, targets) = (exchange.sources().len(), exchange.targets().len());
    exchange.run(world, &[&source[..]][..sources], &mut [&mut target[..]][..targets]).expect("storages fit");
    assert_eq!(target, expected);
}

fn refusals(world: &SimpleCommunicator) {
    let ranks = world.size();
    let side = Side::parse(&format!("(4,{ranks}):(1@0,1@1)")).expect("a side");
    let plan = Plan::new(&side, &side).expect("a plan");
    let mut exchange = Exchange::<u8>::new(world, &plan).expect("an exchange");
    // The storage of the last rank is too short, so no rank writes anything.
    let last = ranks - 1;
    let (source, mut target) = (vec![1; if world.rank() == last { 3 } else { 4 }], [0; 4]);
    let error = exchange.run(world, &[&source], &mut [&mut target]).expect_err("refused");
    if world.rank() == last {
        assert_eq!(error.to_string(), format!("the storage of place {last} has 3 elements, but needs 4"));
    } else {
        assert_eq!(error, ExchangeError::Elsewhere);
    }
    assert_eq!(target, [0; 4]);
    assert!(matches!(exchange.run(world, &[], &mut [&mut target]), Err(ExchangeError::Storages { given: 0, needed: 1 })));
    assert!(exchange.run_in_place(world, &mut [&mut target]).is_err());
    let beyond = Exchange::<u8>::with_ranks(world, &plan, |end, _| if end == TransferEnd::Source { 0 } else { 99 });
    assert!(matches!(beyond, Err(ExchangeError::Rank { rank: 99, .. })));
    let before = Plan::new(&Side::parse("4:-1").expect("a side"), &Side::parse("4:1").expect("a side")).expect("a plan");
    assert!(world.rank() != 0 || matches!(Exchange::<u8>::new(world, &before), Err(ExchangeError::Negative { offset: -3, .. })));
    let whole = Distributed::<u8, _>::scatter(world, &[5], 0, Some(&[1, 2]), side).map(|_| ());
    assert_eq!(whole.is_err_and(|error| matches!(error, ExchangeError::Root { len: 2, needed: 5 })), world.rank() == 0);
}

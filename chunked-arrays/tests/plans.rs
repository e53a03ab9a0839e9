//! Plans against enumerations, bounds, and the plans of Rechunker.

mod random;

use chunked_arrays::{Axis, Grid, RechunkError, RechunkPlan, RechunkPlanOptions};
use random::Random;

impl Random {
    fn axis(&mut self, extent: u64) -> Axis {
        if self.below(2) == 0 {
            return Axis::regular(extent, 1 + self.below(extent + 2));
        }
        self.listed(extent)
    }
}

/// Returns the bytes of whole source chunks that each box of a stage overlaps, and the largest box, one by one.
fn counted(plan: &RechunkPlan, source: &Grid, size: u64) -> (u64, u64) {
    let stage = &plan.stages()[0];
    let along = |axis: usize| {
        let (boxes, chunks) = (&stage.boxes.axes()[axis], &source.axes()[axis]);
        let covered = |number: u64| {
            let range = boxes.range(number);
            let overlaps = |chunk: &u64| chunks.range(*chunk).start < range.end && chunks.range(*chunk).end > range.start;
            (0..chunks.chunks()).filter(overlaps).map(|chunk| chunks.range(chunk).end - chunks.range(chunk).start).sum::<u64>()
        };
        (0..boxes.chunks()).map(covered).sum::<u64>()
    };
    let read = (0..source.axes().len()).map(along).product::<u64>() * size;
    let longest = (0..source.axes().len()).map(|axis| stage.boxes.axes()[axis].longest()).product::<u64>() * size;
    (read, longest)
}

#[test]
fn plans_hold_their_bound_and_count_their_bytes() {
    let mut random = Random(7);
    let (mut fitted, mut refused) = (0, 0);
    for _ in 0..1500 {
        let rank = random.below(6) as usize;
        let shape: Vec<u64> = (0..rank).map(|_| random.below(14)).collect();
        let grid = |random: &mut Random| Grid::new(shape.iter().map(|extent| random.axis(*extent)).collect()).expect("a grid");
        let (source, target) = (grid(&mut random), grid(&mut random));
        let size = 1 + random.below(8);
        let power = random.below(20);
        let memory_bytes = 1 + random.below(1 << power);
        let options = RechunkPlanOptions {
            memory_bytes,
            threads: 1 + random.below(4),
            partial_reads: random.below(3) == 0,
            partial_writes: random.below(3) == 0,
            request_bytes: random.below(2) * random.below(200),
            run_buffer: 64,
            ..RechunkPlanOptions::default()
        };
        let plan = match RechunkPlan::new(size, &source, &target, &options) {
            Ok(plan) => plan,
            Err(RechunkError::Memory { needed, bound, .. }) => {
                assert!(needed > bound, "{needed} {bound}");
                let enough = RechunkPlan::new(size, &source, &target, &RechunkPlanOptions { memory_bytes: needed, ..options.clone() });
                assert!(enough.is_ok(), "{source:?} {target:?} {options:?} {needed}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        fitted += 1;
        assert!(plan.peak_bytes() <= options.memory_bytes, "{plan}");
        assert!(plan.bytes() >= plan.lower_bound());
        let first = &plan.stages()[0];
        let (read, longest) = counted(&plan, &source, size);
        assert!(longest <= first.peak_bytes);
        assert_eq!(first.bytes_read, if first.whole_reads { read } else { plan.lower_bound() / 2 }, "{plan}");
        for stage in plan.stages() {
            assert_eq!(stage.bytes_written, plan.lower_bound() / 2);
            assert!(stage.threads >= 1 && stage.boxes.shape() == shape);
        }
    }
    assert!(fitted > 500 && refused > 100, "{fitted} {refused}");
}

#[test]
fn an_aligned_copy_and_an_ample_memory_need_the_lower_bound() {
    let grid = |chunk: &[u64]| Grid::regular(&[120, 120], chunk).expect("a grid");
    let options = RechunkPlanOptions { memory_bytes: 120 * 120 * 8 + 5 * 120 * 12 * 8, ..RechunkPlanOptions::default() };
    let plan = RechunkPlan::new(8, &grid(&[10, 120]), &grid(&[120, 12]), &options).expect("a plan");
    assert_eq!((plan.stages().len(), plan.bytes()), (1, plan.lower_bound()));
    // Boxes of two source chunks and three target chunks fit into a small memory.
    let small = RechunkPlanOptions { memory_bytes: 60 * 8 + 3 * 30 * 8, request_bytes: 0, ..RechunkPlanOptions::default() };
    let plan = RechunkPlan::new(8, &grid(&[30, 1]), &grid(&[20, 1]), &small).expect("a plan");
    assert_eq!((plan.stages().len(), plan.bytes()), (1, plan.lower_bound()));
}

#[test]
fn too_little_memory_names_the_numbers() {
    let grid = |chunk: &[u64]| Grid::regular(&[100, 100], chunk).expect("a grid");
    let options = RechunkPlanOptions { memory_bytes: 1000, ..RechunkPlanOptions::default() };
    let error = RechunkPlan::new(4, &grid(&[10, 100]), &grid(&[100, 10]), &options).expect_err("too little");
    assert_eq!(
        error.to_string(),
        "the memory bound of 1000 bytes is too small; 16000 bytes are needed, as a source chunk has 4000 bytes and a target chunk 4000"
    );
}

#[test]
fn invalid_grids_are_refused() {
    let message = |result: Result<Grid, RechunkError>| result.expect_err("invalid").to_string();
    assert_eq!(message(Grid::regular(&[4, 4], &[0, 1])), "axis 0: the chunk length is 0; it must be at least 1");
    assert_eq!(message(Grid::regular(&[4, 4], &[1])), "the chunk [1] has 1 axes, but the array has 2");
    assert_eq!(message(Grid::new(vec![Axis::rectilinear(vec![2, 0])])), "axis 0: chunk 1 has length 0; it must be at least 1");
    assert!(message(Grid::regular(&[u64::MAX, u64::MAX], &[1, 1])).contains("more than 2^63 elements"));
    let (a, b) = (Grid::regular(&[4], &[4]).expect("a grid"), Grid::regular(&[5], &[4]).expect("a grid"));
    let error = RechunkPlan::new(1, &a, &b, &RechunkPlanOptions::default()).expect_err("other shapes");
    assert_eq!(error.to_string(), "the source has the shape [4], but the target [5]");
}

/// The lines of `rechunker.tsv` are plans of Rechunker 0.5.4: the shape, both chunks, the bytes of an element, the memory for boxes, and
/// the bytes that its passes read and write. `tests/data/rechunker_plans.py` wrote them.
#[test]
fn no_plan_has_more_bytes_than_that_of_rechunker() {
    let mut lines = 0;
    for line in include_str!("data/rechunker.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<Vec<u64>> =
            line.split('\t').map(|field| field.split(',').map(|word| word.parse().expect("a number")).collect()).collect();
        let [shape, source, target, numbers] = &fields[..] else { panic!("{line}") };
        let [size, memory, theirs] = numbers[..] else { panic!("{line}") };
        let grid = |chunk: &[u64]| Grid::regular(shape, chunk).expect("a grid");
        // Rechunker's bound is that of a box, without buffers.
        let options = RechunkPlanOptions {
            memory_bytes: memory,
            request_bytes: 0,
            write_cost: 1,
            read_buffers: 0,
            write_buffers: 0,
            run_buffer: 0,
            ..RechunkPlanOptions::default()
        };
        let plan = RechunkPlan::new(size, &grid(source), &grid(target), &options).expect("a plan");
        assert!(plan.bytes() <= theirs, "{line}\n{plan}");
        lines += 1;
    }
    assert!(lines > 20, "{lines}");
}

#[test]
fn rows_become_columns_of_a_petabyte() {
    let shape = [1 << 24, 1 << 24];
    let grid = |chunk: &[u64]| Grid::regular(&shape, chunk).expect("a grid");
    let plan = RechunkPlan::new(4, &grid(&[64, 1 << 14]), &grid(&[1 << 14, 64]), &RechunkPlanOptions::default()).expect("a plan");
    assert!(plan.peak_bytes() <= 1 << 30, "{plan}");
    assert!(plan.bytes() <= 3 * plan.lower_bound(), "{plan}");
}

#[test]
fn lists_of_chunks_and_boxes_are_bounded() {
    let message = |size: u64, source: Grid, target: Grid, memory_bytes: u64, partial: bool| {
        let options = RechunkPlanOptions { memory_bytes, partial_reads: partial, partial_writes: partial, ..RechunkPlanOptions::default() };
        RechunkPlan::new(size, &source, &target, &options).expect_err("too many").to_string()
    };
    let grid = |extent: u64, chunk: u64| Grid::regular(&[extent], &[chunk]).expect("a grid");
    let many = message(1, grid(1 << 50, 1), grid(1 << 50, 1 << 50), 1 << 30, false);
    assert_eq!(many, "axis 0: the source has 1125899906842624 chunks; at most 1048576 along an axis are supported");
    assert!(message(1, grid(1 << 50, 1 << 50), grid(1 << 50, 7), 1 << 30, false).contains("the target has 160842843834661 chunks"));
    // Boxes of single elements.
    let boxes = message(1, grid(1 << 50, 1 << 50), grid(1 << 50, 1 << 50), 1 << 21, true);
    assert_eq!(boxes, "an axis would have more than 1048576 boxes of the 2097152 bytes of memory; use more");
    // A box has at most 2^20 chunks, however much memory there is.
    let tiny = |chunk: &[u64]| Grid::regular(&[1 << 14, 1 << 14], chunk).expect("a grid");
    let plan = RechunkPlan::new(1, &tiny(&[1, 1]), &tiny(&[1, 2]), &RechunkPlanOptions::default()).expect("a plan");
    assert!(plan.stages()[0].peak_bytes <= 1 << 22, "{plan}");
}

#[test]
fn lengths_of_boxes_to_try_do_not_overflow() {
    let grid = |chunk: u64| Grid::regular(&[1 << 50], &[chunk]).expect("a grid");
    let options = RechunkPlanOptions { memory_bytes: 1 << 55, ..RechunkPlanOptions::default() };
    let plan = RechunkPlan::new(1, &grid(1 << 50), &grid(7 << 40), &options).expect("a plan");
    assert_eq!(plan.bytes(), plan.lower_bound());
}

#[test]
fn compressed_chunks_are_read_again_before_a_temporary_file_is_written() {
    let grid = |chunk: &[u64]| Grid::regular(&[23_296, 23_296], chunk).expect("a grid");
    let options = RechunkPlanOptions { memory_bytes: 512 << 20, threads: 2, ..RechunkPlanOptions::default() };
    let plan = |options: &RechunkPlanOptions| RechunkPlan::new(4, &grid(&[32, 23_296]), &grid(&[23_296, 32]), options).expect("a plan");
    assert_eq!(plan(&options).stages().len(), 2);
    let stored_bytes = Some(23_296 * 23_296 * 4 * 6 / 10);
    assert_eq!(plan(&RechunkPlanOptions { stored_bytes, ..options }).stages().len(), 1);
}

#[test]
fn the_lists_of_shards_need_memory() {
    let grid = |chunk: &[u64]| Grid::regular(&[100, 100], chunk).expect("a grid");
    let options = RechunkPlanOptions { threads: 3, ..RechunkPlanOptions::default() };
    let peak =
        |options: &RechunkPlanOptions| RechunkPlan::new(4, &grid(&[10, 100]), &grid(&[100, 10]), options).expect("a plan").peak_bytes();
    assert_eq!(peak(&RechunkPlanOptions { shard_bytes: 5000, ..options.clone() }), peak(&options) + 3 * 5000);
}

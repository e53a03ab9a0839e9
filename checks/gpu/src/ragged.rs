//! Visits of a ragged array: measures kernels in which every leaf finds its row, and checks what they write.

use crate::Result;
use crate::gpu::{Gpu, grid};
use crd2idx::program::{Emit, Expr, Language, OffsetWord, RaggedLevel, RaggedLevels};
use cudarc::driver::PushKernelArg;

/// The numbers of consecutive leaves that a thread processes.
const TILES: [u32; 3] = [1, 4, 32];

/// Returns the offsets of rows with pseudo-random lengths: a third of the rows are empty, and the others have up to
/// `longest` leaves.
fn offsets(rows: usize, longest: u64) -> Vec<u32> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let lengths = (0..rows).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if state.is_multiple_of(3) { 0 } else { (state >> 8) % (longest + 1) }
    });
    std::iter::once(0).chain(lengths.scan(0u32, |end, length| (*end += length as u32, Some(*end)).1)).collect()
}

/// Returns a kernel in which each thread processes `tile` consecutive leaves and computes only rows and columns. Fails if
/// it cannot be emitted.
fn kernel(tile: u32) -> Result<String> {
    let [row, column] = ["c0", "c1"].map(Expr::param);
    let levels = RaggedLevels::new([RaggedLevel::Offsets(OffsetWord::U32)])?.tile(tile);
    Ok(levels.emit_visit(&Emit::new(Language::Cuda, "rows"), &row.plus(column))?.device)
}

/// Returns the texts of the kernels for all `TILES`. Fails if one cannot be emitted.
pub fn texts() -> Result<Vec<String>> {
    TILES.map(kernel).into_iter().collect()
}

/// Prints the number of leaves that are visited per second, and the memory traffic relative to a copy, which moves `copied`
/// bytes per second. Fails if a leaf has a wrong value.
pub fn measure(gpu: &Gpu, copied: f64) -> Result<()> {
    println!("{:<52} {:>10} {:>8}", "visit of a ragged array, row + column of every leaf", "10^9 / s", "of copy");
    for (rows, longest) in [(20_000_000usize, 10u64), (2_000_000, 100), (20_000, 10_000)] {
        let offsets = offsets(rows, longest);
        let leaves = offsets[rows];
        let given = gpu.stream.clone_htod(&offsets)?;
        for tile in TILES {
            let function = gpu.function(&kernel(tile)?, "rows_visit")?;
            let mut data = gpu.stream.clone_htod(&vec![u32::MAX; leaves as usize])?;
            let (count, begin) = (rows as u32, 0u32);
            let seconds = gpu.seconds(|| {
                let mut arguments = gpu.stream.launch_builder(&function);
                arguments.arg(&given).arg(&count).arg(&begin).arg(&leaves).arg(&mut data);
                // SAFETY: the kernel reads the offsets of `count` rows, and writes only leaves below the last offset.
                unsafe { arguments.launch(grid(132 * 16, 1, 256)) }?;
                Ok(())
            })?;
            let got = gpu.stream.clone_dtoh(&data)?;
            let mut all = offsets
                .windows(2)
                .enumerate()
                .flat_map(|(row, ends)| (0..ends[1] - ends[0]).map(move |column| row as u32 + column))
                .zip(&got);
            if all.any(|(value, got)| value != *got) {
                return Err(format!("{rows} rows, tiles of {tile}: a leaf has another row").into());
            }
            let bytes = 4.0 * (f64::from(leaves) + rows as f64);
            let name = format!("{rows} rows of up to {longest}, tiles of {tile}");
            println!("{name:<52} {:>10.1} {:>8.2}", f64::from(leaves) / seconds / 1e9, bytes / seconds / copied);
        }
    }
    Ok(())
}

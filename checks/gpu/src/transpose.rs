//! A transposition through tiles of shared memory with three kinds of layouts: plain, padded, and found by search.

use crate::Result;
use crate::gpu::{Gpu, grid};
use crd2idx::algebra::memory::{Access, Banks, SwizzleSearch};
use crd2idx::program::{Coordinates, Emit, Language, Program};
use cudarc::driver::PushKernelArg;

const THREADS: u32 = 256;

/// The form of the tiles: `extent` x `extent` floats. A thread moves `vector` floats at once.
struct Tile {
    extent: u32,
    vector: u32,
}

const TILES: [Tile; 2] = [Tile { extent: 32, vector: 1 }, Tile { extent: 64, vector: 4 }];

impl Tile {
    /// Returns the number of lanes that together hold one row.
    fn quads(&self) -> u32 {
        self.extent / self.vector
    }

    /// Returns the accesses of the lanes of all warps, which write in rows and then read in columns. The search keeps only
    /// those vectors whole that it gets, so it gets all rows.
    fn accesses(&self) -> Vec<(Vec<Option<Vec<i64>>>, Access)> {
        let (extent, vector, quads) = (self.extent as i64, self.vector as i64, self.quads() as i64);
        let lanes = || 0..extent * quads;
        let write = |lane: i64| (0..vector).map(|k| lane / quads + extent * (vector * (lane % quads) + k)).collect();
        let read = |lane: i64| vec![vector * (lane % quads) + extent * (lane / quads)];
        vec![
            (lanes().map(|lane| Some(write(lane))).collect(), Access::vector(32, self.vector)),
            (lanes().map(|lane| Some(read(lane))).collect(), Access::element(32)),
        ]
    }

    /// Returns the layout with the fewest bank conflicts that the search finds. Fails if no layout keeps the vectors whole.
    fn searched(&self) -> Result<String> {
        let search = SwizzleSearch { shape: vec![self.extent.into(); 2], banks: Banks::NVIDIA, accesses: self.accesses() };
        let answer = search.run().ok_or("no layout keeps the vectors")?;
        Ok(answer.arrangement.to_string())
    }

    /// Returns the layouts to compare as `(name, layout, whether it keeps vectors whole)`. Fails if the search finds none.
    fn tried(&self) -> Result<Vec<(&'static str, String, bool)>> {
        let (e, v) = (self.extent, self.vector);
        let mut tried = vec![("plain", format!("({e},{e}):({e},1)"), true), ("padded", format!("({e},{e}):({},1)", e + 1), v == 1)];
        if v > 1 {
            tried.push(("padded", format!("({e},{e}):({},1)", e + v), true));
        }
        tried.push(("searched", self.searched()?, true));
        Ok(tried)
    }

    /// Returns the kernel for a tile of `layout`, which moves vectors if `whole`, else single floats. Fails if the layout
    /// is refused.
    fn kernel(&self, layout: &str, whole: bool) -> Result<String> {
        let place = Program::parse_layout(layout, Coordinates::Modes)?;
        let (extent, vector, quads) = (self.extent, self.vector, self.quads());
        let all = (0..extent).flat_map(|row| (0..extent).map(move |column| [i64::from(row), i64::from(column)]));
        let last = all.map(|c| Ok(place.run(&c)?[0])).collect::<Result<Vec<i64>>>()?.into_iter().max().unwrap_or(0);
        let ty = if vector == 1 { "float".to_string() } else { format!("float{vector}") };
        let lane = |k: u32| if vector == 1 { "v".to_string() } else { format!("v.{}", ["x", "y", "z", "w"][k as usize]) };
        let store = if whole {
            format!("*({ty} *)(tile + place(row, {vector} * lane)) = v;")
        } else {
            (0..vector).map(|k| format!("tile[place(row, {vector} * lane + {k})] = {};", lane(k))).collect()
        };
        let load: String = (0..vector).map(|k| format!("{} = tile[place({vector} * lane + {k}, row)];", lane(k))).collect();
        Ok(format!(
            "{}
extern \"C\" __global__ void transpose(const float *from, float *to, unsigned n) {{
    __shared__ __align__(16) float tile[{}];
    const unsigned x = blockIdx.x * {extent}, y = blockIdx.y * {extent};
    const unsigned lane = threadIdx.x % {quads}, first = threadIdx.x / {quads};
#pragma unroll
    for (unsigned row = first; row < {extent}; row += {THREADS} / {quads}) {{
        const {ty} v = *(const {ty} *)(from + (size_t)(y + row) * n + x + {vector} * lane);
        {store}
    }}
    __syncthreads();
#pragma unroll
    for (unsigned row = first; row < {extent}; row += {THREADS} / {quads}) {{
        {ty} v;
        {load}
        *({ty} *)(to + (size_t)(x + row) * n + y + {vector} * lane) = v;
    }}
}}
",
            place.emit(&Emit::new(Language::Cuda, "place"))?.device,
            last + 1
        ))
    }
}

/// Returns the texts of the kernels for all tiles and layouts. Fails if a layout is refused.
pub fn texts() -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for tile in TILES {
        for (_, layout, whole) in tile.tried()? {
            texts.push(tile.kernel(&layout, whole)?);
        }
    }
    Ok(texts)
}

/// Prints the bytes per second of each kind of tile, also relative to a copy, which moves `copied` bytes per second. Fails
/// if an element is wrong.
pub fn measure(gpu: &Gpu, copied: f64) -> Result<()> {
    let n = 16384u32;
    let count = n as usize * n as usize;
    let numbers: Vec<f32> = (0..count).map(|k| (k % 16_777_213) as f32).collect();
    let from = gpu.stream.clone_htod(&numbers)?;
    println!("{:<52} {:>6} {:>8}", format!("transposition of {n} x {n} floats"), "GB/s", "of copy");
    for tile in TILES {
        let (e, v) = (tile.extent, tile.vector);
        for (kind, layout, whole) in tile.tried()? {
            let function = gpu.function(&tile.kernel(&layout, whole)?, "transpose")?;
            let mut to = gpu.stream.clone_htod(&vec![f32::NAN; count])?;
            let seconds = gpu.seconds(|| {
                let mut arguments = gpu.stream.launch_builder(&function);
                arguments.arg(&from).arg(&mut to).arg(&n);
                // SAFETY: the tiles of the grid cover exactly the two matrices.
                unsafe { arguments.launch(grid(n / e, n / e, THREADS)) }?;
                Ok(())
            })?;
            let got = gpu.stream.clone_dtoh(&to)?;
            let wrong =
                (0..count).step_by(37).chain(count - 100..count).find(|k| got[*k] != numbers[k % n as usize * n as usize + k / n as usize]);
            if let Some(k) = wrong {
                return Err(format!("{layout}: element {k} of the result is {}", got[k]).into());
            }
            let rate = 8.0 * count as f64 / seconds;
            println!("{:<52} {:>6.0} {:>8.2}", format!("{e} x {e}, {v} at once, {kind}: {layout}"), rate / 1e9, rate / copied);
        }
    }
    println!();
    Ok(())
}

//! Index functions of layouts: compares emitted kernels with the algebra, which computes digit by digit. A new case is a
//! line of `layouts.txt`.

use crate::Result;
use crate::gpu::{Gpu, grid};
use crd2idx::program::{Coordinates, Emit, Language, Program, Time};
use cudarc::driver::{DeviceRepr, PushKernelArg};

/// The layouts to test, one on a line.
const LAYOUTS: &str = include_str!("../../../tests/data/device/layouts.txt");

/// The maximum number of coordinates of a layout that are compared.
const POINTS: i64 = 1 << 16;

/// A launch structure with room for the structure of any tested program.
#[repr(C, align(8))]
struct Launch([u8; 1024]);

// SAFETY: the device reads only the bytes of its own structure.
unsafe impl DeviceRepr for Launch {}

/// A layout to test: its program, and a value for each input of the launch, in order.
struct Case {
    program: Program,
    /// The program without simplification, as the algebra computes it.
    plain: Program,
    launch: Vec<i64>,
}

impl Case {
    /// Makes the case of the layout `text`. Every input of the launch has a different value, which satisfies the promises.
    /// Fails if the layout is refused.
    fn new(text: &str) -> Result<Case> {
        let program = Program::parse_layout(text, Coordinates::Modes)?;
        let plain = Program::parse_layout_unsimplified(text, Coordinates::Modes)?;
        let of_launch = (0..program.inputs().len()).filter(|k| program.inputs()[*k].time == Time::Launch);
        let launch = of_launch.enumerate().map(|(at, k)| program.facts_of_input(k).div * (5 + 2 * at as i64)).collect();
        Ok(Case { program, plain, launch })
    }

    /// Returns the values of all inputs of `program`: launch inputs by name, and thread inputs in order from `coordinates`.
    fn inputs(&self, program: &Program, coordinates: &[i64]) -> Vec<i64> {
        let of_launch = self.program.inputs().iter().filter(|input| input.time == Time::Launch);
        let launch: Vec<_> = of_launch.map(|input| &input.name).zip(&self.launch).collect();
        let mut coordinates = coordinates.iter();
        let number = |name: &String| launch.iter().find(|(other, _)| *other == name).map_or(1, |(_, number)| **number);
        let inputs = program.inputs().iter();
        inputs
            .map(|input| if input.time == Time::Launch { number(&input.name) } else { coordinates.next().copied().unwrap_or(0) })
            .collect()
    }

    /// Returns the coordinates to compare, with all modes of one coordinate next to each other, and the index of each
    /// coordinate. Fails if an index overflows.
    fn points(&self) -> Result<(Vec<i64>, Vec<i64>)> {
        let thread = (0..self.program.inputs().len()).filter(|k| self.program.inputs()[*k].time == Time::Thread);
        // A coordinate whose bound is known only at launch gets the extent 37.
        let extent = |k| self.program.facts_of_input(k).hi.saturating_add(1);
        let extents: Vec<i64> = thread.map(|k| if extent(k) > 4096 { 37 } else { extent(k) }).collect();
        let size = extents.iter().product::<i64>().min(POINTS);
        let (mut coordinates, mut indices) = (Vec::new(), Vec::new());
        for k in 0..size {
            let mut rest = k;
            let at: Vec<i64> = extents.iter().map(|extent| (rest % extent, rest /= extent).0).collect();
            indices.extend(self.plain.run(&self.inputs(&self.plain, &at))?);
            coordinates.extend(at);
        }
        Ok((coordinates, indices))
    }

    /// Returns the emitted text, followed by a kernel that writes the index of every coordinate. Fails if the text cannot
    /// be emitted.
    fn kernel(&self, emit: &Emit) -> Result<String> {
        let source = self.program.emit(emit)?;
        let modes = self.program.inputs().iter().filter(|input| input.time == Time::Thread).count();
        let mut arguments: Vec<String> = (0..modes).map(|k| format!("c[at * {modes} + {k}]")).collect();
        let mut parameter = String::new();
        if source.host.is_some() {
            parameter = ", const place_launch launch".to_string();
            arguments.push("launch".to_string());
        } else {
            // Without a launch structure, launch inputs are ordinary parameters, in the order of the program.
            let mut thread = arguments.into_iter();
            let mut launch = self.launch.iter();
            let argument = |time| if time == Time::Thread { thread.next() } else { launch.next().map(i64::to_string) };
            arguments = self.program.inputs().iter().map(|input| input.time).filter_map(argument).collect();
        }
        Ok(format!(
            "{}
extern \"C\" __global__ void check(unsigned count, const long long *c, long long *index{parameter}) {{
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x)
        index[at] = place({});
}}
",
            source.device,
            arguments.join(", ")
        ))
    }
}

/// Returns a message about the first coordinate whose index on the device differs; `None` if all are equal. Fails if the
/// device does.
fn wrong(gpu: &Gpu, case: &Case, emit: &Emit) -> Result<Option<String>> {
    let (coordinates, indices) = case.points()?;
    let function = gpu.function(&case.kernel(emit)?, "check")?;
    let given = gpu.stream.clone_htod(&coordinates)?;
    let mut got = gpu.stream.clone_htod(&vec![i64::MIN; indices.len()])?;
    let mut launch = Launch([0; 1024]);
    if let Some(bytes) = case.program.launch(emit, &case.launch)? {
        launch.0[..bytes.len()].copy_from_slice(&bytes);
    }
    let count = indices.len() as u32;
    let mut arguments = gpu.stream.launch_builder(&function);
    arguments.arg(&count).arg(&given).arg(&mut got).arg(&launch);
    // SAFETY: the kernel reads and writes the `count` elements of the two arrays.
    unsafe { arguments.launch(grid(64, 1, 256)) }?;
    let got = gpu.stream.clone_dtoh(&got)?;
    let first = got.iter().zip(&indices).position(|(got, index)| got != index);
    Ok(first.map(|k| format!("coordinate {k} has index {}, on the device {}", indices[k], got[k])))
}

/// Iterates over the layouts, each with and without magic numbers.
fn cases() -> impl Iterator<Item = (&'static str, Emit)> {
    let emit = |fast| Emit::new(Language::Cuda, "place").fast_division(fast);
    LAYOUTS.lines().flat_map(move |text| [true, false].map(|fast| (text, emit(fast))))
}

/// Returns the texts of the kernels of all layouts. Fails if a layout is refused.
pub fn texts() -> Result<Vec<String>> {
    cases().map(|(text, emit)| Case::new(text)?.kernel(&emit)).collect()
}

/// Compares every layout on the device. Prints the differences and the number of correct layouts, and returns true if all
/// are correct. A layout that fails counts as wrong.
pub fn check(gpu: &Gpu) -> Result<bool> {
    let (mut right, mut all) = (0, 0);
    for (text, emit) in cases() {
        all += 1;
        match Case::new(text).and_then(|case| wrong(gpu, &case, &emit)) {
            Ok(None) => right += 1,
            Ok(Some(why)) => println!("{text}: {why}"),
            Err(why) => println!("{text}: {why}"),
        }
    }
    println!("emitted index functions: {right} of {all} right, with and without magic numbers\n");
    Ok(right == all)
}

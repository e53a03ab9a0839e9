//! The programs of the package, and cases of layout inference that other compilers publish.

use crate::count::{Table, global, unravel};
use layout_algebra::DynLayout;
use layout_choice::{TileChoice, TileProgram};

fn chosen(text: &str) -> TileChoice {
    TileProgram::parse(text).and_then(|program| program.choose()).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Counts what a transfer between a tensor in registers and one in global memory costs in segments of 128 bytes, with these modes of the latter.
fn counted(choice: &TileChoice, registers: &str, memory: &str, extents: &[i64], modes: &[usize], store: bool, bytes: i64) -> (u64, u64) {
    let table = Table::of(&choice.layout(registers).unwrap());
    let layout = DynLayout::<16>::parse(&choice.layout(memory).unwrap()).unwrap();
    let address = |c: i64| {
        let at = unravel(c, extents);
        layout.index(&modes.iter().map(|mode| at[*mode] as usize).collect::<Vec<_>>()).unwrap() as i64
    };
    global(&table, address, (bytes, 16), store, 32, 128)
}

#[test]
fn tiles_of_products_have_no_conflicts_and_load_by_matrices() {
    let choice = chosen(include_str!("../../programs/gemm.tile"));
    assert_eq!(
        [choice.layout("sa"), choice.layout("sb")],
        [Some("S<2,3,3> o 0 o (128,32):(32,1)".into()), Some("S<2,3,3> o 0 o (128,32):(32,1)".into())]
    );
    // Two of the four warps share each row of A, and two each row of B. So each element is read twice: 2 * 8192 bytes in wavefronts of 128.
    let of = |line: usize| &choice.statements().iter().find(|statement| statement.line == line).unwrap().moves;
    assert_eq!(of(13)[0].instruction, "ldmatrix.x4");
    assert_eq!((of(13)[0].count, of(14)[0].count), (128, 128));
    assert!(choice.is_optimal());
    // A warp of m16n8k16 holds A as the instruction does.
    assert!(choice.layout("a").unwrap().starts_with("((4,8,2,2),(2,2,"));
    assert_eq!(choice.cost().global, choice.least().global);
}

#[test]
fn the_result_of_a_product_is_an_operand_of_the_next() {
    let choice = chosen(include_str!("../../programs/attention.tile"));
    assert_eq!(choice.layout("s"), choice.layout("p"));
    let texts: Vec<String> = choice.statements().iter().flat_map(|statement| &statement.moves).map(|of| of.instruction.clone()).collect();
    assert!(texts.contains(&"ldmatrix.x4.trans".to_string()));
    // Without the cast to the distribution of the second product, an operand of other extents is refused.
    let text = include_str!("../../programs/attention.tile").replace("by m16n8k16.f16\ngo", "by m16n8k8.f16\ngo");
    assert!(TileProgram::parse(&text).unwrap().choose().is_ok());
}

#[test]
fn a_conversion_makes_stores_of_whole_vectors() {
    let choice = chosen(include_str!("../../programs/epilogue.tile"));
    let last = choice.statements().last().unwrap();
    assert_eq!(last.moves[0].instruction, "store of 16 bytes");
    let convert = &choice.statements()[choice.statements().len() - 2];
    // Four lanes exchange two bits of words of two halves, so that three of four words move. Shared memory has 128 wavefronts for it.
    assert_eq!(convert.moves[0].to_string(), "12 x shuffle with 64 selections in each of 4 warps: 48 shuffles, least 48");
}

#[test]
fn what_is_stated_stays() {
    let text = include_str!("../../programs/transpose.tile");
    let free = chosen(text);
    let fixed = chosen(&text.replace("shared s f16 (64, 64)", "shared s f16 (64, 64):(72, 1)"));
    assert_eq!(fixed.layout("s").unwrap(), "(64,64):(72,1)");
    assert!(fixed.cost() >= free.cost() && fixed.cost().global == free.cost().global);
    let swizzled = chosen(&text.replace("shared s f16 (64, 64)", "shared s f16 S<3,3,3> o 0 o (64,64):(64,1)"));
    assert_eq!(swizzled.layout("s").unwrap(), "S<3,3,3> o 0 o (64,64):(64,1)");
    assert!(swizzled.cost() >= free.cost() && swizzled.cuda().unwrap().contains("__shared__ __half s[4096]"));
    let layout = free.layout("x").unwrap();
    let again = chosen(&text.replace("registers x f16 (64, 64)", &format!("registers x f16 (64, 64) = {layout}")));
    assert_eq!((again.layout("x"), again.cost()), (Some(layout), free.cost()));
}

#[test]
fn reductions_leave_copies_in_all_lanes_of_a_row() {
    let choice = chosen(include_str!("../../programs/softmax.tile"));
    let (x, m) = (Table::of(&choice.layout("x").unwrap()), Table::of(&choice.layout("m").unwrap()));
    for (of, rows) in x.coordinates.iter().zip(&m.coordinates) {
        let mut own: Vec<i64> = of.iter().map(|c| c % 64).collect();
        own.sort_unstable();
        own.dedup();
        assert_eq!(&own, rows);
    }
}

/// Copies through registers that TileLang infers (maint/layout_inference, revision a35008a42), with the time of its own choice by its model:
/// for each transfer the bytes of segments of 128 bytes, or 16 bytes for each instruction of each thread, if these are more.
#[test]
fn never_slower_than_the_choices_of_tilelang() {
    // The extents, the bytes of elements of A and B, the threads, the modes of B, and the distribution that TileLang chooses.
    type Case = (&'static str, [i64; 2], [i64; 2], i64, [usize; 2], &'static str);
    let cases: [Case; 12] = [
        ("elementwise f16", [128, 128], [2, 2], 128, [0, 1], "((16,8),(8,16)):((1024,1),(128,8))"),
        ("elementwise f32", [64, 256], [4, 4], 256, [0, 1], "((64,4),(4,16)):((256,1),(64,4))"),
        ("fp8 128x256", [128, 256], [1, 1], 128, [0, 1], "((16,8),(16,16)):((2048,1),(128,8))"),
        ("fp8 64x128", [64, 128], [1, 1], 64, [0, 1], "((8,8),(16,8)):((1024,1),(64,8))"),
        ("chain 128x128", [128, 128], [2, 4], 128, [0, 1], "((32,4),(4,32)):((512,1),(128,4))"),
        ("chain 64x512", [64, 512], [2, 4], 256, [0, 1], "((128,2),(4,32)):((256,1),(64,2))"),
        ("chain 128x128 by registers", [128, 128], [2, 4], 128, [0, 1], "((16,8),(8,16)):((1024,1),(128,8))"),
        ("transposed f32", [128, 128], [4, 4], 128, [1, 0], "(128,128):(128,1)"),
        ("transposed f32 by registers", [128, 128], [4, 4], 128, [1, 0], "((32,4),(4,32)):((512,1),(128,4))"),
        ("transposed f16", [64, 256], [2, 2], 128, [1, 0], "((32,4),(8,16)):((512,1),(64,4))"),
        ("staged f16", [64, 64], [2, 2], 128, [0, 1], "((8,16),(8,4)):((512,1),(64,16))"),
        ("softmax 128x256", [128, 256], [4, 4], 256, [0, 1], "((64,4),(4,32)):((512,1),(128,4))"),
    ];
    for (name, extents, bytes, threads, modes, theirs) in cases {
        let element = |bytes: i64| ["", "u8", "u16", "", "u32"][bytes as usize];
        let [m, n] = extents;
        let [p, q] = modes.map(|mode| extents[mode]);
        let target = if modes == [0, 1] { "b[i, j]" } else { "b[j, i]" };
        let text = format!(
            "tile t\nthreads {threads}\nsector 128\nglobal a {a} ({m}, {n})\nglobal b {b} ({p}, {q})\nregisters x {a} ({m}, {n})\nregisters y {b} ({m}, {n})\n\
             x[i, j] <- a[i, j]\ny[i, j] <- x[i, j]\n{target} <- y[i, j]",
            a = element(bytes[0]),
            b = element(bytes[1])
        );
        let ours = chosen(&text);
        let counted_time = |choice: &TileChoice| {
            counted(choice, "x", "a", &extents, &[0, 1], false, bytes[0]).0 + counted(choice, "y", "b", &extents, &modes, true, bytes[1]).0
        };
        assert_eq!(ours.cost().global, counted_time(&ours), "{name}: {ours}");
        let registers = |name: &str| format!("registers {name} {}", element(bytes[usize::from(name == "y")]));
        let stated = text.replace(&format!("{} ({m}, {n})", registers("x")), &format!("{} ({m}, {n}) = {theirs}", registers("x")));
        let theirs = chosen(&stated);
        assert_eq!(theirs.cost().global, counted_time(&theirs), "{name}: {theirs}");
        assert!(ours.cost().global <= theirs.cost().global, "{name}: {} and {}", ours.cost().global, theirs.cost().global);
        assert!(ours.is_optimal());
    }
}

/// The broadcast of issue 1729 of TileLang: a few numbers read by all threads of a long loop.
#[test]
fn broadcasts_do_not_collapse_threads() {
    let text =
        "tile t\nthreads 128\nsector 128\nglobal s f32 (4)\nglobal o f32 (4, 1024)\nregisters f f32 (4)\nf[i] <- s[i]\no[i, j] <- f[i]";
    let choice = chosen(text);
    // 8 stores of 16 bytes, and at most 4 loads.
    let store = &choice.statements()[1].moves[0];
    assert_eq!((store.instruction.as_str(), store.instructions), ("store of 16 bytes", 8 * 4));
    // TileLang's choice: each thread holds all 4 numbers.
    assert!(choice.cost().global <= 8 * 128 * 16 + 128 * 16);
}

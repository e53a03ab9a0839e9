//! Tiles in shared memory: wavefronts, beside all orders and swizzles and beside the operands that Triton's tests have.

use layout_algebra::memory::{Access, Banks, Threads};
use layout_algebra::{error::Op, expression::Operand, expression::Parser, value::ExprGraph};
use layout_choice::TileProgram;

/// Counts the wavefronts of vectors of `vector` elements in a layout, by its text and that of a distribution.
fn wavefronts(layout: &str, distribution: &str, bits: u32, vector: u32) -> Option<u64> {
    let mut scope = ExprGraph::<0>::new(Op::Parse);
    let layout: Operand<32> = Parser::whole(layout, &mut scope).unwrap();
    let Operand::Layout(threads) = Parser::whole(distribution, &mut scope).unwrap() else { panic!() };
    let report = Threads::through(&layout, &threads).unwrap().banks(Access::vector(bits, vector), Banks::NVIDIA).ok()?;
    Some(report.wavefronts())
}

#[test]
fn transpositions_of_floats_reach_the_bound() {
    for (m, n, threads) in [(32, 32, 32), (32, 32, 128), (64, 32, 64), (16, 64, 32), (64, 64, 256)] {
        let text = format!(
            "tile t\nthreads {threads}\nglobal a f32 ({m}, {n})\nglobal b f32 ({n}, {m})\nshared s f32 ({m}, {n})\nregisters x f32 ({m}, {n})\n\
             registers y f32 ({m}, {n})\nx[i, j] <- a[i, j]\ns[i, j] <- x[i, j]\ny[i, j] <- s[i, j]\nb[j, i] <- y[i, j]"
        );
        let choice = TileProgram::parse(&text).unwrap().choose().unwrap();
        assert!(choice.is_optimal(), "{choice}");
        assert_eq!((choice.cost().global, choice.cost().shared), (choice.least().global, choice.least().shared), "{choice}");
        // The texts alone say the same: each access is by elements, or by vectors of the values in order.
        for (tensor, statement) in [("x", 1), ("y", 2)] {
            let of = &choice.statements()[statement].moves[0];
            let vector = of.instruction.split(' ').nth(2).unwrap().parse::<u32>().unwrap() / 4;
            let counted = wavefronts(&choice.layout("s").unwrap(), &choice.layout(tensor).unwrap(), 32, vector);
            assert!(counted.is_none_or(|counted| counted == of.count), "{choice}\n{counted:?}");
        }
    }
}

/// The shapes of Triton's tests of operands of `mma` (unittest/Dialect/TritonGPU/SwizzleTest.cpp): rows that are stored and loaded as operand
/// A, or as B from its rows of K. Its swizzles have no conflicts, so neither may a choice.
#[test]
fn operands_have_no_conflicts_at_the_shapes_of_triton() {
    let shapes =
        [([128, 64], 0), ([64, 256], 1), ([128, 32], 0), ([32, 128], 1), ([32, 32], 0), ([32, 32], 1), ([16, 16], 0), ([16, 16], 1)];
    for ([rows, columns], operand) in shapes {
        let (m, n, k) = if operand == 0 { (rows, 8, columns) } else { (16, columns, rows) };
        let (own, from) =
            if operand == 0 { ("a[m, k] <- s[m, k]", "s[i, j] <- g[i, j]") } else { ("b[n, k] <- s[k, n]", "s[i, j] <- g[i, j]") };
        let text = format!(
            "tile t\nthreads 32\nglobal g f16 ({rows}, {columns})\nshared s f16 ({rows}, {columns})\nregisters a f16 ({m}, {k})\n\
             registers b f16 ({n}, {k})\nregisters c f32 ({m}, {n})\n{from}\n{own}\nc[m, n] <- a[m, k], b[n, k] by m16n8k16.f16"
        );
        let choice = TileProgram::parse(&text).unwrap().choose().unwrap();
        assert_eq!(choice.cost().shared, choice.least().shared, "{choice}");
        assert!(choice.statements()[1].moves[0].instruction.starts_with("ldmatrix"), "{choice}");
    }
}

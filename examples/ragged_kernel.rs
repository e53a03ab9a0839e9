//! Prints a kernel that writes `|i - j|` to every element of a ragged array, in any language:
//! `cargo run --example ragged_kernel -- cuda`.

use crd2idx::graph::{Expr, ExprOp};
use crd2idx::program::{Emit, EmitError, Language, OffsetWord, RaggedLevel, RaggedLevels};

fn main() -> Result<(), EmitError> {
    let language: Language = std::env::args().nth(1).as_deref().unwrap_or("cuda").parse()?;
    let [i, j] = ["c0", "c1"].map(Expr::param);
    let distance = Expr::Op(ExprOp::Max, Box::new([i.clone().minus(j.clone()), j.minus(i)]));
    let rows = RaggedLevels::new([RaggedLevel::Offsets(OffsetWord::U32)])?;
    println!("{}", rows.emit_visit(&Emit::new(language, "rows"), &distance)?.device);
    Ok(())
}

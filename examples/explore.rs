//! Evaluates operations of the algebra on run-time layouts:
//! `cargo run --example explore -- "(10,2):(16,4)" "(5,4):(1,5)"`.

use crd2idx::{DynLayout, LayoutError};

fn main() -> Result<(), LayoutError> {
    let mut arguments = std::env::args().skip(1);
    let a: DynLayout = arguments.next().as_deref().unwrap_or("(10,2):(16,4)").parse()?;
    let b: DynLayout = arguments.next().as_deref().unwrap_or("(5,4):(1,5)").parse()?;
    println!("A            {a}   size {}, cosize {}", a.size(), a.cosize());
    println!("B            {b}   size {}, cosize {}", b.size(), b.cosize());
    println!("coalesce A   {}", a.coalesce()?);
    match a.composition(&b) {
        Ok(r) => println!("A o B        {r}"),
        Err(error) => println!("A o B        {error}"),
    }
    match a.left_inverse() {
        Ok(q) => println!("A inverse    {q}"),
        Err(error) => println!("A inverse    {error}"),
    }
    Ok(())
}

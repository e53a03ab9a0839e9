//! The examples a user would start from: each compares with the loops of the definition, and is run here.

#[path = "../examples/im2col.rs"]
mod im2col;
#[path = "../examples/packed_gemm.rs"]
mod packed_gemm;
#[path = "../examples/ragged_batch.rs"]
mod ragged_batch;
#[path = "../examples/sparse_traversal.rs"]
mod sparse_traversal;
#[path = "../examples/static_filter.rs"]
mod static_filter;
#[path = "../examples/transpose.rs"]
mod transpose;

#[test]
fn packed_tiles() {
    packed_gemm::main();
}

#[test]
fn transposition() -> Result<(), Box<dyn std::error::Error>> {
    Ok(transpose::main()?)
}

#[test]
fn convolution() {
    im2col::main();
}

#[test]
fn filter_of_a_microcontroller() {
    static_filter::main();
}

#[test]
fn sparse_walks() -> Result<(), Box<dyn std::error::Error>> {
    sparse_traversal::main()
}

#[test]
fn batch_of_sequences() -> Result<(), Box<dyn std::error::Error>> {
    Ok(ragged_batch::main()?)
}

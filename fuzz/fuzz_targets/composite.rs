//! Any arrays of a blocked or hybrid format are refused, or make a composite that answers all queries.
//! `cargo +nightly fuzz run composite -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sparse_formats::{Arrays, Composite, Indices, Scheme, mttkrp};

const SCHEMES: [&str; 8] = [
    "blocks(2,3):C-S-R",
    "blocks(1,2):S-S-C",
    "blocks(2,2):DC-S-C",
    "hicoo(1,2)",
    "hicoo(1,0;lex;super=2,2)",
    "hbcsf[1,0](2)",
    "mmcsf[0,1][1,0]",
    "alto",
];

fuzz_target!(|data: &[u8]| {
    let Some((which, rest)) = data.split_first() else { return };
    let Ok(scheme) = SCHEMES[usize::from(*which) % SCHEMES.len()].parse::<Scheme>() else { return };
    let mut lists = rest.split(|byte| *byte == 255).map(|list| list.iter().map(|byte| u64::from(byte & 15)).collect::<Vec<u64>>());
    let shape: Vec<u64> = lists.next().unwrap_or_default().into_iter().chain([3, 4]).take(2).collect();
    let Ok(chains) = scheme.chains(&shape) else { return };
    let mut parts = Vec::new();
    for chain in &chains {
        let mut arrays = Arrays::new();
        for level in 0..chain.format.levels() {
            if chain.format.stores_indices(level) {
                arrays = arrays.with_indices(level, Indices::narrowest(&lists.next().unwrap_or_default()));
            }
            if chain.format.stores_pointers(level) {
                arrays = arrays.with_pointers(level, Indices::narrowest(&lists.next().unwrap_or_default()));
            }
        }
        let values: Vec<i64> = lists.next().unwrap_or_default().into_iter().map(|value| value as i64).collect();
        parts.push((arrays, values.into()));
    }
    let Ok(composite) = Composite::from_arrays(&shape, &scheme, parts, 0) else { return };
    let (columns, values) = composite.all_elements().expect("few elements");
    for (column, extent) in columns.iter().zip(&shape) {
        assert!(column.iter().all(|x| x < *extent));
    }
    let sum = (0..columns[0].len()).filter_map(|k| values.get(k)).sum::<i64>();
    let ones: Vec<Vec<i64>> = shape.iter().map(|extent| vec![1; *extent as usize]).collect();
    for mode in 0..2 {
        let product = mttkrp(&composite, mode, &[&ones[0], &ones[1]], 1).expect("factors of the extents");
        assert_eq!(product.iter().sum::<i64>(), sum);
    }
    assert_eq!(composite.to_scheme(&scheme).expect("elements of a composite").all_elements().expect("few elements").0.len(), 2);
});

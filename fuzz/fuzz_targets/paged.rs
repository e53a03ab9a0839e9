//! Any block table is refused, or makes a paged array that reads only inside its pool.
//! `cargo +nightly fuzz run paged -- -max_total_time=60`
#![no_main]

use layout_core::make_layout;
use libfuzzer_sys::fuzz_target;
use ragged_arrays::paged::{Appender, PagedError, PagedShape, PagedView, PagedViewMut};

fuzz_target!(|data: &[u8]| {
    let [form, page, pool, rest @ ..] = data else { return };
    let (page, pool) = (usize::from(page % 6), usize::from(pool % 12));
    // Mostly small numbers. Some byte values stand for extreme numbers.
    let number = |byte: &u8| match byte {
        250 => i64::MIN,
        251 => -1,
        252 => i64::MAX,
        253 => 1 << 32,
        other => i64::from(*other & 15),
    };
    let mut lists = rest.split(|byte| *byte == 255).map(|list| list.iter().map(number).collect::<Vec<i64>>());
    let mut next = || lists.next().unwrap_or_default();
    let (lengths, offsets, table) = (next(), next(), next());
    let shape = match form % 3 {
        0 => PagedShape::from_offsets(page, pool, &lengths, offsets, table),
        1 => PagedShape::from_last_pages(page, pool, offsets, table, &lengths),
        _ => PagedShape::from_rectangle(page, pool, &lengths, usize::from(form >> 4), table),
    };
    let Ok(shape) = shape else { return };
    let slots = shape.slots().expect("few tokens");
    assert!(slots.iter().all(|slot| *slot < pool * page));
    assert_eq!(shape.owners().expect("few slots").leaves().len(), slots.len());
    let all: Vec<usize> = (0..shape.len())
        .flat_map(|s| (0..shape.lengths()[s]).map(move |t| (s, t)))
        .map(|(s, t)| shape.slot(s, t).expect("a token"))
        .collect();
    assert_eq!(all, slots);
    let elements: Vec<usize> = (0..pool * page * 2).collect();
    let layout = make_layout((page, 2), (1, page));
    let gathered = PagedView::new(&shape, layout, &elements).expect("as many elements").gather().expect("few tokens");
    assert_eq!(gathered.len(), 2 * slots.len());
    let mut to = vec![0; elements.len()];
    match PagedViewMut::new(&shape, layout, &mut to) {
        Ok(mut to) => {
            to.scatter(&gathered).expect("as many");
            assert_eq!(to.view().gather().expect("few tokens"), gathered);
        }
        Err(error) => assert_eq!(error.class(), "paged/shared_write"),
    }
    for parts in 1..4 {
        if let Ok(split) = shape.split_pages(parts) {
            assert_eq!(split.slots().expect("few tokens"), slots);
        }
    }
    let new: Vec<usize> = shape.lengths().iter().map(|length| length / 2).collect();
    assert_eq!(shape.new_slots(&new).expect("not more than there are").len(), shape.causal_pairs(&new).expect("few pairs").count(1));
    let mut appender = Appender::new(shape).expect("few pages");
    for sequence in 0..appender.shape().len() {
        match appender.append(sequence) {
            Ok(slot) => assert!(slot < pool * page),
            Err(error) => assert!(matches!(error, PagedError::NoPage { .. } | PagedError::SharedPage { .. }), "{error}"),
        }
    }
});

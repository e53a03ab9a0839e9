//! Compares paged arrays with vectors of vectors of tokens.

use crate::random::Rng;
use layout_core::layouts::IntTuple;
use layout_core::{Int, Layout, make_layout};
use ragged_arrays::DynLevel;
use ragged_arrays::paged::{Appender, PagedError, PagedShape, PagedView, PagedViewMut, SlotRun};
use std::collections::BTreeMap;

/// The lengths of sequences, and the rows of their table, with reserve. A page may be in several rows.
struct Table {
    page: usize,
    pool: usize,
    lengths: Vec<usize>,
    rows: Vec<Vec<i32>>,
}

impl Table {
    fn random(rng: &mut Rng, page: usize, shared: bool) -> Table {
        let lengths: Vec<usize> = (0..rng.below(7)).map(|_| if rng.one_in(4) { 0 } else { rng.below(5 * page + 2) }).collect();
        let reserve: Vec<usize> = lengths.iter().map(|_| rng.below(3)).collect();
        let counts: Vec<usize> = lengths.iter().zip(&reserve).map(|(length, reserve)| length.div_ceil(page) + reserve).collect();
        let pool = counts.iter().sum::<usize>() + 1 + rng.below(4);
        let mut free = rng.permutation(pool).into_iter();
        let mut rows: Vec<Vec<i32>> = Vec::new();
        for count in counts {
            let prefix = rows.last().filter(|_| shared && rng.one_in(2)).cloned().unwrap_or_default();
            let mut row: Vec<i32> = prefix.into_iter().take(rng.below(3)).collect();
            row.truncate(count);
            while row.len() < count {
                row.push(free.next().expect("as many pages as entries") as i32);
            }
            rows.push(row);
        }
        Table { page, pool, lengths, rows }
    }

    fn shape(&self) -> Result<PagedShape<'static, i32>, PagedError> {
        let offsets: Vec<u32> =
            std::iter::once(0).chain(self.rows.iter().scan(0, |end, row| (*end += row.len() as u32, Some(*end)).1)).collect();
        PagedShape::from_offsets(self.page, self.pool, &self.lengths, offsets, self.rows.concat())
    }

    /// Returns the slot of each token of a sequence.
    fn slots(&self, sequence: usize) -> Vec<usize> {
        let slot = |token: usize| self.rows[sequence][token / self.page] as usize * self.page + token % self.page;
        (0..self.lengths[sequence]).map(slot).collect()
    }
}

#[test]
fn slots_and_owners() {
    let mut rng = Rng::new(1);
    for round in 0..300 {
        let page = [1, 2, 3, 4, 16][round % 5];
        let table = Table::random(&mut rng, page, round % 2 == 0);
        let shape = table.shape().expect("a table");
        let all: Vec<Vec<usize>> = (0..table.lengths.len()).map(|sequence| table.slots(sequence)).collect();
        assert_eq!(shape.slots().expect("few"), all.concat());
        let mut owners = vec![Vec::new(); table.pool * page];
        for (sequence, slots) in all.iter().enumerate() {
            for (token, slot) in slots.iter().enumerate() {
                assert_eq!(shape.slot(sequence, token), Ok(*slot));
                owners[*slot].push([sequence, token]);
            }
            let length = slots.len();
            assert_eq!(shape.slot(sequence, length), Err(PagedError::NoSuchToken { sequence, token: length, length }));
            let of_runs = shape.runs(sequence).flat_map(|SlotRun { page: number, tokens }| number * page..number * page + tokens.len());
            assert!(of_runs.eq(slots.iter().copied()));
        }
        assert_eq!(shape.slot(all.len(), 0).unwrap_err().class(), "paged/sequence");
        assert_eq!(shape.owners().expect("few").to_nested::<2, Vec<Vec<[usize; 2]>>>().expect("two axes"), owners);
        let used: Vec<i32> = (0..all.len()).flat_map(|sequence| shape.pages(sequence)).copied().collect();
        let mut uses = vec![0; table.pool];
        used.iter().for_each(|page| uses[*page as usize] += 1);
        assert_eq!(shape.uses().expect("few"), uses);
        assert_eq!(shape.check_writable().is_ok(), uses.iter().all(|uses| *uses < 2));
        for parts in (1..=page).filter(|parts| page.is_multiple_of(*parts)) {
            let split = shape.split_pages(parts).expect("it divides");
            assert_eq!(split.slots(), shape.slots());
            assert!((0..all.len()).all(|sequence| split.pages(sequence).len() == all[sequence].len().div_ceil(page / parts)));
        }
        assert_eq!(shape.split_pages(page + 1).unwrap_err().class(), "paged/page_size");
    }
}

/// Gathers the tokens of a view, compares them element by element, and scatters them to another pool.
fn there_and_back<L: Layout>(table: &Table, layout: L, of_token: &[usize], distinct: bool) {
    let shape = table.shape().expect("a table");
    let elements = layout.index_range().expect("small").end as usize;
    let pool: Vec<usize> = (0..elements * table.pool).collect();
    let view = PagedView::new(&shape, layout, &pool).expect("as many elements");
    let coordinates: Vec<Vec<usize>> = of_token
        .iter()
        .fold(vec![vec![]], |all, extent| all.iter().flat_map(|before| (0..*extent).map(move |c| [&before[..], &[c]].concat())).collect());
    let mut expected = Vec::new();
    for sequence in 0..shape.len() {
        for token in 0..shape.lengths()[sequence] {
            expected.extend(coordinates.iter().map(|c| *view.get(sequence, token, c).expect("it exists")));
            let mut outside = coordinates[0].clone();
            if let Some(first) = outside.first_mut() {
                *first = of_token[0];
                assert_eq!(view.get(sequence, token, &outside).unwrap_err().class(), "paged/element");
            }
        }
    }
    let gathered = view.gather().expect("few");
    assert_eq!(gathered, expected);
    let mut again = vec![0; gathered.len()];
    assert_eq!((view.gather_into(&mut again), &again), (Ok(()), &gathered));
    assert_eq!(view.gather_into(&mut vec![0; gathered.len() + 1]).unwrap_err().class(), "paged/elements");
    let mut other = vec![usize::MAX; pool.len()];
    match PagedViewMut::new(&shape, layout, &mut other) {
        Err(error) => assert!(!distinct && error.class() == "paged/shared_write", "{error}"),
        Ok(mut to) => {
            to.scatter(&gathered).expect("as many");
            assert_eq!(to.view().gather().expect("few"), gathered);
            assert!(to.scatter(&vec![0; gathered.len() + 1]).is_err());
            assert!(other.iter().zip(&pool).all(|(to, from)| to == from || *to == usize::MAX));
        }
    }
    assert_eq!(PagedView::new(&shape, layout, &pool[..pool.len() - 1]).err().map(|error| error.class()), Some("paged/elements"));
}

#[test]
fn layouts_of_pages() {
    let mut rng = Rng::new(2);
    for round in 0..60 {
        let distinct = round % 2 == 0;
        let table = Table::random(&mut rng, 4, !distinct);
        there_and_back(&table, make_layout((Int::<4>,), (Int::<1>,)), &[], distinct);
        there_and_back(&table, make_layout((4, 3, 2), (6, 2, 1)), &[3, 2], distinct);
        there_and_back(&table, make_layout((Int::<4>, Int::<3>, Int::<2>), (Int::<2>, Int::<8>, Int::<1>)), &[3, 2], distinct);
        // Padded tokens, and a head in two halves.
        there_and_back(&table, make_layout((4, 3), (5, 1)), &[3], distinct);
        there_and_back(&table, make_layout((4, (2, 2)), (2, (1, 8))), &[4], distinct);
    }
    let table = Table::random(&mut rng, 4, false);
    let shape = table.shape().expect("a table");
    let error = PagedView::new(&shape, make_layout((5, 2), (2, 1)), &[0; 10]).unwrap_err();
    assert_eq!(error.to_string(), "the layout has 5 slots, but a page has 4");
}

#[test]
fn static_pages_are_as_run_time_ones() {
    fn same<P: IntTuple>(table: &Table, page: P) {
        let (shape, offsets) = (table.shape().expect("a table"), table.rows.iter().map(Vec::len).collect::<Vec<_>>());
        let rows = DynLevel::of_lengths(&offsets).expect("few");
        let fixed = PagedShape::new(page, table.pool, &table.lengths, rows, table.rows.concat()).expect("a table");
        assert_eq!(fixed.slots(), shape.slots());
        assert!((0..shape.len()).all(|sequence| fixed.pages(sequence) == shape.pages(sequence)));
    }
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        same(&Table::random(&mut rng, 16, true), Int::<16>);
        same(&Table::random(&mut rng, 3, true), Int::<3>);
    }
}

#[test]
fn tokens_are_appended_where_nobody_reads() {
    let mut rng = Rng::new(4);
    for round in 0..100 {
        let table = Table::random(&mut rng, [1, 2, 4][round % 3], true);
        if table.lengths.is_empty() {
            continue;
        }
        let mut appender = Appender::new(table.shape().expect("a table")).expect("few");
        // The content of each slot, and the contents of each sequence's tokens.
        let mut stored: BTreeMap<usize, usize> = BTreeMap::new();
        let mut tokens: Vec<Vec<usize>> = Vec::new();
        for sequence in 0..table.lengths.len() {
            tokens.push(table.slots(sequence).into_iter().map(|slot| *stored.entry(slot).or_insert(slot)).collect());
        }
        for step in 0..60 {
            let sequence = rng.below(tokens.len());
            let free = appender.uses().iter().position(|uses| *uses == 0);
            match appender.append(sequence) {
                Ok(slot) => {
                    stored.insert(slot, 1000 + step);
                    tokens[sequence].push(1000 + step);
                }
                Err(PagedError::NoPage { sequence: of, .. }) => {
                    assert_eq!(of, sequence);
                    if let Some(free) = free {
                        // A full row has no entry for a page.
                        let _ = appender.provide(sequence, free);
                    }
                }
                Err(PagedError::SharedPage { page, .. }) => {
                    assert!(appender.uses()[page] > 0);
                    let (Some(free), length) = (free, tokens[sequence].len()) else { continue };
                    if length.is_multiple_of(table.page) {
                        appender.provide(sequence, free).expect("there is an entry");
                    } else {
                        let from = appender.replace(sequence, free).expect("a page is in use");
                        for slot in 0..table.page {
                            let content = stored.get(&(from * table.page + slot)).copied();
                            content.map(|content| stored.insert(free * table.page + slot, content));
                        }
                    }
                }
                Err(error) => panic!("{error}"),
            }
            let shape = appender.shape();
            assert_eq!(shape.uses().as_deref(), Ok(appender.uses()));
            for (sequence, tokens) in tokens.iter().enumerate() {
                let read: Vec<usize> = (0..tokens.len()).map(|token| stored[&shape.slot(sequence, token).expect("a token")]).collect();
                assert_eq!(&read, tokens);
            }
        }
    }
}

#[test]
fn pairs_of_new_tokens() {
    let mut rng = Rng::new(5);
    for _ in 0..100 {
        let table = Table::random(&mut rng, 4, true);
        let shape = table.shape().expect("a table");
        let new: Vec<usize> = table.lengths.iter().map(|length| rng.below(length + 1)).collect();
        let (mut all, mut seen) = (Vec::new(), Vec::new());
        for (sequence, (new, length)) in new.iter().zip(&table.lengths).enumerate() {
            for token in 0..*new {
                all.extend((0..*length).map(|key| vec![sequence, token, key]));
                seen.extend((0..=length - new + token).map(|key| vec![sequence, token, key]));
            }
        }
        for (pairs, expected) in [(shape.pairs(&new), all), (shape.causal_pairs(&new), seen)] {
            let pairs = pairs.expect("not more than there are");
            let found: Vec<Vec<usize>> = (0..pairs.count(2)).map(|pair| pairs.decompose(pair).expect("a pair")).collect();
            assert_eq!(found, expected);
        }
        let last: Vec<usize> =
            (0..shape.len()).flat_map(|sequence| table.slots(sequence).split_off(table.lengths[sequence] - new[sequence])).collect();
        assert_eq!(shape.new_slots(&new), Ok(last));
        if let Some(length) = table.lengths.first() {
            let mut more = new.clone();
            more[0] = length + 1;
            assert_eq!(shape.pairs(&more).err(), Some(PagedError::NewTokens { sequence: 0, new: length + 1, length: *length }));
        }
    }
}

/// Changes one number of a table: the result is an error that names it, or a table whose slots are all in the pool.
#[test]
fn broken_tables() {
    let mut rng = Rng::new(6);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..200 {
        let mut table = Table::random(&mut rng, [1, 3, 4][round % 3], round % 2 == 0);
        let Some(sequence) = (0..table.rows.len()).find(|sequence| !table.rows[*sequence].is_empty()) else { continue };
        let entry = rng.below(table.rows[sequence].len());
        let needed = table.lengths[sequence].div_ceil(table.page);
        match round % 4 {
            0 => {
                let page = *rng.pick(&[-1, table.pool as i32, i32::MAX, i32::MIN]);
                table.rows[sequence][entry] = page;
                let expected = PagedError::PageRange { sequence, entry, page: page.into(), pages: table.pool };
                assert_eq!(table.shape().err(), (entry < needed).then_some(expected));
            }
            1 => {
                table.rows[sequence].truncate(entry);
                let expected = PagedError::TooFewPages { sequence, entry, length: table.lengths[sequence] };
                assert_eq!(table.shape().err(), (entry < needed).then_some(expected));
            }
            2 => {
                table.lengths[sequence] = *rng.pick(&[usize::MAX, table.rows[sequence].len() * table.page + 1, 1 << 40]);
                assert_eq!(table.shape().unwrap_err().class(), "paged/too_few_pages");
            }
            _ => {
                table.lengths.push(0);
                assert_eq!(table.shape().unwrap_err().class(), "paged/table");
            }
        }
        match table.shape() {
            Err(_) => refused += 1,
            Ok(shape) => {
                accepted += 1;
                assert!(shape.slots().expect("few").iter().all(|slot| *slot < table.pool * table.page));
            }
        }
    }
    assert!(refused > 100 && accepted > 10, "{refused} {accepted}");
    let last = |last: &[i64]| PagedShape::from_last_pages(4, 9, vec![0_i64, 2, 2], vec![5_i64, 2], last).map(|_| ()).unwrap_err();
    assert_eq!(last(&[5, 0]), PagedError::LastPage { sequence: 0, last: 5, page: 4 });
    assert_eq!(last(&[0, 0]), PagedError::LastPage { sequence: 0, last: 0, page: 4 });
    assert_eq!(last(&[1, 1]), PagedError::LastPage { sequence: 1, last: 1, page: 4 });
    assert_eq!(last(&[1]), PagedError::Rows { rows: 2, sequences: 1 });
    let error = PagedShape::from_last_pages(4, 9, vec![0_i64, 3, 2], vec![5_i64, 2], &[1, 0]).unwrap_err();
    assert_eq!((error.class(), error.to_string().as_str()), ("paged/table", "offsets[2] = 2 is smaller than the 3 before it"));
    assert_eq!(PagedShape::from_rectangle(0, 1, &[0], 1, vec![0]).unwrap_err().class(), "paged/page_size");
    assert_eq!(PagedShape::from_rectangle(4, 1, &[-3], 1, vec![0]).unwrap_err(), PagedError::Length { sequence: 0, length: -3 });
    assert_eq!(PagedShape::from_rectangle(2, usize::MAX, &[1], 1, vec![0]).unwrap_err(), PagedError::Overflow);
}

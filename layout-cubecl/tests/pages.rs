//! A gather of the keys of sequences from pages, by a table of pages.

mod support;

use cubecl::prelude::*;
use layout_cubecl::{CubeLayout, CubePages, PageBuffers};
use support::{argument, buffer, client, read};

#[cube(launch)]
fn gather(keys: &CubePages<f32, (u32, u32, u32)>, to: &mut [f32], target: &CubeLayout<(u32, u32, u32, u32)>) {
    let (sequence, token, head) = (CUBE_POS_Z, CUBE_POS_Y, CUBE_POS_X);
    to[target.at((sequence, token, head, UNIT_POS))] = keys.read(sequence, (token, head, UNIT_POS), -1.0);
}

const HEADS: usize = 3;
const DIM: usize = 8;

/// Gathers the tokens 0 to 11 of each sequence and compares them with loops. `slots` is the number of tokens of a page.
fn check(slots: usize, page_text: &str, place: impl Fn(usize, usize, usize) -> usize, lengths: &[u32], table: &[u32], pages: usize) {
    let Some(client) = client() else { return };
    let width = table.len() / lengths.len();
    let layout = CubeLayout::<(u32, u32, u32)>::parse(page_text).unwrap();
    let span = layout.room();
    let pool: Vec<f32> = (0..pages * span).map(|k| k as f32).collect();
    let tokens = 12;
    let count = lengths.len() * tokens * HEADS * DIM;
    let handles = [buffer(&client, &pool), buffer(&client, &vec![-2.0_f32; count])];
    let (entries, ends) = (buffer(&client, table), buffer(&client, lengths));
    let buffers = PageBuffers {
        pool: argument(&handles[0], pool.len()),
        table: argument(&entries, table.len()),
        lengths: argument(&ends, lengths.len()),
    };
    let keys = CubePages::new(&layout, pages as u32, width as u32, buffers).unwrap();
    let (s, t, h) = (tokens * HEADS * DIM, HEADS * DIM, DIM);
    let target = CubeLayout::parse(&format!("({},{tokens},{HEADS},{DIM}):({s},{t},{h},1)", lengths.len())).unwrap();
    let grid = CubeCount::Static(HEADS as u32, tokens as u32, lengths.len() as u32);
    gather::launch(&client, grid, CubeDim::new_1d(DIM as u32), keys, argument(&handles[1], count), target);
    let got = read::<f32>(&client, handles[1].clone());
    for (sequence, length) in lengths.iter().enumerate() {
        for token in 0..tokens {
            for head in 0..HEADS {
                for d in 0..DIM {
                    let page = table.get(sequence * width + token / slots).copied().unwrap_or(u32::MAX) as usize;
                    let exists = token < *length as usize && token / slots < width && page < pages;
                    let wanted = if exists { pool[page * span + place(token % slots, head, d)] } else { -1.0 };
                    assert_eq!(got[((sequence * tokens + token) * HEADS + head) * DIM + d], wanted, "{sequence} {token} {head} {d}");
                }
            }
        }
    }
}

#[test]
fn token_by_token_and_head_by_head() {
    let lengths = [6, 9, 0, 12];
    // Entries that no token needs, and one beyond the pool that a token needs.
    let table = [5, 2, u32::MAX, u32::MAX, 0, 7, 3, 6, 9, 9, 9, 9, 5, 99, 1, 4];
    check(4, "(4,3,8):(24,8,1)", |slot, head, d| slot * 24 + head * 8 + d, &lengths, &table, 8);
    check(4, "(4,3,8):(8,32,1)", |slot, head, d| slot * 8 + head * 32 + d, &lengths, &table, 8);
}

#[test]
fn pages_of_any_number_of_tokens() {
    let table = [3, 1, 0, 2, 2, 0];
    check(5, "(5,3,8):(24,8,1)", |slot, head, d| slot * 24 + head * 8 + d, &[11, 12], &table, 4);
    // Lengths that a row of the table has no room for.
    check(4, "(4,3,8):(24,8,1)", |slot, head, d| slot * 24 + head * 8 + d, &[12, 3], &[1, 2], 4);
    check(1, "(1,3,8):(0,8,1)", |_, head, d| head * 8 + d, &[3, 2, 0], &[1, 0, 2, 3, 3, 0, 0, 0, 0], 4);
}

#[test]
fn buffers_that_are_too_short_are_refused() {
    let Some(client) = client() else { return };
    let layout = CubeLayout::<(u32, u32)>::parse("(4,8):(8,1)").unwrap();
    let refusal = |pool, table, lengths| {
        let of = |len: usize| argument(&buffer(&client, &vec![0_u32; len]), len);
        let buffers = PageBuffers { pool: of(pool), table: of(table), lengths: of(lengths) };
        CubePages::<f32, _>::new(&layout, 4, 2, buffers).unwrap_err().to_string()
    };
    assert_eq!(refusal(100, 6, 3), "(32,4):(1,32) needs 128 elements, but the buffer has 100");
    assert_eq!(refusal(128, 5, 3), "the table of pages needs 6 entries, but the buffer has 5");
}

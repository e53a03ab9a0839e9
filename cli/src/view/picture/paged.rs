//! Sequences of tokens in pages: the slot of each token, beside the pool with the owners of each slot.

use super::{Axis, CLASSES, Cell, Grid, Label, Look, MOST_CELLS, Picture, Rule, items, too_many};
use crd2idx::ragged::paged::{PagedError, PagedShape};

/// Draws `ragged FILE` for pages: the slots of the tokens of each sequence, and the pool.
pub fn picture(shape: &PagedShape<'_, i64>) -> Result<Picture, String> {
    let (page, longest) = (shape.page_size(), shape.lengths().iter().copied().max().unwrap_or(0));
    let cells = longest.saturating_mul(shape.len()).saturating_add(shape.pool().saturating_mul(page));
    if cells > MOST_CELLS {
        return Err(too_many(cells));
    }
    if cells == 0 {
        return Err("there is no token and no page to draw".into());
    }
    let refused = |error: PagedError| error.to_string();
    // Tokens have the colour of their page in both grids.
    let class = |slot: usize| Some(slot / page % CLASSES);
    let mut tokens = Vec::new();
    for (sequence, length) in shape.lengths().iter().enumerate() {
        for token in 0..longest.max(1) {
            tokens.push(match token {
                _ if token < *length => shape.slot(sequence, token).map(|slot| Cell::of(slot.to_string(), class(slot))).map_err(refused)?,
                0 => Cell::note("[]"),
                _ => Cell::absent(),
            });
        }
    }
    let of_pages = |len: usize| Axis::numbered(len).ruled(|k| if k.is_multiple_of(page) { Rule::Thick } else { Rule::None });
    let rows = |len: usize, name: &str| {
        let mut axis = Axis::numbered(len);
        axis.tiers.insert(0, vec![Label { span: len, text: name.into() }]);
        axis
    };
    let sequences = Grid {
        caption: format!("tokens of {} sequences, each with its slot", shape.len()),
        rows: rows(shape.len(), "sequence"),
        columns: of_pages(longest.max(1)),
        cells: tokens,
        look: Look::Table,
    };
    let owners = shape.owners().map_err(refused)?;
    let owner = |slot: usize| match owners.row(slot) {
        [] => Cell { lines: vec![String::new()], ..Cell::default() },
        of => Cell { lines: of.iter().map(|[sequence, token]| format!("{sequence},{token}")).collect(), ..Cell::of("", class(slot)) },
    };
    let pool = Grid {
        caption: format!("the pool: {} pages of {page} slots, each with the sequences and tokens in it", shape.pool()),
        rows: rows(shape.pool(), "page"),
        columns: Axis::numbered(page),
        cells: (0..shape.pool() * page).map(owner).collect(),
        look: Look::Table,
    };
    let title = format!("{} sequences in pages of {page} slots, of a pool of {}", shape.len(), shape.pool());
    let description = format!("Tokens of {title}: the slot of each, and the owners of each slot; a colour for each page.");
    let grids = [(!shape.is_empty()).then_some(sequences), (shape.pool() > 0).then_some(pool)];
    Picture { title, description, lines: grids.into_iter().flatten().map(|grid| items([grid])).collect(), arrows: Vec::new() }.checked()
}

//! Arranges the items of a picture on a page, and draws the arrows between them.

use super::flow;
use super::grid::{Measured, Place};
use super::scene::{Align, Bend, Ink, Scene, Stroke, text_width};
use crate::view::picture::text::wrap;
use crate::view::picture::{Arrow, Grid, Item, Look, Picture};

/// The margin around the picture.
const MARGIN: f64 = 16.0;
/// The horizontal and the vertical gap between items.
const GAP: (f64, f64) = (28.0, 22.0);
/// The gap between arrays with arrows, and its growth for each column that an arrow crosses, up to twice the gap.
const DROP: (f64, f64) = (18.0, 1.5);
/// The ratio of height to width below which an arrow gets an upright end.
const FLAT: f64 = 0.2;
/// The length of the upright end of a flat arrow.
const UPRIGHT: f64 = 10.0;
/// The distance between the lines of arrows that turn.
const LANE: f64 = 7.0;
/// The text sizes to try until the widest grid fits.
const SIZES: [f64; 5] = [13.0, 12.0, 11.0, 10.0, 9.0];

/// A drawn item.
struct Block {
    scene: Scene,
    /// The distance from the upper edge to the cells of the first grid.
    head: f64,
    grids: Vec<Place>,
}

/// A page under construction, line by line.
struct Page<'a> {
    picture: &'a Picture,
    room: f64,
    /// The size of texts.
    size: f64,
    /// The widths of the cells of tables and of arrays.
    cells: [f64; 2],
    /// The gap between the blocks of a line.
    gap: f64,
    y: f64,
    lines: usize,
    places: Vec<Place>,
    out: Scene,
}

/// Returns the scene of a picture on a page of this width.
pub fn scene(picture: &Picture, width: f64) -> Scene {
    let room = width - 2.0 * MARGIN;
    let fits = |size: &&f64| picture.grids().all(|grid| Measured::new(grid, **size).width() <= room);
    // A grid that fits at no size is drawn in bands, so it need not be small.
    let size = SIZES.iter().find(fits).copied().unwrap_or(11.0);
    let cells = [Look::Table, Look::Array].map(|look| common_cell(picture, look, size, room));
    let lanes = picture.arrows.iter().filter(|arrow| arrow.turns).count() as f64;
    let gap = if lanes > 0.0 { GAP.0 + 10.0 + lanes * LANE } else { GAP.0 };
    let mut page = Page { picture, room, size, cells, gap, y: MARGIN, lines: 0, places: Vec::new(), out: Scene::default() };
    picture.lines.iter().for_each(|items| page.add(items));
    page.arrows();
    Scene { w: (page.out.w + MARGIN).ceil(), h: (page.y - GAP.1 + MARGIN).ceil(), ..page.out }
}

/// Returns the cell width that all grids of this look share, to align equal columns; 0 if it makes a fitting grid too wide.
fn common_cell(picture: &Picture, look: Look, size: f64, room: f64) -> f64 {
    let measured = || picture.grids().filter(|grid| grid.look == look).map(|grid| Measured::new(grid, size));
    let cell = measured().map(|grid| grid.cell()).fold(0.0, f64::max);
    let left = measured().map(|grid| grid.left()).fold(0.0, f64::max);
    let fits = |grid: Measured| grid.width() > room || grid.at_least(left, cell).width() <= room;
    if measured().all(fits) { cell } else { 0.0 }
}

impl Page<'_> {
    /// Adds items side by side, and begins a new line when one is full.
    fn add(&mut self, items: &[Item]) {
        let mut line: Vec<Block> = Vec::new();
        for item in items {
            let first = self.places.len() + line.iter().map(|block| block.grids.len()).sum::<usize>();
            let mut next = self.block(item, first, true);
            let used: f64 = line.iter().map(|block| block.scene.w + self.gap).sum();
            if !line.is_empty() && used + next.scene.w > self.room {
                self.set(core::mem::take(&mut line));
                // No arrow turns from one line into the next, so leave no room for it.
                next = self.block(item, first, false);
            }
            line.push(next);
        }
        self.set(line);
    }

    /// Adds the blocks of a line, with the cells of their first grids at one height.
    fn set(&mut self, line: Vec<Block>) {
        let head = line.iter().map(|block| block.head).fold(0.0, f64::max);
        let (mut x, mut below) = (MARGIN, self.y);
        for block in line {
            let dy = self.y + head - block.head;
            self.places.extend(block.grids.into_iter().map(|place| Place { line: self.lines, ..place.moved(x, dy) }));
            below = below.max(dy + block.scene.h);
            let w = block.scene.w;
            self.out.place(block.scene, x, dy);
            x += w + self.gap;
        }
        self.y = below + GAP.1;
        self.lines += 1;
    }

    /// Returns the height above grid `grid` for the arrows that reach it. With `turn`, arrows that turn are included.
    fn arrow_room(&self, grid: usize, turn: bool) -> f64 {
        let (mut turns, mut drops) = (0.0, 0.0);
        for arrow in self.picture.arrows.iter().filter(|arrow| arrow.to.0 == grid) {
            match arrow.turns {
                true => turns += if turn { LANE } else { 0.0 },
                false => drops = (DROP.0 + DROP.1 * arrow.from.1.abs_diff(arrow.to.1) as f64).min(2.0 * DROP.0).max(drops),
            }
        }
        if turns > 0.0 { turns + 14.0 } else { drops }
    }

    /// Draws an item, whose first grid has the number `first` in the picture. With `turn`, leaves room for arrows that turn.
    fn block(&self, item: &Item, first: usize, turn: bool) -> Block {
        let (size, room) = (self.size, self.room);
        let grids = match item {
            Item::Graph(graph) => return Block { scene: flow::draw(graph, room), head: 0.0, grids: Vec::new() },
            Item::Stack(grids) => grids,
        };
        // Arrays below one another begin at one column.
        let arrays = grids.iter().filter(|grid| grid.look == Look::Array);
        let left = arrays.map(|grid| Measured::new(grid, size).left()).fold(0.0, f64::max);
        let mut block = Block { scene: Scene::default(), head: 0.0, grids: Vec::new() };
        for (k, grid) in grids.iter().enumerate() {
            let own = Measured::new(grid, size);
            let measured = match grid.look {
                Look::Array => own.at_least(left, self.cells[1]),
                Look::Table => own.at_least(0.0, self.cells[0]),
                Look::Spy => own,
            };
            let (scene, place) = measured.draw(room);
            let mut y = if k == 0 { 0.0 } else { block.scene.h + 10.0 };
            y += caption(grid, size, scene.w, room, y, &mut block.scene) + self.arrow_room(first + k, turn);
            if k == 0 {
                block.head = y + place.top;
            }
            block.grids.push(place.moved(0.0, y));
            block.scene.place(scene, 0.0, y);
        }
        block
    }

    fn arrows(&mut self) {
        let mut lane = 0.0;
        for Arrow { turns, from, to, class } in &self.picture.arrows {
            let (Some(a), Some(b)) = (self.places.get(from.0), self.places.get(to.0)) else { continue };
            let stroke = Stroke { ink: class.map_or(Ink::Faint, Ink::Strong), width: if *turns { 1.5 } else { 1.25 }, dashed: false };
            let bend = Bend::Corners(4);
            let middle = |place: &Place, column: usize| Some((place.columns.get(column)? + place.columns.get(column + 1)?) / 2.0);
            if *turns {
                let (Some(y), Some(right), Some(x)) = (a.rows.get(from.1), a.columns.last(), middle(b, to.1)) else { continue };
                if a.line != b.line {
                    continue;
                }
                lane += 1.0;
                let (turn, over) = (right + 6.0 + lane * LANE, b.head - 10.0 - lane * LANE);
                let points = vec![(right + 4.0, *y), (turn, *y), (turn, over), (x, over), (x, b.head - 6.0)];
                self.out.arrow(points, bend, stroke, (x, b.head - 9.0), (x, b.head - 2.0));
            } else {
                let (Some(x), Some(end)) = (middle(a, from.1), b.columns.get(to.1)) else { continue };
                let (start, end) = ((x, a.bottom + 2.0), (*end, b.top - 1.0));
                let (across, down) = ((start.0 - end.0).abs(), (start.1 - end.1).abs());
                let mut points = vec![start];
                if down < FLAT * across {
                    points.push((end.0, end.1 - UPRIGHT));
                }
                let last = points[points.len() - 1];
                let back = 5.0 / (last.0 - end.0).hypot(last.1 - end.1).max(UPRIGHT);
                points.push((end.0 + (last.0 - end.0) * back, end.1 + (last.1 - end.1) * back));
                self.out.arrow(points, bend, stroke, last, end);
            }
        }
    }
}

/// Writes the caption of a grid above it, and returns its height.
fn caption(grid: &Grid, size: f64, width: f64, room: f64, y: f64, scene: &mut Scene) -> f64 {
    if grid.caption.is_empty() {
        return 0.0;
    }
    // A caption may be wider than a narrow grid, but not much.
    let most = width.max(320.0).min(room);
    let lines = wrap(&grid.caption, most, |text| text_width(text, size));
    for (k, line) in lines.iter().enumerate() {
        scene.text((0.0, y + (k as f64 + 0.55) * size * 1.35), size, Align::Start, Ink::Text, line);
        scene.w = scene.w.max(text_width(line, size));
    }
    lines.len() as f64 * size * 1.35 + 6.0
}

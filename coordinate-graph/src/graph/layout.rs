//! Conversions between layouts and graphs: the graph of a layout, and the layout of a path through a graph.

use super::{Bound, CoordGraph, DimId, Dimension, Direction, Domain, GraphError, Result, Transform};
use crate::sorted::SortedMap;
use layout_algebra::DynLayout;
use layout_algebra::error::{Cause, LayoutError, Op};
use layout_algebra::heap::*;
use layout_algebra::value::{LayoutValue, SymInt, TreeNode};

/// The maximum number of leaves of the layout of a path.
const LEAVES: usize = 64;

impl CoordGraph {
    /// Returns the graph of a layout. `x` is Tiled into its modes `x0, x1, ...`, each mode into its own modes
    /// `x0.0, ...`, and all leaves are Joined to `index`.
    ///
    /// Forward, `index` is the layout's index of `x`, of the modes, or of the leaves. In reverse, a packed layout
    /// gives the coordinates of `index`.
    ///
    /// Fails if a stride is an exclusive-or.
    ///
    /// ```
    /// use coordinate_graph::graph::CoordGraph;
    /// use layout_algebra::DynLayout;
    /// let layout: DynLayout = "((2,4),(3,5)):((3,6),(1,24))".parse()?;
    /// let graph = CoordGraph::from_layout(&layout)?;
    /// assert_eq!(graph.forward(&[("x0", 11), ("x1", 12)], &["index"])?, [129]);
    /// assert_eq!(graph.forward(&[("x", 11 + 8 * 12)], &["x0", "x1"])?, [3, 13]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn from_layout<const N: usize>(layout: &DynLayout<N>) -> Result<CoordGraph> {
        let lay = layout.value();
        // The graph adds the strides of dimensions, so it has none that is an exclusive-or.
        if let Some(k) = (0..lay.len()).find(|k| lay.basis(*k).is_xor()) {
            return Err(LayoutError::at_mode(Op::MakeLayout, k, Cause::XorStride, lay.scale(k).word(), 0).into());
        }
        let mut graph = CoordGraph::new();
        let mut leaves = Vec::new();
        graph.add_mode(lay, lay.root(), "x".into(), &mut leaves)?;
        let index = graph.add(Dimension::new("index"))?;
        graph.connect(Transform::Join, leaves, [index])?;
        Ok(graph)
    }

    fn add_mode<const N: usize>(&mut self, lay: &LayoutValue<N>, at: TreeNode, name: String, leaves: &mut Vec<DimId>) -> Result<DimId> {
        let number = |x: SymInt| x.value().unwrap_or(0);
        let empty = lay.tree().is_empty(at);
        if empty || lay.tree().is_leaf(at) {
            let (size, stride) = if empty { (1, 0) } else { (number(lay.extent(at.lo)), number(lay.scale(at.lo))) };
            let leaf = Dimension::new(name).size(size).stride(stride);
            let id = self.add(leaf)?;
            leaves.push(id);
            return Ok(id);
        }
        // The product does not overflow: the constructor of the layout checked it.
        let size = (at.lo..at.hi).map(|k| number(lay.extent(k))).product::<i64>();
        let id = self.add(Dimension::new(name.clone()).size(size))?;
        let (mut modes, mut lo) = (Vec::new(), at.lo);
        while let Some(child) = lay.tree().child_from(at, lo) {
            let part = if at.level == 0 { format!("{name}{}", modes.len()) } else { format!("{name}.{}", modes.len()) };
            modes.push(self.add_mode(lay, child, part, leaves)?);
            lo = child.hi;
        }
        // A layout lists its fastest mode first, and a Tile lists its fastest output last.
        modes.reverse();
        self.connect(Transform::Tile, [id], modes)?;
        Ok(id)
    }

    /// Returns the layout that the path from `modes` to `target` computes, with one mode for each of `modes`, and
    /// its offset: `target = offset + layout(modes)` for all coordinates within the sizes.
    ///
    /// Fails if a size is not known, or if the function is not a sum of layouts of its coordinates.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let x = graph.add(Dimension::new("x").size(32))?;
    /// let [row, col] = [graph.add(Dimension::new("row").stride(1))?, graph.add(Dimension::new("col").size(8).stride(4))?];
    /// let k = graph.add(Dimension::new("k").offset(100))?;
    /// graph.connect(Transform::Tile, [x], [row, col])?;
    /// graph.connect(Transform::Join, [row, col], [k])?;
    /// let (transposed, offset) = graph.layout(Direction::Forward, &["x"], "k")?;
    /// assert_eq!((transposed.to_string().as_str(), offset), ("((8,4)):((4,1))", 100));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn layout(&self, direction: Direction, modes: &[&str], target: &str) -> Result<(DynLayout<LEAVES>, i64)> {
        let not = |reason: String| GraphError::NotALayout { target: target.into(), reason };
        let mut sizes = Vec::with_capacity(modes.len());
        for name in modes {
            let size = self.dim(self.find(name)?).size.as_ref().and_then(super::check::constant);
            sizes.push(size.ok_or_else(|| not(format!("the size of `{name}` is not known")))?);
        }
        let sources: Vec<_> = modes.iter().map(|name| Bound::Thread(name)).collect();
        let program = self.unsimplified(direction, &sources, &[target], Domain::Declared)?.without_conditions();
        if let Some(parameter) = program.inputs.iter().find(|input| !modes.contains(&input.name.as_str())) {
            return Err(not(format!("it depends on the parameter `{}`", parameter.name)));
        }
        let sum = program.floor_sum(0).ok_or_else(|| not("it is not a sum of multiples and quotients of the coordinates".to_string()))?;
        let (mut shapes, mut strides) = (Vec::new(), Vec::new());
        for (k, size) in sizes.iter().enumerate() {
            let (shape, stride) = mode(&sum.terms, k, *size).map_err(|reason| not(format!("{reason} of `{}`", modes[k])))?;
            shapes.push(shape);
            strides.push(stride);
        }
        let text = format!("({}):({})", shapes.join(","), strides.join(","));
        let layout = DynLayout::parse(&text).map_err(|error| not(error.reason().as_str().to_string()))?;
        Ok((layout, sum.constant))
    }
}

/// Returns the shape and the strides, as text, of the mode of `input`. The function is the sum of `step * floor(x /
/// period)` over the `terms` `(input, period) -> step`. Fails with the reason if one period does not divide the next one or
/// the size.
fn mode(terms: &SortedMap<(usize, i64), i64>, input: usize, size: i64) -> core::result::Result<(String, String), String> {
    let mut stride = terms.get(&(input, 1)).copied().unwrap_or(0);
    let (mut shapes, mut strides) = (Vec::new(), Vec::new());
    let mut below = 1;
    for ((_, period), jump) in terms.iter().filter(|((of, period), _)| *of == input && *period >= 2) {
        if *period >= size {
            // The quotient is 0 for every coordinate.
            break;
        }
        if period % below != 0 {
            return Err(format!("the periods {below} and {period} do not divide each other in the function"));
        }
        shapes.push((period / below).to_string());
        strides.push(stride.to_string());
        let run = stride.checked_mul(period / below).and_then(|run| run.checked_add(*jump));
        stride = run.ok_or_else(|| "the strides overflow in the function".to_string())?;
        below = *period;
    }
    if size % below != 0 {
        return Err(format!("{below} does not divide the size {size}"));
    }
    shapes.push((size / below).to_string());
    strides.push(stride.to_string());
    let tuple = |parts: Vec<String>| if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(",")) };
    Ok((tuple(shapes), tuple(strides)))
}

//! Queries of the relations of storage: the dimension in whose storage another one lies, and the dimensions from which
//! values come. No transform of coordinates is used here.

use super::{CoordGraph, DimId, Result};
use layout_algebra::heap::*;

impl CoordGraph {
    /// Returns the dimension whose storage contains `name`. An alias, a view, a segment or an entry lies in the
    /// storage of another dimension; any other dimension is its own storage.
    ///
    /// Fails if the graph has no dimension `name`.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dataflow, DimKind, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let lds = graph.add(Dimension::new("lds").kind(DimKind::SharedMemory))?;
    /// let a = graph.add(Dimension::new("a"))?;
    /// let b = graph.add(Dimension::new("b"))?;
    /// graph.connect(Dataflow::Segment(0), [lds], [a])?;
    /// graph.connect(Dataflow::Segment(1), [lds], [b])?;
    /// assert_eq!(graph.storage_of("b")?, "lds");
    /// assert_eq!(graph.stored_in("lds")?, ["lds", "a", "b"]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn storage_of(&self, name: &str) -> Result<&str> {
        Ok(&self.dim(self.storage(self.find(name)?)).name)
    }

    /// Returns every dimension that shares the storage of `name`, itself included, in the order of addition. Fails if there
    /// is no `name`.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dataflow, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let [lds, a, row] = [graph.add(Dimension::new("lds"))?, graph.add(Dimension::new("a"))?, graph.add(Dimension::new("row"))?];
    /// graph.add(Dimension::new("b"))?;
    /// graph.connect(Dataflow::Segment(0), [lds], [a])?;
    /// graph.connect(Dataflow::View, [a], [row])?;
    /// assert_eq!(graph.stored_in("row")?, ["lds", "a", "row"]);
    /// assert_eq!(graph.stored_in("b")?, ["b"]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn stored_in(&self, name: &str) -> Result<Vec<&str>> {
        let storage = self.storage(self.find(name)?);
        let all = (0..self.dims.len()).map(DimId);
        Ok(all.filter(|id| self.storage(*id) == storage).map(|id| self.dim(id).name.as_str()).collect())
    }

    /// Returns every dimension whose values reach `name` by relations of storage that copy or compute values, nearest
    /// first. Fails if the graph has no dimension `name`.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dataflow, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let [global, tile] = [graph.add(Dimension::new("global"))?, graph.add(Dimension::new("tile"))?];
    /// let sum = graph.add(Dimension::new("sum"))?;
    /// graph.connect(Dataflow::Duplicate, [global], [tile])?;
    /// graph.connect(Dataflow::DataFlow, [tile], [sum])?;
    /// assert_eq!(graph.computed_from("sum")?, ["tile", "global"]);
    /// assert_eq!(graph.used_by("global")?, ["tile", "sum"]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn computed_from(&self, name: &str) -> Result<Vec<&str>> {
        self.closure(name, |edge| (&edge.outputs, &edge.inputs))
    }

    /// Returns every dimension that the values of `name` reach by relations of storage that copy or compute values, nearest
    /// first. Fails if the graph has no dimension `name`.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dataflow, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let [a, b, c] = [graph.add(Dimension::new("a"))?, graph.add(Dimension::new("b"))?, graph.add(Dimension::new("c"))?];
    /// graph.connect(Dataflow::DataFlow, [a, b], [c])?;
    /// assert_eq!((graph.used_by("a")?, graph.used_by("c")?), (vec!["c"], vec![]));
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn used_by(&self, name: &str) -> Result<Vec<&str>> {
        self.closure(name, |edge| (&edge.inputs, &edge.outputs))
    }

    /// Returns the direct relations of storage of `name`, each with the dimension on its other side. Fails if there is no
    /// `name`.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dataflow, Dimension};
    /// let mut graph = CoordGraph::new();
    /// let matrix = graph.add(Dimension::new("matrix"))?;
    /// let [ld, base] = [graph.add(Dimension::new("ld"))?, graph.add(Dimension::new("base"))?];
    /// graph.connect(Dataflow::Stride, [matrix], [ld])?;
    /// graph.connect(Dataflow::BaseAddress, [matrix], [base])?;
    /// assert_eq!(graph.relations_of("matrix")?, [(Dataflow::Stride, "ld".to_string()), (Dataflow::BaseAddress, "base".to_string())]);
    /// assert_eq!(graph.relations_of("ld")?, [(Dataflow::Stride, "matrix".to_string())]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn relations_of(&self, name: &str) -> Result<Vec<(super::Dataflow, String)>> {
        let id = self.find(name)?;
        let mut out = Vec::new();
        for (relation, edge) in self.relations() {
            let other = match (edge.inputs.contains(&id), edge.outputs.contains(&id)) {
                (true, _) => &edge.outputs,
                (_, true) => &edge.inputs,
                _ => continue,
            };
            out.extend(other.iter().map(|id| (relation, self.dim(*id).name.clone())));
        }
        Ok(out)
    }

    /// Returns the dimension whose storage directly contains `id`; `None` if `id` is its own storage.
    pub(super) fn holder(&self, id: DimId) -> Option<DimId> {
        self.holders[id.0]
    }

    /// Returns the dimension whose storage contains `id`, directly or through others. The chain of holders has no cycle,
    /// because `connect` refuses an edge that closes one.
    pub(super) fn storage(&self, mut id: DimId) -> DimId {
        while let Some(holder) = self.holder(id) {
            id = holder;
        }
        id
    }

    fn closure(&self, name: &str, step: impl Fn(&super::Edge) -> (&Vec<DimId>, &Vec<DimId>)) -> Result<Vec<&str>> {
        let mut found = Vec::from([self.find(name)?]);
        let mut next = 0;
        while next < found.len() {
            for (relation, edge) in self.relations() {
                let (from, to) = step(edge);
                if relation.carries_values() && from.contains(&found[next]) {
                    for id in to {
                        if !found.contains(id) {
                            found.push(*id);
                        }
                    }
                }
            }
            next += 1;
        }
        Ok(found[1..].iter().map(|id| self.dim(*id).name.as_str()).collect())
    }
}

//! Random meshes and placements.

use placements::{Mesh, Placement, PlacementError, ReduceOp, Rule};

/// A generator of numbers, the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// Returns a number from `least` to `most`.
    pub fn number(&mut self, least: i64, most: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + ((z ^ (z >> 31)) % (most - least + 1).unsigned_abs()) as i64
    }

    /// Returns up to three extents from `least` to 13.
    pub fn shape(&mut self, least: i64) -> Vec<i64> {
        (0..self.number(0, 3)).map(|_| self.number(least, 13)).collect()
    }

    pub fn mesh(&mut self) -> Mesh {
        let axes = ["x", "y", "z"];
        let count = self.number(1, 3) as usize;
        Mesh::new(axes[..count].iter().map(|axis| (*axis, self.number(1, 4)))).expect("a mesh")
    }

    fn rule(&mut self, shape: &[i64], dim: usize, extent: usize) -> Rule {
        match self.number(0, 7) {
            6 => Rule::Strided(self.number(1, 4)),
            7 => Rule::BlockFrom { block: self.number(1, 4), first: self.number(0, extent as i64 - 1) },
            0 => Rule::Balanced,
            1 | 2 => Rule::Block(self.number(1, 4)),
            3 => Rule::Size(shape[dim].max(1)),
            4 => Rule::Cuts((0..extent as i64 - 1).map(|_| 0).collect()),
            _ => Rule::Chunk,
        }
    }

    /// Returns a placement of a tensor, with partial results if `sums` is true.
    pub fn placement(&mut self, shape: &[i64], sums: bool) -> Placement {
        let mesh = self.mesh();
        let mut placement = Placement::new(&mesh, shape).expect("a tensor");
        // The mesh axes in a random order, each used or not.
        let mut order: Vec<usize> = (0..mesh.rank()).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, self.number(0, k as i64) as usize);
        }
        for axis in order {
            let (name, extent) = (mesh.name(axis).expect("an axis").to_owned(), mesh.extent(axis));
            let split = match self.number(0, 3) {
                0 => continue,
                1 if sums => placement.clone().partial(&name, ReduceOp::Sum),
                _ if shape.is_empty() => continue,
                _ => {
                    let dim = self.number(0, shape.len() as i64 - 1) as usize;
                    let rule = if self.number(0, 7) == 0 { Rule::Even } else { self.rule(shape, dim, extent) };
                    placement.clone().split(dim, &name, rule)
                }
            };
            match split {
                Ok(split) => placement = split,
                Err(PlacementError::Uneven { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        placement
    }
}

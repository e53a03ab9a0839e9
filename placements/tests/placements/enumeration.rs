//! The parts of devices, index by index.

use crate::random::Random;
use placements::{Mesh, Placement, Rule};

/// Returns the indices that part `j` of `k` takes from a list, by the definition of each rule.
fn part(list: &[i64], rule: &Rule, j: usize, k: usize) -> Vec<i64> {
    let n = list.len();
    let chosen = |position: usize| match rule {
        Rule::Chunk => position / n.div_ceil(k).max(1) == j,
        Rule::Balanced => {
            let begin = |j: usize| j * (n / k) + j.min(n % k);
            (begin(j)..begin(j + 1)).contains(&position)
        }
        Rule::Even => position / (n / k) == j,
        Rule::Block(block) => position / *block as usize % k == j,
        Rule::BlockFrom { block, first } => (position / *block as usize + *first as usize) % k == j,
        Rule::Strided(pieces) => {
            // The list as `pieces` chunks, each as `k` chunks.
            let piece = n.div_ceil(*pieces as usize).max(1);
            let own = piece.min(n - position / piece * piece);
            position % piece / own.div_ceil(k).max(1) == j
        }
        Rule::Size(size) => position / *size as usize == j,
        Rule::Cuts(cuts) => {
            let begin = if j == 0 { 0 } else { cuts[j - 1] };
            let end = if j + 1 == k { n as i64 } else { cuts[j] };
            (begin..end).contains(&(position as i64))
        }
    };
    (0..n).filter(|position| chosen(*position)).map(|position| list[position]).collect()
}

/// Returns the indices that a device has of each tensor axis.
pub fn indices(placement: &Placement, device: usize) -> Vec<Vec<i64>> {
    let mesh = placement.mesh();
    let mut all: Vec<Vec<i64>> = placement.shape().iter().map(|extent| (0..*extent).collect()).collect();
    for split in placement.splits() {
        let axis = mesh.axis(&split.axis).expect("an axis");
        let behind: usize = (axis + 1..mesh.rank()).map(|k| mesh.extent(k)).product();
        all[split.dim] = part(&all[split.dim], &split.rule, device / behind % mesh.extent(axis), mesh.extent(axis));
    }
    all
}

fn check(placement: &Placement) {
    for device in 0..placement.mesh().devices() {
        let expected = indices(placement, device);
        let found = placement.ranges(device).expect("ranges");
        for ranges in &found {
            assert!(ranges.windows(2).all(|pair| pair[0][1] < pair[1][0]), "{placement}: {ranges:?} are not maximal");
        }
        let listed: Vec<Vec<i64>> = found.iter().map(|ranges| ranges.iter().flat_map(|[lo, hi]| *lo..*hi).collect()).collect();
        assert_eq!(listed, expected, "{placement}, device {device}");
        let extents: Vec<i64> = expected.iter().map(|list| list.len() as i64).collect();
        assert_eq!(placement.local_shape(device), Ok(extents), "{placement}, device {device}");
    }
}

#[test]
fn devices_have_the_indices_of_the_definition() {
    let mut random = Random(1);
    for _ in 0..4000 {
        let shape = random.shape(0);
        check(&random.placement(&shape, true));
    }
}

/// Three block-cyclic, chunked and balanced splits of one axis, in all orders.
#[test]
fn splits_of_one_axis() {
    let rules = [Rule::Block(3), Rule::Chunk, Rule::Balanced, Rule::Block(2), Rule::Block(1)];
    let mesh = Mesh::new([("x", 2), ("y", 3), ("z", 2)]).expect("a mesh");
    for n in [1, 7, 24, 61] {
        for one in &rules {
            for other in &rules {
                for third in &rules {
                    let all = Placement::new(&mesh, &[n]).and_then(|all| all.split(0, "y", one.clone()));
                    let all = all.and_then(|all| all.split(0, "x", other.clone())).and_then(|all| all.split(0, "z", third.clone()));
                    check(&all.expect("a placement"));
                }
            }
        }
    }
}

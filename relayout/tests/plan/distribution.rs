//! Tests blocks, halos and block-cyclic matrices by enumeration.

use relayout::{BlockCyclic, HaloBlocks, Place, Plan, Planner};
use std::collections::BTreeMap;

/// Returns every element that a plan moves: from the target place and offset to the source place and offset.
fn moves(plan: &Plan) -> BTreeMap<(i64, i64), (i64, i64)> {
    let number = |place: &Place| place.number().expect("places of one number");
    let mut all = BTreeMap::new();
    for (from, to, copy) in plan.copies() {
        for (source, target) in copy.offsets() {
            for k in 0..copy.count {
                assert!(all.insert((number(to), target + k), (number(from), source + k)).is_none());
            }
        }
    }
    all
}

/// Returns all coordinates of a box.
fn coordinates(extent: &[i64]) -> Vec<Vec<i64>> {
    extent.iter().fold(vec![vec![]], |all, extent| {
        (0..*extent).flat_map(|c| all.iter().map(move |front: &Vec<i64>| [&front[..], &[c]].concat())).collect()
    })
}

/// Returns the elements that the halos of `blocks` must receive, each with its source.
fn expected(blocks: &HaloBlocks) -> BTreeMap<(i64, i64), (i64, i64)> {
    let rank = blocks.extent.len();
    let offset = |place: i64, local: &[i64]| {
        let extent = blocks.local_extent(place).expect("blocks");
        local.iter().zip(extent).rev().fold(0, |sum, (c, extent)| sum * extent + c)
    };
    let places = 0..blocks.grid.iter().product::<i64>();
    let mut own = BTreeMap::new();
    let inner = |place: i64| -> (Vec<i64>, Vec<i64>) {
        let first = blocks.first(place).expect("blocks");
        let local = blocks.local_extent(place).expect("blocks");
        (first, (0..rank).map(|k| local[k] - blocks.below[k] - blocks.above[k]).collect())
    };
    for place in places.clone() {
        let (first, count) = inner(place);
        for c in coordinates(&count) {
            let local: Vec<i64> = (0..rank).map(|k| c[k] + blocks.below[k]).collect();
            let global: Vec<i64> = (0..rank).map(|k| c[k] + first[k]).collect();
            assert!(own.insert(global, (place, offset(place, &local))).is_none());
        }
    }
    let mut all = BTreeMap::new();
    for place in places {
        let (first, count) = inner(place);
        if count.contains(&0) {
            continue;
        }
        for local in coordinates(&blocks.local_extent(place).expect("blocks")) {
            let beside = (0..rank).filter(|k| local[*k] < blocks.below[*k] || local[*k] >= blocks.below[*k] + count[*k]).count();
            let turned = |k: usize| {
                let global = first[k] + local[k] - blocks.below[k];
                if blocks.periodic[k] { global.rem_euclid(blocks.extent[k]) } else { global }
            };
            let global: Vec<i64> = (0..rank).map(turned).collect();
            if beside == 0 || blocks.faces && beside > 1 {
                continue;
            }
            if let Some(spot) = own.get(&global) {
                all.insert((place, offset(place, &local)), *spot);
            }
        }
    }
    all
}

#[test]
fn halos_take_the_nearest_elements() {
    for (extent, grid) in [(vec![10], vec![3]), (vec![7, 6], vec![2, 3]), (vec![5, 4, 3], vec![2, 1, 2]), (vec![3, 5], vec![4, 1])] {
        let modes = extent.len();
        for choice in 0..16_u32 {
            let mut blocks = HaloBlocks::new(&extent, &grid);
            for k in 0..modes {
                blocks.below[k] = i64::from((choice >> (k % 2)) & 1) * 2;
                blocks.above[k] = i64::from((choice >> 1) & 1);
                blocks.periodic[k] = (choice >> 2) & 1 == 1 && k != 1;
            }
            blocks.faces = choice >> 3 == 1;
            let plan = blocks.halo().expect("a plan");
            assert_eq!(moves(&plan), expected(&blocks), "{blocks:?}");
            // The plan of one place has all its messages, copy for copy.
            for place in 0..grid.iter().product() {
                let part = blocks.halo_of(place).expect("a plan");
                for message in plan.messages().iter().filter(|message| [&message.from, &message.to].contains(&&Place::from(place))) {
                    assert!(part.messages().contains(message), "{blocks:?}: {message:?}");
                }
            }
        }
    }
    let wide = HaloBlocks { below: vec![4], ..HaloBlocks::new(&[3], &[1]) };
    assert_eq!(
        wide.halo().expect_err("too wide").to_string(),
        "mode 0 of size 3: 4 is not a valid extent, position of a piece, width of a halo or number of blocks"
    );
}

/// Returns the process and the local row and column where ScaLAPACK stores element `(i, j)`.
fn scalapack(matrix: &BlockCyclic, element: [i64; 2]) -> ([i64; 2], [i64; 2]) {
    let block = [0, 1].map(|k| element[k] / matrix.block[k]);
    let process = [0, 1].map(|k| (block[k] + matrix.first[k]) % matrix.grid[k]);
    let local = [0, 1].map(|k| block[k] / matrix.grid[k] * matrix.block[k] + element[k] % matrix.block[k]);
    (process, local)
}

#[test]
fn block_cyclic_matrices_lie_as_scalapack_has_them() {
    let matrices = [
        BlockCyclic { extent: [23, 17], block: [4, 3], grid: [2, 3], first: [0, 0] },
        BlockCyclic { extent: [23, 17], block: [1, 5], grid: [3, 2], first: [2, 1] },
        BlockCyclic { extent: [23, 17], block: [30, 2], grid: [1, 4], first: [0, 3] },
    ];
    for from in matrices {
        let mut counts = BTreeMap::new();
        for element in coordinates(&[23, 17]) {
            let (process, local) = scalapack(&from, [element[0], element[1]]);
            let spots = from.side().and_then(|side| side.spots(&[23, 17], &element)).expect("a spot");
            let [(place, offset)] = &spots[..] else { panic!("one spot") };
            assert_eq!(from.process(place), process);
            assert_eq!(BlockCyclic::offset(*offset, 100), local[0] + 100 * local[1]);
            let most: &mut [i64; 2] = counts.entry(process).or_default();
            *most = [0, 1].map(|k| most[k].max(local[k] + 1));
        }
        for (process, extent) in counts {
            assert_eq!(from.local_extent(process), extent, "{from:?} at {process:?}");
        }
        for to in matrices {
            let plan = from.side().and_then(|side| Planner::new().extent(&from.extent).plan(&side, &to.side()?)).expect("a plan");
            assert_eq!(plan.elements(), 23 * 17);
        }
    }
    let error = |matrix: BlockCyclic| matrix.side().map(|_| ()).expect_err("refused").to_string();
    assert_eq!(error(BlockCyclic { first: [2, 0], ..matrices[0] }), "a block-cyclic matrix cannot have RSRC = 2");
    assert_eq!(error(BlockCyclic { block: [4, 0], ..matrices[0] }), "a block-cyclic matrix cannot have NB = 0");
    assert_eq!(BlockCyclic::from_descriptor(&matrices[1].descriptor(7, 9), [3, 2]), Ok(matrices[1]));
    assert!(BlockCyclic::from_descriptor(&[2, 0, 4, 4, 1, 1, 0, 0, 4], [1, 1]).is_err());
}

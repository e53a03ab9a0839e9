//! The readers of vocabularies, compared with what the frameworks compute.

use crate::random::Random;
use placements::{KvCache, Mesh, PageOrder, ParallelLayer, Placement, Result, Rule};
use relayout::BlockCyclic;

/// Returns the chunks of `torch.chunk`.
fn chunks(list: &[i64], k: usize) -> Vec<Vec<i64>> {
    let size = list.len().div_ceil(k).max(1);
    (0..k).map(|j| list.iter().copied().skip(j * size).take(size).collect()).collect()
}

fn listed(placement: &Placement, device: usize) -> Vec<Vec<i64>> {
    let ranges = placement.ranges(device).expect("ranges");
    ranges.iter().map(|list| list.iter().flat_map(|[lo, hi]| *lo..*hi).collect()).collect()
}

#[test]
fn dtensors_chunk_as_torch_does() {
    let mut random = Random(3);
    for _ in 0..800 {
        let extents: Vec<i64> = (0..random.number(1, 3)).map(|_| random.number(1, 4)).collect();
        let mesh = Mesh::new(["a", "b", "c"].into_iter().zip(extents.iter().copied())).expect("a mesh");
        let n = random.number(1, 40);
        // Zero replicates, -1 shards, and other numbers are split factors.
        let mut kinds: Vec<i64> = extents.iter().map(|_| random.number(-1, 5)).collect();
        // A shard behind a strided one is an order, below.
        if let Some(first) = kinds.iter().position(|kind| *kind > 0) {
            kinds[first..].iter_mut().filter(|kind| **kind < 0).for_each(|kind| *kind = 0);
        }
        let text: Vec<String> = kinds
            .iter()
            .map(|kind| match kind {
                0 => "Replicate()".to_owned(),
                -1 => "Shard(dim=0)".to_owned(),
                factor => format!("_StridedShard(dim=0, split_factor={factor})"),
            })
            .collect();
        let placement = Placement::from_dtensor(&mesh, &[n], &format!("[{}]", text.join(", "))).expect("a placement");
        for device in 0..mesh.devices() {
            let mut list: Vec<i64> = (0..n).collect();
            for (k, kind) in kinds.iter().enumerate() {
                let (j, count) = (mesh.coordinate(device, k), mesh.extent(k));
                list = match kind {
                    0 => list,
                    -1 => chunks(&list, count)[j].clone(),
                    factor => chunks(&list, *factor as usize).iter().flat_map(|piece| chunks(piece, count)[j].clone()).collect(),
                };
            }
            assert_eq!(listed(&placement, device), [list], "{placement}, device {device}");
        }
    }
}

/// FSDP over tensor parallelism equals splits in the other order, for uneven ends too.
#[test]
fn strided_shards_are_an_order() -> Result<()> {
    for (dp, tp) in [(1, 3), (2, 2), (2, 4), (3, 4), (4, 3), (5, 2)] {
        let mesh = Mesh::new([("dp", dp), ("tp", tp)])?;
        for n in 1..=60 {
            // The constructor, and the two ways in which PyTorch prints it.
            let strided = match n % 3 {
                0 => format!("[_StridedShard(0, split_factor={tp}), Shard(0)]"),
                1 => format!("(_StridedShard(dim=0, sf={tp}), Shard(dim=0))"),
                _ => format!("(_S(0, {tp}), S(0))"),
            };
            let strided = Placement::from_dtensor(&mesh, &[n], &strided)?;
            for device in 0..mesh.devices() {
                let (i, j) = (device / tp as usize, device % tp as usize);
                let expected = chunks(&chunks(&(0..n).collect::<Vec<_>>(), tp as usize)[j], dp as usize)[i].clone();
                assert_eq!(listed(&strided, device), [expected], "{n} rows, {mesh}, device {device}");
            }
        }
    }
    // Two strided axes: the last axis splits first, then the middle one, then the first one.
    let mesh = Mesh::new([("a", 2), ("b", 3), ("c", 2)])?;
    let text = "[_StridedShard(0, split_factor=6), _StridedShard(0, split_factor=2), Shard(0)]";
    let strided = Placement::from_dtensor(&mesh, &[31], text)?;
    let ordered = Placement::new(&mesh, &[31])?.split(0, "c", Rule::Chunk)?.split(0, "b", Rule::Chunk)?.split(0, "a", Rule::Chunk)?;
    for device in 0..12 {
        assert_eq!(strided.ranges(device)?, ordered.ranges(device)?);
    }
    let error = |text: &str| Placement::from_dtensor(&mesh, &[31], text).map(|_| ()).map_err(|error| error.to_string());
    let factor = error("[_StridedShard(0, split_factor=4), Shard(0), R]");
    assert_eq!(factor, Err("DTensor: `split_factor` is 4, but the later mesh axes that split tensor axis 0 have 3 devices".into()));
    assert!(error("[_StridedShard(0, split_factor=3), Shard(0), Shard(0)]").is_err());
    Ok(())
}

#[test]
fn owners_of_hpf_and_scalapack() -> Result<()> {
    let mesh = Mesh::new([("p", 2), ("q", 3)])?;
    for (n, m, mb, nb, rsrc, csrc) in [(9, 8, 2, 3, 1, 2), (5, 17, 1, 4, 0, 1), (1, 1, 3, 3, 1, 0)] {
        let matrix = BlockCyclic { extent: [n, m], block: [mb, nb], grid: [2, 3], first: [rsrc, csrc] };
        let placement = Placement::from_block_cyclic(&matrix)?;
        let cyclic = Placement::from_hpf(&mesh, &[n, m, 2], &format!("(cyclic({mb}), CYCLIC( {nb} ), *)"))?;
        let blocks = Placement::from_hpf(&mesh, &[n, m], &format!("(BLOCK({n}), BLOCK)"))?;
        for device in 0..6 {
            let (row, column) = (device / 3, device % 3);
            let owned = |extent: i64, owner: &dyn Fn(i64) -> i64, at: i64| (0..extent).filter(|i| owner(*i) == at).collect::<Vec<_>>();
            let rows = owned(n, &|i| (i / mb + rsrc) % 2, row);
            let columns = owned(m, &|i| (i / nb + csrc) % 3, column);
            assert_eq!(listed(&placement, device as usize), [rows, columns]);
            let (rows, columns) = (owned(n, &|i| i / mb % 2, row), owned(m, &|i| i / nb % 3, column));
            assert_eq!(listed(&cyclic, device as usize), [rows, columns, vec![0, 1]]);
            let (rows, columns) = (owned(n, &|_| 0, row), owned(m, &|i| i / ((m + 2) / 3), column));
            assert_eq!(listed(&blocks, device as usize), [rows, columns]);
        }
    }
    Ok(())
}

#[test]
fn padded_vocabularies_of_megatron() -> Result<()> {
    for rows in [13, 32, 100, 50257] {
        for ranks in [1, 2, 4, 8] {
            for divisible_by in [1, 8, 128] {
                let mut padded = rows;
                while padded % (divisible_by * ranks) != 0 {
                    padded += 1;
                }
                let mesh = Mesh::new([("tp", ranks)])?;
                let embedding = Placement::from_megatron(&mesh, &[rows, 2], "tp", ParallelLayer::Vocabulary { divisible_by })?;
                for rank in 0..ranks {
                    let (lo, hi) = ((rank * padded / ranks).min(rows), ((rank + 1) * padded / ranks).min(rows));
                    assert_eq!(listed(&embedding, rank as usize), [(lo..hi).collect::<Vec<_>>(), vec![0, 1]]);
                }
            }
        }
    }
    Ok(())
}

/// The ranks of an element of a cache, as vLLM assigns layers, heads and tokens.
fn ranks(cache: &KvCache, layer: i64, token: i64, head: i64) -> Vec<i64> {
    let (least, more) = (cache.layers / cache.pipeline_parallel, cache.layers % cache.pipeline_parallel);
    let mut partitions = vec![least; cache.pipeline_parallel as usize];
    for i in 2..more as usize + 2 {
        let at = partitions.len() - i;
        partitions[at] += 1;
    }
    let mut stage = 0;
    let mut end = partitions[0];
    while layer >= end {
        stage += 1;
        end += partitions[stage];
    }
    let replicas = (cache.tensor_parallel / cache.heads).max(1);
    let per_rank = (cache.heads / cache.tensor_parallel).max(1);
    (0..cache.tensor_parallel)
        .filter(|rank| {
            let own = if cache.tensor_parallel > cache.heads { rank / replicas == head } else { head / per_rank == *rank };
            own && token / cache.interleave % cache.decode_context_parallel == rank % cache.decode_context_parallel
        })
        .map(|rank| stage as i64 * cache.tensor_parallel + rank)
        .collect()
}

#[test]
fn caches_lie_as_in_vllm() -> Result<()> {
    let one = KvCache::new(5, 13, 4, 3);
    let caches = [
        one,
        KvCache { tensor_parallel: 2, pipeline_parallel: 3, ..one },
        KvCache { tensor_parallel: 8, pipeline_parallel: 2, decode_context_parallel: 2, ..one },
        KvCache { tensor_parallel: 16, decode_context_parallel: 2, interleave: 2, ..one },
        KvCache { heads: 1, tensor_parallel: 4, decode_context_parallel: 4, interleave: 1, ..one },
    ];
    for cache in caches {
        let placement = cache.placement()?;
        let lists: Vec<_> = (0..placement.mesh().devices()).map(|device| listed(&placement, device)).collect();
        for (block, order) in [(4, PageOrder::Nhd), (4, PageOrder::Hnd), (8, PageOrder::Hnd), (2, PageOrder::Nhd)] {
            let side = cache.pages(block, order)?;
            for (layer, token, head) in (0..5).flat_map(|l| (0..13).flat_map(move |t| (0..cache.heads).map(move |h| (l, t, h)))) {
                let expected = ranks(&cache, layer, token, head);
                let holds = |list: &&Vec<Vec<i64>>| list[0].contains(&layer) && list[2].contains(&token) && list[3].contains(&head);
                assert_eq!(lists.iter().filter(holds).count(), expected.len());
                assert!(expected.iter().all(|rank| holds(&&lists[*rank as usize])), "{cache:?}");
                let mut spots = side.spots(placement.shape(), &[layer, 1, token, head, 2])?;
                spots.sort();
                for ((place, offset), rank) in spots.iter().zip(&expected) {
                    let local = lists[*rank as usize][2].iter().position(|own| *own == token).expect("a token") as i64;
                    let heads = &lists[*rank as usize][3];
                    let (slot, own) = (local % block, heads.iter().position(|own| *own == head).expect("a head") as i64);
                    let at = match order {
                        PageOrder::Nhd => slot * heads.len() as i64 + own,
                        PageOrder::Hnd => own * block + slot,
                    };
                    assert_eq!((place.numbers(), *offset), (&[*rank, layer, 1, local / block][..], at * 3 + 2), "{cache:?}");
                }
                assert_eq!(spots.len(), expected.len());
            }
        }
    }
    Ok(())
}

#[test]
fn texts_that_are_refused() -> Result<()> {
    let mesh = Mesh::new([("x", 2), ("y", 3)])?;
    let dtensor = |text: &str| Placement::from_dtensor(&mesh, &[6, 6], text).map(|_| ()).map_err(|error| error.to_string());
    let jax = |text: &str| Placement::from_partition_spec(&mesh, &[6, 6], text).map(|_| ()).map_err(|error| error.to_string());
    let hpf = |text: &str| Placement::from_hpf(&mesh, &[6, 6], text).map(|_| ()).map_err(|error| error.to_string());
    let cases = [
        (dtensor(""), "DTensor: expected a list of placements at byte 0 of ``"),
        (dtensor("[Shard(0)]"), "DTensor: `placements` is 1, but the mesh has 2 axes"),
        (dtensor("[Shard(0), Shard(2)]"), "the tensor has no axis 2: it has 2, counted from 0"),
        (dtensor("[Shard(0), Shard(-3)]"), "the tensor has no axis -3: it has 2, counted from 0"),
        (dtensor("[Shard(), Replicate()]"), "DTensor: expected an integer of 64 bits at byte 7 of `[Shard(), Replicate()]`"),
        (dtensor("[Partial(prod), R]"), "DTensor: expected one of sum, avg, min and max before this at byte 14 of `[Partial(prod), R]`"),
        (dtensor("[Partial(min), P]"), "mesh axis `y` has partial results by sum, but another axis by min: reduce one of them first"),
        (dtensor("[_StridedShard(0, split_factor=0), R]"), "tensor axis 0, mesh axis `x`: the rule has 0, which is not in 1 to 262144"),
        (dtensor("[R, R] [R]"), "DTensor: expected the end at byte 7 of `[R, R] [R]`"),
        (jax("('x')"), "PartitionSpec: expected P or PartitionSpec at byte 0 of `('x')`"),
        (jax("P('z')"), "the mesh has no axis `z`: its axes are `x`, `y`"),
        (jax("P('x', 'x')"), "mesh axis `x` is used twice: one split or one partial result takes it up"),
        (jax("P(None, None, None)"), "3 axes are given, but the tensor has 2"),
        (jax("P('x"), "PartitionSpec: expected None, a name in quotes, or a tuple of names at byte 2 of `P('x`"),
        (jax("P('x' 'y')"), "PartitionSpec: expected a comma or the end of the list at byte 6 of `P('x' 'y')`"),
        (hpf("(BLOCK, CYCLIC"), "HPF: expected a comma or the end of the list at byte 14 of `(BLOCK, CYCLIC`"),
        (hpf("(BLOCK, *, *)"), "3 axes are given, but the tensor has 2"),
        (hpf("(BLOCK(2), CYCLIC)"), "tensor axis 0, mesh axis `x`: the rule has 2, which is not in 3 to 9223372036854775807"),
        (hpf("(CYCLIC(99999999999999999999), *)"), "HPF: expected an integer of 64 bits at byte 8 of `(CYCLIC(99999999999999999999), *)`"),
    ];
    for (found, expected) in cases {
        // An unfinished quote may be refused at the quote.
        assert_eq!(
            found.map_err(|error| error.replace("a name in quotes at", "None, a name in quotes, or a tuple of names at")),
            Err(expected.into())
        );
    }
    assert_eq!(dtensor("( Partial ( reduce_op = 'sum' ) , S(1), )"), Ok(()));
    assert_eq!(jax("PartitionSpec(('x', 'y'), None, unreduced={})"), Ok(()));
    Ok(())
}

/// No text makes a reader panic or slow.
#[test]
fn any_text_is_answered() -> Result<()> {
    let mesh = Mesh::new([("x", 2), ("y", 2)])?;
    let texts = [
        "[_StridedShard(dim=0, split_factor=2), Partial(reduce_op='sum')]",
        "P(('x', 'y'), None, unreduced={'x'})",
        "NamedSharding(mesh=Mesh('x': 2, 'y': 2, axis_types=(Auto, Auto)), spec=PartitionSpec('x',), memory_kind=device)",
        "(BLOCK(4), CYCLIC(2))",
    ];
    let read = |text: &str| {
        let all = [
            Placement::from_dtensor(&mesh, &[4, 4], text),
            Placement::from_partition_spec(&mesh, &[4, 4], text),
            Placement::from_named_sharding(&[4, 4], text),
            Placement::from_hpf(&mesh, &[4, 4], text),
        ];
        all.into_iter().flatten().count()
    };
    let mut random = Random(4);
    for text in texts {
        let characters: Vec<char> = text.chars().collect();
        for _ in 0..3000 {
            let mut changed = characters.clone();
            for _ in 0..random.number(1, 3) {
                let at = random.number(0, changed.len() as i64 - 1) as usize;
                match random.number(0, 2) {
                    0 => changed.truncate(at.max(1)),
                    1 => changed[at] = ['(', ')', '\'', '-', '9', 'é', ',', '∞'][random.number(0, 7) as usize],
                    _ => changed.insert(at, characters[random.number(0, characters.len() as i64 - 1) as usize]),
                }
            }
            read(&changed.into_iter().collect::<String>());
        }
    }
    for piece in ["(", "P(", "'", "9", "[R,", "P('x',", "P('x': 1,"] {
        assert_eq!(read(&piece.repeat(100_000)), 0);
    }
    Ok(())
}

/// `Rule::Even` among explicit sizes: every rule that covers the axis evenly gives the same parts.
#[test]
fn even_splits_are_one() -> Result<()> {
    let mesh = Mesh::new([("x", 4)])?;
    let all = Placement::new(&mesh, &[20])?;
    let rules = [Rule::Even, Rule::Chunk, Rule::Balanced, Rule::Size(5), Rule::Block(5), Rule::Strided(1), Rule::Cuts(vec![5, 10, 15])];
    for rule in rules {
        let split = all.clone().split(0, "x", rule)?;
        assert_eq!(
            (0..4).map(|device| split.ranges(device)).collect::<Result<Vec<_>>>()?,
            [[[[0, 5]]], [[[5, 10]]], [[[10, 15]]], [[[15, 20]]]]
        );
    }
    Ok(())
}

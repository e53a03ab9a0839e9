//! Moves between ranks, against parts by single indices.

use crate::naive::{Random, Ranks, Tensors, Whole, compare, on, read, reshard, save, tensor, write};
use checkpoints::{Checkpoint, CheckpointSpec, Dtype, PlanOptions, ReshardPlan, verify};
use half::{bf16, f16};
use std::collections::BTreeMap;
use std::path::Path;

fn ranks(random: &mut Random, tensors: &Tensors) -> Ranks {
    let axes = 1 + random.below(3) as usize;
    let mesh: Vec<(String, usize)> = (0..axes).map(|axis| (format!("m{axis}"), 1 + random.below(4) as usize)).collect();
    let mut splits = BTreeMap::new();
    for (name, whole) in tensors {
        let mut list = vec![];
        for axis in 0..axes {
            if whole.shape.is_empty() || random.below(3) == 0 {
                continue;
            }
            let rule = ["chunk", "balanced", r#"{"block": 2}"#][random.below(3) as usize];
            list.push((random.below(whole.shape.len() as u64) as usize, axis, rule.to_string()));
        }
        splits.insert(name.clone(), list);
    }
    Ranks { mesh, splits }
}

#[test]
fn random_placements() {
    for seed in 0..120 {
        let random = &mut Random(seed);
        let mut tensors = Tensors::new();
        for number in 0..1 + random.below(4) {
            let dtype = [Dtype::U8, Dtype::BF16, Dtype::F32, Dtype::I64][random.below(4) as usize];
            let shape: Vec<usize> = (0..random.below(4)).map(|_| random.below(20) as usize).collect();
            tensors.insert(format!("t{number}"), tensor(random, dtype, &shape));
        }
        let (from, to) = (ranks(random, &tensors), ranks(random, &tensors));
        let folder = tempfile::tempdir().expect("a folder");
        let (source, target) = (folder.path().join("a"), folder.path().join("b"));
        save(&source, &from, &tensors);
        let memory = [320, 2000, 1 << 20][random.below(3) as usize];
        let options =
            PlanOptions { memory, journal_bytes: [500, 1 << 20][usize::from(seed % 8 > 0)], threads: 2, ..PlanOptions::default() };
        let checkpoint = Checkpoint::open(&source, &from.spec()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let plan = ReshardPlan::new(&checkpoint, &to.spec(), &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        plan.run(&target, false, &on).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        compare(&target, &to, &tensors);
        let written = Checkpoint::open(&target, &to.spec()).expect("a valid target");
        assert_eq!(verify(&checkpoint, &written, &options, &on).expect("equal tensors"), tensors.len());
        // Every byte is read once, whatever the replicas.
        let bytes: usize = tensors.values().map(|one| one.bytes.len()).sum();
        assert_eq!(plan.summary().expect("costs").bytes_read, bytes as u64);
    }
}

/// A small model with the names of Hugging Face.
fn llama(random: &mut Random) -> Tensors {
    let shapes: [(&str, &[usize]); 9] = [
        ("model.embed_tokens.weight", &[37, 12]),
        ("model.layers.0.self_attn.q_proj.weight", &[12, 12]),
        ("model.layers.0.self_attn.k_proj.bias", &[12]),
        ("model.layers.0.self_attn.o_proj.weight", &[12, 12]),
        ("model.layers.0.mlp.gate_proj.weight", &[30, 12]),
        ("model.layers.0.mlp.down_proj.weight", &[12, 30]),
        ("model.layers.0.input_layernorm.weight", &[12]),
        ("model.norm.weight", &[12]),
        ("lm_head.weight", &[37, 12]),
    ];
    shapes.iter().map(|(name, shape)| (name.to_string(), tensor(random, Dtype::BF16, shape))).collect()
}

fn preset(mesh: &str, name: &str) -> CheckpointSpec {
    CheckpointSpec::from_toml(&format!("mesh = [{mesh}]\nfiles = \"r{{rank}}.safetensors\"\npreset = \"{name}\"")).expect("a specification")
}

#[test]
fn whole_tensors_to_ranks_and_back() {
    let tensors = llama(&mut Random(1));
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("whole/model.safetensors"), &tensors);
    let options = PlanOptions { memory: 4000, ..PlanOptions::default() };
    let (whole, four, six) = (CheckpointSpec::whole(), preset(r#"["tp", 4]"#, "llama"), preset(r#"["dp", 2], ["tp", 3]"#, "llama"));
    reshard(&at("whole"), &at("four"), &whole, &four, &options).expect("four ranks");
    // 37 rows in chunks of 10.
    assert_eq!(read(&at("four/r3.safetensors"))["lm_head.weight"].shape, [7, 12]);
    assert_eq!(read(&at("four/r1.safetensors"))["model.layers.0.mlp.down_proj.weight"].shape, [12, 8]);
    assert_eq!(read(&at("four/r1.safetensors"))["model.norm.weight"], tensors["model.norm.weight"]);
    reshard(&at("four"), &at("six"), &four, &six, &options).expect("six ranks");
    let sharded = PlanOptions { shard_size: Some(1500), ..options };
    reshard(&at("six"), &at("back"), &six, &whole, &sharded).expect("whole tensors");
    let index = std::fs::read_to_string(at("back/model.safetensors.index.json")).expect("an index");
    let index: serde_json::Value = serde_json::from_str(&index).expect("JSON");
    let total: usize = tensors.values().map(|one| one.bytes.len()).sum();
    assert_eq!(index["metadata"]["total_size"], total);
    for (name, whole) in &tensors {
        let file = index["weight_map"][name].as_str().unwrap_or_else(|| panic!("{name} is not in the index"));
        assert_eq!(read(&at("back").join(file))[name], *whole, "{name}");
    }
    assert!(std::fs::read_dir(at("back")).expect("a folder").count() >= 3);
    // The index is read, too.
    reshard(&at("back"), &at("again"), &whole, &whole, &PlanOptions::default()).expect("one file");
    assert_eq!(read(&at("again/model.safetensors")), tensors);
    let names =
        |path: &Path| std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>();
    assert_eq!(names(&at("again")), ["model.safetensors"]);
    let bytes = std::fs::read(at("again/model.safetensors")).expect("a file");
    let (_, metadata) = safetensors::SafeTensors::read_metadata(&bytes).expect("a header");
    assert_eq!(metadata.metadata().as_ref().and_then(|all| all.get("format")).map(String::as_str), Some("pt"));
}

#[test]
fn experts_belong_to_ranks() {
    let random = &mut Random(2);
    let mut tensors = llama(random);
    for expert in 0..5 {
        for (layer, shape) in [("w1", [8, 12]), ("w2", [12, 8]), ("w3", [8, 12])] {
            tensors.insert(format!("model.layers.0.block_sparse_moe.experts.{expert}.{layer}.weight"), tensor(random, Dtype::F16, &shape));
        }
    }
    tensors.insert("model.layers.0.block_sparse_moe.gate.weight".into(), tensor(random, Dtype::F16, &[5, 12]));
    tensors.insert("model.layers.1.mlp.experts.gate_up_proj".into(), tensor(random, Dtype::F16, &[5, 3, 4]));
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("whole/weights.safetensors"), &tensors);
    let (two, three) = (preset(r#"["ep", 2], ["tp", 2]"#, "moe"), preset(r#"["ep", 3]"#, "moe"));
    reshard(&at("whole"), &at("two"), &CheckpointSpec::whole(), &two, &PlanOptions::default()).expect("two groups");
    let second = read(&at("two/r2.safetensors"));
    assert!(!second.contains_key("model.layers.0.block_sparse_moe.experts.2.w1.weight"));
    assert_eq!(second["model.layers.0.block_sparse_moe.experts.3.w2.weight"].shape, [12, 4]);
    assert_eq!(second["model.layers.1.mlp.experts.gate_up_proj"].shape, [2, 3, 4]);
    reshard(&at("two"), &at("three"), &two, &three, &PlanOptions::default()).expect("three groups");
    assert_eq!(read(&at("three/r2.safetensors")).keys().filter(|name| name.contains("moe.experts")).count(), 3);
    reshard(&at("three"), &at("back"), &three, &CheckpointSpec::whole(), &PlanOptions::default()).expect("whole tensors");
    assert_eq!(read(&at("back/model.safetensors")), tensors);
}

fn floats(values: &[f32]) -> Whole {
    Whole { dtype: Dtype::F32, shape: vec![values.len()], bytes: values.iter().flat_map(|value| value.to_le_bytes()).collect() }
}

#[test]
fn casts_keep_integers() {
    let values: Vec<f32> = (0..200_u32).map(|k| f32::from_bits(k.wrapping_mul(0x9E37_79B9) & 0x7F7F_FFFF)).collect();
    let integers = tensor(&mut Random(3), Dtype::I32, &[7]);
    let tensors = Tensors::from([("a".into(), floats(&values)), ("ids".into(), integers.clone())]);
    let ranks =
        Ranks { mesh: vec![("x".into(), 3)], splits: BTreeMap::from([("a".into(), vec![(0, 0, "chunk".into())]), ("ids".into(), vec![])]) };
    let folder = tempfile::tempdir().expect("a folder");
    save(&folder.path().join("a"), &ranks, &tensors);
    let expected = |to: &dyn Fn(f32) -> Vec<u8>| values.iter().flat_map(|value| to(*value)).collect::<Vec<u8>>();
    for (dtype, bytes) in [
        (Dtype::BF16, expected(&|value| bf16::from_f32(value).to_le_bytes().into())),
        (Dtype::F16, expected(&|value| f16::from_f32(value).to_le_bytes().into())),
        (Dtype::F64, expected(&|value| f64::from(value).to_le_bytes().into())),
        (Dtype::F8_E4M3, expected(&|value| vec![float8::F8E4M3::from_f32(value).to_bits()])),
    ] {
        let options = PlanOptions { cast: Some(dtype), memory: 1000, ..PlanOptions::default() };
        let target = folder.path().join(dtype.to_string());
        reshard(&folder.path().join("a"), &target, &ranks.spec(), &CheckpointSpec::whole(), &options).expect("a cast");
        let found = read(&target.join("model.safetensors"));
        assert_eq!((found["a"].dtype, &found["a"].bytes), (dtype, &bytes));
        assert_eq!(found["ids"], integers);
        let (source, written) =
            (Checkpoint::open(&folder.path().join("a"), &ranks.spec()), Checkpoint::open(&target, &CheckpointSpec::whole()));
        let (source, written) = (source.expect("a source"), written.expect("a target"));
        assert_eq!(verify(&source, &written, &options, &on).expect("equal tensors"), 2);
        assert!(verify(&source, &written, &PlanOptions::default(), &on).is_err());
    }
}

#[test]
fn partial_sums_are_summed_in_the_order_of_ranks() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = [[1e8, 1.0, 0.5], [1.0, 2.0, 0.25], [-1e8, 3.0, 0.125]];
    for (rank, part) in parts.iter().enumerate() {
        write(&folder.path().join(format!("a/r{rank}.safetensors")), &Tensors::from([("g".into(), floats(part))]));
    }
    let text = |reduction: &str| {
        format!(
            r#"{{"mesh": [["x", 3]], "files": "r{{rank}}.safetensors", "tensors": [{{"name": "g", "partial": {{"x": "{reduction}"}}}}]}}"#
        )
    };
    let spec = |reduction: &str| CheckpointSpec::from_json(&text(reduction)).expect("a specification");
    let (source, target) = (folder.path().join("a"), folder.path().join("b"));
    reshard(&source, &target, &spec("sum"), &CheckpointSpec::whole(), &PlanOptions::default()).expect("sums");
    let sums: Vec<f32> = (0..3).map(|k| parts[0][k] + parts[1][k] + parts[2][k]).collect();
    assert_eq!(read(&target.join("model.safetensors"))["g"], floats(&sums));
    let refused = |from: CheckpointSpec, to: CheckpointSpec| {
        reshard(&source, &folder.path().join("c"), &from, &to, &PlanOptions::default()).expect_err("a refusal").to_string()
    };
    assert!(refused(spec("max"), CheckpointSpec::whole()).starts_with("tensor `g`: partial results are read if they are sums"));
    assert_eq!(
        refused(spec("sum"), spec("sum")),
        "tensor `g`: the target has partial results on mesh axis `x`, which files of a target cannot have"
    );
}

//! Sources and targets that are refused, and the messages.

use crate::naive::{Random, Ranks, Tensors, on, reshard, save, tensor, write};
use checkpoints::{Checkpoint, CheckpointError, CheckpointSpec, Dtype, PlanOptions, ReshardPlan};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn two() -> (tempfile::TempDir, Ranks) {
    let tensors = Tensors::from([("w".into(), tensor(&mut Random(4), Dtype::F32, &[5, 3]))]);
    let ranks = Ranks { mesh: vec![("x".into(), 2)], splits: BTreeMap::from([("w".into(), vec![(0, 0, "chunk".into())])]) };
    let folder = tempfile::tempdir().expect("a folder");
    save(&folder.path().join("a"), &ranks, &tensors);
    (folder, ranks)
}

/// Returns the message of the refusal without the names of folders.
fn message(folder: &Path, spec: &CheckpointSpec) -> String {
    let error = Checkpoint::open(folder, spec).err().expect("a refusal").to_string();
    error.replace(&format!("{}/", folder.display()), "")
}

fn header(text: &str, data: usize) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &vec![0; data]].concat()
}

#[test]
fn headers() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |bytes: &[u8]| {
        std::fs::write(folder.path().join("model.safetensors"), bytes).expect("a file");
        message(folder.path(), &CheckpointSpec::whole()).replace("model.safetensors: ", "")
    };
    assert!(refused(b"abc").starts_with("not a safetensors file: it has 3 bytes"));
    assert_eq!(refused(&[0xFF; 20]), format!("the header has {} bytes according to its length, but at most 12 are possible", u64::MAX));
    assert!(refused(&header("[]", 0)).starts_with("the header is invalid: "));
    let one = r#"{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#;
    assert_eq!(refused(&header(one, 23)), "tensor `a`: its bytes 0 to 24 are not within the 23 bytes of data: is the file truncated?");
    assert_eq!(refused(&header(one, 25)), "the tensors have 24 bytes, but the file has 25 bytes of data");
    assert_eq!(
        refused(&header(&one.replace("[2,3]", "[2,2]"), 24)),
        "tensor `a`: the shape [2, 2] of type F32 does not have the 24 bytes of its offsets"
    );
    assert!(refused(&header(&one.replace("[2,3]", "[9223372036854775807,9]"), 24)).contains("does not have the 24 bytes"));
    assert!(refused(&header(&one.replace("[0,24]", "[24,0]"), 24)).starts_with("tensor `a`: its bytes 24 to 0"));
    assert!(refused(&header(&one.replace("F32", "F4"), 24)).contains("smaller than a byte"));
    assert!(refused(&header(&one.replace("F32", "F33"), 24)).contains("tensor `a`: unknown variant `F33`"));
    let twice = r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}"#;
    assert_eq!(refused(&header(twice, 2)), "tensor `a`: the header has this name twice");
    assert_eq!(
        refused(&header(&twice.replacen("\"a\"", "\"b\"", 1).replace("[1,2]", "[0,1]"), 1)),
        "tensor `b` begins at byte 0 of the data, but the tensor before it ends at 1"
    );
}

#[test]
fn ranks_and_shapes() {
    let (folder, ranks) = two();
    let source = folder.path().join("a");
    assert!(Checkpoint::open(&source, &ranks.spec()).is_ok());
    let more = Ranks { mesh: vec![("x".into(), 3)], ..ranks.clone() };
    assert_eq!(message(&source, &more.spec()), "part/002.safetensors: the file of rank 2 of 3 is missing");
    let other = Ranks { splits: BTreeMap::from([("v".into(), vec![])]), ..ranks.clone() };
    assert_eq!(
        message(&source, &other.spec()),
        "tensor `w`: no pattern matches this name: add an entry `[[tensors]]` or a `preset` to the specification; the patterns are: `v`"
    );
    // 3 and 2 rows are chunks, and no replicas.
    let replicas = Ranks { splits: BTreeMap::from([("w".into(), vec![])]), ..ranks.clone() };
    assert_eq!(
        message(&source, &replicas.spec()),
        "tensor `w`: rank 1 (part/001.safetensors) has the extent 2 on axis 0, but its placement has 3 (the whole shape [3, 3], pattern `w`)"
    );
    let even = Ranks { splits: BTreeMap::from([("w".into(), vec![(0, 0, "even".into())])]), ..ranks.clone() };
    assert_eq!(
        message(&source, &even.spec()),
        "tensor `w`: tensor axis 0: 5 indices do not divide evenly among the 2 devices of mesh axis `x`"
    );
    let second = source.join("part/001.safetensors");
    write(&second, &Tensors::from([("w".into(), tensor(&mut Random(5), Dtype::BF16, &[2, 3]))]));
    assert!(message(&source, &ranks.spec()).contains("of type F32, but rank 1 (part/001.safetensors) of BF16"));
    write(&second, &Tensors::new());
    assert_eq!(
        message(&source, &ranks.spec()),
        "tensor `w`: rank 1 (part/001.safetensors) lacks it, but the placement gives it a part of the whole shape [3, 3]: [1, 3]"
    );
}

#[test]
fn specifications() {
    let refused = |text: &str| CheckpointSpec::from_toml(text).expect_err("a refusal").to_string();
    assert_eq!(
        refused("mesh = [[\"x\", 2], [\"x\", 3]]\nfiles = \"{rank}\""),
        "mesh: the mesh has two axes `x`: give each axis its own name"
    );
    assert!(refused("mesh = [[\"x\", 2]]").starts_with("the key `files` is missing"));
    assert!(refused("file = \"a\"").contains("unknown field `file`"));
    assert!(refused("[[tensors]]\nname = \"a\"\nsplit = []").contains("unknown field `split`"));
    assert_eq!(refused("preset = \"gpt\""), "preset: `gpt` is neither `llama` nor `moe`");
    assert!(CheckpointSpec::read(Path::new("spec.yaml")).is_err());
    let (folder, ranks) = two();
    let spec = |rule: &str| {
        let text = format!(r#"{{"mesh": [["x", 2]], "files": "part/{{rank:03}}.safetensors", "tensors": [{{"name": "w", {rule}}}]}}"#);
        message(&folder.path().join("a"), &CheckpointSpec::from_json(&text).expect("a specification"))
    };
    assert_eq!(spec(r#""spec": ["y"]"#), "tensor `w`: the mesh has no axis `y`: its axes are `x`");
    assert_eq!(spec(r#""spec": ["x", "x"]"#), "tensor `w`: mesh axis `x` is used twice: one split or one partial result takes it up");
    assert!(spec(r#""experts": "x""#).contains("the name has no number after `experts.`"));
    assert!(spec(r#""shape": [6, 3], "dtensor": "[Shard(0)]""#).contains("has the extent 2 on axis 0, but its placement has 3"));
    let target = CheckpointSpec::from_toml("[[tensors]]\nname = \"*\"\nshape = [3, 5]").expect("a specification");
    let error = reshard(&folder.path().join("a"), &folder.path().join("b"), &ranks.spec(), &target, &PlanOptions::default());
    assert_eq!(error.expect_err("a refusal").to_string(), "tensor `w`: the target has the shape [3, 5], but the source [5, 3]");
}

#[test]
fn files_of_several_ranks_need_equal_parts() {
    let (folder, _) = two();
    let text = |splits: &str| {
        format!(r#"{{"mesh": [["dp", 2], ["x", 2]], "files": "part/00{{x}}.safetensors", "tensors": [{{"name": "w", {splits}}}]}}"#)
    };
    let replicas = CheckpointSpec::from_json(&text(r#""dtensor": "[Replicate(), Shard(0)]""#)).expect("a specification");
    reshard(&folder.path().join("a"), &folder.path().join("b"), &replicas, &replicas, &PlanOptions::default())
        .expect("replicas in one file");
    assert_eq!(
        std::fs::read(folder.path().join("a/part/001.safetensors")).ok(),
        std::fs::read(folder.path().join("b/part/001.safetensors")).ok()
    );
    let shards = CheckpointSpec::from_json(&text(r#""dtensor": "[Shard(1), Shard(0)]""#)).expect("a specification");
    let error = reshard(&folder.path().join("a"), &folder.path().join("c"), &replicas, &shards, &PlanOptions::default());
    assert!(error.expect_err("a refusal").to_string().contains("`files` needs more placeholders"));
}

#[test]
fn existing_files_stay() {
    let (folder, ranks) = two();
    let (source, target) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::create_dir_all(&target).expect("a folder");
    let taken: PathBuf = target.join("model.safetensors");
    std::fs::write(&taken, "of another program").expect("a file");
    let checkpoint = Checkpoint::open(&source, &ranks.spec()).expect("a source");
    let plan = ReshardPlan::new(&checkpoint, &CheckpointSpec::whole(), &PlanOptions::default()).expect("a plan");
    for fresh in [false, true] {
        let error = plan.run(&target, fresh, &on).expect_err("a refusal");
        assert!(matches!(&error, CheckpointError::Target { path, .. } if *path == taken), "{error}");
        assert_eq!(std::fs::read_to_string(&taken).expect("the file"), "of another program");
    }
    assert_eq!(std::fs::read_dir(&target).expect("a folder").count(), 1);
}

#[test]
fn indexes_tell_the_truth() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("one.safetensors"), &Tensors::from([("w".into(), tensor(&mut Random(4), Dtype::F32, &[2, 3]))]));
    let refused = |map: &str| {
        let text = format!(r#"{{"metadata": {{}}, "weight_map": {map}}}"#);
        std::fs::write(folder.path().join("model.safetensors.index.json"), text).expect("an index");
        Checkpoint::open(folder.path(), &CheckpointSpec::whole()).err().map(|error| error.to_string())
    };
    assert_eq!(refused(r#"{"w": "one.safetensors"}"#), None);
    assert!(refused(r#"{"w": "one.safetensors", "v": "one.safetensors"}"#).is_some_and(|text| text.starts_with("tensor `v`: ")));
    for outside in ["../one.safetensors", "/one.safetensors", "one.safetensors/", ""] {
        let text = refused(&format!(r#"{{"w": "{outside}"}}"#)).expect("a refusal");
        assert!(text.ends_with(&format!("tensor `w` is in `{outside}`, which is not in the folder")), "{text}");
    }
}

#[test]
fn targets_are_apart_from_sources_and_older_files() {
    let (folder, ranks) = two();
    let source = folder.path().join("a");
    let checkpoint = Checkpoint::open(&source, &ranks.spec()).expect("a source");
    let whole = ReshardPlan::new(&checkpoint, &CheckpointSpec::whole(), &PlanOptions::default()).expect("a plan");
    let error = whole.run(&source.join("part"), false, &on).expect_err("a refusal").to_string();
    assert!(error.contains("the files of the source are there"), "{error}");
    let target = folder.path().join("b");
    std::fs::create_dir_all(&target).expect("a folder");
    std::fs::write(target.join("model.safetensors.index.json"), "{}").expect("a file");
    let error = whole.run(&target, false, &on).expect_err("a refusal").to_string();
    assert!(error.contains("model.safetensors.index.json") && error.contains("readers would take it"), "{error}");

    // Files of several ranks, which have different experts.
    write(&folder.path().join("model.safetensors"), &Tensors::from([("experts.1.w".into(), tensor(&mut Random(4), Dtype::F32, &[2]))]));
    let checkpoint = Checkpoint::open(folder.path(), &CheckpointSpec::whole()).expect("a source");
    let text = r#"{"mesh": [["ep", 2]], "files": "all", "tensors": [{"name": "*", "experts": "ep"}]}"#;
    let spec = CheckpointSpec::from_json(text).expect("a specification");
    let error = ReshardPlan::new(&checkpoint, &spec, &PlanOptions::default()).err().expect("a refusal").to_string();
    assert!(error.contains("all stands for ranks with other experts"), "{error}");
    let error = ReshardPlan::new(&checkpoint, &CheckpointSpec::whole(), &PlanOptions { memory: 319, ..PlanOptions::default() }).err();
    assert!(error.expect("a refusal").to_string().contains("319 bytes are too few"));
}

/// A journal is a file of somebody: no file outside of the folder is removed because of it.
#[test]
fn journals_name_files_of_their_folder() {
    let (folder, ranks) = two();
    let checkpoint = Checkpoint::open(&folder.path().join("a"), &ranks.spec()).expect("a source");
    let plan = ReshardPlan::new(&checkpoint, &ranks.spec(), &PlanOptions::default()).expect("a plan");
    let (target, other) = (folder.path().join("b"), folder.path().join("other"));
    std::fs::create_dir_all(&target).expect("a folder");
    std::fs::write(&other, "of another program").expect("a file");
    let journal = target.join(".reshard.journal");
    for name in ["../other".into(), other.display().to_string(), "part/../../other".into()] {
        let text = format!("{}\n\"naming\"\n", serde_json::json!({"arguments": {}, "files": [name]}));
        std::fs::write(&journal, text).expect("a journal");
        for fresh in [false, true] {
            let error = plan.run(&target, fresh, &on).expect_err("a refusal").to_string();
            assert!(error.contains("this is no journal of a run"), "{error}");
        }
        assert!(other.exists());
    }
    // A run that ended before its first line was whole has no files.
    for text in ["", "{\"arguments"] {
        std::fs::write(&journal, text).expect("a journal");
        plan.run(&target, false, &on).expect("a run");
        assert!(!journal.exists());
        std::fs::remove_dir_all(target.join("part")).expect("the files");
    }
}

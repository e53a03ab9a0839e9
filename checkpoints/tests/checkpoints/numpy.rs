//! Checkpoints of NumPy's files and of HDF5, against those of safetensors.

use crate::naive::{Random, Ranks, Tensors, compare, on, reshard, save, tensor};
use checkpoints::{Checkpoint, CheckpointError, CheckpointSpec, Dtype, PlanOptions, ReshardPlan};
use std::collections::BTreeMap;
use std::fs;

const TYPES: [Dtype; 5] = [Dtype::BOOL, Dtype::I16, Dtype::F16, Dtype::F32, Dtype::C64];

fn one_file_each(ranks: &Ranks) -> CheckpointSpec {
    let json = ranks.json().replace("part/{rank:03}.safetensors", "r{rank}/{tensor}.npy");
    CheckpointSpec::from_json(&json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn an_array_for_each_tensor() {
    for seed in 0..12 {
        let random = &mut Random(seed);
        let name = |number: u64| ["a", "b.weight", "layers/0/w"][number as usize].to_string();
        let tensors: Tensors = (0..3)
            .map(|number| {
                let shape: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(9) as usize).collect();
                let dtype = TYPES[random.below(TYPES.len() as u64) as usize];
                (name(number), tensor(random, dtype, &shape))
            })
            .collect();
        let ranks = |count: usize, random: &mut Random| Ranks {
            mesh: vec![("x".into(), count)],
            splits: tensors
                .iter()
                .map(|(name, one)| (name.clone(), vec![(random.below(one.shape.len() as u64) as usize, 0, "chunk".into())]))
                .collect(),
        };
        let (from, through, to) = (ranks(2, random), ranks(3, random), ranks(4, random));
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        save(&at("a"), &from, &tensors);
        let options = PlanOptions { memory: 400, threads: 2, ..PlanOptions::default() };
        reshard(&at("a"), &at("b"), &from.spec(), &one_file_each(&through), &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(at("b/r2/layers/0/w.npy").exists());
        reshard(&at("b"), &at("c"), &one_file_each(&through), &to.spec(), &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let written = at("c");
        compare(&written, &to, &tensors);
    }
}

#[test]
fn refusals_of_arrays() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, target) = (folder.path().join("a"), folder.path().join("b"));
    let ranks = Ranks { mesh: vec![("x".into(), 2)], splits: BTreeMap::from([("w".into(), vec![(0, 0, "chunk".into())])]) };
    save(&source, &ranks, &Tensors::from([("w".into(), tensor(&mut Random(1), Dtype::BF16, &[4, 2]))]));
    let checkpoint = Checkpoint::open(&source, &ranks.spec()).expect("a checkpoint");
    let refused = |spec: &CheckpointSpec, cast: Option<Dtype>| {
        let options = PlanOptions { cast, ..PlanOptions::default() };
        ReshardPlan::new(&checkpoint, spec, &options).and_then(|plan| plan.run(&target, false, &on)).err().map(|error| error.to_string())
    };
    let arrays = one_file_each(&ranks);
    let message = "tensor `w`: NumPy has no type BF16: cast it, as by `--cast f32`, or write `.safetensors` files";
    assert_eq!(refused(&arrays, None), Some(message.into()));
    assert_eq!(refused(&arrays, Some(Dtype::F32)), None);
    let archive = CheckpointSpec::from_json(r#"{"files": "all.npz"}"#).expect("a specification");
    assert!(refused(&archive, None).expect("a refusal").starts_with("files: `all.npz` is read, but not written: write `.safetensors`"));

    let opened = |expected: &str| {
        let error = Checkpoint::open(&target, &arrays).err().expect("a refusal");
        let text = error.to_string().replace(&format!("{}/", target.display()), "");
        assert!(text.contains(expected), "{text}");
        error
    };
    let path = target.join("r1/w.npy");
    let bytes = fs::read(&path).expect("a file");
    let changed = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("the text");
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        fs::write(&path, bytes).expect("a file");
    };
    changed("False, 'shape': (2, 2)", "True , 'shape': (2, 2)");
    opened("r1/w.npy: tensor `w`: its first axis is the fastest: save `numpy.ascontiguousarray` of it");
    changed("<f4", ">f4");
    opened("r1/w.npy: tensor `w`: the type >f4 is not one of |b1, |i1, <i2,");
    changed("(2, 2)", "(2, 3)");
    opened("the file has 144 bytes, too few for the shape [2, 3] of type F32 from byte 128 on");
    fs::write(&path, &bytes[..40]).expect("a file");
    opened("r1/w.npy: ");
    fs::remove_file(&path).expect("a file");
    opened("tensor `w`: rank 1 lacks it, but the placement gives it a part of the whole shape");
    fs::remove_file(target.join("r0/w.npy")).expect("a file");
    assert!(matches!(opened("no file in it has a name of the pattern `files`"), CheckpointError::File { .. }));
}

/// Every name of a file stands for one tensor, and every tensor has one file.
#[test]
fn names_of_files_and_tensors() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let spec = |files: &str| CheckpointSpec::from_json(&format!(r#"{{"files": "{files}"}}"#)).expect("a specification");
    let source = |names: &[&str]| {
        let tensors = names.iter().map(|name| (name.to_string(), tensor(&mut Random(1), Dtype::U8, &[2]))).collect();
        crate::naive::write(&at("s/model.safetensors"), &tensors);
    };
    let moved = |names: &[&str], files: &str, target: &str| {
        source(names);
        reshard(&at("s"), &at(target), &CheckpointSpec::whole(), &spec(files), &PlanOptions::default()).map_err(|error| error.to_string())
    };
    let hidden = "has a part that begins with a dot";
    for (names, files, message) in [
        (&["f/w", "f//w"][..], "{tensor}.npy", "files: `f//w.npy` leaves its folder, or names one: name files within it".to_string()),
        (&["../w"], "{tensor}.npy", "files: `../w.npy` leaves its folder, or names one: name files within it".into()),
        (&["f/./w"], "{tensor}.npy", "files: `f/./w.npy` leaves its folder, or names one: name files within it".into()),
        (&["w", ".w.npy.partial"], "{tensor}.npy", format!("files: `.w.npy.partial.npy` {hidden}")),
        (&[""], "{tensor}.npy", format!("files: `.npy` {hidden}")),
        (&["a", "a/b"], "{tensor}", "files: `a` would be a file, and the folder of `a/b`: `files` needs an ending".into()),
    ] {
        assert_eq!(moved(names, files, "t"), Err(message), "{names:?}");
    }
    moved(&["w", "x"], "{tensor}.npy", "t").expect("a target");
    let open = |files: &str| {
        Checkpoint::open(&at("t"), &spec(files)).map(|all| all.tensors().map(|one| one.name().to_string()).collect::<Vec<_>>())
    };
    assert_eq!(open("{tensor}.npy").expect("tensors"), ["w", "x"]);
    // A folder may be a link, but not to a folder around it.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("t"), at("u")).expect("a link");
        fs::create_dir(at("v")).expect("a folder");
        std::os::unix::fs::symlink(at("t"), at("v/inner")).expect("a link");
        let linked = Checkpoint::open(&at("v"), &spec("{tensor}.npy")).expect("tensors");
        assert_eq!(linked.tensors().map(|one| one.name()).collect::<Vec<_>>(), ["inner/w", "inner/x"]);
        std::os::unix::fs::symlink(at("t"), at("t/again")).expect("a link");
        assert!(open("{tensor}.npy").expect_err("a circle").to_string().contains("links lead from this folder back to it"));
        fs::remove_file(at("t/again")).expect("a link");
    }
    // One file has one tensor.
    source(&["a", "b"]);
    let error = Checkpoint::open(&at("s"), &spec("{tensor}.safetensors")).err().expect("a refusal").to_string();
    assert!(error.ends_with("it has the tensor `a`, but its name says `model` alone"), "{error}");
    let twelve = r#"{"mesh": [["x", 12]], "files": "{tensor}1{rank}.npy", "tensors": [{"name": "*", "dtensor": "[Shard(0)]"}]}"#;
    let twelve = CheckpointSpec::from_json(twelve).expect("a specification");
    fs::rename(at("t/w.npy"), at("t/w11.npy")).expect("a file");
    fs::rename(at("t/x.npy"), at("t/w111.npy")).expect("a file");
    let error = Checkpoint::open(&at("t"), &twelve).err().expect("a refusal").to_string();
    assert!(error.ends_with("its name is that of tensor `w1` and of tensor `w`: `files` needs more text"), "{error}");
    // Files for each tensor are listed: neither folder is in the other.
    let arrays = spec("{tensor}.npy");
    fs::create_dir(at("t/in")).expect("a folder");
    fs::copy(at("t/w11.npy"), at("t/in/w.npy")).expect("a file");
    for (from, to) in [("t", "t/out"), ("t/in", "t")] {
        let error = reshard(&at(from), &at(to), &arrays, &arrays, &PlanOptions::default()).expect_err("a refusal").to_string();
        assert!(error.contains("choose another folder"), "{error}");
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_files_are_read() {
    use hdf5_pure::FileBuilder;
    let folder = tempfile::tempdir().expect("a folder");
    let (source, target) = (folder.path().join("a"), folder.path().join("b"));
    fs::create_dir(&source).expect("a folder");
    for rank in 0..2 {
        let mut file = FileBuilder::new();
        let values: Vec<f32> = (0..6).map(|k| (6 * rank + k) as f32).collect();
        let mut group = file.create_group("layer");
        group.create_dataset("w").with_f32_data(&values).with_shape(&[2, 3]);
        file.add_group(group.finish());
        file.create_dataset("step").with_i64_data(&[7]).with_shape(&[1]);
        fs::write(source.join(format!("{rank}.h5")), file.finish().expect("a file")).expect("a file");
    }
    let text = |files: &str| {
        format!(r#"{{"mesh": [["x", 2]], "files": "{files}", "tensors": [{{"name": "step"}}, {{"name": "*", "dtensor": "[Shard(0)]"}}]}}"#)
    };
    let spec = |files: &str| CheckpointSpec::from_json(&text(files)).expect("a specification");
    let whole = CheckpointSpec::from_json(r#"{"files": "{tensor}.npy"}"#).expect("a specification");
    reshard(&source, &target, &spec("{rank}.h5"), &whole, &PlanOptions::default()).expect("a move");
    let bytes = fs::read(target.join("layer/w.npy")).expect("a file");
    let expected: Vec<u8> = (0..12).flat_map(|k| (k as f32).to_le_bytes()).collect();
    assert_eq!(bytes[bytes.len() - 48..], expected);

    let mut file = FileBuilder::new();
    file.create_dataset("w").with_f32_data(&[1.0; 64]).with_shape(&[64]).with_chunks(&[8]);
    fs::write(source.join("1.h5"), file.finish().expect("a file")).expect("a file");
    let error = Checkpoint::open(&source, &spec("{rank}.h5")).err().expect("a refusal").to_string();
    assert!(error.contains("w is not contiguous: `h5repack -l CONTI -f NONE` makes it so"), "{error}");
}

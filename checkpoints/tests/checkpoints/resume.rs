//! Runs that stop at any moment and continue.

use crate::naive::{Random, Ranks, Tensors, compare, on, save, tensor};
use checkpoints::{Checkpoint, CheckpointError, Dtype, PlanOptions, ReshardPlan};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn example() -> (tempfile::TempDir, Tensors, Ranks, Ranks) {
    let random = &mut Random(6);
    let names = ["a", "b", "c", "d"];
    let tensors: Tensors = names.map(|name| (name.to_string(), tensor(random, Dtype::F32, &[40, 13]))).into();
    let ranks = |count: usize, dim: usize| {
        let splits = BTreeMap::from(names.map(|name| (name.to_string(), vec![(dim, 0, "chunk".to_string())])));
        Ranks { mesh: vec![("x".into(), count)], splits }
    };
    let (from, to) = (ranks(4, 0), ranks(6, 1));
    let folder = tempfile::tempdir().expect("a folder");
    save(&folder.path().join("a"), &from, &tensors);
    (folder, tensors, from, to)
}

#[test]
fn stopped_runs_continue() {
    let (folder, tensors, from, to) = example();
    let checkpoint = Checkpoint::open(&folder.path().join("a"), &from.spec()).expect("a source");
    let options = PlanOptions { memory: 2000, journal_bytes: 2500, ..PlanOptions::default() };
    let plan = ReshardPlan::new(&checkpoint, &to.spec(), &options).expect("a plan");
    let all = plan.summary().expect("costs").bytes_read;
    let random = &mut Random(7);
    for case in 0..20 {
        let target = folder.path().join(format!("b{case}"));
        let mut stops = 0;
        loop {
            // Stop at a random number of bytes, several times in a row.
            let limit = if stops > 2 { u64::MAX } else { random.below(all) };
            let until = |read: u64, _: u64| if read > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            match plan.run(&target, false, &until) {
                Ok(()) => break,
                Err(CheckpointError::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            // No file has its name before all are whole.
            assert!(!target.join("part/000.safetensors").exists());
        }
        compare(&target, &to, &tensors);
        assert_eq!(std::fs::read_dir(&target).expect("a folder").count(), 1, "only the folder of the files is left");
    }
}

/// A journal may end within a line, and files may have some of their names.
#[test]
fn kills_within_a_step() {
    let (folder, tensors, from, to) = example();
    let checkpoint = Checkpoint::open(&folder.path().join("a"), &from.spec()).expect("a source");
    let options = PlanOptions { memory: 2000, journal_bytes: 2500, ..PlanOptions::default() };
    let plan = ReshardPlan::new(&checkpoint, &to.spec(), &options).expect("a plan");
    let stop = |read: u64, all: u64| if read > all * 3 / 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let target = folder.path().join("b");
    assert!(plan.run(&target, false, &stop).is_err());
    let journal = target.join(".reshard.journal");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    assert!(text.lines().count() > 2);
    std::fs::write(&journal, format!("{text}{{\"blo")).expect("a journal");
    assert!(plan.run(&target, false, &stop).is_err());
    // Finish by hand up to the first names.
    let whole = folder.path().join("c");
    plan.run(&whole, false, &on).expect("a run");
    for rank in 0..6 {
        let name = if rank < 2 { format!("{rank:03}.safetensors") } else { format!(".{rank:03}.safetensors.partial") };
        std::fs::copy(whole.join(format!("part/{rank:03}.safetensors")), target.join("part").join(name)).expect("a copy");
    }
    for rank in 0..2 {
        std::fs::remove_file(target.join(format!("part/.{rank:03}.safetensors.partial"))).expect("a partial file");
    }
    let text = std::fs::read_to_string(&journal).expect("a journal");
    std::fs::write(&journal, format!("{text}\"naming\"\n")).expect("a journal");
    plan.run(&target, false, &on).expect("the rest");
    compare(&target, &to, &tensors);
    assert!(!journal.exists());
}

#[test]
fn other_arguments_are_refused_unless_fresh() {
    let (folder, tensors, from, to) = example();
    let checkpoint = Checkpoint::open(&folder.path().join("a"), &from.spec()).expect("a source");
    let options = PlanOptions { memory: 2000, journal_bytes: 2500, ..PlanOptions::default() };
    let first = ReshardPlan::new(&checkpoint, &to.spec(), &PlanOptions { cast: Some(Dtype::BF16), ..options.clone() }).expect("a plan");
    let second = ReshardPlan::new(&checkpoint, &to.spec(), &options).expect("a plan");
    let target = folder.path().join("b");
    let stop = |read: u64, all: u64| if read > all / 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert!(matches!(first.run(&target, false, &stop), Err(CheckpointError::Stopped)));
    let error = second.run(&target, false, &on).expect_err("a refusal").to_string();
    assert!(
        error.ends_with("the folder has an unfinished run with other arguments (cast): continue that one, or discard it by `--fresh`"),
        "{error}"
    );
    std::fs::write(target.join("notes"), "by hand").expect("a file");
    second.run(&target, true, &on).expect("a fresh run");
    compare(&target, &to, &tensors);
    assert_eq!(std::fs::read_to_string(target.join("notes")).expect("the file"), "by hand");
    assert!(second.run(&target, false, &on).expect_err("a refusal").to_string().contains("exists already"));
}

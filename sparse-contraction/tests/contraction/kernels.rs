//! Plans: the kernel that each expression runs, the order of pairs, and progress.

use crate::common::{Contracting, Rng};
use core::sync::atomic::{AtomicUsize, Ordering};
use sparse_contraction::{ContractionKernel, Factor, contract, explain};
use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor, Watched, spgemm, spmv};

fn random(rng: &mut Rng, shape: &[u64], count: u64) -> SparseTensor<'static, f64> {
    let columns: Vec<Indices> =
        shape.iter().map(|extent| Indices::narrowest(&(0..count).map(|_| rng.below(*extent)).collect::<Vec<_>>())).collect();
    let values: Vec<f64> = (0..count).map(|_| rng.below(9) as f64 + 1.0).collect();
    Builder::new(Format::csf(shape.len()), 0.0).duplicates(Duplicates::sum()).build(shape, &columns, values).unwrap()
}

#[test]
fn by_expression() {
    let mut rng = Rng::new(7);
    let extents = |letters: &str| letters.chars().map(|letter| if "rsx".contains(letter) { 4 } else { 100 }).collect::<Vec<u64>>();
    // Sparse operands have capitals.
    let cases = [
        ("IJ,j->i", "spmv"),
        ("j,IJ->i", "spmv"),
        ("IJ,i->j", "spmv"),
        ("IJ,jr->ir", "spmm"),
        ("IJ,rj->ri", "spmm"),
        ("IJ,ir->jr", "spmm"),
        ("IJK,k->ij", "ttv"),
        ("IJK,j,k->i", "ttv"),
        ("IJ,i,j->", "ttv"),
        ("IJK,kr->ijr", "ttm"),
        ("IJK,rj->irk", "ttm"),
        ("IJK,jr,kr->ir", "mttkrp"),
        ("jr,IJK,rk->ri", "mttkrp permute"),
        ("IJKL,jr,kr,lr->ir", "mttkrp"),
        ("IJ,ir,jr->ij", "sddmm"),
        ("rj,IJ,ir->ji", "sddmm permute"),
        ("IJ,JK->ik", "spgemm"),
        ("IJ,IK->jk", "spgemm"),
        ("IJ,KJ->ki", "spgemm permute"),
        ("IJK,JKL->il", "spgemm"),
        ("IJK,LK->lij", "spgemm permute"),
        ("IJK,KIL->jl", "spgemm"),
        ("IJK,IJK->ijk", "elementwise"),
        ("IJK,KIJ->ijk", "elementwise"),
        ("IJK->ik", "reduce"),
        ("IJK->kij", "permute"),
        ("II->i", "diagonal"),
        ("IJ,JK,KI->", "masked reduce"),
        ("IJ,JK,IK->ik", "masked"),
        ("IJ,i->ij", "walk"),
        ("IJK,jkr->ir", "walk"),
        ("IJK,IJ->k", "join"),
        ("ij,jr->ir", "loops"),
        ("IJK,JK->i", "join"),
        ("IJK,jr,kx->irx", "ttm walk"),
    ];
    for (subscripts, kernels) in cases {
        let (inputs, output) = subscripts.split_once("->").unwrap();
        let tensors: Vec<Contracting> = inputs
            .split(',')
            .map(|letters| {
                let shape = extents(&letters.to_lowercase());
                match letters.chars().all(char::is_uppercase) {
                    true => Contracting::Sparse(random(&mut rng, &shape, 300)),
                    false => {
                        let data = (0..shape.iter().product::<u64>()).map(|_| rng.below(9) as f64).collect();
                        Contracting::Dense(shape, data)
                    }
                }
            })
            .collect();
        let factors: Vec<Factor<f64>> = tensors.iter().map(Contracting::factor).collect();
        let subscripts = format!("{}->{output}", inputs.to_lowercase());
        let plan = explain(&subscripts, &factors).unwrap();
        let found: Vec<&str> = plan.steps().iter().map(|step| step.kernel().name()).collect();
        assert_eq!(found.join(" "), kernels, "{plan}");
        // Kernels compute what loops over dense arrays compute.
        let all: Vec<(Vec<u64>, Vec<f64>)> = tensors.iter().map(Contracting::dense).collect();
        let loops: Vec<Factor<f64>> = all.iter().map(|(shape, data)| Factor::Dense { shape, data }).collect();
        let result = sparse_contraction::Contraction::new(&subscripts).dense();
        assert_eq!(result.run(&factors).unwrap(), result.run(&loops).unwrap(), "{plan}");
    }
}

/// A contraction that is one kernel has its result, bit for bit.
#[test]
fn same_results() {
    let mut rng = Rng::new(8);
    let a = random(&mut rng, &[50, 50], 400);
    let x: Vec<f64> = (0..50).map(|k| 1.0 / (k as f64 + 1.0)).collect();
    let vector = Factor::Dense { shape: &[50], data: &x };
    assert_eq!(contract("ij,j->i", &[Factor::Sparse(&a), vector]).unwrap().dense(), Some(&spmv(&a, false, &x).unwrap()[..]));
    let product = contract("ij,jk->ik", &[Factor::Sparse(&a), Factor::Sparse(&a)]).unwrap();
    assert_eq!(product.sparse(), Some(&spgemm(&a, &a).unwrap()));
}

/// The order of pairs follows the sizes: a chain of matrices ends with its vector, and many operands are contracted too.
#[test]
fn orders() {
    let (shape, data) = ([30u64, 30], vec![1.0; 900]);
    let matrix = Factor::Dense { shape: &shape, data: &data };
    let vector = Factor::Dense { shape: &shape[..1], data: &data[..30] };
    let plan = explain("ab,bc,cd,d->a", &[matrix, matrix, matrix, vector]).unwrap();
    assert!(plan.steps().iter().all(|step| step.stored() == 30.0 && step.kernel() == ContractionKernel::Loops), "{plan}");
    let many: Vec<Factor<f64>> = [vec![matrix; 9], vec![vector]].concat();
    let subscripts = "ab,bc,cd,de,ef,fg,gh,hi,ij,j->a";
    let plan = explain(subscripts, &many).unwrap();
    assert_eq!(plan.steps().len(), 9);
    assert!(plan.steps().iter().all(|step| step.stored() == 30.0), "{plan}");
    assert_eq!(contract(subscripts, &many).unwrap().dense(), Some(&vec![30f64.powi(9); 30][..]));
}

/// Every stored element of an operand is reported once.
#[test]
fn progress() {
    let mut rng = Rng::new(9);
    let (a, b, c) = (random(&mut rng, &[40, 40], 300), random(&mut rng, &[40, 40], 300), random(&mut rng, &[40, 40, 40], 500));
    let ones = vec![1.0; 1600];
    let (vector, matrix) = (Factor::Dense { shape: &[40], data: &ones[..40] }, Factor::Dense { shape: &[40, 40], data: &ones });
    let expressions: [(&str, &[&SparseTensor<f64>], &[Factor<f64>]); 12] = [
        ("ij,j->i", &[&a], &[vector]),
        ("ij,jr->ir", &[&a], &[matrix]),
        ("ij,ir,jr->ij", &[&a], &[matrix, matrix]),
        ("ij->ji", &[&a], &[]),
        ("ij->i", &[&a], &[]),
        ("ii->i", &[&a], &[]),
        ("ij,jk->ik", &[&a, &b], &[]),
        ("ij,ij->ij", &[&a, &b], &[]),
        ("ij,jk,ki->", &[&a, &b, &a], &[]),
        ("ijk,jk->i", &[&c, &a], &[]),
        ("ij,i->ij", &[&a], &[vector]),
        ("ijk,jl,km->ilm", &[&c, &a, &b], &[]),
    ];
    for (subscripts, tensors, others) in expressions {
        let done: Vec<AtomicUsize> = tensors.iter().map(|_| AtomicUsize::new(0)).collect();
        let callbacks: Vec<_> = done
            .iter()
            .map(|done| {
                move |count| {
                    done.fetch_add(count, Ordering::Relaxed);
                }
            })
            .collect();
        let watched: Vec<Watched<SparseTensor<f64>>> =
            tensors.iter().zip(&callbacks).map(|(tensor, callback)| Watched::new(*tensor, callback)).collect();
        let mut factors: Vec<Factor<f64>> = watched.iter().map(|watched| Factor::Sparse(watched)).collect();
        factors.extend(others);
        contract(subscripts, &factors).unwrap();
        let reported: Vec<usize> = done.iter().map(|done| done.load(Ordering::Relaxed)).collect();
        assert_eq!(reported, tensors.iter().map(|tensor| tensor.stored()).collect::<Vec<_>>(), "{subscripts}");
    }
}

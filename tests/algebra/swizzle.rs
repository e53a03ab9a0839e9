//! Swizzles and composed layouts.

use crate::common::function::swizzled;
use crate::common::law::{golden, refused};
use crate::common::{Outcome, Rng, Tree, ask, ask_int, hold, same};
use crate::ensure;
use crd2idx::layouts::Swizzle;

/// Returns the fields of every swizzle with few bits, including invalid ones.
fn all() -> Vec<(i64, i64, i64)> {
    let with_bits = |bits: i64| (0..4i64).flat_map(move |base| (-5..=5i64).map(move |shift| (bits, base, shift)));
    (0..4).flat_map(with_bits).collect()
}

#[test]
fn flips_bits_and_back() {
    let tally = hold(all(), |(bits, base, shift)| {
        let text = format!("S<{bits},{base},{shift}>");
        if shift.abs() < *bits {
            ensure!(Swizzle::new(*bits, *base, *shift).is_err(), "{text} reads the bits it changes");
            ensure!(ask("swizzle", &[&text, &0]).is_err(), "{text} reads the bits it changes");
            return Ok(Outcome::Refused);
        }
        let swizzle = Swizzle::new(*bits, *base, *shift).map_err(|error| format!("{text}: {error}"))?;
        for x in 0..1 << 11 {
            let y = swizzle.apply(x);
            same(&format!("{text} of {x}"), y, swizzled(*bits, *base, *shift, x))?;
            same(&format!("{text} of {text} of {x}"), swizzle.apply(y), x)?;
            same(&format!("{text} of the index {x}"), swizzle.apply_index(x as usize) as i64, y)?;
            ensure!(y >> base << base == y - x % (1 << base), "{text} changes the low bits of {x}");
        }
        same(&format!("swizzle({text}, 1234)"), ask_int("swizzle", &[&text, &1234]).ok(), Some(swizzle.apply(1234)))?;
        same("text", swizzle.to_string(), text)?;
        Ok(Outcome::Answered)
    });
    tally.answers_at_least(60).refuses_at_least(30);
}

#[test]
fn examples() {
    golden("swizzle", &[(&["S<3,4,3>", "640"], "720"), (&["S<2,0,-3>", "3"], "27"), (&["S<0,4,3>", "99"], "99")]);
    golden("crd2idx", &[(&["S<2,0,3> o 8 o (8,8):(1,8)", "(1,1)"], "19"), (&["(4,8):(8,1) o (1,2) o (2,2):(1@0,1@1)", "(1,1)"], "19")]);
    golden("composition", &[(&["S<2,0,3>", "(8,8):(1,8)"], "S<2,0,3> o 0 o (8,8):(1,8)")]);
    golden("size", &[(&["S<2,0,3> o 8 o (8,8):(1,8)"], "64")]);
    golden("slice", &[(&["S<2,0,3> o 8 o (8,8):(1,8)", "(3,_)"], "S<2,0,3> o 11 o (8):(8)")]);
    golden("composed_get_offset", &[(&["S<2,0,3> o 8 o (8,8):(1,8)"], "8")]);
    golden(
        "upcast",
        &[
            (&["S<3,7,3> o 0 o (8,1024):(1024,1)", "16"], "S<3,3,3> o 0 o (8,64):(64,1)"),
            (&["S<3,7,3> o 32 o (8,1024):(1024,1)", "16"], "S<3,3,3> o 2 o (8,64):(64,1)"),
            (&["(8,64):(^72,^1)", "8"], "(8,8):(^9,^1)"),
        ],
    );
    golden("downcast", &[(&["S<3,3,3> o 0 o (8,64):(64,1)", "2"], "S<3,4,3> o 0 o (8,128):(128,1)")]);
    golden("recast_layout", &[(&["S<3,4,3> o 0 o (8,64):(64,1)", "8", "16"], "S<3,3,3> o 0 o (8,32):(32,1)")]);
    golden("right_inverse", &[(&["S<3,3,3> o 0 o (8,64):(64,1)"], "(64,8):(^8,^65)")]);
    golden("composition", &[(&["64:1", "S<3,0,3> o 0 o (8,8):(8,1)"], "(8,8):(^9,^1)")]);
    golden("max_alignment", &[(&["S<3,3,3> o 0 o (8,64):(64,1)"], "8"), (&["S<3,0,3> o 0 o (8,8):(8,1)"], "1")]);
    golden(
        "max_common_vector",
        &[
            (&["S<1,2,1> o 0 o (8,16):(1,8)", "(8,16):(1,8)"], "8"),
            (&["S<3,1,3> o 0 o (8,16):(1,8)", "(8,16):(1,8)"], "16"),
            (&["(8):(^1)", "(8):(1)"], "8"),
            // Any number of stages after a tile.
            (&["S<3,0,3> o 0 o (8,8,5):(8,1,64)", "(8,8,5):(^9,^1,64)"], "320"),
        ],
    );
    golden("copy_threads", &[(&["S<3,0,3> o 0 o (8,8):(8,1)", "(8,8):(8,1)", "8", "16"], "(8,(1,8)):(8,(0,1))")]);
    golden(
        "to_affine",
        &[
            (&["(3):(5)"], "(3):(5)"),
            (&["S<0,4,3> o 0 o (3):(5)"], "(3):(5)"),
            (&["S<1,1,-2> o 16 o (4):(8)"], "S<0,0,0> o 16 o (4):(8)"),
            (&["S<3,0,3> o 0 o (6,8):(8,1)"], "S<3,0,3> o 0 o (6,8):(8,1)"),
        ],
    );
    golden("to_xor", &[(&["S<3,0,3> o 0 o (6,8,5):(8,1,64)"], "(6,8,5):(^9,^1,64)")]);
    refused("cosize", &[(&["4:1 o 0 o 4:1"], "composed of two layouts")]);
    refused("upcast", &[(&["(8,64):(^72,^1)", "3"], "powers of two")]);
    refused(
        "make_composed_layout",
        &[(&["S<2,0,1>", "0", "4:1"], "swizzle <2,0,1> is outside its range"), (&["S<30,30,30>", "0", "4:1"], "outside its range")],
    );
    refused("swizzle", &[(&["S<2,0,3>", "-1"], "outside"), (&["4:1", "1"], "a layout, where a swizzle is taken")]);
    refused("right_inverse", &[(&["S<2,0,3> o 8 o (8,8):(1,8)"], "has an offset")]);
}

/// `inner o offset o outer` at `c` is `inner(offset + outer(c))`. Operations on the shape act on the outer layout.
#[test]
fn composed_layouts() {
    let mut rng = Rng::new(42);
    let swizzles: Vec<_> = all().into_iter().filter(|(bits, _, shift)| shift.abs() >= *bits).collect();
    let cases: Vec<_> =
        (0..1500).map(|k| (k % 2 == 0, *rng.pick(&swizzles), rng.layout(3, 60), rng.compact(4, 60), rng.between(0, 9))).collect();
    hold(&cases, |(is_swizzled, (bits, base, shift), inner, outer, offset)| {
        let inner_text = if *is_swizzled { format!("S<{bits},{base},{shift}>") } else { inner.to_string() };
        let composed = ask("make_composed_layout", &[&inner_text, offset, outer]).map_err(|error| error.to_string())?;
        same("text", composed.clone(), format!("{inner_text} o {offset} o {outer}"))?;
        let at = |x: i64| if *is_swizzled { swizzled(*bits, *base, *shift, x) } else { inner.at(x) };
        for c in 0..outer.size() {
            let got = ask_int("crd2idx", &[&composed, &c]).map_err(|error| format!("crd2idx({composed}, {c}): {error}"))?;
            same(&format!("{composed} at {c}"), got, at(offset + outer.at(c)))?;
        }
        // Divided by its first mode, it has the elements of the divided outer layout.
        let tile = format!("[{}]", outer.modes()[0].size());
        match (ask("zipped_divide", &[&composed, &tile]), ask("zipped_divide", &[outer, &tile])) {
            (Ok(divided), Ok(want)) => same("divided", divided, format!("{inner_text} o {offset} o {want}"))?,
            (divided, want) => same("divided", divided.is_err(), want.is_err())?,
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(cases.len());
}

/// A slice moves the index of the fixed modes into the offset.
#[test]
fn slices_of_composed_layouts() {
    let mut rng = Rng::new(43);
    let cases: Vec<_> = (0..1000).map(|_| Tree::Node(vec![rng.compact(2, 12), rng.compact(2, 12)])).collect();
    hold(&cases, |outer| {
        let composed = format!("S<2,1,3> o 5 o {outer}");
        for fixed in 0..outer.modes()[0].size() {
            let slice = ask("slice", &[&composed, &format!("({fixed},_)")]).map_err(|error| error.to_string())?;
            for k in 0..outer.modes()[1].size() {
                let whole = ask_int("crd2idx", &[&composed, &format!("({fixed},{k})")]).ok();
                same(&format!("{slice} at {k}"), ask_int("crd2idx", &[&slice, &k]).ok(), whole)?;
            }
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(1000);
}

//! What each mode of the right operand of a composition takes of the modes of the left one.

use super::page::{Account, POINTS, many};
use super::tree::{Layout, dotted};

type Result<T> = std::result::Result<T, String>;

/// The most crossings that are followed where jumps cancel, as in the algebra.
const CROSSINGS: usize = 1 << 14;

/// A mode of the left operand and the index at which it begins.
struct Digit {
    extent: i128,
    stride: i128,
    begin: i128,
}

/// Steps of the right operand that move evenly.
struct Piece {
    extent: i128,
    step: i128,
    stride: i128,
}

/// The modes of `A`, merged where they run on.
fn digits(a: &Layout) -> Vec<Digit> {
    let leaves = a.leaves();
    let mut out: Vec<Digit> = Vec::new();
    for (k, (_, leaf)) in leaves.iter().enumerate() {
        let (extent, stride) = (i128::from(leaf.extent), i128::from(leaf.stride));
        if extent == 1 && k + 1 < leaves.len() {
            continue;
        }
        let begin = match out.last_mut() {
            Some(last) if last.extent * last.stride == stride => {
                last.extent *= extent;
                continue;
            }
            Some(last) if last.extent == 0 => break,
            Some(last) => last.begin * last.extent,
            None => 1,
        };
        out.push(Digit { extent, stride, begin });
    }
    out
}

/// `A(x)`
fn at(digits: &[Digit], x: i128) -> i128 {
    let (mut sum, mut rest) = (0i128, x);
    for (k, digit) in digits.iter().enumerate() {
        let last = k + 1 == digits.len();
        let digits = if last { rest } else { rest.rem_euclid(digit.extent) };
        sum = digits.saturating_mul(digit.stride).saturating_add(sum);
        rest = if last { 0 } else { rest.div_euclid(digit.extent) };
    }
    sum
}

/// The first step after which a mode of `A` begins that `step` is not a multiple of, counted from step `after`, and that mode.
fn crossing(digits: &[Digit], step: i128, after: i128) -> Option<(i128, usize)> {
    let next = digits.iter().enumerate().skip(1).filter_map(|(k, digit)| {
        let rest = step.rem_euclid(digit.begin);
        (rest != 0).then(|| {
            let level = (rest * after).div_euclid(digit.begin) + 1;
            ((level * digit.begin + rest - 1).div_euclid(rest), k)
        })
    });
    next.min()
}

/// The account of `composition(A, B)`, the layouts named `a_name` and `b_name`; `false` where it ends at what refuses it.
pub fn compose(account: &mut Account, depth: usize, (a_name, a): (&str, &Layout), (b_name, b): (&str, &Layout)) -> Result<bool> {
    if !a.is_integer() || !b.is_integer() {
        let what = if b.is_integer() {
            format!("the values of {a_name} are coordinates")
        } else {
            format!("each basis of {b_name} walks its own mode of {a_name}")
        };
        account.say(depth, what)?;
        return Ok(true);
    }
    let digits = digits(a);
    let (begins, empty) = (digits.iter().map(|digit| digit.begin.to_string()).collect::<Vec<_>>().join(", "), b.is_empty());
    let modes = digits.iter().map(|digit| format!("{}:{}", digit.extent, digit.stride)).collect::<Vec<_>>().join(", ");
    if digits.len() > 1 {
        account.say(depth, format!("the modes of {a_name}, {modes}, take over at {begins} of its domain"))?;
    } else {
        account.say(depth, format!("{a_name} runs as one mode, {modes}"))?;
    }
    let mut pieces = Vec::new();
    for (path, leaf) in b.leaves() {
        let mode = if path.is_empty() { String::new() } else { format!("mode {} of ", dotted(&path)) };
        let (mut extent, mut step) = (i128::from(leaf.extent), i128::from(leaf.stride));
        account.say(depth, format!("{mode}{b_name}: {} of {step}", many(extent, "step")))?;
        if extent == 1 || step == 0 {
            account.say(depth + 1, format!("moves nothing: {extent}:0"))?;
            pieces.push(Piece { extent, step: 0, stride: 0 });
            continue;
        }
        loop {
            let stride = at(&digits, step);
            let run = if empty { extent } else { run(account, depth + 1, &digits, a_name, extent, step)? };
            if run >= extent {
                let all = if extent > 0 && !empty {
                    format!(": `{a_name}(i * {step}) = i * {stride} for all i < {}`", extent.min(i128::from(POINTS)))
                } else {
                    String::new()
                };
                account
                    .say(depth + 1, format!("{} by `{a_name}({step}) = {stride}` each{all}; so {extent}:{stride}", many(extent, "step")))?;
                pieces.push(Piece { extent, step, stride });
                break;
            }
            if extent % run != 0 {
                account.say(
                    depth + 1,
                    format!(
                        "{} by {stride} each, but that does not divide {extent}: `{extent} mod {run} = {}`",
                        many(run, "step"),
                        extent % run
                    ),
                )?;
                return Ok(false);
            }
            let (rest, next) = (extent / run, step * run);
            let moved = format!("the first {} by `{a_name}({step}) = {stride}` each: {run}:{stride}", many(run, "step"));
            let left = format!("`{extent} mod {run} = 0`, `{extent} div {run} = {rest}` steps of `{step} * {run} = {next}` are left");
            account.say(depth + 1, format!("{moved}; {left}"))?;
            pieces.push(Piece { extent: run, step, stride });
            (extent, step) = (rest, next);
        }
    }
    let done = empty || sums(account, depth, &digits, &pieces, a_name)?;
    if done && pieces.len() > b.leaves().len() {
        let shown = pieces.iter().map(|piece| format!("{}:{}", piece.extent, piece.stride)).collect::<Vec<_>>().join(", ");
        account.say(depth, format!("taken together: {shown}"))?;
    }
    Ok(done)
}

/// How many steps move evenly, at most `extent`; says what ends them.
fn run(account: &mut Account, depth: usize, digits: &[Digit], a_name: &str, extent: i128, step: i128) -> Result<i128> {
    let mut after = 0;
    for _ in 0..CROSSINGS {
        let Some((t, k)) = crossing(digits, step, after) else { return Ok(extent) };
        if t >= extent {
            return Ok(extent);
        }
        let (begin, even) = (digits[k].begin, at(digits, step) * t);
        if at(digits, step * t) != even {
            let rest = step.rem_euclid(begin);
            let reduced = if rest == step { String::new() } else { format!("`{step} mod {begin} = {rest}`, ") };
            let level = (rest * t).div_euclid(begin);
            let to = if level == 1 { format!("{begin}") } else { format!("`{level} * {begin} = {}`", level * begin) };
            let there = at(digits, step * t);
            let reached = format!("`{t} * {rest} = {}` reaches {to}", t * rest);
            let breaks = format!("`{a_name}({t} * {step}) = {there} != {t} * {} = {even}`", at(digits, step));
            account.say(depth, format!("the mode at {begin} changes after {}: {reduced}{reached}: {breaks}", many(t, "step")))?;
            return Ok(t);
        }
        after = t;
    }
    Ok(after)
}

/// Whether no sum of steps crosses to another mode of `A`.
fn sums(account: &mut Account, depth: usize, digits: &[Digit], pieces: &[Piece], a_name: &str) -> Result<bool> {
    if pieces.len() < 2 {
        return Ok(true);
    }
    let mut crossed = Vec::new();
    for digit in &digits[1..] {
        let rests: Vec<_> =
            pieces.iter().map(|piece| (piece.extent, piece.step.rem_euclid(digit.begin))).filter(|(_, rest)| *rest != 0).collect();
        let reach = rests.iter().fold(0i128, |reach, (n, rest)| reach.saturating_add((n - 1) * rest));
        let terms = rests.iter().map(|(n, rest)| format!("({n} - 1) * {rest}")).collect::<Vec<_>>().join(" + ");
        if reach >= digit.begin {
            crossed.push(format!("`{terms} = {reach} >= {}`", digit.begin));
        } else if rests.len() > 1 {
            account.say(depth, format!("the modes together stay below {}: `{terms} = {reach} < {}`", digit.begin, digit.begin))?;
        }
    }
    match crossed.as_slice() {
        [] => Ok(true),
        [one] => {
            account.say(depth, format!("the modes together cross to another mode of {a_name}: {one}"))?;
            Ok(false)
        }
        many => {
            account.say(depth, format!("the modes together cross to others of {a_name}: {}", many.join(", ")))?;
            Ok(cancel(digits, pieces))
        }
    }
}

/// Whether the sum is that of the pieces at every coordinate all the same.
fn cancel(digits: &[Digit], pieces: &[Piece]) -> bool {
    let points = pieces.iter().fold(1i128, |points, piece| points.saturating_mul(piece.extent));
    points <= 1 << 14
        && (0..points).all(|point| {
            let (mut rest, mut x, mut y) = (point, 0, 0);
            for piece in pieces {
                let digit = rest % piece.extent;
                rest /= piece.extent;
                (x, y) = (x + digit * piece.step, y + digit * piece.stride);
            }
            at(digits, x) == y
        })
}

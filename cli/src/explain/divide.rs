//! Explains divides and products, mode by mode: the tile, its complement, and the composition with both; or the block, and its copies.

use super::Result;
use super::complement::{End, gaps};
use super::compose::compose;
use super::page::{Account, POINTS};
use super::statement::{Value, ask};
use super::tree::{Layout, dotted, layout_of, leaves, modes, size};
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::algebra::{expression::Tiler, trace};
use crd2idx::error::{Cause, Op};

/// The operation that a tiler applies: a mode of `A` with the layout of the tiler for this mode.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Compose,
    Divide,
    Multiply,
}

/// Explains `op(A, T)` mode by mode. Without a result, the explanation ends at the refusal.
pub fn by_mode(account: &mut Account, op: Op, a: &Layout, t: &Value, result: Option<&Value>) -> Result<()> {
    let (mode, plain) = match op {
        Op::LogicalDivide | Op::ZippedDivide | Op::TiledDivide | Op::FlatDivide => (Mode::Divide, Op::LogicalDivide),
        Op::LogicalProduct | Op::ZippedProduct | Op::TiledProduct | Op::FlatProduct => (Mode::Multiply, Op::LogicalProduct),
        _ => (Mode::Compose, Op::Composition),
    };
    account.name("A", &Operand::Layout(*a))?;
    let base = if mode == Mode::Divide { "T" } else { "B" };
    account.name(base, t)?;
    if let Some(result) = result {
        account.name("R", result)?;
    }
    let pairs = pairs(a, t)?;
    for (path, part, tile) in &pairs {
        let (suffix, depth) = (path.iter().map(usize::to_string).collect::<Vec<_>>().join("_"), usize::from(!path.is_empty()));
        let given = !path.is_empty() || tile.to_string() == t.to_string();
        let (a_name, t_name) = (format!("A{suffix}"), if given { format!("{base}{suffix}") } else { format!("{base}0") });
        account.names.bind(&t_name, Operand::Layout(*tile));
        if !path.is_empty() {
            account.names.bind(&a_name, Operand::Layout(*part));
            account.say(0, format!("mode {}: `{a_name} = {part}` and `{t_name} = {tile}`", dotted(path)))?;
        } else if !given {
            account.say(0, format!("as a layout `{t_name} = {tile}`"))?;
        }
        let names = Names { a: &a_name, t: &t_name, suffix: &suffix };
        let done = match mode {
            Mode::Compose => composition(account, depth, &names, part, tile)?,
            Mode::Divide => divide(account, depth, &names, part, tile)?,
            Mode::Multiply => multiply(account, depth, &names, part, tile)?,
        };
        if !done && result.is_none() {
            return Ok(());
        }
    }
    let Some(result) = result else { return Ok(()) };
    if op != plain {
        let pairs = ask(&format!("{}({a}, {t})", plain.name())).map_err(|e| e.to_string())?;
        let (first, second) = if mode == Mode::Divide { ("tiles", "rests") } else { ("blocks", "copies") };
        let regrouped = match op {
            Op::ZippedDivide | Op::ZippedProduct => format!("all {first} in mode 0, all {second} in mode 1"),
            Op::TiledDivide | Op::TiledProduct => format!("all {first} in mode 0, then each of the {second}"),
            _ => format!("each of the {first}, then each of the {second}"),
        };
        account.say(0, format!("mode by mode `{}(A, {base}) = {pairs}`", plain.name()))?;
        account.say(0, format!("{regrouped}: {result}"))?;
    }
    account.say(0, format!("in all `{}(A, {base}) = R`", op.name()))
}

/// Returns for each layout of the tiler the path to its mode of `a`, that mode, and the layout. The list is empty if `t` is no
/// tiler.
fn pairs(a: &Layout, t: &Value) -> Result<Vec<(Vec<usize>, Layout, Layout)>> {
    let mut cx = ExprGraph::<0>::new(Op::Parse);
    let tiler = match t {
        Operand::Layout(l) => Tiler::layout(l),
        Operand::Tuple(shape) => match Tiler::shape(shape, &cx) {
            Ok(tiler) => tiler,
            Err(_) => return Ok(Vec::new()),
        },
        Operand::Tiler(tiler) => *tiler,
        _ => return Ok(Vec::new()),
    };
    let mut out = Vec::new();
    // The caller writes the reason if the tiler does not fit the modes of `a`.
    _ = tiler.over(a, &mut cx).and_then(|tiler| {
        trace::by_mode(a, &tiler, &mut |path, mode, tile| out.push((path.modes().iter().copied().map(usize::from).collect(), mode, tile)))
    });
    Ok(out)
}

struct Names<'a> {
    a: &'a str,
    t: &'a str,
    suffix: &'a str,
}

fn composition(account: &mut Account, depth: usize, names: &Names<'_>, a: &Layout, t: &Layout) -> Result<bool> {
    let done = compose(account, depth, (names.a, a), (names.t, t))?;
    if let Ok(value) = ask(&format!("composition({a}, {t})")) {
        account.say(depth, format!("`composition({}, {}) = {value}`", names.a, names.t))?;
        return law(account, depth, (names.a, names.t), &format!("P{}", names.suffix), &value, t);
    }
    Ok(done)
}

/// Writes the law `(A o T)(i) = A(T(i))`. `name` becomes the name of the result, unless it is `R`. Returns true.
fn law(account: &mut Account, depth: usize, (a, t): (&str, &str), name: &str, value: &Value, b: &Layout) -> Result<bool> {
    let Some(size) = size(b).filter(|size| *size > 0) else { return Ok(true) };
    let (name, before) = if account.names.iter().any(|(other, text)| other == "R" && text == value.to_string()) {
        ("R", String::new())
    } else {
        account.names.bind(name, *value);
        (name, format!("with `{name} = {value}` "))
    };
    let law = format!("{name}(i) = {a}({t}(i)) for all i < {}", size.min(POINTS));
    // The two sides may differ in notation: one may omit a basis along which nothing moves.
    let along_bases = account.names.iter().any(|(other, text)| [name, a, t].contains(&other) && text.contains('@'));
    if along_bases && !account.names.holds(&law) {
        return account
            .say(depth, "the same function; coordinates along which nothing moves are written in one and not in the other")
            .map(|()| true);
    }
    account.say(depth, format!("{before}`{law}`")).map(|()| true)
}

fn divide(account: &mut Account, depth: usize, names: &Names<'_>, a: &Layout, t: &Layout) -> Result<bool> {
    let Some(size) = size(a) else { return Ok(false) };
    let divided = ask(&format!("logical_divide({a}, {t})"));
    if let Err(error) = divided
        && error.cause == Cause::TileDoesNotDivide
        && let [Some(n), Some(size), _] = error.numbers()
        && n > 0
    {
        let (whole, rest) = (size / n, size % n);
        account.say(
            depth,
            format!("tiles of {n} in {size} elements: `{size} div {n} = {whole}`, and `{size} mod {n} = {rest}` elements are left over"),
        )?;
        return Ok(false);
    }
    if let Some(leaf) = leaves(t).into_iter().find(|leaf| leaf.stride == 0 && leaf.extent != 1) {
        let mode = if leaf.path.is_empty() { names.t.to_owned() } else { format!("mode {} of {}", dotted(&leaf.path), names.t) };
        account.say(depth, format!("{mode}, {}:0, visits an element {} times", leaf.extent, leaf.extent))?;
        return Ok(false);
    }
    account.say(depth, format!("what {} leaves of the {size} elements of {}:", names.t, names.a))?;
    if !gaps(account, depth + 1, (names.t, t), End::Exactly(size))? {
        return Ok(false);
    }
    if let (false, Ok(value)) = (t.is_integer(), &divided) {
        return account.say(depth, format!("`logical_divide({}, {}) = {value}`", names.a, names.t)).map(|()| true);
    }
    // The tile divides the mode, so only the composition can refuse. The account ends at its refusal.
    let Ok(free) = ask(&format!("complement({t}, {size})")) else { return Ok(false) };
    let (rest, b_name) = (format!("C{}", names.suffix), format!("B{}", names.suffix));
    account.names.bind(&rest, free);
    account.say(depth + 1, format!("`{rest} = complement({}, {size}) = {free}`", names.t))?;
    let pair = ask(&format!("make_layout({t}, {free})")).map_err(|e| e.to_string())?;
    account.names.bind(&b_name, pair);
    let pair = layout_of(&pair).ok_or("explain: no layout")?;
    account.say(depth, format!("{} composed with both, `{b_name} = {pair}`:", names.a))?;
    let done = compose(account, depth + 1, (names.a, a), (&b_name, &pair))?;
    let Ok(value) = divided else { return Ok(done) };
    account.say(depth, format!("`logical_divide({}, {}) = composition({}, {b_name}) = {value}`", names.a, names.t, names.a))?;
    law(account, depth, (names.a, &b_name), &format!("P{}", names.suffix), &value, &pair)
}

fn multiply(account: &mut Account, depth: usize, names: &Names<'_>, a: &Layout, b: &Layout) -> Result<bool> {
    account.say(depth, format!("what {} leaves free:", names.a))?;
    if !gaps(account, depth + 1, (names.a, a), End::Open)? {
        return Ok(false);
    }
    let value = ask(&format!("logical_product({a}, {b})"));
    if !a.is_integer() || !b.is_integer() {
        return match value {
            Ok(value) => account.say(depth, format!("`logical_product({}, {}) = {value}`", names.a, names.t)).map(|()| true),
            Err(_) => Ok(false),
        };
    }
    // Twice the span shows how the complement continues; more copies would add nothing.
    let Some(far) = trace::complement(a, false).map_err(|e| e.to_string())?.span().checked_mul(2) else {
        return account.say(depth, "two of them would reach past 64 bits").map(|()| true);
    };
    let free = ask(&format!("complement({a}, {far})")).map_err(|e| e.to_string())?;
    let (c_name, c) = (format!("C{}", names.suffix), layout_of(&free).ok_or("explain: no layout")?);
    account.names.bind(&c_name, free);
    account.say(
        depth + 1,
        format!("its first {far} elements `{c_name} = complement({}, {far}) = {free}`, whose last mode goes on", names.a),
    )?;
    account.say(depth, format!("the copies lie where {} says:", names.t))?;
    let done = compose(account, depth + 1, (&c_name, &c), (names.t, b))?;
    let Ok(value) = value else { return Ok(done) };
    let copies = ask(&format!("composition({free}, {b})")).map_err(|e| e.to_string())?;
    account.say(depth, format!("`composition({c_name}, {}) = {copies}`", names.t))?;
    account.say(
        depth,
        format!("the block and its copies: `logical_product({}, {}) = make_layout({}, {copies}) = {value}`", names.a, names.t, names.a),
    )?;
    Ok(true)
}

/// Explains the products that pair mode `k` of both operands: blocked, raked, and tiled to a shape.
pub fn interleaved(account: &mut Account, op: Op, a: &Layout, b: &Value, more: &[Value], result: Option<&Value>) -> Result<()> {
    account.name("A", &Operand::Layout(*a))?;
    account.name("B", b)?;
    if let Some(result) = result {
        account.name("R", result)?;
    }
    match (op, layout_of(b).filter(|_| matches!(b, Operand::Layout(_)))) {
        (Op::BlockedProduct | Op::RakedProduct, Some(b)) => {
            multiply(account, 0, &Names { a: "A", t: "B", suffix: "" }, a, &b)?;
        }
        _ => {
            account.say(0, "the copies go where A leaves room:")?;
            gaps(account, 1, ("A", a), End::Open)?;
        }
    }
    let Some(result) = result else { return Ok(()) };
    let order = more.iter().map(|value| format!(", {value}")).collect::<String>();
    let sizes = |value: &Value| layout_of(value).and_then(|l| size(&l));
    for (k, mode) in modes(result).iter().enumerate() {
        let [first, second] = modes(mode)[..] else { continue };
        let (block, copies) = if op == Op::RakedProduct { (second, first) } else { (first, second) };
        let mut elements = String::new();
        if let (Some(n), Some(m)) = (sizes(&block), sizes(&copies)) {
            elements = format!(": `{n} * {m} = {}` elements", i128::from(n) * i128::from(m));
            if op == Op::TileToShape {
                let want = ask(&format!("size(get({b}, {k}))")).map_err(|e| e.to_string())?;
                account.say(0, format!("mode {k}: blocks of {n} cover {want}: `ceil_div({want}, {n}) = {m}` copies"))?;
            }
        }
        account.say(0, format!("mode {k}: the block has {block}, its copies {copies}{elements}"))?;
    }
    account.say(0, format!("in all `{}(A, B{order}) = R`", op.name()))
}

/// Explains `composition(A, B)` of layouts. Without a result, the explanation ends at the refusal.
pub fn compose_layouts(account: &mut Account, a: &Layout, (value, b): (&Value, &Layout), result: Option<&Value>) -> Result<()> {
    account.name("A", &Operand::Layout(*a))?;
    account.name("B", value)?;
    if let Some(result) = result {
        account.name("R", result)?;
    }
    compose(account, 0, ("A", a), ("B", b))?;
    let Some(result) = result else { return Ok(()) };
    account.say(0, "in all `composition(A, B) = R`")?;
    law(account, 0, ("A", "B"), "R", result, b).map(|_| ())
}

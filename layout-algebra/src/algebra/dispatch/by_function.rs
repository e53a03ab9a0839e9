//! The functions of rows with `by name`: operations whose operands have several kinds or numbers.

use super::*;

macro_rules! dispatchers {
    ($($(#[$doc:meta])* $name:ident($op:ident, $args:ident, $cx:ident) $body:block)*) => { $(
        $(#[$doc])*
        pub(super) const fn $name<const N: usize, const E: usize>($op: Op, $args: &[Operand<N>], $cx: &mut ExprGraph<E>) -> Result<Operand<N>> $body
    )* };
}

dispatchers! {
    coalesce(_op, args, cx) {
        let l = ok!(layout(args, 0, cx));
        match args.len() {
            1 => give!(layout l.coalesce(cx), cx),
            2 => give!(layout l.coalesce_by(&ok!(coord(args, 1, cx)), cx), cx),
            given => Err(count(2, given, cx)),
        }
    }

    composition(_op, args, cx) {
        if let Operand::Swizzle(swizzle) = &args[0] {
            let outer = ok!(layout(args, 1, cx));
            return Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(*swizzle), offset: TupleValue::scalar(SymInt(0)), outer }));
        }
        let a = ok!(layout(args, 0, cx));
        if args.len() != 2 {
            return Err(count(2, args.len(), cx));
        }
        match &args[1] {
            // A o (inner o offset o outer) = (A o inner) o offset o outer
            Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset, outer }) => {
                let inner = ok!(a.composition(inner, cx));
                Ok(Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset: *offset, outer: *outer }))
            }
            Operand::Layout(_) | Operand::Composed(_) => give!(layout a.composition(&ok!(layout(args, 1, cx)), cx), cx),
            _ => {
                let t = ok!(tiler(args, 1, cx));
                give!(layout a.composition_by(&t, cx), cx)
            }
        }
    }

    /// Inverts a layout. A layout continues beyond its domain along its last mode, but the single layout of a composition equals
    /// the composition only inside the domain. A mode `1:0` at the end stops it there.
    inverse(op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        let mut l = ok!(layout(args, 0, cx));
        if let Operand::Composed(ComposedValue { inner: Inner::Layout(_), .. }) = &args[0] {
            if l.extent_is_zero() {
                l = LayoutValue::scalar(SymInt(1), SymInt(0));
            }
            let mut ended = LayoutValue::empty();
            ok!(ended.push_mode(&l, cx));
            ok!(ended.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(0)), cx));
            l = ended;
        }
        give!(layout if matches!(op, Op::LeftInverse) { l.left_inverse(cx) } else { l.right_inverse(cx) }, cx)
    }

    cast(op, args, cx) {
        let need = if matches!(op, Op::Recast) { 3 } else { 2 };
        if args.len() > need {
            return Err(count(need, args.len(), cx));
        }
        let by = match op {
            Op::Recast => Cast::Recast(ok!(number(args, 1, cx)), ok!(number(args, 2, cx))),
            Op::Upcast => Cast::Up(ok!(integer(args, 1, cx))),
            _ => Cast::Down(ok!(integer(args, 1, cx))),
        };
        if let Operand::Composed(l) = &args[0]
            && let Some(swizzled) = ok!(composed::cast(l, by, cx))
        {
            return Ok(Operand::Composed(swizzled));
        }
        give!(layout ok!(layout(args, 0, cx)).cast(by, cx), cx)
    }

    complement(_op, args, cx) {
        let l = ok!(layout(args, 0, cx));
        if args.len() == 1 && !l.gives_integers() {
            return give!(layout l.open_complement(cx), cx);
        }
        let m = match args.len() {
            1 => ok!(l.cosize(cx)),
            2 => ok!(extent(args, 1, cx)),
            given => return Err(count(2, given, cx)),
        };
        give!(layout l.complement(m, cx), cx)
    }

    get(_op, args, cx) {
        let mut l = match &args[0] {
            Operand::Tuple(x) => as_shape(x),
            _ => ok!(layout(args, 0, cx)),
        };
        each!(k, 1..args.len(), {
            l = ok!(l.mode(ok!(mode(args, k, cx)), cx));
        });
        Ok(if matches!(args[0], Operand::Tuple(_)) { Operand::Tuple(l.shape_of(l.root())) } else { Operand::Layout(l) })
    }

    concat(_op, args, cx) {
        let mut out = LayoutValue::empty();
        each!(k, 0..args.len(), {
            ok!(out.push_mode(&ok!(layout(args, k, cx)), cx));
        });
        Ok(Operand::Layout(out))
    }

    make_layout(op, args, cx) {
        match &args[0] {
            Operand::Tuple(shape) if args.len() > 1 => give!(layout make(shape, args, 1, cx), cx),
            Operand::Tuple(_) => Err(count(2, 1, cx)),
            _ => concat(op, args, cx),
        }
    }

    make_composed(_op, args, cx) {
        let (offset, outer) = (ok!(tuple(args, 1, cx)), ok!(layout(args, 2, cx)));
        match args[0] {
            Operand::Swizzle(swizzle) => Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer })),
            Operand::Layout(inner) => Ok(Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset, outer })),
            _ => Err(kind(0, args, cx)),
        }
    }

    /// Returns the inner function, the outer layout or the offset of a composed layout, as `op` says.
    parts(op, args, cx) {
        let Operand::Composed(l) = &args[0] else { return Err(kind(0, args, cx)) };
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        Ok(match (op, &l.inner) {
            (Op::GetOffset, _) => Operand::Tuple(l.offset),
            (Op::GetOuter, _) => Operand::Layout(l.outer),
            (_, Inner::Swizzle(swizzle)) => Operand::Swizzle(*swizzle),
            (_, Inner::Layout(layout)) => Operand::Layout(*layout),
        })
    }

    cosize(op, args, cx) {
        if args.len() > 1 {
            return Err(count(1, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(integer composed::cosize(l, op, cx), cx),
            _ if matches!(op, Op::Cosize) => give!(integer ok!(layout(args, 0, cx)).cosize(cx), cx),
            _ => give!(tuple ok!(layout(args, 0, cx)).coshape(cx), cx),
        }
    }

    max_alignment(_op, args, cx) {
        if args.len() > 1 {
            return Err(count(1, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(integer composed::max_alignment(l, cx), cx),
            _ => give!(integer ok!(layout(args, 0, cx)).max_alignment(cx), cx),
        }
    }

    preimage(_op, args, cx) {
        let index = ok!(integer(args, 1, cx));
        if args.len() > 2 {
            return Err(count(2, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(tuple composed::preimage(l, index, cx), cx),
            _ => give!(tuple ok!(layout(args, 0, cx)).preimage(index, cx), cx),
        }
    }

    identity(_op, args, _cx) {
        Ok(args[0])
    }

    plain_tuple(_op, args, cx) {
        match &args[0] {
            Operand::Tuple(x) if !x.has_keep() => Ok(Operand::Tuple(*x)),
            _ => Err(kind(0, args, cx)),
        }
    }

    to_xor(_op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        give!(layout xor::to_xor(&args[0], cx), cx)
    }

    bank_conflicts(_op, args, cx) {
        if args.len() != 4 {
            return Err(count(4, args.len(), cx));
        }
        let threads = ok!(layout(args, 1, cx));
        let (bits, vector) = (ok!(number(args, 2, cx)), ok!(number(args, 3, cx)));
        if bits < 1 || bits > 128 || vector < 1 || vector > 128 {
            return Err(cx.fail(Cause::AccessWidth, SymInt(bits.saturating_mul(vector)), SymInt(0)));
        }
        let access = Access::vector(bits as u32, vector as u32);
        match accesses::conflicts(&args[0], &threads, access, Banks::NVIDIA) {
            Ok(conflicts) => Ok(Operand::Tuple(TupleValue::scalar(SymInt(conflicts as i64)))),
            Err(error) => Err(error),
        }
    }

    to_affine(_op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        xor::to_affine(&args[0], cx)
    }

    swizzle(_op, args, cx) {
        match args[0] {
            Operand::Swizzle(swizzle) => match ok!(number(args, 1, cx)) {
                value if value >= 0 => Ok(Operand::Tuple(TupleValue::scalar(SymInt::raw(swizzle.apply(value))))),
                value => Err(cx.fail(Cause::OutOfRange, SymInt::raw(value), SymInt(0))),
            },
            _ => Err(kind(0, args, cx)),
        }
    }

    product(_op, args, cx) {
        give!(integer extent(args, 0, cx), cx)
    }

    get_shape(_op, args, cx) {
        match &args[0] {
            Operand::Tiler(t) if t.lay.shape_of(t.root()).has_keep() => Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))),
            Operand::Tiler(t) => Ok(Operand::Tuple(t.lay.shape_of(t.root()))),
            _ => give!(tuple coord(args, 0, cx), cx),
        }
    }

    get_stride(_op, args, cx) {
        match &args[0] {
            Operand::Layout(l) if l.is_integer() => Ok(Operand::Tuple(TupleValue::nested(l.tree, l.stride))),
            Operand::Layout(l) => {
                let mut strides = *l;
                strides.shape = [0; N];
                Ok(Operand::Strides(strides))
            }
            Operand::Tuple(_) | Operand::Strides(_) => Ok(args[0]),
            _ => Err(kind(0, args, cx)),
        }
    }

    /// Takes `(layout, coordinate)`, and `(coordinate, layout or shape)` as in other notations.
    crd2idx(_op, args, cx) {
        let c = match &args[0] {
            Operand::Tuple(c) => c,
            Operand::Composed(l) => return give!(tuple composed::evaluate(l, &ok!(coord(args, 1, cx)), cx), cx),
            _ => return give!(tuple ok!(layout(args, 0, cx)).evaluate(&ok!(coord(args, 1, cx)), cx), cx),
        };
        if args.len() < 2 {
            return Err(count(2, 1, cx));
        }
        match &args[1] {
            Operand::Layout(l) => give!(tuple l.evaluate(c, cx), cx),
            Operand::Composed(l) => give!(tuple composed::evaluate(l, c, cx), cx),
            Operand::Tuple(shape) if args.len() == 3 => give!(tuple ok!(make(shape, args, 2, cx)).evaluate(c, cx), cx),
            Operand::Tuple(index) if index.is_scalar() && !c.is_scalar() => give!(integer ok!(shape(args, 0, cx)).crd2idx_shape(index, cx), cx),
            Operand::Tuple(_) => give!(integer ok!(shape(args, 1, cx)).crd2idx_shape(c, cx), cx),
            _ => Err(kind(1, args, cx)),
        }
    }

    /// Takes an index and a layout, or a position and a shape, in either order; or an index, a shape and strides.
    idx2crd(op, args, cx) {
        let shape_first = matches!(args, [Operand::Tuple(a), Operand::Tuple(b)] if !a.is_scalar() && b.is_scalar());
        let (index, of, at) = match args {
            [Operand::Tuple(index), Operand::Tuple(shape), _] => (index, Operand::Layout(ok!(make(shape, args, 2, cx))), 1),
            [shape, Operand::Tuple(index)] if shape_first => (index, *shape, 0),
            [Operand::Tuple(index), of] => (index, *of, 1),
            [of, Operand::Tuple(index)] => (index, *of, 0),
            _ => return Err(kind(matches!(args[0], Operand::Tuple(_)) as usize, args, cx)),
        };
        let found = match &of {
            Operand::Layout(_) | Operand::Composed(_) => match ok!(preimage(op, &[of, Operand::Tuple(*index)], cx)) {
                Operand::Tuple(found) => found,
                other => return Ok(other),
            },
            _ => ok!(ok!(shape(args, at, cx)).idx2crd(index, cx)),
        };
        let shape = ok!(coord(&[of], 0, cx));
        match op {
            Op::LinearCoordinate => give!(integer shape.crd2idx_shape(&found, cx), cx),
            Op::FlatCoordinate => give!(tuple shape.crd2idx_each(&found, cx), cx),
            _ => Ok(Operand::Tuple(found)),
        }
    }

    from_table(_op, args, cx) {
        let table = ok!(tuple(args, 0, cx));
        refuse_if!(cx, !table.is_known(), Undecided);
        if !matches!(args[0], Operand::Tuple(_)) || table.tree.depth(table.root()) > 1 {
            return Err(kind(0, args, cx));
        }
        let mut of = TupleValue::scalar(SymInt::small(table.len()));
        if args.len() > 1 {
            of = ok!(shape(args, 1, cx));
        }
        let (numbers, _) = table.leaf.split_at(table.len());
        table::layout_of(numbers, &of, cx)
    }

    equal_functions(_op, args, cx) {
        match functions::equal_functions(&args[0], &args[1], cx) {
            Ok(Equality::Open(open)) => Err(cx.fail(Cause::OpenEquality, open.left, open.right)),
            Ok(answer) => decided(answer.truth(), cx),
            Err(error) => Err(error),
        }
    }

    injective(_op, args, cx) {
        give!(truth images(functions::injective(&args[0], cx)), cx)
    }

    disjoint(_op, args, cx) {
        give!(truth images(functions::disjoint(&args[0], &args[1], cx)), cx)
    }

    covers(_op, args, cx) {
        give!(truth images(functions::covers(&args[0], &args[1], cx)), cx)
    }

    in_bounds(_op, args, cx) {
        let Some(n) = ok!(integer(args, 1, cx)).value() else {
            return Err(cx.fail(Cause::RunTimeNumber, SymInt(0), SymInt(0)));
        };
        give!(truth images(functions::in_bounds(&args[0], n, cx)), cx)
    }

    /// Compares the nesting only, so `_` is accepted.
    nesting(op, args, cx) {
        let (a, b) = (ok!(coord(args, 0, cx)), ok!(coord(args, 1, cx)));
        let holds = if matches!(op, Op::Congruent) { a.congruent(&b) } else { a.weakly_congruent(&b) };
        Ok(Operand::Tuple(TupleValue::scalar(SymInt(holds as i64))))
    }

    equal(_op, args, cx) {
        if args.len() != 2 {
            return Err(count(2, args.len(), cx));
        }
        let (Operand::Tuple(a), Operand::Tuple(b)) = (&args[0], &args[1]) else {
            return Err(kind(matches!(args[0], Operand::Tuple(_)) as usize, args, cx));
        };
        let mut same = a.congruent(b);
        let mut k = 0;
        while same && k < a.len() {
            same = a.leaf(k).same(b.leaf(k));
            k += 1;
        }
        Ok(Operand::Tuple(TupleValue::scalar(SymInt(same as i64))))
    }

    ceil_div(op, args, cx) {
        let a = ok!(tuple(args, 0, cx));
        if let [_, Operand::Layout(l)] = args {
            // For a layout: the extents of its copies that cover the shape.
            let size = ok!(a.product(a.root(), cx));
            let rest = ok!(l.complement_in(size, false, cx));
            return Ok(Operand::Tuple(rest.shape_of(rest.root())));
        }
        give!(tuple a.elementwise(op, &ok!(tuple(args, 1, cx)), cx), cx)
    }

    /// Folds the integers of one tuple, or combines corresponding integers of two tuples.
    fold_or_pair(op, args, cx) {
        let a = ok!(tuple(args, 0, cx));
        if args.len() == 1 {
            return give!(integer a.fold(op, cx), cx);
        }
        let b = ok!(tuple(args, 1, cx));
        if !matches!(op, Op::TupleGcd) {
            return give!(tuple a.elementwise(op, &b, cx), cx);
        }
        let mut both = TupleValue::<N>::empty();
        ok!(both.push(&a, a.root(), 1, 1, cx));
        ok!(both.push(&b, b.root(), 1, 1, cx));
        give!(integer both.fold(op, cx), cx)
    }
}

/// Returns the checked layout of a shape and the strides `args[at]`. Fails if they do not match or an index overflows.
const fn make<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    args: &[Operand<N>],
    at: usize,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let stride = match &args[at] {
        Operand::Tuple(stride) => {
            let mut out = LayoutValue::empty();
            out.tree = stride.tree;
            out.stride = stride.leaf;
            out
        }
        Operand::Strides(stride) => *stride,
        _ => return Err(kind(at, args, cx)),
    };
    let l = ok!(LayoutValue::zip(shape, &stride, cx));
    ok!(l.check(cx));
    Ok(l)
}

/// Returns a verdict without its witness.
const fn images<W: Copy>(verdict: Result<Verdict<W>>) -> Result<Truth> {
    match verdict {
        Ok(verdict) => Ok(if verdict.holds() { Truth::Yes } else { Truth::No }),
        Err(error) => Err(error),
    }
}

#!/usr/bin/env python3
"""Writes tests/stages/constant/: tests that compare operations on layout types with the same operations on values, one file per operation.

usage: scripts/generate_stages.py BINARY      (BINARY: target/debug/crd2idx; it decides which operands are accepted)

Operands are random with a fixed seed. Every case is checked with all leaves static, and again with some leaves as run-time integers.
"""
import json, random, re, subprocess, sys

random.seed(20)
BINARY = sys.argv[1]
CASES = 60
XOR_CASES = 8


def shape(leaves):
    if len(leaves) > 2 and random.random() < 0.6:
        k = random.randrange(1, len(leaves))
        return [shape(leaves[:k]), *leaves[k:]]
    return list(leaves)


def layout():
    extents = [random.randint(1, 6) for _ in range(random.randint(1, 4))]
    order = list(range(len(extents)))
    random.shuffle(order)
    strides, span = [0] * len(extents), 1
    for k in order:
        strides[k] = span
        span *= extents[k] * (random.choice([1, 1, 1, 2]))
    return shape(list(zip(extents, strides)))


def text(tree, of):
    return '(' + ','.join(text(x, of) for x in tree) + ')' if isinstance(tree, list) else str(tree[of])


def notation(l):
    return text(l, 0) + ':' + text(l, 1)


def xor_layout():
    """Returns modes of powers of two with XOR strides, and often a mode whose integer stride is above all bits that these reach."""
    modes = [(2 ** random.randint(0, 3), f'^{random.randint(0, 63)}') for _ in range(random.randint(1, 3))]
    if random.random() < 0.6:
        modes.insert(random.randint(0, len(modes)), (random.choice([2, 3, 4, 5]), 512 * random.randint(1, 3)))
    return shape(modes)


def permuted():
    """Returns a compact layout of powers of two, with the strides in a random order."""
    extents = [2 ** random.randint(0, 2) for _ in range(random.randint(1, 3))]
    order = list(range(len(extents)))
    random.shuffle(order)
    strides, span = [0] * len(extents), 1
    for k in order:
        strides[k] = span
        span *= extents[k]
    return shape(list(zip(extents, strides)))


def size(tree):
    n = 1
    for x in tree:
        n *= size(x) if isinstance(x, list) else x[0]
    return n


def integer(n):
    return f'Int::<{n}>' if isinstance(n, int) else f'Xor::<{n[1:]}>'


def static(tree, of):
    return '(' + ', '.join(static(x, of) for x in tree) + (',)' if len(tree) == 1 else ')') if isinstance(tree, list) else integer(tree[of])


def hide(tree):
    """Hides about half of the numbers above 1. Each number becomes (number, whether it is a run-time integer)."""
    return [hide(x) for x in tree] if isinstance(tree, list) else tuple((n, isinstance(n, int) and n > 1 and random.random() < 0.5) for n in tree)


def mixed(tree, of):
    if isinstance(tree, list):
        return '(' + ', '.join(mixed(x, of) for x in tree) + (',)' if len(tree) == 1 else ')')
    n, hidden = tree[of]
    return f'run({n})' if hidden else integer(n)


def questions(tree, of):
    if isinstance(tree, list):
        return '(' + ','.join(questions(x, of) for x in tree) + ')'
    return '?' if tree[of][1] else str(tree[of][0])


def hidden_layout(l):
    """Returns a layout with hidden leaves, in the notation with `?` and in Rust."""
    h = hide(l)
    return f'{questions(h, 0)}:{questions(h, 1)}', f'make_layout({mixed(h, 0)}, {mixed(h, 1)})'


def divisor(n):
    return random.choice([d for d in range(1, n + 1) if n % d == 0])


def second(op, a, layout=layout):
    """Returns the right operand as (text, static Rust, layout to hide leaves of or None)."""
    if op in ('coalesce', 'filter', 'flatten', 'right_inverse', 'left_inverse', 'nullspace'):
        return None
    if op == 'complement':
        m = size(a)
        return str(m), f'Int::<{m}>', None
    if op.endswith('divide'):
        if random.random() < 0.5:
            tiles = [divisor(size(x) if isinstance(x, list) else x[0]) for x in a][:random.randint(1, len(a))]
            parts = [f'Int::<{t}>' for t in tiles]
            t = '(' + ', '.join(parts) + (',)' if len(parts) == 1 else ')')
            return '(' + ','.join(map(str, tiles)) + ')', t, None
        n = divisor(size(a))
        return str(n), f'Int::<{n}>', None
    b = layout()
    return notation(b), f'make_layout({static(b, 0)}, {static(b, 1)})', b


def decided(expression):
    """Tests whether the operation compiles with these run-time leaves: open relations become promises."""
    return subprocess.run([BINARY, 'eval', expression], capture_output=True).returncode == 0


OPS = ['coalesce', 'filter', 'flatten', 'composition', 'complement', 'logical_divide', 'zipped_divide', 'tiled_divide', 'flat_divide',
       'logical_product', 'blocked_product', 'raked_product', 'right_inverse', 'left_inverse', 'nullspace']

process = subprocess.Popen([BINARY, 'batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def accepted(op, args):
    process.stdin.write(json.dumps({'op': op, 'args': args}) + '\n')
    process.stdin.flush()
    return 'ok' in json.loads(process.stdout.readline())


def write(name, lines):
    with open(f'tests/stages/constant/{name}.rs', 'w') as file:
        file.write('\n'.join(lines) + '\n')


write('mod', ['//! Constant layouts, and layout types with run-time leaves, compared with dynamic layouts. @generated by scripts/generate_stages.py.', '',
              *(f'mod {op};' for op in sorted([*OPS, 'xor_strides']))])


def cases(op, count, layout, right):
    """Yields accepted expressions with both operands: (expression, left, right)."""
    done = 0
    while done < count:
        a = layout()
        b = second(op, a, right)
        args = [notation(a)] + ([b[0]] if b else [])
        if accepted(op, args):
            done += 1
            yield f'{op}({", ".join(args)})', a, b


def checks(op, expression, a, b):
    """Yields the lines that check one expression, static and with run-time leaves."""
    left = f'make_layout({static(a, 0)}, {static(a, 1)})'
    yield f'    constant({left}.{op}({b[1] if b else ""}), "{expression}");'
    for _ in range(8):
        text_a, rust_a = hidden_layout(a)
        text_b, rust_b = hidden_layout(b[2]) if b and b[2] else (b[0], b[1]) if b else ('', '')
        if decided(f'{op}({text_a}{", " if b else ""}{text_b})'):
            yield f'    partial({rust_a}.try_{op}({rust_b}), "{expression}");'
            return


for op in OPS:
    out = [f'//! `{op}`: as constants and with run-time leaves, compared with dynamic layouts. @generated by scripts/generate_stages.py.', '',
           '#![cfg_attr(rustfmt, rustfmt_skip)]', '', 'use crate::stages::typed::{constant, partial, run};', 'use crd2idx::{Int, LayoutAlgebra, make_layout};', '',
           '#[test]', 'fn agrees() {']
    for case in cases(op, CASES, layout, layout):
        out.extend(checks(op, *case))
    write(op, out + ['}'])

out = ['//! XOR strides as types, in macros and with run-time leaves, compared with dynamic layouts. @generated by scripts/generate_stages.py.', '',
       '#![cfg_attr(rustfmt, rustfmt_skip)]', '', 'use crate::stages::typed::{constant, partial, run};',
       'use crd2idx::{Int, LayoutAlgebra, layout, make_layout, number::Xor};']
for op in OPS:
    out += ['', '#[test]', f'fn {op}() {{']
    for expression, a, b in cases(op, XOR_CASES, xor_layout, permuted):
        out.append(f'    constant(layout!({expression}), "{expression}");')
        out.extend(checks(op, expression, a, b))
    out.append('}')
write('xor_strides', out)

//! Products of matrices and loads of matrices: instructions of PTX.

use super::Writer;
use super::cores;
use super::index::{expression, place};
use crate::distribution::{Digit, product as count};
use crate::error::{Result, fail};
use crate::fixed;
use crate::program::{LEAVES, Statement};
use crate::target::Target;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use layout_algebra::DynLayout;
use layout_core::atoms::ATOMS;

impl Writer<'_> {
    /// Writes a product: one instruction for each tile of the target and of the depth.
    pub(super) fn product(&mut self, statement: &Statement, atom: usize) -> Result<()> {
        let (atom, line) = (&ATOMS[atom], statement.line);
        let references = [&statement.target, &statement.sources[0], &statement.sources[1]];
        let element = |k: usize| self.tensor(references[k]).element;
        let types = [element(0), element(1), element(2)];
        let machine = self.choice.program.machine;
        let names = types.map(|of| of.name);
        let name = if machine.target == Target::Nvidia { helper_name(atom.name, names) } else { cores::name(atom.name, names) };
        let name = name.ok_or(()).or_else(|()| {
            fail(line, format!("a kernel has no `{}` of {} from {} and {}", atom.name, types[0].name, types[1].name, types[2].name))
        })?;
        let common =
            |a: usize, b: usize| references[a].variables.iter().copied().find(|v| references[b].variables.contains(v)).unwrap_or(0);
        let (m, n, k) = (common(0, 1), common(0, 2), common(1, 2));
        let size = |variable: usize| {
            atom.shape[if variable == m {
                0
            } else if variable == n {
                1
            } else {
                2
            }] as i64
        };
        let mut own = Vec::new();
        for reference in references {
            own.push(self.distribution(reference, line)?);
        }
        // The tiles of a warp: the register digits beyond one instruction.
        let tiles = |variable: usize| -> Vec<Digit> {
            let of = own.iter().flat_map(|of| of.registers.iter()).filter(|d| d.mode == Some(variable) && d.weight >= size(variable));
            let mut all: Vec<Digit> = Vec::new();
            of.for_each(|digit| {
                if !all.contains(digit) {
                    all.push(*digit)
                }
            });
            all.sort_unstable();
            all
        };
        let loops = [(m, "tile_m"), (n, "tile_n"), (k, "tile_k")].map(|(variable, name)| (variable, name, tiles(variable)));
        self.helpers.insert(name.clone());
        // A product adds to what an earlier statement gave the target.
        let earlier = self.choice.program.statements.iter().take_while(|earlier| earlier.line < line);
        if !earlier.into_iter().any(|earlier| earlier.target.tensor == statement.target.tensor) {
            self.line("#pragma unroll");
            self.line(&format!(
                "for (int step = 0; step < {}; ++step) {}[step] = 0;",
                own[0].values(),
                self.tensor(&statement.target).name
            ));
        }
        for (_, name, digits) in &loops {
            self.line("#pragma unroll");
            self.line(&format!("for (int {name} = 0; {name} < {}; ++{name})", count(digits)));
        }
        self.line("{");
        let words = |values: i64, bytes: i64| (values * bytes).div_euclid(4).max(1);
        for (operand, words_of) in [(1, "left"), (2, "right"), (0, "sums")] {
            let registers = &own[operand].registers;
            let (number, pair) = [(2, [m, n]), (0, [m, k]), (1, [n, k])][operand];
            let layout = DynLayout::<LEAVES>::parse(atom.layouts[number].unwrap_or("1:0"));
            let layout = layout.map_err(|error| crate::ChoiceError { line, message: error.to_string() })?;
            let inner =
                fixed::distribution(&layout, &atom.extents(number).map(|extent| extent as i64), &pair, machine.lanes, line)?.registers;
            let tensor = self.tensor(references[operand]);
            let (bytes, array) = (tensor.element.bytes, tensor.name.clone());
            let values = count(&inner);
            let mut at = Vec::new();
            for (_, name, digits) in &loops {
                let of = expression(&super::sum(digits, |d| place(registers, d).unwrap_or(0)), &Vec::new(), [name, "0"], line)?;
                if digits.iter().any(|digit| place(registers, digit).is_some()) {
                    at.push(of);
                }
            }
            let base = if at.is_empty() { "0".to_string() } else { at.join(" + ") };
            let within: Vec<i64> = super::sums(&super::sum(&inner, |digit| place(registers, digit).unwrap_or(0)));
            if operand == 0 {
                self.line(&format!("    {} sums[{values}];", types[0].cuda));
                let list = |this: &mut Self, text: &dyn Fn(usize, i64) -> String| {
                    within.iter().enumerate().for_each(|(k, w)| this.line(&format!("    {}", text(k, *w))))
                };
                list(self, &|k, w| format!("sums[{k}] = {array}[{base} + {w}];"));
                self.line(&format!("    {name}(sums, left, right);"));
                list(self, &|k, w| format!("{array}[{base} + {w}] = sums[{k}];"));
                continue;
            }
            let per_word = (4 / bytes).max(1);
            if within[..per_word as usize].windows(2).any(|pair| pair[1] != pair[0] + 1) {
                return fail(line, format!("the elements of a word of `{array}` are not neighbours in its registers; write `convert`"));
            }
            self.line(&format!("    unsigned {words_of}[{}];", words(values, bytes)));
            for word in 0..words(values, bytes) {
                // The elements of a word are neighbours: its digits are the first of an operand.
                let first = within[(word * per_word) as usize];
                self.line(&format!("    {words_of}[{word}] = *reinterpret_cast<const unsigned*>(&{array}[{base} + {first}]);"));
            }
        }
        self.line("}");
        Ok(())
    }
}

/// Returns the name of the helper of an instruction, such as `mma_m16n8k16_f32_f16_f16`; `None` if CUDA has none.
fn helper_name(atom: &str, [c, a, b]: [&str; 3]) -> Option<String> {
    let (shape, _) = atom.split_once('.')?;
    let float = (a == "f16" || a == "bf16" || a == "tf32" || a == "e4m3" || a == "e5m2") && c == "f32";
    let integer = (a == "i8" || a == "u8") && c == "i32";
    let known = shape.starts_with('m') && shape != "mfma" && (float || integer) && (a == b || a.starts_with('e') && b.starts_with('e'));
    known.then(|| format!("mma_{shape}_{c}_{a}_{b}"))
}

/// Returns the text of a helper.
pub(super) fn helper(name: &str) -> String {
    if let Some(text) = cores::helper(name) {
        return text;
    }
    if let Some(rest) = name.strip_prefix("ldmatrix_x") {
        let (count, transposed) = rest.split_once('_').map_or((rest, ""), |(count, _)| (count, ".trans"));
        let count: usize = count.parse().unwrap_or(1);
        let outputs: Vec<String> = (0..count).map(|k| format!("%{k}")).collect();
        let variables: Vec<String> = (0..count).map(|k| format!("\"=r\"(d[{k}])")).collect();
        return format!(
            "__device__ __forceinline__ void {name}(unsigned* d, const void* p) {{\n    \
             asm volatile(\"ldmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 {{{}}}, [%{count}];\" : {} : \
             \"r\"((unsigned)__cvta_generic_to_shared(p)) : \"memory\");\n}}\n",
            outputs.join(", "),
            variables.join(", ")
        );
    }
    let mut parts = name.split('_').skip(1);
    let (shape, c, a, b) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let ptx = |ty: &str| match ty {
        "i8" => "s8".to_string(),
        "i32" => "s32".to_string(),
        _ => ty.to_string(),
    };
    let numbers: Vec<usize> = shape.split(['m', 'n', 'k']).filter_map(|part| part.parse().ok()).collect();
    let [m, n, k] = numbers[..] else { return String::new() };
    let bits = match a {
        "tf32" => 32,
        "f16" | "bf16" => 16,
        _ => 8,
    };
    let (words_a, words_b, values) = (m * k * bits / 1024, n * k * bits / 1024, m * n / 32);
    let (ty, constraint) = if c == "f32" { ("float", "f") } else { ("int", "r") };
    let list = |from: usize, count: usize| (from..from + count).map(|k| format!("%{k}")).collect::<Vec<_>>().join(", ");
    let outputs: Vec<String> = (0..values).map(|k| format!("\"+{constraint}\"(d[{k}])")).collect();
    let inputs: Vec<String> =
        (0..words_a).map(|k| format!("\"r\"(a[{k}])")).chain((0..words_b).map(|k| format!("\"r\"(b[{k}])"))).collect();
    format!(
        "__device__ __forceinline__ void {name}({ty}* d, const unsigned* a, const unsigned* b) {{\n    \
         asm volatile(\"mma.sync.aligned.{shape}.row.col.{}.{}.{}.{} {{{d}}}, {{{}}}, {{{}}}, {{{d}}};\" : {} : {});\n}}\n",
        ptx(c),
        ptx(a),
        ptx(b),
        ptx(c),
        list(values, words_a),
        list(values + words_a, words_b),
        outputs.join(", "),
        inputs.join(", "),
        d = list(0, values)
    )
}

//! Counts for each function, read from the assembly that the compiler prints for x86-64, Arm, RISC-V or WebAssembly.
//!
//! Divisions and memory accesses are counted for x86-64 alone.

use std::collections::{BTreeMap, BTreeSet};

/// The cost of one function, with all that it reaches in the same file.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    pub instructions: usize,
    pub calls: usize,
    pub panics: usize,
    pub divisions: usize,
    pub accesses: usize,
}

impl Cost {
    /// Returns the names of the counts in which `self` exceeds `other`.
    pub fn above(&self, other: &Cost) -> Vec<&'static str> {
        let counts = [
            ("instructions", self.instructions, other.instructions),
            ("calls", self.calls, other.calls),
            ("panics", self.panics, other.panics),
            ("divisions", self.divisions, other.divisions),
            ("memory accesses", self.accesses, other.accesses),
        ];
        counts.iter().filter(|(_, ours, theirs)| ours > theirs).map(|(what, ..)| *what).collect()
    }

    fn add(&mut self, instruction: &str) {
        let (mnemonic, operands) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        self.instructions += 1;
        if let Some(target) = outside(instruction) {
            self.calls += 1;
            let fails = ["panic", "unwrap_failed", "expect_failed", "slice_index", "len_mismatch"];
            self.panics += fails.iter().any(|word| target.contains(word)) as usize;
        }
        // A trap is a panic without a message.
        self.panics += (mnemonic == "ud2") as usize;
        self.divisions += matches!(mnemonic.trim_end_matches(['b', 'w', 'l', 'q']), "di" | "div" | "idiv") as usize;
        let stack = mnemonic.starts_with("push") || mnemonic.starts_with("pop");
        let address = operands.contains('(') && !mnemonic.starts_with("lea");
        self.accesses += (stack || address) as usize;
    }
}

/// Returns the target of a call, or of a jump out of the function; `None` for other instructions.
fn outside(instruction: &str) -> Option<&str> {
    let (mnemonic, target) = instruction.split_once(char::is_whitespace)?;
    let target = target.trim();
    // Arm and RISC-V have registers and local labels there, too.
    let jumps = mnemonic.starts_with('j') || matches!(mnemonic, "b" | "b.w" | "tail");
    let leaves = jumps && !target.starts_with(".L") && !target.starts_with('*');
    (mnemonic.starts_with("call") || matches!(mnemonic, "bl" | "blx") || leaves).then_some(target)
}

/// Returns the two names of one function from a directive `.set a, b` or `a = b`; `None` for other directives.
fn equality(directive: &str) -> Option<(&str, &str)> {
    match directive.strip_prefix(".set") {
        Some(rest) => rest.split_once(','),
        None => directive.split_once(" = "),
    }
}

/// The functions of an assembly file.
pub struct Assembly {
    bodies: BTreeMap<String, Vec<String>>,
    /// The merged functions, which the compiler found equal to another.
    aliases: BTreeMap<String, String>,
}

impl Assembly {
    /// Reads the assembly of x86-64, RISC-V or WebAssembly.
    pub fn parse(text: &str) -> Assembly {
        Assembly::parse_with(text, "#")
    }

    /// Reads assembly whose comments begin with `comment`.
    pub fn parse_with(text: &str, comment: &str) -> Assembly {
        let mut functions = BTreeSet::new();
        let (mut bodies, mut aliases) = (BTreeMap::<String, Vec<String>>::new(), BTreeMap::new());
        let mut open: Option<String> = None;
        for line in text.lines() {
            let code = line.split(comment).next().unwrap_or("").trim_end();
            let directive = code.trim_start();
            if let Some((name, "@function" | "%function")) = directive.strip_prefix(".type").and_then(|rest| rest.trim().split_once(',')) {
                functions.insert(name.to_string());
            } else if let Some((alias, name)) = equality(directive) {
                aliases.insert(alias.trim().to_string(), name.trim().to_string());
            } else if directive.starts_with(".size") {
                open = None;
            } else if let Some(label) = code.strip_suffix(':') {
                if functions.contains(label) {
                    bodies.entry(label.to_string()).or_default();
                    open = Some(label.to_string());
                }
            } else if let (Some(name), true) = (&open, directive.starts_with(|c: char| c.is_ascii_alphabetic())) {
                bodies.entry(name.clone()).or_default().push(directive.to_string());
            }
        }
        Assembly { bodies, aliases }
    }

    /// Returns the names of all functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bodies.keys().chain(self.aliases.keys()).map(String::as_str)
    }

    /// Returns the name of the function whose code `name` runs: `name` itself, or the function that it was merged with.
    pub fn root<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        while let Some(next) = self.aliases.get(name) {
            name = next;
        }
        name
    }

    /// Returns the instructions of `name`, which must be a function of the file.
    pub fn body(&self, name: &str) -> &[String] {
        self.bodies.get(self.root(name)).unwrap_or_else(|| panic!("no function {name}"))
    }

    /// Returns the cost of `name` with every function of the file that it reaches.
    pub fn cost(&self, name: &str) -> Cost {
        self.cost_through(name, |_| true)
    }

    /// Returns the cost of `name` with every function of the file that it reaches through functions whose instructions `follows` accepts.
    pub fn cost_through(&self, name: &str, follows: impl Fn(&[String]) -> bool) -> Cost {
        let mut cost = Cost::default();
        let mut reached = BTreeSet::from([self.root(name)]);
        let mut open = vec![self.root(name)];
        while let Some(name) = open.pop() {
            for instruction in self.body(name) {
                cost.add(instruction);
                let callee = outside(instruction).map(|target| self.root(target));
                let callee = callee.filter(|callee| self.bodies.get(*callee).is_some_and(|body| follows(body)));
                if let Some(callee) = callee.filter(|callee| reached.insert(callee)) {
                    open.push(callee);
                }
            }
        }
        cost
    }
}

#[test]
fn counts_what_it_should() {
    let text = "
	.type	plain,@function
plain:
	.cfi_startproc
	pushq	%rbx
	leaq	(%rdi,%rsi,2), %rax
	movq	8(%rdi), %rcx	# a load
	divq	%rcx
	vdivss	%xmm0, %xmm1, %xmm0
.LBB0_1:
	callq	helper
	callq	*_ZN4core9panicking5panic17h0E@GOTPCREL(%rip)
	jne	.LBB0_1
	popq	%rbx
	jmp	helper
.Lfunc_end0:
	.size	plain, .Lfunc_end0-plain
	.type	helper,@function
helper:
	idivl	%ecx
	ud2
	.size	helper, 1
	.set same, plain
other = same
";
    let assembly = Assembly::parse(text);
    let cost = Cost { instructions: 12, calls: 3, panics: 2, divisions: 2, accesses: 4 };
    assert_eq!(assembly.cost("plain"), cost);
    assert_eq!(assembly.cost("same"), cost);
    assert_eq!((assembly.root("other"), assembly.body("helper").len()), ("plain", 2));
    assert_eq!(assembly.cost("helper").above(&cost), Vec::<&str>::new());
    assert_eq!(cost.above(&assembly.cost("helper")), ["instructions", "calls", "panics", "divisions", "memory accesses"]);
}

//! Tile programs: tensors, and statements between them.

pub(crate) use crate::target::Machine;
use alloc::string::String;
use alloc::vec::Vec;
use layout_algebra::DynLayout;
use layout_algebra::memory::Banks;

/// The number of leaves of the layouts that a program states.
pub(crate) const LEAVES: usize = 16;

/// A tile program: what one block of threads does with its tiles.
///
/// [`TileProgram::parse`] reads it from text, and [`TileProgram::choose`] chooses what it leaves open. The README lists the statements.
#[derive(Clone, Debug)]
pub struct TileProgram {
    pub(crate) name: String,
    pub(crate) machine: Machine,
    /// The number of threads of the block, and the line that states it.
    pub(crate) threads: i64,
    pub(crate) threads_line: usize,
    /// The last line that states the machine, or 0.
    pub(crate) machine_line: usize,
    pub(crate) tensors: Vec<TileTensor>,
    pub(crate) statements: Vec<Statement>,
}

/// The memory that holds the elements of a tensor.
///
/// ```
/// use layout_choice::{TileMemory, TileProgram};
/// let program = TileProgram::parse("tile t\nthreads 32\nglobal a f32 (32)\nregisters x f32 (32)\nx[i] <- a[i]")?;
/// assert_eq!(program.tensors()[1].memory(), TileMemory::Registers);
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileMemory {
    /// The memory of all blocks. The program states its layout.
    Global,
    /// The memory of a block.
    Shared,
    /// The registers of the threads.
    Registers,
}

/// A tensor of a tile program.
///
/// ```
/// use layout_choice::TileProgram;
/// let program = TileProgram::parse("tile t\nthreads 32\nglobal a f16 (8, 64)\nregisters x f16 (8, 64)\nx[i, j] <- a[i, j]")?;
/// let a = &program.tensors()[0];
/// assert_eq!((a.name(), a.element(), a.element_bits(), a.extents()), ("a", "f16", 16, &[8, 64][..]));
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileTensor {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) memory: TileMemory,
    pub(crate) element: &'static Element,
    pub(crate) extents: Vec<i64>,
    /// The layout that the program states for a tensor in global memory, from coordinates to elements, or in registers, from threads and
    /// values to coordinates.
    pub(crate) fixed: Option<DynLayout<LEAVES>>,
    /// The layout that the program states for a tensor in shared memory, in the notation.
    pub(crate) stated: Option<String>,
}

impl TileTensor {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the memory that holds the elements.
    pub fn memory(&self) -> TileMemory {
        self.memory
    }

    /// Returns the name of the type of an element.
    pub fn element(&self) -> &'static str {
        self.element.name
    }

    /// Returns the number of bits of an element.
    pub fn element_bits(&self) -> u32 {
        self.element.bytes as u32 * 8
    }

    /// Returns the extent of each mode.
    pub fn extents(&self) -> &[i64] {
        &self.extents
    }

    /// Returns the number of elements.
    pub fn size(&self) -> i64 {
        self.extents.iter().product()
    }

    /// Returns the number of bytes of all elements.
    pub(crate) fn bytes(&self) -> u64 {
        (self.size() * self.element.bytes) as u64
    }
}

/// A type of elements.
#[derive(Debug)]
pub(crate) struct Element {
    pub name: &'static str,
    pub bytes: i64,
    /// The type in CUDA.
    pub cuda: &'static str,
}

/// The types of elements.
pub(crate) const ELEMENTS: [Element; 16] = [
    Element { name: "f64", bytes: 8, cuda: "double" },
    Element { name: "f32", bytes: 4, cuda: "float" },
    Element { name: "tf32", bytes: 4, cuda: "float" },
    Element { name: "f16", bytes: 2, cuda: "__half" },
    Element { name: "bf16", bytes: 2, cuda: "__nv_bfloat16" },
    Element { name: "e4m3", bytes: 1, cuda: "unsigned char" },
    Element { name: "e5m2", bytes: 1, cuda: "unsigned char" },
    Element { name: "i64", bytes: 8, cuda: "long long" },
    Element { name: "i32", bytes: 4, cuda: "int" },
    Element { name: "i16", bytes: 2, cuda: "short" },
    Element { name: "i8", bytes: 1, cuda: "signed char" },
    Element { name: "u64", bytes: 8, cuda: "unsigned long long" },
    Element { name: "u32", bytes: 4, cuda: "unsigned int" },
    Element { name: "u16", bytes: 2, cuda: "unsigned short" },
    Element { name: "u8", bytes: 1, cuda: "unsigned char" },
    Element { name: "b8", bytes: 1, cuda: "unsigned char" },
];

/// A tensor at the index variables of a statement, one for each mode.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub tensor: usize,
    /// The number of the variable of each mode.
    pub variables: Vec<usize>,
}

/// The kind of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// An element of the target depends on one element of each source.
    Map,
    /// The target may have another distribution than the source.
    Convert,
    /// The target is a sum, maximum or minimum over the variables that only sources have.
    Reduce(Reduction),
    /// A product of matrices by the instruction of this number.
    Multiply(usize),
}

/// The operation by which a reduction joins two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduction {
    Sum,
    Max,
    Min,
}

/// A statement: it makes the elements of a target from the elements of sources.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub line: usize,
    pub text: String,
    pub action: Action,
    pub target: Reference,
    pub sources: Vec<Reference>,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// The text between the sources: before the first, between two, and after the last.
    pub between: Vec<String>,
}

impl TileProgram {
    /// Returns the name of the program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the banks of shared memory, as loads of the target see them.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("tile t\ntarget cdna4\nthreads 64\nglobal a f32 (64)\nregisters x f32 (64)\nx[i] <- a[i]")?;
    /// assert_eq!(program.banks().count(), 64);
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    pub fn banks(&self) -> Banks {
        self.machine.banks(false)
    }

    /// Returns the name of the target: `nvidia` unless the program states another one.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("tile t\ntarget cdna3\nthreads 64\nglobal a f32 (64)\nregisters x f32 (64)\nx[i] <- a[i]")?;
    /// assert_eq!(program.target(), "cdna3");
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    pub fn target(&self) -> &'static str {
        self.machine.target.name()
    }

    /// Returns the number of threads of a block.
    pub fn threads(&self) -> i64 {
        self.threads
    }

    /// Returns the tensors in the order of their declarations.
    pub fn tensors(&self) -> &[TileTensor] {
        &self.tensors
    }
}

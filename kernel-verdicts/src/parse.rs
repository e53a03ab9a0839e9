//! Reads kernels from text.

use crate::KernelError;
use crate::kernel::{Access, Expr, Kernel, Kind, Memory, Name, Operator, Role, Statement, Table};
use crate::tokens::{Result, Token, tokens};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The maximum depth of braces and of parentheses.
const DEEPEST: usize = 64;

/// The maximum number of numbers and names in the expressions of a statement. A name that `let` declares counts as its expression.
const LONGEST: usize = 200;

/// The maximum number of accesses.
const ACCESSES: usize = 300;

/// The position in the text, and all that has been declared.
struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
    kernel: Kernel,
    /// Names that `let` declares, and the visible names of coordinates and loops.
    visible: Vec<(String, Expr)>,
    /// True below a condition.
    conditional: bool,
    /// The number of numbers and names in the statement so far.
    parts: usize,
    accesses: usize,
}

impl Kernel {
    /// Reads a kernel from its text.
    ///
    /// ```
    /// use kernel_verdicts::Kernel;
    /// assert!(Kernel::parse("kernel nothing").is_ok());
    /// assert_eq!(Kernel::parse("kernel k\nblock t").unwrap_err().to_string(), "line 2: expected `<`, found the end of the line");
    /// ```
    ///
    /// # Errors
    /// Returns an error with the line of the first statement that is not understood.
    pub fn parse(text: &str) -> Result<Kernel> {
        let kernel = Kernel {
            name: String::new(),
            names: Vec::new(),
            roles: Vec::new(),
            memories: Vec::new(),
            tables: Vec::new(),
            body: Vec::new(),
            lines: text.lines().map(|line| line.split('#').next().unwrap_or("").trim().to_string()).collect(),
        };
        let mut reader =
            Reader { tokens: tokens(text)?, at: 0, depth: 0, kernel, visible: Vec::new(), conditional: false, parts: 0, accesses: 0 };
        reader.skip_ends();
        reader.word("kernel")?;
        reader.kernel.name = reader.name()?;
        reader.end()?;
        while reader.declaration()? {}
        reader.kernel.body = reader.statements(true)?;
        Ok(reader.kernel)
    }
}

impl Reader {
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn fail<T>(&self, message: String) -> Result<T> {
        Err(KernelError { line: self.line(), message })
    }

    fn token(&self) -> Token {
        self.tokens.get(self.at).map_or(Token::End, |(_, token)| token.clone())
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.token(), Token::Mark(found) if found == mark)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(found) if found == word)
    }

    /// Skips a mark if it comes next. Returns true if it did.
    fn takes(&mut self, mark: &str) -> bool {
        let is = self.is(mark);
        self.at += usize::from(is);
        is
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn mark(&mut self, mark: &str) -> Result<()> {
        if self.takes(mark) { Ok(()) } else { self.fail(format!("expected `{mark}`, found {}", self.token().text())) }
    }

    fn word(&mut self, word: &str) -> Result<()> {
        if self.takes_word(word) { Ok(()) } else { self.fail(format!("expected `{word}`, found {}", self.token().text())) }
    }

    fn name(&mut self) -> Result<String> {
        let Token::Word(word) = self.token() else { return self.fail(format!("expected a name, found {}", self.token().text())) };
        self.at += 1;
        Ok(word)
    }

    /// Returns a new name. Fails if it has a meaning already.
    fn new_name(&mut self) -> Result<String> {
        let name = self.name()?;
        let reserved =
            ["ceil", "if", "loop", "let", "load", "store", "add", "barrier", "grid", "block", "param", "global", "shared", "table"];
        let of_arrays = self.kernel.memories.iter().map(|memory| &memory.name).chain(self.kernel.tables.iter().map(|table| &table.name));
        let taken = of_arrays.chain(self.visible.iter().map(|(name, _)| name)).any(|known| *known == name);
        if reserved.contains(&name.as_str()) || taken {
            self.at -= 1;
            return self.fail(format!("`{name}` has a meaning already"));
        }
        Ok(name)
    }

    fn end(&mut self) -> Result<()> {
        if self.token() != Token::End {
            return self.fail(format!("expected the end of the line, found {}", self.token().text()));
        }
        self.skip_ends();
        Ok(())
    }

    fn skip_ends(&mut self) {
        while self.at < self.tokens.len() && self.token() == Token::End {
            self.at += 1;
        }
    }

    /// Reads `each` once, and again after each comma.
    fn list(&mut self, mut each: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        loop {
            each(self)?;
            if !self.takes(",") {
                return Ok(());
            }
            // A list may go on in the next line.
            self.skip_ends();
        }
    }

    fn declare(&mut self, name: String, role: Role) -> Name {
        self.kernel.names.push(name.clone());
        self.kernel.roles.push(role);
        let number = self.kernel.names.len() - 1;
        self.visible.push((name, Expr::Name(number)));
        number
    }

    /// Reads a declaration. Returns false if a statement comes next.
    fn declaration(&mut self) -> Result<bool> {
        let Token::Word(word) = self.token() else { return Ok(false) };
        self.parts = 0;
        match word.as_str() {
            "param" => {
                self.at += 1;
                self.list(|reader| {
                    let name = reader.new_name()?;
                    reader.mark(">=")?;
                    let Token::Int(least) = reader.token() else {
                        return reader.fail(format!("expected the least number, found {}", reader.token().text()));
                    };
                    reader.at += 1;
                    reader.declare(name, Role::Param(least));
                    Ok(())
                })?;
            }
            "grid" | "block" => {
                self.at += 1;
                let role = if word == "grid" { Role::Grid } else { Role::Block };
                self.list(|reader| {
                    let name = reader.new_name()?;
                    reader.mark("<")?;
                    let extent = reader.of_params("an extent")?;
                    reader.declare(name, role(extent));
                    Ok(())
                })?;
            }
            "global" | "shared" => {
                self.at += 1;
                self.list(|reader| {
                    let (name, extents) = (reader.new_name()?, reader.extents()?);
                    let mut memory = Memory { name, global: word == "global", extents, written: false, given: false };
                    loop {
                        match () {
                            _ if memory.global && reader.takes_word("written") => memory.written = true,
                            _ if memory.global && reader.takes_word("given") => memory.given = true,
                            _ => break,
                        }
                    }
                    reader.kernel.memories.push(memory);
                    Ok(())
                })?;
            }
            "table" => {
                self.at += 1;
                self.list(|reader| {
                    let (name, extents) = (reader.new_name()?, reader.extents()?);
                    reader.mark("<")?;
                    let below = reader.of_params("a bound")?;
                    let distinct = reader.takes_word("distinct");
                    reader.kernel.tables.push(Table { name, extents, below, distinct });
                    Ok(())
                })?;
            }
            "let" => {
                self.at += 1;
                self.alias()?;
            }
            _ => return Ok(false),
        }
        self.end()?;
        Ok(true)
    }

    /// Reads extents in parentheses.
    fn extents(&mut self) -> Result<Vec<Expr>> {
        self.mark("(")?;
        let mut extents = vec![];
        self.list(|reader| {
            extents.push(reader.of_params("an extent")?);
            Ok(())
        })?;
        self.mark(")")?;
        Ok(extents)
    }

    /// Reads an expression of parameters alone.
    fn of_params(&mut self, what: &str) -> Result<Expr> {
        let expr = self.sum()?;
        let mut other = None;
        expr.names(&mut |name| {
            if !matches!(self.kernel.roles[name], Role::Param(_)) {
                other = Some(name);
            }
        });
        match other {
            None if expr.has_entry() => self.fail(format!("{what} has parameters and numbers only, and no entries of tables")),
            Some(name) => self.fail(format!("{what} has parameters and numbers only, and `{}` is a coordinate", self.kernel.names[name])),
            None => Ok(expr),
        }
    }

    /// Reads statements up to the end of the text, or up to a brace.
    fn statements(&mut self, outermost: bool) -> Result<Vec<Statement>> {
        let (mut out, scope) = (Vec::new(), self.visible.len());
        self.skip_ends();
        while self.at < self.tokens.len() {
            if self.is("}") {
                if outermost {
                    return self.fail("`}` closes nothing".into());
                }
                break;
            }
            if let Some(statement) = self.statement()? {
                out.push(statement);
            }
            self.skip_ends();
        }
        self.visible.truncate(scope);
        Ok(out)
    }

    /// Reads a name and the expression that it stands for.
    fn alias(&mut self) -> Result<()> {
        let name = self.new_name()?;
        self.mark("=")?;
        let value = self.sum()?;
        self.visible.push((name, value));
        Ok(())
    }

    fn body(&mut self) -> Result<Vec<Statement>> {
        self.mark("{")?;
        self.deeper()?;
        let body = self.statements(false)?;
        self.depth -= 1;
        self.mark("}")?;
        Ok(body)
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fail(format!("more than {DEEPEST} levels of braces or parentheses")) } else { Ok(()) }
    }

    fn statement(&mut self) -> Result<Option<Statement>> {
        self.parts = 0;
        let (line, word) = (self.line(), self.name()?);
        let statement = match word.as_str() {
            "let" => {
                self.alias()?;
                None
            }
            "load" | "store" | "add" => {
                let kind = [Kind::Load, Kind::Store, Kind::Add].into_iter().find(|kind| kind.name() == word).unwrap_or(Kind::Load);
                let name = self.name()?;
                let Some(memory) = self.kernel.memories.iter().position(|memory| memory.name == name) else {
                    self.at -= 1;
                    return self.fail(format!("`{name}` is no memory"));
                };
                let at = self.coordinates(&name, self.kernel.memories[memory].extents.len())?;
                self.accesses += 1;
                if self.accesses > ACCESSES {
                    return self.fail(format!("more than {ACCESSES} accesses"));
                }
                Some(Statement::Access(Access { kind, memory, at, line }))
            }
            "loop" => {
                let name = self.new_name()?;
                self.mark("<")?;
                let extent = self.sum()?;
                let scope = self.visible.len();
                let counter = self.declare(name, Role::Loop(extent.clone()));
                let body = self.body()?;
                self.visible.truncate(scope);
                let statement = Statement::Loop { line, counter, body };
                if statement.has_barrier(false) {
                    self.uniform(&extent, line, statement.has_barrier(true))?;
                }
                Some(statement)
            }
            "if" => {
                let mut conditions = Vec::new();
                self.list(|reader| reader.condition(&mut conditions))?;
                let outer = core::mem::replace(&mut self.conditional, true);
                let body = self.body()?;
                self.conditional = outer;
                Some(Statement::If { line, conditions, body })
            }
            "barrier" => {
                if self.conditional {
                    self.at -= 1;
                    return self.fail("a barrier under `if`: some threads may never reach it".into());
                }
                Some(Statement::Barrier { grid: self.takes_word("grid") })
            }
            _ => {
                self.at -= 1;
                return self.fail(format!("expected a statement, found `{word}`"));
            }
        };
        if !self.is("}") {
            self.end()?;
        }
        Ok(statement)
    }

    /// Fails unless all threads of a block, or of the grid, agree on an expression.
    fn uniform(&self, expr: &Expr, line: usize, grid: bool) -> Result<()> {
        let mut of_thread = None;
        expr.names(&mut |name| {
            if matches!(self.kernel.roles[name], Role::Block(_)) || grid && matches!(self.kernel.roles[name], Role::Grid(_)) {
                of_thread = Some(name);
            }
        });
        match of_thread {
            Some(name) => Err(KernelError {
                line,
                message: format!(
                    "a barrier in a loop whose extent depends on `{}`: some threads may never reach it",
                    self.kernel.names[name]
                ),
            }),
            None => Ok(()),
        }
    }

    /// Reads a comparison as conditions of the form `expr >= 0`.
    fn condition(&mut self, conditions: &mut Vec<Expr>) -> Result<()> {
        let a = self.sum()?;
        let Token::Mark(mark) = self.token() else { return self.fail(format!("expected a comparison, found {}", self.token().text())) };
        self.at += 1;
        let b = self.sum()?;
        let less = |a: &Expr, b: &Expr, by: i64| {
            let difference = Expr::binary(Operator::Subtract, b.clone(), a.clone());
            if by == 0 { difference } else { Expr::binary(Operator::Subtract, difference, Expr::Int(by)) }
        };
        match mark {
            "<" => conditions.push(less(&a, &b, 1)),
            "<=" => conditions.push(less(&a, &b, 0)),
            ">" => conditions.push(less(&b, &a, 1)),
            ">=" => conditions.push(less(&b, &a, 0)),
            "==" => conditions.extend([less(&a, &b, 0), less(&b, &a, 0)]),
            _ => return self.fail(format!("`{mark}` is no comparison: `<`, `<=`, `>`, `>=` or `==`")),
        }
        Ok(())
    }

    /// Reads the coordinates of an element in brackets.
    fn coordinates(&mut self, name: &str, rank: usize) -> Result<Vec<Expr>> {
        self.mark("[")?;
        let mut at = Vec::new();
        self.list(|reader| {
            at.push(reader.sum()?);
            Ok(())
        })?;
        if at.len() != rank {
            return self.fail(format!("`{name}` has {rank} axes, and {} coordinates are given", at.len()));
        }
        self.mark("]")?;
        Ok(at)
    }

    /// `a ^ b` binds less than sums.
    fn sum(&mut self) -> Result<Expr> {
        self.deeper()?;
        let mut left = self.terms()?;
        while self.takes("^") {
            left = Expr::binary(Operator::Xor, left, self.terms()?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn terms(&mut self) -> Result<Expr> {
        let mut left = self.factors()?;
        loop {
            let operator = match () {
                _ if self.takes("+") => Operator::Add,
                _ if self.takes("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            left = Expr::binary(operator, left, self.factors()?);
        }
    }

    fn factors(&mut self) -> Result<Expr> {
        let mut left = self.factor()?;
        loop {
            let operator = match () {
                _ if self.takes("*") => Operator::Multiply,
                _ if self.takes("/") => Operator::Quotient,
                _ if self.takes("%") => Operator::Remainder,
                _ => return Ok(left),
            };
            let right = self.factor()?;
            if operator != Operator::Multiply {
                self.divisor(&right)?;
            }
            left = Expr::binary(operator, left, right);
        }
    }

    /// Fails unless a divisor has parameters and numbers only, and is not the number 0.
    fn divisor(&self, divisor: &Expr) -> Result<()> {
        let mut params = true;
        divisor.names(&mut |name| params &= matches!(self.kernel.roles[name], Role::Param(_)));
        params &= !divisor.has_entry();
        match divisor {
            Expr::Int(0) => self.fail("a division by 0".into()),
            _ if !params => self.fail("a divisor has parameters and numbers only".into()),
            _ => Ok(()),
        }
    }

    /// Counts parts of the statement. Fails if there are too many.
    fn count(&mut self, parts: usize) -> Result<()> {
        self.parts += parts;
        if self.parts > LONGEST { self.fail(format!("a statement of more than {LONGEST} numbers and names")) } else { Ok(()) }
    }

    fn factor(&mut self) -> Result<Expr> {
        if self.takes("(") {
            let inner = self.sum()?;
            self.mark(")")?;
            return Ok(inner);
        }
        match self.token() {
            Token::Int(number) => {
                self.at += 1;
                self.count(1)?;
                Ok(Expr::Int(number))
            }
            Token::Word(word) if word == "ceil" => {
                self.at += 1;
                self.mark("(")?;
                let Expr::Binary(Operator::Quotient, a, b) = self.sum()? else {
                    return self.fail("`ceil` rounds a quotient up: `ceil(a / b)`".into());
                };
                self.mark(")")?;
                let more = Expr::binary(Operator::Subtract, (*b).clone(), Expr::Int(1));
                Ok(Expr::binary(Operator::Quotient, Expr::binary(Operator::Add, *a, more), *b))
            }
            Token::Word(word) => {
                self.at += 1;
                if let Some(table) = self.kernel.tables.iter().position(|table| table.name == word) {
                    let at = self.coordinates(&word, self.kernel.tables[table].extents.len())?;
                    return Ok(Expr::Entry(table, at));
                }
                match self.visible.iter().rfind(|(name, _)| *name == word) {
                    Some((_, value)) => {
                        let value = value.clone();
                        self.count(value.parts())?;
                        Ok(value)
                    }
                    None => {
                        self.at -= 1;
                        self.fail(format!("`{word}` is no name"))
                    }
                }
            }
            other => self.fail(format!("expected a number or a name, found {}", other.text())),
        }
    }
}

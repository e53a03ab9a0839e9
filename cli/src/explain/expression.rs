//! Explains the operations of an expression, the innermost first. `operation` chooses the file that explains each.

use super::Result;
use super::advice::advise;
use super::page::{Account, wrapped};
use super::statement::{Value, ask};
use super::tree::{layout_of, split};
use super::{banks, bits, coalesce, complement, divide, index, inverse};
use crate::eval::describe;
use crd2idx::LayoutError;
use crd2idx::algebra::expression::Operand;
use crd2idx::error::{Cause, Op};
use serde_json::{Value as Json, json};

/// The accounts of an expression: one per operation, in the order of computation.
pub struct Explanation {
    expression: String,
    accounts: Vec<(String, Account)>,
    outcome: std::result::Result<Value, LayoutError>,
    suggestions: Vec<Json>,
}

/// Explains `expression`, or the index of `coordinate` in it. Fails for numbers that are not known (`?`), and if a statement
/// does not hold; a refused operation is explained.
pub fn explain(expression: &str, coordinate: Option<&str>) -> Result<Explanation> {
    let expression = match coordinate {
        Some(coordinate) => format!("crd2idx({expression}, {coordinate})"),
        None => expression.trim().to_owned(),
    };
    if expression.contains('?') {
        return Err("explain: `?` has no number to compute with; write one in its place".into());
    }
    if let Err(error) = ask(&expression)
        && (error.op == Op::Parse || matches!(error.cause, Cause::Syntax))
    {
        return Err(describe(&expression, &error));
    }
    let mut accounts = Vec::new();
    let mut suggestions = Vec::new();
    let outcome = walk(&expression, &mut accounts, &mut suggestions)?;
    Ok(Explanation { expression, accounts, outcome, suggestions })
}

impl Explanation {
    pub fn text(&self) -> String {
        let accounts = self.accounts.iter().map(|(title, account)| format!("{}\n{}", wrapped(title, 0), account.text()));
        accounts.collect::<Vec<_>>().join("\n\n")
    }

    pub fn json(&self) -> Json {
        let accounts = self.accounts.iter().map(|(title, account)| {
            let mut json = account.json();
            json["title"] = title.as_str().into();
            json
        });
        let (result, error) = match &self.outcome {
            Ok(value) => (Json::from(value.to_string()), Json::Null),
            Err(error) => (Json::Null, error.to_string().into()),
        };
        json!({
            "expression": self.expression,
            "result": result,
            "error": error,
            "accounts": accounts.collect::<Vec<_>>(),
            "suggestions": self.suggestions,
        })
    }
}

type Outcome = std::result::Result<Value, LayoutError>;

/// Returns the value of the text or its refusal, and appends the accounts of its operations and the suggestions after a
/// refusal.
fn walk(text: &str, accounts: &mut Vec<(String, Account)>, suggestions: &mut Vec<Json>) -> Result<Outcome> {
    let text = text.trim();
    let word = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let called = text[word..].trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let op = text.starts_with(|c: char| c.is_ascii_lowercase()).then(|| Op::from_name(&text[..word])).flatten();
    let (Some(op), Some(inside)) = (op, called) else {
        let outcome = ask(text);
        if let (true, Ok(value)) = (accounts.is_empty(), &outcome) {
            accounts.push((text.to_owned(), notation(value)?));
        }
        return Ok(outcome);
    };
    let mut args = Vec::new();
    for arg in split(inside, ',').into_iter().filter(|arg| !arg.trim().is_empty()) {
        // A literal needs no account.
        let value = if arg.trim().starts_with(|c: char| c.is_ascii_lowercase()) { walk(arg, accounts, suggestions)? } else { ask(arg) };
        match value {
            Ok(value) => args.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    let title = format!("{}({})", op.name(), args.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
    let outcome = ask(&title);
    let mut account = Account::default();
    operation(&mut account, op, &args, outcome.as_ref().ok())?;
    if let Err(error) = &outcome {
        *suggestions = advise(&mut account, op, &args, error)?;
    }
    accounts.push((title, account));
    Ok(outcome)
}

/// Explains a literal, which contains no operation: its rank, depth, size and cosize.
fn notation(value: &Value) -> Result<Account> {
    let mut account = Account::default();
    account.name("L", value)?;
    for query in [Op::Rank, Op::Depth, Op::Size, Op::Cosize] {
        if let Ok(number) = ask(&format!("{}({value})", query.name())) {
            account.say(0, format!("`{}(L) = {number}`", query.name()))?;
        }
    }
    Ok(account)
}

/// Explains one operation. Without a result, the explanation ends at the refusal.
fn operation(account: &mut Account, op: Op, args: &[Value], result: Option<&Value>) -> Result<()> {
    let first = args.first().and_then(layout_of);
    let second = args.get(1);
    let xor = args.iter().filter_map(layout_of).any(|l| l.has_xor());
    match (op, first, second, result) {
        (Op::BankConflicts, _, _, Some(result)) => banks::conflicts(account, args, result),
        // XOR strides act on bits, so the steps of the algebra do not apply.
        (op, ..) if xor && op != Op::Crd2Idx => plain(account, op, args, result),
        (Op::Crd2Idx, _, Some(c), Some(result)) => {
            // The coordinate may be the first operand, as in CuTe's `crd2idx(coord, layout)`.
            let swapped = matches!((&args[0], c), (Operand::Tuple(_), Operand::Layout(_) | Operand::Composed(_)));
            match (&args[0], c, args.get(2)) {
                (shape, stride, Some(_)) => plain(account, op, &[*shape, *stride, args[2]], Some(result)),
                (Operand::Tuple(_), Operand::Tuple(_), None) => plain(account, op, args, Some(result)),
                (first, _, None) if swapped => index::crd2idx(account, c, first, result),
                (first, _, None) => index::crd2idx(account, first, c, result),
            }
        }
        (Op::Idx2Crd | Op::Preimage, Some(l), Some(Operand::Tuple(index)), Some(result))
            if matches!(args[0], Operand::Layout(_)) && index.is_scalar() =>
        {
            index::preimage(account, op, &l, index.leaf(0).value().unwrap_or(0), result)
        }
        (Op::Slice, _, Some(c), Some(result)) => index::slice(account, &args[0], c, result),
        (Op::Coalesce, Some(l), profile, Some(result)) => match profile {
            Some(Operand::Tuple(profile)) => coalesce::coalesce(account, &l, Some(profile), false, result),
            Some(_) => plain(account, op, args, Some(result)),
            None => coalesce::coalesce(account, &l, None, false, result),
        },
        (Op::Filter, Some(l), None, Some(result)) => coalesce::coalesce(account, &l, None, true, result),
        (Op::Composition, Some(a), Some(b @ Operand::Layout(_)), result) => match layout_of(b) {
            Some(layout) => divide::compose_layouts(account, &a, (b, &layout), result),
            None => plain(account, op, args, result),
        },
        (
            Op::Composition
            | Op::LogicalDivide
            | Op::ZippedDivide
            | Op::TiledDivide
            | Op::FlatDivide
            | Op::LogicalProduct
            | Op::ZippedProduct
            | Op::TiledProduct
            | Op::FlatProduct,
            Some(a),
            Some(t),
            result,
        ) => divide::by_mode(account, op, &a, t, result),
        (Op::BlockedProduct | Op::RakedProduct | Op::TileToShape, Some(a), Some(b), result) => {
            divide::interleaved(account, op, &a, b, &args[2..], result)
        }
        (Op::Complement, Some(l), m, result) => {
            let m = m.map(|m| ask(&format!("size({m})")).ok().and_then(|m| m.to_string().parse().ok()));
            match m {
                Some(None) => plain(account, op, args, result),
                m => complement::complement(account, &l, m.flatten(), result),
            }
        }
        (Op::RightInverse, Some(l), None, Some(result)) => inverse::right(account, &l, result),
        (Op::LeftInverse, Some(l), None, result) => inverse::left(account, &l, result),
        (Op::Swizzle, _, Some(Operand::Tuple(x)), Some(_)) => match (&args[0], x.leaf(0).value()) {
            (Operand::Swizzle(swizzle), Some(x)) => bits::exchange(account, *swizzle, x).map(|_| ()),
            _ => plain(account, op, args, result),
        },
        _ => plain(account, op, args, result),
    }
}

/// Writes the operation and its result, if it needs no steps.
fn plain(account: &mut Account, op: Op, args: &[Value], result: Option<&Value>) -> Result<()> {
    let args = args.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    match result {
        Some(result) => account.say(0, format!("`{}({args}) = {result}`", op.name())),
        None => Ok(()),
    }
}

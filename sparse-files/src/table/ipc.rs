//! Reads and writes Arrow files, also called Feather, and streams: columns in their representation in memory.

use super::columns::{FIRST_COORDINATES, Table, append};
use super::dictionary::{Choice, Dictionaries};
use super::messages::Messages;
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::row_slice::RowSlice;
use crate::size_limits::{self, MOST_EXPANSION, needed, within};
use crate::value::{AnyArray, AnyTensor, Encoding};
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, StructArray};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_ipc::{CompressionType, Endianness, Precision, RecordBatch as Batch, Type};
use arrow_schema::{Field, Schema};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// The number of rows of a written batch.
const ROWS: usize = 1 << 20;

pub(super) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: "Arrow", message: error.to_string() }
}

/// Reads the tensor in the bytes of a file or a stream. `shape` is used if the bytes do not contain the shape.
/// Borrows the columns if there is a single batch without compression.
///
/// Buffers may be compressed and in either byte order, and columns may choose their values from dictionaries. Fails
/// if a column contains anything but numbers and bools, or if an entry is missing.
///
/// ```
/// use sparse_files::{table, tns};
/// let a = tns::read(b"1 2 0.5\n2 1 4\n", Some(&[5, 5]))?;
/// let mut file = Vec::new();
/// table::write_arrow(&mut file, &a, false)?;
/// // The descriptor in the file has the shape.
/// assert_eq!(table::read_arrow(&file, None)?, a);
/// assert_eq!(table::read_arrow(&file[..40], None).map_err(|error| error.class()), Err("file/container"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read<'a>(bytes: &'a [u8], shape: Option<&[u64]>) -> Result<AnyTensor<'a>> {
    read_batches(bytes, shape, None)
}

/// Reads a tensor as `read` does, but may leave out elements outside of `rows`, a slice of the first axis. If the bytes have the
/// descriptor of a tensor, reads only the first column of batches without these rows.
pub(crate) fn read_batches<'a>(bytes: &'a [u8], shape: Option<&[u64]>, rows: Option<RowSlice>) -> Result<AnyTensor<'a>> {
    isolated("Arrow", || table(bytes, shape, rows)?.tensor(shape))
}

fn table<'a>(bytes: &'a [u8], shape: Option<&[u64]>, rows: Option<RowSlice>) -> Result<Table<'a>> {
    let Messages { schema, list } = Messages::of(bytes)?;
    let mut fields = Vec::new();
    for field in schema.fields().into_iter().flatten() {
        leaves(&field, "", &mut fields)?;
    }
    let texts = schema.custom_metadata().into_iter().flatten();
    let metadata: Vec<_> = texts.filter_map(|text| Some((text.key()?.to_owned(), text.value()?.to_owned()))).collect();
    let big_endian = schema.endianness() == Endianness::Big;
    let most_rows = Table::most_rows(&metadata, shape);
    let most = (bytes.len() as u64).saturating_mul(MOST_EXPANSION);
    let (mut all_rows, mut left_out, mut dictionaries) = (0u64, 0, Dictionaries::default());
    let first = fields.first().filter(|first| first.name == FIRST_COORDINATES && first.choice.is_none()).and_then(|first| first.encoding);
    let wanted = rows.and_then(|rows| Table::first_coordinates(&metadata, rows)).zip(first);
    let mut columns: Vec<Cow<'a, [u8]>> = vec![Cow::Borrowed(&[]); fields.iter().filter(|field| field.encoding.is_some()).count()];
    for message in list {
        let body = message.body;
        if let Some(batch) = message.head.header_as_dictionary_batch() {
            let values = batch.data().ok_or_else(|| damaged("a dictionary has no values"))?;
            // Skip a dictionary that no column uses.
            let of = |field: &&Leaf| field.choice.is_some_and(|choice| choice.id == batch.id());
            let Some((field, encoding)) = fields.iter().find(of).and_then(|field| Some((field, field.encoding?))) else { continue };
            let values = Parts { batch: values, body, next: 0, left: body.len(), most }.values(0, &field.name, encoding)?;
            dictionaries.put(batch.id(), encoding, values, batch.isDelta());
            continue;
        }
        let batch = message.head.header_as_record_batch().ok_or_else(|| message.is_no_batch())?;
        all_rows = all_rows.saturating_add(u64::try_from(batch.length()).map_err(damaged)?);
        needed("the table", all_rows, 1, most_rows, bytes.len() as u64)?;
        let parts = || Parts { batch, body, next: 0, left: body.len(), most };
        if let Some((range, encoding)) = &wanted {
            let coordinates = encoding.array(FIRST_COORDINATES, parts().values(0, FIRST_COORDINATES, *encoding)?, big_endian)?;
            if !coordinates.into_indices(FIRST_COORDINATES)?.iter().any(|coordinate| range.contains(&coordinate)) {
                left_out += u64::try_from(batch.length()).map_err(damaged)?;
                continue;
            }
        }
        let (mut parts, mut column) = (parts(), 0);
        for (node, field) in fields.iter().enumerate() {
            let Some(encoding) = field.encoding else {
                parts.node(node, &field.name)?;
                continue;
            };
            let part = match field.choice {
                None => parts.values(node, &field.name, encoding)?,
                Some(choice) => {
                    within(&field.name, all_rows, encoding.size(), most)?;
                    let indices = parts.values(node, &field.name, choice.index.into())?;
                    dictionaries.chosen(&field.name, choice, encoding, &indices, big_endian)?.into()
                }
            };
            append(&mut columns[column], part);
            column += 1;
        }
    }
    let encodings = fields.iter().filter_map(|field| Some((&field.name, field.encoding?)));
    let array =
        |((name, encoding), bytes): ((&String, Encoding), Cow<'a, [u8]>)| Ok((name.clone(), encoding.array(name, bytes, big_endian)?));
    let columns = encodings.zip(columns).map(array).collect::<Result<_>>()?;
    Ok(Table { columns, metadata, left_out })
}

/// A column of a table, or a structure whose inner columns follow it in the list.
struct Leaf {
    name: String,
    /// The type of the values, or `None` for a structure of columns.
    encoding: Option<Encoding>,
    /// The dictionary of the values, if the column has indices into one.
    choice: Option<Choice>,
}

/// Appends a field and its inner fields to `out`. `outer` is the start of their names. Fails if the type of a field cannot be
/// read.
fn leaves(field: &arrow_ipc::Field<'_>, outer: &str, out: &mut Vec<Leaf>) -> Result<()> {
    let name = format!("{outer}{}", field.name().unwrap_or_default());
    let unknown = || {
        let what = format!("its type {:?} is not supported; the supported types are: {}", field.type_type(), Encoding::names());
        FileError::ArrayHeader { array: name.clone(), what }
    };
    let whole = |of: arrow_ipc::Int<'_>| {
        let letters = if of.is_signed() { "int" } else { "uint" };
        ElementType::from_name(&format!("{letters}{}", of.bitWidth()))
    };
    let choice = match field.dictionary() {
        None => None,
        Some(of) => {
            // Indices without a declared type have 32 bits.
            let index = of.indexType().map_or(Some(ElementType::I32), whole).ok_or_else(unknown)?;
            Some(Choice { id: of.id(), index })
        }
    };
    let encoding = match field.type_type() {
        Type::Bool => ElementType::Bool.into(),
        Type::Int => field.type_as_int().and_then(whole).ok_or_else(unknown)?.into(),
        Type::FloatingPoint => match field.type_as_floating_point().ok_or_else(unknown)?.precision() {
            Precision::HALF => Encoding::Half,
            Precision::SINGLE => ElementType::F32.into(),
            Precision::DOUBLE => ElementType::F64.into(),
            _ => return Err(unknown()),
        },
        Type::Struct_ if outer.is_empty() && choice.is_none() => {
            out.push(Leaf { name: name.clone(), encoding: None, choice: None });
            let outer = format!("{name}.");
            return field.children().into_iter().flatten().try_for_each(|child| leaves(&child, &outer, out));
        }
        _ => return Err(unknown()),
    };
    out.push(Leaf { name, encoding: Some(encoding), choice });
    Ok(())
}

/// The buffers of a batch, which are taken in their order.
struct Parts<'a, 'm> {
    batch: Batch<'m>,
    body: &'a [u8],
    next: usize,
    /// The number of bytes of the body that no buffer has used. It finds buffers that overlap, which would make the body larger
    /// than it is.
    left: usize,
    most: u64,
}

impl<'a> Parts<'a, '_> {
    /// Checks column `node` of the batch, and skips its buffer of missing entries. Returns the number of rows. Fails if the
    /// column has another length than the batch, or if an entry is missing. `name` is the name of the column in errors.
    fn node(&mut self, node: usize, name: &str) -> Result<u64> {
        let rows = self.batch.length();
        let nodes = self.batch.nodes().filter(|nodes| node < nodes.len()).ok_or_else(|| damaged("a batch has too few columns"))?;
        let node = nodes.get(node);
        if node.length() != rows {
            return Err(damaged("the columns of a batch have different lengths"));
        }
        if node.null_count() != 0 {
            return Err(FileError::Null { array: name.into() });
        }
        self.next += 1;
        u64::try_from(rows).map_err(damaged)
    }

    /// Returns the bytes of the values of column `node`; a bool takes one byte. Fails as `node` does, or if the buffer is too
    /// short or damaged.
    fn values(&mut self, node: usize, name: &str, encoding: Encoding) -> Result<Cow<'a, [u8]>> {
        let rows = self.node(node, name)?;
        let bits = encoding == ElementType::Bool.into();
        let bytes = within(name, rows, encoding.size(), self.most)?;
        let needed = if bits { bytes.div_ceil(8) } else { bytes };
        let mut buffer = self.buffer(name, needed)?;
        if buffer.len() < needed {
            return Err(FileError::Claim { array: name.into(), bytes: needed as u64, most: buffer.len() as u64 });
        }
        match &mut buffer {
            Cow::Borrowed(bytes) => *bytes = &bytes[..needed],
            Cow::Owned(bytes) => bytes.truncate(needed),
        }
        if bits {
            buffer = Cow::Owned((0..rows as usize).map(|row| buffer[row / 8] >> (row % 8) & 1).collect::<Vec<u8>>());
        }
        Ok(buffer)
    }

    /// Returns the bytes of the next buffer. A compressed one may have up to 64 bytes more than `needed`, as padding. Fails if
    /// the buffer lies outside of the body, overlaps another, or is damaged.
    fn buffer(&mut self, name: &str, needed: usize) -> Result<Cow<'a, [u8]>> {
        let ends = || damaged(format_args!("the bytes of {name} end after its batch"));
        let buffers = self.batch.buffers().filter(|buffers| self.next < buffers.len()).ok_or_else(ends)?;
        let buffer = buffers.get(self.next);
        self.next += 1;
        let (start, length) = (usize::try_from(buffer.offset()).ok(), usize::try_from(buffer.length()).ok());
        let range = start.zip(length).and_then(|(start, length)| Some(start..start.checked_add(length)?));
        let bytes = range.and_then(|range| self.body.get(range)).ok_or_else(ends)?;
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(|| damaged("the buffers of a batch overlap"))?;
        let Some(compression) = self.batch.compression().filter(|_| !bytes.is_empty()) else { return Ok(Cow::Borrowed(bytes)) };
        let (length, packed) = bytes.split_first_chunk::<8>().ok_or_else(ends)?;
        match i64::from_le_bytes(*length) {
            -1 => Ok(Cow::Borrowed(packed)),
            length => {
                let length = u64::try_from(length).map_err(damaged)?;
                let most = (packed.len() as u64).saturating_mul(MOST_EXPANSION).min(self.most).min(needed as u64 + 64);
                unpacked(compression.codec(), packed, within(name, length, 1, most)?).map(Cow::Owned)
            }
        }
    }
}

/// Decompresses a buffer to `length` bytes. Fails if it has another length or is damaged.
fn unpacked(codec: CompressionType, packed: &[u8], length: usize) -> Result<Vec<u8>> {
    let out = match codec {
        CompressionType::LZ4_FRAME => size_limits::unpacked(lz4_flex::frame::FrameDecoder::new(packed), packed.len(), length),
        CompressionType::ZSTD => zstd::Decoder::with_buffer(packed).and_then(|from| size_limits::unpacked(from, packed.len(), length)),
        _ => return Err(damaged("a buffer has an unknown compression; LZ4 and Zstandard are supported")),
    };
    let out = out.map_err(damaged)?;
    if out.len() == length { Ok(out) } else { Err(damaged("a buffer inflates to another length than it announces")) }
}

/// Writes a tensor as a table. The columns are compressed by Zstandard if `compressed`.
///
/// Fails if two elements have the same coordinate.
///
/// ```
/// use sparse_files::{table, tns};
/// let mut file = Vec::new();
/// table::write_arrow(&mut file, &tns::read(b"1 2 0.5\n2 1 4\n", None)?, true)?;
/// assert!(file.starts_with(b"ARROW1"));
/// let twice = tns::read(b"1 2 0.5\n1 2 4\n", None)?;
/// assert!(table::write_arrow(&mut Vec::new(), &twice, true).is_err());
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut dyn Write, tensor: &AnyTensor<'_>, compressed: bool) -> Result<()> {
    let Table { columns, metadata, .. } = Table::of(tensor)?;
    let rows = columns.first().map_or(0, |(_, array)| array.len());
    let mut arrays: Vec<(String, ArrayRef)> = Vec::new();
    for (name, array) in &columns {
        let array = column(array);
        match name.strip_suffix(".im").and_then(|name| Some((name.to_owned(), arrays.pop()?.1))) {
            // The two parts of complex values are consecutive columns.
            Some((name, re)) => {
                let fields = ["re", "im"].map(|part| Field::new(part, array.data_type().clone(), false));
                arrays.push((name, Arc::new(StructArray::try_new(fields.to_vec().into(), vec![re, array], None).map_err(damaged)?)));
            }
            None => arrays.push((name.clone(), array)),
        }
    }
    let fields: Vec<Field> = arrays.iter().map(|(name, array)| Field::new(name, array.data_type().clone(), false)).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata.into_iter().collect::<HashMap<_, _>>()));
    let batch = RecordBatch::try_new(schema.clone(), arrays.into_iter().map(|(_, array)| array).collect()).map_err(damaged)?;
    let compression = compressed.then_some(CompressionType::ZSTD);
    let options = IpcWriteOptions::default().try_with_compression(compression).map_err(damaged)?;
    let mut file = FileWriter::try_new_with_options(out, &schema, options).map_err(damaged)?;
    for start in (0..rows).step_by(ROWS) {
        file.write(&batch.slice(start, ROWS.min(rows - start))).map_err(damaged)?;
    }
    file.finish().map_err(damaged)
}

fn column(array: &AnyArray<'_>) -> ArrayRef {
    macro_rules! primitive {
        ($($element:ident $arrow:ident),*) => {
            match array.element() {
                $(ElementType::$element => {
                    let values = array.values().unwrap_or_default().into_owned();
                    Arc::new(PrimitiveArray::<$arrow>::new(values.into(), None)) as ArrayRef
                })*
                // Complex values are two columns.
                ElementType::Bool | ElementType::C64 | ElementType::C128 => {
                    Arc::new(BooleanArray::from(array.values::<bool>().unwrap_or_default().into_owned()))
                }
            }
        };
    }
    primitive! {
        U8 UInt8Type, U16 UInt16Type, U32 UInt32Type, U64 UInt64Type, I8 Int8Type, I16 Int16Type, I32 Int32Type, I64 Int64Type,
        F32 Float32Type, F64 Float64Type
    }
}

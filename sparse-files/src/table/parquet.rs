//! Reads and writes Parquet: columns in groups of rows, encoded and compressed.

use super::columns::{FIRST_COORDINATES, Table};
use super::pandas;
use super::thrift::Walk;
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::isolate::isolated;
use crate::row_slice::RowSlice;
use crate::size_limits::{MOST_EXPANSION, ZSTD_EXPANSION, needed, within};
use crate::value::{AnyArray, AnyTensor, Element, Encoding, of_half};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{BoolType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnDescriptor, Type};
use std::io::{Read, Write};
use std::ops::Range;
use std::sync::Arc;

/// The last bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";
/// The number of rows of a written group, and of rows that are read at a time.
const GROUP: usize = 1 << 20;
const BATCH: usize = 1 << 12;
/// The maximum number of bytes that a byte of Brotli unpacks to: a copy of 16 MiB takes a few bytes.
const BROTLI_EXPANSION: u64 = 1 << 23;
/// The number of bytes that a page may have besides its values.
const PAGE: u64 = 1 << 16;

fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: "Parquet", message: error.to_string() }
}

/// Reads the tensor in the bytes of a file. `shape` is used if the file does not contain the shape.
///
/// Fails if a column contains anything but numbers and bools, or if an entry is missing.
///
/// ```
/// use sparse_files::{table, tns};
/// let a = tns::read(b"1 2 0.5\n2 1 4\n", Some(&[5, 5]))?;
/// let mut file = Vec::new();
/// table::write_parquet(&mut file, &a, true)?;
/// let cut = file[..file.len() / 2].to_vec();
/// assert_eq!(table::read_parquet(file, None)?, a);
/// let error = table::read_parquet(cut, None).unwrap_err();
/// assert_eq!(error.to_string(), "Parquet: the file is cut off: there is no footer at its end");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(bytes: impl AsRef<[u8]> + Send + 'static, shape: Option<&[u64]>) -> Result<AnyTensor<'static>> {
    read_groups(bytes, shape, None)
}

/// Reads a tensor as `read` does, but may leave out elements outside of `rows`, a slice of the first axis. If the file has the
/// descriptor of a tensor, skips the row groups whose statistics exclude these rows.
pub(crate) fn read_groups(
    bytes: impl AsRef<[u8]> + Send + 'static,
    shape: Option<&[u64]>,
    rows: Option<RowSlice>,
) -> Result<AnyTensor<'static>> {
    isolated("Parquet", || table(bytes::Bytes::from_owner(bytes), shape, rows)?.tensor(shape))
}

fn table(bytes: bytes::Bytes, shape: Option<&[u64]>, slice: Option<RowSlice>) -> Result<Table<'static>> {
    let length = bytes.len() as u64;
    let most = length.saturating_mul(MOST_EXPANSION);
    footer(&bytes).ok_or_else(|| {
        damaged(if bytes.starts_with(MAGIC) {
            "the file is cut off: there is no footer at its end"
        } else {
            "it does not begin with `PAR1`"
        })
    })?;
    let file = SerializedFileReader::new(bytes.clone()).map_err(damaged)?;
    let about = file.metadata().file_metadata();
    let schema = about.schema_descr();
    let texts = about.key_value_metadata().into_iter().flatten();
    let metadata: Vec<(String, String)> = texts.filter_map(|text| Some((text.key.clone(), text.value.clone()?))).collect();
    let all_rows = u64::try_from(about.num_rows()).map_err(damaged)?;
    let (groups, rows) = match slice.and_then(|slice| Table::first_coordinates(&metadata, slice)) {
        None => ((0..file.num_row_groups()).collect(), all_rows),
        Some(range) => needed_groups(file.metadata(), &range),
    };
    let most_rows = Table::most_rows(&metadata, shape);
    // Skip labels of rows, which may be of any type.
    let names = (0..schema.num_columns()).map(|at| (at, schema.column(at).path().parts().join(".")));
    let columns = names.filter(|(_, name)| !pandas::is_label(&metadata, name)).map(|(at, name)| {
        let column = schema.column(at);
        let encoding = encoding(&column, &name)?;
        let element = encoding.element();
        within(&name, rows, element.size(), most)?;
        needed(&name, rows, element.size(), most_rows, length)?;
        // Every encoding takes at most a few bytes more per value than the value has, and a page has a head.
        let most = rows.saturating_mul(element.size() as u64 + 8).saturating_add(PAGE);
        for group in &groups {
            let stored = file.metadata().row_group(*group).columns().get(at).and_then(|column| pages(column, &bytes, most));
            stored.ok_or_else(|| damaged(format_args!("{name} has pages that are larger than the file, or than {rows} rows can need")))?;
        }
        let source = Source { file: &file, name: &name, at, groups: &groups, rows, optional: column.max_def_level() > 0 };
        let Encoding::Plain(element) = encoding else {
            let half = |x: parquet::data_type::FixedLenByteArray| x.data().try_into().ok().map(u16::from_le_bytes).map(of_half);
            return Ok((name.clone(), source.values::<FixedLenByteArrayType, f32>(half)?));
        };
        let array = match element {
            ElementType::U8 => source.values::<Int32Type, u8>(|x| u8::try_from(x).ok()),
            ElementType::U16 => source.values::<Int32Type, u16>(|x| u16::try_from(x).ok()),
            ElementType::U32 => source.values::<Int32Type, u32>(|x| Some(x as u32)),
            ElementType::U64 => source.values::<Int64Type, u64>(|x| Some(x as u64)),
            ElementType::I8 => source.values::<Int32Type, i8>(|x| i8::try_from(x).ok()),
            ElementType::I16 => source.values::<Int32Type, i16>(|x| i16::try_from(x).ok()),
            ElementType::I32 => source.values::<Int32Type, i32>(Some),
            ElementType::I64 => source.values::<Int64Type, i64>(Some),
            ElementType::F32 => source.values::<FloatType, f32>(Some),
            ElementType::F64 => source.values::<DoubleType, f64>(Some),
            // Complex values are two columns.
            ElementType::Bool | ElementType::C64 | ElementType::C128 => source.values::<BoolType, bool>(Some),
        };
        Ok((name.clone(), array?))
    });
    let columns = columns.collect::<Result<_>>()?;
    Ok(Table { columns, metadata, left_out: all_rows.saturating_sub(rows) })
}

/// Returns the row groups that may have a first coordinate in `range`, and the number of their rows. A group without statistics may.
fn needed_groups(file: &ParquetMetaData, range: &Range<u64>) -> (Vec<usize>, u64) {
    let schema = file.file_metadata().schema_descr();
    let first = (0..schema.num_columns()).find(|at| schema.column(*at).path().parts() == [FIRST_COORDINATES]);
    let excluded = |group: &RowGroupMetaData| {
        let statistics = first.and_then(|at| group.columns().get(at)).and_then(ColumnChunkMetaData::statistics);
        let bounds = match statistics.filter(|statistics| !statistics.is_min_max_deprecated()) {
            // A first coordinate is not negative, so a negative number is a great unsigned one.
            Some(Statistics::Int32(of)) => of.min_opt().zip(of.max_opt()).map(|(min, max)| (*min as u32 as u64, *max as u32 as u64)),
            Some(Statistics::Int64(of)) => of.min_opt().zip(of.max_opt()).map(|(min, max)| (*min as u64, *max as u64)),
            _ => None,
        };
        bounds.is_some_and(|(min, max)| min <= max && (max < range.start || min >= range.end))
    };
    let groups: Vec<usize> = (0..file.num_row_groups()).filter(|at| !excluded(file.row_group(*at))).collect();
    let rows = groups.iter().map(|at| file.row_group(*at).num_rows().max(0) as u64).fold(0, u64::saturating_add);
    (groups, rows)
}

/// Checks that no list in the footer is longer than its bytes, and that the schema is at most a few groups deep. Otherwise the
/// crate would loop, exhaust memory, or overflow the stack. Returns `None` if the footer is damaged.
fn footer(bytes: &[u8]) -> Option<()> {
    let (rest, length) = bytes.strip_suffix(MAGIC)?.split_last_chunk::<4>()?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    Walk(&rest[start..]).footer()
}

/// Checks that the pages of a column of a row group lie in the file. Returns `None` if not, if a page claims more than
/// `most` unpacked bytes or more than its compression can make, or if Brotli makes more of it than it claims.
fn pages(column: &ColumnChunkMetaData, bytes: &[u8], most: u64) -> Option<()> {
    let brotli = matches!(column.compression(), Compression::BROTLI(_));
    let expansion = if brotli { BROTLI_EXPANSION } else { ZSTD_EXPANSION };
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let length = usize::try_from(column.compressed_size()).ok()?;
    u64::try_from(column.data_page_offset()).ok()?;
    let mut rest = bytes.get(usize::try_from(start).ok()?..)?.get(..length)?;
    while !rest.is_empty() {
        let mut walk = Walk(rest);
        let ([_, unpacked, packed, ..], second) = walk.page()?;
        let (unpacked, packed) = (u64::try_from(unpacked?).ok()?, usize::try_from(packed?).ok()?);
        if unpacked > most.min((packed as u64).saturating_mul(expansion)) {
            return None;
        }
        let (page, behind) = walk.0.split_at_checked(packed)?;
        if brotli {
            // The levels of a page of version 2 are not compressed; its values may be.
            let levels = second.map_or([None; 2], |[_, _, _, _, definition, repetition, _]| [definition, repetition]);
            let levels = levels.into_iter().try_fold(0usize, |sum, length| sum.checked_add(usize::try_from(length.unwrap_or(0)).ok()?))?;
            let compressed = second.is_none_or(|[.., compressed]| compressed != Some(0));
            if compressed && !within_brotli(page.get(levels..)?, unpacked) {
                return None;
            }
        }
        rest = behind;
    }
    Some(())
}

/// Checks that Brotli unpacks a page to at most `most` bytes. The crate inflates the whole page, whatever length its
/// head announces.
fn within_brotli(page: &[u8], most: u64) -> bool {
    // The standard has no window larger than 16 MiB.
    if page.first().is_some_and(|first| first & 0x7f == 0x11) {
        return false;
    }
    let mut from = brotli_decompressor::Decompressor::new(page, BATCH).take(most.saturating_add(1));
    // A damaged page passes here, and the reader refuses it.
    std::io::copy(&mut from, &mut std::io::sink()).map_or(true, |length| length <= most)
}

/// Returns the type of the values of a column. Fails if the type cannot be read, or if an entry can have several values.
fn encoding(column: &ColumnDescriptor, name: &str) -> Result<Encoding> {
    let unknown = || {
        let what = format!("its type {} is not supported; the supported types are: {}", column.physical_type(), Encoding::names());
        FileError::ArrayHeader { array: name.into(), what }
    };
    if column.max_rep_level() > 0 {
        return Err(unknown());
    }
    let whole = |bits: i8, signed: bool| ElementType::from_name(&format!("{}int{bits}", if signed { "" } else { "u" }));
    if column.physical_type() == Physical::FIXED_LEN_BYTE_ARRAY
        && column.logical_type_ref() == Some(&LogicalType::Float16)
        && column.type_length() == 2
    {
        return Ok(Encoding::Half);
    }
    let of = match (column.physical_type(), column.logical_type_ref(), column.converted_type()) {
        (Physical::BOOLEAN, ..) => Some(ElementType::Bool),
        (Physical::FLOAT, ..) => Some(ElementType::F32),
        (Physical::DOUBLE, ..) => Some(ElementType::F64),
        (Physical::INT32, Some(LogicalType::Integer(of)), _) => whole(of.bit_width, of.is_signed).filter(|of| of.size() <= 4),
        (Physical::INT64, Some(LogicalType::Integer(of)), _) => whole(of.bit_width, of.is_signed).filter(|of| of.size() == 8),
        (Physical::INT32, None, ConvertedType::NONE | ConvertedType::INT_32) => Some(ElementType::I32),
        (Physical::INT64, None, ConvertedType::NONE | ConvertedType::INT_64) => Some(ElementType::I64),
        (Physical::INT32, None, ConvertedType::INT_8) => Some(ElementType::I8),
        (Physical::INT32, None, ConvertedType::INT_16) => Some(ElementType::I16),
        (Physical::INT32, None, ConvertedType::UINT_8) => Some(ElementType::U8),
        (Physical::INT32, None, ConvertedType::UINT_16) => Some(ElementType::U16),
        (Physical::INT32, None, ConvertedType::UINT_32) => Some(ElementType::U32),
        (Physical::INT64, None, ConvertedType::UINT_64) => Some(ElementType::U64),
        _ => None,
    };
    of.map(Encoding::Plain).ok_or_else(unknown)
}

/// A column of a file, which is read from some row groups.
struct Source<'f> {
    file: &'f SerializedFileReader<bytes::Bytes>,
    name: &'f str,
    at: usize,
    groups: &'f [usize],
    rows: u64,
    optional: bool,
}

impl Source<'_> {
    /// Reads the values of the column. `value` converts a stored value, and returns `None` if type `T` lacks it. Fails if it
    /// does, if an entry is missing, or if the column is damaged.
    fn values<D: DataType, T: Element>(&self, value: impl Fn(D::T) -> Option<T>) -> Result<AnyArray<'static>> {
        let lacking = || FileError::Null { array: self.name.into() };
        let mut out = Vec::new();
        let (mut read, mut levels) = (Vec::with_capacity(BATCH), Vec::new());
        for group in self.groups {
            let group = self.file.get_row_group(*group).map_err(damaged)?;
            let mut column = get_typed_column_reader::<D>(group.get_column_reader(self.at).map_err(damaged)?);
            loop {
                read.clear();
                levels.clear();
                let (rows, values, _) =
                    column.read_records(BATCH, self.optional.then_some(&mut levels), None, &mut read).map_err(damaged)?;
                if rows == 0 {
                    break;
                }
                if values != rows {
                    return Err(lacking());
                }
                if (out.len() + rows) as u64 > self.rows {
                    return Err(damaged(format_args!("{} has more rows than the {} that the file announces", self.name, self.rows)));
                }
                for stored in read.drain(..) {
                    let at = out.len();
                    let wrong = || FileError::ArrayHeader {
                        array: self.name.into(),
                        what: format!("entry {at} is not a value of type {}", T::TYPE),
                    };
                    out.push(value(stored).ok_or_else(wrong)?);
                }
            }
        }
        if out.len() as u64 != self.rows {
            return Err(FileError::Entries { said: self.rows, found: out.len() as u64 });
        }
        Ok(AnyArray::from_values(out))
    }
}

/// Writes a tensor as a table. The columns are compressed by Zstandard if `compressed`.
///
/// Fails if two elements have the same coordinate.
///
/// ```
/// use sparse_files::{table, tns};
/// let mut file = Vec::new();
/// table::write_parquet(&mut file, &tns::read(b"1 2 0.5\n2 1 4\n", None)?, true)?;
/// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut (dyn Write + Send), tensor: &AnyTensor<'_>, compressed: bool) -> Result<()> {
    let Table { columns, metadata, .. } = Table::of(tensor)?;
    let rows = columns.first().map_or(0, |(_, array)| array.len());
    let metadata = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let compression = if compressed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED };
    let properties = WriterProperties::builder().set_compression(compression).set_key_value_metadata(Some(metadata)).build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema(&columns)?), Arc::new(properties)).map_err(damaged)?;
    for start in (0..rows).step_by(GROUP) {
        let mut group = file.next_row_group().map_err(damaged)?;
        for (_, array) in &columns {
            put(&mut group, array, start, rows.min(start + GROUP))?;
        }
        group.close().map_err(damaged)?;
    }
    file.close().map(drop).map_err(damaged)
}

/// Returns the Parquet schema of columns. The two parts of complex values form a group. Fails if the library refuses a name.
fn schema(columns: &[(String, AnyArray<'_>)]) -> Result<Type> {
    let mut fields: Vec<Arc<Type>> = Vec::new();
    for (name, array) in columns {
        let field = |name: &str| leaf(name, array.element()).map(Arc::new);
        match name.rsplit_once('.') {
            None => fields.push(field(name)?),
            Some((_, "re")) => fields.push(field("re")?),
            Some((outer, part)) => {
                let parts = fields.pop().into_iter().chain([field(part)?]).collect();
                let group = Type::group_type_builder(outer).with_repetition(Repetition::REQUIRED).with_fields(parts);
                fields.push(Arc::new(group.build().map_err(damaged)?));
            }
        }
    }
    Type::group_type_builder("schema").with_fields(fields).build().map_err(damaged)
}

fn leaf(name: &str, element: ElementType) -> Result<Type> {
    let whole = |physical, bits, signed| (physical, Some(LogicalType::integer(bits, signed)));
    let (physical, logical) = match element {
        ElementType::U8 => whole(Physical::INT32, 8, false),
        ElementType::U16 => whole(Physical::INT32, 16, false),
        ElementType::U32 => whole(Physical::INT32, 32, false),
        ElementType::U64 => whole(Physical::INT64, 64, false),
        ElementType::I8 => whole(Physical::INT32, 8, true),
        ElementType::I16 => whole(Physical::INT32, 16, true),
        ElementType::I32 => (Physical::INT32, None),
        ElementType::I64 => (Physical::INT64, None),
        ElementType::F32 | ElementType::C64 => (Physical::FLOAT, None),
        ElementType::F64 | ElementType::C128 => (Physical::DOUBLE, None),
        ElementType::Bool => (Physical::BOOLEAN, None),
    };
    Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED).with_logical_type(logical).build().map_err(damaged)
}

/// Writes values `start..end` of an array as the next column of a row group. Fails if the output fails.
fn put<W: Write + Send>(group: &mut SerializedRowGroupWriter<'_, W>, array: &AnyArray<'_>, start: usize, end: usize) -> Result<()> {
    let mut column = group.next_column().map_err(damaged)?.ok_or_else(|| damaged("there are too many columns"))?;
    macro_rules! one_of {
        ($($element:ident $stored:ident $value:expr;)*) => {
            match array.element() {
                $(ElementType::$element => {
                    let values = array.values::<crate::types::$element>().unwrap_or_default();
                    let stored: Vec<_> = values[start..end].iter().map($value).collect();
                    column.typed::<$stored>().write_batch(&stored, None, None)
                })*
                // Complex values are two columns.
                ElementType::C64 | ElementType::C128 => Ok(0),
            }
        };
    }
    let written = one_of! {
        U8 Int32Type |x| i32::from(*x);
        U16 Int32Type |x| i32::from(*x);
        U32 Int32Type |x| *x as i32;
        U64 Int64Type |x| *x as i64;
        I8 Int32Type |x| i32::from(*x);
        I16 Int32Type |x| i32::from(*x);
        I32 Int32Type |x| *x;
        I64 Int64Type |x| *x;
        F32 FloatType |x| *x;
        F64 DoubleType |x| *x;
        Bool BoolType |x| *x;
    };
    written.map_err(damaged)?;
    column.close().map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brotli_makes_no_more_than_is_said() {
        // `brotli.compress(b"\\0" * (1 << 24))`
        const ZEROS: &[u8] =
            b"\xcb\xff\xff\x3f\xf8\x27\x00\xe2\xb1\x40\x20\xf7\xfe\x8f\xff\xff\x7f\xf0\x4f\x00\xc4\x61\x11\x80\xee\xfd\xdf";
        let most = 1 << 24;
        assert!(
            within_brotli(ZEROS, most) && within_brotli(ZEROS, most + 1) && !within_brotli(ZEROS, most - 1) && !within_brotli(ZEROS, 8)
        );
        // A truncated page unpacks to fewer bytes, and no page has a window of 2^30 bytes.
        assert!(within_brotli(&ZEROS[..9], most) && within_brotli(b"", 0));
        assert!(!within_brotli(b"\x11\x1e\xff\xff", most));
    }
}

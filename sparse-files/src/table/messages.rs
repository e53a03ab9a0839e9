//! Splits Arrow files and streams into messages. The footer of a file has their positions; in a stream they follow
//! each other.

use super::ipc::damaged;
use crate::error::Result;
use arrow_ipc::{Block, MessageHeader, Schema};

/// The first and the last bytes of an Arrow file.
const MAGIC: &[u8] = b"ARROW1";
/// The marker before the length of a message, which also begins a stream.
const CONTINUATION: &[u8] = &[0xff; 4];

/// A message: its metadata (`head`) and the bytes of its arrays (`body`).
pub(super) struct Message<'a> {
    pub head: arrow_ipc::Message<'a>,
    pub body: &'a [u8],
}

/// The schema of a table, and the messages with its rows and dictionaries in their order.
pub(super) struct Messages<'a> {
    pub schema: Schema<'a>,
    pub list: Vec<Message<'a>>,
}

impl<'a> Messages<'a> {
    /// Returns the messages of a file or of a stream, such that no byte belongs to two bodies. Fails if a message is damaged or
    /// ends after the file.
    pub fn of(bytes: &'a [u8]) -> Result<Messages<'a>> {
        if bytes.starts_with(CONTINUATION) {
            return Messages::of_stream(bytes);
        }
        let footer = footer(bytes).ok_or_else(|| {
            damaged(if bytes.starts_with(MAGIC) {
                "the file is cut off: there is no footer at its end"
            } else {
                "it begins neither as a file (`ARROW1`) nor as a stream (four bytes of 255)"
            })
        })?;
        let footer = arrow_ipc::root_as_footer(footer).map_err(damaged)?;
        let schema = footer.schema().ok_or_else(|| damaged("the file has no schema"))?;
        let blocks = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
        let list: Vec<Message> = blocks.map(|block| Message::at(bytes, block)).collect::<Result<_>>()?;
        let bodies = list.iter().fold(0, |sum: usize, message| sum.saturating_add(message.body.len()));
        if bodies > bytes.len() { Err(damaged("batches overlap")) } else { Ok(Messages { schema, list }) }
    }

    fn of_stream(bytes: &'a [u8]) -> Result<Messages<'a>> {
        let mut rest = bytes;
        let first = Message::next(&mut rest)?.and_then(|first| first.head.header_as_schema());
        let schema = first.ok_or_else(|| damaged("the stream does not begin with a schema"))?;
        let mut list = Vec::new();
        while let Some(message) = Message::next(&mut rest)? {
            list.push(message);
        }
        if rest.is_empty() {
            Ok(Messages { schema, list })
        } else {
            Err(damaged(format_args!("{} bytes follow the end of the stream", rest.len())))
        }
    }
}

impl<'a> Message<'a> {
    /// Returns the message that a block of the footer describes. Fails if it ends after the file or is damaged.
    fn at(bytes: &'a [u8], block: &Block) -> Result<Message<'a>> {
        let ends = || damaged("a batch ends after the file");
        let start = usize::try_from(block.offset()).ok().and_then(|start| bytes.get(start..)).ok_or_else(ends)?;
        let head = usize::try_from(block.metaDataLength()).ok().and_then(|length| start.split_at_checked(length));
        let (head, behind) = head.ok_or_else(ends)?;
        let body = usize::try_from(block.bodyLength()).ok().and_then(|length| behind.get(..length)).ok_or_else(ends)?;
        let head = head.strip_prefix(CONTINUATION).unwrap_or(head).get(4..).ok_or_else(ends)?;
        Ok(Message { head: arrow_ipc::root_as_message(head).map_err(damaged)?, body })
    }

    /// Takes the next message off the start of `rest`. Returns `None` at the end of the stream, which is a message without
    /// bytes. Fails if the stream is cut off or damaged.
    fn next(rest: &mut &'a [u8]) -> Result<Option<Message<'a>>> {
        let ends = || damaged("the stream is cut off: the empty message at its end is missing");
        let after = rest.strip_prefix(CONTINUATION).ok_or_else(ends)?;
        let (length, after) = after.split_first_chunk::<4>().ok_or_else(ends)?;
        *rest = after;
        if *length == [0; 4] {
            return Ok(None);
        }
        let head = usize::try_from(i32::from_le_bytes(*length)).ok().and_then(|length| after.split_at_checked(length));
        let (head, after) = head.ok_or_else(ends)?;
        let head = arrow_ipc::root_as_message(head).map_err(damaged)?;
        let (body, after) = usize::try_from(head.bodyLength()).ok().and_then(|length| after.split_at_checked(length)).ok_or_else(ends)?;
        *rest = after;
        Ok(Some(Message { head, body }))
    }

    /// Returns the error of a message that has neither rows nor a dictionary.
    pub fn is_no_batch(&self) -> crate::FileError {
        let kind = match self.head.header_type() {
            MessageHeader::Schema => "a second schema",
            MessageHeader::Tensor | MessageHeader::SparseTensor => "a tensor",
            _ => "a message of another kind",
        };
        damaged(format_args!("expected a batch of rows, found {kind}"))
    }
}

/// Returns the bytes of the footer of an Arrow file, or `None` if the file does not end with one.
fn footer(bytes: &[u8]) -> Option<&[u8]> {
    let inside = bytes.strip_suffix(MAGIC)?;
    let (rest, length) = inside.split_last_chunk::<4>()?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok()?;
    rest.get(rest.len().checked_sub(length)?..)
}

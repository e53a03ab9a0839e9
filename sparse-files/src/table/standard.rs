//! The structures of Parquet, as its `parquet.thrift` declares them.

use Is::{Bool, Byte, Bytes, Double, List, Number, Struct};

/// The type of a value. All widths of whole numbers are encoded alike, except bytes.
pub(super) enum Is {
    Bool,
    Byte,
    Number,
    Double,
    Bytes,
    List(&'static Is),
    Struct(&'static [Field]),
}

/// A field of a structure: the number of the field in the standard, and its type.
pub(super) struct Field(pub i64, pub Is);

const EMPTY: Is = Struct(&[]);

const KEY_VALUE: Is = Struct(&[Field(1, Bytes), Field(2, Bytes)]);

const STATISTICS: Is = Struct(&[
    Field(1, Bytes),
    Field(2, Bytes),
    Field(3, Number),
    Field(4, Number),
    Field(5, Bytes),
    Field(6, Bytes),
    Field(7, Bool),
    Field(8, Bool),
    Field(9, Number),
]);

/// The fields of the structure `PageHeader`.
pub(super) const PAGE: &[Field] = &[
    Field(1, Number),
    Field(2, Number),
    Field(3, Number),
    Field(4, Number),
    Field(5, Struct(&[Field(1, Number), Field(2, Number), Field(3, Number), Field(4, Number), Field(5, STATISTICS)])),
    Field(6, EMPTY),
    Field(7, Struct(&[Field(1, Number), Field(2, Number), Field(3, Bool)])),
    Field(
        8,
        Struct(&[
            Field(1, Number),
            Field(2, Number),
            Field(3, Number),
            Field(4, Number),
            Field(5, Number),
            Field(6, Number),
            Field(7, Bool),
            Field(8, STATISTICS),
        ]),
    ),
];

const TIME: Is = Struct(&[Field(1, Bool), Field(2, Struct(&[Field(1, EMPTY), Field(2, EMPTY), Field(3, EMPTY)]))]);

const LOGICAL_TYPE: Is = Struct(&[
    Field(1, EMPTY),
    Field(2, EMPTY),
    Field(3, EMPTY),
    Field(4, EMPTY),
    Field(5, Struct(&[Field(1, Number), Field(2, Number)])),
    Field(6, EMPTY),
    Field(7, TIME),
    Field(8, TIME),
    Field(10, Struct(&[Field(1, Byte), Field(2, Bool)])),
    Field(11, EMPTY),
    Field(12, EMPTY),
    Field(13, EMPTY),
    Field(14, EMPTY),
    Field(15, EMPTY),
    Field(16, Struct(&[Field(1, Byte)])),
    Field(17, Struct(&[Field(1, Bytes)])),
    Field(18, Struct(&[Field(1, Bytes), Field(2, Number)])),
]);

/// The fields of the structure `SchemaElement`.
pub(super) const SCHEMA_ELEMENT: &[Field] = &[
    Field(1, Number),
    Field(2, Number),
    Field(3, Number),
    Field(4, Bytes),
    Field(5, Number),
    Field(6, Number),
    Field(7, Number),
    Field(8, Number),
    Field(9, Number),
    Field(10, LOGICAL_TYPE),
];

const COLUMN: Is = Struct(&[
    Field(1, Number),
    Field(2, List(&Number)),
    Field(3, List(&Bytes)),
    Field(4, Number),
    Field(5, Number),
    Field(6, Number),
    Field(7, Number),
    Field(8, List(&KEY_VALUE)),
    Field(9, Number),
    Field(10, Number),
    Field(11, Number),
    Field(12, STATISTICS),
    Field(13, List(&Struct(&[Field(1, Number), Field(2, Number), Field(3, Number)]))),
    Field(14, Number),
    Field(15, Number),
    Field(16, Struct(&[Field(1, Number), Field(2, List(&Number)), Field(3, List(&Number))])),
    Field(17, Struct(&[Field(1, BOX), Field(2, List(&Number))])),
]);

const BOX: Is = Struct(&[
    Field(1, Double),
    Field(2, Double),
    Field(3, Double),
    Field(4, Double),
    Field(5, Double),
    Field(6, Double),
    Field(7, Double),
    Field(8, Double),
]);

const COLUMN_CHUNK: Is = Struct(&[
    Field(1, Bytes),
    Field(2, Number),
    Field(3, COLUMN),
    Field(4, Number),
    Field(5, Number),
    Field(6, Number),
    Field(7, Number),
    Field(8, Struct(&[Field(1, EMPTY), Field(2, Struct(&[Field(1, List(&Bytes)), Field(2, Bytes)]))])),
    Field(9, Bytes),
]);

const ROW_GROUP: Is = Struct(&[
    Field(1, List(&COLUMN_CHUNK)),
    Field(2, Number),
    Field(3, Number),
    Field(4, List(&Struct(&[Field(1, Number), Field(2, Bool), Field(3, Bool)]))),
    Field(5, Number),
    Field(6, Number),
    Field(7, Number),
]);

const ENCRYPTION: Is = Struct(&[Field(1, Bytes), Field(2, Bytes), Field(3, Bool)]);

/// The fields of the structure `FileMetaData`. The walk over a footer walks field 2, the schema, itself; the entry here refuses
/// other types.
pub(super) const FILE: &[Field] = &[
    Field(1, Number),
    Field(2, List(&Struct(SCHEMA_ELEMENT))),
    Field(3, Number),
    Field(4, List(&ROW_GROUP)),
    Field(5, List(&KEY_VALUE)),
    Field(6, Bytes),
    Field(7, List(&Struct(&[Field(1, EMPTY), Field(2, EMPTY)]))),
    Field(8, Struct(&[Field(1, ENCRYPTION), Field(2, ENCRYPTION)])),
    Field(9, Bytes),
];

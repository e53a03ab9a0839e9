//! Conversion of descriptors to JSON, the inverse of `header`.

use super::Header;
use super::header::{NAMES, STRUCTURES};
use super::parse::sorted;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value, json};

impl Header {
    /// Returns the name of the format, such as `CSR`, or `None` if the format must be described under the key `custom`.
    ///
    /// ```
    /// use sparse_formats::binsparse::Header;
    /// let header = Header::parse(r#"{"binsparse": {"version": "0.1", "format": "custom", "shape": [3, 4], "number_of_stored_values": 0,
    ///     "custom": {"level": {"level_desc": "sparse", "rank": 2, "level": {"level_desc": "element"}}, "transpose": [1, 0]},
    ///     "data_types": {"indices_0": "int32", "indices_1": "int32", "values": "bint8"}}}"#)?;
    /// assert_eq!(header.name(), Some("COOC"));
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn name(&self) -> Option<&'static str> {
        if self.unsorted.contains(&true) {
            return None;
        }
        let order = self.custom.transpose();
        let named = |(_, levels, contrary): &&(&str, &[crate::CustomLevel], bool)| {
            *levels == self.custom.levels() && if *contrary { order.is_sorted_by(|a, b| a > b) } else { order.is_sorted() }
        };
        // Prefer the name with an explicit order, such as `COOR`, to its short form.
        NAMES.iter().rfind(named).map(|(name, ..)| *name)
    }

    /// Returns a JSON object with the descriptor under the key `binsparse`. `version` is the value of the key `version` in
    /// it. The keys of `Header::other` stand beside `binsparse`. The keys of each object are sorted.
    ///
    /// ```
    /// use sparse_formats::binsparse::Header;
    /// let header = Header::parse(r#"{"binsparse": {"version": "0.1.3", "format": "CVEC", "shape": [9], "number_of_stored_values": 2,
    ///     "data_types": {"indices_0": "uint8", "values": "float64"}}, "author": "Ada"}"#)?;
    /// let value = header.to_json("0.1");
    /// assert_eq!((&value["binsparse"]["version"], &value["binsparse"]["format"]), (&"0.1".into(), &"CVEC".into()));
    /// assert_eq!(value["author"], "Ada");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn to_json(&self, version: &str) -> Value {
        let mut inside = Map::new();
        inside.insert("version".into(), version.into());
        inside.insert("format".into(), self.name().unwrap_or("custom").into());
        if self.name().is_none() {
            inside.insert("custom".into(), self.custom_json());
        }
        inside.insert("shape".into(), json!(self.shape));
        inside.insert("number_of_stored_values".into(), self.stored.into());
        let types: Map<String, Value> = self.data_types.iter().map(|(array, of)| (array.clone(), of.to_string().into())).collect();
        inside.insert("data_types".into(), types.into());
        if self.fill {
            inside.insert("fill".into(), true.into());
        }
        if self.index_base != 0 {
            inside.insert("index_base".into(), self.index_base.into());
        }
        if let Some((symmetry, triangle)) = self.structure {
            let named = STRUCTURES.iter().find(|(_, s, t)| (*s, *t) == (symmetry, triangle));
            inside.extend(named.map(|(name, ..)| ("structure".into(), (*name).into())));
        }
        let mut out: Map<String, Value> = self.other.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        out.insert("binsparse".into(), inside.into());
        sorted(out.into())
    }

    /// Returns the value of the key `custom`: the levels, and the order of the axes unless it is increasing.
    fn custom_json(&self) -> Value {
        let mut custom = self.custom.level_json();
        let mut flags: Vec<bool> = self.unsorted.clone();
        flags.resize(self.custom.levels().len(), false);
        let mut level = &mut custom;
        for unsorted in flags {
            if unsorted {
                level["sorted"] = false.into();
            }
            level = &mut level["level"];
        }
        let mut out = json!({ "level": custom });
        if !self.custom.transpose().is_sorted() {
            out["transpose"] = json!(self.custom.transpose());
        }
        out
    }
}

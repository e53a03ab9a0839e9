//! Any request on sparse tensors gets an answer of one line, in bounded memory.
//! `cargo +nightly fuzz run sparse_batch -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

fuzz_target!(|data: &[u8]| {
    if let [b'{', ..] = data {
        // The bytes are the text of a request.
        let line: Vec<u8> = data.iter().copied().filter(|byte| *byte != b'\n').collect();
        answer(&line);
        return;
    }
    let mut bytes = Bytes(data);
    let request = bytes.request();
    let reply = answer(request.to_string().as_bytes());
    // A built tensor decodes to the elements that it was built from.
    let (Some(built), true) = (reply.get("ok"), request["op"] == "sparse.build") else { return };
    let mut decode = built.clone();
    decode["op"] = "sparse.decode".into();
    let decoded = answer(decode.to_string().as_bytes());
    let count = |value: &Value| value["coords"].as_array().map(Vec::len);
    let dense = built["structure"].as_array().is_some_and(|tokens| tokens.contains(&json!("D")));
    // A tensor without axes has one element, whether it is given or not.
    let axes = built["shape"].as_array().is_some_and(|shape| !shape.is_empty());
    if axes && !dense && request.get("duplicates").is_none() && !decoded["ok"].is_null() {
        assert_eq!(count(&decoded["ok"]), count(&request), "{request} {decoded}");
    }
    assert!(dense || decoded["error"].is_null(), "{request} {built} {decoded}");
});

/// Returns the answer to a line, and checks that it is one line.
fn answer(line: &[u8]) -> Value {
    let text = crd2idx_cli::reply(line);
    assert!(!text.contains('\n'), "{text}");
    let reply: Value = serde_json::from_str(&text).expect("one line of JSON");
    let object = reply.as_object().expect("an object");
    assert!(object.contains_key("ok") != object.contains_key("error"));
    assert!(object.get("class").is_none_or(|class| class.as_str().is_some_and(|class| class.contains('/'))));
    reply
}

/// Makes requests from bytes.
struct Bytes<'d>(&'d [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn below(&mut self, bound: u8) -> usize {
        usize::from(self.next() % bound)
    }

    /// Makes mostly small numbers, sometimes an extreme number or a value that is not a number.
    fn number(&mut self) -> Value {
        match self.next() {
            244 => json!(null),
            245 => json!("3"),
            246 => json!(1.5),
            247 => json!(-1),
            248 => json!([2]),
            249 => serde_json::from_str("1e40").expect("a number"),
            250 => json!(u64::MAX),
            251 => json!(1_u64 << 60),
            252 => json!(1_u64 << 32),
            253 => json!(1_u64 << 31),
            254 => json!(255),
            255 => json!({}),
            other => json!(other & 7),
        }
    }

    fn list(&mut self, length: usize) -> Value {
        (0..length).map(|_| self.number()).collect()
    }

    fn arrays(&mut self, levels: usize) -> Value {
        let mut out = Map::new();
        for level in 0..levels {
            if self.next() & 1 == 1 {
                let length = self.below(9);
                out.insert(level.to_string(), self.list(length));
            }
        }
        Value::Object(out)
    }

    fn structure(&mut self, rank: usize) -> Value {
        const NAMES: [&str; 12] = [
            "CSR",
            "DCSC",
            "COO",
            "CSF",
            "VEC",
            "C-DC-S-R",
            "S-D-R",
            "D-D-R",
            "S-S-X[1,0]",
            "S-R+unsorted(0)",
            "DC-S-R+balanced(0,2)",
            "R",
        ];
        match self.below(4) {
            0 => NAMES[self.below(12)].into(),
            _ => (0..rank).map(|_| ["S", "C", "DC", "D"][self.below(4)]).collect(),
        }
    }

    /// Makes the parameters of a blocked format, and its name.
    fn scheme(&mut self, rank: usize) -> Value {
        let order = ["morton", "lex"][self.below(2)];
        match self.below(6) {
            0 => json!({"format": "hicoo", "bits": self.number(), "order": order}),
            1 => json!({"format": "hicoo", "bits": self.list(rank), "super_bits": self.list(rank)}),
            2 => json!({"format": "bcsr", "block": self.list(rank), "axis_order": self.list(rank)}),
            3 => json!({"format": "hbcsf", "axis_order": (0..rank).collect::<Vec<_>>(), "max_fiber": self.number()}),
            4 => json!({"format": "mmcsf"}),
            _ => json!({"format": "alto", "partitions": self.number()}),
        }
    }

    /// Makes a request on composite formats, or on kernels over any format.
    fn of_parts(&mut self, op: &str, rank: usize) -> Value {
        let mut out = self.scheme(rank);
        let count = self.below(12);
        out["op"] = format!("sparse.{op}").into();
        out["shape"] = self.list(rank);
        out["coords"] = (0..count).map(|_| self.list(rank)).collect();
        out["values"] = self.list(count);
        if op == "unblock" {
            let lists = |bytes: &mut Self| (0..rank).map(|_| bytes.list(count)).collect::<Value>();
            let levels = json!({"indices": self.arrays(rank), "pointers": self.arrays(rank), "values": self.list(count)});
            out["arrays"] = json!({
                "bptr": self.list(3), "kptr": self.list(2), "binds": lists(self), "einds": lists(self), "values": self.list(count), "keys": self.list(count),
                "indices": levels["indices"], "pointers": levels["pointers"], "bcsf": levels, "parts": [levels, levels],
                "coo": {"indices": lists(self), "values": self.list(count)},
                "csl": {"slices": self.list(2), "pointers": self.list(3), "indices": lists(self), "values": self.list(count)},
            });
        }
        if op == "kernel" {
            const KERNELS: [&str; 9] = ["mttkrp", "ttm", "ttv", "spmv", "spmm", "sddmm", "spgemm", "elementwise", "reduce"];
            if self.next() & 1 == 1 {
                out["parameters"] = out.clone();
            } else {
                out["format"] = self.structure(rank);
            }
            let width = self.below(4);
            let rows = |bytes: &mut Self, count: usize| (0..count).map(|_| bytes.list(width)).collect::<Value>();
            let extents: Vec<usize> =
                out["shape"].as_array().into_iter().flatten().map(|n| n.as_u64().unwrap_or(0).min(9) as usize).collect();
            let extent = |axis: usize| extents.get(axis).copied().unwrap_or(2);
            out["kernel"] = KERNELS[self.below(9)].into();
            out["op2"] = ["add", "sub", "mul", "max", "min", "sum", "count"][self.below(7)].into();
            out["all"] = (self.next() & 1 == 1).into();
            out["transpose"] = (self.next() & 1 == 1).into();
            out["order"] = ["row", "col"][self.below(2)].into();
            for key in ["mode", "rank", "columns", "inner"] {
                out[key] = if self.next() & 7 == 0 { self.number() } else { width.into() };
            }
            for key in ["modes", "axes"] {
                out[key] = self.list(width.min(2));
            }
            out["factors"] = extents.iter().map(|extent| rows(self, *extent)).collect();
            (out["left"], out["right"], out["matrix"]) = (rows(self, extent(0)), rows(self, extent(1)), rows(self, extent(0)));
            out["vectors"] = extents.iter().take(2).map(|extent| self.list(*extent)).collect();
            (out["vector"], out["dense"]) = (self.list(extent(1)), self.list(extent(1) * width));
            out["other"] = json!({"shape": self.list(2), "coords": [self.list(rank), self.list(rank)], "values": self.list(2)});
        }
        out
    }

    fn request(&mut self) -> Value {
        const OPS: [&str; 11] = ["build", "decode", "custom", "mlir", "gcs", "gcxs", "validate", "read", "blocked", "unblock", "kernel"];
        let (op, rank) = (OPS[self.below(11)], self.below(5));
        if let "blocked" | "unblock" | "kernel" = op {
            return self.of_parts(op, rank);
        }
        let mut out = json!({"op": format!("sparse.{op}"), "shape": self.list(rank)});
        let mut put = |key: &str, value: Value| out[key] = value;
        let flags = self.next();
        put("structure", self.structure(rank));
        if flags & 1 != 0 {
            put("axis_order", self.list(rank));
        }
        if flags & 2 != 0 {
            put("unsorted", (0..rank).map(|_| self.next() & 1 == 1).collect());
        }
        if flags & 4 != 0 {
            put("duplicates", ["sum", "first", "last", "error", "keep"][self.below(5)].into());
        }
        if flags & 8 != 0 {
            put("max_children", self.number());
            put("balanced_level", self.number());
        }
        if flags & 16 != 0 {
            put("fill", self.number());
        }
        let count = self.below(12);
        put("coords", (0..count).map(|_| self.list(rank)).collect());
        if flags & 32 == 0 {
            put("values", self.list(count));
        }
        match op {
            "decode" | "validate" => {
                put("indices", self.arrays(rank));
                put("pointers", self.arrays(rank));
            }
            "gcs" => {
                put("split", if flags & 64 == 0 { self.number() } else { self.list(2) });
                put(if flags & 128 == 0 { "dense" } else { "gcs" }, self.list(rank));
            }
            "gcxs" => put("compressed_axes", self.list(count % 4)),
            "custom" | "mlir" if flags & 64 == 0 => {
                put(
                    "levels",
                    (0..count % 4).map(|_| Value::Array(vec![["dense", "sparse"][self.below(2)].into(), self.number()])).collect(),
                );
            }
            _ => {}
        }
        if op != "validate" {
            return out;
        }
        if flags & 64 == 0 {
            let kind = ["levels", "gcs", "gcxs", "tree"][self.below(4)];
            return json!({"op": "sparse.validate", "kind": kind, "input": out});
        }
        let format = ["CSR", "CSC", "DCSR", "COO", "CVEC", "DVEC", "DMAT", "custom"][self.below(8)];
        let types =
            json!({"pointers_to_1": "uint64", "indices_0": "uint64", "indices_1": "uint64", "values": "int8", "fill_value": "int8"});
        let header = json!({"version": "0.1", "format": format, "shape": out["shape"], "number_of_stored_values": self.number(), "data_types": types,
            "index_base": self.below(3), "custom": {"level": {"level_desc": "sparse", "rank": self.number(), "level": {"level_desc": "element"}}}});
        let (first, second, length) = (self.below(9), self.below(9), self.below(9));
        let arrays = json!({"pointers_to_1": self.list(first), "indices_0": self.list(second), "indices_1": self.list(length), "values": self.list(length)});
        json!({"op": "sparse.validate", "kind": "binsparse", "header": header, "arrays": arrays})
    }
}

//! Reads linear layouts of requests: lists of pairs, or objects if the order of names does not matter.

use crate::answer::Result;
use crd2idx::algebra::linear::{LinearDimension, LinearError, LinearLayout};
use relayout::json::one_or_many;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt::Formatter;
use std::marker::PhantomData;

/// Names with values, in order.
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Both<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Both<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of pairs of a name and a value, or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = list.next_element()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_any(Both(PhantomData))
    }
}

/// A basis: the components of a vector. A vector of one component may be a number.
pub struct Basis(Vec<u64>);

impl<'de> Deserialize<'de> for Basis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        one_or_many(deserializer, "a whole number of 64 bits, or a list of these", |component| Basis(vec![component]), Basis)
    }
}

/// A linear layout: `{"in": [[name, bases], ...], "out": [[name, size], ...]}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bases {
    r#in: Pairs<Vec<Basis>>,
    out: Pairs<u64>,
}

impl Bases {
    /// Returns the layout. Refuses bases and sizes that form none.
    pub fn read(self) -> Result<LinearLayout> {
        let bases = |bases: Vec<Basis>| bases.into_iter().map(|Basis(components)| components).collect();
        let inputs = self.r#in.0.into_iter().map(|(name, of_name)| (name, bases(of_name))).collect();
        Ok(LinearLayout::new(inputs, self.out.0)?)
    }
}

impl Pairs<u64> {
    /// Returns the names and their values.
    pub fn values(&self) -> Vec<(&str, u64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// Returns the names as dimensions. Fails unless all sizes are powers of two.
    pub fn dimensions(self) -> Result<Vec<LinearDimension>> {
        let dimension = |(name, size): (String, u64)| match size {
            size if size.is_power_of_two() => Ok(LinearDimension::new(&name, size.trailing_zeros())),
            size => Err(LinearError::Size { name, size }.into()),
        };
        self.0.into_iter().map(dimension).collect()
    }
}

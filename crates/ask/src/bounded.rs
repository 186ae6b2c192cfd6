//! Reading JSON that anyone may have written, in bounded memory.
//!
//! A value takes up to a hundred times the bytes of its text: each `{"":0}` of a list is a node of a tree. So the parts of a text
//! are counted before, or while, it is read.
//!
//! Invariant: a value takes no more bytes than its text weighs; a test compares the two.
//! Cost: a comparison or two for each byte.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::Document;
use crate::refusal::{Refusal, RefusalKind};

/// Bytes of an object: the node that holds up to eleven fields.
const OBJECT: u64 = 640;
/// Bytes of a field, in a node that is half full, with its name.
const FIELD: u64 = 160;
/// Bytes of a list: room for four values.
const LIST: u64 = 128;
/// Bytes of one more value: room grows by doubling.
const VALUE: u64 = 64;
/// Bytes of a string, besides its text.
const STRING: u64 = 32;

/// What a JSON text takes in memory, as far as it has been seen.
///
/// ```
/// let mut weight = destrier_ask::JsonWeight::default();
/// weight.add(br#"["a1", "b3"]"#);
/// assert!(weight.bytes() < 500);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonWeight {
    bytes: u64,
    in_string: bool,
    escaped: bool,
}

impl JsonWeight {
    /// The bytes so far.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds more of the text.
    pub fn add(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        for byte in text {
            if self.in_string {
                self.in_string = self.escaped || *byte != b'"';
                self.escaped = !self.escaped && *byte == b'\\';
                continue;
            }
            self.bytes += match byte {
                b'{' => OBJECT,
                b'[' => LIST,
                b':' => FIELD,
                b',' => VALUE,
                b'"' => {
                    self.in_string = true;
                    STRING
                }
                _ => 0,
            };
        }
    }
}

/// Reads JSON that takes at most so many bytes in memory; `wrong` says what an error is about.
pub(crate) fn read<E: From<Refusal>>(
    text: &[u8],
    most: u64,
    wrong: impl FnOnce(serde_json::Error) -> E,
) -> Result<Value, E> {
    let mut weight = JsonWeight::default();
    weight.add(text);
    if weight.bytes() > most {
        let size = weight.bytes().div_ceil(1 << 20);
        let why =
            format!("this JSON would take {size} MiB of memory; the limit is {} MiB", most >> 20);
        return Err(Refusal::new(RefusalKind::TooLarge, why).into());
    }
    let Document(value) = serde_json::from_slice(text).map_err(wrong)?;
    Ok(value)
}

/// A part of a value as a thing of ours; the value stays as it is, and is not copied.
pub(crate) fn part<T: DeserializeOwned>(value: &Value, name: &str) -> serde_json::Result<T> {
    T::deserialize(&value[name])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a value: a node of a tree has eleven places, of which at least five are taken but in the only one.
    fn taken(value: &Value) -> usize {
        let place = size_of::<String>() + size_of::<Value>();
        match value {
            Value::String(text) => text.capacity().next_multiple_of(16) + 16,
            Value::Array(list) => {
                list.capacity() * size_of::<Value>() + list.iter().map(taken).sum::<usize>()
            }
            Value::Object(fields) => {
                let nodes = fields.len().div_ceil(5);
                let own: usize =
                    fields.iter().map(|(name, value)| name.len() + 32 + taken(value)).sum();
                nodes * (11 * place + 24) + own
            }
            _ => 0,
        }
    }

    #[test]
    fn a_value_takes_no_more_than_its_text_weighs() {
        for (begin, unit, end) in [
            ("[0", ",0", "]"),
            ("[\"\"", ",\"\"", "]"),
            ("[\"a1\"", ",\"a1\"", "]"),
            ("[[]", ",[]", "]"),
            ("[[0]", ",[0]", "]"),
            ("[{}", ",{}", "]"),
            ("[{\"\":0}", ",{\"\":0}", "]"),
            ("[{\"a\":\"\",\"b\":[1,2]}", ",{\"a\":\"\",\"b\":[1,2]}", "]"),
            ("[\"\\\"{[,\"", ",\"\\\"{[,\"", "]"),
        ] {
            let text = format!("{begin}{}{end}", unit.repeat(5000));
            let mut weight = JsonWeight::default();
            // In pieces, as a reader gets it.
            text.as_bytes().chunks(7).for_each(|piece| weight.add(piece));
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            let taken = taken(&value) as u64;
            assert!(taken <= weight.bytes(), "{begin}: {taken} above {}", weight.bytes());
            assert!(weight.bytes() < 2_000 * 5001, "{begin}: {}", weight.bytes());
        }
        let fields: Vec<String> = (0..5000).map(|n| format!("\"{n}\":{n}")).collect();
        let text = format!("{{{}}}", fields.join(","));
        let mut weight = JsonWeight::default();
        weight.add(text.as_bytes());
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert!(taken(&value) as u64 <= weight.bytes());
    }

    #[test]
    fn what_weighs_too_much_is_not_read() {
        let text = format!("[{}0]", "{\"\":0},".repeat(2000));
        let read = |most| read(text.as_bytes(), most, |_| Refusal::broken());
        assert!(read(2 << 20).is_ok());
        let refusal = read(1 << 20).expect_err("it is too large");
        assert_eq!(refusal.kind(), RefusalKind::TooLarge);
        assert_eq!(refusal.json()["key"], "said.json_heavy");
    }
}

//! JSON from outside, in which an object has each name once.
//!
//! Of two values with the same name `serde_json` keeps the last, and other readers keep the first. An answer that one
//! reader takes for another than the next could not be called checked, so it is refused.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A JSON value without repeated names.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub Value);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(Reader).map(Document)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Document(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Document(value))) = fields.next_entry::<String, Document>()? {
            if object.contains_key(&name) {
                let name = name.escape_debug();
                return Err(Error::custom(format_args!("the name `{name}` occurs twice")));
            }
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        serde_json::from_str(text).map(|Document(value)| value).map_err(|error| error.to_string())
    }

    #[test]
    fn every_value_is_read_as_it_is() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,0.5,1e300,"é\n",{}],"b":{"a":[]}}"#;
        assert_eq!(read(text), Ok(serde_json::from_str(text).expect("it is JSON")));
    }

    #[test]
    fn a_name_is_refused_twice_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#, r#"{"a":1,"\u0061":2}"#]
        {
            let error = read(text).expect_err(text);
            assert!(error.starts_with("the name `a` occurs twice at line 1"), "{error}");
        }
        let error = read("{\"\\n\\u202e\":1,\"\\n\\u202e\":1}").expect_err("twice");
        assert!(error.starts_with(r"the name `\n\u{202e}` occurs twice"), "{error}");
    }

    #[test]
    fn nesting_has_its_limit() {
        assert!(read(&"[".repeat(100_000)).is_err_and(|error| error.contains("recursion limit")));
    }
}

//! Reading arguments from JSON: once, within bounds, and without ambiguity.
//!
//! The general reader of `serde_json` takes the last of two equal keys and builds values for
//! parameters that do not exist. Here a duplicate key is an error with its place, an unknown
//! parameter is refused before its value is built, and a whole number may be written as `60.0`.

use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, Result};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// Returns the error for a parameter name, if there is no such parameter.
pub(crate) type Unknown<'a> = &'a dyn Fn(&str) -> Option<Error>;

/// Why bytes are not accepted as a value.
pub(crate) enum Fault {
    /// The bytes are not JSON.
    Syntax(serde_json::Error),
    /// The bytes are JSON with a duplicate key or an unknown parameter.
    Refused(Error),
}

/// Reads `bytes` as arguments; `unknown` judges the names of the parameters.
///
/// A contract may answer the inner error in its own shape: a duplicate key, or an unknown
/// parameter.
///
/// # Errors
///
/// `invalid_param` for more than `bytes_max` bytes and for bytes that are not JSON.
pub(crate) fn parse(bytes: &[u8], unknown: Unknown<'_>, bytes_max: usize) -> Result<Result<Value>> {
    if bytes.len() > bytes_max {
        let message = format!(
            "arguments may have at most {bytes_max} bytes, got {}; the option 'args_bytes_max' of \
             the workspace sets the limit",
            bytes.len()
        );
        return Err(Error::new(ErrorKind::InvalidParam, message));
    }
    match read(bytes, unknown) {
        Ok(value) => Ok(Ok(value)),
        Err(Fault::Refused(refusal)) => Ok(Err(refusal)),
        Err(Fault::Syntax(error)) => {
            let message = format!("arguments are not valid JSON: {error}");
            Err(Error::new(ErrorKind::InvalidParam, message))
        }
    }
}

/// Reads one JSON value as [`parse`] does, without a limit on its length.
pub(crate) fn read(bytes: &[u8], unknown: Unknown<'_>) -> std::result::Result<Value, Fault> {
    let refusal = RefCell::new(None);
    let top = Reader { place: &Place::Top, unknown, refusal: &refusal };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = top.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    value.map_err(|error| refusal.take().map_or(Fault::Syntax(error), Fault::Refused))
}

/// The path from a value to the top, from the inside out.
enum Place<'a> {
    Top,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The recursion is bounded: the reader limits the depth of the JSON.
        match self {
            Place::Top => Ok(()),
            Place::Field(Place::Top, name) => f.write_str(name),
            Place::Field(outer, name) => write!(f, "{outer}.{name}"),
            Place::Item(outer, at) => write!(f, "{outer}[{at}]"),
        }
    }
}

/// Reads one value.
struct Reader<'a> {
    place: &'a Place<'a>,
    unknown: Unknown<'a>,
    /// Our own error, for which the JSON reader returns a placeholder.
    refusal: &'a RefCell<Option<Error>>,
}

impl<'a> Reader<'a> {
    fn within(&self, place: &'a Place<'a>) -> Reader<'a> {
        Reader { place, ..*self }
    }

    fn refuse<E: serde::de::Error>(&self, error: Error) -> E {
        *self.refusal.borrow_mut() = Some(error);
        E::custom("refused")
    }

    /// Returns the error of a value, with its place if text in it has half of a surrogate pair: other programs
    /// accept and escape that, so their users look for the fault elsewhere.
    fn named<E: serde::de::Error>(&self, place: &Place<'_>, error: E) -> E {
        let is_half = ["lone leading surrogate", "unexpected end of hex escape"]
            .iter()
            .any(|sign| error.to_string().contains(sign));
        if !is_half || self.refusal.borrow().is_some() {
            return error;
        }
        let place = place.to_string();
        let shown = searchscope::toolkit::suggest::shorten(&place);
        let message = format!(
            "'{shown}' has half of a surrogate pair, such as \\ud800 alone: text must be valid Unicode"
        );
        self.refuse(Error::new(ErrorKind::InvalidParam, message).with_param(place))
    }

    fn refuse_unknown<E: serde::de::Error>(&self, name: &str) -> std::result::Result<(), E> {
        let is_top = matches!(self.place, Place::Top);
        match is_top.then(|| (self.unknown)(name)).flatten() {
            Some(error) => Err(self.refuse(error)),
            None => Ok(()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    /// Reads a number without a fraction as a whole number, as JSON Schema defines it.
    fn visit_f64<E>(self, value: f64) -> std::result::Result<Value, E> {
        const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && value.abs() <= EXACT_MAX {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            return Ok(Value::from(value as i64));
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) =
            seq.next_element_seed(self.within(&Place::Item(self.place, items.len())))?
        {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let place = Place::Field(self.place, &name);
            if fields.contains_key(&name) {
                let place = place.to_string();
                let shown = searchscope::toolkit::suggest::shorten(&place);
                let message = format!("duplicate key '{shown}'");
                let error = Error::new(ErrorKind::InvalidParam, message).with_param(place);
                return Err(self.refuse(error));
            }
            self.refuse_unknown::<A::Error>(&name)?;
            let value = map.next_value_seed(self.within(&place));
            let value = value.map_err(|error| self.named(&place, error))?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::json_type::JsonType;
    use crate::arguments::unknown_parameter;
    use proptest::prelude::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {"query": {"type": "string"}, "scope": {}, "n": {"type": "integer"}},
            "additionalProperties": false,
        })
    }

    fn read(text: &str) -> Result<Value> {
        let expected = JsonType::of(&schema());
        parse(text.as_bytes(), &|name| unknown_parameter(&expected, name), 1 << 20)?
    }

    #[test]
    fn a_duplicate_key_is_refused_with_its_place() {
        for (text, place) in [
            (r#"{"query": "a", "query": "b"}"#, "query"),
            (r#"{"query": "a", "query": "a"}"#, "query"),
            (r#"{"scope": {"atoms": [{}, {"kind": 1, "kind": 2}]}}"#, "scope.atoms[1].kind"),
            (r#"{"scope": [[{"a": 1, "\u0061": 2}]]}"#, "scope[0][0].a"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some(place)), "{text}");
            assert!(error.message().contains(&format!("duplicate key '{place}'")), "{error}");
        }
        assert!(read(r#"{"scope": [{"a": 1}, {"a": 2}, {"b": {"a": 3}}]}"#).is_ok());
    }

    #[test]
    fn half_of_a_surrogate_pair_is_refused_with_its_place() {
        for (text, place) in [
            (r#"{"query": "a\ud800b"}"#, "query"),
            (r#"{"query": "\ud83d\ud83d"}"#, "query"),
            (r#"{"scope": {"atoms": ["a", "\udc00"]}}"#, "scope.atoms"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some(place)), "{text}");
            assert!(error.message().contains("half of a surrogate pair"), "{error}");
        }
        assert!(read(r#"{"query": "\ud83d\ude00"}"#).is_ok());
    }

    #[test]
    fn an_unknown_parameter_is_refused_before_its_value_is_read() {
        let error = read(r#"{"qery": [1, 2, {"a": 1, "a": 2}"#).expect_err("unknown");
        assert_eq!(error.param(), Some("qery"));
        assert!(error.message().starts_with("unknown parameter 'qery'; did you mean 'query'?"));
        // Checking the fields of a parameter is left to the schema.
        assert!(read(r#"{"scope": {"qery": 1}}"#).is_ok());
    }

    #[test]
    fn arguments_beyond_the_byte_limit_are_not_parsed() {
        let error = parse(b"[not JSON", &|_| None, 8).expect_err("too long");
        assert_eq!(error.code(), "invalid_param");
        assert!(error.message().contains("at most 8 bytes, got 9"), "{error}");
        assert!(parse(b"{}      ", &|_| None, 8).is_ok());
    }

    #[test]
    fn a_number_without_a_fraction_is_whole() {
        for (text, value) in [
            ("60.0", json!(60)),
            ("-0.0", json!(0)),
            ("1e2", json!(100)),
            ("60.5", json!(60.5)),
            ("1e300", json!(1e300)),
            ("18446744073709551615", json!(u64::MAX)),
        ] {
            assert_eq!(read(&format!(r#"{{"n": {text}}}"#)).expect(text), json!({ "n": value }));
        }
        assert!(read(r#"{"n": 1e400}"#).is_err());
    }

    #[test]
    fn invalid_json_is_reported() {
        for text in ["", "{", "{} {}", r#"{"query": }"#, "nul"] {
            let error = read(text).expect_err(text);
            assert!(error.message().starts_with("arguments are not valid JSON: "), "{error}");
        }
        let deep = "[".repeat(200_000);
        assert!(read(&format!(r#"{{"scope": {deep}"#)).is_err());
    }

    proptest! {
        // Without duplicate keys and numbers with a zero fraction, the result equals that of the
        // general reader.
        #[test]
        fn it_parses_like_serde_json(text in r#"(\{"scope": )?(\[|\{"a": |"x"|1|null|true|,|\]|\}| ){0,12}"#) {
            let expected: std::result::Result<Value, _> = serde_json::from_str(&text);
            match (read(&text), expected) {
                (Ok(own), Ok(expected)) => prop_assert_eq!(own, expected),
                (Err(_), Err(_)) => {}
                (Err(error), Ok(_)) => {
                    let message = error.message();
                    prop_assert!(message.contains("twice") || message.contains("unknown"), "{}", message);
                }
                (Ok(_), Err(error)) => prop_assert!(false, "{text}: {error}"),
            }
        }
    }
}

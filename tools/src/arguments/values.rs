//! Parsers for values that callers write as text: bounds on sizes, numbers of bytes, instants.
//!
//! None of them reads the clock or the time zone: the caller passes the time, and a time without
//! offset is UTC. The same text thus means the same on every machine.

use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use searchscope::toolkit::{ErrorExt, suggest::shorten};
use searchscope::{Error, Result, SizeBound};

/// Parses bounds on sizes in the syntax of `fd --size`: `+10k` is at least, `-1mi` at most and `5b`
/// exactly that size.
pub(crate) fn size_bounds(param: &str, texts: &[String]) -> Result<Vec<SizeBound>> {
    let texts = texts.iter().enumerate();
    texts.map(|(n, text)| size_bound(&format!("{param}[{n}]"), text)).collect()
}

/// Parses a number of bytes in the syntax of `rg --max-filesize`, in powers of 1024; numbers above
/// `max` become `max`.
pub(crate) fn file_bytes(param: &str, text: &str, max: u64) -> Result<u64> {
    let (digits, unit) = split_number(text);
    let unit_bytes = match unit {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        _ => 0,
    };
    if digits.is_empty() || unit_bytes == 0 {
        let wanted = "a number of bytes with an optional unit K, M or G, such as \"10M\"";
        return Err(unlike(param, wanted, text));
    }
    Ok(bytes(param, text, digits, unit_bytes)?.min(max))
}

/// Parses an instant, in nanoseconds since 1970: a duration that ended at `now`, or a date.
///
/// A day has 24 hours; months and years are those of the calendar in UTC. A date without an offset
/// is in UTC, and without a time of day it means midnight.
pub(crate) fn instant_ns(param: &str, text: &str, now: Timestamp) -> Result<i128> {
    instant_or(param, text, now, "")
}

/// Like [`instant_ns`]; `or` ends the error's list of accepted values with those of one parameter alone.
pub(crate) fn instant_or(param: &str, text: &str, now: Timestamp, or: &str) -> Result<i128> {
    let instant = if let Ok(span) = text.parse::<Span>() {
        if span.is_negative() {
            let wanted = "a duration that is not negative, such as \"2h\": it ends now";
            return Err(unlike(param, wanted, text));
        }
        before(now, span)
    } else if let Some(seconds) = text.strip_prefix('@') {
        unix(seconds)
    } else {
        date(text)
    };
    let Some(instant) = instant else {
        let wanted = format!(
            "a duration such as \"2h\", \"10min\" or \"1d 12h\", or a date between the years -9999 and \
             9999 such as \"2024-05-01\", \"2024-05-01 10:00:00\", \"2024-05-01T10:00:00Z\" or \
             \"@1714557600\"{or}"
        );
        return Err(unlike(param, &wanted, text));
    };
    Ok(instant.as_nanosecond())
}

fn size_bound(param: &str, text: &str) -> Result<SizeBound> {
    let (bound, number): (fn(u64) -> SizeBound, &str) =
        match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(number), _) => (SizeBound::AtLeast, number),
            (_, Some(number)) => (SizeBound::AtMost, number),
            (None, None) => (SizeBound::Exactly, text),
        };
    let (digits, unit) = split_number(number);
    let unit_bytes = match unit.to_ascii_lowercase().as_str() {
        "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "ki" | "kib" => 1 << 10,
        "mi" | "mib" => 1 << 20,
        "gi" | "gib" => 1 << 30,
        "ti" | "tib" => 1 << 40,
        _ => 0,
    };
    if digits.is_empty() || unit_bytes == 0 {
        let wanted = "+N, -N or N with a unit b, k, m, g, t, ki, mi, gi or ti, such as \"+10k\"";
        return Err(unlike(param, wanted, text));
    }
    Ok(bound(bytes(param, text, digits, unit_bytes)?))
}

/// Splits off the digits at the start.
fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn bytes(param: &str, text: &str, digits: &str, unit_bytes: u64) -> Result<u64> {
    let number = digits.parse::<u64>().ok();
    number.and_then(|number| number.checked_mul(unit_bytes)).ok_or_else(|| {
        let predicate =
            format!("exceeds the largest size, {} bytes: {:?}", u64::MAX, shorten(text));
        Error::invalid_param(param, predicate)
    })
}

fn before(now: Timestamp, span: Span) -> Option<Timestamp> {
    let then = Offset::UTC.to_datetime(now).checked_sub(span).ok()?;
    Offset::UTC.to_timestamp(then).ok()
}

fn unix(seconds: &str) -> Option<Timestamp> {
    // The standard library would accept a sign as well.
    if !seconds.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Timestamp::from_second(seconds.parse().ok()?).ok()
}

fn date(text: &str) -> Option<Timestamp> {
    // A number without a unit could be a year, a date or seconds. A suffix in brackets, a time zone
    // or a calendar, is not part of RFC 3339, and zones are unknown here.
    if text.bytes().all(|byte| byte.is_ascii_digit()) || text.contains('[') {
        return None;
    }
    let pieces = Pieces::parse(text).ok()?;
    let time = pieces.time().unwrap_or_else(jiff::civil::Time::midnight);
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    offset.to_timestamp(pieces.date().to_datetime(time)).ok()
}

fn unlike(param: &str, wanted: &str, text: &str) -> Error {
    Error::invalid_param(param, format!("must be {wanted}, got {:?}", shorten(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn now() -> Timestamp {
        "2024-03-31T12:00:00.5Z".parse().expect("a date")
    }

    fn at(text: &str) -> i128 {
        text.parse::<Timestamp>().expect(text).as_nanosecond()
    }

    #[test]
    fn bounds_on_sizes_as_fd_has_them() {
        for (text, expected) in [
            ("+1b", SizeBound::AtLeast(1)),
            ("-1b", SizeBound::AtMost(1)),
            ("0b", SizeBound::Exactly(0)),
            ("007b", SizeBound::Exactly(7)),
            ("+10k", SizeBound::AtLeast(10_000)),
            ("-10KB", SizeBound::AtMost(10_000)),
            ("+10ki", SizeBound::AtLeast(10_240)),
            ("10KiB", SizeBound::Exactly(10_240)),
            ("+2m", SizeBound::AtLeast(2_000_000)),
            ("+2Mb", SizeBound::AtLeast(2_000_000)),
            ("+2mi", SizeBound::AtLeast(2 << 20)),
            ("-3g", SizeBound::AtMost(3_000_000_000)),
            ("-3GiB", SizeBound::AtMost(3 << 30)),
            ("1t", SizeBound::Exactly(1_000_000_000_000)),
            ("1tI", SizeBound::Exactly(1 << 40)),
            ("+18446744073709551615b", SizeBound::AtLeast(u64::MAX)),
            ("-18446744073709551k", SizeBound::AtMost(18_446_744_073_709_551_000)),
        ] {
            assert_eq!(size_bounds("size", &[text.to_owned()]).expect(text), [expected], "{text}");
        }
        assert_eq!(size_bounds("size", &[]).expect("none"), []);
    }

    #[test]
    fn a_bad_size_is_refused_by_its_place() {
        let refused = |text: &str| {
            let texts = ["+1k".to_owned(), text.to_owned()];
            let error = size_bounds("size", &texts).expect_err(text);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("size[1]")), "{text}");
            error.message().to_owned()
        };
        for text in [
            "",
            "+",
            "k",
            "+k",
            "18",
            "+18",
            "$10M",
            "+50a",
            "+1Mv",
            "+1bib",
            "+1bb",
            "+1i",
            "+-1k",
            "++1k",
            "1.5m",
            "1 k",
            " 1k",
            "1k ",
            "1_000k",
            "0x1k",
            "+1pb",
            "１k",
            "1\u{212a}",
            "+1k\0",
        ] {
            let expected = format!(
                "'size[1]' must be +N, -N or N with a unit b, k, m, g, t, ki, mi, gi or ti, such \
                 as \"+10k\", got {text:?}"
            );
            assert_eq!(refused(text), expected);
        }
        for text in [
            "+18446744073709551615k",
            "18446744073709551616b",
            "-18446744073709552k",
            "99999999ti",
            "99999999t",
            "999999999999999999999999999999g",
        ] {
            let expected = format!(
                "'size[1]' exceeds the largest size, 18446744073709551615 bytes: \
                 {text:?}"
            );
            assert_eq!(refused(text), expected);
        }
    }

    #[test]
    fn numbers_of_bytes_as_ripgrep_has_them() {
        for (text, expected) in [
            ("0", 0),
            ("12", 12),
            ("1k", 1 << 10),
            ("1K", 1 << 10),
            ("10M", 10 << 20),
            ("10m", 10 << 20),
            ("0g", 0),
            ("1G", 100 << 20),
            ("104857601", 100 << 20),
            ("18446744073709551615", 100 << 20),
            ("17179869183G", 100 << 20),
        ] {
            assert_eq!(file_bytes("max_filesize", text, 100 << 20).expect(text), expected);
        }
        let refused = |text: &str| {
            let error = file_bytes("max_filesize", text, 100 << 20).expect_err(text);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("max_filesize")));
            error.message().to_owned()
        };
        for text in ["", "-1", "+1", "1.5M", "M", "1T", "1KB", "1Ki", "1 M", " 1", "٣", "1M\n"] {
            let expected = format!(
                "'max_filesize' must be a number of bytes with an optional unit K, M or G, such as \
                 \"10M\", got {text:?}"
            );
            assert_eq!(refused(text), expected);
        }
        for text in ["18446744073709551616", "18446744073709551615K", "17179869184G"] {
            assert!(refused(text).contains("exceeds the largest size"), "{text}");
        }
    }

    #[test]
    fn durations_end_at_the_current_time() {
        for (text, expected) in [
            ("0s", "2024-03-31T12:00:00.5Z"),
            ("90s", "2024-03-31T11:58:30.5Z"),
            ("10min", "2024-03-31T11:50:00.5Z"),
            ("2h", "2024-03-31T10:00:00.5Z"),
            ("2h30m", "2024-03-31T09:30:00.5Z"),
            ("1.5h", "2024-03-31T10:30:00.5Z"),
            ("1d", "2024-03-30T12:00:00.5Z"),
            ("1 day", "2024-03-30T12:00:00.5Z"),
            ("1d 12h", "2024-03-30T00:00:00.5Z"),
            ("1w", "2024-03-24T12:00:00.5Z"),
            ("2weeks", "2024-03-17T12:00:00.5Z"),
            ("1mo", "2024-02-29T12:00:00.5Z"),
            ("3mo", "2023-12-31T12:00:00.5Z"),
            ("1y", "2023-03-31T12:00:00.5Z"),
            ("P1DT2H", "2024-03-30T10:00:00.5Z"),
            ("500ms", "2024-03-31T12:00:00Z"),
            ("12000y", "-009976-03-31T12:00:00.5Z"),
        ] {
            assert_eq!(instant_ns("since", text, now()).expect(text), at(expected), "{text}");
        }
    }

    #[test]
    fn dates_without_an_offset_are_in_utc() {
        for (text, expected) in [
            ("2024-05-01", "2024-05-01T00:00:00Z"),
            ("2024-05-01 10:00:00", "2024-05-01T10:00:00Z"),
            ("2024-05-01T10:00:00", "2024-05-01T10:00:00Z"),
            ("2024-05-01 10:00", "2024-05-01T10:00:00Z"),
            ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
            ("2024-05-01t10:00:00z", "2024-05-01T10:00:00Z"),
            ("2024-05-01T10:00:00.25Z", "2024-05-01T10:00:00.25Z"),
            ("2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00Z"),
            ("2024-05-01 10:00:00-05:30", "2024-05-01T15:30:00Z"),
            ("1969-12-31", "1969-12-31T00:00:00Z"),
            ("9999-12-30", "9999-12-30T00:00:00Z"),
            ("@0", "1970-01-01T00:00:00Z"),
            ("@1707723412", "2024-02-12T07:36:52Z"),
        ] {
            assert_eq!(instant_ns("since", text, now()).expect(text), at(expected), "{text}");
        }
        assert_eq!(instant_ns("since", "1969-12-31", now()).expect("valid"), -86_400_000_000_000);
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for text in [
            "",
            " ",
            "1",
            "0",
            "2024",
            "20240501",
            "1714557600",
            "1.5",
            "abc",
            "d",
            "1x",
            "yesterday",
            "2024-13-01",
            "2024-02-30",
            "2024-05-01T25:00",
            "2024-05-01Z",
            "10:00",
            "2024/05/01",
            "2024-05-01T10:00:00+99:00",
            "2024-05-01T10:00:00[America/New_York]",
            "2024-05-01T10:00:00Z[UTC]",
            "@",
            "@-1",
            "@+1",
            "@1.5",
            "@abc",
            "@@1",
            "@253402300800",
            "@99999999999999999999999",
            "99999999999y",
            "19000y",
            "19998y",
            "9999999999999999999999999999999s",
            "-9999-01-01",
            "-009999-01-01",
            "10000-01-01",
            "9999-12-31T23:59:59-23:59",
            "1d\0",
            "1d 1d",
        ] {
            let error = instant_ns("changed_within", text, now()).expect_err(text);
            assert_eq!(
                (error.code(), error.param()),
                ("invalid_param", Some("changed_within")),
                "{text}"
            );
            assert!(error.message().ends_with(&format!(", got {text:?}")), "{error}");
            assert!(error.message().contains("\"2024-05-01\""), "{error}");
        }
        for text in ["-1d", "1d ago", "-P1D"] {
            let error = instant_ns("changed_within", text, now()).expect_err(text);
            assert!(error.message().contains("not negative"), "{error}");
        }
        let error = instant_ns("changed_within", &"9".repeat(100_000), now()).expect_err("long");
        assert!(error.message().len() < 500, "a long text is cut");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*|[-+@0-9.:TZWdhkmosy \\[\\]]{0,30}|[+-]?[0-9]{1,25}[a-z]{0,3}") {
            for now in [Timestamp::MIN, now(), Timestamp::MAX] {
                let _ = instant_ns("since", &text, now);
            }
            let _ = file_bytes("max_filesize", &text, 5);
            let _ = size_bounds("size", &[text]);
        }
    }
}

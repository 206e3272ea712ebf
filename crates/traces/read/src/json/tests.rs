//! The tokenizer, fed one byte at a time and in one piece.

use super::*;
use crate::source::{Plain, Source, Tracked};
use base::Problem;

/// Gives so many bytes at a time.
struct Slow<'t>(&'t [u8], usize);

impl Source for Slow<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem> {
        let most = self.1.min(into.len());
        (&self.0[..]).read_at(offset, &mut into[..most])
    }
}

/// Writes down what a reader sees of a value.
fn seen(reader: &mut Reader<'_>, out: &mut String) -> Result<(), Stop> {
    match reader.peek()? {
        b'{' => {
            assert!(reader.object()?);
            out.push('{');
            while reader.key()? {
                out.push_str(reader.text());
                out.push(':');
                seen(reader, out)?;
            }
            out.push('}');
        }
        b'[' => {
            assert!(reader.array()?);
            out.push('[');
            while reader.item()? {
                seen(reader, out)?;
            }
            out.push(']');
        }
        _ => {
            let kind = reader.scalar()?;
            out.push_str(&format!("{kind:?}({})", reader.text()));
        }
    }
    Ok(())
}

fn read(text: &[u8]) -> (String, Result<(), Stop>) {
    let mut source = Slow(text, 1);
    let mut progress = |_| true;
    let mut plain = Plain::new(Tracked::new(&mut source, &mut progress));
    let mut reader = Reader::new(&mut plain);
    let mut out = String::new();
    let result = seen(&mut reader, &mut out);
    (out, result)
}

fn check(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()), (expected.to_owned(), Ok(())), "{text}");
}

#[test]
fn values() {
    check(
        r#" { "a" : [1, -2.5e3, true, null], "b":{} , "c":[] }"#,
        "{a:[Number(1)Number(-2.5e3)Word(true)Word(null)]b:{}c:[]}",
    );
    check(
        r#"["\"\\\/\b\f\n\r\t", "\u00e9\ud83d\ude00\ud800x\udc00"]"#,
        "[Text(\"\\/\u{8}\u{c}\n\r\t)Text(é😀\u{fffd}x\u{fffd})]",
    );
    check(r#"[{"x": inf}, NaN, -inf,]"#, "[{x:Word(inf)}Word(NaN)Number(-inf)]");
    check("\"\\q\\é\"", "Text(qé)");
}

#[test]
fn what_is_cut_off_ends_where_it_does() {
    let text = r#"{"a": [1, "two", {"b": false}], "c": 3}"#;
    for end in 0..text.len() {
        let (out, result) = read(&text.as_bytes()[..end]);
        assert_eq!(result, Err(Stop::Cut), "{end}");
        assert!("{a:[Number(1)Text(two){b:Word(false)}]c:Number(3)}".starts_with(&out), "{out}");
    }
}

#[test]
fn what_is_not_json() {
    for text in ["{1}", "[1 2]", "{\"a\" 1}", "[}", "[,]", "}"] {
        assert!(matches!(read(text.as_bytes()).1, Err(Stop::Wrong(_))), "{text}");
    }
}

#[test]
fn skipping_needs_no_stack() {
    let mut text = b"[".repeat(200_000);
    text.extend(b"]".repeat(200_000));
    let mut source = &text[..];
    let mut progress = |_| true;
    let mut plain = Plain::new(Tracked::new(&mut source, &mut progress));
    let mut reader = Reader::new(&mut plain);
    assert_eq!(reader.skip(), Ok(()));
    assert_eq!(reader.position(), 400_000);
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(read(b"\"a\xff\xfeb\"").0, "Text(a\u{fffd}\u{fffd}b)");
}

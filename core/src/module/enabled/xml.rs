//! A parser that turns XML into a small tree of elements, with limits on everything.
//!
//! Only predefined entities and character references are resolved. A document that declares or uses other
//! entities is rejected. Elements are known by their local names.

use crate::encoding::from_bom;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use std::borrow::Cow;

/// The maximum size of a file; the largest `.iml` files have a few hundred KiB.
pub(crate) const BYTES_MAX: usize = 4 << 20;
const ELEMENTS_MAX: usize = 100_000;
/// The maximum number of attributes; each takes more memory than its text.
const ATTRIBUTES_MAX: usize = 200_000;
const DEPTH_MAX: usize = 64;
const ATTRIBUTES_PER_ELEMENT_MAX: usize = 256;
/// The maximum length of an XML declaration.
const DECLARATION_BYTES_MAX: usize = 256;

/// A parsed file. Its elements are one list, so no operation recurses.
#[derive(Clone, Debug)]
pub(crate) struct Document(Vec<Node>);

/// One element of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'d> {
    document: &'d Document,
    index: usize,
}

#[derive(Clone, Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    first_child: Option<usize>,
    last_child: Option<usize>,
    next: Option<usize>,
}

impl Document {
    /// Returns the number of elements.
    pub(crate) fn n_elements(&self) -> usize {
        self.0.len()
    }

    /// Returns the outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        Element { document: self, index: 0 }
    }
}

impl<'d> Element<'d> {
    /// Returns the local name.
    pub(crate) fn name(self) -> &'d str {
        &self.node().name
    }

    /// Returns the value of an attribute without a namespace.
    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        let mut attributes = self.node().attributes.iter();
        attributes.find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Yields the child elements, in order.
    pub(crate) fn children(self) -> impl Iterator<Item = Element<'d>> {
        let at = move |index| Element { document: self.document, index };
        std::iter::successors(self.node().first_child.map(at), move |child| {
            child.node().next.map(at)
        })
    }

    /// Yields the child elements of that name, in order.
    pub(crate) fn children_named(self, name: &str) -> impl Iterator<Item = Element<'d>> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Returns the first child element of that name.
    pub(crate) fn child(self, name: &str) -> Option<Element<'d>> {
        self.children_named(name).next()
    }

    /// Returns the text directly in the element, trimmed.
    pub(crate) fn text(self) -> &'d str {
        self.node().text.trim()
    }

    fn node(self) -> &'d Node {
        &self.document.0[self.index]
    }
}

/// Parses a file. The error message is meant to follow the file name and a colon.
pub(crate) fn parse(bytes: &[u8]) -> Result<Document, String> {
    if bytes.len() > BYTES_MAX {
        return Err(format!("larger than {} MiB", BYTES_MAX >> 20));
    }
    let (text, mark) = decode(bytes)?;
    let mut reader = Reader::from_str(&text);
    let mut tree = Tree::default();
    loop {
        let start = reader.buffer_position();
        let event = reader.read_event().map_err(|error| {
            format!("invalid XML: {error} at byte {}", reader.error_position().saturating_add(mark))
        })?;
        if matches!(event, Event::Eof) {
            return tree.finish(start + mark);
        }
        let problem = |problem| format!("{problem} at byte {}", start + mark);
        tree.take(event).map_err(problem)?;
    }
}

/// Returns the text without its byte order mark, and the length of the mark.
fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, u64), String> {
    let (encoding, mark) = from_bom(bytes).map_or((None, 0), |(bom, mark)| (Some(bom), mark));
    let encoding = match encoding {
        Some(encoding) => encoding,
        None => declared_encoding(bytes)?,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    let text = text.ok_or_else(|| match std::str::from_utf8(bytes) {
        Err(error) if encoding == UTF_8 => {
            format!("not UTF-8 at byte {}", error.valid_up_to())
        }
        _ => format!("not {}", encoding.name()),
    })?;
    Ok((text, mark as u64))
}

/// Returns the declared encoding. The declaration is ASCII in every encoding that needs no mark.
fn declared_encoding(bytes: &[u8]) -> Result<&'static Encoding, String> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let end = memchr::memchr(b'>', head).map_or(head.len(), |end| end + 1);
    let Ok(head) = std::str::from_utf8(&head[..end]) else {
        return Ok(UTF_8);
    };
    let Ok(Event::Decl(declaration)) = Reader::from_str(head).read_event() else {
        return Ok(UTF_8);
    };
    let Some(Ok(label)) = declaration.encoding() else {
        return Ok(UTF_8);
    };
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        // UTF-16 without a mark could not have been read up to here.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            Err(format!("not {}, the declared encoding", encoding.name()))
        }
        Some(encoding) => Ok(encoding),
        None => Err(format!("in the unknown encoding '{}'", label.escape_debug())),
    }
}

/// The elements so far, and the open ones.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    open: Vec<usize>,
    n_attributes: usize,
}

impl Tree {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(start) => {
                let index = self.add(&start)?;
                self.open.push(index);
                if self.open.len() > DEPTH_MAX {
                    return Err(format!("elements more than {DEPTH_MAX} deep"));
                }
            }
            Event::Empty(start) => {
                self.add(&start)?;
            }
            Event::End(_) => {
                self.open.pop();
            }
            Event::Text(text) => self.add_text(&text.xml10_content())?,
            Event::CData(text) => self.add_text(&text.xml10_content())?,
            Event::GeneralRef(reference) => self.add_reference(&reference)?,
            Event::DocType(text) if text.contains('[') => {
                return Err("a DOCTYPE with declarations, which are not read,".to_owned());
            }
            Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn add(&mut self, start: &BytesStart<'_>) -> Result<usize, String> {
        let index = self.nodes.len();
        if index == ELEMENTS_MAX {
            return Err(format!("more than {ELEMENTS_MAX} elements"));
        }
        if index > 0 && self.open.is_empty() {
            return Err("a second root element".to_owned());
        }
        let name = start.local_name().as_ref().to_owned();
        let mut attributes = Vec::new();
        for (n, attribute) in start.attributes().enumerate() {
            if n == ATTRIBUTES_PER_ELEMENT_MAX || self.n_attributes == ATTRIBUTES_MAX {
                return Err("too many attributes".to_owned());
            }
            self.n_attributes += 1;
            let attribute = attribute.map_err(|error| format!("invalid attribute ({error})"))?;
            if attribute.key.prefix().is_some() {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| format!("invalid attribute ({error})"))?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        self.nodes.push(Node { name, attributes, ..Node::default() });
        if let Some(&above) = self.open.last() {
            let before = self.nodes[above].last_child.replace(index);
            match before {
                Some(before) => self.nodes[before].next = Some(index),
                None => self.nodes[above].first_child = Some(index),
            }
        }
        Ok(index)
    }

    fn add_text(&mut self, text: &str) -> Result<(), String> {
        match self.open.last() {
            Some(&index) => self.nodes[index].text.push_str(text),
            None if text.trim().is_empty() => {}
            None => return Err("text outside of the root element".to_owned()),
        }
        Ok(())
    }

    fn add_reference(&mut self, reference: &BytesRef<'_>) -> Result<(), String> {
        let character = reference.resolve_char_ref();
        if let Some(character) =
            character.map_err(|error| format!("invalid character reference ({error})"))?
        {
            return self.add_text(character.encode_utf8(&mut [0; 4]));
        }
        match resolve_predefined_entity(reference) {
            Some(text) => self.add_text(text),
            None => Err(format!("the unknown entity '{}'", reference.escape_debug())),
        }
    }

    fn finish(self, end: u64) -> Result<Document, String> {
        match self.open.last() {
            Some(&index) => {
                let name = self.nodes[index].name.escape_debug();
                Err(format!("invalid XML: the element '{name}' is not closed, at byte {end}"))
            }
            None if self.nodes.is_empty() => Err("invalid XML: no root element".to_owned()),
            None => Ok(Document(self.nodes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Formats the tree for comparison.
    fn shown(document: &Document) -> String {
        let mut text = String::new();
        let mut todo = vec![(document.root(), 0)];
        while let Some((element, depth)) = todo.pop() {
            text += &format!("{}{}", "-".repeat(depth), element.name());
            for (name, value) in &element.node().attributes {
                text += &format!(" {name}={value:?}");
            }
            text += &format!(" {:?};", element.text());
            let mut children: Vec<_> = element.children().map(|one| (one, depth + 1)).collect();
            children.reverse();
            todo.append(&mut children);
        }
        text
    }

    #[test]
    fn trees() {
        for (xml, expected) in [
            ("<a/>", "a \"\";"),
            ("<?xml version=\"1.0\"?>\r\n<!-- x --><a>\r\n t </a>\n", "a \"t\";"),
            ("<a b='1' c=\"&lt;&#x41;&quot;\"/>", "a b=\"1\" c=\"<A\\\"\" \"\";"),
            ("<a>x&amp;y<![CDATA[<z>&]]></a>", "a \"x&y<z>&\";"),
            ("<a><b/><c><d/></c><b/></a>", "a \"\";-b \"\";-c \"\";--d \"\";-b \"\";"),
            ("<m:a xmlns:m='u' m:x='1' x='2'><m:b/></m:a>", "a x=\"2\" \"\";-b \"\";"),
            ("<!DOCTYPE a SYSTEM 'a.dtd'><a/>", "a \"\";"),
            ("\u{FEFF}<a>ä</a>", "a \"ä\";"),
        ] {
            assert_eq!(shown(&parse(xml.as_bytes()).expect(xml)), expected, "{xml}");
        }
        let utf16: Vec<u8> = "\u{FEFF}<a>ä</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(shown(&parse(&utf16).expect("UTF-16")), "a \"ä\";");
        let latin1 = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE4</a>";
        assert_eq!(shown(&parse(latin1).expect("Latin 1")), "a \"ä\";");
    }

    #[test]
    fn elements_are_found_by_name() {
        let document = parse(b"<a><b x='1'/><c/><b x='2'/></a>").expect("well-formed");
        let root = document.root();
        assert_eq!(root.child("b").and_then(|b| b.attribute("x")), Some("1"));
        let values: Vec<_> = root.children_named("b").filter_map(|b| b.attribute("x")).collect();
        assert_eq!(values, ["1", "2"]);
        assert!(root.child("d").is_none() && root.attribute("x").is_none());
    }

    #[test]
    fn entries_that_are_not_documents() {
        for (xml, expected) in [
            (&b""[..], "invalid XML: no root element"),
            (b"<a><b></a>", "at byte 6"),
            (b"<a><b>", "invalid XML: the element 'b' is not closed, at byte 6"),
            (b"<a", "at byte 0"),
            (b"<a/><b/>", "a second root element at byte 4"),
            (b"<a/>x", "text outside of the root element at byte 4"),
            (b"<a>\xFF</a>", "not UTF-8 at byte 3"),
            (b"\xEF\xBB\xBF<a>\xFF</a>", "not UTF-8 at byte 6"),
            (b"<a x='1' x='2'/>", "invalid attribute ("),
            (b"<a x='&b;'/>", "invalid attribute ("),
            (b"<a>&b;</a>", "the unknown entity 'b' at byte 3"),
            (b"<a>&#0;</a>", "invalid character reference ("),
            (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "a DOCTYPE with declarations"),
            (b"<?xml version='1.0' encoding='x-none'?><a/>", "in the unknown encoding 'x-none'"),
            (b"<?xml version='1.0' encoding='utf-16'?><a/>", "not UTF-16LE, the declared encoding"),
        ] {
            let problem = parse(xml).expect_err("refused");
            assert!(problem.contains(expected), "{problem:?} for {}", xml.escape_ascii());
        }
    }

    #[test]
    fn everything_is_bounded() {
        let refused = |xml: String| parse(xml.as_bytes()).expect_err("refused");
        assert!(refused("<a>".repeat(1_000_000)).starts_with("elements more than 64 deep"));
        let flat = |n: usize| format!("<a>{}</a>", "<b/>".repeat(n - 1));
        assert_eq!(parse(flat(ELEMENTS_MAX).as_bytes()).expect("as many").0.len(), ELEMENTS_MAX);
        assert!(refused(flat(ELEMENTS_MAX + 1)).starts_with("more than 100000 elements"));
        let wide =
            |n: usize| format!("<a {}/>", (0..n).map(|n| format!("a{n}='' ")).collect::<String>());
        assert!(parse(wide(ATTRIBUTES_PER_ELEMENT_MAX).as_bytes()).is_ok());
        assert!(refused(wide(ATTRIBUTES_PER_ELEMENT_MAX + 1)).starts_with("too many attributes"));
        assert_eq!(refused(format!("<a>{}</a>", " ".repeat(BYTES_MAX))), "larger than 4 MiB");
    }

    #[test]
    fn entities_are_not_expanded() {
        let mut bomb = "<!DOCTYPE a [<!ENTITY e0 'ha'>".to_owned();
        for n in 1..30 {
            bomb += &format!("<!ENTITY e{n} '&e{};&e{};'>", n - 1, n - 1);
        }
        bomb += "]><a>&e29;</a>";
        assert!(parse(bomb.as_bytes()).expect_err("refused").starts_with("a DOCTYPE"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_handled(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _: Result<_, _> = parse(&bytes);
        }

        #[test]
        fn any_markup_is_handled(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("<a>"), Just("</a>"), Just("<b x='"), Just("'/>"), Just("&amp;"),
                    Just("&x;"), Just("&#"), Just(";"), Just("<!--"), Just("-->"),
                    Just("<![CDATA["), Just("]]>"), Just("<?xml "), Just("?>"),
                    Just("<!DOCTYPE "), Just("encoding='"), Just("ä"), Just(" ")
                ],
                0..30,
            )
        ) {
            if let Ok(document) = parse(parts.concat().as_bytes()) {
                prop_assert!(document.0.len() <= parts.len());
            }
        }
    }
}

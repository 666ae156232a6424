//! The words of a text, byte by byte.

pub(in crate::symbol::enabled) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

pub(in crate::symbol::enabled) fn begins_word(byte: u8) -> bool {
    is_word(byte) && !byte.is_ascii_digit()
}

/// Returns the end of the word at `at`.
pub(in crate::symbol::enabled) fn word_end(code: &[u8], at: usize) -> usize {
    code[at..].iter().position(|byte| !is_word(*byte)).map_or(code.len(), |len| at + len)
}

/// Returns the offset of the next byte that is not blank.
pub(in crate::symbol::enabled) fn after_blanks(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    rest.iter().position(|byte| !byte.is_ascii_whitespace()).map_or(code.len(), |len| at + len)
}

/// Returns whether a word is written like a macro: in capitals, or with two leading underscores.
pub(in crate::symbol::enabled) fn is_macro_like(word: &[u8]) -> bool {
    let is_capital =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let has_letter = word.iter().filter(|byte| byte.is_ascii_uppercase()).count() > 1;
    has_letter && word.iter().all(is_capital) || word.starts_with(b"__")
}

#[cfg(test)]
mod tests {
    use super::word_end;

    #[test]
    fn letters_beyond_ascii_belong_to_words() {
        assert_eq!(word_end("größe = 1".as_bytes(), 0), "größe".len());
    }
}

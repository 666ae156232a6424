//! Object ids and the hashes that produce them.

use crate::digest::Sha256;
use sha1::Digest;
use std::fmt;

/// The hash of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectFormat {
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// Returns the length of an id in bytes.
    pub(super) const fn len(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 20,
            ObjectFormat::Sha256 => 32,
        }
    }

    /// Starts the hash of an object with its header.
    pub(super) fn object_hash(self, kind: &str, size: u64) -> Hash {
        let mut hash = self.hash();
        hash.update(format!("{kind} {size}\0").as_bytes());
        hash
    }

    /// Starts a hash.
    pub(super) fn hash(self) -> Hash {
        match self {
            ObjectFormat::Sha1 => Hash::Sha1(sha1::Sha1::new()),
            ObjectFormat::Sha256 => Hash::Sha256(Sha256::new()),
        }
    }

    /// Returns the id of the tree without entries.
    pub(super) fn empty_tree(self) -> Id {
        self.object_hash("tree", 0).finish()
    }

    /// Returns the id of a blob with these contents.
    pub(super) fn blob_id(self, contents: &[u8]) -> Id {
        let mut hash = self.object_hash("blob", contents.len() as u64);
        hash.update(contents);
        hash.finish()
    }
}

/// A hash that is being computed.
pub(super) enum Hash {
    Sha1(sha1::Sha1),
    Sha256(Sha256),
}

impl Hash {
    /// Adds bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hash::Sha1(hash) => hash.update(bytes),
            Hash::Sha256(hash) => hash.update(bytes),
        }
    }

    /// Returns the id.
    pub(super) fn finish(self) -> Id {
        match self {
            Hash::Sha1(hash) => Id::new(&hash.finalize()),
            Hash::Sha256(hash) => Id::new(&hash.finish()),
        }
    }
}

/// An object id; a SHA-1 id has zeros after its 20 bytes. One size for both hashes, so that an id needs no
/// allocation: an index may have a million of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id {
    bytes: [u8; 32],
    len: u8,
}

impl Id {
    /// Copies the bytes of an id, 20 or 32.
    pub(super) fn new(bytes: &[u8]) -> Id {
        let mut id = Id { bytes: [0; 32], len: if bytes.len() > 20 { 32 } else { 20 } };
        let len = bytes.len().min(32);
        id.bytes[..len].copy_from_slice(&bytes[..len]);
        id
    }

    /// Reads an id as hex digits; `None` for any other text.
    pub(super) fn from_hex(text: &[u8], format: ObjectFormat) -> Option<Id> {
        if text.len() != format.len() * 2 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            *byte = hex_digit(pair[0])? << 4 | hex_digit(pair[1])?;
        }
        Some(Id::new(&bytes[..format.len()]))
    }

    /// Returns the bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Returns whether all bytes are zero, which is not the id of any object.
    pub(super) fn is_null(&self) -> bool {
        self.bytes == [0; 32]
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the value of a hex digit.
pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

//! The files of the user that atoms may refer to.

/// The user's files, as the host knows them: `file://` URLs or paths relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct ScopeContext {
    /// The file that the user is looking at.
    pub current_file: Option<String>,
    /// The files that are open.
    pub open_files: Option<Vec<String>>,
    /// Recently opened files.
    pub recent_files: Option<Vec<String>>,
    /// The selected files and directories.
    pub selected_files: Option<Vec<String>>,
}

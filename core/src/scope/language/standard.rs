//! The ten standard scopes, by the ids that do not depend on a language.

use super::atom::codes;

codes! {
    /// A standard scope, in the order in which the catalog offers them.
    pub(in crate::scope) enum Standard {
        /// Every file under the root.
        AllPlaces = "All Places",
        /// The content of the project: neither excluded nor ignored, and in no library.
        ProjectFiles = "Project Files",
        /// That, and the libraries under the root.
        ProjectAndLibraries = "Project and Libraries",
        /// Below a source root, and no test.
        Production = "Project Production Files",
        /// Below a test root, or a test by its name.
        Tests = "Project Test Files",
        /// Nothing, outside an IDE.
        Scratches = "Scratches and Consoles",
        /// The host's recent and open files.
        RecentlyViewed = "Recently Viewed Files",
        /// Content of the project that was modified in the last seven days.
        RecentlyChanged = "Recently Changed Files",
        /// The host's open files.
        OpenFiles = "Open Files",
        /// The host's current file.
        CurrentFile = "Current File",
    }
}

/// Whether `id` is that of a standard scope.
pub(crate) fn is_standard_id(id: &str) -> bool {
    Standard::of_id(id).is_some()
}

impl Standard {
    pub(in crate::scope) fn of_id(id: &str) -> Option<Standard> {
        Standard::ALL.iter().copied().find(|scope| scope.code() == id)
    }

    /// Whether it needs something of a user, so that programs must allow it.
    pub(in crate::scope) fn requires_user_input(self) -> bool {
        self == Standard::CurrentFile
    }

    /// Whether it changes with what a user does or with time.
    pub(in crate::scope) fn is_unstable(self) -> bool {
        matches!(
            self,
            Standard::RecentlyViewed
                | Standard::RecentlyChanged
                | Standard::OpenFiles
                | Standard::CurrentFile
        )
    }
}

//! The ten standard scopes and their locale-independent ids.

use super::atom::codes;

codes! {
    /// A standard scope, in catalog order.
    pub(in crate::scope) enum Standard {
        /// Every file under the root.
        AllPlaces = "All Places",
        /// The content of the project: neither excluded nor ignored, and in no library.
        ProjectFiles = "Project Files",
        /// The same, and the libraries under the root.
        ProjectAndLibraries = "Project and Libraries",
        /// Files below a source root that are not tests.
        Production = "Project Production Files",
        /// Files below a test root, and tests by name.
        Tests = "Project Test Files",
        /// Nothing, outside an IDE.
        Scratches = "Scratches and Consoles",
        /// The host's recent and open files.
        RecentlyViewed = "Recently Viewed Files",
        /// Project content modified in the last seven days.
        RecentlyChanged = "Recently Changed Files",
        /// The host's open files.
        OpenFiles = "Open Files",
        /// The host's current file.
        CurrentFile = "Current File",
    }
}

/// Returns whether `id` belongs to a standard scope.
pub fn is_standard_id(id: &str) -> bool {
    Standard::of_id(id).is_some()
}

impl Standard {
    pub(in crate::scope) fn of_id(id: &str) -> Option<Standard> {
        Standard::ALL.iter().copied().find(|scope| scope.code() == id)
    }

    /// Returns whether it depends on the user's current file, so that programs must allow it.
    pub(in crate::scope) fn requires_user_input(self) -> bool {
        self == Standard::CurrentFile
    }

    /// Returns whether it changes with user actions or time.
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

//! XML as a small tree of elements, bounded in every direction.

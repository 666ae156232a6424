//! Sets of file ids, in pages: ids are never reused, so those in use may be far apart.

use crate::room;
use std::collections::TryReserveError;

const WORDS: usize = 8;
const PAGE_IDS: u32 = 64 * 8;

/// 512 ids in a row, one bit each.
type Page = [u64; WORDS];

/// Immutable set of file ids.
#[derive(Debug, Default)]
pub(super) struct IdSet {
    /// Sorted by the number of the page.
    pages: Vec<(u32, Page)>,
}

impl IdSet {
    pub(super) fn of(ids: &[u32]) -> Result<IdSet, TryReserveError> {
        let mut sorted = room::collect(ids.iter().copied(), ids.len())?;
        sorted.sort_unstable();
        let mut n_pages = 0;
        let mut last = None;
        for id in &sorted {
            let page = id / PAGE_IDS;
            n_pages += usize::from(last != Some(page));
            last = Some(page);
        }
        let mut pages: Vec<(u32, Page)> = Vec::new();
        pages.try_reserve_exact(n_pages)?;
        for id in sorted {
            if pages.last().is_none_or(|(number, _)| *number != id / PAGE_IDS) {
                pages.push((id / PAGE_IDS, [0; WORDS]));
            }
            if let Some((_, page)) = pages.last_mut() {
                let (word, bit) = place(id);
                page[word] |= bit;
            }
        }
        Ok(IdSet { pages })
    }

    pub(super) fn contains(&self, id: u32) -> bool {
        let (word, bit) = place(id);
        let found = self.pages.binary_search_by_key(&(id / PAGE_IDS), |(number, _)| *number);
        found.is_ok_and(|at| self.pages[at].1[word] & bit != 0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<(u32, Page)>()
    }
}

/// Mutable set of file ids; a look-up takes two reads.
#[derive(Debug, Default)]
pub(super) struct IdTable {
    /// The number of the first page that the table may contain.
    first: u32,
    /// Position in `pages` of each page from there on, plus one; zero for an empty page.
    places: Vec<u32>,
    pages: Vec<Page>,
}

impl IdTable {
    /// Returns an empty table with room for the ids of some sets.
    pub(super) fn with_room_for<'s>(
        sets: impl Iterator<Item = &'s IdSet> + Clone,
    ) -> Result<IdTable, TryReserveError> {
        let first =
            sets.clone().filter_map(|set| set.pages.first()).map(|(number, _)| *number).min();
        let last = sets.clone().filter_map(|set| set.pages.last()).map(|(number, _)| *number).max();
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(IdTable::default());
        };
        let n_places = (last - first) as usize + 1;
        let places = room::collect(std::iter::repeat_n(0, n_places), n_places)?;
        let mut pages = Vec::new();
        pages.try_reserve_exact(n_places.min(sets.map(|set| set.pages.len()).sum()))?;
        Ok(IdTable { first, places, pages })
    }

    /// Adds a set that the table has room for.
    pub(super) fn insert_all(&mut self, set: &IdSet) -> Result<(), TryReserveError> {
        // All room first: half a set must not be added.
        self.pages.try_reserve(set.pages.len())?;
        for (number, words) in &set.pages {
            let Some(place) = self.places.get_mut((number - self.first) as usize) else { continue };
            if *place == 0 {
                self.pages.push([0; WORDS]);
                *place = u32::try_from(self.pages.len()).unwrap_or(0);
            }
            let page = &mut self.pages[*place as usize - 1];
            page.iter_mut().zip(words).for_each(|(word, added)| *word |= added);
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, id: u32) {
        let (word, bit) = place(id);
        let Some(at) = self.place(id) else { return };
        self.pages[at][word] &= !bit;
    }

    pub(super) fn contains(&self, id: u32) -> bool {
        let (word, bit) = place(id);
        self.place(id).is_some_and(|at| self.pages[at][word] & bit != 0)
    }

    fn place(&self, id: u32) -> Option<usize> {
        let number = (id / PAGE_IDS).checked_sub(self.first)?;
        (*self.places.get(number as usize)? as usize).checked_sub(1)
    }
}

fn place(id: u32) -> (usize, u64) {
    ((id % PAGE_IDS / 64) as usize, 1 << (id % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_contain_the_ids_of_their_sets_and_no_others() {
        let ids = [[1000, 5, 511, 512], [513, 6, 4_000_000, 70_000]];
        let sets = ids.map(|ids| IdSet::of(&ids).expect("there is room"));
        let mut table = IdTable::with_room_for(sets.iter()).expect("there is room");
        sets.iter().for_each(|set| table.insert_all(set).expect("there is room"));
        table.remove(6);
        table.remove(9_000_000);
        for id in (0..2000).chain([69_999, 70_000, 4_000_000, 4_000_001, u32::MAX]) {
            let is_in = |set: usize| ids[set].contains(&id);
            assert_eq!(sets[0].contains(id), is_in(0), "{id}");
            assert_eq!(table.contains(id), id != 6 && (is_in(0) || is_in(1)), "{id}");
        }
    }
}

//! Sorting that can be stopped: no step takes long, whatever the number of items. The sorts of the standard
//! library cannot be interrupted, so runs are sorted and then merged with polls in between.

use crate::budget::{Budget, Stopped};
use std::cmp::Ordering;

/// Sorting pauses to poll after runs of this length, about a millisecond of work.
pub(crate) const RUN_LEN: usize = 8 * 1024;

/// Sorts `items`; equal ones keep their order. After a stop their order is unspecified.
pub(crate) fn sort<T: Copy>(
    items: &mut Vec<T>,
    budget: &Budget,
    order: &dyn Fn(&T, &T) -> Ordering,
) -> Result<(), Stopped> {
    for run in items.chunks_mut(RUN_LEN) {
        run.sort_by(order);
        budget.poll_clock()?;
    }
    // Merges pairs of neighbouring runs until one is left.
    let mut run_len = RUN_LEN;
    while run_len < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(run_len * 2) {
            let (left, right) = pair.split_at(run_len.min(pair.len()));
            merge(left, right, order, budget, &mut merged)?;
        }
        *items = merged;
        run_len *= 2;
    }
    Ok(())
}

fn merge<'a, T: Copy>(
    mut left: &'a [T],
    mut right: &'a [T],
    order: &dyn Fn(&T, &T) -> Ordering,
    budget: &Budget,
    merged: &mut Vec<T>,
) -> Result<(), Stopped> {
    while let (Some(first), Some(second)) = (left.first(), right.first()) {
        let side = if order(first, second).is_le() { &mut left } else { &mut right };
        merged.push(side[0]);
        *side = &side[1..];
        if merged.len().is_multiple_of(RUN_LEN) {
            budget.poll_clock()?;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use std::time::Duration;

    #[test]
    fn many_runs_are_merged_and_equals_keep_their_order() {
        let mut items: Vec<(u64, usize)> =
            (0..5 * RUN_LEN + 7).map(|n| (n as u64 * 7919 % 1_003, n)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|(key, _)| *key);
        let budget = Budget::of(&Call::new());
        sort(&mut items, &budget, &|a, b| a.0.cmp(&b.0)).expect("no deadline");
        assert!(items == expected, "another order than that of the standard library");
    }

    #[test]
    fn a_passed_deadline_stops_it() {
        let budget = Budget::of(&Call::new().with_timeout(Duration::ZERO));
        assert_eq!(sort(&mut vec![2, 1], &budget, &Ord::cmp), Err(Stopped));
    }
}

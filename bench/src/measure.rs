//! Wall time, CPU time and memory of one run, and statistics over many.

use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Cost of one run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) wall_ns: u64,
    /// User and system time of all threads or processes.
    pub(crate) cpu_ns: u64,
    /// Peak memory: of a resident program above its memory before the first request; of a started one,
    /// in total.
    pub(crate) peak_kib: u64,
    /// Memory of a resident program after the request, above its memory before the first one.
    #[serde(default)]
    pub(crate) kept_kib: u64,
}

/// Median and quartiles of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) first_quartile: f64,
    pub(crate) median: f64,
    pub(crate) third_quartile: f64,
}

impl Spread {
    /// Computes the quartiles of at least one number, weighted between two numbers.
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Spread {
        let mut numbers: Vec<f64> = numbers.into_iter().collect();
        numbers.sort_by(f64::total_cmp);
        let last = numbers.len() - 1;
        let at = |quarters: usize| {
            let place = quarters * last;
            let (below, above) = (numbers[place / 4], numbers[(place / 4 + 1).min(last)]);
            below + (above - below) * (place % 4) as f64 / 4.0
        };
        Spread { first_quartile: at(1), median: at(2), third_quartile: at(3) }
    }
}

/// Returns the median of the ratios of neighbouring samples. Unlike the ratio of the medians it does not
/// move when the machine becomes slower for both.
pub(crate) fn median_ratio(ours: &[Sample], theirs: &[Sample], of: fn(&Sample) -> u64) -> f64 {
    let ratios = ours.iter().zip(theirs).map(|(a, b)| of(a) as f64 / of(b).max(1) as f64);
    Spread::of(ratios).median
}

/// Measures time and CPU of `work` done by this process.
pub(crate) fn in_process<T>(work: impl FnOnce() -> T) -> Sample {
    let (cpu, started) = (cpu_ns(), Instant::now());
    let result = work();
    let wall_ns = nanoseconds(started.elapsed());
    let sample = Sample { wall_ns, cpu_ns: cpu_ns() - cpu, ..Sample::default() };
    drop(result);
    sample
}

/// Returns the median of some samples in milliseconds.
pub(crate) fn median_ms(samples: &[Sample], of: fn(&Sample) -> u64) -> f64 {
    Spread::of(samples.iter().map(|sample| of(sample) as f64 / 1e6)).median
}

/// Returns the CPU time that this process has used so far.
pub(crate) fn cpu_ns() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for a write of the struct that the call fills; all zero bytes are a
    // valid value of it, so it is initialised even if the call fails.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    cpu_ns_of(&usage)
}

pub(crate) fn cpu_ns_of(usage: &libc::rusage) -> u64 {
    let time = |time: libc::timeval| {
        time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_usec.unsigned_abs() * 1_000
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

pub(crate) fn nanoseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_nanos()).expect("no sample takes 500 years")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(times: &[u64]) -> Vec<Sample> {
        times.iter().map(|&wall_ns| Sample { wall_ns, ..Sample::default() }).collect()
    }

    #[test]
    fn quartiles_are_weighted_between_neighbours() {
        let of = |numbers: &[f64]| Spread::of(numbers.iter().copied());
        let spread = of(&[5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((spread.first_quartile, spread.median, spread.third_quartile), (2.0, 3.0, 4.0));
        let spread = of(&[1.0, 2.0]);
        assert_eq!(
            (spread.first_quartile, spread.median, spread.third_quartile),
            (1.25, 1.5, 1.75)
        );
        assert_eq!(of(&[7.0]).third_quartile, 7.0);
    }

    #[test]
    fn a_machine_that_becomes_slower_does_not_move_the_ratio() {
        let (ours, theirs) = (samples(&[10, 20, 100]), samples(&[20, 40, 200]));
        assert_eq!(median_ratio(&ours, &theirs, |sample| sample.wall_ns), 0.5);
        assert_eq!(median_ms(&samples(&[1_000_000, 3_000_000]), |sample| sample.wall_ns), 2.0);
    }
}

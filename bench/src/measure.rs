//! Wall and CPU time of something, and what many samples of it say.

use std::time::{Duration, Instant};

/// How long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) wall: Duration,
    /// User and system time of all threads.
    pub(crate) cpu: Duration,
}

/// Measures `work` done by this process.
pub(crate) fn in_process<T>(work: impl FnOnce() -> T) -> Sample {
    sample(libc::RUSAGE_SELF, work)
}

/// Measures `work` done by processes that it starts and waits for.
pub(crate) fn of_children<T>(work: impl FnOnce() -> T) -> Sample {
    sample(libc::RUSAGE_CHILDREN, work)
}

fn sample<T>(who: libc::c_int, work: impl FnOnce() -> T) -> Sample {
    let (cpu, started) = (cpu_time(who), Instant::now());
    let result = work();
    let sample = Sample { wall: started.elapsed(), cpu: cpu_time(who) - cpu };
    drop(result);
    sample
}

/// The sample with the median of each time.
pub(crate) fn median(samples: &[Sample]) -> Sample {
    let middle = |time: fn(&Sample) -> Duration| {
        let mut times: Vec<Duration> = samples.iter().map(time).collect();
        times.sort();
        times[times.len() / 2]
    };
    Sample { wall: middle(|sample| sample.wall), cpu: middle(|sample| sample.cpu) }
}

/// The median of the ratios of samples that were taken next to each other.
pub(crate) fn median_ratio(
    ours: &[Sample],
    theirs: &[Sample],
    time: fn(&Sample) -> Duration,
) -> f64 {
    let pairs = ours.iter().zip(theirs);
    let mut ratios: Vec<f64> =
        pairs.map(|(a, b)| time(a).as_secs_f64() / time(b).as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn cpu_time(who: libc::c_int) -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for a write of the struct that the call fills; all zero bytes are
    // a valid value of it, so it is initialised even if the call should fail.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs())
            + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

//! Measures the delay of a call, without the time in which its thread waited for a processor.

use searchscope::{Call, CancelToken, Result};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

type Reply = Result<Vec<u8>>;

/// The event that ends a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// A deadline in its arguments.
    Itself,
    /// A cancel token.
    Cancelled,
}

/// Delay of a call after its deadline or cancellation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Late {
    /// Delay by the wall clock.
    pub(crate) in_all: Duration,
    /// Delay without the time that the thread waited for a processor after the deadline.
    pub(crate) over: Duration,
}

/// A thread that samples another thread at the time when its call is to end, and cancels the call if
/// requested.
pub(crate) struct Watcher {
    orders: Sender<Order>,
}

struct Order {
    at: Instant,
    token: Option<CancelToken>,
    /// Scheduler statistics of the calling thread.
    account: PathBuf,
    /// Receives the end of the call.
    done: Receiver<()>,
    /// Sends the sample, if the call was still running.
    seen: Sender<Option<Seen>>,
}

struct Seen {
    at: Instant,
    account: Account,
}

impl Watcher {
    pub(crate) fn start() -> Watcher {
        let (orders, receive) = channel::<Order>();
        std::thread::spawn(move || {
            for order in receive {
                let left = order.at.saturating_duration_since(Instant::now());
                let is_over =
                    !matches!(order.done.recv_timeout(left), Err(RecvTimeoutError::Timeout));
                let seen = (!is_over).then(|| {
                    let account = Account::of(&order.account);
                    let at = Instant::now();
                    order.token.iter().for_each(CancelToken::cancel);
                    Seen { at, account }
                });
                order.seen.send(seen).expect("the caller waits for it");
            }
        });
        Watcher { orders }
    }

    /// Makes a call that is to end after some time; returns its delay.
    pub(crate) fn late(
        &self,
        after: Duration,
        ends: Ends,
        call: impl Fn(&Call) -> Reply,
    ) -> (Late, Reply) {
        let token = CancelToken::new();
        let ((say_done, done), (send, seen)) = (channel(), channel());
        let account = account_of_this_thread();
        let deadline = Instant::now() + after;
        let cancelled = (ends == Ends::Cancelled).then(|| token.clone());
        let order =
            Order { at: deadline, token: cancelled, account: account.clone(), done, seen: send };
        self.orders.send(order).expect("the thread runs");
        let reply = call(&Call::new().with_cancel(&token));
        let ended = Instant::now();
        let waited = Account::of(&account).waited;
        // The watcher may have sampled already and stopped receiving.
        let _ = say_done.send(());
        let seen = seen.recv().expect("it answers");
        // The kernel updates a thread's processor time when the thread leaves the processor.
        std::thread::sleep(Duration::from_nanos(1));
        let now = Account { waited, ..Account::of(&account) };
        let due = match ends {
            Ends::Itself => Some(deadline),
            Ends::Cancelled => seen.as_ref().map(|seen| seen.at),
        };
        let in_all = due.map_or(Duration::ZERO, |due| ended.saturating_duration_since(due));
        let waited = seen.map_or(Duration::ZERO, |seen| now.waited_since(&seen, ended));
        (Late { in_all, over: in_all.saturating_sub(waited) }, reply)
    }
}

/// Scheduler statistics of a thread.
struct Account {
    on_processor: Duration,
    /// Time that the thread was runnable without running, in completed waits.
    waited: Duration,
}

impl Account {
    fn of(path: &Path) -> Account {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut fields = text.split_whitespace().map(|field| field.parse().unwrap_or(0));
        let mut next = || Duration::from_nanos(fields.next().unwrap_or(0));
        Account { on_processor: next(), waited: next() }
    }

    /// Returns a lower bound of the time that the thread waited between a sample and the end of its
    /// call. A wait that began before the sample counts as a whole, but the result never exceeds the
    /// time without work.
    fn waited_since(&self, seen: &Seen, ended: Instant) -> Duration {
        let worked = self.on_processor.saturating_sub(seen.account.on_processor);
        let idle = ended.saturating_duration_since(seen.at).saturating_sub(worked);
        self.waited.saturating_sub(seen.account.waited).min(idle)
    }
}

fn account_of_this_thread() -> PathBuf {
    let thread = std::fs::read_link("/proc/thread-self").expect("Linux tells");
    Path::new("/proc").join(thread).join("schedstat")
}

/// Delays of the runs of one kind. Runs that ended by themselves do not count.
#[derive(Default)]
pub(crate) struct Overshoots {
    late: Vec<Duration>,
    n_runs: usize,
}

impl Overshoots {
    pub(crate) fn add(&mut self, over: Duration, was_stopped: bool) {
        self.n_runs += 1;
        if was_stopped || over > Duration::ZERO {
            self.late.push(over);
        }
    }

    /// Returns the number of runs that count.
    pub(crate) fn n_stopped(&self) -> usize {
        self.late.len()
    }

    /// Returns the delay that this fraction of the counted runs does not exceed.
    pub(crate) fn at(&mut self, part: f64) -> Duration {
        self.late.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list of thousands"
        )]
        let at = (self.late.len() as f64 * part).ceil() as usize;
        self.late.get(at.max(1) - 1).copied().unwrap_or_default()
    }

    pub(crate) fn line(&mut self, name: &str) -> String {
        let (n, stopped) = (self.n_runs, self.n_stopped());
        let [p50, p90, p99, p999, p100] =
            [0.5, 0.9, 0.99, 0.999, 1.0].map(|part| self.at(part).as_secs_f64() * 1e3);
        format!(
            "  {name:30} {n:6} runs, {stopped:6} stopped  p50 {p50:6.2}  p90 {p90:6.2}  \
             p99 {p99:6.2}  p99.9 {p999:6.2}  max {p100:6.2} ms"
        )
    }
}

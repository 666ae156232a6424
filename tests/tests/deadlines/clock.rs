//! How late a call returns, less the time in which its thread was kept waiting for a processor.

use searchscope::{CancelToken, Result};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

type Reply = Result<Vec<u8>>;

/// Makes a call that has `timeout`; gives how long after that it returned.
pub(crate) fn overshoot(
    timeout: Duration,
    call: impl Fn(&CancelToken) -> Reply,
) -> (Duration, Reply) {
    let cancel = CancelToken::new();
    let (waited, deadline) = (waited(), Instant::now() + timeout);
    let reply = call(&cancel);
    let late = Instant::now().saturating_duration_since(deadline);
    (late.saturating_sub(waited_since(waited)), reply)
}

/// A thread that cancels calls.
pub(crate) struct Canceller {
    orders: Sender<Order>,
}

struct Order {
    after: Duration,
    token: CancelToken,
    /// Says that the call is over.
    done: Receiver<()>,
    /// Gets when it was cancelled.
    cancelled: Sender<Option<Instant>>,
}

impl Canceller {
    pub(crate) fn start() -> Canceller {
        let (orders, receive) = channel::<Order>();
        std::thread::spawn(move || {
            for order in receive {
                let answer = match order.done.recv_timeout(order.after) {
                    Err(RecvTimeoutError::Timeout) => {
                        let at = Instant::now();
                        order.token.cancel();
                        Some(at)
                    }
                    _ => None,
                };
                order.cancelled.send(answer).expect("the caller waits for it");
            }
        });
        Canceller { orders }
    }

    /// Makes a call that is cancelled after some time; gives how long after that it returned.
    pub(crate) fn overshoot(
        &self,
        after: Duration,
        call: impl Fn(&CancelToken) -> Reply,
    ) -> (Duration, Reply) {
        let token = CancelToken::new();
        let ((say_done, done), (cancelled, when)) = (channel(), channel());
        let order = Order { after, token: token.clone(), done, cancelled };
        let waited = waited();
        self.orders.send(order).expect("the thread runs");
        let reply = call(&token);
        let (ended, waited) = (Instant::now(), waited_since(waited));
        // The thread may have cancelled already, and then listens no more.
        let _ = say_done.send(());
        let at = when.recv().expect("it answers");
        let late = at.map_or(Duration::ZERO, |at| ended.saturating_duration_since(at));
        (late.saturating_sub(waited), reply)
    }
}

/// How long this thread was ready to run and did not.
fn waited() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn waited_since(before: Duration) -> Duration {
    waited().saturating_sub(before)
}

/// How late the runs of one kind were.
#[derive(Default)]
pub(crate) struct Overshoots {
    all: Vec<Duration>,
    n_stopped: usize,
}

impl Overshoots {
    pub(crate) fn add(&mut self, over: Duration, was_stopped: bool) {
        self.all.push(over);
        self.n_stopped += usize::from(was_stopped);
    }

    /// How many runs were ended by their deadline or cancel.
    pub(crate) fn stopped(&self) -> usize {
        self.n_stopped
    }

    /// What so great a part of the runs does not exceed.
    pub(crate) fn at(&mut self, part: f64) -> Duration {
        self.all.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list of thousands"
        )]
        let at = (self.all.len() as f64 * part).ceil() as usize;
        self.all.get(at.max(1) - 1).copied().unwrap_or_default()
    }

    pub(crate) fn line(&mut self, name: &str) -> String {
        let n = self.all.len();
        let stopped = self.n_stopped;
        let [p50, p90, p99, p999, p100] =
            [0.5, 0.9, 0.99, 0.999, 1.0].map(|part| self.at(part).as_secs_f64() * 1e3);
        format!(
            "  {name:24} {n:6} runs, {stopped:6} stopped  p50 {p50:6.2}  p90 {p90:6.2}  \
             p99 {p99:6.2}  p99.9 {p999:6.2}  max {p100:6.2} ms"
        )
    }
}

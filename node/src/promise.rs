//! Promises that threads of the addon settle.
//!
//! Such a promise keeps the process alive until it is settled. Settling it never runs JavaScript on the
//! settling thread: Node is woken and settles the promise in its own loop. If the environment has ended
//! meanwhile, for example because its worker was terminated, settling does nothing.

use crate::call::caught;
use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Env, JsDeferred};

type Resolver<T> = Box<dyn FnOnce(Env) -> napi::Result<T> + Send>;

/// The native side of a promise.
pub(crate) struct Deferred<T: ToNapiValue + Send + 'static>(JsDeferred<T, Resolver<T>>);

impl<T: ToNapiValue + Send + 'static> Deferred<T> {
    /// Creates a promise, with its native side.
    pub(crate) fn new(env: &Env) -> napi::Result<(Deferred<T>, Object<'_>)> {
        let (deferred, promise) = env.create_deferred()?;
        Ok((Deferred(deferred), promise))
    }

    /// Resolves the promise, from any thread.
    pub(crate) fn resolve(self, value: T) {
        // A panic of napi must not end the thread: it would lose the calls that wait for it.
        caught(move || self.0.resolve(Box::new(|_| Ok(value))), || ());
    }
}

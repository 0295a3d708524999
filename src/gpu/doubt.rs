//! Errors that a device has not reported yet.
//!
//! An error scope tells whether an act on the device went well. Natively it tells at once, so no doubt is left. A
//! browser tells later, through its event loop: until then a step's answer is in doubt, and its ticket keeps it back.

use std::task::{Context, Poll};

use super::later::Later;
use crate::ground::error::{Error, Result};

/// The acts whose error scopes have not told yet.
#[derive(Default)]
pub(super) struct Doubts(Vec<Doubt>);

/// An act whose error scopes have not told yet.
struct Doubt {
    /// The shader that the act compiles, if any.
    shader: Option<&'static str>,
    scopes: Vec<Later<Option<wgpu::Error>>>,
    errors: Vec<wgpu::Error>,
}

impl Doubts {
    /// Adds an act with its error scopes, the innermost first.
    pub(super) fn add(&mut self, shader: Option<&'static str>, scopes: Vec<Later<Option<wgpu::Error>>>) {
        self.0.push(Doubt { shader, scopes, errors: Vec::new() });
    }

    /// Adds those of another list.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the error of the first act that had one, or that all went well; pending while a scope has not told.
    /// `error_of` is [`Gpu::error_of`](super::device::Gpu::error_of).
    pub(super) fn poll(
        &mut self,
        error_of: impl Fn(Option<&'static str>, &[wgpu::Error]) -> Option<Error>,
        context: &mut Context<'_>,
    ) -> Poll<Result<()>> {
        while let Some(doubt) = self.0.first_mut() {
            while let Some(scope) = doubt.scopes.first_mut() {
                let Poll::Ready(error) = scope.as_mut().poll(context) else { return Poll::Pending };
                doubt.errors.extend(error);
                drop(doubt.scopes.remove(0));
            }
            let doubt = self.0.remove(0);
            if let Some(error) = error_of(doubt.shader, &doubt.errors) {
                self.0.clear();
                return Poll::Ready(Err(error));
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl std::fmt::Debug for Doubts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Doubts").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::task::Waker;

    use super::*;
    use crate::gpu::device;
    use crate::gpu::options::Options;

    fn error(text: &str) -> wgpu::Error {
        wgpu::Error::Validation { source: text.into(), description: text.into() }
    }

    /// Scopes that tell later stand in for those of a browser.
    #[test]
    fn an_error_that_comes_later_is_the_acts_own() {
        let gpu = device::open(&Options::default()).expect("a GPU; `./test --setup` installs one in software");
        let mut context = Context::from_waker(Waker::noop());
        let mut doubts = Doubts::default();
        assert!(matches!(
            doubts.poll(|shader, errors| gpu.error_of(shader, errors), &mut context),
            Poll::Ready(Ok(()))
        ));
        doubts.add(None, vec![Box::pin(ready(None)), Box::pin(ready(None))]);
        assert!(matches!(
            doubts.poll(|shader, errors| gpu.error_of(shader, errors), &mut context),
            Poll::Ready(Ok(()))
        ));
        doubts.add(None, vec![Box::pin(ready(Some(error("the sieve broke")))), Box::pin(pending())]);
        assert!(
            doubts.poll(|shader, errors| gpu.error_of(shader, errors), &mut context).is_pending(),
            "the other scope may tell of a cause"
        );

        let mut doubts = Doubts::default();
        doubts.add(None, vec![Box::pin(ready(None))]);
        let mut more = Doubts::default();
        more.add(Some("sieve"), vec![Box::pin(ready(Some(error("it broke")))), Box::pin(ready(None))]);
        doubts.extend(more);
        let Poll::Ready(Err(Error::Gpu { problem })) =
            doubts.poll(|shader, errors| gpu.error_of(shader, errors), &mut context)
        else {
            panic!("an error");
        };
        assert_eq!(problem, "the driver refused the shader `sieve`: it broke");
        assert!(
            matches!(doubts.poll(|shader, errors| gpu.error_of(shader, errors), &mut context), Poll::Ready(Ok(()))),
            "it is told once"
        );
    }
}

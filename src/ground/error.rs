//! The error type of the library: what was wrong, with which shape or body, where, and the limit.

use std::path::PathBuf;

use super::handle::BodyId;

/// The error of every fallible call, with enough detail to find its cause: the thing, the field, the value, the limit.
///
/// An error changes nothing: the call that returned it had no effect on a world. An answer that an engine was filling
/// is unchanged or empty.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number outside its range, NaN or infinite.
    #[error("`{field}` is {value}; it must {limit}")]
    Value {
        /// The field, as in a scene file: `at.x`, `radius`, `matrix`.
        field: String,
        /// The value passed in.
        value: String,
        /// The requirement, with the limit: "lie within ±2097151.996 units".
        limit: String,
    },
    /// A shape without area: a zero box, collinear points, a capsule with neither length nor radius.
    #[error("{what} has no area")]
    NoArea {
        /// The thing without area: "the box", "the outline", "hole 2".
        what: String,
    },
    /// Two edges of a polygon cross or overlap.
    #[error("{first} and {second} cross or overlap, near ({x}, {y})", x = near[0], y = near[1])]
    Crossing {
        /// The first edge: "edge 0 of the outline, from (0, 0) to (4, 4),".
        first: String,
        /// The second edge.
        second: String,
        /// A point of the crossing, in units.
        near: [f64; 2],
    },
    /// An invalid polygon: a hole outside its outline, holes within each other, a radius on a concave outline.
    #[error("{problem}")]
    Polygon {
        /// The problem.
        problem: String,
    },
    /// A mask that cannot be made.
    #[error("{problem}")]
    Mask {
        /// The problem, with the limit.
        problem: String,
    },
    /// An error within a named shape or body.
    #[error("{subject}: {source}")]
    In {
        /// The shape or body: "shape `rock`", "body 3 (`player`)".
        subject: String,
        /// The body, if it is in a world: one that could not be added is not.
        body: Option<BodyId>,
        /// The error of the shape or body.
        source: Box<Error>,
    },
    /// A file that cannot be read.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The problem, with line and column if known.
        problem: String,
    },
    /// A handle or name that refers to nothing here.
    #[error("there is no {what}")]
    Unknown {
        /// The missing thing: "shape 7", "body 12".
        what: String,
    },
    /// A handle to something removed, or from another world.
    #[error("{what} was removed, or belongs to another world")]
    Gone {
        /// The thing that the handle referred to: "body 7", "shape 2".
        what: String,
    },
    /// A shape that cannot be removed because bodies use it.
    #[error("{what} is used by {bodies} bodies; remove them first, or give them another shape")]
    Used {
        /// The shape: "shape 2".
        what: String,
        /// The number of bodies that use it.
        bodies: u32,
    },
    /// No GPU, or one that refused a request.
    #[error("GPU: {problem}")]
    Gpu {
        /// The problem, and what to do.
        problem: String,
    },
    /// A lost GPU: unplugged, reset, or its device destroyed. All later calls on it fail the same way; see
    /// [`Engine::rebuild`](crate::Engine::rebuild).
    #[error("GPU: the device is lost; rebuild the engine, or use the CPU engine ({problem})")]
    GpuLost {
        /// The driver's message.
        problem: String,
    },
    /// A GPU without enough memory for a step. The engine continues with what fits.
    #[error("GPU: out of memory; free some, or use the CPU engine ({problem})")]
    GpuMemory {
        /// The driver's message.
        problem: String,
    },
    /// A GPU that computes wrong results, so no engine runs on it.
    #[error(
        "GPU: {gpu} computes wrong results: `{function}` of {input:?} is {right:#x}, but it returned {found:#x}; \
         use another driver or GPU, or the CPU engine"
    )]
    GpuWrong {
        /// The GPU.
        gpu: String,
        /// The shader function that failed.
        function: &'static str,
        /// The input words.
        input: Vec<i32>,
        /// The bits that it returned.
        found: u128,
        /// The correct bits.
        right: u128,
    },
    /// A call that waits for the GPU, in a browser: there it would stop the page for ever.
    #[error("`{call}` would stop the page for ever: use `{instead}`")]
    Blocking {
        /// The call, such as `gpu::Engine::run`.
        call: &'static str,
        /// The call to use in a browser.
        instead: &'static str,
    },
    /// A saved file that cannot be loaded: damaged, of an unknown version, of another kind, or of other shapes.
    #[error("saved file: {problem}")]
    Saved {
        /// The problem, with the byte at which it lies if there is one.
        problem: String,
    },
    /// More than the device can hold.
    #[error("{what} needs {needed} bytes, but {limit} of this device is {available}: {advice}")]
    Capacity {
        /// The thing that did not fit.
        what: String,
        /// The bytes needed.
        needed: u64,
        /// The name of the limit.
        limit: &'static str,
        /// The bytes available.
        available: u64,
        /// Advice on what to do.
        advice: &'static str,
    },
}

/// The library's result type.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Makes an [`Error::Value`].
    pub(crate) fn value(field: impl Into<String>, value: impl std::fmt::Display, limit: impl Into<String>) -> Self {
        Self::Value { field: field.into(), value: value.to_string(), limit: limit.into() }
    }

    /// Returns an [`Error::Blocking`] in a browser.
    #[cfg(feature = "gpu")]
    pub(crate) fn unless_native(call: &'static str, instead: &'static str) -> Result<()> {
        if cfg!(target_family = "wasm") { Err(Self::Blocking { call, instead }) } else { Ok(()) }
    }

    /// Wraps this error with the name of its `subject`.
    #[must_use]
    pub fn of(self, subject: impl Into<String>) -> Self {
        Self::In { subject: subject.into(), body: None, source: Box::new(self) }
    }

    /// Wraps this error with the name of its `subject` and the body that it is.
    #[must_use]
    pub(crate) fn at(self, subject: impl Into<String>, body: Option<BodyId>) -> Self {
        Self::In { subject: subject.into(), body, source: Box::new(self) }
    }

    /// Returns the body of the world that the error is about; `None` if it is about none.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let runaway = world.add(&Body::new(ball, [2_097_000, 0]).moving([100, 0]))?;
    /// while let Err(error) = world.advance() {
    ///     assert_eq!(error.body(), Some(runaway)); // it has reached the end of the world
    ///     let Some(body) = error.body() else { return Err(error) };
    ///     world.remove(body)?;
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        let Self::In { body, source, .. } = self else { return None };
        body.or_else(|| source.body())
    }
}

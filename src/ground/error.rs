//! The one error of the library: what was wrong, of which shape or body, where, and the limit.

use std::path::PathBuf;

/// What went wrong, named so that its cause can be found: the thing, the field, the value, the limit.
///
/// An error changes nothing: the call that returned it had no effect on a world. An answer that an engine was filling
/// is as it was, or empty.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number outside its range, NaN or infinite.
    #[error("`{field}` is {value}; it must {limit}")]
    Value {
        /// The field, as in a scene file: `at.x`, `radius`, `matrix`.
        field: String,
        /// The value that was given.
        value: String,
        /// What it must do, with the limit: "lie within ±2097151.996 units".
        limit: String,
    },
    /// A shape that has no area: a zero box, collinear points, a capsule of radius 0.
    #[error("{what} has no area")]
    NoArea {
        /// What has no area: "the box", "the outline", "hole 2".
        what: String,
    },
    /// Two edges of a polygon cross or overlap.
    #[error("{first} and {second} cross or overlap, near ({x}, {y})", x = near[0], y = near[1])]
    Crossing {
        /// The one edge: "edge 0 of the outline, from (0, 0) to (4, 4),".
        first: String,
        /// The other edge.
        second: String,
        /// A point of the crossing, in units.
        near: [f64; 2],
    },
    /// A polygon that is not one: a hole outside its outline, holes within each other, a radius on a concave outline.
    #[error("{problem}")]
    Polygon {
        /// What is wrong with it.
        problem: String,
    },
    /// A mask that cannot be made.
    #[error("{problem}")]
    Mask {
        /// What is wrong, with the limit.
        problem: String,
    },
    /// An error within a named shape or body.
    #[error("{subject}: {source}")]
    In {
        /// The shape or body: "shape `rock`", "body 3 (`player`)".
        subject: String,
        /// What was wrong with it.
        source: Box<Error>,
    },
    /// A file that cannot be read.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where there are such.
        problem: String,
    },
    /// A handle or name that stands for nothing here.
    #[error("there is no {what}")]
    Unknown {
        /// What there is not: "shape 7", "body 12".
        what: String,
    },
    /// A handle of what was removed, or is another world's.
    #[error("{what} is gone, or of another world")]
    Gone {
        /// What the handle stood for: "body 7", "shape 2".
        what: String,
    },
    /// A shape that cannot be removed, because bodies have it.
    #[error("{what} is used by {bodies} bodies; remove these first, or give them another shape")]
    Used {
        /// The shape: "shape 2".
        what: String,
        /// How many bodies have it.
        bodies: u32,
    },
    /// No GPU, or one that refused.
    #[error("GPU: {problem}")]
    Gpu {
        /// What happened, and what to do.
        problem: String,
    },
    /// A GPU that is lost: unplugged, reset, or its device destroyed. All later calls on it end so; see
    /// [`Engine::rebuild`](crate::Engine::rebuild).
    #[error("GPU: the device is lost; rebuild the engine, or take the CPU engine ({problem})")]
    GpuLost {
        /// What the driver says.
        problem: String,
    },
    /// A GPU without memory for what a step needs. The engine goes on with what fits.
    #[error("GPU: it has no memory left; free some, or take the CPU engine ({problem})")]
    GpuMemory {
        /// What the driver says.
        problem: String,
    },
    /// A GPU that computes wrongly, so that no engine works on it.
    #[error(
        "GPU: {gpu} computes wrongly: `{function}` of {input:?} is {right:#x}, and it says {found:#x}; take another \
         driver or GPU, or the CPU engine"
    )]
    GpuWrong {
        /// The GPU.
        gpu: String,
        /// The function of its shaders.
        function: &'static str,
        /// The words that it was given.
        input: Vec<i32>,
        /// The bits that it gave.
        found: u128,
        /// The bits that are right.
        right: u128,
    },
    /// More than the device can hold.
    #[error("{what} needs {needed} bytes, and {limit} of this device is {available}: {advice}")]
    Capacity {
        /// What did not fit.
        what: String,
        /// Bytes that it takes.
        needed: u64,
        /// The name of the limit.
        limit: &'static str,
        /// Bytes that there are.
        available: u64,
        /// What to do about it.
        advice: &'static str,
    },
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A [`Error::Value`].
    pub(crate) fn value(field: impl Into<String>, value: impl std::fmt::Display, limit: impl Into<String>) -> Self {
        Self::Value { field: field.into(), value: value.to_string(), limit: limit.into() }
    }

    /// This error, of `subject`.
    #[must_use]
    pub fn of(self, subject: impl Into<String>) -> Self {
        Self::In { subject: subject.into(), source: Box::new(self) }
    }
}

//! Rows of structured arrays, with the layouts of `hitmask/_dtypes.py`.

use bytemuck::{Pod, Zeroable};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// A row of a structured array.
pub(crate) trait Row: Pod {
    /// The name of its dtype in `hitmask._dtypes`.
    const DTYPE: &'static str;
}

/// A handle of a body or of a shape.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct Handle([u32; 3]);

impl Handle {
    /// Returns the handle as the number of `to_bits`.
    pub(crate) fn bits(self) -> u128 {
        let [index, low, high] = self.0.map(u32::from_le).map(u128::from);
        index | low << 32 | high << 64
    }

    /// Makes the handle of the number of `to_bits`.
    pub(crate) fn of_bits(bits: u128) -> Self {
        Self([bits as u32, (bits >> 32) as u32, (bits >> 64) as u32].map(u32::to_le))
    }
}

impl From<hitmask::BodyId> for Handle {
    fn from(id: hitmask::BodyId) -> Self {
        Self::of_bits(id.to_bits())
    }
}

impl From<hitmask::ShapeId> for Handle {
    fn from(id: hitmask::ShapeId) -> Self {
        Self::of_bits(id.to_bits())
    }
}

/// The details of a pair.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct Detail {
    tick: u32,
    moving: u8,
    unused: [u8; 3],
    area: i64,
    bounds: [i32; 4],
    first: [i32; 2],
    sums: [i64; 2],
}

impl From<&hitmask::Detail> for Detail {
    fn from(detail: &hitmask::Detail) -> Self {
        let overlap = detail.overlap.unwrap_or_default();
        Self {
            tick: detail.tick(),
            moving: u8::from(detail.time.is_some()),
            unused: [0; 3],
            area: detail.area.map_or(-1, |area| area as i64),
            bounds: overlap.bounds,
            first: overlap.first,
            sums: overlap.sums,
        }
    }
}

/// An answer to a ray.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct RayHit {
    pub(crate) body: Handle,
    pub(crate) tick: u32,
}

/// An answer to a query for the nearest bodies.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct NearestHit {
    pub(crate) body: Handle,
    pub(crate) unused: u32,
    pub(crate) distance: f64,
}

/// An answer to a body.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct BodyHit {
    pub(crate) body: Handle,
    pub(crate) unused: u32,
    pub(crate) detail: Detail,
}

/// A pair that began or stayed.
#[repr(C, packed)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct Event {
    pub(crate) pair: [Handle; 2],
    pub(crate) tags: [u64; 2],
    pub(crate) hit: u64,
}

/// A pair that ended.
#[repr(C, packed)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct TaggedPair {
    pub(crate) pair: [Handle; 2],
    pub(crate) tags: [u64; 2],
}

/// A way out of a hit.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct Contact {
    pub(crate) normal: [f64; 2],
    pub(crate) depth: f64,
    pub(crate) push: [f64; 2],
}

/// Two masks of images that overlap.
#[repr(C, packed)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct Overlap {
    pair: [u32; 2],
    intersection: u32,
    iou: f64,
}

impl From<&crate::coco::Overlap> for Overlap {
    fn from(&crate::coco::Overlap { i, j, shared, ratio }: &crate::coco::Overlap) -> Self {
        Self { pair: [i, j], intersection: shared, iou: ratio }
    }
}

macro_rules! rows {
    ($($row:ty => $dtype:literal;)*) => {
        $(impl Row for $row {
            const DTYPE: &'static str = $dtype;
        })*
    };
}

rows! {
    Handle => "BODY_ID";
    Detail => "DETAIL";
    RayHit => "RAY_HIT";
    NearestHit => "NEAREST_HIT";
    BodyHit => "BODY_HIT";
    Event => "EVENT";
    TaggedPair => "TAGGED_PAIR";
    Contact => "CONTACT";
    Overlap => "OVERLAP";
}

/// Makes a structured array.
pub(crate) fn array<'py, R: Row>(py: Python<'py>, rows: &[R]) -> PyResult<Bound<'py, PyAny>> {
    PyArray1::<u8>::from_slice(py, bytemuck::cast_slice(rows)).call_method1("view", (dtype::<R>(py)?,))
}

/// Makes a structured array of the words of its rows, which are not copied.
pub(crate) fn array_of_words<R: Row>(py: Python<'_>, words: Vec<u64>) -> PyResult<Bound<'_, PyAny>> {
    PyArray1::from_vec(py, words).call_method1("view", (dtype::<R>(py)?,))
}

/// Returns the dtype of a row.
fn dtype<R: Row>(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("hitmask._dtypes")?.getattr(R::DTYPE)
}

/// Makes an array of shape (n, N) of numbers.
pub(crate) fn table<'py, T: numpy::Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: &[[T; N]],
) -> PyResult<Bound<'py, PyAny>> {
    let flat = PyArray1::<T>::from_slice(py, rows.as_flattened());
    Ok(flat.reshape([rows.len(), N])?.into_any())
}

/// Forbids writing to an array that several callers share.
pub(crate) fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

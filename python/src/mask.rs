//! Masks of solid texels.

use std::sync::{Arc, PoisonError, RwLock, TryLockError};

use hitmask::mask::MAX_SIDE;
use hitmask_python_documented::documented;
use numpy::PyArray1;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::array::{points, vector};
use crate::error::{OrRaise, exception, refusal};
use crate::structured::table;

/// A box `[x, y, width, height]` of texels.
pub(crate) type Area = (u32, u32, u32, u32);

#[documented]
#[pyclass(frozen, module = "hitmask", weakref)]
pub(crate) struct Mask(RwLock<Arc<hitmask::Mask>>);

impl Mask {
    pub(crate) fn new_of(mask: hitmask::Mask) -> Self {
        Self::shared(Arc::new(mask))
    }

    pub(crate) fn shared(mask: Arc<hitmask::Mask>) -> Self {
        Self(RwLock::new(mask))
    }

    /// Returns the mask as it is now; later edits copy it first.
    pub(crate) fn now(&self, py: Python<'_>) -> Arc<hitmask::Mask> {
        match self.0.try_read() {
            Ok(mask) => mask.clone(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().clone(),
            // Another thread edits it, which may take long, so others get the interpreter meanwhile.
            Err(TryLockError::WouldBlock) => {
                py.detach(|| self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
            }
        }
    }

    /// Edits the mask.
    fn edit<R: Send>(&self, py: Python<'_>, edit: impl FnOnce(&mut hitmask::Mask) -> R + Send) -> R {
        py.detach(|| edit(Arc::make_mut(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))))
    }

    /// Reads the mask without the interpreter.
    fn read<R: Send>(&self, py: Python<'_>, read: impl FnOnce(&hitmask::Mask) -> R + Send) -> R {
        let mask = self.now(py);
        py.detach(|| read(&mask))
    }
}

/// Reads the size of a mask. The library's sizes are `u32`, so its error could not show the caller's value.
pub(crate) fn size(py: Python<'_>, width: i64, height: i64) -> PyResult<[u32; 2]> {
    let sides = 1..=i64::from(MAX_SIDE);
    if sides.contains(&width) && sides.contains(&height) {
        return Ok([width, height].map(|side| side as u32));
    }
    let problem = format!("a mask cannot have {width} x {height} texels; each side must have 1 to {MAX_SIDE}");
    Err(exception(py, hitmask::Error::Mask { problem }))
}

/// Returns a box as Python has it.
pub(crate) fn area([x, y, width, height]: [u32; 4]) -> Area {
    (x, y, width, height)
}

/// Reads which texels adjoin each other: the 4 beside one, or all 8 around it.
pub(crate) fn neighbours(py: Python<'_>, value: u32) -> PyResult<hitmask::mask::Neighbours> {
    match value {
        4 => Ok(hitmask::mask::Neighbours::Four),
        8 => Ok(hitmask::mask::Neighbours::Eight),
        _ => Err(refusal(py, "neighbours", value, "be 4 or 8")),
    }
}

#[documented]
#[pymethods]
impl Mask {
    #[new]
    #[pyo3(signature = (width, height, fill=false))]
    fn new(py: Python<'_>, width: i64, height: i64, fill: bool) -> PyResult<Self> {
        let [width, height] = size(py, width, height)?;
        let mut mask = hitmask::Mask::new(width, height).or_raise(py)?;
        if fill {
            mask.fill();
        }
        Ok(Self::new_of(mask))
    }

    #[staticmethod]
    fn from_rows(py: Python<'_>, rows: Vec<String>) -> PyResult<Self> {
        hitmask::Mask::from_rows(&rows).or_raise(py).map(Self::new_of)
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, width: u32, height: u32, bits: &[u8]) -> PyResult<Self> {
        let mut mask = hitmask::Mask::new(width, height).or_raise(py)?;
        let stride = width.div_ceil(8) as usize;
        if bits.len() != stride * height as usize {
            let right = format!("have {} bytes, {stride} for each row", stride * height as usize);
            return Err(refusal(py, "bits", format!("{} bytes", bits.len()), &right));
        }
        // Runs of set bits are few, even in large masks.
        for (y, row) in bits.chunks_exact(stride).enumerate() {
            let is_set = |x: u32| row[x as usize / 8] >> (x % 8) & 1 == 1;
            let mut x = 0;
            while x < width {
                let start = x;
                while x < width && is_set(x) {
                    x += 1;
                }
                if x > start {
                    mask.draw_rect([start as i32, y as i32, (x - start) as i32, 1]);
                }
                x += 1;
            }
        }
        Ok(Self::new_of(mask))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = self.read(py, |mask| {
            let stride = mask.width().div_ceil(8) as usize;
            let row = |y| mask.row(y).iter().flat_map(|word| word.to_le_bytes()).take(stride);
            (0..mask.height()).flat_map(row).collect::<Vec<u8>>()
        });
        PyBytes::new(py, &bytes)
    }

    fn to_rows(&self, py: Python<'_>) -> Vec<String> {
        self.read(py, hitmask::Mask::to_rows)
    }

    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mask = self.now(py);
        let texels = py.detach(|| mask.to_alpha().iter().map(|alpha| *alpha != 0).collect::<Vec<bool>>());
        PyArray1::from_vec(py, texels).call_method1("reshape", ((mask.height(), mask.width()),))
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mask = self.now(py);
        let texels = py.detach(|| mask.to_alpha().iter().map(|alpha| alpha & 1).collect::<Vec<u8>>());
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (mask.height(), mask.width()))?;
        interface.set_item("typestr", "|b1")?;
        interface.set_item("data", PyBytes::new(py, &texels))?;
        Ok(interface)
    }

    #[getter]
    fn width(&self, py: Python<'_>) -> u32 {
        self.now(py).width()
    }

    #[getter]
    fn height(&self, py: Python<'_>) -> u32 {
        self.now(py).height()
    }

    #[getter]
    fn size(&self, py: Python<'_>) -> (u32, u32) {
        self.now(py).size().into()
    }

    fn get(&self, py: Python<'_>, x: i64, y: i64) -> bool {
        matches!([x, y].map(u32::try_from), [Ok(x), Ok(y)] if self.now(py).get(x, y))
    }

    #[pyo3(signature = (x, y, solid=true))]
    fn set(&self, py: Python<'_>, x: i64, y: i64, solid: bool) -> PyResult<()> {
        let [Ok(column), Ok(row)] = [x, y].map(u32::try_from) else {
            let [width, height] = self.now(py).size();
            let right = format!("lie within the mask, {width} x {height} texels");
            return Err(refusal(py, "texel", format!("({x}, {y})"), &right));
        };
        self.edit(py, |mask| mask.set(column, row, solid)).or_raise(py)
    }

    fn fill(&self, py: Python<'_>) -> Option<Area> {
        self.edit(py, hitmask::Mask::fill).map(area)
    }

    fn clear(&self, py: Python<'_>) -> Option<Area> {
        self.edit(py, hitmask::Mask::clear).map(area)
    }

    fn invert(&self, py: Python<'_>) -> Option<Area> {
        self.edit(py, hitmask::Mask::invert).map(area)
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn draw(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Option<Area> {
        let other = other.now(py);
        self.edit(py, |mask| mask.draw(&other, offset)).map(area)
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn erase(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Option<Area> {
        let other = other.now(py);
        self.edit(py, |mask| mask.erase(&other, offset)).map(area)
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn intersect(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Option<Area> {
        let other = other.now(py);
        self.edit(py, |mask| mask.intersect(&other, offset)).map(area)
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn xor(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Option<Area> {
        let other = other.now(py);
        self.edit(py, |mask| mask.xor(&other, offset)).map(area)
    }

    fn draw_rect(&self, py: Python<'_>, rectangle: [i32; 4]) -> Option<Area> {
        self.edit(py, |mask| mask.draw_rect(rectangle)).map(area)
    }

    fn erase_rect(&self, py: Python<'_>, rectangle: [i32; 4]) -> Option<Area> {
        self.edit(py, |mask| mask.erase_rect(rectangle)).map(area)
    }

    fn draw_disc(&self, py: Python<'_>, centre: &Bound<'_, PyAny>, radius: f64) -> PyResult<Option<Area>> {
        let centre = vector(centre, "centre")?;
        Ok(self.edit(py, |mask| mask.draw_disc(centre, radius)).or_raise(py)?.map(area))
    }

    fn erase_disc(&self, py: Python<'_>, centre: &Bound<'_, PyAny>, radius: f64) -> PyResult<Option<Area>> {
        let centre = vector(centre, "centre")?;
        Ok(self.edit(py, |mask| mask.erase_disc(centre, radius)).or_raise(py)?.map(area))
    }

    fn draw_polygon(&self, py: Python<'_>, outline: &Bound<'_, PyAny>) -> PyResult<Option<Area>> {
        let outline = points(outline, "outline")?;
        Ok(self.edit(py, |mask| mask.draw_polygon(&outline)).or_raise(py)?.map(area))
    }

    fn erase_polygon(&self, py: Python<'_>, outline: &Bound<'_, PyAny>) -> PyResult<Option<Area>> {
        let outline = points(outline, "outline")?;
        Ok(self.edit(py, |mask| mask.erase_polygon(&outline)).or_raise(py)?.map(area))
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn overlaps(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> bool {
        let other = other.now(py);
        self.read(py, |mask| mask.overlaps(&other, offset))
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn first_overlap(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Option<(u32, u32)> {
        let other = other.now(py);
        self.read(py, |mask| mask.first_overlap(&other, offset)).map(Into::into)
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn overlap_area(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> u64 {
        let other = other.now(py);
        self.read(py, |mask| mask.overlap_area(&other, offset))
    }

    #[pyo3(signature = (other, offset=[0, 0]))]
    fn overlap(&self, py: Python<'_>, other: &Self, offset: [i32; 2]) -> Self {
        let other = other.now(py);
        Self::new_of(self.read(py, |mask| mask.overlap(&other, offset)))
    }

    fn overlap_offsets(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let other = other.now(py);
        self.read(py, |mask| mask.overlap_offsets(&other)).or_raise(py).map(Self::new_of)
    }

    fn count(&self, py: Python<'_>) -> u64 {
        self.read(py, hitmask::Mask::count)
    }

    fn count_in(&self, py: Python<'_>, rectangle: [i32; 4]) -> u64 {
        self.read(py, |mask| mask.count_in(rectangle))
    }

    fn bounds(&self, py: Python<'_>) -> Option<Area> {
        self.read(py, hitmask::Mask::bounds).map(area)
    }

    fn centroid(&self, py: Python<'_>) -> Option<(f64, f64)> {
        self.read(py, hitmask::Mask::centroid).map(Into::into)
    }

    fn angle(&self, py: Python<'_>) -> Option<f64> {
        self.read(py, hitmask::Mask::angle)
    }

    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        table(py, &self.read(py, hitmask::Mask::outline))
    }

    #[pyo3(signature = (tolerance=0.0))]
    fn polygons<'py>(
        &self,
        py: Python<'py>,
        tolerance: f64,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>)>> {
        let found = self.read(py, |mask| match tolerance {
            0.0 => Ok(mask.polygons()),
            _ => mask.polygons_within(tolerance),
        });
        let polygon = |polygon: &hitmask::mask::Polygon| {
            let holes = polygon.holes.iter().map(|hole| table(py, hole)).collect::<PyResult<_>>()?;
            Ok((table(py, &polygon.outline)?, holes))
        };
        found.or_raise(py)?.iter().map(polygon).collect()
    }

    #[pyo3(signature = (neighbours=8))]
    fn bounding_boxes<'py>(&self, py: Python<'py>, neighbours: u32) -> PyResult<Bound<'py, PyAny>> {
        let neighbours = self::neighbours(py, neighbours)?;
        table(py, &self.read(py, |mask| mask.bounding_boxes(neighbours)))
    }

    #[pyo3(signature = (neighbours=8))]
    fn components(&self, py: Python<'_>, neighbours: u32) -> PyResult<Vec<(Self, (u32, u32))>> {
        let neighbours = self::neighbours(py, neighbours)?;
        let found = self.read(py, |mask| {
            let components = mask.components(neighbours);
            components.iter().map(|component| (component.mask(), component.bounds())).collect::<Vec<_>>()
        });
        Ok(found.into_iter().map(|(mask, [x, y, ..])| (Self::new_of(mask), (x, y))).collect())
    }

    fn scaled(&self, py: Python<'_>, width: i64, height: i64) -> PyResult<Self> {
        let [width, height] = size(py, width, height)?;
        self.read(py, |mask| mask.scaled(width, height)).or_raise(py).map(Self::new_of)
    }

    #[pyo3(signature = (*, x=false, y=false))]
    fn flipped(&self, py: Python<'_>, x: bool, y: bool) -> Self {
        Self::new_of(self.read(py, |mask| mask.flipped(hitmask::geometry::Flip { x, y })))
    }

    fn cropped(&self, py: Python<'_>, rectangle: [i32; 4]) -> PyResult<Self> {
        self.read(py, |mask| mask.cropped(rectangle)).or_raise(py).map(Self::new_of)
    }

    fn rotated(&self, py: Python<'_>, degrees: f64) -> PyResult<Self> {
        self.read(py, |mask| mask.rotated(degrees)).or_raise(py).map(Self::new_of)
    }

    fn grown(&self, py: Python<'_>, radius: f64) -> PyResult<Self> {
        self.read(py, |mask| mask.grown(radius)).or_raise(py).map(Self::new_of)
    }

    fn shrunk(&self, py: Python<'_>, radius: f64) -> PyResult<Self> {
        self.read(py, |mask| mask.shrunk(radius)).or_raise(py).map(Self::new_of)
    }

    fn copy(&self, py: Python<'_>) -> Self {
        Self::shared(self.now(py))
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let other = other.get().now(py);
        let equal = self.read(py, |mask| mask.size() == other.size() && mask.words() == other.words());
        match op {
            CompareOp::Eq | CompareOp::Ne => {
                Ok((equal == matches!(op, CompareOp::Eq)).into_pyobject(py)?.to_owned().into_any().unbind())
            }
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let mask = self.now(py);
        format!("<hitmask.Mask of {} x {} texels>", mask.width(), mask.height())
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.to_rows(py).join("\n")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (u32, u32, Bound<'py, PyBytes>))> {
        let py = slf.py();
        let [width, height] = slf.get().now(py).size();
        Ok((slf.get_type().getattr("from_bytes")?, (width, height, slf.get().to_bytes(py))))
    }
}

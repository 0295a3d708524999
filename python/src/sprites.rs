//! Sprites of pygame: their boxes are compared here, and pygame's own rectangles and masks decide.

use std::collections::HashMap;

use pyo3::exceptions::{PyAttributeError, PyMemoryError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySequence, PyType};

use crate::grid::{Span, meeting};

/// The boxes of some sprites, and what decides about them.
struct Sprites<'py> {
    spans: Vec<Span>,
    /// The rectangle of each sprite.
    rects: Vec<Bound<'py, PyAny>>,
    /// The mask of each sprite; empty if rectangles decide.
    masks: Vec<Bound<'py, PyAny>>,
    /// True for each sprite whose span is exactly its rectangle, because that has whole numbers.
    exact: Vec<bool>,
    /// The corner of each rectangle.
    corners: Vec<[f64; 2]>,
}

/// The rule by which two sprites collide, and the types of pygame that it needs.
struct Rules<'a, 'py> {
    rect_type: &'a Bound<'py, PyAny>,
    /// The property `rect` of `pygame.sprite.Sprite`.
    rect_property: &'a Bound<'py, PyAny>,
    /// Returns the mask of an image; `None` if rectangles decide.
    mask_of: Option<&'a Bound<'py, PyAny>>,
}

/// Reads a number of a rectangle.
#[allow(unsafe_code, reason = "an object of pygame says that it is a sequence only by its slots")]
fn side(rect: &Bound<'_, PyAny>, index: usize) -> PyResult<f64> {
    // SAFETY: `PySequence_GetItem`, the one function called here, takes any object, and raises for what is no sequence.
    let value = unsafe { rect.cast_unchecked::<PySequence>() }.get_item(index)?;
    value.extract::<i32>().map(f64::from).or_else(|_| value.extract())
}

/// The classes of sprites seen so far, by address, and whether they keep their rectangle as pygame's class does.
type Classes = HashMap<usize, bool>;

/// Returns the rectangle of a sprite: past pygame's property, which is a function in Python, if the class has that.
fn rect_of<'py>(
    sprite: &Bound<'py, PyAny>,
    rules: &Rules<'_, 'py>,
    classes: &mut Classes,
) -> PyResult<Bound<'py, PyAny>> {
    let py = sprite.py();
    let class: Bound<'py, PyType> = sprite.get_type();
    let address = class.as_ptr() as usize;
    let plain = if let Some(plain) = classes.get(&address) {
        *plain
    } else {
        let property = class.getattr(intern!(py, "rect")).ok();
        let plain = property.is_some_and(|property| property.is(rules.rect_property));
        classes.insert(address, plain);
        plain
    };
    if plain && let Ok(rect) = sprite.getattr(intern!(py, "_Sprite__rect")) {
        return Ok(rect);
    }
    sprite.getattr(intern!(py, "rect"))
}

impl<'py> Sprites<'py> {
    fn read(sprites: &Bound<'py, PyList>, rules: &Rules<'_, 'py>) -> PyResult<Self> {
        let py = sprites.py();
        let len = sprites.len();
        let mut all = Self {
            spans: Vec::with_capacity(len),
            rects: Vec::with_capacity(len),
            masks: Vec::new(),
            exact: Vec::with_capacity(len),
            corners: Vec::with_capacity(len),
        };
        let mut classes = Classes::new();
        let mut sizes: HashMap<usize, [f64; 2]> = HashMap::new();
        // Neighbours mostly share a mask.
        let mut last = (0, [0.0; 2]);
        for sprite in sprites {
            let rect = rect_of(&sprite, rules, &mut classes)?;
            let exact = rect.get_type().is(rules.rect_type);
            let corner = [side(&rect, 0)?, side(&rect, 1)?];
            let size = match rules.mask_of {
                None => [side(&rect, 2)?, side(&rect, 3)?],
                Some(mask_of) => {
                    let mask = mask(&sprite, mask_of)?;
                    let address = mask.as_ptr() as usize;
                    if last.0 != address {
                        let size = if let Some(size) = sizes.get(&address) {
                            *size
                        } else {
                            let size: (f64, f64) = mask.call_method0(intern!(py, "get_size"))?.extract()?;
                            sizes.insert(address, size.into());
                            size.into()
                        };
                        last = (address, size);
                    }
                    all.masks.push(mask);
                    last.1
                }
            };
            all.spans.push(span(corner, size, exact, rules.mask_of.is_some()));
            all.exact.push(exact);
            all.corners.push(corner);
            all.rects.push(rect);
        }
        Ok(all)
    }
}

/// Returns the box of a rectangle, of which a side may be negative. The box of an inexact one is a pixel larger all
/// around.
fn span(corner: [f64; 2], size: [f64; 2], exact: bool, masked: bool) -> Span {
    let ends = [corner[0] + size[0], corner[1] + size[1]];
    let mut span = Span {
        min: [corner[0].min(ends[0]), corner[1].min(ends[1])],
        max: [corner[0].max(ends[0]), corner[1].max(ends[1])],
    };
    if !exact {
        for axis in 0..2 {
            span.min[axis] -= 1.0;
            span.max[axis] += 1.0;
        }
    } else if !masked && (size[0] == 0.0 || size[1] == 0.0) {
        // An empty rectangle meets nothing.
        span = Span { min: [f64::NAN; 2], max: [f64::NAN; 2] };
    }
    span
}

/// Returns the mask of a sprite: its own, or that of its image.
fn mask<'py>(sprite: &Bound<'py, PyAny>, mask_of: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = sprite.py();
    match sprite.getattr(intern!(py, "mask")) {
        Err(error) if error.is_instance_of::<PyAttributeError>(py) => {
            mask_of.call1((sprite.getattr(intern!(py, "image"))?,))
        }
        mask => mask,
    }
}

/// Returns whether two sprites whose boxes meet collide.
fn collide(a: &Sprites<'_>, i: usize, b: &Sprites<'_>, j: usize) -> PyResult<bool> {
    let py = a.rects[i].py();
    let both_exact = a.exact[i] && b.exact[j];
    if a.masks.is_empty() {
        // Their boxes overlap, which is all that pygame asks of integers.
        return if both_exact {
            Ok(true)
        } else {
            a.rects[i].call_method1(intern!(py, "colliderect"), (&b.rects[j],))?.is_truthy()
        };
    }
    let offset = [b.corners[j][0] - a.corners[i][0], b.corners[j][1] - a.corners[i][1]];
    let overlap = intern!(py, "overlap");
    let point = if both_exact {
        a.masks[i].call_method1(overlap, (&b.masks[j], (offset[0] as i64, offset[1] as i64)))?
    } else {
        a.masks[i].call_method1(overlap, (&b.masks[j], (offset[0], offset[1])))?
    };
    Ok(!point.is_none())
}

/// Returns the pairs of sprites that collide, as indices: of a list with itself if there is only one, each pair once.
fn pairs(a: &Sprites<'_>, b: Option<&Sprites<'_>>) -> PyResult<Vec<[u32; 2]>> {
    let len_of = |sprites: &Sprites<'_>| sprites.spans.len();
    if len_of(a).max(b.map_or(0, len_of)) >= u32::MAX as usize {
        return Err(PyMemoryError::new_err("too many sprites"));
    }
    let other = b.unwrap_or(a);
    let mut hits = Vec::new();
    for [i, j] in meeting(&a.spans, &other.spans) {
        if (b.is_some() || i < j) && collide(a, i as usize, other, j as usize)? {
            hits.push([i, j]);
        }
    }
    Ok(hits)
}

/// Returns each sprite of `a` that collides, with those of `b` that it collides with, in the order of the lists.
#[pyfunction]
#[pyo3(signature = (a, b, rect_type, rect_property, mask_of=None))]
pub(crate) fn _collisions<'py>(
    a: &Bound<'py, PyList>,
    b: &Bound<'py, PyList>,
    rect_type: &Bound<'py, PyAny>,
    rect_property: &Bound<'py, PyAny>,
    mask_of: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = a.py();
    let rules = Rules { rect_type, rect_property, mask_of };
    let (from, to) = (Sprites::read(a, &rules)?, Sprites::read(b, &rules)?);
    let hits = pairs(&from, Some(&to))?;
    let found = PyDict::new(py);
    for hits in hits.chunk_by(|[i, _], [k, _]| i == k) {
        let others = PyList::empty(py);
        for [_, j] in hits {
            others.append(b.get_item(*j as usize)?)?;
        }
        found.set_item(a.get_item(hits[0][0] as usize)?, others)?;
    }
    Ok(found)
}

/// Returns the pairs of sprites that collide, in the order of the lists.
#[pyfunction]
#[pyo3(signature = (a, b, rect_type, rect_property, mask_of=None))]
pub(crate) fn _pairs<'py>(
    a: &Bound<'py, PyList>,
    b: Option<&Bound<'py, PyList>>,
    rect_type: &Bound<'py, PyAny>,
    rect_property: &Bound<'py, PyAny>,
    mask_of: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let rules = Rules { rect_type, rect_property, mask_of };
    let from = Sprites::read(a, &rules)?;
    let to = b.map(|b| Sprites::read(b, &rules)).transpose()?;
    let found = PyList::empty(a.py());
    for [i, j] in pairs(&from, to.as_ref())? {
        found.append((a.get_item(i as usize)?, b.unwrap_or(a).get_item(j as usize)?))?;
    }
    Ok(found)
}

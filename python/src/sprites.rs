//! Sprites of pygame: their boxes are compared here, and rectangles and masks decide about those that meet.

use std::collections::HashMap;

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySequence, PyType};

use crate::boxes::{self, Bounds};
use crate::collector::Pause;
use crate::sprite_masks::{Masks, Source};

/// `pygame.Rect`, and the property `rect` of `pygame.sprite.Sprite`.
type Types<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Sprites of a list, by their positions in it.
struct Sprites<'py> {
    bounds: Vec<Bounds>,
    /// The number of the mask of each sprite; empty if rectangles decide.
    masks: Vec<u32>,
    /// The rectangle of each sprite; empty if masks decide.
    rects: Vec<Bound<'py, PyAny>>,
    /// The sprites whose bounds are larger than they are.
    inexact: HashMap<usize, Corner>,
}

/// The corner of a rectangle.
#[derive(Clone, Copy)]
struct Corner {
    at: [f64; 2],
    /// True if its numbers are whole, as those of `pygame.Rect` are.
    whole: bool,
}

/// Reads a number of a rectangle.
#[allow(unsafe_code, reason = "an object of pygame says that it is a sequence only by its slots")]
fn side(rect: &Bound<'_, PyAny>, index: usize) -> PyResult<f64> {
    // SAFETY: `PySequence_GetItem`, the one function called here, takes any object, and raises for what is no sequence.
    let value = unsafe { rect.cast_unchecked::<PySequence>() }.get_item(index)?;
    value.extract::<i32>().map(f64::from).or_else(|_| value.extract())
}

/// Reads the rectangles of sprites.
struct Reader<'a, 'py> {
    rect_property: &'a Bound<'py, PyAny>,
    /// The classes of sprites seen so far, and whether they keep their rectangle as pygame's class does.
    classes: Vec<(Bound<'py, PyType>, bool)>,
}

impl<'py> Reader<'_, 'py> {
    /// Returns the rectangle of a sprite: past pygame's property, which is a function in Python, if the class has that.
    fn rect(&mut self, sprite: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = sprite.py();
        let class = sprite.get_type_ptr();
        let plain = match self.classes.iter().find(|(known, _)| known.as_type_ptr() == class) {
            Some((_, plain)) => *plain,
            None => self.add(sprite.get_type()),
        };
        if plain && let Ok(rect) = sprite.getattr(intern!(py, "_Sprite__rect")) {
            return Ok(rect);
        }
        sprite.getattr(intern!(py, "rect"))
    }

    fn add(&mut self, class: Bound<'py, PyType>) -> bool {
        let property = class.getattr(intern!(class.py(), "rect")).ok();
        let plain = property.is_some_and(|property| property.is(self.rect_property));
        self.classes.push((class, plain));
        plain
    }
}

impl<'py> Sprites<'py> {
    /// Reads sprites, with their masks if these decide.
    fn read(
        sprites: &Bound<'py, PyList>,
        (rect_type, rect_property): &Types<'py>,
        mut masks: Option<&mut Masks<'_, 'py>>,
    ) -> PyResult<Self> {
        let len = sprites.len();
        let (masked, unmasked) = if masks.is_some() { (len, 0) } else { (0, len) };
        let mut all = Self {
            bounds: Vec::with_capacity(len),
            masks: Vec::with_capacity(masked),
            rects: Vec::with_capacity(unmasked),
            inexact: HashMap::new(),
        };
        let mut reader = Reader { rect_property, classes: Vec::new() };
        for sprite in sprites {
            let rect = reader.rect(&sprite)?;
            let whole = rect.get_type_ptr() == rect_type.as_ptr().cast();
            let corner = [side(&rect, 0)?, side(&rect, 1)?];
            let size = if let Some(masks) = &mut masks {
                let mask = masks.number(&sprite)?;
                all.masks.push(mask);
                masks.size(mask)
            } else {
                let size = [side(&rect, 2)?, side(&rect, 3)?];
                all.rects.push(rect);
                size
            };
            let (bounds, exact) = bounds(corner, size, whole, masks.is_some());
            if !exact {
                all.inexact.insert(all.bounds.len(), Corner { at: corner, whole });
            }
            all.bounds.push(bounds);
        }
        Ok(all)
    }

    /// Returns the corner of the rectangle of a sprite whose mask decides.
    fn corner(&self, index: usize) -> Corner {
        let exact = || Corner { at: self.bounds[index].min.map(f64::from), whole: true };
        self.inexact.get(&index).copied().unwrap_or_else(exact)
    }
}

/// Returns the box of a rectangle, of which a side may be negative, and whether it is exactly that. The box of an
/// inexact one is a pixel larger all around.
fn bounds(corner: [f64; 2], size: [f64; 2], whole: bool, masked: bool) -> (Bounds, bool) {
    let ends = [corner[0] + size[0], corner[1] + size[1]];
    let min = [corner[0].min(ends[0]), corner[1].min(ends[1])];
    let max = [corner[0].max(ends[0]), corner[1].max(ends[1])];
    let fits = |v: f64| v > f64::from(i32::MIN) && v < f64::from(i32::MAX);
    let upright = size[0] >= 0.0 && size[1] >= 0.0;
    if whole && (upright || !masked) && min.iter().chain(&max).all(|v| fits(*v)) {
        if !masked && (size[0] == 0.0 || size[1] == 0.0) {
            // An empty rectangle meets nothing.
            return (Bounds::NOWHERE, true);
        }
        return (Bounds { min: min.map(|v| v as i32), max: max.map(|v| v as i32) }, true);
    }
    if min.iter().any(|v| v.is_nan()) {
        return (Bounds::NOWHERE, false);
    }
    // Casts saturate: boxes that lie out of range in one direction all meet.
    let min = min.map(|v| ((v - 1.0).floor() as i32).min(i32::MAX - 1));
    let max = max.map(|v| ((v + 1.0).ceil() as i32).max(i32::MIN + 1));
    (Bounds { min, max }, false)
}

/// Two lists of sprites, and what decides about them.
struct Scene<'a, 'py> {
    from: &'a Sprites<'py>,
    to: &'a Sprites<'py>,
    masks: Option<&'a Masks<'a, 'py>>,
}

impl Scene<'_, '_> {
    /// Returns whether two sprites whose boxes meet collide.
    fn collide(&self, pair: [u32; 2]) -> PyResult<bool> {
        let (from, to, [i, j]) = (self.from, self.to, pair.map(|index| index as usize));
        let exact = !from.inexact.contains_key(&i) && !to.inexact.contains_key(&j);
        let Some(masks) = self.masks else {
            // Their boxes overlap, which is all that pygame asks of integers.
            if exact {
                return Ok(true);
            }
            let rect = &from.rects[i];
            return rect.call_method1(intern!(rect.py(), "colliderect"), (&to.rects[j],))?.is_truthy();
        };
        let pair = [from.masks[i], to.masks[j]];
        if exact {
            let (a, b) = (from.bounds[i].min, to.bounds[j].min);
            return masks.overlap_whole(pair, [b[0].wrapping_sub(a[0]), b[1].wrapping_sub(a[1])]);
        }
        let (a, b) = (from.corner(i), to.corner(j));
        let offset = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
        if a.whole && b.whole {
            masks.overlap(pair, (offset[0] as i64, offset[1] as i64))
        } else {
            masks.overlap(pair, (offset[0], offset[1]))
        }
    }
}

/// Returns the pairs of sprites that collide, ascending: of two lists, or of one, each pair once.
fn pairs<'py>(
    a: &Bound<'py, PyList>,
    b: Option<&Bound<'py, PyList>>,
    types: &Types<'py>,
    source: Option<&Source<'py>>,
) -> PyResult<Vec<[u32; 2]>> {
    if a.len() + b.map_or(0, PyListMethods::len) >= u32::MAX as usize {
        return Err(PyMemoryError::new_err("too many sprites"));
    }
    let mut masks = source.map(Masks::new);
    let from = Sprites::read(a, types, masks.as_mut())?;
    let to = b.map(|b| Sprites::read(b, types, masks.as_mut())).transpose()?;
    let mut found = match &to {
        Some(to) => boxes::between(&from.bounds, &to.bounds),
        None => boxes::within(&from.bounds),
    };
    if let Some(masks) = &mut masks {
        masks.prepare(found.len())?;
    }
    let scene = Scene { from: &from, to: to.as_ref().unwrap_or(&from), masks: masks.as_ref() };
    let mut raised = Ok(());
    found.retain(|pair| {
        raised.is_ok()
            && scene.collide(*pair).unwrap_or_else(|error| {
                raised = Err(error);
                false
            })
    });
    raised.map(|()| found)
}

/// Returns each sprite of `a` that collides, with those of `b` that it collides with, in the order of the lists.
#[pyfunction]
#[pyo3(signature = (a, b, types, source=None))]
pub(crate) fn _collisions<'py>(
    a: &Bound<'py, PyList>,
    b: &Bound<'py, PyList>,
    types: Types<'py>,
    source: Option<Source<'py>>,
) -> PyResult<Bound<'py, PyDict>> {
    let hits = pairs(a, Some(b), &types, source.as_ref())?;
    let _pause = Pause::new(a.py())?;
    let found = PyDict::new(a.py());
    for hits in hits.chunk_by(|[i, _], [k, _]| i == k) {
        let others: Vec<_> = hits.iter().map(|[_, j]| b.get_item(*j as usize)).collect::<PyResult<_>>()?;
        found.set_item(a.get_item(hits[0][0] as usize)?, others)?;
    }
    Ok(found)
}

/// Returns the pairs of sprites that collide, in the order of the lists.
#[pyfunction]
#[pyo3(signature = (a, b, types, source=None))]
pub(crate) fn _pairs<'py>(
    a: &Bound<'py, PyList>,
    b: Option<&Bound<'py, PyList>>,
    types: Types<'py>,
    source: Option<Source<'py>>,
) -> PyResult<Bound<'py, PyList>> {
    let hits = pairs(a, b, &types, source.as_ref())?;
    let _pause = Pause::new(a.py())?;
    let b = b.unwrap_or(a);
    // Read in the order of their list, in which sprites mostly lie in memory too: if they are many, that takes half the
    // time.
    let places: Vec<[u32; 2]> = (0..).zip(&hits).map(|(place, [_, j])| [*j, place]).collect();
    let mut seconds = vec![None; hits.len()];
    for [j, place] in boxes::sorted(&places, b.len(), |[j, _]| *j) {
        seconds[place as usize] = Some(b.get_item(j as usize)?);
    }
    let found = PyList::empty(a.py());
    for ([i, _], second) in hits.into_iter().zip(seconds) {
        found.append((a.get_item(i as usize)?, second))?;
    }
    Ok(found)
}

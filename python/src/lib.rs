//! The Python package `hitmask`: the library's world, masks, engines and queries, with numpy's arrays.
//!
//! Each class wraps a type of the library and checks its arguments (`array.rs`, `ids.rs`); `structured.rs` makes the
//! arrays of answers. The interpreter is held only while arguments are copied and answers are made. `coco` has masks of
//! its own, as runs, which is how that field keeps them. Docstrings are written in the stub, `hitmask/_hitmask.pyi`;
//! the attribute `documented` takes them from there.

mod answers;
mod array;
mod body;
mod boxes;
mod coco;
mod collector;
mod engine;
mod error;
mod events;
mod fork;
mod hits;
mod ids;
mod labels;
mod linear;
mod mask;
mod mask_image;
mod member;
mod memory;
mod polygons;
mod queries;
mod shape;
mod slide;
mod sprite_masks;
mod sprites;
mod structured;
mod threads;
mod walker;
mod world;
mod world_bulk;
mod world_hits;
mod world_mask;
mod world_read;
mod world_save;
mod worlds;
mod worlds_hits;
mod worlds_share;

use pyo3::prelude::*;

#[pymodule]
fn _hitmask(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", error::class(module.py())?)?;
    module.add("TICKS", hitmask::geometry::TICKS)?;
    module.add("SUBPIXELS", hitmask::geometry::SUBPIXELS)?;
    module.add("MAX_SIDE", hitmask::mask::MAX_SIDE)?;
    module.add_class::<answers::Answers>()?;
    module.add_class::<body::Body>()?;
    module.add_class::<coco::CocoMasks>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<hits::Ask>()?;
    module.add_class::<hits::Hits>()?;
    module.add_class::<ids::BodyId>()?;
    module.add_class::<ids::ShapeId>()?;
    module.add_class::<linear::Linear>()?;
    module.add_class::<mask::Mask>()?;
    module.add_class::<polygons::Polygons>()?;
    module.add_class::<queries::BodyQuery>()?;
    module.add_class::<queries::Nearest>()?;
    module.add_class::<queries::PointQuery>()?;
    module.add_class::<queries::Queries>()?;
    module.add_class::<queries::RayCast>()?;
    module.add_class::<queries::RegionQuery>()?;
    module.add_class::<queries::Search>()?;
    module.add_class::<shape::Part>()?;
    module.add_class::<shape::Shape>()?;
    module.add_class::<slide::Impact>()?;
    module.add_class::<slide::Slide>()?;
    module.add_class::<slide::Stop>()?;
    module.add_class::<slide::Sweep>()?;
    module.add_class::<walker::Pace>()?;
    module.add_class::<walker::Side>()?;
    module.add_class::<walker::Walk>()?;
    module.add_class::<walker::Walker>()?;
    module.add_class::<world::Touch>()?;
    module.add_class::<world::World>()?;
    module.add_class::<world_mask::Fragment>()?;
    module.add_class::<worlds::Worlds>()?;
    module.add_class::<worlds_hits::WorldsHits>()?;
    module.add_function(wrap_pyfunction!(linear::linears, module)?)?;
    module.add_function(wrap_pyfunction!(fork::_after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(coco::_groups, module)?)?;
    module.add_function(wrap_pyfunction!(coco::_iou, module)?)?;
    module.add_function(wrap_pyfunction!(coco::_overlaps, module)?)?;
    module.add_function(wrap_pyfunction!(labels::_renumber, module)?)?;
    module.add_function(wrap_pyfunction!(labels::_survey, module)?)?;
    module.add_function(wrap_pyfunction!(sprites::_collisions, module)?)?;
    module.add_function(wrap_pyfunction!(sprites::_pairs, module)?)?;
    Ok(())
}

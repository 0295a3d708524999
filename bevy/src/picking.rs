//! The picking backend: pointers meet the solid pixels of sprites, and colliders.

use bevy_app::{App, Plugin, PreUpdate};
use bevy_camera::visibility::{RenderLayers, ViewVisibility};
use bevy_camera::{Camera, Projection};
use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_math::{Vec2, Vec3};
use bevy_picking::PickingSystems;
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_transform::components::GlobalTransform;

use crate::query::{HitFilter, HitQuery};

/// Has pointers pick entities with a body that is on a layer, by pixel, in the order of their z.
///
/// It needs the plugins of `bevy_picking`. Turn off Bevy's own `SpritePickingPlugin`, or it picks the same sprites by
/// its own threshold. Bodies are picked where they were in the last fixed step.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitmaskPickingPlugin;

impl Plugin for HitmaskPickingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, pick.in_set(PickingSystems::Backend));
    }
}

fn pick(
    rays: Res<'_, RayMap>,
    cameras: Query<'_, '_, (&Camera, &GlobalTransform, Option<&Projection>, Option<&RenderLayers>)>,
    bodies: Query<'_, '_, (&GlobalTransform, Option<&ViewVisibility>, Option<&RenderLayers>)>,
    query: HitQuery<'_, '_>,
    mut hits: MessageWriter<'_, PointerHits>,
) {
    for (ray_id, ray) in rays.iter() {
        let Ok((camera, view, projection, seen)) = cameras.get(ray_id.camera) else { continue };
        if !camera.is_active || ray.direction.z == 0.0 {
            continue;
        }
        // Where the ray meets the plane of the 2D world.
        let point = ray.origin - ray.direction * (ray.origin.z / ray.direction.z);
        let point = Vec2::new(point.x, point.y);
        let found = query.at(point, &HitFilter::default()).unwrap_or_else(|error| {
            warn_once!("a pointer picks nothing: {error}");
            Vec::new()
        });
        let near = match projection {
            Some(Projection::Orthographic(projection)) => projection.near,
            _ => 0.0,
        };
        let to_view = view.affine().inverse();
        let picks = found.into_iter().filter_map(|entity| {
            let (place, visibility, layers) = bodies.get(entity).ok()?;
            let is_hidden = visibility.is_some_and(|visibility| !visibility.get());
            if is_hidden || !seen.unwrap_or_default().intersects(layers.unwrap_or_default()) {
                return None;
            }
            let at = Vec3::new(point.x, point.y, place.translation().z);
            let depth = -near - to_view.transform_point3(at).z;
            // An entity whose scale in z is 0 has no such axis.
            let normal = place.affine().matrix3.z_axis.try_normalize().map(Vec3::from);
            Some((entity, HitData::new(ray_id.camera, depth, Some(at), normal)))
        });
        hits.write(PointerHits::new(ray_id.pointer, picks.collect(), camera.order as f32));
    }
}

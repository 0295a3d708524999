//! Debug drawing: the outlines of bodies, coloured by their hits.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::Gizmos;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_log::warn_once;
use bevy_reflect::prelude::*;
use bevy_transform::TransformSystems;
use hitmask::debug::{Draw, Lines};

use crate::space::{HitEngine, HitSpace};
use crate::units::up;

/// Draws all bodies as the library sees them, where they were in the last fixed step. Add Bevy's `GizmoPlugin` first;
/// it is one of the `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitmaskGizmosPlugin;

/// The choice of what [`HitmaskGizmosPlugin`] draws: a group of Bevy's `GizmoConfigStore`, whose `enabled` switches all
/// of it.
#[derive(Clone, Debug, Reflect, GizmoConfigGroup)]
#[reflect(Default, Clone)]
pub struct HitmaskGizmos {
    /// The key that switches it on and off, if any. By default F3.
    pub key: Option<KeyCode>,
    /// Whether to draw the outlines of colliders.
    pub outlines: bool,
    /// Whether to draw the borders of the pixels that sprites cover.
    pub borders: bool,
    /// Whether to draw bounding boxes.
    pub bounds: bool,
}

impl Default for HitmaskGizmos {
    fn default() -> Self {
        Self { key: Some(KeyCode::F3), outlines: true, borders: true, bounds: false }
    }
}

impl Plugin for HitmaskGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<HitmaskGizmos>()
            .add_systems(PostUpdate, (switch, draw).chain().after(TransformSystems::Propagate));
    }
}

fn switch(keys: Option<Res<'_, ButtonInput<KeyCode>>>, mut store: ResMut<'_, GizmoConfigStore>) {
    let (config, group) = store.config_mut::<HitmaskGizmos>();
    if group.key.zip(keys).is_some_and(|(key, keys)| keys.just_pressed(key)) {
        config.enabled = !config.enabled;
    }
}

fn draw(
    space: Res<'_, HitSpace>,
    engine: Res<'_, HitEngine>,
    store: Res<'_, GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, HitmaskGizmos>,
    mut lines: Local<'_, Lines>,
) {
    let (config, group) = store.config::<HitmaskGizmos>();
    if !config.enabled {
        return;
    }
    let draw = Draw {
        outlines: group.outlines,
        borders: group.borders,
        bounds: group.bounds,
        motions: false,
        ..Draw::default()
    };
    lines.clear();
    // The answer is of another world after a rollback, until the next step.
    let drawn = draw.step(&space.world, &engine.hits, &mut lines);
    if let Err(error) = drawn.or_else(|_| draw.world(&space.world, &mut lines)) {
        warn_once!("hitmask cannot draw its bodies: {error}");
    }
    for line in lines.as_slice() {
        let [red, green, blue, alpha] = line.color;
        let [from, to] = [line.from, line.to].map(|end| up(end.map(f64::from)));
        gizmos.line_2d(from, to, Color::srgba_u8(red, green, blue, alpha));
    }
}

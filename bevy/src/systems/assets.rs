//! Images and atlas layouts that change: entities that show them are looked at again.

use bevy_asset::{AssetEvent, AssetId};
use bevy_ecs::prelude::*;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_platform::collections::{HashMap, HashSet};
use bevy_sprite::Sprite;

use crate::components::hitmask::Hitmask;
use crate::space::HitSpace;

/// The edits of images, in the order in which they were read. They are not rolled back: shapes that are put back follow
/// the edits that came after them once more.
#[derive(Default)]
pub(crate) struct Edits {
    count: u64,
    /// The number of the last edit of each image, until it is removed.
    last: HashMap<AssetId<Image>, u64>,
}

pub(crate) fn look_again(
    mut images: MessageReader<'_, '_, AssetEvent<Image>>,
    mut layouts: MessageReader<'_, '_, AssetEvent<TextureAtlasLayout>>,
    mut space: ResMut<'_, HitSpace>,
    sprites: Query<'_, '_, (Entity, &Sprite), With<Hitmask>>,
    mut edits: Local<'_, Edits>,
) {
    let HitSpace { shapes, dirty, .. } = &mut *space;
    let Edits { count, last } = &mut *edits;
    let of_image = |event: &AssetEvent<Image>| match *event {
        // It may come after its loading has failed. Otherwise entities wait for it, or already have its mask.
        AssetEvent::Added { id } => shapes.take_trouble(id).then_some(id),
        AssetEvent::Modified { id } => {
            *count += 1;
            last.insert(id, *count);
            None
        }
        AssetEvent::Removed { id } => {
            last.remove(&id);
            shapes.forget(id).then_some(id)
        }
        _ => None,
    };
    let mut images: HashSet<AssetId<Image>> = images.read().filter_map(of_image).collect();
    if shapes.edit != *count {
        let missed = last.iter().filter(|(_, edit)| **edit > shapes.edit).map(|(&id, _)| id).collect::<Vec<_>>();
        images.extend(missed.into_iter().filter(|&id| shapes.forget(id)));
        shapes.edit = *count;
    }
    let layouts: HashSet<AssetId<TextureAtlasLayout>> = layouts.read().filter_map(changed).collect();
    if images.is_empty() && layouts.is_empty() {
        return;
    }
    for (entity, sprite) in &sprites {
        let of_layout = sprite.texture_atlas.as_ref().is_some_and(|atlas| layouts.contains(&atlas.layout.id()));
        if of_layout || images.contains(&sprite.image.id()) {
            dirty.push(entity);
        }
    }
}

fn changed(event: &AssetEvent<TextureAtlasLayout>) -> Option<AssetId<TextureAtlasLayout>> {
    match event {
        AssetEvent::Modified { id } | AssetEvent::Removed { id } => Some(*id),
        _ => None,
    }
}

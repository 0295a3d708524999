//! Images and atlas layouts that change: entities that show them are looked at again.

use bevy_asset::{AssetEvent, AssetId};
use bevy_ecs::prelude::*;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_platform::collections::HashSet;
use bevy_sprite::Sprite;

use crate::components::hitmask::Hitmask;
use crate::space::HitSpace;

pub(crate) fn look_again(
    mut images: MessageReader<'_, '_, AssetEvent<Image>>,
    mut layouts: MessageReader<'_, '_, AssetEvent<TextureAtlasLayout>>,
    mut space: ResMut<'_, HitSpace>,
    sprites: Query<'_, '_, (Entity, &Sprite), With<Hitmask>>,
) {
    let HitSpace { shapes, dirty, .. } = &mut *space;
    let of_image = |event: &AssetEvent<Image>| match *event {
        // It may come after its loading has failed. Otherwise entities wait for it, or already have its mask.
        AssetEvent::Added { id } => shapes.take_trouble(id).then_some(id),
        _ => changed(event).filter(|&id| shapes.forget(id)),
    };
    let images: HashSet<AssetId<Image>> = images.read().filter_map(of_image).collect();
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

fn changed<A: bevy_asset::Asset>(event: &AssetEvent<A>) -> Option<AssetId<A>> {
    match event {
        AssetEvent::Modified { id } | AssetEvent::Removed { id } => Some(*id),
        _ => None,
    }
}

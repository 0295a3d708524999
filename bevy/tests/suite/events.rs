//! Events: messages, observers, `CollidingEntities`, and their order.

use std::sync::{Arc, Mutex};

use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_hitmask::{Collider, CollidingEntities, HitEnd, HitSpace, HitStart, HitmaskDisabled, HitmaskPlugin, Layers};
use bevy_math::Vec2;

use crate::common::{app, app_with, at, ends, move_to, ordered, pairs, starts, take};

fn ball(app: &mut App, x: f32) -> Entity {
    app.world_mut().spawn((Collider::circle(1.0), at(x, 0.0))).id()
}

#[test]
fn a_pair_starts_and_ends_as_one_message_each() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 9.0)];
    app.update();
    assert_eq!((starts(&mut app), ends(&mut app)), (vec![], vec![]));
    move_to(&mut app, b, Vec2::X);
    app.update();
    assert_eq!((starts(&mut app), ends(&mut app)), (vec![[a, b]], vec![]));
    app.update();
    assert_eq!((starts(&mut app), ends(&mut app)), (vec![], vec![]));
    move_to(&mut app, b, 9.0 * Vec2::X);
    app.update(); // it begins where it still hits
    assert_eq!((starts(&mut app), ends(&mut app)), (vec![], vec![]));
    app.update();
    assert_eq!((starts(&mut app), ends(&mut app)), (vec![], vec![[a, b]]));
}

type Log = Arc<Mutex<Vec<(&'static str, Entity, Entity)>>>;

fn observe(app: &mut App, entity: Entity, log: &Log) {
    let [of_start, of_end] = [log.clone(), log.clone()];
    app.world_mut()
        .entity_mut(entity)
        .observe(move |hit: On<'_, '_, HitStart>| of_start.lock().unwrap().push(("start", hit.entity, hit.other)))
        .observe(move |hit: On<'_, '_, HitEnd>| of_end.lock().unwrap().push(("end", hit.entity, hit.other)));
}

#[test]
fn observers_of_both_entities_get_the_other_one() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    let log = Log::default();
    observe(&mut app, a, &log);
    observe(&mut app, b, &log);
    app.update();
    app.world_mut().get_mut::<bevy_hitmask::HitBody>(b).unwrap().teleport();
    move_to(&mut app, b, 9.0 * Vec2::X);
    app.update();
    let expected = [("start", a, b), ("start", b, a), ("end", a, b), ("end", b, a)];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn despawning_in_an_observer_ends_the_hit_with_both_named() {
    let mut app = app();
    let [ship, shot] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.world_mut()
        .entity_mut(ship)
        .observe(|hit: On<'_, '_, HitStart>, mut commands: Commands<'_, '_>| commands.entity(hit.other).despawn());
    let log = Log::default();
    observe(&mut app, ship, &log);
    app.update();
    assert!(app.world().get_entity(shot).is_err());
    app.update();
    assert_eq!(*log.lock().unwrap(), [("start", ship, shot), ("end", ship, shot)]);
    assert_eq!(ends(&mut app), [ordered([ship, shot])]);
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
}

#[test]
fn switching_off_ends_a_hit_and_switching_on_starts_it() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.update();
    assert_eq!(starts(&mut app), [[a, b]]);
    app.world_mut().entity_mut(b).insert(HitmaskDisabled);
    app.update();
    assert_eq!((ends(&mut app), pairs(&app)), (vec![[a, b]], vec![]));
    app.world_mut().entity_mut(b).remove::<HitmaskDisabled>();
    app.update();
    assert_eq!((starts(&mut app), pairs(&app)), (vec![[a, b]], vec![[a, b]]));
    app.world_mut().entity_mut(b).insert(Disabled);
    app.update();
    assert_eq!(ends(&mut app), [[a, b]]);
    app.world_mut().entity_mut(b).remove::<Disabled>();
    app.update();
    assert_eq!(starts(&mut app), [[a, b]]);
}

#[test]
fn a_body_spawned_switched_off_starts_its_hit_when_it_is_switched_on() {
    let mut app = app();
    let a = ball(&mut app, 0.0);
    app.update();
    let b = app.world_mut().spawn((Collider::circle(1.0), at(1.0, 0.0), HitmaskDisabled)).id();
    app.update();
    assert_eq!(starts(&mut app).len(), 0);
    app.world_mut().entity_mut(b).remove::<HitmaskDisabled>();
    app.update();
    assert_eq!(starts(&mut app), [[a, b]]);
}

#[test]
fn losing_the_shape_ends_a_hit() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.update();
    app.world_mut().entity_mut(b).remove::<Collider>();
    app.update();
    assert_eq!(ends(&mut app), [[a, b]]);
    assert_eq!(app.world().resource::<HitSpace>().counts().shapes, 1);
}

#[test]
fn layers_decide_who_hits_and_may_change() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.world_mut().entity_mut(a).insert(Layers::new(1, 2));
    app.world_mut().entity_mut(b).insert(Layers::new(2, 4));
    app.update();
    assert_eq!(pairs(&app).len(), 0);
    app.world_mut().get_mut::<Layers>(b).unwrap().filter = 1.into();
    app.update();
    assert_eq!(pairs(&app), [[a, b]]);
    for entity in [a, b] {
        app.world_mut().get_mut::<Layers>(entity).unwrap().group = 5;
    }
    app.update();
    assert_eq!(pairs(&app).len(), 0);
    app.world_mut().entity_mut(a).remove::<Layers>();
    app.world_mut().entity_mut(b).remove::<Layers>();
    app.update();
    assert_eq!(pairs(&app), [[a, b]]);
}

#[test]
fn a_detector_hits_what_does_not_hit_it_and_both_get_the_events() {
    let mut app = app();
    let [hero, zone] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.world_mut().entity_mut(hero).insert(Layers::new(1, 2));
    app.world_mut().entity_mut(zone).insert((Layers::new(4, 1), CollidingEntities::default()));
    let log = Log::default();
    observe(&mut app, hero, &log);
    observe(&mut app, zone, &log);
    let sees = |app: &App| {
        let space = app.world().resource::<HitSpace>();
        [space.sees(zone, hero), space.sees(hero, zone)]
    };
    app.update();
    assert_eq!((pairs(&app), sees(&app)), (vec![], [false, false]));
    let changes: [fn(EntityWorldMut<'_>); 4] = [
        |mut zone| zone.get_mut::<Layers>().unwrap().detector = true,
        |mut zone| zone.get_mut::<Layers>().unwrap().detector = false,
        |mut zone| {
            zone.insert(Layers::new(4, 1).detector(true));
        },
        |mut zone| {
            zone.insert(HitmaskDisabled);
        },
    ];
    for (k, change) in changes.into_iter().enumerate() {
        change(app.world_mut().entity_mut(zone));
        app.update();
        let detects = k % 2 == 0;
        assert_eq!(pairs(&app), if detects { vec![[hero, zone]] } else { vec![] }, "{k}");
        assert_eq!(sees(&app), [detects, false], "{k}");
        let name = if detects { "start" } else { "end" };
        assert_eq!(std::mem::take(&mut *log.lock().unwrap()), [(name, hero, zone), (name, zone, hero)], "{k}");
        assert_eq!((starts(&mut app).len(), ends(&mut app).len()), (usize::from(detects), usize::from(!detects)));
        assert_eq!(app.world().get::<CollidingEntities>(zone).unwrap().contains(hero), detects);
    }
    // Without its layers it is no detector any more, but a body that hits all layers; the hero does not hit the first.
    app.world_mut().entity_mut(zone).remove::<(Layers, HitmaskDisabled)>();
    app.update();
    assert_eq!((pairs(&app), sees(&app)), (vec![], [false, false]));
    app.world_mut().despawn(zone);
    app.update();
    assert_eq!(sees(&app), [false, false]);
}

#[test]
fn a_segment_hits_what_it_crosses() {
    let mut app = app();
    let segment = Collider::capsule(Vec2::new(-9.0, 0.0), Vec2::new(9.0, 0.0), 0.0);
    let segment = app.world_mut().spawn((segment, at(0.0, 0.0), Layers::new(1, 2))).id();
    let mut tile = |y: f32| app.world_mut().spawn((Collider::rectangle(2.0, 2.0), at(0.0, y), Layers::new(2, 1))).id();
    let across = tile(0.5);
    tile(1.0);
    app.update();
    assert_eq!(pairs(&app), [ordered([segment, across])]);
}

#[test]
fn colliding_entities_lists_what_hits_now_also_if_added_late() {
    let mut app = app();
    let [a, b, c] = [0.0, 1.0, -1.0].map(|x| ball(&mut app, x));
    app.world_mut().entity_mut(b).insert(CollidingEntities::default());
    app.update();
    let list = |app: &App, entity| app.world().get::<CollidingEntities>(entity).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(list(&app, b), [a]);
    app.world_mut().entity_mut(a).insert(CollidingEntities::default());
    app.update();
    assert_eq!(list(&app, a), [b, c]);
    app.world_mut().despawn(b);
    app.update();
    assert_eq!(list(&app, a), [c]);
    let found = app.world().get::<CollidingEntities>(a).unwrap();
    assert!(found.contains(c) && !found.contains(b) && found.len() == 1 && !found.is_empty());
}

#[test]
fn contacts_say_when_and_where_from_the_view_of_each_entity() {
    let mut app = app_with(HitmaskPlugin::default().contacts(true));
    let wall = app.world_mut().spawn((Collider::rectangle(2.0, 40.0), at(11.0, 0.0))).id();
    let shot = app.world_mut().spawn((Collider::rectangle(2.0, 2.0), at(-1.0, 0.0))).id();
    app.update();
    move_to(&mut app, shot, 19.0 * Vec2::X);
    app.update();
    let [start] = take::<HitStart>(&mut app).try_into().unwrap();
    let contact = start.contact.unwrap();
    assert!((contact.fraction - 0.5).abs() < 0.001, "{contact:?}");
    let leaves = if start.entity == shot { -Vec2::X } else { Vec2::X };
    assert_eq!((ordered([start.entity, start.other]), contact.normal), (ordered([wall, shot]), leaves));
    assert_eq!(contact.pixels, None);
}

#[test]
fn the_order_of_messages_does_not_depend_on_archetypes() {
    let order = |extra: bool| {
        let mut app = app();
        let balls: Vec<Entity> = (0..40).map(|x| ball(&mut app, x as f32 % 7.0)).collect();
        for &ball in balls.iter().skip(usize::from(extra)).step_by(3) {
            app.world_mut().entity_mut(ball).insert(CollidingEntities::default());
        }
        app.update();
        take::<HitStart>(&mut app).into_iter().map(|start| [start.entity, start.other]).collect::<Vec<_>>()
    };
    assert!(order(false).len() > 100);
    assert_eq!(order(false), order(true));
}

#[test]
fn lists_of_disabled_entities_are_kept_up_to_date_and_filled_again_if_inserted_again() {
    let mut app = app();
    let [a, b] = [ball(&mut app, 0.0), ball(&mut app, 1.0)];
    app.world_mut().entity_mut(a).insert(CollidingEntities::default());
    app.update();
    let list = |app: &App| app.world().get::<CollidingEntities>(a).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(list(&app), [b]);
    app.world_mut().entity_mut(a).insert(CollidingEntities::default());
    app.update();
    assert_eq!(list(&app), [b]);
    let old = app.world().get::<CollidingEntities>(a).unwrap().clone();
    app.world_mut().entity_mut(a).insert(Disabled);
    app.update();
    assert_eq!(list(&app), []);
    app.world_mut().entity_mut(a).insert(old);
    app.update();
    assert_eq!(list(&app), []);
}

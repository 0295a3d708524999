//! The fight of `examples/fighter.rs`, judged after each step by the boxes of the sheet, in whole lattice steps: no
//! code of the library finds the hits here.

#[path = "../examples/fighter.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod fighter;

use fighter::Game;
use hitmask::Engine;
use hitmask::cpu::{self, Broad, Options, Simd};
use hitmask::geometry::SUBPIXELS;
use hitmask_files::NamedBox;

/// A rectangle in lattice steps: its left, top, right and bottom sides.
type Sides = [i64; 4];

fn plays(watch: impl FnMut(&Game)) -> String {
    fighter::play(Engine::reference(), watch).unwrap()
}

/// Returns where a box of a fighter is: mirrored at the pivot if the fighter looks to the left.
fn sides(game: &Game, player: usize, named: &NamedBox) -> Sides {
    let actor = &game.actors[player];
    let frame = &game.cast.sheet().frames[actor.frame()];
    let lattice = |v: f64| {
        let steps = v * f64::from(SUBPIXELS);
        assert_eq!(steps.fract(), 0.0, "{v} is not on the lattice");
        steps as i64
    };
    let [pivot_x, pivot_y] = frame.pivot.unwrap_or([10.0, 20.0]).map(lattice);
    let [x, y, width, height] = named.bounds.map(|v| i64::from(v * SUBPIXELS));
    let [left, right] = [x - pivot_x, x + width - pivot_x];
    let [left, right] = if actor.flip.x { [-right, -left] } else { [left, right] };
    let [x, y] = [lattice(actor.at.x), lattice(actor.at.y) + y - pivot_y];
    [x + left, y, x + right, y + height]
}

/// Returns the boxes of a fighter that have a name, and their data.
fn boxes<'a>(game: &'a Game, player: usize, name: &'a str) -> impl Iterator<Item = (Sides, &'a str)> {
    let frame = &game.cast.sheet().frames[game.actors[player].frame()];
    frame.boxes(name).map(move |named| (sides(game, player, named), &*named.data))
}

/// Returns how much two rectangles overlap along both axes; 0 where they only touch, less where they are apart.
fn overlap([left, top, right, bottom]: Sides, other: Sides) -> [i64; 2] {
    [right.min(other[2]) - left.max(other[0]), bottom.min(other[3]) - top.max(other[1])]
}

fn overlaps(a: Sides, b: Sides) -> bool {
    overlap(a, b).iter().all(|&length| length > 0)
}

#[test]
fn an_attack_hurts_once_by_the_damage_of_its_box() {
    // Per attacker: whether its attack has hurt, and the steps in which its boxes were in hurt boxes.
    let (mut has_hurt, mut meetings, mut blows) = ([false; 2], [0, 0], [0, 0]);
    let (mut health, mut trades) = ([30, 30], 0);
    plays(|game| {
        let mut in_this_step = 0;
        for by in [0, 1] {
            let (to, sheet) = (1 - by, game.cast.sheet());
            // Each attack begins with a frame that the other does not have.
            let begins = |tag| sheet.tag(tag).unwrap().frames.start == game.actors[by].frame();
            if begins("punch") || begins("kick") {
                has_hurt[by] = false;
            }
            let hits = boxes(game, by, "hit");
            let met = hits.filter(|(hit, _)| boxes(game, to, "hurt").any(|(hurt, _)| overlaps(*hit, hurt)));
            let Some((_, data)) = met.last() else { continue };
            meetings[by] += 1;
            if !has_hurt[by] {
                has_hurt[by] = true;
                in_this_step += 1;
                blows[by] += 1;
                health[to] = 0.max(health[to] - data["damage=".len()..].parse::<i32>().unwrap());
            }
        }
        trades += u32::from(in_this_step == 2);
        assert_eq!(game.health.map(|health| health as i32), health);
    });
    assert!(blows.iter().all(|blows| *blows > 1) && trades > 0, "{blows:?} {trades}");
    assert!((0..2).all(|by| meetings[by] > 3 * blows[by]), "{meetings:?} steps for {blows:?} blows");
    assert!(health.contains(&0), "{health:?}");
}

#[test]
fn push_boxes_touch_and_never_overlap() {
    let (mut touched, mut above) = (0, 0);
    plays(|game| {
        let [a, b] = [0, 1].map(|player| boxes(game, player, "push").next());
        let (Some((a, _)), Some((b, _))) = (a, b) else { return };
        assert!(!overlaps(a, b), "{a:?} {b:?}");
        let [across, down] = overlap(a, b);
        touched += u32::from(across == 0 && down > 0);
        above += u32::from(across > 0);
    });
    assert!(touched > 50 && above > 5, "{touched} {above}");
}

/// Who walks against the other moves it by half of its own way, up to the wall.
#[test]
fn fighters_push_each_other_to_the_wall() {
    let (mut before, mut pushed, mut at_the_wall) = ([30.0, 130.0], [0; 2], 0);
    plays(|game| {
        let now = [0, 1].map(|player| game.actors[player].at.x);
        assert!(now.iter().all(|x| (12.0..=148.0).contains(x)), "{now:?}");
        let way = [0, 1].map(|player| now[player] - before[player]);
        for player in [0, 1] {
            let tag = |player: usize| &*game.cast.sheet().tags[game.actors[player].tag.unwrap()].name;
            let is_pushed = tag(player) == "stand" && tag(1 - player) == "walk" && way[player] != 0.0;
            pushed[player] += u32::from(is_pushed && way == [way[player]; 2] && way[player].abs() == 0.75);
            at_the_wall += u32::from(tag(1 - player) == "walk" && way == [0.0; 2] && now[player] == 12.0);
        }
        before = now;
    });
    assert!(pushed.iter().all(|steps| *steps > 5) && at_the_wall > 10, "{pushed:?} {at_the_wall}");
}

#[test]
fn boxes_turn_round_with_their_fighter() {
    let (mut steps, mut turns, mut before) = ([[0; 2]; 2], 0, [false, true]);
    plays(|game| {
        for (player, actor) in game.actors.iter().enumerate() {
            steps[player][usize::from(actor.flip.x)] += 1;
            turns += u32::from(actor.flip.x != before[player]);
            before[player] = actor.flip.x;
            // The first part is the mask.
            let frame = &game.cast.sheet().frames[actor.frame()];
            let mut wanted: Vec<_> = frame.boxes.iter().map(|named| sides(game, player, named)).collect();
            let parts = game.cast.parts(actor).skip(1);
            let bounds = parts.map(|part| game.world.bounds(part.body).unwrap());
            let mut found: Vec<_> =
                bounds.map(|found| [found.min.x, found.min.y, found.max.x, found.max.y].map(i64::from)).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "{actor:?}");
        }
    });
    assert!(steps.as_flattened().iter().all(|steps| *steps > 20) && turns >= 2, "{steps:?} {turns}");
}

#[test]
fn the_fight_is_the_same_on_every_engine() {
    let right = plays(|_| ());
    assert_eq!(plays(|_| ()), right);
    let run = |options: &Options| {
        let engine = Engine::Cpu(cpu::Engine::with(options).unwrap());
        assert_eq!(fighter::play(engine, |_| ()).unwrap(), right, "{options:?}");
    };
    for threads in [1, 2, 3, 5, 8] {
        for broad in [Broad::AllPairs, Broad::Sorted] {
            run(&Options::default().threads(threads).broad(broad));
        }
    }
    for simd in Simd::available() {
        run(&Options::default().threads(1).simd(simd));
    }
}

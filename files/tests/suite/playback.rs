//! Playback against Aseprite's rules, frame by frame.

use std::num::NonZeroU32;
use std::time::Duration;

use hitmask_files::{Direction, Import, Sheet, Tag};
use proptest::prelude::*;

use crate::ase::{self, Ase};

const DIRECTIONS: [Direction; 4] =
    [Direction::Forward, Direction::Reverse, Direction::PingPong, Direction::PingPongReverse];

/// Makes a sheet with frames of these durations in ms, and a tag of some of them.
fn sheet(durations: &[u16], frames: [u16; 2], direction: usize, repeat: u16) -> (Sheet, Tag) {
    let file = Ase { frames: durations.iter().map(|&ms| (ms, Vec::new())).collect(), ..Ase::new([1, 1], 0) };
    let file = file.add(0, ase::tags(&[("tag", frames, direction as u8, repeat)]));
    let sheet = Import::default().read_aseprite(&file.bytes()).unwrap();
    let tag = sheet.tag("tag").unwrap().clone();
    assert_eq!(tag.direction, DIRECTIONS[direction]);
    (sheet, tag)
}

/// Returns the frames that show one after another in `count` times 10 ms.
fn shown(frames: [u16; 2], direction: usize, repeat: u16, count: u32) -> Vec<usize> {
    let (sheet, tag) = sheet(&[10; 5], frames, direction, repeat);
    (0..count).map(|k| sheet.frame_at(&tag, Duration::from_millis(10 * u64::from(k))).unwrap()).collect()
}

/// The sequences are those that Aseprite's own tests of playback expect.
#[test]
fn frames_show_in_the_order_of_aseprite() {
    assert_eq!(shown([1, 2], 0, 0, 8), [1, 2, 1, 2, 1, 2, 1, 2]);
    assert_eq!(shown([1, 3], 0, 1, 6), [1, 2, 3, 3, 3, 3]);
    assert_eq!(shown([1, 3], 1, 1, 6), [3, 2, 1, 1, 1, 1]);
    assert_eq!(shown([1, 3], 2, 2, 8), [1, 2, 3, 2, 1, 1, 1, 1]);
    assert_eq!(shown([1, 3], 3, 2, 8), [3, 2, 1, 2, 3, 3, 3, 3]);
    assert_eq!(shown([0, 3], 2, 1, 6), [0, 1, 2, 3, 3, 3]);
    assert_eq!(shown([0, 3], 3, 1, 6), [3, 2, 1, 0, 0, 0]);
    assert_eq!(shown([0, 1], 2, 3, 6), [0, 1, 0, 1, 1, 1]);
    assert_eq!(shown([0, 2], 2, 0, 10), [0, 1, 2, 1, 0, 1, 2, 1, 0, 1]);
    assert_eq!(shown([2, 2], 2, 3, 5), [2; 5]);
}

#[test]
fn a_tag_shows_its_last_frame_when_it_has_ended() {
    for (frames, direction, repeat, duration, last) in [
        ([1, 3], 0, 2, 6, 3),
        ([1, 3], 1, 2, 6, 1),
        ([1, 3], 2, 1, 3, 3),
        ([1, 3], 2, 2, 5, 1),
        ([1, 3], 2, 3, 7, 3),
        ([1, 3], 3, 4, 9, 3),
        // A single frame shows once a pass.
        ([2, 2], 2, 3, 3, 2),
    ] {
        let (sheet, tag) = sheet(&[10; 5], frames, direction, repeat);
        assert_eq!(sheet.duration(&tag), Some(Duration::from_millis(10 * duration)));
        assert_eq!(sheet.frame_at(&tag, Duration::from_millis(10 * duration)), Some(last));
        assert_eq!(sheet.frame_at(&tag, Duration::MAX), Some(last));
    }
    let (sheet, tag) = sheet(&[10; 5], [1, 3], 0, 0);
    assert_eq!(sheet.duration(&tag), None);
    assert!(sheet.frame_at(&tag, Duration::MAX).is_some());
}

#[test]
fn the_whole_sheet_plays_without_a_tag() {
    let (sheet, _) = sheet(&[10, 20, 30], [0, 0], 0, 0);
    let shown: Vec<_> =
        [0, 9, 10, 29, 30, 59, 60].map(|ms| sheet.frame_at(&sheet.whole(), Duration::from_millis(ms)).unwrap()).into();
    assert_eq!(shown, [0, 0, 1, 1, 2, 2, 0]);
}

#[test]
fn a_tag_of_other_frames_shows_none() {
    let (sheet, mut tag) = sheet(&[10; 2], [0, 1], 0, 1);
    for frames in [0..0, 1..3, 5..6] {
        tag.frames = frames;
        assert_eq!((sheet.frame_at(&tag, Duration::ZERO), sheet.duration(&tag)), (None, None));
    }
}

#[test]
fn durations_of_any_length_are_played() {
    let (mut sheet, mut tag) = sheet(&[10; 3], [0, 2], 2, 2);
    for duration in [Duration::ZERO, Duration::MAX] {
        sheet.frames.iter_mut().for_each(|frame| frame.duration = duration);
        for repeat in [None, Some(NonZeroU32::MIN), Some(NonZeroU32::MAX)] {
            tag.repeat = repeat;
            for elapsed in [Duration::ZERO, Duration::from_secs(1), Duration::MAX] {
                assert!(sheet.frame_at(&tag, elapsed).is_some_and(|frame| frame < 3));
            }
            assert_eq!(sheet.duration(&tag).is_none(), repeat.is_none());
        }
    }
}

/// Plays a tag by steps of a frame: the place, the direction of travel, and the passes that are left.
fn play(count: usize, direction: Direction, passes: usize) -> Vec<usize> {
    let mut forward = matches!(direction, Direction::Forward | Direction::PingPong);
    let turns = matches!(direction, Direction::PingPong | Direction::PingPongReverse);
    let first = |forward: bool| if forward { 0 } else { count - 1 };
    let mut place = first(forward);
    let mut shown = vec![place];
    let mut left = passes;
    loop {
        if place == first(!forward) {
            left -= 1;
            if left == 0 {
                return shown;
            }
            if turns {
                forward = !forward;
            }
            place = first(forward);
            // A turn begins at the frame that shows already, unless there is no other.
            if turns && count > 1 {
                place = if forward { place + 1 } else { place - 1 };
            }
        } else {
            place = if forward { place + 1 } else { place - 1 };
        }
        shown.push(place);
    }
}

proptest! {
    #[test]
    fn each_frame_shows_for_its_duration(
        durations in proptest::collection::vec(1_u16..50, 1..7), direction in 0_usize..4, repeat in 1_u16..6,
        lead in 0_u16..3,
    ) {
        let all: Vec<u16> = std::iter::repeat_n(5, lead.into()).chain(durations.iter().copied()).collect();
        let last = lead + durations.len() as u16 - 1;
        let expected = play(durations.len(), DIRECTIONS[direction], repeat.into());
        let (sheet, tag) = sheet(&all, [lead, last], direction, repeat);
        let mut forever = tag.clone();
        forever.repeat = None;
        let mut start = Duration::ZERO;
        for &place in &expected {
            let end = start + Duration::from_millis(durations[place].into());
            for time in [start, end.saturating_sub(Duration::from_nanos(1))] {
                prop_assert_eq!(sheet.frame_at(&tag, time), Some(usize::from(lead) + place));
                prop_assert_eq!(sheet.frame_at(&forever, time), Some(usize::from(lead) + place));
            }
            start = end;
        }
        prop_assert_eq!(sheet.duration(&tag), Some(start));
        prop_assert_eq!(sheet.frame_at(&tag, start), expected.last().map(|place| usize::from(lead) + place));
    }
}

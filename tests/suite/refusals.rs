//! A game's own mistakes around a step: a submission that the device refuses, an encoder that is never submitted, a
//! stream of a destroyed buffer, a lost device. Each is an error of the step concerned, and all else goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hitmask::gpu::{Request, Stream};
use hitmask::{Ask, Bodies, Body, Error, Shape, World, wgpu};

use crate::common::device::{Device, open};
use crate::renderer::{buffer, encoder, engine, right};

/// Returns a world of balls in a row, each of which hits the next.
fn balls(count: u32) -> World {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    for k in 0..count {
        world.add(&Body::new(ball, [5 * k as i32, 0])).unwrap();
    }
    world
}

/// A mistake of the game, by which a submission is refused.
#[derive(Clone, Copy, Debug)]
enum Mistake {
    /// A copy beyond the end of a buffer, in the encoder of the step.
    Encoder,
    /// A destroyed buffer, which the submission finds.
    Submission,
    /// A copy beyond the end of a buffer, in another encoder of the submission.
    Neighbour,
}

impl Mistake {
    /// Submits the encoder along with the mistake.
    fn submit(self, host: &Device, mut encoder: wgpu::CommandEncoder) {
        let (small, large) = (buffer(host, 16), buffer(host, 64));
        let mut other = crate::renderer::encoder(host);
        match self {
            Self::Encoder => encoder.copy_buffer_to_buffer(&large, 0, &small, 0, 64),
            Self::Submission => {
                encoder.copy_buffer_to_buffer(&large, 0, &small, 0, 16);
                large.destroy();
            }
            Self::Neighbour => other.copy_buffer_to_buffer(&large, 0, &small, 0, 64),
        }
        host.queue.submit([encoder.finish(), other.finish()]);
    }
}

/// If the device refuses the submission of a step, its ticket says so, and gives no older answer. Later steps upload
/// what the refused one did not.
#[test]
fn a_refused_submission_is_an_error_of_its_step_alone() {
    let host = open(wgpu::Limits::default());
    let refused = Arc::new(AtomicU32::new(0));
    let heard = Arc::clone(&refused);
    host.device.on_uncaptured_error(Arc::new(move |_| {
        heard.fetch_add(1, Ordering::Relaxed);
    }));
    let mut engine = engine(&host);
    let mut world = balls(40);
    assert!(engine.run(&world, Ask::Pairs).unwrap() == right(&world));
    for (step, mistake) in [Mistake::Encoder, Mistake::Submission, Mistake::Neighbour].into_iter().enumerate() {
        for is_asked in [true, false] {
            let at: Vec<[f64; 2]> = (0..40).map(|k| [f64::from(k % (7 + step as u32)) * 5.0, 0.0]).collect();
            world.set_positions(Bodies::All, &at).unwrap();
            let mut encoder = encoder(&host);
            let mut ticket = engine.encode(&world, Ask::Pairs, &mut encoder).unwrap();
            mistake.submit(&host, encoder);
            assert!(refused.swap(0, Ordering::Relaxed) > 0, "{mistake:?}");
            if is_asked {
                let error = ticket.wait(Duration::MAX).unwrap_err();
                assert!(matches!(error, Error::Gpu { .. }) && error.to_string().contains("refused"), "{error}");
                assert_eq!(ticket.counts(), None);
            }
            drop(ticket);
            for _ in 0..3 {
                assert!(engine.run(&world, Ask::Pairs).unwrap() == right(&world), "{mistake:?}, {is_asked}");
            }
            let id = world.id(3).unwrap();
            world.set(id, &Body { at: [1000.0, 0.0].into(), ..world.body(id).unwrap() }).unwrap();
            assert!(engine.run(&world, Ask::Pairs).unwrap() == right(&world), "{mistake:?}, {is_asked}");
        }
    }
    assert_eq!(refused.load(Ordering::Relaxed), 0, "none is the engine's");
}

/// After an error of `encode`, the game can submit what else it has recorded.
#[test]
fn an_error_of_encode_leaves_the_encoder_as_it_was() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let world = balls(40);
    let positions = buffer(&host, 320);
    positions.destroy();
    let (from, to) = (buffer(&host, 4), buffer(&host, 4));
    host.queue.write_buffer(&from, 0, &7_u32.to_ne_bytes());
    let mut encoder = encoder(&host);
    encoder.copy_buffer_to_buffer(&from, 0, &to, 0, 4);
    let request = Request::new(Ask::Pairs).positions(Stream::new(&positions));
    let error = engine.encode(&world, request, &mut encoder).unwrap_err();
    assert!(matches!(error, Error::Gpu { .. }), "{error}");
    let mut ticket = engine.encode(&world, Ask::Pairs, &mut encoder).unwrap();
    // wgpu panics if the encoder is broken.
    host.queue.submit([encoder.finish()]);
    assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == right(&world));
    assert_eq!(host.read(|encoder, read| encoder.copy_buffer_to_buffer(&to, 0, read, 0, 4), 4), [7]);
}

/// Another thread that polls the device holds the callbacks of a submission, and takes its time over the game's own.
#[test]
fn an_answer_does_not_wait_for_a_callback_of_the_game() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let world = balls(40);
    let from = buffer(&host, 64);
    let picture = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 64,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = encoder(&host);
    encoder.copy_buffer_to_buffer(&from, 0, &picture, 0, 64);
    let (start, started) = channel();
    let (end, ended) = channel::<()>();
    encoder.map_buffer_on_submit(&picture, wgpu::MapMode::Read, .., move |_| {
        start.send(()).unwrap();
        ended.recv().unwrap();
    });
    let mut ticket = engine.encode(&world, Ask::Pairs, &mut encoder).unwrap();
    host.queue.submit([encoder.finish()]);
    let device = host.device.clone();
    let other = std::thread::spawn(move || device.poll(wgpu::PollType::wait_indefinitely()).unwrap());
    started.recv().unwrap();
    let hits = ticket.wait(Duration::from_secs(60));
    end.send(()).unwrap();
    other.join().unwrap();
    assert!(hits.unwrap().unwrap() == right(&world));
}

/// A ticket whose encoder will never be submitted says so, by each way to ask it.
#[test]
fn a_ticket_of_a_dropped_encoder_is_an_error() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let world = balls(40);
    for way in 0..3 {
        let mut encoder = encoder(&host);
        let mut ticket = engine.encode(&world, Ask::Pairs, &mut encoder).unwrap();
        let mut ask = || match way {
            0 => ticket.try_take().transpose(),
            1 => ticket.wait(Duration::from_secs(60)).transpose(),
            _ => match std::pin::pin!(ticket.answer()).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(hits) => Some(hits),
                Poll::Pending => None,
            },
        };
        if way != 1 {
            assert!(ask().is_none(), "it may still be submitted");
        }
        drop(encoder);
        let error = ask().expect("it is known").unwrap_err().to_string();
        assert!(error.contains("dropped"), "{error}");
        assert!(engine.run(&world, Ask::Pairs).unwrap() == right(&world));
    }
}

/// A lost device raises no errors, so calls that submit nothing have to look.
#[test]
fn every_call_on_a_lost_device_is_an_error() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let world = balls(4);
    engine.run(&world, Ask::Pairs).unwrap();
    host.device.destroy();
    let lost = |error: Error| assert!(matches!(error, Error::GpuLost { .. }), "{error}");
    let mut encoder = encoder(&host);
    lost(engine.encode(&world, Ask::Pairs, &mut encoder).unwrap_err());
    lost(engine.compile(|_, _| ()).unwrap_err());
    lost(engine.run(&World::default(), Ask::Pairs).unwrap_err());
    lost(engine.submit(&world, Ask::Pairs).unwrap_err());
}

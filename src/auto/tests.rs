//! Tests that the engine switches between the CPU and a GPU in the middle of a game without any effect on answers. The
//! GPU is any that is present, even a software one; each test sets the durations of steps.

use std::time::{Duration, Instant};

use super::contest::Side;
use super::{Engine, Gpu, Why};
use crate::gpu;
use crate::{Ask, Body, BodyId, Error, Hits, Linear, Mask, Shape, World, cpu, reference};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn gpu_is_cheap(side: Side, _: Instant) -> Duration {
    ms(if side == Side::Gpu { 10 } else { 20 })
}

fn gpu_is_dear(side: Side, _: Instant) -> Duration {
    ms(if side == Side::Gpu { 50 } else { 5 })
}

/// Returns an engine that tries the first GPU of the list, even a software one.
fn engine() -> Engine {
    let name = gpu::list().into_iter().next().expect("a GPU; `./test --setup` installs one in software").name;
    let options = gpu::Options::default().name(Some(&name));
    let mut engine = Engine::with(&cpu::Options::default(), &options).unwrap();
    engine.meter = gpu_is_cheap;
    engine
}

/// A game of sprites (turned and unturned), balls and crates, half of which move from step to step.
struct Game {
    world: World,
    bodies: Vec<(BodyId, Body)>,
    step: usize,
}

impl Game {
    fn new(count: usize) -> Self {
        let mut world = World::default();
        let ship = world.add_shape(Shape::sprite(Mask::from_rows(&["..#..", ".###.", "#####"]).unwrap())).unwrap();
        let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
        let crate_ = world.add_shape(Shape::rect(4.0, 5.0).unwrap()).unwrap();
        let body = |k: usize| {
            let at = [(k * 37 % 101) as f64, (k * 53 % 89) as f64];
            Body::new([ship, ball, crate_][k % 3], at).posed(Linear::from_degrees((k % 4 * 30) as f64))
        };
        let bodies = (0..count).map(|k| (world.add(&body(k)).unwrap(), body(k))).collect();
        Self { world, bodies, step: 0 }
    }

    /// Runs the next step, compares its answer with the definition, and returns the engine that answered. Every other
    /// step does not block.
    fn step(&mut self, engine: &mut Engine, ask: Ask) -> &'static str {
        self.step += 1;
        for (k, (id, body)) in self.bodies.iter().enumerate().filter(|(k, _)| k % 2 == 0) {
            let [x, y] = [(k * 37 + self.step * 3) % 101, (k * 53 + self.step * 5) % 89];
            let moved = Body { at: [x as f64, y as f64].into(), ..*body };
            self.world.set(*id, &moved).unwrap();
        }
        let mut hits = Hits::default();
        if self.step.is_multiple_of(2) {
            hits = pollster::block_on(engine.run_async(&self.world, ask)).unwrap();
        } else {
            engine.run_into(&self.world, ask, &mut hits).unwrap();
        }
        assert!(hits == reference::run(&self.world, ask), "step {} on {}", self.step, engine.name());
        engine.name()
    }

    /// Runs steps until `done` returns true.
    fn until(&mut self, engine: &mut Engine, ask: Ask, done: impl Fn(&Engine) -> bool) {
        let patience = Instant::now() + Duration::from_secs(300);
        while !done(engine) {
            assert!(Instant::now() < patience, "{}", engine.status());
            self.step(engine, ask);
        }
    }
}

fn is_on_gpu(engine: &Engine) -> bool {
    engine.name() == "gpu" && matches!(engine.status().why, Why::Cheaper)
}

#[test]
fn answers_do_not_show_which_engine_they_are_of() {
    let (mut engine, mut game) = (engine(), Game::new(60));
    assert!(matches!(engine.status().why, Why::Unmeasured));
    game.until(&mut engine, Ask::Details, |engine| matches!(engine.status().why, Why::Opening));
    assert_eq!(engine.name(), "cpu", "no step waits for a GPU");
    game.until(&mut engine, Ask::Details, is_on_gpu);
    let status = engine.status();
    assert_eq!((status.cpu, status.gpu), (Some(ms(20)), Some(ms(10))));
    assert_eq!(engine.profile().stages[0].name, "upload");
    assert!(engine.device().contains('('), "{}", engine.device());
    // Switch several times.
    for (meter, to) in [(gpu_is_dear as fn(_, _) -> _, "cpu"), (gpu_is_cheap, "gpu"), (gpu_is_dear, "cpu")] {
        engine.meter = meter;
        let mut names = (0..100).map(|_| game.step(&mut engine, Ask::Details)).collect::<Vec<_>>();
        assert_eq!(names.last(), Some(&to));
        names.dedup();
        assert_eq!(names.len(), 2, "{names:?}");
    }
    // Other requests on the same world have contests of their own.
    engine.meter = gpu_is_cheap;
    for ask in [Ask::Flags, Ask::Pairs] {
        assert_eq!(game.step(&mut engine, ask), "cpu");
        game.until(&mut engine, ask, is_on_gpu);
    }
}

/// Opens a device with these limits, as a game does.
fn device(limits: &wgpu::Limits) -> (wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.expect("a GPU; `./test --setup` installs one in software");
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits.clone(), ..wgpu::DeviceDescriptor::default() };
    pollster::block_on(adapter.request_device(&descriptor)).expect("it opens")
}

#[test]
fn a_game_s_own_device_is_tried_and_replaced_when_lost() {
    let (options, limits) = (gpu::Options::default(), wgpu::Limits::default());
    let (own, other) = (device(&limits), device(&limits));
    let wrong = Engine::on(own.0.clone(), other.1.clone(), &cpu::Options::default(), &options);
    assert!(wrong.unwrap_err().to_string().contains("`queue`"));
    let mut engine = Engine::on(own.0.clone(), own.1, &cpu::Options::default(), &options).unwrap();
    engine.meter = gpu_is_cheap;
    let mut game = Game::new(60);
    game.until(&mut engine, Ask::Pairs, is_on_gpu);
    own.0.destroy();
    assert_eq!(game.step(&mut engine, Ask::Pairs), "cpu");
    assert!(matches!(engine.status().why, Why::NoGpu(_)), "{}", engine.status());
    assert!(engine.rebuild_on(other.0.clone(), device(&limits).1).is_err());
    assert!(matches!(engine.status().why, Why::NoGpu(_)), "it stays as it was");
    engine.rebuild_on(other.0, other.1).unwrap();
    game.until(&mut engine, Ask::Pairs, is_on_gpu);
}

#[test]
fn worlds_of_different_size_have_contests_of_their_own() {
    let (mut engine, mut large, mut small) = (engine(), Game::new(70), Game::new(20));
    large.until(&mut engine, Ask::Pairs, is_on_gpu);
    engine.meter = |side, _| if side == Side::Gpu { ms(10) } else { Duration::from_micros(10) };
    assert_eq!(small.step(&mut engine, Ask::Pairs), "gpu", "it begins as the next larger one goes on");
    small.until(&mut engine, Ask::Pairs, |engine| matches!(engine.status().why, Why::Cheap));
    for _ in 0..20 {
        assert_eq!(small.step(&mut engine, Ask::Pairs), "cpu");
        assert_eq!(large.step(&mut engine, Ask::Pairs), "gpu");
    }
}

#[test]
fn a_gpu_that_is_lost_leaves_its_step_to_the_cpu() {
    let (mut engine, mut game) = (engine(), Game::new(100));
    let adapter = gpu::find(&engine.options).unwrap();
    let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()));
    let (device, queue) = opened.unwrap();
    engine.gpu = Gpu::Open(Box::new(gpu::Engine::from_device(device.clone(), queue).unwrap()));
    game.until(&mut engine, Ask::Details, is_on_gpu);
    device.destroy();
    // `step` compares each answer with the definition.
    for _ in 0..100 {
        assert_eq!(game.step(&mut engine, Ask::Details), "cpu");
        assert!(matches!(engine.status().why, Why::NoGpu(Error::GpuLost { .. })), "{}", engine.status());
    }
    engine.rebuild();
    game.until(&mut engine, Ask::Details, is_on_gpu);
}

/// A world that does not fit on the GPU stays on the CPU; others go on. It is tried again later, as it may have shrunk.
#[test]
fn a_world_that_does_not_fit_is_left_to_the_cpu_alone() {
    let mut engine = engine();
    engine.options.limits = Some(wgpu::Limits {
        max_storage_buffer_binding_size: 1 << 16,
        max_buffer_size: 1 << 16,
        ..wgpu::Limits::default()
    });
    let (mut small, mut large) = (Game::new(60), Game::new(30));
    let mask = Mask::from_fn(1024, 1024, |_, _| true).unwrap();
    let shape = large.world.add_shape(Shape::sprite(mask)).unwrap();
    small.until(&mut engine, Ask::Pairs, is_on_gpu);
    // Its first step begins on the GPU, as those of the other world run there.
    for _ in 0..100 {
        assert_eq!(large.step(&mut engine, Ask::Pairs), "cpu");
        assert!(matches!(engine.status().why, Why::NoGpu(Error::Capacity { .. })), "{}", engine.status());
        assert_eq!(small.step(&mut engine, Ask::Pairs), "gpu");
        assert!(matches!(engine.status().why, Why::Cheaper), "{}", engine.status());
    }
    large.world.remove_shape(shape).unwrap();
    let tries = (0..2000).position(|_| large.step(&mut engine, Ask::Pairs) == "gpu");
    assert!(tries.is_some(), "{}", engine.status());
}

/// Options that the GPU engine refuses are refused at once, not once steps take long.
#[test]
fn options_and_devices_are_checked_at_once() {
    let cpu = cpu::Options::default();
    let none = gpu::Options::default();
    for (named, options) in
        [("`frames` is 0", none.clone().frames(0)), ("`candidates` is 0", none.clone().candidates(0))]
    {
        let (device, queue) = device(&wgpu::Limits::default());
        let on = Engine::on(device, queue, &cpu, &options).unwrap_err();
        for error in [Engine::with(&cpu, &options).unwrap_err(), on] {
            assert!(error.to_string().contains(named), "{error}");
        }
    }
    let mut engine = engine();
    let (device, queue) = device(&wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..wgpu::Limits::default() });
    let on = Engine::on(device.clone(), queue.clone(), &cpu, &none).unwrap_err();
    for error in [engine.rebuild_on(device, queue).unwrap_err(), on] {
        assert!(error.to_string().contains("max_storage_buffers_per_shader_stage"), "{error}");
    }
    assert!(engine.host.is_none(), "it stays as it was");
}

#[test]
fn a_gpu_that_cannot_be_opened_is_none() {
    let (mut engine, mut game) = (engine(), Game::new(50));
    engine.options.name = Some("no such GPU".into());
    game.until(&mut engine, Ask::Pairs, |engine| matches!(engine.status().why, Why::NoGpu(_)));
    for _ in 0..20 {
        assert_eq!(game.step(&mut engine, Ask::Pairs), "cpu");
    }
    assert!(engine.status().to_string().contains("no such GPU"), "{}", engine.status());
}

#[test]
fn a_gpu_in_software_is_only_tried_by_name() {
    let (mut engine, mut game) = (Engine::new().unwrap(), Game::new(50));
    engine.meter = gpu_is_cheap;
    let is_known = |engine: &Engine| matches!(engine.gpu, Gpu::Open(_) | Gpu::Gone(_));
    game.until(&mut engine, Ask::Pairs, is_known);
    match &engine.gpu {
        Gpu::Open(gpu) => assert!(!gpu.info().software || gpu::wanted(None).is_some()),
        Gpu::Gone(error) => assert!(error.to_string().contains("none in hardware"), "{error}"),
        gpu => panic!("{gpu:?}"),
    }
}

/// The engine is dropped in another thread.
#[test]
fn an_engine_may_be_dropped_while_a_gpu_is_opened() {
    let (mut engine, mut game) = (engine(), Game::new(50));
    game.until(&mut engine, Ask::Pairs, |engine| matches!(engine.gpu, Gpu::Opening(_)));
    std::thread::spawn(move || {
        game.step(&mut engine, Ask::Pairs);
        drop(engine);
    })
    .join()
    .unwrap();
}

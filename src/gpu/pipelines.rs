//! The pipelines of passes, each compiled when first needed or [ahead](super::ahead) of that, and their bindings.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use crate::ground::error::Result;

use super::binding::Binding;
use super::device::Gpu;
use super::lock::lock;
use super::pass::Pass;

/// The pipelines, one for each [`Pass`] once it is compiled.
#[derive(Debug)]
pub(super) struct Pipelines {
    gpu: Gpu,
    /// Whether to look columns up in tables in the sweep.
    tables: bool,
    /// Whether to sample small turned sprites.
    samples: bool,
    /// The places of the pipelines, by number of the pass.
    slots: Vec<Slot>,
    /// The modules in use, by name.
    modules: HashMap<&'static str, Mutex<Option<wgpu::ShaderModule>>>,
}

/// The place of a pipeline.
#[derive(Debug, Default)]
struct Slot {
    /// The pipeline, once it is compiled.
    made: OnceLock<Pipeline>,
    /// Held by the thread that compiles it.
    making: Mutex<()>,
}

/// The pipeline of a pass, with the layout of its bindings.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

impl Pipelines {
    /// Creates the collection, with no pipeline compiled. `tables` says whether the sweep looks columns up in tables,
    /// `samples` whether small turned sprites are sampled.
    pub(super) fn new(gpu: &Gpu, tables: bool, samples: bool) -> Self {
        Self {
            gpu: gpu.clone(),
            tables,
            samples,
            slots: Pass::ALL.iter().map(|_| Slot::default()).collect(),
            modules: Pass::ALL.iter().map(|pass| (pass.module().name, Mutex::new(None))).collect(),
        }
    }

    /// Returns whether a step may need a pass.
    pub(super) fn may_need(&self, pass: Pass) -> bool {
        pass != Pass::JudgeSampled || self.samples
    }

    /// Returns the pipeline of a pass; panics if it was not [compiled](Self::make).
    pub(super) fn get(&self, pass: Pass) -> &Pipeline {
        self.made_of(pass).get().expect("it is made before it is used")
    }

    fn made_of(&self, pass: Pass) -> &OnceLock<Pipeline> {
        &self.slots[pass as usize].made
    }

    /// Compiles those pipelines of `passes` that are missing. An error names a module that the driver rejected; the
    /// next call tries again.
    pub(super) fn make(&self, passes: &[Pass]) -> Result<()> {
        self.make_each(passes, || ())
    }

    /// As [`Pipelines::make`], and calls `made` once for each of `passes`, when its pipeline is there. Drivers take a
    /// tenth of a second for a pipeline, so this uses all cores.
    pub(super) fn make_each(&self, passes: &[Pass], mut made: impl FnMut()) -> Result<()> {
        let missing: Vec<Pass> = passes.iter().copied().filter(|&pass| self.made_of(pass).get().is_none()).collect();
        (missing.len()..passes.len()).for_each(|_| made());
        if missing.is_empty() {
            // Asking the system for the number of cores takes longer than all else that a step does here.
            return Ok(());
        }
        #[cfg(not(target_family = "wasm"))]
        {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            if missing.len().min(cores) > 1 {
                return self.make_in_threads(missing, cores, made);
            }
        }
        missing.into_iter().try_for_each(|pass| self.make_one(pass).map(|()| made()))
    }

    /// Compiles pipelines on all cores.
    #[cfg(not(target_family = "wasm"))]
    fn make_in_threads(&self, mut missing: Vec<Pass>, cores: usize, mut made: impl FnMut()) -> Result<()> {
        use std::panic::resume_unwind;
        use std::sync::atomic::{AtomicUsize, Ordering};
        use std::sync::mpsc::{Sender, channel};
        use std::thread;

        // Those that take long come first, so that no thread is left with one at the end.
        missing.sort_by_key(|pass| !pass.is_long());
        let next = AtomicUsize::new(0);
        let compile = |sender: Sender<Result<()>>| {
            while let Some(&pass) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                if sender.send(self.make_one(pass)).is_err() {
                    // Another thread has failed.
                    return;
                }
            }
        };
        let (sender, results) = channel();
        thread::scope(|scope| {
            let start = |_| {
                let (thread, sender) = (thread::Builder::new().name("hitmask compiler".into()), sender.clone());
                thread.spawn_scoped(scope, || compile(sender)).ok()
            };
            let threads: Vec<_> = (0..missing.len().min(cores)).map_while(start).collect();
            if threads.is_empty() {
                compile(sender);
            } else {
                drop(sender);
            }
            let answer = results.into_iter().try_for_each(|result| result.map(|()| made()));
            let panicked = threads.into_iter().find_map(|thread| thread.join().err());
            panicked.map_or(answer, |panic| resume_unwind(panic))
        })
    }

    fn make_one(&self, pass: Pass) -> Result<()> {
        let slot = &self.slots[pass as usize];
        let _making = lock(&slot.making);
        if slot.made.get().is_some() {
            return Ok(());
        }
        let name = pass.module().name;
        let module = &self.modules[name];
        let pipeline = self.gpu.scoped_for(Some(name), || {
            let shader = lock(module).get_or_insert_with(|| shader(&self.gpu, pass)).clone();
            Pipeline::new(&self.gpu.device, pass, &shader, self.tables)
        });
        // The next try creates it again.
        let pipeline = pipeline.inspect_err(|_| *lock(module) = None)?;
        // This thread holds the lock, so no other has set it.
        let _ = slot.made.set(pipeline);
        // A module is kept only while some of its pipelines are missing.
        let others = Pass::ALL.iter().filter(|other| other.module().name == pass.module().name);
        if others.into_iter().all(|&other| self.made_of(other).get().is_some()) {
            *lock(module) = None;
        }
        Ok(())
    }

    /// Returns the passes whose pipelines are compiled.
    #[cfg(test)]
    pub(super) fn made(&self) -> Vec<Pass> {
        Pass::ALL.iter().copied().filter(|&pass| self.made_of(pass).get().is_some()).collect()
    }
}

/// Creates the shader module of a pass.
fn shader(gpu: &Gpu, pass: Pass) -> wgpu::ShaderModule {
    let module = pass.module();
    gpu.shader(module.name, module.source(gpu.wide))
}

impl Pipeline {
    fn new(device: &wgpu::Device, pass: Pass, shader: &wgpu::ShaderModule, tables: bool) -> Self {
        let constants: &[(&str, f64)] =
            if pass == Pass::Sweep { &[("TABLES", f64::from(u8::from(tables)))] } else { &[] };
        let entry = pass.entry();
        let entries: Vec<_> = bound(pass).map(|(binding, ty)| layout_entry(binding, ty)).collect();
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(entry), entries: &entries });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(entry),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })),
            module: shader,
            entry_point: Some(entry),
            // The defaults zero workgroup memory, which the shaders rely on.
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        Self { pipeline, layout }
    }
}

/// Returns the bindings of a pass with their types, which are the same for all passes of a module.
pub(super) fn bound(pass: Pass) -> impl Iterator<Item = (Binding, wgpu::BufferBindingType)> {
    let module = pass.module();
    let storage = |read_only| move |&binding| (binding, wgpu::BufferBindingType::Storage { read_only });
    let uniform = [(Binding::Params, wgpu::BufferBindingType::Uniform)].into_iter();
    uniform.chain(module.reads.iter().map(storage(true))).chain(module.writes.iter().map(storage(false)))
}

fn layout_entry(binding: Binding, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            // Each dispatch has its own parameters, at its own offset.
            has_dynamic_offset: ty == wgpu::BufferBindingType::Uniform,
            min_binding_size: None,
        },
        count: None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::gpu::{Engine, Options, device};
    use crate::{Ask, Body, Linear, Mask, Shape, World, cpu};

    fn pipelines() -> Pipelines {
        let gpu = device::open(&Options::default()).expect("a GPU; `./test --setup` installs one in software");
        Pipelines::new(&gpu, true, true)
    }

    #[test]
    fn all_are_made_and_their_modules_let_go() {
        let pipelines = pipelines();
        pipelines.make(Pass::ALL).unwrap();
        assert_eq!(pipelines.made(), Pass::ALL);
        assert!(pipelines.modules.values().all(|module| lock(module).is_none()));
    }

    /// Two threads need the same pipelines at the same time, in different order.
    #[test]
    fn each_is_made_once_whoever_needs_it() {
        let pipelines = pipelines();
        let few: Vec<Pass> = Pass::ALL.iter().copied().filter(|pass| !pass.is_long()).collect();
        let back: Vec<Pass> = few.iter().rev().copied().collect();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| pipelines.make(&back));
            pipelines.make(&few).unwrap();
            assert_eq!(pipelines.made(), few);
            other.join().unwrap().unwrap();
        });
    }

    /// A module without the entry point stands in for one that a driver rejects. The error names it, and the next try
    /// creates it again.
    #[test]
    fn what_a_driver_refuses_is_named() {
        let pipelines = pipelines();
        let wrong = shader(&pipelines.gpu, Pass::Conclude);
        *lock(&pipelines.modules["sieve"]) = Some(wrong);
        let error = pipelines.make(&[Pass::Conclude, Pass::Sieve, Pass::Update]).unwrap_err().to_string();
        assert!(error.contains("the driver refused the shader `sieve`"), "{error}");
        assert!(!pipelines.made().contains(&Pass::Sieve));
        pipelines.make(&[Pass::Sieve, Pass::Update]).unwrap();
        assert_eq!(pipelines.made(), [Pass::Update, Pass::Sieve, Pass::Conclude]);
    }

    #[test]
    fn a_world_makes_those_that_it_needs_and_a_later_one_the_rest() {
        let mut engine = Engine::with(&Options { lazy: true, ..Options::default() }).unwrap();
        let mut needed = Vec::new();
        let mut step = |shape: &Shape, turned: f64, speed: f64, ask, more: &[Pass]| {
            let mut world = World::default();
            let shape = world.add_shape(shape.clone()).unwrap();
            for k in 0..20 {
                // Each body moves at its own speed.
                let body = Body::new(shape, [7.5 * f64::from(k), 0.0]).moving([speed * f64::from(k), 0.0]);
                world.add(&body.posed(Linear::from_degrees(turned))).unwrap();
            }
            let expected = cpu::Engine::new().unwrap().run(&world, ask).unwrap();
            assert!(!expected.pairs.is_empty());
            assert!(engine.run(&world, ask).unwrap() == expected, "{more:?}");
            needed.extend_from_slice(more);
            needed.sort_by_key(|pass| *pass as usize);
            assert_eq!(engine.shared.pipelines.made(), needed);
        };
        let square = Shape::rect(10.0, 10.0).unwrap();
        let ball = Shape::circle(5.0).unwrap();
        let sprite = Shape::sprite(Mask::from_rows(&vec!["#".repeat(10); 10]).unwrap());
        step(&square, 0.0, 0.0, Ask::Pairs, &[Pass::LandTiles, Pass::SweepAll, Pass::OrderFew]);
        step(&ball, 0.0, 0.0, Ask::Pairs, &[]);
        step(&sprite, 0.0, 0.0, Ask::Pairs, &[Pass::Sieve, Pass::JudgeMasks]);
        step(&sprite, 30.0, 0.0, Ask::Pairs, &[Pass::PickSprites, Pass::Paint]);
        step(&square, 30.0, 0.3, Ask::Pairs, &[Pass::JudgeConvex]);
        step(&ball, 0.0, 0.3, Ask::Pairs, &[]);
        step(&sprite, 0.0, 0.3, Ask::Pairs, &[Pass::JudgeSprites]);
        step(&sprite, 30.0, 0.0, Ask::Details, &[Pass::DetailSprites, Pass::Conclude]);
    }

    /// The thread that compiles pipelines ahead ends with the engine.
    #[test]
    fn an_engine_may_be_dropped_at_once() {
        for _ in 0..3 {
            let engine = Engine::new().unwrap();
            let pipelines = Arc::clone(&engine.shared.pipelines);
            drop(engine);
            assert_eq!(Arc::strong_count(&pipelines), 1);
        }
    }
}

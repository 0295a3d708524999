//! What is to be done on the GPU, in order, as plain data. What records knows no device, and what plays a recording
//! ([`step`](super::step)) does not know why.

pub(super) mod order;
pub(super) mod plan;
pub(super) mod sort;
pub(super) mod stages;

use super::binding::Binding;
use super::params::{PARAMS_STRIDE, Params};
use super::pass::Pass;

/// A stage of a step, by whose name its time is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Land,
    Sort,
    Sweep,
    Paint,
    Judge,
    Order,
    Details,
}

impl Stage {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Sort => "sort",
            Self::Sweep => "sweep",
            Self::Paint => "paint",
            Self::Judge => "judge",
            Self::Order => "order",
            Self::Details => "details",
        }
    }
}

/// The workgroups of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// So many; more than a dimension takes are folded into two.
    Of(u32),
    /// So many in each of two dimensions.
    Grid(u32, u32),
    /// So many at most, over a list whose length only the GPU knows: as many as keep the device busy, since each goes
    /// on to the next when it is done.
    Over(u32),
}

impl Groups {
    /// The workgroups in two dimensions: `wide` at most in the first, `busy` at most over a list.
    pub(super) fn dimensions(self, wide: u32, busy: u32) -> [u32; 2] {
        let folded = |groups: u32| {
            let wide = groups.clamp(1, wide);
            [wide, groups.div_ceil(wide)]
        };
        match self {
            Self::Of(groups) => folded(groups),
            Self::Grid(x, y) => [x, y],
            Self::Over(groups) => folded(groups.min(busy)),
        }
    }
}

/// A dispatch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispatch {
    pub(super) pass: Pass,
    pub(super) groups: Groups,
    pub(super) params: Params,
}

/// Something to be done.
#[expect(clippy::large_enum_variant, reason = "nearly all commands are dispatches")]
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    /// What follows belongs to this stage.
    Stage(Stage),
    /// Makes a buffer zero from byte `start` on.
    Clear { buffer: Binding, start: u64 },
    /// Copies the first `bytes` bytes of a buffer to the first of another.
    Copy { from: Binding, to: Binding, bytes: u64 },
    /// Runs a shader.
    Dispatch(Dispatch),
}

/// What is to be done, in this order. Each command sees what all earlier ones have written.
#[derive(Debug, Default)]
pub(super) struct Recording {
    commands: Vec<Command>,
    /// The buffers that a dispatch has made zero, and nothing has written since.
    zeros: Vec<Binding>,
}

impl Recording {
    pub(super) fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The passes of all dispatches.
    pub(super) fn passes(&self) -> Vec<Pass> {
        let passes = self.commands.iter().filter_map(|command| match command {
            Command::Dispatch(dispatch) => Some(dispatch.pass),
            _ => None,
        });
        passes.collect()
    }

    /// The parameters of all dispatches, one behind the other.
    pub(super) fn params(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for command in &self.commands {
            if let Command::Dispatch(dispatch) = command {
                bytes.extend_from_slice(bytemuck::bytes_of(&dispatch.params));
                bytes.resize(bytes.len().next_multiple_of(PARAMS_STRIDE as usize), 0);
            }
        }
        bytes
    }

    pub(super) fn stage(&mut self, stage: Stage) {
        self.commands.push(Command::Stage(stage));
    }

    /// Tells that the dispatch before has made a buffer zero where [`clear`](Self::clear) is to.
    pub(super) fn has_zeros(&mut self, buffer: Binding) {
        self.zeros.push(buffer);
    }

    /// Sees that a buffer is zero from byte `start` on, before something counts there.
    pub(super) fn clear(&mut self, buffer: Binding, start: u64) {
        match self.zeros.iter().position(|zero| *zero == buffer) {
            Some(at) => drop(self.zeros.swap_remove(at)),
            None => self.commands.push(Command::Clear { buffer, start }),
        }
    }

    /// Copies the first `bytes` bytes of a buffer to the first of another.
    pub(super) fn copy(&mut self, from: Binding, to: Binding, bytes: u64) {
        self.commands.push(Command::Copy { from, to, bytes });
    }

    pub(super) fn dispatch(&mut self, pass: Pass, groups: Groups, params: Params) {
        self.commands.push(Command::Dispatch(Dispatch { pass, groups, params }));
    }

    /// A dispatch with an invocation for each of `count` things.
    pub(super) fn dispatch_each(&mut self, pass: Pass, count: u32, params: Params) {
        self.dispatch(pass, Groups::Of(count.div_ceil(pass.group())), params);
    }

    /// A dispatch over a list of at most `most` things, whose invocations take one after the other.
    pub(super) fn dispatch_over(&mut self, pass: Pass, most: u32, params: Params) {
        self.dispatch(pass, Groups::Over(most.div_ceil(pass.group())), params);
    }
}

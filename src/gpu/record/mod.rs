//! The commands of a step, in order, as plain data. The code that records knows no device, and the code that plays a
//! recording ([`step`](super::step)) does not know the reasons.

pub(super) mod land;
pub(super) mod order;
pub(super) mod plan;
pub(super) mod sort;
pub(super) mod stages;

use super::binding::Binding;
use super::params::{PARAMS_STRIDE, Params};
use super::pass::Pass;

/// A stage of a step, under whose name its time is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Land,
    Sort,
    Sweep,
    Paint,
    Judge,
    Order,
    Details,
    Contacts,
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
            Self::Contacts => "contacts",
        }
    }
}

/// The workgroups of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// This many; more than fit in one dimension are folded into two.
    Of(u32),
    /// This many in each of two dimensions.
    Grid(u32, u32),
    /// At most this many, over a list whose length only the GPU knows: as many as keep the device busy, since each
    /// workgroup takes the next item when it is done.
    Over(u32),
}

impl Groups {
    /// Returns the workgroups in two dimensions: at most `wide` in the first, and at most `busy` in all over a list.
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

/// A command.
#[expect(clippy::large_enum_variant, reason = "nearly all commands are dispatches")]
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    /// Assigns the commands that follow to this stage.
    Stage(Stage),
    /// Clears a buffer to zero from byte `start` on.
    Clear { buffer: Binding, start: u64 },
    /// Copies the first `bytes` bytes of a buffer to the start of another.
    Copy { from: Binding, to: Binding, bytes: u64 },
    /// Runs a shader.
    Dispatch(Dispatch),
}

/// Commands in the order in which they run. Each command sees everything that earlier ones have written.
#[derive(Debug, Default)]
pub(super) struct Recording {
    commands: Vec<Command>,
    /// The buffers that a dispatch has cleared and nothing has written since.
    zeros: Vec<Binding>,
}

impl Recording {
    pub(super) fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Returns the passes of all dispatches.
    pub(super) fn passes(&self) -> Vec<Pass> {
        let passes = self.commands.iter().filter_map(|command| match command {
            Command::Dispatch(dispatch) => Some(dispatch.pass),
            _ => None,
        });
        passes.collect()
    }

    /// Returns the parameters of all dispatches, [`PARAMS_STRIDE`] bytes apart.
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

    /// Records that the dispatch before has cleared a buffer, so that the next [`clear`](Self::clear) need not.
    pub(super) fn has_zeros(&mut self, buffer: Binding) {
        self.zeros.push(buffer);
    }

    /// Makes sure that a buffer is zero from byte `start` on, before something counts there.
    pub(super) fn clear(&mut self, buffer: Binding, start: u64) {
        match self.zeros.iter().position(|zero| *zero == buffer) {
            Some(at) => drop(self.zeros.swap_remove(at)),
            None => self.commands.push(Command::Clear { buffer, start }),
        }
    }

    /// Copies the first `bytes` bytes of a buffer to the start of another.
    pub(super) fn copy(&mut self, from: Binding, to: Binding, bytes: u64) {
        self.commands.push(Command::Copy { from, to, bytes });
    }

    pub(super) fn dispatch(&mut self, pass: Pass, groups: Groups, params: Params) {
        self.commands.push(Command::Dispatch(Dispatch { pass, groups, params }));
    }

    /// Adds a dispatch with one invocation for each of `count` items.
    pub(super) fn dispatch_each(&mut self, pass: Pass, count: u32, params: Params) {
        self.dispatch(pass, Groups::Of(count.div_ceil(pass.group())), params);
    }

    /// Adds a dispatch over a list of at most `most` items, whose invocations take one item after the other.
    pub(super) fn dispatch_over(&mut self, pass: Pass, most: u32, params: Params) {
        self.dispatch(pass, Groups::Over(most.div_ceil(pass.group())), params);
    }
}

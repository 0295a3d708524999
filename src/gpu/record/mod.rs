//! What is to be done on the GPU, in order, as plain data. What records knows no device, and what plays a recording
//! ([`step`](super::step)) does not know why.

pub(super) mod scan;
pub(super) mod sort;
pub(super) mod stages;

use super::binding::Binding;
use super::params::Params;
use super::pass::Pass;
use super::slot::Slot;

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
    /// As many as an earlier dispatch has written down.
    Planned(Slot),
}

/// A dispatch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispatch {
    pub(super) pass: Pass,
    pub(super) groups: Groups,
    pub(super) params: Params,
    /// The buffer that stands for [`Binding::Values`], in a scan.
    pub(super) scanned: Option<Binding>,
}

/// Something to be done.
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
}

impl Recording {
    pub(super) fn commands(&self) -> &[Command] {
        &self.commands
    }

    pub(super) fn stage(&mut self, stage: Stage) {
        self.commands.push(Command::Stage(stage));
    }

    /// Makes a buffer zero from byte `start` on.
    pub(super) fn clear(&mut self, buffer: Binding, start: u64) {
        self.commands.push(Command::Clear { buffer, start });
    }

    /// Copies the first `bytes` bytes of a buffer to the first of another.
    pub(super) fn copy(&mut self, from: Binding, to: Binding, bytes: u64) {
        self.commands.push(Command::Copy { from, to, bytes });
    }

    pub(super) fn dispatch(&mut self, pass: Pass, groups: Groups, params: Params) {
        self.commands.push(Command::Dispatch(Dispatch { pass, groups, params, scanned: None }));
    }

    /// A dispatch with an invocation for each of `count` things.
    pub(super) fn dispatch_each(&mut self, pass: Pass, count: u32, params: Params) {
        self.dispatch(pass, Groups::Of(count.div_ceil(pass.group())), params);
    }

    /// A dispatch of a scan over the values of `scanned`.
    pub(super) fn dispatch_scan(&mut self, pass: Pass, scanned: Binding, groups: u32, params: Params) {
        let (groups, scanned) = (Groups::Of(groups), Some(scanned));
        self.commands.push(Command::Dispatch(Dispatch { pass, groups, params, scanned }));
    }
}

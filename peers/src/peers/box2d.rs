//! `Box2D`: the dynamic tree of its broad phase, in C, on one thread.
#![expect(unsafe_code, reason = "Box2D is called by its C interface")]

use std::ffi::{c_int, c_void};

use boxdd_sys::ffi::{
    B2_DEFAULT_CATEGORY_BITS, b2AABB, b2DynamicTree, b2DynamicTree_Create, b2DynamicTree_CreateProxy,
    b2DynamicTree_Destroy, b2DynamicTree_EnlargeProxy, b2DynamicTree_MoveProxy, b2DynamicTree_QueryAll,
    b2DynamicTree_Rebuild, b2Vec2,
};
use hitmask::geometry::Aabb;

use super::Peer;

/// A tree that sets its leaves to their boxes and is rebuilt above them.
pub(crate) type Box2dRebuilt = Box2d<true>;

/// A tree that removes and reinserts each leaf.
pub(crate) type Box2dIncremental = Box2d<false>;

/// A tree that is kept from step to step, and queried for each box. `REBUILT` says how it follows the bodies.
#[derive(Default)]
pub(crate) struct Box2d<const REBUILT: bool>(Tree);

impl<const REBUILT: bool> Peer for Box2d<REBUILT> {
    const NAME: &'static str = if REBUILT { "Box2D tree, rebuilt" } else { "Box2D tree, incremental" };
    const THREADS: &'static str = "one";
    const ORDERED: bool = true;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        self.0.follow(boxes, REBUILT);
        let mut pairs = Vec::new();
        let mut row = Row { i: 0, after: Vec::new() };
        for (i, b) in (0..).zip(boxes) {
            row.i = i;
            row.after.clear();
            self.0.ask(b, &mut row);
            row.after.sort_unstable();
            pairs.extend(row.after.iter().filter(|&&j| hits(i, j)).map(|&j| [i, j]));
        }
        pairs
    }
}

/// The boxes after `i` that a query has found.
struct Row {
    i: u32,
    after: Vec<u32>,
}

/// `Box2D`'s tree, and the proxy of each box in it.
struct Tree {
    raw: b2DynamicTree,
    proxies: Vec<c_int>,
}

// SAFETY: its pointers are to memory that nothing else refers to, and Box2D's trees are not bound to a thread.
unsafe impl Send for Tree {}

impl Default for Tree {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree was made by `b2DynamicTree_Create`, and it is not used afterwards.
        unsafe { b2DynamicTree_Destroy(&raw mut self.raw) }
    }
}

impl Tree {
    /// Creates the tree box by box, as `Box2D` adds them.
    fn new(boxes: &[Aabb]) -> Self {
        // SAFETY: any capacity is allowed.
        let mut raw = unsafe { b2DynamicTree_Create(boxes.len() as c_int) };
        let create = |(b, i): (&Aabb, u64)| {
            // SAFETY: the tree was made above.
            unsafe { b2DynamicTree_CreateProxy(&raw mut raw, aabb(b), B2_DEFAULT_CATEGORY_BITS.into(), i) }
        };
        let proxies = boxes.iter().zip(0..).map(create).collect();
        Self { raw, proxies }
    }

    /// Moves every leaf to its box; if the number of boxes has changed, creates the tree anew.
    fn follow(&mut self, boxes: &[Aabb], rebuild: bool) {
        if self.proxies.len() != boxes.len() {
            *self = Self::new(boxes);
        } else if rebuild {
            for (&proxy, b) in self.proxies.iter().zip(boxes) {
                // SAFETY: the proxy is the tree's.
                unsafe { b2DynamicTree_EnlargeProxy(&raw mut self.raw, proxy, aabb(b)) }
            }
        } else {
            for (&proxy, b) in self.proxies.iter().zip(boxes) {
                // SAFETY: the proxy is the tree's.
                unsafe { b2DynamicTree_MoveProxy(&raw mut self.raw, proxy, aabb(b)) }
            }
        }
        if rebuild {
            // SAFETY: nothing else borrows the tree; its leaves keep their proxies.
            unsafe { b2DynamicTree_Rebuild(&raw mut self.raw, true) };
        }
    }

    /// Appends to a row all boxes that meet its box and come after it.
    fn ask(&self, b: &Aabb, row: &mut Row) {
        // SAFETY: `found` casts its context to a `Row`, which it is, and nothing else refers to it meanwhile.
        unsafe { b2DynamicTree_QueryAll(&raw const self.raw, aabb(b), Some(found), (&raw mut *row).cast()) };
    }
}

/// Adds a box to the query's [`Row`], the context. `Box2D` calls it for each leaf that a query finds.
unsafe extern "C" fn found(_: c_int, j: u64, context: *mut c_void) -> bool {
    // SAFETY: `Tree::ask` passes its row, which it borrows for as long as the query runs.
    let row = unsafe { &mut *context.cast::<Row>() };
    if j > row.i.into() {
        row.after.push(j as u32);
    }
    true
}

fn aabb(b: &Aabb) -> b2AABB {
    b2AABB {
        lowerBound: b2Vec2 { x: b.min.x as f32, y: b.min.y as f32 },
        upperBound: b2Vec2 { x: b.max.x as f32, y: b.max.y as f32 },
    }
}

//! The buffers that shaders bind, each with its own number and name, the same in all modules.

use super::contact::RawContact;
use super::detail::RawDetail;
use super::header::Header;
use super::params::Params;
use crate::ground::aabb::Aabb;
use crate::world::packed::Shape;

/// Defines [`Binding`] from a row for each buffer: its number, its name in WGSL, the type of its elements, and its
/// purpose.
macro_rules! bindings {
    ($($binding:ident = $number:literal, $name:literal, $element:ty, $purpose:literal;)*) => {
        /// A buffer that shaders bind. The variant's number is the binding number in WGSL.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub(super) enum Binding {
            $(#[doc = $purpose] $binding = $number,)*
        }

        impl Binding {
            /// All bindings, in ascending order of number, without a gap.
            pub(super) const ALL: &[Self] = &[$(Self::$binding),*];

            /// Returns its name in WGSL.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$binding => $name,)*
                }
            }

            /// Returns a description of its content, for messages.
            pub(super) fn purpose(self) -> &'static str {
                match self {
                    $(Self::$binding => $purpose,)*
                }
            }

            /// Returns the bytes of an element.
            pub(super) fn element_size(self) -> u64 {
                let size = match self {
                    $(Self::$binding => size_of::<$element>(),)*
                };
                size as u64
            }

            /// Returns the name of an element's type in Rust.
            #[cfg(test)]
            pub(super) fn element(self) -> &'static str {
                match self {
                    $(Self::$binding => std::any::type_name::<$element>(),)*
                }
            }
        }
    };
}

bindings! {
    Params = 0, "params", Params, "the dispatch parameters";
    // Elements of four words: a body takes four elements for its form and one for its placement, twice if a step has
    // its own.
    Bodies = 1, "bodies", [u32; 4], "the bodies";
    Shapes = 2, "shapes", Shape, "the shapes";
    Atlas = 3, "atlas", u32, "the masks and vertices of shapes";
    Landed = 4, "landed", u32, "the landed vertices and painted masks of bodies";
    Bounds = 5, "bounds", Aabb, "the bounds of bodies";
    Rows = 6, "rows", u32, "the end of each body's pairs";
    Candidates = 7, "candidates", [u32; 2], "the candidate pairs";
    Sums = 8, "sums", u32, "the sums of blocks of rows";
    Verdicts = 9, "verdicts", u32, "the verdicts on candidates";
    Pairs = 10, "pairs", [u32; 2], "the pairs";
    Details = 11, "details", RawDetail, "the details of pairs";
    Progress = 12, "progress", [u32; 7], "the narrow phase's progress on each pair";
    // After the one element follow two bits for each body: whether it hits, and whether it is marked.
    Header = 13, "header", Header, "the counts and flags";
    Tiles = 14, "tiles", Aabb, "the bounds of tiles and blocks";
    Elements = 15, "elements", [u32; 2], "the elements to sort";
    Boxes = 16, "boxes", Aabb, "the bounds of bodies by rank";
    Filters = 17, "filters", [u32; 4], "the filters of bodies by rank, of tiles and of blocks";
    Swept = 18, "swept", u32, "the sweep's progress on each tile";
    DigitCounts = 19, "digit_counts", u32, "the counts of digits";
    Picked = 20, "picked", u32, "the sprites to paint";
    Changed = 21, "changed", [u32; 4], "the changes to bodies";
    Positions = 22, "positions", u32, "the positions on the GPU";
    Motions = 23, "motions", u32, "the motions on the GPU";
    Linears = 24, "linears", u32, "the linear parts on the GPU";
    ShapeNumbers = 25, "shape_numbers", u32, "the shape numbers on the GPU";
    Enabled = 26, "enabled", u32, "the bodies' enabled flags on the GPU";
    Contacts = 27, "contacts", RawContact, "the ways out of pairs";
}

impl Binding {
    /// Returns the bytes of `elements` elements.
    pub(super) fn bytes(self, elements: u64) -> u64 {
        elements * self.element_size()
    }
}

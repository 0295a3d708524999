//! Tests of the shaders through naga: they are valid and within wgpu's default limits, and their struct layouts,
//! constants, entry points and bindings equal those of the host.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, Expression, GlobalVariable, Handle, Literal, Module, Statement, StorageAccess, Type, TypeInner,
};

use super::binding::Binding;
use super::contact::RawContact;
use super::contact::limits::{LARGE, MOST_EDGES, MOST_NEAR, MOST_SETS};
use super::detail::RawDetail;
use super::header::{Header, LISTS};
use super::modules::Wide;
use super::params::Params;
use super::pass::{GROUP, LARGE_GROUP, Pass};
use super::record::order::{FEW_CANDIDATES, LONG_ROW, SCAN_BLOCK};
use super::record::sort::{DIGIT_BITS, MEASURED, SORT_BLOCK};
use super::record::stages::{ROWS_EACH, TILE};
use super::twins::by_bounds;
use super::whole::Whole;
use super::{limits, modules, pipelines};
use crate::Touch;
use crate::cpu::narrow::seen::SIDE;
use crate::geometry::Aabb;
use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION};
use crate::ground::linear::{SCALE_BITS, Snapped};
use crate::ground::ticks::{MIXED_STRAY, SPRITES_STRAY, TICKS};
use crate::host::contact;
use crate::world::packed;
use crate::world::pieces::{FAR, NODE_WORDS, PART_WORDS};

/// A module, parsed and validated by naga.
struct Shader {
    name: &'static str,
    module: Module,
    info: ModuleInfo,
}

/// Returns all modules, validated: with integers made of words, without any capability that a WebGPU device may lack;
/// modules that use wide integers also with native ones.
fn shaders() -> Vec<Shader> {
    let read = |module: modules::Module, wide, capabilities| {
        let (name, source) = (module.name, module.source(wide));
        let parsed = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| {
            panic!("{}", error.emit_to_string_with_path(&source, name));
        });
        let info = Validator::new(ValidationFlags::all(), capabilities).validate(&parsed);
        let info = info.unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(&source, name)));
        Shader { name, module: parsed, info }
    };
    let words = modules::ALL.iter().map(|module| read(*module, Wide::Words, Capabilities::empty()));
    let native = modules::ALL.iter().filter(|module| module.has_wide());
    words.chain(native.map(|module| read(*module, Wide::Native, Capabilities::SHADER_INT64))).collect()
}

/// A buffer as a module declares it.
#[derive(Debug, PartialEq, Eq)]
struct Declared<'a> {
    name: &'a str,
    kind: wgpu::BufferBindingType,
    /// The name of its element in Rust, without the path.
    element: String,
    element_size: u64,
}

impl Shader {
    /// Returns each struct with its size and its members' names and offsets.
    fn structs(&self) -> impl Iterator<Item = (&str, usize, Vec<(&str, usize)>)> {
        self.module.types.iter().filter_map(|(_, ty)| match &ty.inner {
            TypeInner::Struct { members, span } => {
                let members = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize));
                Some((ty.name.as_deref()?, *span as usize, members.collect()))
            }
            _ => None,
        })
    }

    /// Returns the integer constants.
    fn integers(&self) -> impl Iterator<Item = (&str, i64)> {
        self.module.constants.iter().filter_map(|(_, constant)| {
            let value = match self.module.global_expressions[constant.init] {
                Expression::Literal(Literal::U32(v)) => v.into(),
                Expression::Literal(Literal::I32(v)) => v.into(),
                _ => return None,
            };
            Some((constant.name.as_deref()?, value))
        })
    }

    /// Returns the value of a constant expression, if it is an integer or a `Double` not below zero.
    fn number(&self, at: Handle<Expression>) -> Option<f64> {
        match &self.module.global_expressions[at] {
            Expression::Literal(Literal::U32(v)) => Some((*v).into()),
            Expression::Literal(Literal::I32(v)) => Some((*v).into()),
            Expression::Constant(constant) => self.number(self.module.constants[*constant].init),
            Expression::Compose { components, .. } => {
                let &[_, exponent, digits] = &components[..] else { return None };
                let Expression::Compose { components, .. } = &self.module.global_expressions[digits] else {
                    return None;
                };
                let &[low, high] = &components[..] else { return None };
                let digits = self.number(low)? + self.number(high)? * f64::from(2).powi(32);
                Some(digits * f64::from(2).powi(self.number(exponent)? as i32))
            }
            _ => None,
        }
    }

    /// Returns the buffers that it declares, by binding number.
    fn bindings(&self) -> BTreeMap<u32, Declared<'_>> {
        let declared = self.module.global_variables.iter().filter_map(|(_, variable)| {
            let number = variable.binding.as_ref()?.binding;
            let kind = match variable.space {
                AddressSpace::Uniform => wgpu::BufferBindingType::Uniform,
                AddressSpace::Storage { access } => {
                    wgpu::BufferBindingType::Storage { read_only: !access.contains(StorageAccess::STORE) }
                }
                space => panic!("{number} is bound in {space:?}"),
            };
            let element = match self.module.types[variable.ty].inner {
                TypeInner::Array { base, .. } => base,
                _ => variable.ty,
            };
            let ty = &self.module.types[element];
            let name = variable.name.as_deref().unwrap();
            Some((number, Declared { name, kind, element: rust_name(ty), element_size: self.size(ty) }))
        });
        declared.collect()
    }

    /// Returns the bytes of a type; for a struct that ends in an array without length, those before the array.
    fn size(&self, ty: &Type) -> u64 {
        match &ty.inner {
            TypeInner::Struct { members, span } => match members.last() {
                Some(last) if self.module.types[last.ty].inner.is_dynamically_sized(&self.module.types) => {
                    last.offset.into()
                }
                _ => (*span).into(),
            },
            inner => inner.size(self.module.to_ctx()).into(),
        }
    }
}

/// Returns the name in Rust of a WGSL type.
fn rust_name(ty: &Type) -> String {
    let word = |scalar| {
        assert_eq!(scalar, naga::Scalar::U32);
        "u32"
    };
    match ty.inner {
        // An atomic word has the size of a plain one, and the host treats it as one.
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => word(scalar).into(),
        TypeInner::Vector { size, scalar } => format!("[{}; {}]", word(scalar), size as u32),
        _ => ty.name.clone().expect("it is a struct"),
    }
}

/// Describes a `#[repr(C)]` struct of Rust as [`Shader::structs`] describes one of WGSL; a member `outer.inner` is
/// named `inner`.
macro_rules! host_struct {
    ($name:literal, $ty:ty, $($member:ident $(.$inner:ident)?)*) => {
        ($name, size_of::<$ty>(), vec![$({
            let path = [stringify!($member), $(stringify!($inner))?];
            (path[path.len() - 1], offset_of!($ty, $member $(.$inner)?))
        }),*])
    };
}

#[test]
fn structs_lie_in_memory_as_on_the_host() {
    let host = [
        host_struct!("Aabb", Aabb, min max),
        host_struct!("Snapped", Snapped, x y),
        host_struct!("Body", packed::Body,
            position motion linear extent shape radius filter.layers filter.mask filter.group flags landed scale),
        host_struct!("Shape", packed::Shape, first stride vertices corners size anchor solid radius thinnest seams unused),
        host_struct!("RawContact", RawContact, normal depth state push unused),
        host_struct!("RawDetail", RawDetail, time area bounds first sprite unfinished sum_x sum_y),
        host_struct!("Params", Params,
            positions motions linears shape_numbers enabled bodies touch sorted paints samples first_row end_row candidate_room detail_room tiles_each fuel sentinel
            placed posed landed_room paint_most lone_layers body_room asked sorts_pairs pairs_each vertices changed key_bits first_tile part parts round if_whole first_pair
            elements all_pairs word shift source sink),
    ];
    let (_, header_size, mut header) = host_struct!("Header", Header,
        pairs complete skipped whole dispatch draw cut swept candidates candidates_high lists unjudged undetailed judge_rounds
        detail_rounds contacted contact_rounds long_rows too_many paintings key_passes landed landed_high min_x min_y max_x max_y sizes unused);
    // The flags are not part of the host's struct.
    header.push(("flags", header_size));
    for shader in shaders() {
        let structs: BTreeMap<_, _> = shader.structs().map(|(name, size, members)| (name, (size, members))).collect();
        for (name, size, members) in &host {
            assert_eq!(structs.get(name), Some(&(*size, members.clone())), "{name} in {}", shader.name);
        }
        let (_, members) = structs.get("Header").unwrap();
        assert_eq!(members, &header, "Header in {}", shader.name);
    }
}

#[test]
fn numbers_of_ways_out_are_the_hosts() {
    let shader = shaders().into_iter().find(|shader| shader.name == "contact_convex").unwrap();
    for (name, value) in contact::SHARED {
        let mut constants = shader.module.constants.iter();
        let constant = constants.find(|(_, constant)| constant.name.as_deref() == Some(name)).unwrap().1;
        assert_eq!(shader.number(constant.init), Some(value), "{name}");
    }
}

#[test]
fn constants_are_the_hosts() {
    let host: BTreeMap<_, i64> = BTreeMap::from([
        ("SPRITE", packed::SPRITE.into()),
        ("UNTURNED", packed::UNTURNED.into()),
        ("EMPTY", packed::EMPTY.into()),
        ("ALIGNED", packed::ALIGNED.into()),
        ("NOT_LANDED", packed::NOT_LANDED.into()),
        ("TOUCH_EXCLUDED", (Touch::Excluded as u32).into()),
        ("TOUCH_INCLUDED", (Touch::Included as u32).into()),
        ("TICKS", TICKS.into()),
        ("SPRITES_STRAY", SPRITES_STRAY.into()),
        ("MIXED_STRAY", MIXED_STRAY.into()),
        ("SIDE", SIDE.into()),
        ("MAX_COORDINATE", MAX_COORDINATE.into()),
        ("MAX_MOTION", MAX_MOTION.into()),
        ("OFF", packed::OFF.into()),
        ("FREE", packed::FREE.into()),
        ("DETECTOR", packed::DETECTOR.into()),
        ("WORD", u32::BITS.into()),
        ("NEVER", u32::MAX.into()),
        ("GROUP", GROUP.into()),
        ("LARGE_GROUP", LARGE_GROUP.into()),
        ("TILE", TILE.into()),
        ("ROWS_EACH", ROWS_EACH.into()),
        ("SCAN_BLOCK", SCAN_BLOCK.into()),
        ("FEW_CANDIDATES", FEW_CANDIDATES.into()),
        ("LONG_ROW", LONG_ROW.into()),
        ("VALUES_EACH", (SCAN_BLOCK / LARGE_GROUP).into()),
        ("BODIES_EACH", (MEASURED / LARGE_GROUP).into()),
        ("SORT_BLOCK", SORT_BLOCK.into()),
        ("ELEMENTS_EACH", (SORT_BLOCK / LARGE_GROUP).into()),
        ("DIGIT_BITS", DIGIT_BITS.into()),
        ("DIGITS", 1 << DIGIT_BITS),
        ("LISTS", LISTS.len() as i64),
        ("BOX", by_bounds::BOX.into()),
        ("DISC", by_bounds::DISC.into()),
        ("SMALL_TURNED", by_bounds::SMALL_TURNED.into()),
        ("OTHER", by_bounds::OTHER.into()),
        ("DETECTING", by_bounds::DETECTING.into()),
        ("NODE_WORDS", NODE_WORDS as i64),
        ("PART_WORDS", PART_WORDS as i64),
        ("SCALE_BITS", SCALE_BITS.into()),
        ("FAR", FAR.into()),
        ("OWNER_WORDS", (LARGE_GROUP / u32::BITS).into()),
        ("FLAGS_WHOLE", Whole::FLAGS.bits().into()),
        ("PAIRS_WHOLE", Whole::PAIRS.bits().into()),
        ("ORDER_WHOLE", Whole::ORDER.bits().into()),
        ("DETAILS_WHOLE", Whole::DETAILS.bits().into()),
        ("CONTACTS_WHOLE", Whole::CONTACTS.bits().into()),
        ("MOST_EDGES", MOST_EDGES as i64),
        ("MOST_NEAR", MOST_NEAR as i64),
        ("MOST_SETS", MOST_SETS as i64),
        ("LARGE", LARGE.into()),
        ("FOUND", RawContact::FOUND.into()),
        ("LEFT_TO_HOST", RawContact::LEFT_TO_HOST.into()),
        ("LACKS_ROOM", Whole::LACKS_ROOM.bits().into()),
        ("LACKS_FUEL", Whole::LACKS_FUEL.bits().into()),
        ("UNSORTED", Whole::UNSORTED.bits().into()),
        ("SEVERAL_RUNS", Whole::SEVERAL_RUNS.bits().into()),
    ]);
    let shaders = shaders();
    let mut seen = BTreeSet::new();
    for shader in &shaders {
        // The host does not have the other constants.
        for (name, value) in shader.integers().filter(|(name, _)| host.contains_key(name)) {
            assert_eq!(value, host[name], "{name} in {}", shader.name);
            seen.insert(name);
        }
    }
    assert_eq!(seen, host.into_keys().collect(), "a constant is gone");
}

#[test]
fn every_entry_point_is_a_pass_and_has_its_workgroups() {
    let shaders = shaders();
    let entries = |shader: &Shader| {
        let entries = shader.module.entry_points.iter();
        entries.map(|entry| (entry.name.clone(), entry.workgroup_size)).collect::<BTreeMap<_, _>>()
    };
    for shader in &shaders {
        let passes = Pass::ALL.iter().filter(|pass| pass.module().name == shader.name);
        let passes: BTreeMap<_, _> = passes.map(|pass| (pass.entry().to_owned(), [pass.group(), 1, 1])).collect();
        assert_eq!(entries(shader), passes, "{}", shader.name);
        // The function that numbers invocations relies on workgroups of this size.
        for entry in &shader.module.entry_points {
            let calls = entry.function.body.iter().filter_map(|statement| match statement {
                Statement::Call { function, .. } => shader.module.functions[*function].name.as_deref(),
                _ => None,
            });
            let counted = calls.filter(|name| *name == "invocation").count();
            assert!(counted == 0 || entry.workgroup_size == [GROUP, 1, 1], "{}", entry.name);
        }
    }
    let tiled = [Pass::LandTiles, Pass::BoundTiles, Pass::BoundBlocks, Pass::Sweep, Pass::SweepAll];
    assert!(tiled.iter().all(|pass| pass.group() == TILE), "an invocation has a body of a tile");
}

#[test]
fn every_entry_point_keeps_to_what_is_asked_of_a_device() {
    let usual = wgpu::Limits::default();
    let (storage, invocations, shared) = (limits::STORAGE, limits::INVOCATIONS, limits::SHARED);
    assert!(storage <= usual.max_storage_buffers_per_shader_stage);
    assert!(invocations <= usual.max_compute_invocations_per_workgroup);
    assert!(shared <= usual.max_compute_workgroup_storage_size);
    for Shader { name, module, info, .. } in &shaders() {
        assert!(!module.entry_points.is_empty(), "{name} has no entry point");
        let globals = &module.global_variables;
        // All declared buffers count, since a layout has every buffer of the module, even if the entry point does not
        // use it.
        let buffers = globals.iter().filter(|(_, global)| matches!(global.space, AddressSpace::Storage { .. })).count();
        assert!(buffers <= storage as usize, "{name} declares {buffers} buffers");
        for (i, entry) in module.entry_points.iter().enumerate() {
            let used = |global: Handle<GlobalVariable>| !info.get_entry_point(i)[global].is_empty();
            let workgroups = globals
                .iter()
                .filter(|(handle, global)| matches!(global.space, AddressSpace::WorkGroup) && used(*handle));
            // wgpu rounds each size up to 16 bytes.
            let size = |ty| module.types[ty].inner.size(module.to_ctx()).next_multiple_of(16);
            let bytes: u32 = workgroups.map(|(_, global)| size(global.ty)).sum();
            assert!(bytes <= shared, "{} shares {bytes} bytes", entry.name);
            let group: u32 = entry.workgroup_size.iter().product();
            assert!(group <= invocations, "{}: {group}", entry.name);
        }
        for (handle, global) in globals.iter() {
            let used = (0..module.entry_points.len()).any(|i| !info.get_entry_point(i)[handle].is_empty());
            assert!(used, "{name} declares `{}` and never uses it", global.name.as_deref().unwrap());
        }
    }
}

#[test]
fn every_module_binds_what_the_host_says() {
    for (k, binding) in Binding::ALL.iter().enumerate() {
        assert_eq!(*binding as usize, k, "numbers ascend without a gap");
    }
    let shaders = shaders();
    let mut bound = BTreeSet::new();
    for pass in Pass::ALL {
        let shader = shaders.iter().find(|shader| shader.name == pass.module().name).expect("its module is one of all");
        let mut declared = shader.bindings();
        for (binding, kind) in pipelines::bound(*pass) {
            let what = format!("{binding:?} in {}", shader.name);
            let found = declared.remove(&(binding as u32)).unwrap_or_else(|| panic!("{what} is not declared"));
            let (path, element_size) = (binding.element(), binding.element_size());
            let element = match binding {
                // The host sees structs that only shaders look into as arrays of words.
                Binding::Progress => "Progress",
                Binding::Filters => "Filter",
                _ => path.rsplit("::").next().unwrap(),
            };
            let element = element.to_owned();
            assert_eq!(found, Declared { name: binding.name(), kind, element, element_size }, "{what}");
            bound.insert(binding);
        }
        assert!(declared.is_empty(), "{} declares {declared:?} too", shader.name);
    }
    assert!(bound.iter().eq(Binding::ALL), "bound are {bound:?}");
}

#[test]
fn every_file_is_part_of_a_module() {
    let shaders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let files = |folder: &str| {
        let files = shaders.join(folder).read_dir().unwrap().map(|file| file.unwrap().path());
        files.map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), file)).collect::<BTreeMap<_, _>>()
    };
    let sources = Wide::ALL.map(|wide| modules::ALL.map(|module| module.source(wide))).concat();
    for (_, file) in files("shared") {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(sources.iter().any(|source| source.contains(&text)), "{} is part of no module", file.display());
    }
    let stages = files("stages");
    assert!(stages.keys().map(String::as_str).eq(BTreeSet::from(modules::ALL.map(|module| module.name))));
}

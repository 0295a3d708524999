//! The shaders as naga reads them: they are valid and keep to wgpu's default limits, and what they lay out, number and bind is what
//! the host lays out, numbers and binds.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use super::params::{Changed, Header, Params, RawDetail};
use super::{limits, modules, scan, sort, stages};
use crate::ground::linear::Snapped;
use crate::world::packed;
use crate::world::pose::land::STRAY;
use crate::{Aabb, Touch, gpu};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, GlobalVariable, Handle, Literal, Module, TypeInner};

/// A module, and what naga knows of it.
struct Shader {
    name: &'static str,
    source: String,
    module: Module,
    info: ModuleInfo,
}

/// All modules, validated: without any capability that a WebGPU device may lack.
fn shaders() -> Vec<Shader> {
    let read = |module: modules::Module| {
        let (name, source) = (module.name, module.source());
        let parsed = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| {
            panic!("{}", error.emit_to_string_with_path(&source, name));
        });
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&parsed);
        let info = info.unwrap_or_else(|error| panic!("{}", error.emit_to_string_with_path(&source, name)));
        Shader { name, source, module: parsed, info }
    };
    modules::ALL.map(read).into()
}

impl Shader {
    /// The size of each struct, and its members' names and offsets.
    fn structs(&self) -> impl Iterator<Item = (&str, usize, Vec<(&str, usize)>)> {
        self.module.types.iter().filter_map(|(_, ty)| match &ty.inner {
            TypeInner::Struct { members, span } => {
                let members = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize));
                Some((ty.name.as_deref()?, *span as usize, members.collect()))
            }
            _ => None,
        })
    }

    /// The constants that are integers.
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

    /// What is bound: the number, the name and the type of an element.
    fn bindings(&self) -> impl Iterator<Item = (u32, &str, String)> {
        self.module.global_variables.iter().filter_map(|(_, variable)| {
            let number = variable.binding.as_ref()?.binding;
            let ty = &self.module.types[variable.ty];
            let element = match ty.inner {
                TypeInner::Array { base, .. } => &self.module.types[base],
                _ => ty,
            };
            let what = element.name.clone().unwrap_or_else(|| format!("{:?}", element.inner));
            Some((number, variable.name.as_deref().unwrap(), what))
        })
    }
}

/// A `#[repr(C)]` struct of Rust as [`Shader::structs`] tells of one of WGSL.
macro_rules! host_struct {
    ($name:literal, $ty:ty, $($member:ident)*) => {
        ($name, size_of::<$ty>(), vec![$((stringify!($member), offset_of!($ty, $member))),*])
    };
}

#[test]
fn structs_lie_in_memory_as_on_the_host() {
    let host = [
        host_struct!("Aabb", Aabb, min max),
        host_struct!("Snapped", Snapped, x y),
        host_struct!("Body", packed::Body,
            position motion linear extent shape radius layer hits flags slot),
        host_struct!("Shape", packed::Shape, first stride vertices corners size anchor),
        host_struct!("Detail", RawDetail, time area bounds first sprite unfinished sum_x sum_y),
        host_struct!("Params", Params,
            bodies touch sorted first_row last_row first count capacity tiles shift source sink resume fuel paints
            sentinel groups),
        host_struct!("Changed", Changed, body index unused),
    ];
    let (_, header_size, mut header) = host_struct!("Header", Header,
        pairs complete cut swept candidates candidates_high listed small_masks large_masks others unjudged undetailed long_rows longest_rows paintings idle_passes
        cell axis_bits typical min_x min_y max_x max_y sizes unused);
    // The host keeps the flags apart.
    header.push(("flags", header_size));
    for shader in shaders() {
        let structs: BTreeMap<_, _> = shader.structs().map(|(name, size, members)| (name, (size, members))).collect();
        for (name, size, members) in &host {
            assert_eq!(structs.get(name), Some(&(*size, members.clone())), "{name} in {}", shader.name);
        }
        let (_, members) = structs.get("Header").unwrap();
        assert_eq!(members, &header, "Header in {}", shader.name);
        // Of this, the host knows but the size.
        let progress = structs.get("Progress").map_or(gpu::PROGRESS_SIZE, |(size, _)| *size as u64);
        assert_eq!(progress, gpu::PROGRESS_SIZE, "Progress in {}", shader.name);
    }
}

#[test]
fn constants_are_the_hosts() {
    let host = BTreeMap::from([
        ("SPRITE", packed::SPRITE.into()),
        ("UNTURNED", packed::UNTURNED.into()),
        ("EMPTY", packed::EMPTY.into()),
        ("ALIGNED", packed::ALIGNED.into()),
        ("NO_SLOT", packed::NO_SLOT.into()),
        ("TOUCH_EXCLUDED", (Touch::Excluded as u32).into()),
        ("TOUCH_INCLUDED", (Touch::Included as u32).into()),
        ("STRAY", STRAY.into()),
        ("WORD", u32::BITS.into()),
        ("NEVER", u32::MAX.into()),
        ("TILE", gpu::TILE.into()),
        ("ROWS_EACH", stages::ROWS_EACH.into()),
        ("AT_ONCE", gpu::AT_ONCE.into()),
        ("BLOCK", scan::BLOCK.into()),
        // The invocations of a group, and the values or bodies of each.
        ("GROUP", 256),
        ("RUN", i64::from(scan::BLOCK) / 256),
        ("DIGIT_BITS", sort::DIGIT_BITS.into()),
        ("DIGITS", 1 << sort::DIGIT_BITS),
        ("SORT_BLOCK", sort::SORT_BLOCK.into()),
        ("ROUNDS", i64::from(sort::SORT_BLOCK) / 256),
        ("PASSES", 32 / i64::from(sort::DIGIT_BITS)),
        ("LISTED", stages::LISTED.into()),
        ("LONG_ROWS", stages::LONG_ROWS.into()),
        ("PAINTINGS", stages::PAINTINGS.into()),
        ("PAIRS", stages::PAIRS.into()),
        ("SMALL_MASKS", stages::SMALL_MASKS.into()),
        ("LARGE_MASKS", stages::LARGE_MASKS.into()),
        ("FIRST_PART", stages::FIRST_PART.into()),
    ]);
    let shaders = shaders();
    let mut seen = BTreeSet::new();
    for shader in &shaders {
        // Others are the shaders' own.
        for (name, value) in shader.integers().filter(|(name, _)| host.contains_key(name)) {
            assert_eq!(value, host[name], "{name} in {}", shader.name);
            seen.insert(name);
        }
    }
    assert_eq!(seen, host.into_keys().collect(), "a constant is gone");
}

#[test]
fn workgroups_are_as_large_as_the_host_counts() {
    for shader in shaders() {
        let expected = match shader.name {
            "broad" | "all_pairs" | "tiles" => gpu::TILE,
            "scan" | "sort" | "keys" => 256,
            _ => gpu::GROUP,
        };
        for entry in &shader.module.entry_points {
            let expected = match entry.name.as_str() {
                name if name.starts_with("plan_") || name == "conclude" => 1,
                "sort_long_rows" => 256,
                _ => expected,
            };
            assert_eq!(entry.workgroup_size, [expected, 1, 1], "{}", entry.name);
        }
        // What tells an invocation its number must know how many there are.
        let sizes = shader.source.split("invocation(group, groups, local, ").skip(1);
        for size in sizes.map(|rest| rest.split(')').next().unwrap()) {
            assert_eq!(size, format!("{expected}u"), "{}", shader.name);
        }
    }
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
        // Also what an entry point does not use takes a place in its layout, which is made of all that is declared.
        let buffers = globals.iter().filter(|(_, global)| matches!(global.space, AddressSpace::Storage { .. })).count();
        assert!(buffers <= storage as usize, "{name} declares {buffers} buffers");
        for (i, entry) in module.entry_points.iter().enumerate() {
            let used = |global: Handle<GlobalVariable>| !info.get_entry_point(i)[global].is_empty();
            let workgroups = globals
                .iter()
                .filter(|(handle, global)| matches!(global.space, AddressSpace::WorkGroup) && used(*handle));
            // As wgpu counts them.
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
fn a_number_binds_the_same_everywhere() {
    // Private to the engine, but to be read: `pub(super) const NAME: u32 = NUMBER;`.
    let buffers = include_str!("buffers.rs").lines().filter_map(|line| {
        let (name, number) = line.strip_prefix("pub(super) const ")?.split_once(": u32 = ")?;
        Some((number.strip_suffix(';')?.parse().ok()?, name.to_lowercase()))
    });
    let buffers: BTreeMap<u32, String> = buffers.collect();
    let shaders = shaders();
    let mut elements = BTreeMap::new();
    for shader in &shaders {
        for (number, name, element) in shader.bindings() {
            assert_eq!(buffers.get(&number).map(String::as_str), Some(name), "binding {number} in {}", shader.name);
            assert_eq!(elements.entry(number).or_insert(element.clone()), &element, "`{name}` in {}", shader.name);
        }
    }
    assert!(elements.keys().eq(buffers.keys()), "bound: {elements:?}, there are: {buffers:?}");
}

#[test]
fn every_file_is_part_of_a_module() {
    let sources: Vec<String> = modules::ALL.iter().map(modules::Module::source).collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let files: Vec<_> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(sources.iter().any(|source| source.contains(&text)), "{} is part of no module", file.display());
    }
}

//! The self-test: before an engine uses a device, the device has to compute known answers.
//!
//! Some drivers have compiled shaders wrongly. So one small compute pass runs each function of the wide arithmetic, and
//! those that the exact predicate is built from, on 24 inputs each, and compares the answers bit by bit with those of
//! the twins on the host.
//!
//! The search of the predicate itself is left out: on lavapipe, whose compiler is slow, compiling it would take half as
//! long as all shaders of a world of boxes, and the rest of the self-test already takes a tenth of the time to the
//! first answer. A driver that errs only in larger shaders goes unnoticed here; `hitmask verify` compares whole
//! answers.

use super::binding::Binding;
use super::device::{Gpu, GpuInfo};
use super::fault::PATIENCE;
use super::limits;
use super::modules::Wide;
use super::twins::{GROUP, LANDED, Twin, WORDS, has_area, parts, send, source, upload, wide_integers};
use crate::ground::error::{Error, Result};

/// The number of inputs of each function. The inputs of all functions fit in the smallest buffer that the engine
/// accepts.
const CASES: usize = 24;

/// Returns all functions to test. Callees come before their callers, so that the first wrong answer names the function
/// at fault.
fn twins() -> Vec<Twin> {
    wide_integers().into_iter().chain(parts()).chain([has_area()]).collect()
}

/// Returns the source of the shader that runs them.
pub(crate) fn shader(wide: Wide) -> String {
    source(&twins(), CASES, WORDS, &[LANDED], wide)
}

/// Returns an error if the device answers wrongly. Blocks natively, and leaves the waiting to the event loop in a
/// browser.
pub(super) async fn check(gpu: &Gpu, info: &GpuInfo) -> Result<()> {
    compare(gpu, info, &twins(), shader(gpu.wide)).await
}

/// Compares the answers of a shader on a device with those of the host.
async fn compare(gpu: &Gpu, info: &GpuInfo, twins: &[Twin], shader: String) -> Result<()> {
    let asked = (twins.len() * CASES).next_multiple_of(GROUP as usize);
    let mut inputs = vec![0; asked * WORDS];
    debug_assert!(size_of_val(&*inputs) as u64 <= limits::BYTES, "they fit into any buffer");
    for (k, input) in inputs.chunks_exact_mut(WORDS).enumerate().take(twins.len() * CASES) {
        twins[k / CASES].put(k % CASES, CASES, input);
    }
    let mut readback = gpu.scoped(|| {
        let landed = upload(gpu, &inputs);
        send(gpu, shader, asked as u32 / GROUP, &[(Binding::Landed as u32, &landed, true)])
    })?;
    if !gpu.arrived(&readback).await? {
        let problem = format!("{info} did not answer its first question within {} s", PATIENCE.as_secs());
        return Err(Error::Gpu { problem });
    }
    let found: Vec<u128> = readback.take(bytemuck::pod_collect_to_vec)?;
    for (k, (input, found)) in inputs.chunks_exact(WORDS).zip(found).enumerate().take(twins.len() * CASES) {
        let twin = &twins[k / CASES];
        let right = twin.host(input);
        if found != right {
            let (gpu, function) = (info.to_string(), twin.name);
            let input = input[..twin.words].iter().map(|&word| word as i32).collect();
            return Err(Error::GpuWrong { gpu, function, input, found, right });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::device;
    use crate::gpu::options::Options;

    /// Functions that a driver might miscompile: name, text in the function, and its broken replacement. First those of
    /// integers made of words, then of native integers, then the functions that use either.
    const BROKEN_WORDS: [(&str, &str, &str); 16] = [
        ("wide", "v >> 31u", "v >> 30u"),
        ("wide_add", "low < a.x", "low <= a.x"),
        ("wide_add", "a.y + b.y +", "a.y - b.y +"),
        ("wide_sub", "a.x < b.x", "a.x <= b.x"),
        ("wide_neg", "WIDE_ZERO, a", "a, WIDE_ZERO"),
        ("wide_is_zero", "a.x | a.y", "a.x & a.y"),
        ("wide_sign", ">> 31u) | 1", ">> 31u) | 3"),
        ("wide_less", "a.x < b.x", "bitcast<i32>(a.x) < bitcast<i32>(b.x)"),
        ("wide_abs", "< 0", "> 0"),
        ("wide_product", "(middle << 16u)", "(middle << 15u)"),
        ("wide_product", "(b_high >> 16u)", "(b_high >> 17u)"),
        ("wide_mul", "a.x * b.y", "a.x * b.x"),
        ("wide_mul_i32", "b < 0", "b < 1"),
        ("wide_shift_low", "a.x >> by", "a.x << by"),
        ("widest_product", "Wide(middle_sum.y, 0u)", "Wide(0u, 0u)"),
        ("widest_less", "a.x < b.x", "a.x > b.x"),
    ];
    const BROKEN_NATIVE: [(&str, &str, &str); 17] = [
        ("wide", "i64(v)", "i64(v & 0x7FFFFFFF)"),
        ("wide_add", "a + b", "a | b"),
        ("wide_sub", "a - b", "b - a"),
        ("wide_neg", "0li - a", "-1li - a"),
        ("wide_is_zero", "a == 0li", "i32(a) == 0"),
        ("wide_sign", "a < 0li", "i32(a) < 0"),
        ("wide_less", "a < b", "u64(a) < u64(b)"),
        ("wide_less", "a < b", "i32(a >> 32u) < i32(b >> 32u)"),
        ("wide_abs", "a < 0li", "a > 0li"),
        ("wide_product", "u64(a) * u64(b)", "u64(a * b)"),
        ("wide_mul", "a * b", "a * i64(i32(b))"),
        ("wide_mul_i32", "i64(b)", "i64(b & 0x7FFFFFFF)"),
        ("wide_shift_low", "a >> by", "i32(a) >> by"),
        ("widest_product", "(low >> 32u)", "(low >> 31u)"),
        ("widest_product", " + (middle_sum >> 32u)", ""),
        ("widest_less", "a.x < b.x", "a.x > b.x"),
        ("widest_less", "a.y < b.y", "i64(a.y) < i64(b.y)"),
    ];
    const BROKEN_USES: [(&str, &str, &str); 5] = [
        ("dot_wide", "n.y", "n.x"),
        ("cross_wide", "p.y, q.x", "p.x, q.y"),
        ("past", "wide_sub(itself", "wide_add(itself"),
        ("beyond", "widest_less(room, behind)", "widest_less(behind, room)"),
        ("has_area", "!wide_is_zero(", "wide_is_zero("),
    ];

    fn gpu(int64: bool) -> (Gpu, GpuInfo) {
        let gpu =
            device::open(&Options::default().int64(int64)).expect("a GPU; `./test --setup` installs one in software");
        let info = GpuInfo::new(&gpu.device.adapter_info());
        (gpu, info)
    }

    /// Returns the shader with the function `name` broken.
    fn broken(shader: &str, name: &str, from: &str, to: &str) -> String {
        let start = shader.find(&format!("fn {name}(")).expect("there is such a function");
        let end = start + shader[start..].find("\n}").expect("it ends");
        let function = &shader[start..end];
        assert!(function.contains(from), "{name} has no `{from}`");
        [&shader[..start], &function.replacen(from, to, 1), &shader[end..]].concat()
    }

    #[test]
    fn a_device_that_errs_in_one_operation_is_refused_by_name() {
        errs_in_one(false, &[&BROKEN_WORDS[..], &BROKEN_USES].concat());
    }

    #[test]
    fn a_device_that_errs_in_one_native_operation_is_refused_by_name() {
        errs_in_one(true, &[&BROKEN_NATIVE[..], &BROKEN_USES].concat());
    }

    fn errs_in_one(int64: bool, all_broken: &[(&str, &str, &str)]) {
        let (gpu, info) = gpu(int64);
        if int64 && !gpu.is_native() {
            return;
        }
        let twins = twins();
        let shader = shader(gpu.wide);
        let compare = |shader| pollster::block_on(compare(&gpu, &info, &twins, shader));
        compare(shader.clone()).unwrap();
        let missed = all_broken.iter().filter_map(|&(name, from, to)| {
            let error = compare(broken(&shader, name, from, to));
            let told = matches!(error, Err(Error::GpuWrong { function, .. }) if function == name);
            (!told).then(|| format!("{name}, `{from}` as `{to}`: {error:?}"))
        });
        assert_eq!(missed.collect::<Vec<_>>(), [""; 0]);
    }

    /// A twin that answers wrongly on the host stands in for a wrong device.
    #[test]
    fn what_is_refused_is_told() {
        let (gpu, info) = gpu(false);
        let twins = [Twin::new("wide_add", 4, "wide_add(long(0u), long(2u))", |v| v.long(0).wrapping_sub(v.long(2)))];
        let shader = source(&twins, CASES, WORDS, &[LANDED], gpu.wide);
        let error = pollster::block_on(compare(&gpu, &info, &twins, shader)).unwrap_err().to_string();
        let told = format!(
            "{info} computes wrong results: `wide_add` of [0, 0, -1, 0] is 0xffffffff00000001, but it returned \
             0xffffffff;"
        );
        assert!(error.contains(&told), "{error}");
    }
}

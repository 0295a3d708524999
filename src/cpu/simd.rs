//! Which vector instructions the CPU engine uses, chosen at run time.

/// A set of vector instructions. All give the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// None but those that the compiler finds for the target.
    Plain,
    /// `x86_64` with AVX2: 8 lanes.
    Avx2,
    /// `x86_64` with AVX-512 F, BW, DQ, VL: 16 lanes.
    Avx512,
    /// `aarch64` with NEON: 4 lanes.
    Neon,
}

impl Simd {
    /// Those that this machine has, the widest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                all.push(Self::Avx2);
            }
            if all.contains(&Self::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                all.push(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        all.push(Self::Neon);
        all
    }

    /// Its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }
}

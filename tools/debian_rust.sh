# Rust from Debian's packages, with the source of its standard library: for targets whose standard library the installed
# Rust lacks. Nothing is installed. Scripts source this file after tools/lib.sh.
# shellcheck shell=bash

DEBIAN_RUST=$(realpath -m "${BASH_SOURCE[0]}/../../web/toolchain")

# Checks whether the installed Rust has a target's standard library. Argument: the target.
have_std() {
  [[ -d $(rustc --print target-libdir --target "$1" 2>/dev/null) ]]
}

# Prints the first package among the dependencies of a Debian package whose name matches a pattern.
dependency() {
  apt-cache depends --important "$1" | sed -n "s/^ *Depends: \($2\)\$/\1/p" | head -n 1
}

# Checks whether Debian's lists have a compiler that is new enough for hitmask.
have_compiler() {
  local candidate oldest
  candidate=$(apt-cache policy rustc-web | sed -n 's/^ *Candidate: //p')
  oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "${DEBIAN_RUST%/toolchain}"/{,demo/}Cargo.toml |
    sort -V | tail -n 1)
  [[ -n $candidate && -n $oldest ]] && dpkg --compare-versions "$candidate" ge "$oldest"
}

# Unpacks Debian's Rust, which cannot be installed beside rustup. Compiler, lints and source are of one version,
# whichever Debian has now. Argument: the target that it is for.
fetch_debian_rust() {
  [[ ! -e $DEBIAN_RUST/complete || ! -e $DEBIAN_RUST/usr/bin/clippy-driver ]] || return 0
  have apt-get && have dpkg-deb || die "there is no target $1 here: rustup target add $1"
  # The lists may be older than the packages.
  have_compiler || apt-get update -qq || true
  have_compiler || die 'no package rustc-web that is new enough: apt-get update as root, or a newer Debian'
  local library llvm lld folder
  library=$(dependency libstd-rust-web-dev 'libstd-rust-web-[0-9.]*')
  llvm=$(dependency "$library" 'libllvm[0-9]*')
  lld=lld-${llvm#libllvm}
  folder=$(mktemp -d)
  chmod 755 "$folder"
  local packages=(rustc-web rust-web-src rust-web-clippy libstd-rust-web-dev "$library" "$llvm" "$lld")
  echo "unpacking ${packages[*]}"
  (cd "$folder" && apt-get download -qq "${packages[@]}" 2>&1 | { grep -v 'performed unsandboxed' || true; })
  rm -rf "$DEBIAN_RUST"
  mkdir -p "$DEBIAN_RUST"
  local package
  for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$DEBIAN_RUST"; done
  rm -rf "$folder"
  touch "$DEBIAN_RUST/complete"
}

# Prints the folder of Debian's LLVM.
debian_llvm() {
  compgen -G "$DEBIAN_RUST/usr/lib/llvm-*" | head -n 1
}

# Runs cargo with a standard library for a target: the installed one, or else one that is compiled from Debian's source.
# Arguments: the target, the crates of the standard library, and those of cargo.
cargo_for() {
  local target=$1 crates=$2
  shift 2
  if have_std "$target"; then
    cargo "$1" --target "$target" "${@:2}"
    return
  fi
  fetch_debian_rust "$target"
  # The source of the standard library compiles with its own compiler only, and only as an unstable feature.
  RUSTC=$DEBIAN_RUST/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
    LD_LIBRARY_PATH=$DEBIAN_RUST/usr/lib/x86_64-linux-gnu:$(debian_llvm)/lib \
    cargo "$1" --target "$target" -Zbuild-std="$crates" "${@:2}"
}

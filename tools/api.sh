#!/usr/bin/env bash
# Compares the library's public API with docs/api.txt, and prints the difference. With --renew writes the file instead.
#
# Fails with status 3 if cargo-public-api cannot read the JSON of this rustdoc: each version reads only one format.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

record=docs/api.txt
# A folder of its own: RUSTC_BOOTSTRAP, which makes a stable rustdoc write JSON, would have the dependencies rebuilt.
target=${CARGO_TARGET_DIR:-target}/api
RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$target cargo rustdoc -q --locked -p hitmask --lib --features gpu,scene -- \
  -Z unstable-options --output-format json
# Without what the compiler derives or implements for all types.
cargo public-api --rustdoc-json "$target/doc/hitmask.json" -sss >"$target/api.txt" || exit 3

if [[ ${1:-} == --renew ]]; then
  cp "$target/api.txt" "$record"
elif ! diff -U1 --label "$record" --label 'the library' "$record" "$target/api.txt"; then
  echo "The public API has changed. If it should, say why in the commit, and renew $record: tools/api.sh --renew"
  exit 1
fi

#!/usr/bin/env bash
# Judges a random sample of the mutants of src/ by cargo-mutants (.cargo/mutants.toml): by the library's unit tests, and
# those that these miss by tests of the suite, which take longer to build. Prints the mutants that both miss, and fails
# if less than 95 % were caught. Arguments: the seconds for everything, the seed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[[ $# == 2 && $1 =~ ^[0-9]+$ && $2 =~ ^[0-9]+$ ]] || { echo "usage: tools/mutants/sources.sh SECONDS SEED" && exit 2; }
seconds=$1
seed=$2
least=95

# One of so many parts of all mutants; a part takes an hour or more.
parts=400
# The suite's tests that compare much in little time.
judges=(bulk:: conformance:: debug:: distances:: edge:: edits:: layers:: lists:: lives:: motion:: pieces:: polygons::
  queries:: random:: saves:: scene:: sides:: small:: split:: steps:: surface:: texels::)

folder=$PWD/target/attack/mutants
export CARGO_TARGET_DIR=$folder/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
rm -rf "$folder"/{units,suite}
mkdir -p "$folder"/{units,suite}

# Runs cargo-mutants for some seconds. Arguments: the seconds, the name of the phase, and cargo-mutants' own.
judge() {
  local status=0
  timeout -s INT "$1" cargo mutants -p hitmask -o "$folder/$2" "${@:3}" || status=$?
  # 2: some are missed, 3: some take too long, 1 or 124: interrupted.
  case $status in
    0 | 1 | 2 | 3 | 124 | 130) [[ -f $folder/$2/mutants.out/caught.txt ]] ;;
    *) return "$status" ;;
  esac
}

# Prints the verdicts of a phase of some kinds. Arguments: the phase, the kinds.
verdicts() {
  local kind
  for kind in "${@:2}"; do cat "$folder/$1/mutants.out/$kind.txt" 2>/dev/null || true; done
}

# An entry of the list of accepted mutants must match some.
cargo mutants -p hitmask --list --no-config >"$folder/all.txt"
sed -n "s/^    '\(.*\)',$/\1/p" .cargo/mutants.toml | while IFS= read -r accepted; do
  grep -qE "$accepted" "$folder/all.txt" || { echo "no mutant matches '$accepted' of .cargo/mutants.toml" && exit 1; }
done

judge $((seconds * 2 / 3)) units --shuffle --shard "$((seed % parts))/$parts" --sharding round-robin -- --lib
verdicts units missed >"$folder/doubtful.txt"
if [[ -s $folder/doubtful.txt ]]; then
  mapfile -t names < <(sed 's/[][\.^$*+?(){}|]/\\&/g; s/^/--re=^/; s/$/$/' "$folder/doubtful.txt")
  # cargo-mutants does not compare the names of fields left out, so the files keep their number small.
  mapfile -t files < <(sed 's/:.*//; s/^/--file=/' "$folder/doubtful.txt" | LC_ALL=C sort -u)
  judge $((seconds / 3)) suite "${names[@]}" "${files[@]}" -- --test suite -- "${judges[@]}"
fi

caught=$(verdicts units caught timeout | wc -l)
later=$(verdicts suite caught timeout | grep -cFxf "$folder/doubtful.txt" || true)
verdicts suite missed | grep -Fxf "$folder/doubtful.txt" >"$folder/missed.txt" || true
missed=$(wc -l <"$folder/missed.txt")
cat "$folder/missed.txt"
all=$((caught + later + missed))
printf '%d of %d mutants of src/ caught, %d of them by the unit tests\n' $((caught + later)) "$all" "$caught"
((all > 0 && 100 * (caught + later) >= least * all))

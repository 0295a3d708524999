# Helpers of ./test, ./attack, ./stacks and ./hardware, which source this file.
# shellcheck shell=bash

current='start'

elapsed() {
  printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60))
}

# Prints a heading. A failure from here on names it.
step() {
  current=$1
  printf '\n=== [%6s] %s\n' "$(elapsed)" "$current"
}

die() {
  printf '\nFAILED after %s in "%s": %s\n' "$(elapsed)" "$current" "$*" >&2
  # The trap must not report this exit as an error of its own.
  trap - ERR
  exit 1
}

trap 'die "exit status $? from: $BASH_COMMAND"' ERR

# Ends the script because of a wrong argument.
refuse() {
  echo "$*" >&2
  exit 2
}

# Ends the script if an option has no value. Arguments: the kind of value; the option, and the words that follow it.
takes() {
  [[ -n ${3:-} ]] || refuse "$2 takes $1"
}

# Likewise if the value is no whole number from 1 to 999999. Arguments: the option, and the words that follow it.
takes_number() {
  [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || refuse "$1 takes a whole number from 1 to 999999"
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# Checks whether the first argument is one of the others.
among() {
  local other
  for other in "${@:2}"; do
    [[ $other != "$1" ]] || return 0
  done
  return 1
}

# Ends the script unless a name is in a list. Arguments: the kind of thing, the name, the list.
known() {
  among "$2" "${@:3}" || refuse "there is no $1 \`$2\`: ${*:3}"
}

# Prints the first string that a line of JSON has under a key, without resolving escapes; fails if there is none.
# Arguments: the key, the line.
json_text() {
  [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && printf '%s\n' "${BASH_REMATCH[1]}"
}

# Reads the JSON messages of `cargo test --no-run`, and prints name and path of each test program of the package in this
# folder, with a tab in between. The program of the library's own tests is called `lib`.
test_programs() {
  local line path manifest
  manifest="\"manifest_path\":\"$(pwd -P)/Cargo.toml\""
  while IFS= read -r line; do
    [[ $line == *"$manifest"* ]] || continue
    path=$(json_text executable "$line") || continue
    case $line in
      *'"kind":["lib"]'*) printf 'lib\t%s\n' "$path" ;;
      *'"kind":["test"]'*) printf '%s\t%s\n' "$(json_text name "$line")" "$path" ;;
    esac
  done
}

VULKAN_FOLDERS=(/usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d)

# Prints the files by which the Vulkan loader finds Mesa's lavapipe, separated by colons; fails if there are none.
lavapipe() {
  local folder
  for folder in "${VULKAN_FOLDERS[@]}"; do
    # For all architectures: the loader takes those that it can load.
    compgen -G "$folder/lvp_icd*.json" | paste -sd: | grep . && return
  done
  return 1
}

#!/usr/bin/env bash
# Checks how doc comments begin: with what the item is or does. Prints each that begins otherwise, and fails.
#
# A comment is checked by its first line: a `///` or `//!` line that follows no other, and the first line of a shader
# file. `Whether` is for fields, constants and statics whose type holds a `bool`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bad=$(find src bevy/src bevy/tests bevy/benches bevy/examples cli/src demo/src files/src fuzz/src python/src python/documented/src web/src web/bind/src shaders -name '*.rs' -o -name '*.wgsl' | LC_ALL=C sort | xargs awk '
  # Reports the last `Whether`, if it waits for its item and none came.
  function settle() {
    if (waiting != "") print waiting
    waiting = ""
  }
  function is_bool(item) {
    return item !~ /(^|[ \t])fn[ \t]/ && item ~ /: *([A-Za-z:]+<)*(Atomic)?[Bb]ool([^A-Za-z0-9_]|$)/
  }
  FNR == 1 {
    settle()
    last = ""
    depth = 0
    is_shader = FILENAME ~ /\.wgsl$/
  }
  /^[ \t]*$/ { next }
  {
    line = $0
    sub(/^[ \t]+/, "", line)
    kind = ""
    if (is_shader ? FNR == 1 && line ~ /^\/\// : line ~ /^\/\/([!]|\/([^\/]|$))/) kind = substr(line, 1, 3)
    if (is_shader && kind != "") kind = "//"
  }
  kind != "" {
    if (kind != last) {
      settle()
      text = substr(line, length(kind) + 1)
      sub(/^[ \t]+/, "", text)
      place = FILENAME ":" FNR ": " text
      if (text ~ /^(What|Of|Which|Where|That|The same)([^A-Za-z0-9_]|$)/) print place
      if (text ~ /^Whether([^A-Za-z0-9_]|$)/) {
        if (kind == "///") waiting = place
        else print place
      }
    }
    last = kind
    next
  }
  { last = "" }
  waiting == "" || /^[ \t]*\/\// { next }
  # Attributes stand between a comment and its item, some on several lines.
  depth > 0 || line ~ /^#\[/ {
    depth += gsub(/\[/, "[", line) - gsub(/\]/, "]", line)
    next
  }
  {
    if (is_bool(line)) waiting = ""
    settle()
  }
  END { settle() }
')
if [[ -n $bad ]]; then
  echo "Begin these comments with what the item is or does, not with What, Of, Which, Where, That, The same or Whether:"
  echo "$bad"
  exit 1
fi

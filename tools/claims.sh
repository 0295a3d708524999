#!/usr/bin/env bash
# Checks tools/claims.csv, which names for each claim of a document the test that fails when it no longer holds. Prints
# each row that is wrong, and fails: the claim is not in its document, or the test is not in the sources or is ignored.
# Fails as well if README.md, docs/guide.md or the head of an example has no row.
#
# With a file, the output of `cargo test --workspace`, each test of the library and of its suite must have passed there.
#
# A test is named by its program and its path in there:
#
#   lib auto::tests::NAME        unit tests of the library; `cli unit`, `files unit` and so on for those of the crates
#   suite crowds::NAME           tests/suite, and so for tests/faults.rs and the others
#   cli check NAME               cli/tests/check.rs, and so for the other crates (those of bevy run in `./test bevy`)
#   doc World::split             the example in the doc comment of an item
#   doc guide#shoot-a-laser      the example in a section of docs/guide.md; `README` for README.md
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case $# in
  0) ;;
  1) [[ -f $1 ]] || { echo "There is no file $1"; exit 2; } ;;
  *) echo "usage: tools/claims.sh [OUTPUT OF THE TESTS]" && exit 2 ;;
esac

sources() {
  find src tests {bevy,cli,demo,files}/{src,tests} workbench/src -name '*.rs' | LC_ALL=C sort
}

sources | awk -v log_file="${1:-}" -v examples="$(echo examples/*.rs)" '
  # Returns the program and the modules that a source file is, such as `suite saves::format`.
  function program_of(path, parts, n, i, program, modules) {
    sub(/\.rs$/, "", path)
    n = split(path, parts, "/")
    i = 1
    program = ""
    if (parts[1] != "src" && parts[1] != "tests") program = parts[i++] " "
    if (parts[i] == "src") program = program == "" ? "lib" : program "unit"
    else program = program parts[++i]
    modules = ""
    for (i++; i <= n; i++) {
      if (i == n && parts[i] ~ /^(mod|main|lib)$/) break
      modules = modules parts[i] "::"
    }
    return program " " modules
  }

  # Returns the anchor of a heading.
  function slug(heading) {
    heading = tolower(heading)
    gsub(/[^a-z0-9 -]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
  }

  function collapse(text) {
    gsub(/[ \t\r\n]+/, " ", text)
    return text
  }

  # Reads a document, or the head of an example, into one line.
  function read_document(path, line, all) {
    all = ""
    while ((getline line < path) > 0) {
      if (path ~ /\.rs$/) {
        if (line !~ /^\/\/!/) break
        sub(/^\/\/! ?/, "", line)
      }
      all = all " " line
    }
    close(path)
    return collapse(all)
  }

  # Notes each section that has an example.
  function read_sections(path, name, line, section, fenced) {
    while ((getline line < path) > 0) {
      if (line ~ /^## /) section = slug(substr(line, 4))
      if (line !~ /^```/) continue
      if (!fenced && line ~ /^```(rust)?$/) shown[name "#" section] = 1
      fenced = !fenced
    }
    close(path)
  }

  function wrong(what) {
    print "tools/claims.csv:" row ": " what
    failed = 1
  }

  # Reads the sources: which tests there are, and which items have an example in their comment.
  function read_source(path, line, program, name, indent, is_test, is_ignored, has_example, fenced, of, depth, mods) {
    program = program_of(path)
    depth = 0
    while ((getline line < path) > 0) {
      match(line, /^ */)
      indent = RLENGTH
      line = substr(line, indent + 1)
      if (line ~ /^\/\/\//) {
        if (line ~ /^\/\/\/ ```/) {
          if (!fenced && line ~ /```(rust|no_run|should_panic)?$/) has_example = 1
          fenced = !fenced
        }
        continue
      }
      if (line == "") { has_example = 0; continue }
      if (line ~ /^#\[test\]/) { is_test = 1; is_ignored = 0 }
      if (line ~ /^#\[ignore/) is_ignored = 1
      while (depth && line ~ /^}/ && indent <= at[depth]) depth--
      if (line ~ /^}/ && indent == 0) of = ""
      if (indent == 0 && line ~ /^impl[ <]/) {
        of = line
        sub(/^impl(<[^>]*>)? /, "", of)
        sub(/^.* for /, "", of)
        sub(/[^A-Za-z0-9_].*$/, "", of)
        continue
      }
      if (line ~ /^(pub(\([a-z]+\))? )?mod [a-z_0-9]+ {$/) {
        name = line
        sub(/^.*mod /, "", name)
        at[++depth] = indent
        inner[depth] = substr(name, 1, index(name, " ") - 1)
      }
      if (line ~ /^(pub |const |async |unsafe )*fn / && match(line, /fn [a-z_0-9]+/)) {
        name = substr(line, RSTART + 3, RLENGTH - 3)
        if (is_test) {
          mods = ""
          for (k = 1; k <= depth; k++) mods = mods inner[k] "::"
          tests[program mods name] = is_ignored ? "ignored" : "runs"
        }
        if (has_example) shown[(of == "" ? "" : of "::") name] = 1
        is_test = has_example = 0
      } else if (match(line, /^pub (struct|enum|trait|mod|type|const|static) [A-Za-z_0-9]+/)) {
        name = substr(line, 1, RLENGTH)
        sub(/^.* /, "", name)
        if (has_example) shown[name] = 1
        has_example = 0
      }
    }
    close(path)
  }

  { read_source($0) }

  END {
    read_sections("README.md", "README")
    read_sections("docs/guide.md", "guide")
    if (log_file != "") {
      while ((getline line < log_file) > 0) {
        if (line ~ /^test .* \.\.\. ok\r?$/) {
          sub(/^test /, "", line)
          sub(/ \.\.\. ok\r?$/, "", line)
          passed[line] = 1
        }
      }
    }

    while ((getline line < "tools/claims.csv") > 0) {
      row++
      sub(/\r$/, "", line)
      if (row == 1) {
        if (line != "document,claim,test") wrong("the header is not document,claim,test")
        continue
      }
      # Neither a document nor a test has a comma.
      if (line !~ /^[^,]+,.+,[^,]+$/) { wrong("not three columns: " line); continue }
      document = claim = test = line
      sub(/,.*$/, "", document)
      sub(/^.*,/, "", test)
      claim = substr(line, length(document) + 2, length(line) - length(document) - length(test) - 2)
      if (claim ~ /^".*"$/) {
        claim = substr(claim, 2, length(claim) - 2)
        gsub(/""/, "\"", claim)
      } else if (claim ~ /,/) { wrong("a claim with a comma has no quotation marks: " line); continue }
      if (!(document in text)) text[document] = read_document(document)
      rows[document]++
      if (seen[line]++) wrong("twice: " line)
      if (text[document] == "") wrong("there is no document " document)
      else if (!index(text[document], collapse(claim))) wrong(document " does not say: " claim)

      program = name = test
      sub(/ [^ ]*$/, "", program)
      sub(/^.* /, "", name)
      if (program == "doc") {
        if (!(name in shown)) wrong("no example of " name " for: " claim)
      } else if (!(test in tests)) wrong("there is no test " test " for: " claim)
      else if (tests[test] == "ignored") wrong("the test " test " is ignored, for: " claim)
      else if (log_file != "" && program ~ /^(lib|suite)$/ && !(name in passed))
        wrong("the test " test " has not passed in " log_file ", for: " claim)
    }
    if (row < 2) { print "tools/claims.csv has no rows"; failed = 1 }

    count = split("README.md docs/guide.md " examples, required, " ")
    for (k = 1; k <= count; k++) {
      document = required[k]
      if (!rows[document]) { print "tools/claims.csv has no row for " document; failed = 1 }
    }
    exit failed
  }
' || { echo 'Each claim of a document needs a test that fails when it no longer holds: see tools/claims.sh'; exit 1; }

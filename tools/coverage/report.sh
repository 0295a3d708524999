#!/usr/bin/env bash
# Prints how much of `src/` the tests have run, by folder, and the lines that they have not. Argument: a file of
# llvm-cov's format `lcov`. Fails if less than 97 % of the lines have run.
#
# An outcome is one of the two of a line's conditions: one of them was true, or one was false.
#
# The code of tests does not count: an item under a `cfg` for tests, and the file of a module under one. Nor does
# src/internals.rs, which exposes parts of the library to tests. Lines that a row of uncovered.csv names, by the
# beginning of their path and a part of their text, do count, but are printed as one number per row.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

[[ $# == 1 && -f $1 ]] || { echo "usage: tools/coverage/report.sh FILE" && exit 2; }

find src -name '*.rs' | LC_ALL=C sort | awk -v root="$(pwd -P)/" -v lcov="$1" -v least=97 '
  # Marks the lines of items for tests, and the files of modules for tests. rustfmt ends an item at its own indent.
  function read_source(path, line, number, indent, folder, name, state) {
    folder = path
    if (!sub(/\/(mod|lib)\.rs$/, "", folder)) sub(/\.rs$/, "", folder)
    while ((getline line < path) > 0) {
      number++
      text[path, number] = line
      if (state == "" && line ~ /^ *#\[cfg\(/ && line ~ /[(, ]test[,)]/ && line !~ /gpu/) {
        state = "item"
        match(line, /^ */)
        indent = RLENGTH
      }
      if (state == "") continue
      for_tests[path, number] = 1
      if (state == "item" && line !~ /^ *(#\[|\/\/)/) {
        state = "block"
        if (match(line, /mod [a-z_0-9]+;$/)) {
          name = substr(line, RSTART + 4, RLENGTH - 5)
          test_module[folder "/" name] = 1
        }
      }
      if (state == "block" && match(line, /^ */) && RLENGTH == indent && line ~ /[;}]$/) state = ""
    }
    close(path)
  }

  # Checks whether a file is, or is within, a module for tests.
  function is_test_file(path) {
    if (path == "src/internals.rs") return 1
    sub(/\.rs$/, "", path)
    while (path ~ /\//) {
      if (path in test_module) return 1
      sub(/\/[^\/]*$/, "", path)
    }
    return 0
  }

  function percent(part, whole) { return sprintf("%6.2f", whole == 0 ? 100 : 100 * part / whole) }

  function print_row(name) {
    printf "%-20s %7d %7s %9d %7s\n", name, lines[name], percent(run[name], lines[name]), ways[name],
      percent(taken[name], ways[name])
  }

  # Counts a line of the report for its folder and for all.
  function count(list, number) {
    list[folder] += number
    list["all"] += number
  }

  { read_source($0) }

  END {
    while ((getline line < "tools/coverage/uncovered.csv") > 0)
      if (line !~ /^(#|where,)/ && split(line, field, ",") >= 2) {
        rows++
        where[rows] = field[1]
        part[rows] = field[2]
        why[rows] = substr(line, length(field[1]) + length(field[2]) + 3)
      }

    while ((getline line < lcov) > 0) {
      if (line ~ /^SF:/) {
        path = substr(line, 4)
        counts = index(path, root "src/") == 1
        path = substr(path, length(root) + 1)
        counts = counts && !is_test_file(path)
        folder = path
        sub(/^src\//, "", folder)
        folder = folder ~ /\// ? substr(folder, 1, index(folder, "/") - 1) : "(files)"
        if (counts && !(folder in seen)) {
          seen[folder] = 1
          order[++folders] = folder
        }
        continue
      }
      if (!counts || split(substr(line, index(line, ":") + 1), value, ",") < 2) continue
      if ((path, value[1]) in for_tests) continue
      if (line ~ /^DA:/) {
        count(lines, 1)
        count(run, value[2] > 0)
        if (value[2] == 0) missed[++misses] = path SUBSEP value[1]
      } else if (line ~ /^BRDA:/) {
        # A generic function is listed once for each type that it was compiled for, under further numbers. So the
        # conditions of a line count as one, which is true if any is, and false if any is.
        way = path SUBSEP value[1] SUBSEP value[3] % 2
        if (!(way in is_taken)) {
          is_taken[way] = 0
          count(ways, 1)
        }
        if (!is_taken[way] && value[4] ~ /[1-9]/) {
          is_taken[way] = 1
          count(taken, 1)
        }
      }
    }

    print "Lines that have not run:"
    for (i = 1; i <= misses; i++) {
      split(missed[i], value, SUBSEP)
      code = text[value[1], value[2]]
      for (r = 1; r <= rows; r++)
        if (index(value[1], where[r]) == 1 && (part[r] == "" || index(code, part[r]))) break
      if (r <= rows) named[r]++
      else printf "%s:%d:%s\n", value[1], value[2], code
    }
    print "\nLines that have not run, and why (tools/coverage/uncovered.csv):"
    for (r = 1; r <= rows; r++) printf "%4d %s %s: %s\n", named[r], where[r], part[r], why[r]
    printf "\n%-20s %7s %7s %9s %7s\n", "folder of src", "lines", "%", "outcomes", "%"
    for (i = 1; i <= folders; i++) print_row(order[i])
    print_row("all")
    if (100 * run["all"] < least * lines["all"]) {
      printf "less than %d %% of the lines have run\n", least
      exit 1
    }
  }
'

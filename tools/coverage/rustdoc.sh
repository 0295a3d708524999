#!/usr/bin/env bash
# Runs rustdoc so that the programs of doc tests count the lines and branches that run, and are kept: for cargo's
# RUSTDOC. The caller sets HITMASK_DOC_TESTS, the folder to keep them in. Both are unstable features.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@" -C instrument-coverage -Z coverage-options=branch \
  -Z unstable-options --persist-doctests "$HITMASK_DOC_TESTS"

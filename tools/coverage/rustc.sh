#!/usr/bin/env bash
# Compiles a crate of this workspace so that its programs count the lines and branches that run. For cargo's
# RUSTC_WORKSPACE_WRAPPER: dependencies stay as they are. Counting branches is an unstable feature.
RUSTC_BOOTSTRAP=1 exec "$@" -C instrument-coverage -Z coverage-options=branch

#!/usr/bin/env bash
# The tests of CUDA kernels under a tool of compute-sanitizer: compute_sanitizer.sh TOOL PATH/OF/tests_kernels
# Skips (exit code 77) without that program or a GPU. Left out: what runs on the host, tests that break
# their device on purpose, and what takes more than a minute under a tool.
set -euo pipefail
tool=$1 tests=$2
command -v compute-sanitizer >/dev/null || { echo "skipped: no compute-sanitizer"; exit 77; }
nvidia-smi -L >/dev/null 2>&1 || { echo "skipped: no GPU"; exit 77; }

left_out='*openmp*:FusedInverseOn/0.*:GuardDevice.*:SurvivesAbort.*'
case $tool in
    racecheck)
        docking='*OnBackend.DirectTerms*:*OnBackend.OneTerm*:*OnBackend.OrbitRouteFour*:*OnBackend.TermSums*'
        docking+=':FusedInverseOn/1.Members*:FusedInverseOn/1.SetsWith*:FusedInverseOn/1.Other*:Refine*:RigidMinimiser.*'
        only="$docking:*OrbitalProducts.AreThePlain*:*OrbitalProducts.PartsOf*:*OrbitalSumsOn*SumsOf*:RadialSegments.*"
        ;;
    *) only='*' ;;
esac
exec compute-sanitizer --tool "$tool" --error-exitcode 1 "$tests" --gtest_filter="$only-$left_out"

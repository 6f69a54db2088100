#!/usr/bin/env bash
# Run by rattler-build: the portable program, as scripts/package builds it.
set -euo pipefail

for level in x86-64-v4 x86-64-v3 x86-64; do
    # shellcheck disable=SC2086
    cmake -S . -B "build-$level" -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DTESSERA_CPU="$level" \
        -DTESSERA_ENABLE_TESTS=OFF -DTESSERA_ENABLE_PYTHON=OFF -DTESSERA_FETCH=OFF \
        -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON -DCMAKE_INSTALL_PREFIX="$PREFIX" \
        -Dgemmi_INCLUDE_DIR="$SRC_DIR/gemmi-source/include" -Dpegtl_INCLUDE_DIR="$SRC_DIR/pegtl-source/include"
done
cmake --build build-x86-64-v4 --target tessera
cmake --build build-x86-64-v3 --target tessera
cmake --build build-x86-64
cmake --install build-x86-64-v4 --component program
cmake --install build-x86-64-v3 --component program
cmake --install build-x86-64

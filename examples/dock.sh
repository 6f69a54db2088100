#!/usr/bin/env bash
# Docks two proteins, then writes the ten best models of every coefficient set as PDB files.
# Usage: examples/dock.sh [RECEPTOR LIGAND OUT.h5 MODELS_FOLDER]     default: the pair of scripts/demo
# Run it from the top folder after building; $TESSERA names another program. Some minutes on two cores.
set -eu
tessera=${TESSERA:-build/host/tessera}
receptor=${1:-.deps/demo/receptor.pdb} ligand=${2:-.deps/demo/ligand.pdb}
output=${3:-out/example.h5} models=${4:-out/example_models}
mkdir -p "$(dirname "$output")"

"$tessera" dock "$receptor" "$ligand" -o "$output" --rotations 3600 --spacing 1.2 --force
"$tessera" export "$output" --poses 10 "$models" --force

# Sourced by the scripts of this folder: the repository root, progress lines, quiet steps.
# shellcheck shell=bash
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf -- '-- %s\n' "$*"; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# quietly TITLE LOG COMMAND...: the output goes to LOG, whose end is shown if the command fails; a
# line now and then says how far it is.
quietly() {
    local title=$1 log=$2 start=$SECONDS pid status=0 waited=0
    shift 2
    mkdir -p "$(dirname "$log")"
    printf -- '-- %s\n' "$title"
    "$@" >"$log" 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
        waited=$((waited + 1))
        if ((waited % 150 == 0)); then
            printf '   %4d s  %s\n' $((SECONDS - start)) "$(tail -n 1 "$log" | cut -c1-90)"
        fi
    done
    wait "$pid" || status=$?
    if ((status != 0)); then
        tail -n 60 "$log" >&2
        fail "$title failed (exit $status): the whole output is in ${log#"$root"/}"
    fi
    if ((SECONDS - start > 2)); then printf '   done in %d s\n' $((SECONDS - start)); fi
}

# Downloads one source archive of a Python package: pip_source NAME VERSION SHA256 FOLDER
pip_source() {
    local name=$1 version=$2 sha256=$3 folder=$4 python=python3 archive
    if ! $python -m pip --version >/dev/null 2>&1; then
        python3 -m venv "$root/.deps/venv" >/dev/null ||
            fail "python3 has neither pip nor venv: install python3-venv"
        python=$root/.deps/venv/bin/python
    fi
    $python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary "$name" \
        --dest "$folder" "$name==$version"
    archive=$(find "$folder" -name "*.tar.gz" | head -n 1)
    echo "$sha256  $archive" | sha256sum --check --quiet - ||
        fail "$name $version has another SHA-256 than expected: do not use it"
}

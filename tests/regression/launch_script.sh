#!/usr/bin/env bash
# jobscripts/launch.sh without Slurm: how a job ends whose program dies of a signal, ends well after a warning,
# or stops for one. `scontrol` and the ranks' launchers are stand-ins.
set -u
scripts=${TESSERA_SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}/jobscripts
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Notes what is queued again; failing, it spares launch.sh the wait for Slurm's end of the job.
mkdir "$folder/bin"
printf '#!/bin/sh\necho "$@" >> "%s/queued"\nexit 1\n' "$folder" > "$folder/bin/scontrol"
chmod +x "$folder/bin/scontrol"

# job PROGRAM: the status of a job whose program is this text of bash; a file `ready` says when it may be
# warned. WARNINGS: how many it gets, at most.
job() {
    rm -f "$folder/ready" "$folder/queued"
    (
        cd "$folder" || exit 1
        # shellcheck disable=SC2016
        PATH=$folder/bin:$PATH SLURM_JOB_ID=17 exec timeout -k 1 30 bash -c \
            'source "$1/launch.sh"; echo $$ > job; run bash -c "$2"' - "$scripts" "$1" 2> errors
    ) &
    local waiting=$! k
    for ((k = 0; k < ${WARNINGS:-0}; ++k)); do
        until [ -e "$folder/ready" ] || ! kill -0 $waiting 2> /dev/null; do sleep 0.02; done
        sleep 0.1
        kill -USR1 "$(cat "$folder/job")" 2> /dev/null
    done
    wait $waiting
}

# expect STATUS QUEUED WHAT PROGRAM
expect() {
    job "$4"
    local status=$? queued=0
    [ ! -e "$folder/queued" ] || queued=$(wc -l < "$folder/queued")
    if [ "$status" != "$1" ] || [ "$queued" != "$2" ]; then
        echo "FAILED: $3: status $status, not $1, or queued again $queued times, not $2"
        cat "$folder/errors"
        exit 1
    fi
    echo "$3: status $status, queued again $queued times"
}

usr1=$((128 + $(kill -l USR1)))
# The program's own loop: it does what the trap says as soon as it is warned.
waits='touch ready; while :; do sleep 0.05; done'

WARNINGS=0
expect 0 0 "a program that ends well" 'true'
expect 3 0 "a program that fails" 'exit 3'
expect 75 1 "a program that is stuck, and says that it can go on" 'exit 75'
expect $usr1 0 "a program that dies of USR1 by itself" 'kill -USR1 $$; sleep 20'
expect 143 0 "a program that is ended by SIGTERM" 'kill -TERM $$; sleep 20'
WARNINGS=1
expect $usr1 0 "a program that dies of the warning" "$waits"
expect 0 0 "a program that ends well after the warning" "trap 'sleep 0.3; exit 0' USR1; $waits"
expect 75 1 "a program that stops for the warning" "trap 'sleep 0.3; exit 75' USR1; $waits"
expect 143 1 "ranks that srun ends after the first has stopped" "trap 'sleep 0.3; kill -TERM \$\$' USR1; $waits"
expect 4 0 "a program that fails after the warning" "trap 'exit 4' USR1; $waits"
WARNINGS=3
expect 75 1 "a program that is warned three times" "trap 'n=\$((n + 1)); [ \$n -lt 3 ] || exit 75' USR1; $waits"

# The launcher that cannot start both kinds of nodes is refused before anything is started.
printf '#!/bin/sh\ntouch "%s/started"\n' "$folder" | tee "$folder/bin/srun" > "$folder/bin/mpirun"
chmod +x "$folder/bin/srun" "$folder/bin/mpirun"
mixed() {
    PATH=$folder/bin:$PATH TESSERA_JOBSCRIPTS=$scripts TESSERA_LAUNCHER=$1 SLURM_JOB_ID=17 \
        SLURM_CPUS_PER_TASK_HET_GROUP_0=1 SLURM_CPUS_PER_TASK_HET_GROUP_1=1 \
        bash "$scripts/gpu_and_cpu.sbatch" dock 2> "$folder/errors"
}
mixed mpirun
if [ $? != 2 ] || [ -e "$folder/started" ] || ! grep -q TESSERA_LAUNCHER=srun "$folder/errors"; then
    echo "FAILED: gpu_and_cpu.sbatch does not refuse mpirun"
    exit 1
fi
if ! mixed srun || [ ! -e "$folder/started" ]; then
    echo "FAILED: gpu_and_cpu.sbatch does not start by srun"
    exit 1
fi
echo "gpu_and_cpu.sbatch refuses mpirun"

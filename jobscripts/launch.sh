# shellcheck shell=bash
# Sourced by the job scripts: starts the ranks, hands Slurm's warning to them, and queues the job
# again where they stopped for it. Nothing to edit here; what differs between clusters is in
# environment.sh.
# shellcheck source=environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

# launch WORDS...: tessera WORDS on one rank a task of this job. Ends the job.
launch() {
    local program=$cpu_program threads=${SLURM_CPUS_PER_TASK:-1}
    [ -z "${SLURM_GPUS_ON_NODE:-}" ] || program=$gpu_program
    export OMP_NUM_THREADS=$threads
    if [ "$launcher" = mpirun ]; then
        # Else an OpenCL library that mpirun's search for devices loads may swallow the warning (pocl's LLVM does).
        export HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--opencl}
        run mpirun "${mpirun_options[@]}" --map-by "slot:PE=$threads" "$program" "$@"
    else
        run srun "${srun_options[@]}" --cpus-per-task="$threads" "$program" "$@"
    fi
}

# run COMMAND...: its exit status ends the job. Exit 75 means that it can go on, be it after the warning or
# because a device or file system hangs: the job is queued again under its number. After the warning so does
# 143 (SIGTERM): srun --kill-on-bad-exit ends ranks so that are about to leave when the first has left with 75.
run() {
    local status pid warned=no interrupted=yes
    "$@" &
    pid=$!
    trap 'warned=yes interrupted=yes; kill -USR1 "$pid" 2>/dev/null' USR1
    # A warning ends `wait` early, with the status of a program that has died of it: the trap tells them apart.
    while [ $interrupted = yes ]; do
        interrupted=no
        wait "$pid"
        status=$?
    done
    if ((status == 75)) || { ((status == 128 + $(kill -l TERM))) && [ $warned = yes ]; }; then requeue; fi
    exit "$status"
}

requeue() {
    if ((${SLURM_RESTART_COUNT:-0} >= most_requeues)); then
        echo "queued again $most_requeues times already (most_requeues): the job ends unfinished"
        return
    fi
    echo "queued again, to go on from here"
    scontrol requeue "$SLURM_JOB_ID" && sleep 60 # in which Slurm ends this script
}

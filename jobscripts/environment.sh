# shellcheck shell=bash disable=SC2034
# What your cluster needs, in one place: edit this file, not the job scripts. launch.sh reads it at
# the start of every job.

# --- modules ---------------------------------------------------------------------------------------
# What the program was built with, for example:
# module purge
# module load gcc/13 openmpi/4.1 hdf5 fftw cuda/13

# --- programs --------------------------------------------------------------------------------------
gpu_program=${TESSERA:-tessera}                     # for GPU nodes: the build with CUDA
cpu_program=${TESSERA_HOST:-${TESSERA:-tessera}}    # for nodes without GPUs: a build without CUDA

# --- how ranks are started -------------------------------------------------------------------------
launcher=${TESSERA_LAUNCHER:-srun}    # or mpirun, where srun cannot start ranks of your MPI
srun_options=(--cpu-bind=cores --kill-on-bad-exit=1)    # add --mpi=pmix where it is not the default
mpirun_options=(--bind-to core)    # of Open MPI; each rank gets the cores of its task

# Threads are not pinned one by one: where Slurm does not bind ranks, those of all ranks would end up
# on the same cores. Where it does: export OMP_PROC_BIND=close OMP_PLACES=cores

# --- requeues --------------------------------------------------------------------------------------
most_requeues=50    # a job that its time limit has stopped this often is not queued again

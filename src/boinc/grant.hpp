// The cores and the GPU that the client gives to a task.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::boinc {

struct Grant {
    double cores = 1;        ///< may be a fraction
    std::optional<int> gpu;  ///< its number among those that the client sees
    double gpus = 1;         ///< how much of a GPU; may be a fraction (gpu_usage of app_config.xml)
};

/// The words of a task's command line without `--device N`, which clients append for GPU tasks.
/// Other values of --device are the program's own and stay. `gpu` gets N if it has no number yet.
std::vector<std::string> without_gpu_number(const std::vector<std::string>& words,
                                            std::optional<int>& gpu);

/// The words with --gpu-fraction, if the task has a part of a GPU and they do not say which.
std::vector<std::string> with_gpu_fraction(std::vector<std::string> words, const Grant& grant);

/// CUDA_VISIBLE_DEVICES for GPU number `gpu`. `visible`: the value that the client has, empty for
/// all GPUs. A number beyond that list gives the number itself.
std::string visible_gpu(int gpu, const std::string& visible);

/// OMP_NUM_THREADS: at least 1.
int threads_of(double cores);

/// Sets the environment of a run in this process, before it starts a device or MPI. What the owner
/// of the computer has set for threads stays.
void set_environment(const Grant& grant);

/// "OMP_NUM_THREADS=2, CUDA_VISIBLE_DEVICES=3", as the environment is now.
std::string environment_text();

}  // namespace tessera::boinc

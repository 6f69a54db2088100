#include "queue/submission.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

namespace tessera::queue {

namespace {

bool matters(std::string_view name) {
    constexpr std::array names{"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV",
                               "OPAL_PREFIX"};
    constexpr std::array beginnings{"TESSERA_", "OMP_", "OMPI_MCA_", "KOKKOS_", "HDF5_", "CUDA_"};
    if (name == "OMP_NUM_THREADS" || name == "CUDA_VISIBLE_DEVICES" ||
        name.starts_with("TESSERA_QUEUE"))
        return false;
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(beginnings,
                               [&](const char* text) { return name.starts_with(text); });
}

}  // namespace

std::vector<std::string> environment_that_matters() {
    std::vector<std::string> kept;
    for (char** variable = environ; *variable; ++variable) {
        const std::string_view text = *variable;
        if (text.find('=') != std::string_view::npos && matters(text.substr(0, text.find('='))))
            kept.emplace_back(text);
    }
    return kept;
}

int cores_here() {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::vector<std::string> listed(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        if (comma > at) names.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return names;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

std::vector<std::string> gpus_here() {
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) return listed(visible);
    std::vector<std::string> gpus;
    while (std::filesystem::exists("/dev/nvidia" + std::to_string(gpus.size())))
        gpus.push_back(std::to_string(gpus.size()));
    return gpus;
}

}  // namespace tessera::queue

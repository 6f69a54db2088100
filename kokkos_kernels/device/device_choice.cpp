#include "kokkos_kernels/device/device_choice.hpp"

#include <charconv>
#include <sstream>

#include "core/error.hpp"

namespace tessera::kernels {

namespace {

[[noreturn]] void refuse(const std::string& name) {
    std::string shown = name.substr(0, 40);
    for (char& letter : shown)
        if (static_cast<unsigned char>(letter) < ' ') letter = '?';
    throw Error("unknown device '" + shown + "'",
                "--device takes auto, or a list of cuda, cuda:N, cpu, openmp, serial",
                "choose one of them, such as cuda:0,cuda:3");
}

int read_number(const std::string& name, std::size_t at) {
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data() + at, end, number);
    if (error != std::errc{} || stopped != end || number < 0) refuse(name);
    return number;
}

DeviceName read_name(const std::string& name) {
    if (name == "auto") return {true, Backend::openmp, -1};
    if (name == "openmp" || name == "cpu") return {false, Backend::openmp, -1};
    if (name == "serial") return {false, Backend::serial, -1};
    if (name == "cuda") return {false, Backend::cuda, -1};
    if (!name.starts_with("cuda:")) refuse(name);
    return {false, Backend::cuda, read_number(name, 5)};
}

void require_gpus(const GpuSystem& system) {
    if (const std::string why = why_no_gpu(system); !why.empty())
        throw Error("no CUDA device", why, "use --device cpu, or the CUDA build on a GPU node",
                    ExitCode::resources);
}

/// Throws Error if GPU `number` is missing or cannot be used.
void require_gpu(const GpuSystem& system, int number) {
    require_gpus(system);
    const std::string name = "cuda:" + std::to_string(number);
    if (number >= std::ssize(system.gpus))
        throw Error("no device " + name, "this process sees " + names_of_gpus(system),
                    "choose one of them", ExitCode::resources);
    if (const std::string why = why_not_gpu(system, number); !why.empty())
        throw Error(name + " cannot be used", why, "choose another --device", ExitCode::resources);
}

}  // namespace

std::vector<DeviceName> read_device_names(const std::string& text) {
    std::vector<DeviceName> names;
    std::istringstream list(text);
    for (std::string name; std::getline(list, name, ',');) names.push_back(read_name(name));
    const bool ends_early = text.empty() || text.back() == ',';
    if (ends_early || (names.size() > 1 && text.find("auto") != std::string::npos)) refuse(text);
    return names;
}

std::vector<DevicePlace> places_named(const std::string& names, const GpuSystem& system) {
    const std::vector<int> usable = usable_gpus(system);
    const bool has_gpus = why_no_gpu(system).empty();
    std::vector<DevicePlace> places;
    for (const DeviceName& name : read_device_names(names)) {
        const bool on_gpu = name.backend == Backend::cuda || (name.automatic && has_gpus);
        if (!on_gpu) {
            places.push_back({name.backend, -1});
        } else if (name.gpu >= 0) {
            require_gpu(system, name.gpu);
            places.push_back({Backend::cuda, name.gpu});
        } else {
            require_gpus(system);
            for (const int gpu : usable) places.push_back({Backend::cuda, gpu});
        }
    }
    if (system.cuda_build && !has_gpus)
        throw Error("this CUDA build cannot start", why_no_gpu(system),
                    "run the host build of tessera on this node", ExitCode::resources);
    return places;
}

DevicePlace choose_place(const std::string& names, int node_rank, const GpuSystem& system) {
    const std::vector<DevicePlace> places = places_named(names, system);
    const auto rank = static_cast<std::size_t>(node_rank);
    DevicePlace place = places[rank % places.size()];
    const std::vector<int> usable = usable_gpus(system);
    if (place.gpu < 0 && !usable.empty()) place.gpu = usable[rank % usable.size()];
    return place;
}

}  // namespace tessera::kernels

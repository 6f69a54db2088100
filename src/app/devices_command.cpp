#include "app/devices_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include <build_info.hpp>

#include "core/terminal.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/device/device_binding.hpp"
#include "kokkos_kernels/device/device_identity.hpp"
#include "kokkos_kernels/device/gpu_system.hpp"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

int cores_here() { return kernels::core_share(0, {kernels::allowed_cores()}); }

std::string text_of(const kernels::GpuSystem& system) {
    std::string text = fmt::format("cpu     {}, {}, {}\n", kernels::cpu_name(),
                                   io::counted(cores_here(), "core"), kernels::cpu_arithmetic());
    for (int number = 0; number < std::ssize(system.gpus); ++number) {
        const kernels::Gpu& gpu = system.gpus[static_cast<std::size_t>(number)];
        text += fmt::format("cuda:{:<3}{}, compute capability {}, {:.4g} GiB\n", number, gpu.name,
                            kernels::capability_text(gpu.capability),
                            static_cast<double>(gpu.memory_bytes) / 0x1p30);
        if (const auto why = kernels::why_not_gpu(system, number); !why.empty())
            text += fmt::format("        cannot be used: {}\n", why);
    }
    if (const auto why = kernels::why_no_gpu(system); !why.empty())
        text += fmt::format("cuda    none: {}\n", why);
    return text;
}

std::string json_of(const kernels::GpuSystem& system) {
    Json json{{"program", "tessera"},
              {"version", build_info::version},
              {"revision", build_info::git_revision},
              {"cpu",
               {{"name", kernels::cpu_name()},
                {"cores", cores_here()},
                {"arithmetic", kernels::cpu_arithmetic()}}},
              {"cuda",
               {{"built", system.cuda_build},
                {"needed_version", system.needed_version},
                {"driver_version", system.driver_version},
                {"code", system.code},
                {"why_not", kernels::why_no_gpu(system)}}},
              {"gpus", Json::array()}};
    for (int number = 0; number < std::ssize(system.gpus); ++number) {
        const kernels::Gpu& gpu = system.gpus[static_cast<std::size_t>(number)];
        json["gpus"].push_back({{"name", fmt::format("cuda:{}", number)},
                                {"number", number},
                                {"model", gpu.name},
                                {"compute_capability", gpu.capability},
                                {"memory_bytes", gpu.memory_bytes},
                                {"why_not", kernels::why_not_gpu(system, number)}});
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void DevicesCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("devices", "List the devices that --device can name");
    command_->footer("Example:\n"
                     "  tessera devices\n"
                     "No device is started. A build without CUDA sees no GPU.");
    command_->add_flag("--json", json_, "print JSON (docs/reference/formats.md)");
}

int DevicesCommand::run() const {
    const kernels::GpuSystem& system = kernels::gpu_system();
    print_text(stdout, json_ ? json_of(system) : text_of(system));
    return 0;
}

}  // namespace tessera::app

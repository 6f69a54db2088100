#include "app/redocking.hpp"

#include <fmt/format.h>

#include <vector>

#include "app/config_file.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

void declare(CLI::App& app, DockCommand& dock) {
    app.option_defaults()->always_capture_default();
    dock.declare(app);
}

std::vector<std::string> words_of(const RedockRequest& request) {
    std::vector<std::string> words{
        "tessera",
        "dock",
        "--pairs=" + request.table,
        "--output=" + request.folder,
        "--device=" + request.options.device.names,
        fmt::format("--gpu-fraction={}", request.options.device.gpu_fraction),
        fmt::format("--memory={}", request.options.memory_gib)};
    if (const docking::MembraneOptions& membrane = request.membrane; membrane.is_set()) {
        words.push_back("--membrane=" + membrane.slab);
        words.push_back("--membrane-axis=" + membrane.axis);
        words.push_back(fmt::format("--membrane-tolerance={}", membrane.tolerance));
    }
    if (request.options.force) words.emplace_back("--force");
    if (request.options.quiet) words.emplace_back("--quiet");
    if (request.config.empty()) return words;
    words.push_back("--config=" + request.config);
    CLI::App probe;
    DockCommand dock;
    declare(probe, dock);
    return with_config(words, probe);
}

}  // namespace

Redocking::Redocking(const RedockRequest& request) : table_(request.table) {
    declare(app_, dock_);
    const std::vector<std::string> words = words_of(request);
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    try {
        app_.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::ParseError& error) {
        throw Error("cannot use --redock-config '" + io::one_line(request.config) + "'",
                    io::one_line(error.what(), 200), "correct it, see tessera dock --help");
    }
    dock_.finished_input();
}

}  // namespace tessera::app

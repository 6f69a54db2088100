#include "choice/device_report.hpp"

#include <nlohmann/json.hpp>

namespace tessera::choice {

std::optional<DeviceReport> read_device_report(const std::string& text) {
    try {
        const auto json = nlohmann::json::parse(text);
        DeviceReport report;
        report.revision = json.at("revision");
        report.cuda_build = json.at("cuda").at("built");
        report.why_no_gpu = json.at("cuda").at("why_not");
        for (const auto& gpu : json.at("gpus"))
            report.gpus.push_back(
                {gpu.at("number"), gpu.at("name"), gpu.at("model"), gpu.at("why_not")});
        return report;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace tessera::choice

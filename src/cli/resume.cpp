#include "cli/resume.hpp"

#include <build_info.hpp>

#include "cli/build_record.hpp"

namespace tessera::cli {

std::string device_kind(const kernels::DeviceInfo& device) {
    return device.name.empty() ? kernels::name_of(device.backend) : device.name;
}

JournalRequest journal_request(const std::string& output, const std::string& workload,
                               const std::string& input_sha256, std::int64_t tiles_total,
                               const kernels::DeviceInfo& device, bool force,
                               const StopFlag* stop) {
    const std::string build = program_version() + " " + build_info::git_revision;
    JournalRequest request{
        output, {workload, input_sha256, build, tiles_total}, device_kind(device), force};
    if (stop) request.stop = &stop->flag();
    return request;
}

}  // namespace tessera::cli

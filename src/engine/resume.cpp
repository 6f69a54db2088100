#include "engine/resume.hpp"

#include <utility>

namespace tessera::engine {

std::string device_kind(const kernels::DeviceInfo& device) {
    const std::string name = device.name.empty() ? kernels::name_of(device.backend) : device.name;
    return name + " (" + device.arithmetic + ")";
}

JournalRequest journal_request(const std::string& output, io::RunIdentity identity,
                               const kernels::DeviceInfo& device, bool force,
                               const StopFlag* stop) {
    JournalRequest request{output, std::move(identity), device_kind(device), force};
    if (stop) request.stop = &stop->flag();
    return request;
}

}  // namespace tessera::engine

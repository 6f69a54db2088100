#include "engine/resume.hpp"

#include <utility>

#include "engine/rank_record.hpp"

namespace tessera::engine {

JournalRequest journal_request(const std::string& output, io::RunIdentity identity,
                               const kernels::DeviceInfo& device, bool force,
                               const StopFlag* stop) {
    JournalRequest request{output, std::move(identity), device_kind(device), force};
    if (stop) request.stop = &stop->flag();
    return request;
}

}  // namespace tessera::engine

#include "mpi/collectives/device_communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "mpi/collectives/nccl_exchange.hpp"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace tessera::mpi {

namespace {

/// Returns why NCCL cannot be used, or an empty text if each rank has a GPU of its own.
std::string trouble_with_gpus(const Communicator& ranks, const std::string& identity) {
    using Name = std::array<char, 64>;
    Name mine{};
    std::memcpy(mine.data(), identity.data(), std::min(identity.size(), mine.size() - 1));
    std::vector<Name> names = ranks.allgather(mine);
    std::sort(names.begin(), names.end());
    if (names.front().front() == '\0') return "arrays lie in host memory";
    if (std::adjacent_find(names.begin(), names.end()) != names.end())
        return "two ranks share a GPU";
    return "";
}

bool switched_off(const Communicator& ranks) {
    const char* text = std::getenv("TESSERA_NCCL");
    return ranks.allreduce_max(text && std::string_view(text) == "off" ? 1 : 0) != 0;
}

}  // namespace

bool mpi_takes_gpu_memory() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

DeviceCommunicator::DeviceCommunicator(const Communicator& ranks, DeviceOperations& device,
                                       const DeviceCommunicatorOptions& options)
    : ranks_(ranks.duplicate()), device_(device) {
    std::string why = trouble_with_gpus(ranks_, device.gpu_identity());
    if (why.empty() && !options.use_nccl) why = "NCCL was not requested";
    if (why.empty() && switched_off(ranks_)) why = "TESSERA_NCCL=off";
    if (why.empty()) why = connect_nccl(options);
    if (!why.empty()) use_mpi(why);
    reduction_ = std::make_unique<OrderedReduction>(ranks_, *exchange_, device_, options.reduction);
}

DeviceCommunicator::~DeviceCommunicator() = default;

/// Empty on success; otherwise why NCCL cannot be used, the same on all ranks.
std::string
DeviceCommunicator::connect_nccl([[maybe_unused]] const DeviceCommunicatorOptions& options) {
#ifdef TESSERA_ENABLE_NCCL
    try {
        exchange_ = std::make_unique<NcclExchange>(ranks_, device_, options.limit);
        transport_ = Transport::nccl;
        description_ = "NCCL " + nccl_version();
        return "";
    } catch (const SharedError& error) {
        return error.what();
    }
#else
    return "this program was built without NCCL";
#endif
}

void DeviceCommunicator::use_mpi(const std::string& why) {
    const bool on_gpus = ranks_.allreduce_max(device_.gpu_identity().empty() ? 0 : 1) != 0;
    const bool direct = !on_gpus || ranks_.allreduce_min(mpi_takes_gpu_memory() ? 1 : 0) != 0;
    transport_ = direct ? Transport::mpi : Transport::staged_mpi;
    exchange_ = std::make_unique<MpiExchange>(ranks_, device_, !direct);
    description_ = !on_gpus ? "MPI" : direct ? "CUDA-aware MPI" : "MPI through host memory";
    description_ += " (" + why + ")";
}

void DeviceCommunicator::broadcast(void* data, std::size_t bytes, int root) {
    device_.synchronize();
    exchange_->broadcast(data, bytes, root);
}

}  // namespace tessera::mpi

#include "mpi/collectives/nccl_exchange.hpp"

#ifdef TESSERA_ENABLE_NCCL

#include <cstdlib>
#include <memory>
#include <thread>

namespace tessera::mpi {

namespace {

constexpr std::size_t rounds_under_way = 2;

bool destroyed(ncclResult_t code) { return code == ncclSuccess || code == ncclInProgress; }

ncclUniqueId shared_id(const Communicator& ranks) {
    ncclUniqueId id{};
    ranks.together([&] {
        // Only bytes are moved here, so memory for arithmetic in the switches (NVLS) would be
        // wasted.
        setenv("NCCL_NVLS_ENABLE", "0", 0);
        if (!ranks.is_root()) return;
        if (const ncclResult_t code = ncclGetUniqueId(&id); code != ncclSuccess)
            throw Error("NCCL cannot start", ncclGetErrorString(code),
                        "set NCCL_DEBUG=INFO to see more", ExitCode::resources);
    });
    ranks.broadcast(id);
    return id;
}

}  // namespace

std::string nccl_version() {
    int code = 0;
    if (ncclGetVersion(&code) != ncclSuccess) return "unknown";
    return std::to_string(code / 10000) + "." + std::to_string(code / 100 % 100) + "." +
           std::to_string(code % 100);
}

NcclExchange::NcclExchange(const Communicator& ranks, DeviceOperations& device,
                           std::chrono::seconds limit)
    : device_(device), limit_(limit), arrivals_(rounds_under_way) {
    const ncclUniqueId id = shared_id(ranks);
    try {
        ranks.together([&] { connect(ranks, id); });
    } catch (...) {
        close();
        throw;
    }
}

void NcclExchange::connect(const Communicator& ranks, const ncclUniqueId& id) {
    check_cuda(cudaStreamCreateWithFlags(&transfers_, cudaStreamNonBlocking), "cudaStreamCreate");
    check_cuda(cudaEventCreateWithFlags(&released_, cudaEventDisableTiming), "cudaEventCreate");
    for (cudaEvent_t& event : arrivals_)
        check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check_nccl(ncclCommInitRankConfig(&communicator_, ranks.size(), id, ranks.rank(), &config),
               "ncclCommInitRankConfig");
    settle("ncclCommInitRankConfig");
    probe(ranks);
}

/// The first transfers connect all pairs of ranks. If that fails, the machine counts as one without
/// NCCL, which is better noticed at the start.
void NcclExchange::probe(const Communicator& ranks) {
    constexpr std::size_t bytes = 16;
    const std::size_t size = static_cast<std::size_t>(ranks.size());
    const std::unique_ptr<void, std::function<void(void*)>> memory(
        device_.allocate(2 * size * bytes), [&](void* probed) { device_.release(probed); });
    auto* at = static_cast<std::byte*>(memory.get());
    std::vector<Transfer> sends, receives;
    for (int peer = 0; peer < ranks.size(); ++peer, at += 2 * bytes) {
        if (peer == ranks.rank()) continue;
        sends.push_back({peer, at, bytes});
        receives.push_back({peer, at + bytes, bytes});
    }
    start(sends, receives);
    finish();
}

NcclExchange::~NcclExchange() {
    if (communicator_) {
        // Finalising is collective and does not block. Ranks that do not come in time are not
        // waited for.
        ncclResult_t state = ncclCommFinalize(communicator_);
        const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
        while (state == ncclInProgress && Clock::now() < end) {
            if (ncclCommGetAsyncError(communicator_, &state) != ncclSuccess) break;
            std::this_thread::yield();
        }
        if (state == ncclSuccess && destroyed(ncclCommDestroy(communicator_)))
            communicator_ = nullptr;
    }
    close();
}

void NcclExchange::close() noexcept {
    abort();
    for (cudaEvent_t event : arrivals_)
        if (event) cudaEventDestroy(event);
    if (released_) cudaEventDestroy(released_);
    if (transfers_) cudaStreamDestroy(transfers_);
}

void NcclExchange::abort() noexcept {
    if (communicator_) ncclCommAbort(communicator_);
    communicator_ = nullptr;
}

void NcclExchange::fail(const std::string& call, const std::string& why) {
    abort();
    throw Error(call + " failed between GPUs", why,
                "start the same command again, or with TESSERA_NCCL=off", ExitCode::resources);
}

void NcclExchange::check_nccl(ncclResult_t code, const char* call,
                              const std::source_location& where) {
    if (code == ncclSuccess || code == ncclInProgress) return;
    std::string why = ncclGetErrorString(code);
    if (communicator_) {
        const std::string last = ncclGetLastError(communicator_);
        if (!last.empty()) why += ", " + last;
    }
    fail(call, why + ", line " + std::to_string(where.line()));
}

void NcclExchange::check_cuda(cudaError_t code, const char* call,
                              const std::source_location& where) {
    if (code != cudaSuccess)
        fail(call, cudaGetErrorString(code) + (", line " + std::to_string(where.line())));
}

/// A non-blocking communicator answers "in progress". Until it has settled, no other call may use
/// it.
void NcclExchange::settle(const char* call) {
    const Clock::time_point end = Clock::now() + limit_;
    for (ncclResult_t state = ncclInProgress; state == ncclInProgress;) {
        check_nccl(ncclCommGetAsyncError(communicator_, &state), "ncclCommGetAsyncError");
        check_nccl(state, call);
        if (state == ncclInProgress && Clock::now() > end)
            fail(call, "no answer within " + std::to_string(limit_.count()) + " s");
        if (state == ncclInProgress) std::this_thread::yield();
    }
}

void NcclExchange::wait_for_stream() {
    const Clock::time_point end = Clock::now() + limit_;
    for (cudaError_t code = cudaErrorNotReady; code == cudaErrorNotReady;) {
        code = cudaStreamQuery(transfers_);
        if (code == cudaSuccess) return;
        if (code != cudaErrorNotReady) check_cuda(code, "cudaStreamQuery");
        settle("a transfer");
        if (Clock::now() > end)
            fail("a transfer", "not done within " + std::to_string(limit_.count()) + " s");
        std::this_thread::yield();
    }
}

void NcclExchange::start(std::span<const Transfer> sends, std::span<const Transfer> receives) {
    if (!communicator_) fail("a transfer", "an earlier one has failed");
    check_cuda(cudaStreamWaitEvent(transfers_, released_), "cudaStreamWaitEvent");
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (const Transfer& transfer : sends)
        check_nccl(ncclSend(transfer.data, transfer.bytes, ncclUint8, transfer.peer, communicator_,
                            transfers_),
                   "ncclSend");
    for (const Transfer& transfer : receives)
        check_nccl(ncclRecv(transfer.data, transfer.bytes, ncclUint8, transfer.peer, communicator_,
                            transfers_),
                   "ncclRecv");
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
    settle("ncclGroupEnd");
    check_cuda(cudaEventRecord(arrivals_[started_++ % rounds_under_way], transfers_),
               "cudaEventRecord");
}

void NcclExchange::arrive() {
    const cudaEvent_t event = arrivals_[arrived_++ % rounds_under_way];
    check_cuda(cudaStreamWaitEvent(static_cast<cudaStream_t>(device_.stream()), event),
               "cudaStreamWaitEvent");
}

void NcclExchange::release() {
    check_cuda(cudaEventRecord(released_, static_cast<cudaStream_t>(device_.stream())),
               "cudaEventRecord");
}

void NcclExchange::finish() {
    while (arrived_ < started_) arrive();
    wait_for_stream();
    device_.synchronize();
}

void NcclExchange::broadcast(void* data, std::size_t bytes, int root) {
    run("ncclBroadcast", [&](ncclComm_t communicator, cudaStream_t stream) {
        return ncclBroadcast(data, data, bytes, ncclUint8, root, communicator, stream);
    });
}

void NcclExchange::run(const char* name,
                       const std::function<ncclResult_t(ncclComm_t, cudaStream_t)>& call) {
    if (!communicator_) fail(name, "an earlier transfer has failed");
    check_nccl(call(communicator_, transfers_), name);
    settle(name);
    wait_for_stream();
}

}  // namespace tessera::mpi

#endif

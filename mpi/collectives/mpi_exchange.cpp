// The MPI half of mpi/collectives/exchange.hpp.
#include <utility>

#include "mpi/collectives/exchange.hpp"
#include "mpi/waiting.hpp"

namespace tessera::mpi {

namespace {

constexpr int piece_tag = 2;
constexpr std::size_t longest_message = std::size_t{1} << 30;  // MPI counts in int

}  // namespace

struct MpiExchange::Round {
    std::vector<MPI_Request> requests;
    std::vector<std::pair<Transfer, std::byte*>> incoming;  ///< copied from host memory on arrival
};

MpiExchange::MpiExchange(const Communicator& ranks, DeviceOperations& device, bool staged)
    : ranks_(ranks.duplicate()), device_(device), staged_(staged) {}

MpiExchange::~MpiExchange() {
    for (std::byte* memory : bounce_)
        if (memory) device_.release_host(memory);
}

std::byte* MpiExchange::bounce(std::size_t half, std::size_t bytes) {
    if (bounce_bytes_[half] < bytes) {
        if (bounce_[half]) device_.release_host(std::exchange(bounce_[half], nullptr));
        bounce_bytes_[half] = 0;
        bounce_[half] = static_cast<std::byte*>(device_.allocate_host(bytes));
        bounce_bytes_[half] = bytes;
    }
    return bounce_[half];
}

void MpiExchange::post(Round& round, const Transfer& transfer, bool sends) {
    auto* data = static_cast<std::byte*>(transfer.data);
    for (std::size_t done = 0; done < transfer.bytes; done += longest_message) {
        const int count = static_cast<int>(std::min(longest_message, transfer.bytes - done));
        MPI_Request& request = round.requests.emplace_back(MPI_REQUEST_NULL);
        if (sends)
            check(MPI_Isend(data + done, count, MPI_BYTE, transfer.peer, piece_tag, ranks_.handle(),
                            &request),
                  "MPI_Isend");
        else
            check(MPI_Irecv(data + done, count, MPI_BYTE, transfer.peer, piece_tag, ranks_.handle(),
                            &request),
                  "MPI_Irecv");
    }
}

void MpiExchange::start(std::span<const Transfer> sends, std::span<const Transfer> receives) {
    Round& round = rounds_.emplace_back();
    std::byte* host = nullptr;
    if (staged_) {
        std::size_t bytes = 0;
        for (const Transfer& transfer : sends) bytes += transfer.bytes;
        for (const Transfer& transfer : receives) bytes += transfer.bytes;
        host = bounce(started_ % 2, bytes);
    }
    ++started_;
    const auto in_host = [&](const Transfer& transfer) {
        return Transfer{transfer.peer, std::exchange(host, host + transfer.bytes), transfer.bytes};
    };
    for (const Transfer& transfer : receives) {
        const Transfer here = staged_ ? in_host(transfer) : transfer;
        if (staged_) round.incoming.emplace_back(transfer, static_cast<std::byte*>(here.data));
        post(round, here, false);
    }
    std::vector<Transfer> outgoing(sends.begin(), sends.end());
    if (staged_) {
        for (Transfer& transfer : outgoing) {
            const Transfer here = in_host(transfer);
            device_.copy(here.data, transfer.data, transfer.bytes);
            transfer = here;
        }
        device_.synchronize();
    }
    for (const Transfer& transfer : outgoing) post(round, transfer, true);
}

void MpiExchange::arrive() {
    Round& round = rounds_.front();
    wait_for(round.requests);
    for (const auto& [transfer, host] : round.incoming)
        device_.copy(transfer.data, host, transfer.bytes);
    rounds_.erase(rounds_.begin());
}

void MpiExchange::finish() {
    while (!rounds_.empty()) arrive();
    device_.synchronize();
}

void MpiExchange::broadcast(void* data, std::size_t bytes, int root) {
    auto* at = static_cast<std::byte*>(data);
    if (!staged_) return ranks_.broadcast_bytes({at, bytes}, root);
    constexpr std::size_t piece = std::size_t{64} << 20;
    for (std::size_t done = 0; done < bytes; done += piece) {
        const std::size_t length = std::min(piece, bytes - done);
        std::byte* host = bounce(0, length);
        if (ranks_.rank() == root) device_.copy(host, at + done, length);
        device_.synchronize();
        ranks_.broadcast_bytes({host, length}, root);
        if (ranks_.rank() != root) device_.copy(at + done, host, length);
        device_.synchronize();
    }
}

}  // namespace tessera::mpi

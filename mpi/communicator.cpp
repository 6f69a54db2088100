#include "mpi/communicator.hpp"

#include <utility>

#include "mpi/waiting.hpp"

namespace tessera::mpi {

namespace {

constexpr int data_tag = 1;

// MPI splits longer broadcasts into rounds, which progress only inside MPI calls. A sleeping rank
// makes such calls less and less often. Waiting for each piece separately starts the polling
// afresh.
constexpr std::size_t broadcast_piece = std::size_t{1} << 16;

MPI_Comm duplicate_of(MPI_Comm communicator) {
    MPI_Comm handle = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(communicator, &handle, &request), "MPI_Comm_idup");
    wait_for(request);
    return handle;
}

bool is_finalized() {
    int finalized = 0;
    return MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0;
}

}  // namespace

Communicator::Communicator(MPI_Comm handle) : handle_(handle) {
    check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(handle_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(handle_, &size_), "MPI_Comm_size");
}

Communicator Communicator::world() { return Communicator(duplicate_of(MPI_COMM_WORLD)); }

Communicator::~Communicator() {
    if (handle_ != MPI_COMM_NULL && !is_finalized()) MPI_Comm_free(&handle_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : handle_(std::exchange(other.handle_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_),
      longest_message_(other.longest_message_) {}

Communicator Communicator::duplicate() const { return Communicator(duplicate_of(handle_)); }

Communicator Communicator::split_shared() const {
    meet(handle_);
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &handle),
          "MPI_Comm_split_type");
    return Communicator(handle);
}

Communicator Communicator::split(int colour, int key) const {
    meet(handle_);
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_split(handle_, colour, key, &handle), "MPI_Comm_split");
    return Communicator(handle);
}

void Communicator::barrier() const { meet(handle_); }

void Communicator::broadcast_bytes(std::span<std::byte> bytes, int root) const {
    const std::size_t longest = std::min(broadcast_piece, longest_message_);
    for (std::size_t done = 0; done < bytes.size(); done += longest) {
        const auto piece = bytes.subspan(done, std::min(longest, bytes.size() - done));
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ibcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, root, handle_,
                         &request),
              "MPI_Ibcast");
        wait_for(request);
    }
}

void Communicator::broadcast(std::string& text, int root) const {
    std::uint64_t length = text.size();
    broadcast(length, root);
    text.resize(length);
    broadcast_bytes(std::as_writable_bytes(std::span(text)), root);
}

void Communicator::send_bytes(std::span<const std::byte> bytes, int destination) const {
    for (std::size_t done = 0; done < bytes.size(); done += longest_message_) {
        const auto piece = bytes.subspan(done, std::min(longest_message_, bytes.size() - done));
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, destination,
                        data_tag, handle_, &request),
              "MPI_Isend");
        wait_for(request);
    }
}

void Communicator::receive_bytes(std::span<std::byte> bytes, int source) const {
    for (std::size_t done = 0; done < bytes.size(); done += longest_message_) {
        const auto piece = bytes.subspan(done, std::min(longest_message_, bytes.size() - done));
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, source, data_tag,
                        handle_, &request),
              "MPI_Irecv");
        wait_for(request);
    }
}

void Communicator::gather_bytes(std::span<const std::byte> bytes,
                                const std::function<void(int, std::span<const std::byte>)>& receive,
                                int root) const {
    const std::uint64_t mine = bytes.size();
    const std::vector<std::uint64_t> lengths = allgather(mine);
    if (rank_ != root) return send_bytes(bytes, root);
    std::exception_ptr failure;
    const auto pass_on = [&](int source, std::span<const std::byte> received) {
        try {
            if (!failure) receive(source, received);
        } catch (...) {
            failure = std::current_exception();
        }
    };
    std::vector<std::byte> buffer;
    for (int source = 0; source < size_; ++source) {
        if (source == root) {
            pass_on(source, bytes);
            continue;
        }
        buffer.resize(lengths[static_cast<std::size_t>(source)]);
        receive_bytes(buffer, source);
        pass_on(source, buffer);
    }
    if (failure) std::rethrow_exception(failure);
}

void Communicator::allgather_bytes(const void* mine, void* all, std::size_t bytes_each) const {
    const int count = static_cast<int>(bytes_each);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, handle_, &request),
          "MPI_Iallgather");
    wait_for(request);
}

std::int64_t Communicator::allreduce(std::int64_t value, MPI_Op operation) const {
    std::int64_t result = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(&value, &result, 1, MPI_INT64_T, operation, handle_, &request),
          "MPI_Iallreduce");
    wait_for(request);
    return result;
}

std::int64_t Communicator::allreduce_sum(std::int64_t value) const {
    return allreduce(value, MPI_SUM);
}
std::int64_t Communicator::allreduce_min(std::int64_t value) const {
    return allreduce(value, MPI_MIN);
}
std::int64_t Communicator::allreduce_max(std::int64_t value) const {
    return allreduce(value, MPI_MAX);
}

void Communicator::rethrow_together(const std::exception_ptr& exception) const {
    const int failed = static_cast<int>(allreduce_min(exception ? rank_ : size_));
    if (failed == size_) return;
    Failure failure;
    if (rank_ == failed) {
        failure = describe(exception);
        if (failed > 0) failure.line += " [rank " + std::to_string(failed) + "]";
    }
    broadcast(failure.line, failed);
    broadcast(failure.code, failed);
    throw SharedError(FinishedLine{failure.line}, failure.code);
}

}  // namespace tessera::mpi

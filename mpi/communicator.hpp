// A group of ranks. Collectives move bytes and integers. Floating-point arithmetic stays local and
// in tile order, so that results have the same bits for any number of ranks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "mpi/mpi_error.hpp"

namespace tessera::mpi {

template <class T>
concept Sendable = std::is_trivially_copyable_v<T>;

/// Owns its MPI handle and frees it in the destructor unless MPI has been finalised. All ranks of
/// the communicator must call every operation that is not marked local. Messages may have any
/// length: they are cut into pieces that fit MPI's int counts. A rank that waits for others sleeps
/// (waiting.hpp).
class Communicator {
  public:
    /// A private duplicate of MPI_COMM_WORLD.
    static Communicator world();

    /// Takes over `handle`. Its errors are returned from then on instead of ending the program.
    explicit Communicator(MPI_Comm handle);
    ~Communicator();
    Communicator(Communicator&& other) noexcept;

    int rank() const { return rank_; }           ///< local
    int size() const { return size_; }           ///< local
    bool is_root() const { return rank_ == 0; }  ///< local
    MPI_Comm handle() const { return handle_; }  ///< local

    Communicator duplicate() const;
    /// The ranks that share memory with this rank, which are those of its node.
    Communicator split_shared() const;
    Communicator split(int colour, int key) const;

    void barrier() const;

    /// The length must be the same on all ranks.
    void broadcast_bytes(std::span<std::byte> bytes, int root = 0) const;
    void broadcast(std::string& text, int root = 0) const;
    template <Sendable T>
    void broadcast(T& value, int root = 0) const;
    template <Sendable T>
    void broadcast(std::vector<T>& values, int root = 0) const;

    /// On `root`, `receive(rank, bytes)` is called once for each rank in rank order; `bytes` is
    /// valid during that call only. If a call throws, the remaining messages are still received,
    /// and then the first exception is rethrown.
    void gather_bytes(std::span<const std::byte> bytes,
                      const std::function<void(int, std::span<const std::byte>)>& receive,
                      int root = 0) const;
    /// The values of all ranks in rank order; empty on ranks other than `root`.
    template <Sendable T>
    std::vector<T> gather(const std::vector<T>& values, int root = 0) const;
    /// One value from each rank, on all ranks.
    template <Sendable T>
    std::vector<T> allgather(const T& value) const;

    std::int64_t allreduce_sum(std::int64_t value) const;
    std::int64_t allreduce_min(std::int64_t value) const;
    std::int64_t allreduce_max(std::int64_t value) const;

    /// Ends a phase. If any rank passes an exception, all ranks throw SharedError with the line of
    /// the lowest such rank. Otherwise nothing happens. During a phase a rank may fail at any
    /// point, as long as no other rank waits for it in a collective.
    void rethrow_together(const std::exception_ptr& exception) const;
    /// Runs `phase` and ends it with rethrow_together(). The phase must contain no collective, or
    /// only collectives that fail on all ranks alike.
    template <class Phase>
    void together(Phase&& phase) const;

    /// The longest piece of a message in bytes; set by tests. Same on all ranks. Local.
    void set_longest_message(std::size_t bytes) { longest_message_ = bytes; }

  private:
    void send_bytes(std::span<const std::byte> bytes, int destination) const;
    void receive_bytes(std::span<std::byte> bytes, int source) const;
    void allgather_bytes(const void* mine, void* all, std::size_t bytes_each) const;
    std::int64_t allreduce(std::int64_t value, MPI_Op operation) const;

    MPI_Comm handle_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
    std::size_t longest_message_ = std::size_t{1} << 30;
};

template <Sendable T>
void Communicator::broadcast(T& value, int root) const {
    broadcast_bytes(std::as_writable_bytes(std::span(&value, 1)), root);
}

template <Sendable T>
void Communicator::broadcast(std::vector<T>& values, int root) const {
    std::uint64_t count = values.size();
    broadcast(count, root);
    values.resize(count);
    broadcast_bytes(std::as_writable_bytes(std::span(values)), root);
}

template <Sendable T>
std::vector<T> Communicator::gather(const std::vector<T>& values, int root) const {
    std::vector<T> all;
    gather_bytes(
        std::as_bytes(std::span(values)),
        [&](int, std::span<const std::byte> bytes) {
            const std::size_t before = all.size();
            all.resize(before + bytes.size() / sizeof(T));
            std::ranges::copy(bytes,
                              std::as_writable_bytes(std::span(all).subspan(before)).begin());
        },
        root);
    return all;
}

template <Sendable T>
std::vector<T> Communicator::allgather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size_));
    allgather_bytes(&value, all.data(), sizeof(T));
    return all;
}

template <class Phase>
void Communicator::together(Phase&& phase) const {
    std::exception_ptr failure;
    try {
        phase();
    } catch (...) {
        failure = std::current_exception();
    }
    rethrow_together(failure);
}

}  // namespace tessera::mpi

// The messages between ranks that work on many pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/tile_fault.hpp"
#include "docking/pairs/pair_failure.hpp"
#include "docking/pairs/pair_manifest.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// To the owner of a pair: the sender has computed a tile.
struct TileResult {
    int pair = 0;
    std::int64_t tile = 0;
    double seconds = 0;  ///< time that the tile has taken
    std::vector<kernels::PoseRecord> records;
    std::string input_sha256;  ///< hash of the pair's files as the sender has read them
};

/// To the owner of a pair: the pair fails.
struct PairFailed {
    int pair = 0;
    PairFailure failure;
};

/// To the owner of a pair: the sender cannot do these tiles.
struct TilesReturned {
    int pair = 0;
    bool tried = true;                          ///< the sender had a device when it took them
    TileFault fault = TileFault::device_error;  ///< how the first of `tiles` failed
    std::vector<std::int64_t> tiles;            ///< empty if the sender cannot finish the pair
    std::string detail;                         ///< one line about the fault
};

/// To the owner of a pair: the sender has finished the pair.
struct PairFinished {
    int pair = 0;
    WrittenPair written;
};

/// From the owner of a pair: the receiver is asked to compute these tiles.
struct TilesRequested {
    int pair = 0;
    std::vector<std::int64_t> tiles;
};

/// From the owner of a pair: the receiver is asked to finish the searched pair.
struct FinishRequested {
    int pair = 0;
    std::vector<kernels::PoseRecord> records;  ///< the best of all sets
    std::vector<std::byte> run_record;         ///< packed_record()
};

/// To rank 0: a pair has ended.
struct PairSettled {
    int pair = 0;
    bool failed = false;
    PairFailure failure;  ///< if it has failed
    WrittenPair written;  ///< otherwise
};

/// To rank 0: the sender goes on without its device.
struct DeviceLeftOut {
    std::string why;
};

using PairMail = std::variant<TileResult, PairFailed, TilesReturned, PairFinished, TilesRequested,
                              FinishRequested, PairSettled, DeviceLeftOut>;

std::vector<std::byte> packed(const PairMail& mail);

/// Throws Error (exit code: internal) if the message is not exactly one packed mail.
PairMail unpacked(std::span<const std::byte> message);

/// Functions in one object, for std::visit.
template <class... Functions>
struct Overloads : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloads(Functions...) -> Overloads<Functions...>;

}  // namespace tessera::docking

// What ranks tell each other while they work on many pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/tile_fault.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// To a pair's owner: a tile's records, why the pair fails, or tiles that the sender cannot do. From the
/// owner: tiles to be done by another. To rank 0: that a pair is settled.
struct PairMail {
    enum class Kind : std::int64_t { partial, failure, settled, returned, request };
    struct Header {
        Kind kind = Kind::partial;
        std::int64_t pair = 0;
        std::int64_t tile = 0;
        std::int64_t failed = 0;  ///< settled: 1 where the pair has failed
        ExitCode code = ExitCode::usage;
        TileFault fault = TileFault::device_error;  ///< returned: how the first of `tiles` failed
        double seconds = 0;                         ///< of work on the tile
    };

    Header header;
    std::vector<kernels::PoseRecord> records;  ///< of a partial
    std::vector<std::int64_t> tiles;           ///< returned or requested
    std::string text;                          ///< of a failure; the detail of what was returned

    std::vector<std::byte> packed() const;
    static PairMail unpacked(std::span<const std::byte> message);
};

}  // namespace tessera::docking

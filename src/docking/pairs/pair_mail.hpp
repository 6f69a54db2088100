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

/// To a pair's owner: a tile's records, why the pair fails, tiles that the sender cannot do (none: it cannot
/// finish the pair), or that it has finished the pair. From the owner: tiles to be done by another, or a
/// searched pair to be finished. To rank 0: that a pair is settled, or that the sender's device is out.
struct PairMail {
    enum class Kind : std::int64_t {
        partial,
        failure,
        settled,
        returned,
        request,
        searched,
        finished,
        left_out
    };
    struct Header {
        Kind kind = Kind::partial;
        std::int64_t pair = 0;
        std::int64_t tile = 0;
        std::int64_t failed =
            0;  ///< settled: 1 where the pair has failed; returned: where it was tried
        ExitCode code = ExitCode::usage;
        TileFault fault = TileFault::device_error;  ///< returned: how the first of `tiles` failed
        double seconds = 0;                         ///< of work on the tile
    };

    Header header;
    std::vector<kernels::PoseRecord> records;  ///< of a partial, or the best of a searched pair
    std::vector<std::int64_t> tiles;           ///< returned or requested
    std::string
        text;  ///< of a failure; the detail of what was returned, or why a device is out; the
               ///< summary's row of a finished pair; the record of a searched one, as bytes

    std::vector<std::byte> packed() const;
    static PairMail unpacked(std::span<const std::byte> message);
};

}  // namespace tessera::docking

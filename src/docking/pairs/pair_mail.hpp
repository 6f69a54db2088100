// What ranks tell each other while they work on many pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// To a pair's owner: a tile's records, or why the pair fails. To rank 0: that a pair is settled.
struct PairMail {
    enum class Kind : std::int64_t { partial, failure, settled };
    struct Header {
        Kind kind = Kind::partial;
        std::int64_t pair = 0;
        std::int64_t tile = 0;
        std::int64_t failed = 0;  ///< settled: 1 where the pair has failed
        ExitCode code = ExitCode::usage;
        double seconds = 0;  ///< of work on the tile
    };

    Header header;
    std::vector<kernels::PoseRecord> records;  ///< of a partial
    std::string text;                          ///< of a failure

    std::vector<std::byte> packed() const;
    static PairMail unpacked(std::span<const std::byte> message);
};

}  // namespace tessera::docking

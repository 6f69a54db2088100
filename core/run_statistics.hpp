// Statistics of a run: who did the work, how long the phases took, which tiles were retried. The
// records are trivially copyable, so that ranks send them as bytes. The /run tables of the output
// hold the same fields.
#pragma once

#include <cstdint>

#include "core/fixed_string.hpp"

namespace tessera {

/// One rank's share of the run.
struct RankRecord {
    FixedString<64> host;
    FixedString<64> device;  ///< "NVIDIA H200", "2 cores of AMD EPYC 7763", ...
    FixedString<16> backend;
    std::int64_t tiles_done = 0;
    double busy_seconds = 0;  ///< time inside the workload
    std::int64_t retries = 0;
    double waiting_seconds = 0;  ///< waiting for tiles, and at the end for other ranks
    FixedString<32> fate;        ///< "finished", "device lost", "device lost in the refinement",
                                 ///< "device lost at the end" (of a fit), or "device did not start"
};

/// One phase of the run as rank 0 saw it.
struct PhaseRecord {
    FixedString<48> name;
    double seconds = 0;
};

/// A tile that failed on a rank, the reason, and the outcome.
struct RetryRecord {
    std::int64_t tile = 0;
    std::int64_t rank = 0;
    FixedString<32> reason;
    FixedString<192> detail;
    FixedString<48> outcome;  ///< "done in smaller launches", "handed on, done by rank 3", ...
};

}  // namespace tessera

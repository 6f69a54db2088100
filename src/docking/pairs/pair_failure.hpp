// What ends a pair, and what ends the run of all pairs.
#pragma once

#include <new>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "io/journal/journal.hpp"

namespace tessera::docking {

/// Of all pairs, not of the one at hand.
class RunError : public Error {
  public:
    using Error::Error;
};

/// Why a pair has no output.
struct PairFailure {
    std::string reason;  ///< one line
    ExitCode code = ExitCode::usage;
};

/// Does some work for a pair. What it throws is that pair's failure and no one else's, but for a
/// RunError, a journal's error and a bug, which end the run.
template <class Work>
std::optional<PairFailure> attempt(const Work& work) {
    try {
        work();
    } catch (const RunError&) {
        throw;
    } catch (const io::JournalError& error) {
        throw RunError(FinishedLine{error.what()}, error.code());
    } catch (const Error& error) {
        if (error.code() == ExitCode::internal) throw;
        return PairFailure{error.what(), error.code()};
    } catch (const TileFailure& failure) {
        return PairFailure{Error("the pair's work on the device failed", failure.what(),
                                 "use a device with more free memory or another --device")
                               .what(),
                           failure.exit_code()};
    } catch (const std::bad_alloc&) {
        return PairFailure{"no host memory for the pair (it and its neighbours take all there is): "
                           "use fewer ranks a node or a coarser --spacing",
                           ExitCode::resources};
    }
    return std::nullopt;
}

}  // namespace tessera::docking

// Errors that end one pair, and errors that end the run of all pairs.
#pragma once

#include <new>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "io/journal/journal.hpp"

namespace tessera::docking {

/// An error that ends the run, not only the present pair.
class RunError : public Error {
  public:
    using Error::Error;
};

/// Why a pair has no output.
struct PairFailure {
    std::string reason;  ///< one line
    ExitCode code = ExitCode::usage;
};

/// Does work for a pair. An exception is the failure of this pair alone. A RunError, an error of
/// the journal and an internal error are thrown on and end the run.
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
        return PairFailure{
            "no host memory is left for the pair (it and the pairs beside it need too "
            "much): use fewer ranks per node or a coarser --spacing",
            ExitCode::resources};
    }
    return std::nullopt;
}

}  // namespace tessera::docking

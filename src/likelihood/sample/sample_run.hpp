// A sampling over all ranks.
#pragma once

#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/conducted_run.hpp"
#include "likelihood/sample/sample_problem.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

struct SampleOutcome {
    Samples samples;  ///< on rank 0
    Conducted conducted;
};

/// Collective. Rank 0 moves the chains, and all ranks evaluate their points. Throws SharedError if
/// a signal stopped it, or if no chain can start, which removes the folder.
SampleOutcome run_sample(const mpi::Communicator& ranks, const SampleProblem& problem,
                         const Conductor& conductor, io::RunRecord& record);

}  // namespace tessera::likelihood

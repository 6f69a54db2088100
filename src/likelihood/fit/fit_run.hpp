// A fit over all ranks: its problem, the search that rank 0 conducts, and the evaluation of the
// best model.
#pragma once

#include <string>
#include <vector>

#include "core/stop_flag.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/journal/partial_folder.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/conducted_run.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/fit/maximise.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// The problem of a fit, and the means of this rank to solve it.
struct FitRun {
    const FitProblem& problem;
    WedgeEvaluator& evaluator;  ///< of this rank
    const StopFlag& stop;
    std::string devices;                  ///< on rank 0: the kinds of the devices of all ranks
    io::PartialFolder* folder = nullptr;  ///< on rank 0: keeps the evaluations
    bool speaks = false;                  ///< whether this rank prints
};

/// The result of a fit and the record of its run.
struct FitOutcome {
    Maximum maximum;  ///< on rank 0
    Conducted conducted;
};

/// Collective. Rank 0 conducts the search, and all ranks evaluate its points. Throws SharedError if
/// a signal stopped the fit. Throws SharedError and removes the folder if no point has a finite
/// likelihood.
FitOutcome run_fit(const mpi::Communicator& ranks, const FitRun& run, const std::string& parameters,
                   io::RunRecord& record);

/// Collective. Evaluates the model at `best` on the first rank that has a device. All ranks get the
/// result.
std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const FitRun& run, Point best,
                                      Wanted wanted);

}  // namespace tessera::likelihood

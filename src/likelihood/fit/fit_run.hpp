// A fit over all ranks: its problem, the search that rank 0 conducts, and the evaluation of the
// best model.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/conducted_run.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/number_fit.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// The result of a fit and the record of its run.
struct FitOutcome {
    FitCourse course;             ///< on rank 0
    Numbers numbers;              ///< on all ranks: those of streams, if they were chosen
    std::vector<NumberRow> rows;  ///< on rank 0: how they were chosen
    Conducted conducted;
};

/// Collective. Rank 0 conducts the search, and all ranks evaluate its points. With `numbers` the
/// fit chooses the numbers of streams, and the conductor has a StagedObjective. Throws SharedError
/// if a signal stopped the fit. Throws SharedError and removes the folder if no point has a finite
/// likelihood.
FitOutcome run_fit(const mpi::Communicator& ranks, const FitProblem& problem,
                   const Conductor& conductor, const std::string& parameters,
                   const StreamNumbers* numbers, io::RunRecord& record);

/// Collective. Evaluates the models of all wedges at `best` on the first rank that has a device.
/// All ranks get the results.
std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const Conductor& conductor,
                                      Point best, Wanted wanted);

}  // namespace tessera::likelihood

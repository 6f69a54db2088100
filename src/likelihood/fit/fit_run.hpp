// A fit over all ranks: what is fitted, the search that rank 0 conducts, and the best model
// evaluated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/stop_flag.hpp"
#include "engine/run_tiles.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/journal/partial_folder.hpp"
#include "io/streams/fit_settings.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/input.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// What is to be fitted, the same on every rank.
struct FitProblem {
    std::vector<WedgeInput> wedges;  ///< one
    std::unique_ptr<StreamSpace> space;
    MaximisePlan plan;
    io::FitSettings settings;  ///< with all defaults

    const WedgeInput& wedge() const { return wedges.front(); }
};

/// `settings_of`: how to fit, from the text of the parameter file. Throws Error if no parameter is
/// free.
FitProblem
read_fit_problem(const LikelihoodInput& input,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of);

/// Input and settings as /run has them.
std::string to_json(const LikelihoodInput& input, const FitProblem& problem);

/// SHA-256 of what decides the result.
std::string hash_of(const LikelihoodInput& input, const FitProblem& problem);

/// The likelihood of the problem's wedge on this rank's device.
std::unique_ptr<WedgeEvaluator> make_evaluator(const LikelihoodInput& input,
                                               const FitProblem& problem, kernels::Backend backend);

/// What a fit is given beside its problem.
struct FitRun {
    const FitProblem& problem;
    WedgeEvaluator& evaluator;  ///< of this rank
    const StopFlag& stop;
    io::PartialFolder* folder = nullptr;  ///< of rank 0: where evaluations are kept
    bool speaks = false;                  ///< this is the rank that prints, and it may
};

/// What a fit has found, and how it went.
struct FitOutcome {
    Maximum maximum;      ///< on rank 0
    TileRun<double> run;  ///< of this rank; as SharedObjective::run()
    std::int64_t tiles_total = 0;
    std::int64_t resumed = 0;  ///< batches that an earlier run has evaluated, on rank 0
};

/// Collective. Rank 0 conducts the search, and all ranks evaluate its points. Throws SharedError if
/// a signal stopped the fit, or if no point has a finite likelihood; then nothing is left in the
/// folder.
FitOutcome run_fit(const mpi::Communicator& ranks, const FitRun& run, const std::string& parameters,
                   io::RunRecord& record);

/// Collective. The evaluation of the model at `best`, with the stars' densities, on rank 0: by the
/// first rank that has a device.
std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const StreamSpace& space,
                                      Point best, WedgeEvaluator& evaluator);

}  // namespace tessera::likelihood

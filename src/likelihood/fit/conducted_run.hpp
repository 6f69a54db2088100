// Work on an objective that rank 0 conducts and all ranks evaluate, with a journal.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/stop_flag.hpp"
#include "engine/run_tiles.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/journal/partial_folder.hpp"
#include "likelihood/fit/asynchronous_search.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// The means of this rank.
struct Conductor {
    const FitProblem& problem;
    const WedgeEvaluators& evaluators;  ///< of this rank
    const StopFlag& stop;
    std::string devices;                  ///< on rank 0: the kinds of the devices of all ranks
    io::PartialFolder* folder = nullptr;  ///< on rank 0: keeps the evaluations
    bool speaks = false;                  ///< whether this rank prints
    Refitter* refitter = nullptr;         ///< of this rank; null if no simulated sets are fitted
    std::string device_kind = {};         ///< of this rank, for an asynchronous search
    Objective* answers = nullptr;         ///< of this rank; null: by its evaluators
};

/// The record of the run.
struct Conducted {
    TileRun<double> run;  ///< SharedObjective::run() of this rank
    std::int64_t tiles_total = 0;
    // On rank 0: batches that an earlier run evaluated, and its devices.
    std::int64_t resumed = 0;
    std::string resumed_devices;
    std::optional<AsynchronousRecord> asynchronous;
};

/// Collective. Rank 0 does `work` on data that all ranks evaluate. Answers of an earlier
/// run come from its journal. `name` is the phase and what messages call the work: "fit". Throws
/// SharedError if a signal stopped it.
Conducted conduct(const mpi::Communicator& ranks, const Conductor& conductor,
                  const std::string& name, const std::function<void(const FitData&)>& work,
                  io::RunRecord& record);

}  // namespace tessera::likelihood

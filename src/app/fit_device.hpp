// What the commands fit and sample have in common.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/stop_flag.hpp"
#include "core/tile_deadline.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/journal/partial_folder.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "likelihood/fit/conducted_run.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/model/input.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

/// How a fit or a sampling is carried out. These options do not change its result.
struct FitRunOptions {
    std::string output;
    kernels::DeviceChoice device;
    bool force = false;
    bool quiet = false;
    TileDeadline deadline;
};

/// The device of this rank and the evaluators of the wedges on it.
struct FitDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    likelihood::WedgeEvaluators evaluators;

    const kernels::DeviceInfo& info() const { return runtime->info(); }
};

/// How many wedges, stars and free parameters there are, in words.
std::string size_text(const likelihood::FitProblem& problem);

/// The folder of evaluations beside the output. On rank 0, when everything else has worked: a
/// command that cannot begin leaves no folder.
std::unique_ptr<io::PartialFolder> open_folder(const std::string& output, bool force,
                                               const io::RunIdentity& identity,
                                               const StopFlag& stop);

/// Collective. Starts the device and the evaluator of each rank, and calls use(ranks, device) on
/// the ranks that have both. Returns its exit code.
int run_with_evaluator(const mpi::Communicator& world, const likelihood::LikelihoodInput& input,
                       const likelihood::FitProblem& problem, const FitRunOptions& options,
                       io::RunRecord& record,
                       const std::function<int(const mpi::Communicator&, const FitDevice&)>& use);

/// Collective. Notes in the record what the ranks did for rank 0, and says how evenly.
void note_conducted(const mpi::Communicator& ranks, const FitDevice& device,
                    const likelihood::Conducted& done, bool speaks, io::RunRecord& record);

}  // namespace tessera::app

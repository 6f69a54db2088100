// What tessera fit and sample have in common at their start.
#pragma once

#include <memory>
#include <string>

#include "core/stop_flag.hpp"
#include "io/journal/partial_folder.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::app {

/// The device of this rank and the evaluator on it.
struct FitDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    std::shared_ptr<likelihood::WedgeEvaluator> evaluator;

    const kernels::DeviceInfo& info() const { return runtime->info(); }
};

/// The folder of evaluations beside the output. On rank 0, when everything else has worked: a
/// command that cannot begin leaves no folder.
std::unique_ptr<io::PartialFolder> open_folder(const std::string& output, bool force,
                                               const io::RunIdentity& identity,
                                               const StopFlag& stop);

}  // namespace tessera::app

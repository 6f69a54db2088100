// What the commands say of themselves to the journal of finished tiles.
#pragma once

#include <string>

#include "core/stop_flag.hpp"
#include "engine/tile_journal.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::engine {

/// `stop`: ends the wait for another run that holds the folder; outlives the request.
JournalRequest journal_request(const std::string& output, io::RunIdentity identity,
                               const kernels::DeviceInfo& device, bool force,
                               const StopFlag* stop = nullptr);

}  // namespace tessera::engine

// The journal `devices` in the folder of a fit: which kinds of devices evaluated its batches, over
// all attempts. Batches of another kind of device are kept, but their last bits may differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"

namespace tessera::likelihood {

class FitDevices {
  public:
    /// Reads the journal of earlier attempts at `path`. Records that `kinds` evaluate all batches
    /// from number `resumed` on. Throws Error if the journal cannot be read or written.
    FitDevices(const std::string& path, io::JournalKey key, std::int64_t resumed,
               const std::string& kinds);

    /// The devices of the batches of earlier attempts: "NVIDIA H200 (cuFFT 12.0.0): 12 tiles; ...".
    std::string resumed_devices() const;
    /// Whether other devices than `kinds` evaluated one of these batches.
    bool differ() const;

  private:
    std::string kinds_;
    std::vector<std::string> of_batch_;  ///< devices of each batch of earlier attempts
};

}  // namespace tessera::likelihood

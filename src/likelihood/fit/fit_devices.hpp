// Which kinds of devices answered the batches of a fit, over all its attempts: the journal
// `devices` of its folder. Batches of another kind count, since the same questions follow from
// them, but last bits may differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"

namespace tessera::likelihood {

class FitDevices {
  public:
    /// Reads what earlier attempts have left at `path`, and writes down that `kinds` answer all
    /// batches from `resumed` on. Throws Error where it cannot.
    FitDevices(const std::string& path, io::JournalKey key, std::int64_t resumed,
               const std::string& kinds);

    /// "NVIDIA H200 (cuFFT 12.0.0): 12 tiles; ...", of the batches done before.
    std::string resumed_devices() const;
    /// Where one of these batches was answered by others than `kinds`.
    bool differ() const;

  private:
    std::string kinds_;
    std::vector<std::string> of_batch_;  ///< of those done before
};

}  // namespace tessera::likelihood

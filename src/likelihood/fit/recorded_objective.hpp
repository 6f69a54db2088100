// An objective that writes down what it is told, and needs not ask again after a restart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"
#include "likelihood/fit/objective.hpp"

namespace tessera::likelihood {

/// A record a batch: what was asked (its checksum) and all answers. A fit is a function of the
/// answers alone, so a new run that asks the same gets them from the journal, and goes on with the
/// same bits where it ends.
class RecordedObjective : public Objective {
  public:
    /// `inner` answers what the journal at `path`, of the run `key`, does not.
    RecordedObjective(Objective& inner, const std::string& path, io::JournalKey key);

    /// Throws Error where the journal's batches are not the ones asked for.
    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

    std::int64_t batches_resumed() const { return static_cast<std::int64_t>(records_.size()); }

  private:
    /// Of the next batch, from the journal; nothing where it has ended.
    const std::vector<double>* remembered(std::uint64_t question, std::size_t numbers);
    void remember(std::uint64_t question, const std::vector<double>& numbers);

    struct Batch {
        std::uint64_t question = 0;
        std::vector<double> numbers;
    };

    Objective& inner_;
    std::vector<Batch> records_;
    std::size_t next_ = 0;
    io::JournalWriter writer_;
};

}  // namespace tessera::likelihood

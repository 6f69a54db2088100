// An objective that records all answers, so that a restarted fit need not compute them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"
#include "likelihood/fit/bootstrap.hpp"
#include "likelihood/fit/objective.hpp"

namespace tessera::likelihood {

/// Each record holds one batch: a checksum of its points and all answers. A fit depends on the
/// answers alone. A new run that asks for the same points gets the answers from the journal. After
/// its last record the run continues with the same bits.
class RecordedObjective : public Objective, public Refitter {
  public:
    /// `inner` and `refitter` compute the answers that the journal at `path` of the run `key` does
    /// not have. `refitter` may be null if refits() is not called.
    RecordedObjective(Objective& inner, const std::string& path, io::JournalKey key,
                      Refitter* refitter = nullptr);

    /// Throws Error if the journal has other points for this batch.
    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;
    std::vector<Refit> refits(std::span<const Point> questions) override;

    std::int64_t batches_resumed() const { return static_cast<std::int64_t>(records_.size()); }

  private:
    /// The answers of the next batch in the journal, or null after its last record.
    const std::vector<double>* remembered(std::uint64_t question, std::size_t numbers);
    void remember(std::uint64_t question, const std::vector<double>& numbers);

    struct Batch {
        std::uint64_t question = 0;
        std::vector<double> numbers;
    };

    Objective& inner_;
    Refitter* refitter_;
    std::vector<Batch> records_;
    std::size_t next_ = 0;
    io::JournalWriter writer_;
};

}  // namespace tessera::likelihood

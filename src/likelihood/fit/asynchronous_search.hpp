// An asynchronous search with its journal and its verification, as rank 0 conducts it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/journal/journal.hpp"
#include "likelihood/fit/asynchronous_record.hpp"
#include "likelihood/fit/point_desk.hpp"
#include "likelihood/fit/shared_objective.hpp"
#include "likelihood/fit/steady_search.hpp"

namespace tessera::likelihood {

class AsynchronousSearch : public SteadyEvaluator {
  public:
    struct Options {
        double verify = 0;
        std::uint64_t seed = 1;
        std::vector<PointGuest> ranks;
        std::function<void(const std::string&)> say;
    };

    /// The journal at `path` of the run `key` keeps the answers in the order in which the search
    /// had them. All arguments must outlive the object.
    AsynchronousSearch(SharedObjective& shared, const std::string& path, io::JournalKey key,
                       Options options);

    /// Throws Stopped.
    void carry_out(SteadySearch& search, const std::function<void()>& watch) override;

    std::int64_t points_resumed() const { return static_cast<std::int64_t>(before_.size()); }
    const AsynchronousRecord& record() const { return record_; }

  private:
    SharedObjective& shared_;
    Options options_;
    std::vector<SettledPoint> before_;  ///< points of earlier attempts
    io::JournalWriter writer_;
    AsynchronousRecord record_;
};

}  // namespace tessera::likelihood

// Ranks of uneven speed without ranks.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>

#include "likelihood/fit/steady_search.hpp"

namespace tessera::test {

using likelihood::Objective;

/// Two ranks of uneven speed: of `slow` points in flight, one comes back for every four others.
class UnevenRanks : public likelihood::SteadyEvaluator {
  public:
    UnevenRanks(Objective& objective, std::size_t slow) : objective_(objective), slow_(slow) {}

    void carry_out(likelihood::SteadySearch& search, const std::function<void()>& watch) override {
        std::deque<likelihood::Proposal> late;
        const auto answer = [&](const likelihood::Proposal& proposal) {
            search.accept(proposal, objective_.values({&proposal.at, 1}).front());
        };
        for (std::int64_t turn = 1; auto proposal = search.propose(); ++turn) {
            watch();
            if (late.size() < slow_)
                late.push_back(*proposal);
            else
                answer(*proposal);
            if (turn % 5 != 0 || late.empty()) continue;
            answer(late.front());
            late.pop_front();
        }
        for (const likelihood::Proposal& proposal : late) answer(proposal);
    }

  private:
    Objective& objective_;
    std::size_t slow_;
};

}  // namespace tessera::test

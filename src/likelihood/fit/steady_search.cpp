#include "likelihood/fit/steady_search.hpp"

#include <algorithm>
#include <utility>

#include "likelihood/fit/population_moves.hpp"
#include "likelihood/fit/steady_newton.hpp"

namespace tessera::likelihood {

namespace {

class SteadyEvolution : public SteadyPopulation {
  public:
    using SteadyPopulation::SteadyPopulation;

  private:
    Point moved(std::size_t member, RandomStream& random) override {
        return evolved(space_, members_, by_likelihood(members_), member, random);
    }
};

class SteadySwarm : public SteadyPopulation {
  public:
    SteadySwarm(const Space& space, const PopulationOptions& options)
        : SteadyPopulation(space, options),
          velocity_(members_.size(), Point(space.dimension(), 0.0)) {
        for (const Candidate& member : members_) at_.push_back(member.at);
    }

  private:
    /// A particle moves on even if its last point is still being evaluated.
    Point moved(std::size_t member, RandomStream& random) override {
        fly(space_, members_, member, late(), at_[member], velocity_[member], random);
        return at_[member];
    }

    std::vector<Point> at_, velocity_;
};

}  // namespace

SteadySearch::SteadySearch(const Space& space, const MaximisePlan& plan) {
    for (int start = 0; start < plan.starts; ++start) {
        const PopulationOptions options{plan.population,
                                        plan.generations,
                                        plan.tolerance,
                                        plan.seed,
                                        static_cast<std::uint64_t>(start),
                                        plan.given};
        if (plan.method == Method::newton)
            populations_.push_back(make_steady_newton(space, options));
        else if (plan.method == Method::particle_swarm)
            populations_.push_back(std::make_unique<SteadySwarm>(space, options));
        else
            populations_.push_back(std::make_unique<SteadyEvolution>(space, options));
    }
    most_ = size() * plan.generations;
}

std::int64_t SteadySearch::size() const {
    return std::ssize(populations_) * populations_.front()->size();
}

std::optional<Proposal> SteadySearch::propose() {
    for (std::size_t tries = 0; tries < populations_.size(); ++tries) {
        const std::size_t which = std::exchange(turn_, (turn_ + 1) % populations_.size());
        SteadyPopulation& population = *populations_[which];
        if (population.over()) continue;
        const std::size_t member = population.next_member();
        return Proposal{asked_++, which, member, population.propose()};
    }
    return {};
}

void SteadySearch::accept(const Proposal& proposal, double value) {
    SteadyPopulation& population = *populations_[proposal.population];
    population.accept(proposal.member, proposal.at, value);
    ++taken_;
    if (best_.at.empty() || value > best_.value) best_ = {proposal.at, value};
    if (taken_ <= size()) start_ = best_;
    if (population.taken() % population.size() == 0)
        history_.push_back(
            {taken_, static_cast<std::int32_t>(proposal.population), population.best()});
}

bool SteadySearch::over() const {
    return std::ranges::all_of(populations_, [](const auto& one) { return one->over(); });
}

}  // namespace tessera::likelihood

#include "likelihood/fit/steady_population.hpp"

#include <utility>

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t steadily = std::uint64_t{1} << 33;  // key of the random numbers

}  // namespace

SteadyPopulation::SteadyPopulation(const Space& space, const PopulationOptions& options)
    : space_(space),
      options_(options),
      most_(std::int64_t{options.population} * options.generations) {
    for (Point& point : first_points(space, options)) members_.push_back({std::move(point)});
}

Point SteadyPopulation::propose() {
    const std::size_t member = next_member();
    const std::uint64_t number = asked_++;
    if (number < members_.size()) return members_[member].at;
    RandomStream random{options_.seed, options_.start, steadily, number};
    return moved(member, random);
}

void SteadyPopulation::accept(std::size_t member, const Point& at, double value) {
    if (value >= members_[member].value) members_[member] = {at, value};
    noted(at, value);
    if (++taken_ % size() == 0) settled_ = settled_ || has_settled(members_, options_.tolerance);
}

}  // namespace tessera::likelihood

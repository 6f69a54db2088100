// Differential evolution: make_differential_evolution(), declared in population_search.hpp.
#include <algorithm>
#include <utility>

#include "likelihood/fit/population_moves.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

constexpr double leading_share = 0.1;  // share of the population that leads the others
constexpr double scale_low = 0.3, scale_high = 0.9;
constexpr double crossover_low = 0.5, crossover_high = 1.0;

/// One of so many members, other than `i` and `j`.
std::size_t other(RandomStream& random, std::size_t members, std::size_t i, std::size_t j) {
    for (;;) {
        const std::size_t k = random.index(members);
        if (k != i && k != j) return k;
    }
}

class DifferentialEvolution : public PopulationSearch {
  public:
    DifferentialEvolution(const Space& space, const PopulationOptions& options)
        : space_(space), options_(options) {}

    std::vector<Point> proposals() override {
        if (generation_ == 0) {
            trials_ = first_points(space_, options_);
            members_.resize(trials_.size());
            return trials_;
        }
        const auto order = by_likelihood(members_);
        for (std::size_t i = 0; i < members_.size(); ++i) trials_[i] = trial(i, order);
        return trials_;
    }

    void accept(std::span<const double> values) override {
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (generation_ == 0 || values[i] >= members_[i].value)
                members_[i] = {trials_[i], values[i]};
        ++generation_;
    }

    bool over() const override {
        return generation_ >= options_.generations ||
               (generation_ > 0 && has_settled(members_, options_.tolerance));
    }

    int generation() const override { return generation_; }
    const std::vector<Candidate>& population() const override { return members_; }

  private:
    Point trial(std::size_t i, const std::vector<std::size_t>& order) const {
        RandomStream random{options_.seed, options_.start, static_cast<std::uint64_t>(generation_),
                            i};
        return evolved(space_, members_, order, i, random);
    }

    const Space& space_;
    PopulationOptions options_;
    std::vector<Candidate> members_;
    std::vector<Point> trials_;
    int generation_ = 0;
};

}  // namespace

Point evolved(const Space& space, const std::vector<Candidate>& members,
              const std::vector<std::size_t>& order, std::size_t i, RandomStream& random) {
    const auto leaders = std::max<std::size_t>(
        2, static_cast<std::size_t>(leading_share * static_cast<double>(members.size())));
    const Point& at = members[i].at;
    const double scale = random.uniform(scale_low, scale_high);
    const double crossover = random.uniform(crossover_low, crossover_high);
    const std::size_t first = other(random, members.size(), i, i),
                      second = other(random, members.size(), i, first);
    // Differences are taken between the equivalent points nearest to this member. The axis of a
    // stream has no direction, and streams have no order.
    const Point lead = space.image_near(members[order[random.index(leaders)]].at, at);
    const Point plus = space.image_near(members[first].at, at);
    const Point minus = space.image_near(members[second].at, at);
    Point point = at;
    const std::size_t always = random.index(point.size());
    for (std::size_t k = 0; k < point.size(); ++k)
        if (random.uniform() < crossover || k == always)
            point[k] += scale * (lead[k] - at[k]) + scale * (plus[k] - minus[k]);
    return pulled_inside(space, std::move(point), at);
}

std::unique_ptr<PopulationSearch> make_differential_evolution(const Space& space,
                                                              const PopulationOptions& options) {
    return std::make_unique<DifferentialEvolution>(space, options);
}

}  // namespace tessera::likelihood

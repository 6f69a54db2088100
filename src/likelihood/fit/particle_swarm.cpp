// Particle swarm: make_particle_swarm(), declared in population_search.hpp.
#include <algorithm>
#include <utility>

#include "likelihood/fit/population_moves.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

constexpr double inertia = 0.7298, attraction = 1.49618;  // Clerc & Kennedy 2002
constexpr double fastest = 0.5;                           // in the cube, for each step
constexpr std::size_t reach = 3;                          // neighbours on either side of the ring

/// The best particle among the neighbours on the ring. In late generations it is the best of the
/// swarm.
std::size_t guide(const std::vector<Candidate>& best, std::size_t i, bool late) {
    const std::size_t count = best.size();
    const std::size_t near = late ? count / 2 : std::min(reach, (count - 1) / 2);
    std::size_t found = i;
    for (std::size_t k = count - near; k <= count + near; ++k) {
        const std::size_t j = (i + k) % count;
        if (best[j].value > best[found].value) found = j;
    }
    return found;
}

class ParticleSwarm : public PopulationSearch {
  public:
    ParticleSwarm(const Space& space, const PopulationOptions& options)
        : space_(space), options_(options) {}

    std::vector<Point> proposals() override {
        if (generation_ == 0) {
            at_ = first_points(space_, options_);
            best_.resize(at_.size());
            velocity_.assign(at_.size(), Point(space_.dimension(), 0.0));
            return at_;
        }
        for (std::size_t i = 0; i < at_.size(); ++i) move(i);
        return at_;
    }

    void accept(std::span<const double> values) override {
        for (std::size_t i = 0; i < at_.size(); ++i)
            if (generation_ == 0 || values[i] > best_[i].value) best_[i] = {at_[i], values[i]};
        ++generation_;
    }

    bool over() const override {
        return generation_ >= options_.generations ||
               (generation_ > 0 && has_settled(best_, options_.tolerance));
    }

    int generation() const override { return generation_; }
    const std::vector<Candidate>& population() const override { return best_; }

  private:
    void move(std::size_t i) {
        RandomStream random{options_.seed, options_.start, static_cast<std::uint64_t>(generation_),
                            i};
        fly(space_, best_, i, generation_ > options_.generations / 2, at_[i], velocity_[i], random);
    }

    const Space& space_;
    PopulationOptions options_;
    std::vector<Point> at_, velocity_;
    std::vector<Candidate> best_;
    int generation_ = 0;
};

}  // namespace

void fly(const Space& space, const std::vector<Candidate>& best, std::size_t i, bool late,
         Point& at, Point& velocity, RandomStream& random) {
    const Point from = at;
    const Point own = space.image_near(best[i].at, from);
    const Point lead = space.image_near(best[guide(best, i, late)].at, from);
    Point to = from;
    for (std::size_t k = 0; k < to.size(); ++k) {
        double& v = velocity[k];
        v = inertia * v + attraction * random.uniform() * (own[k] - from[k]) +
            attraction * random.uniform() * (lead[k] - from[k]);
        v = std::clamp(v, -fastest, fastest);
        to[k] += v;
        // A particle that hits a bound turns back at half its speed.
        if (!space.goes_round(k) && (to[k] < 0 || to[k] > 1)) v *= -0.5;
    }
    at = pulled_inside(space, std::move(to), from);
}

std::unique_ptr<PopulationSearch> make_particle_swarm(const Space& space,
                                                      const PopulationOptions& options) {
    return std::make_unique<ParticleSwarm>(space, options);
}

}  // namespace tessera::likelihood

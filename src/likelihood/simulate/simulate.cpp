#include "likelihood/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>

#include "core/error.hpp"
#include "likelihood/model/observed_density.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "likelihood/simulate/simulate_observables.hpp"
#include "likelihood/simulate/simulate_places.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t observables_key = 0x6f627365727665;  // separates them from the places
constexpr std::int64_t most_tries = 10'000'000;              // for one star
/// Probability that a star of true magnitude m is observed at m - offset: efficiency times turnoff.
/// It interpolates a table of the values that the likelihood uses. Errors are below 1e-4 of a
/// value.
class ObservationTable {
  public:
    explicit ObservationTable(const StreamModel& model) : range_(model.areas.front().r) {
        const bool classic = model.model == io::Model::classic;
        QuadratureRule rule;
        for (int i = 0; i < offsets; ++i) {
            const double x = 2.0 * i / (offsets - 1) - 1;
            rule.nodes.push_back(classic ? x : -x);
            rule.weights.push_back(1);
        }
        const LineOfSight line(model, rule);
        for (int k = 0; k < magnitudes; ++k) {
            const double kpc =
                distance_of(range_.min + k * (range_.max - range_.min) / (magnitudes - 1));
            RadialNodes nodes;
            line.append(kpc, kpc * kpc * kpc, nodes);
            for (std::size_t i = 0; i < offsets; ++i)
                values_.push_back(nodes.weight[i] / std::pow(nodes.radius[i], 3));
        }
        most_ = *std::ranges::max_element(values_);
        if (!(most_ > 0 && *std::ranges::min_element(values_) >= 0))
            throw Error("cannot draw stars", "the distribution of the turnoff is not positive",
                        "use turnoff gaussian, or a narrower range of magnitudes",
                        ExitCode::numerics);
    }

    /// Probability up to a constant factor; 0 beyond the magnitudes of the wedge.
    double operator()(double observed, double offset) const {
        const double k = (observed - range_.min) / (range_.max - range_.min) * (magnitudes - 1);
        const double i = (offset / widest_offset + 1) / 2 * (offsets - 1);
        if (!(k >= 0 && k <= magnitudes - 1)) return 0;
        const int k0 = std::min(static_cast<int>(k), magnitudes - 2);
        const int i0 = std::clamp(static_cast<int>(i), 0, offsets - 2);
        const auto at = [&](int row, int column) {
            return values_[static_cast<std::size_t>(row * offsets + column)];
        };
        const double x = k - k0, y = i - i0;
        return ((1 - x) * ((1 - y) * at(k0, i0) + y * at(k0, i0 + 1)) +
                x * ((1 - y) * at(k0 + 1, i0) + y * at(k0 + 1, i0 + 1))) /
               most_;
    }

  private:
    static constexpr int magnitudes = 1025,
                         offsets = 721;  // a node at offset 0, where N has a kink
    io::Cells range_;
    std::vector<double> values_;
    double most_ = 0;
};

bool within(const io::Cells& cells, double value) {
    return value >= cells.min && value <= cells.max;
}

/// Whether an angle is within the cells, up to whole turns.
bool within_turns(const io::Cells& cells, double degrees) {
    return within(cells, degrees - 360 * std::floor((degrees - cells.min) / 360));
}

}  // namespace

class StarDrawer::Simulation {
  public:
    Simulation(const StreamModel& model, std::uint64_t seed, std::span<const Star> measured)
        : model_(model),
          seed_(seed),
          measured_(measured),
          observed_(model),
          frame_(model.wedge),
          stripe_(stripe_axes(model.wedge)) {
        if (model.selection) selected_areas(model);  // refuses one that leaves nothing
        drawers_.push_back(make_background_drawer(model));
        double sum = model.model == io::Model::classic ? std::exp(model.background.epsilon) : 1;
        shares_.push_back(sum);
        for (std::size_t s = 0; s < model.streams.size(); ++s) {
            drawers_.push_back(make_stream_drawer(model, s));
            shares_.push_back(sum += std::exp(model.streams[s].epsilon));
        }
    }

    SimulatedStar draw(std::uint64_t index) const {
        SimulatedStar drawn = place(index);
        if (model_.observables.empty()) return drawn;
        RandomStream random{seed_, index, observables_key};
        const std::vector<double> errors = measured_.empty()
                                               ? simulated_errors(model_, drawn.star.r, random)
                                               : measured_[index].observed;
        const double x = place_along(model_, stripe_, drawn.star);
        drawn.star.observed = simulated_values(model_, drawn.component, x, errors, random);
        return drawn;
    }

  private:
    /// A star without observables.
    SimulatedStar place(std::uint64_t index) const {
        RandomStream random{seed_, index};
        const double share = random.uniform() * shares_.back();
        const auto found = std::ranges::upper_bound(shares_, share) - shares_.begin();
        const int component =
            static_cast<int>(std::min(found, static_cast<std::ptrdiff_t>(shares_.size()) - 1));
        for (std::int64_t tries = 0; tries < most_tries; ++tries) {
            const double offset = random.uniform(-widest_offset, widest_offset);
            const auto place = drawers_[static_cast<std::size_t>(component)]->draw(random, offset);
            if (!place) continue;
            const double magnitude = place->magnitude - offset;
            if (random.uniform() >= observed_(magnitude, offset) || is_cut(*place, magnitude))
                continue;
            const Star seen = star(*place, magnitude);
            if (model_.selection && random.uniform() >= completeness_at(model_, stripe_, seen))
                continue;
            return {seen, component};
        }
        throw Error(
            fmt::format("cannot draw stars of {}",
                        component == 0 ? "the background" : fmt::format("stream {}", component)),
            fmt::format("none of {} tries lies in the wedge", most_tries),
            "correct the model, which has almost no stars in the wedge", ExitCode::numerics);
    }

    bool is_cut(const Place& place, double magnitude) const {
        for (std::size_t a = 1; a < model_.areas.size(); ++a) {
            const io::Area& cut = model_.areas[a];
            if (within(cut.r, magnitude) && within_turns(cut.mu, place.mu) &&
                within(cut.nu, place.nu))
                return true;
        }
        return false;
    }

    Star star(const Place& place, double magnitude) const {
        const Direction towards = direction(model_.wedge, place.mu, place.nu);
        return {towards.l < 0 ? towards.l + 360 : towards.l, towards.b, distance_of(magnitude), {}};
    }

    const StreamModel& model_;
    std::uint64_t seed_;
    std::span<const Star> measured_;
    ObservationTable observed_;
    StripeFrame frame_;
    StripeAxes stripe_;
    std::vector<std::unique_ptr<PlaceDrawer>> drawers_;
    std::vector<double> shares_;  // cumulative weights
};

StarDrawer::StarDrawer(const StreamModel& model, std::uint64_t seed, std::span<const Star> measured)
    : simulation_(std::make_unique<Simulation>(model, seed, measured)) {}
StarDrawer::~StarDrawer() = default;

std::vector<SimulatedStar> StarDrawer::draw(std::int64_t first, std::int64_t number) const {
    std::vector<SimulatedStar> stars(static_cast<std::size_t>(number));
    std::exception_ptr failure;
    std::atomic<bool> failed{false};  // after one failure the other stars are not tried
#pragma omp parallel for schedule(dynamic, 64)
    for (std::int64_t i = 0; i < number; ++i) {
        if (failed) continue;
        try {
            stars[static_cast<std::size_t>(i)] =
                simulation_->draw(static_cast<std::uint64_t>(first + i));
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
            failed = true;
        }
    }
    if (failure) std::rethrow_exception(failure);
    return stars;
}

}  // namespace tessera::likelihood

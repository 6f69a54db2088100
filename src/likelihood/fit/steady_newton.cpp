#include "likelihood/fit/steady_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/fit/quadratic_fit.hpp"

namespace tessera::likelihood {

namespace {

constexpr double first_width = 0.1, widest = 0.5, narrowest = 1e-7;  // of the box, in the cube
constexpr double longest_step = 2;                                   // in half-widths of the box
constexpr double furthest = 1.5;  // along the line, as a multiple of the step
constexpr std::int64_t least_on_line = 8, line_share = 10;  // points, and the share of a population
constexpr double good = 0.5, poor = 0.1;  // gain, as a share of what the quadratic promised
constexpr double growth = 1.5, shrinkage = 0.5, settling = 0.7;  // of the box

class SteadyNewton : public SteadyPopulation {
  public:
    SteadyNewton(const Space& space, const PopulationOptions& options)
        : SteadyPopulation(space, options), half_(space.dimension(), first_width) {}

  private:
    enum class Stage { start, box, line };

    /// A random point of the box or of the line. While the first points are still being evaluated,
    /// a random point of the cube.
    Point moved(std::size_t, RandomStream& random) override {
        if (stage_ == Stage::start) return space_.random_point(random);
        if (stage_ == Stage::line) return along(furthest * random.uniform());
        Point point = centre_.at;
        for (std::size_t k = 0; k < point.size(); ++k) {
            const double low = point[k] - half_[k], high = point[k] + half_[k];
            const bool round = space_.goes_round(k);
            const double from = round ? low : std::max(low, 0.0);
            const double to = round ? high : std::min(high, 1.0);
            point[k] = from + (to - from) * random.uniform();
        }
        return point;
    }

    Point along(double length) const {
        Point point = centre_.at;
        for (std::size_t k = 0; k < point.size(); ++k) {
            point[k] += length * step_[k] * half_[k];
            if (!space_.goes_round(k)) point[k] = std::clamp(point[k], 0.0, 1.0);
        }
        return point;
    }

    /// Points of an earlier box or line count too if they lie in the box of now.
    void noted(const Point& at, double value) override {
        ++since_;
        if (value > best_.value) best_ = {at, value};
        if (stage_ == Stage::start) {
            if (since_ >= size() && best_.value > rejected) open_box();
            return;
        }
        if (stage_ == Stage::box) collect(at, value);
        if (stage_ == Stage::box && since_ >= size()) draw_line();
        if (stage_ == Stage::line && since_ >= std::max(least_on_line, size() / line_share))
            end_line();
    }

    void collect(const Point& at, double value) {
        Point x = space_.image_near(at, centre_.at);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = (x[k] - centre_.at[k]) / half_[k];
        const bool inside = std::ranges::all_of(x, [](double u) { return std::abs(u) <= 1; });
        if (inside && value > rejected) box_.push_back({std::move(x), value - centre_.value});
    }

    void open_box() {
        centre_ = best_;
        box_.clear();
        begin(Stage::box);
    }

    void draw_line() {
        const auto model = fitted_quadratic(box_);
        if (!model) {  // most of the box is not allowed
            scale_box(shrinkage);
            open_box();
            return;
        }
        step_ = newton_step(*model, longest_step);
        promise_ = promised(*model, step_);
        even_out(model->curvature);
        begin(Stage::line);
    }

    /// The box grows where the quadratic was right and its maximum lies outside, and shrinks where
    /// it was wrong.
    void end_line() {
        const double gain = best_.value - centre_.value;
        double reach = 0;
        for (const double one : step_) reach = std::max(reach, std::abs(one));
        scale_box(!(gain > poor * promise_)               ? shrinkage
                  : gain >= good * promise_ && reach >= 1 ? growth
                                                          : settling);
        open_box();
    }

    /// Makes the value fall by the same amount towards all sides of the box, by a factor of at most
    /// two. The step keeps its length.
    void even_out(const Matrix& curvature) {
        double mean = 0;
        for (std::size_t k = 0; k < half_.size(); ++k)
            mean += std::abs(curvature(k, k)) / static_cast<double>(half_.size());
        if (!(mean > 0)) return;
        for (std::size_t k = 0; k < half_.size(); ++k) {
            const double before = half_[k];
            const double factor =
                std::sqrt(mean / std::max(std::abs(curvature(k, k)), 0.01 * mean));
            half_[k] = std::clamp(before * std::clamp(factor, 0.5, 2.0), narrowest, widest);
            step_[k] *= before / half_[k];
        }
    }

    void scale_box(double factor) {
        for (double& one : half_) one = std::clamp(factor * one, narrowest, widest);
    }

    void begin(Stage stage) {
        stage_ = stage;
        since_ = 0;
    }

    Stage stage_ = Stage::start;
    std::int64_t since_ = 0;  ///< answers since the stage began
    Candidate best_, centre_;
    Point half_;                  ///< widths of the box to either side
    std::vector<Candidate> box_;  ///< places in units of the box, values from that of its centre
    Point step_;                  ///< in units of the box
    double promise_ = 0;          ///< the gain of the step by the quadratic
};

}  // namespace

std::unique_ptr<SteadyPopulation> make_steady_newton(const Space& space,
                                                     const PopulationOptions& options) {
    return std::make_unique<SteadyNewton>(space, options);
}

}  // namespace tessera::likelihood

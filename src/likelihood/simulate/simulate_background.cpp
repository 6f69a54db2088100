// Positions of background stars: make_background_drawer(), declared in simulate_places.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/streams/stream_profiles.hpp"
#include "likelihood/model/disks.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "likelihood/simulate/simulate_places.hpp"

namespace tessera::likelihood {

namespace {

using io::Model;
using io::Profile;

constexpr double power_law_break = 12, power_law_scale = 8.5;           // kpc
constexpr double disk_length = 0.285714286, disk_height = 1.428571429;  // per kpc

/// Whether the halo is all there is, so that halo_of() has the whole density.
bool is_own(Profile profile) { return !io::own_numbers(profile).empty(); }

double power_law(const io::Background& b, double rg) {
    return std::pow(power_law_scale / rg, rg < power_law_break ? b.alpha : b.delta);
}

double hernquist(const io::Background& b, double rg) {
    return 1 / (std::pow(rg, b.alpha) * std::pow(rg + b.r0, 3 - b.alpha + b.delta));
}

double auxiliary(const io::Background& b, double magnitude) {
    return (b.a * magnitude + b.b) * magnitude + b.c;
}

double flattened_radius(const StreamModel& model, const Vec3& at) {
    const io::Background& b = model.background;
    if (b.triaxial) return norm(halo_of(model).to_axes * at);
    return std::sqrt(at.x * at.x + at.y * at.y + at.z * at.z / (b.q * b.q));
}

/// Density of the background (docs/method/likelihood.md) at a galactocentric position in kpc.
/// `magnitude` is the true magnitude of a node, and the observed one is brighter by `offset`.
double background_density(const StreamModel& model, const Disks& disks, const Vec3& position,
                          double magnitude, double offset) {
    const io::Background& b = model.background;
    const double rg = flattened_radius(model, position);
    const double own = disk_density(disks, position);
    if (is_own(b.profile)) return halo_density(halo_of(model), rg) + own;
    if (b.profile == Profile::broken_power_law) return power_law(b, rg) + own;
    double density = hernquist(b, rg);
    // The 2018 model uses the magnitude mirrored at the observed one.
    const double taken = model.model == Model::classic ? magnitude : magnitude - 2 * offset;
    if (b.has_auxiliary()) density += auxiliary(b, taken);
    if (!has_disk(model)) return density + own;
    return b.epsilon * density +
           (1 - b.epsilon) * std::exp(-disk_length * std::hypot(position.x, position.y) -
                                      disk_height * std::abs(position.z));
}

/// Cells of equal solid angle and depth in magnitude. Each has an upper bound of density times
/// distance cubed, which is proportional to the number of stars per solid angle and magnitude.
class BackgroundDrawer : public PlaceDrawer {
  public:
    explicit BackgroundDrawer(const StreamModel& model)
        : model_(model), frame_(model.wedge), area_(model.areas.front()) {
        first_sin_ = std::sin(area_.nu.min * units::degree);
        sin_width_ = std::sin(area_.nu.max * units::degree) - first_sin_;
        first_magnitude_ = area_.r.min - widest_offset;
        magnitude_width_ = area_.r.max - area_.r.min + 2 * widest_offset;
        double sum = 0;
        for (int cell = 0; cell < mu_cells * nu_cells * depth_cells; ++cell) {
            bounds_.push_back(bound(corner_of(cell)));
            cumulative_.push_back(sum += bounds_.back());
        }
        if (!std::isfinite(sum) || !(sum > 0))
            throw Error("cannot draw stars of the background",
                        "its density is unbounded in the wedge", "correct its parameters",
                        ExitCode::numerics);
    }

    std::optional<Place> draw(RandomStream& random, double offset) const override {
        const double drawn = random.uniform() * cumulative_.back();
        const auto found = std::ranges::upper_bound(cumulative_, drawn);
        const auto cell = std::min(found - cumulative_.begin(),
                                   static_cast<std::ptrdiff_t>(cumulative_.size()) - 1);
        const Corner corner = corner_of(static_cast<int>(cell));
        const double mu = corner.mu + random.uniform() * mu_step();
        const double sin_nu = corner.sin_nu + random.uniform() * sin_width_ / nu_cells;
        const double magnitude = corner.magnitude + random.uniform() * depth();
        const double r = distance_of(magnitude);
        const double value =
            r * r * r *
            background_density(model_, disks_, position(frame_.unit(mu, sin_nu), r), magnitude,
                               offset);
        const double limit = bounds_[static_cast<std::size_t>(cell)];
        if (!(value >= 0 && value <= limit * (1 + 1e-9)))
            throw Error("cannot draw stars of the background",
                        fmt::format("its density is {:g} of the bound at magnitude {:g}",
                                    value / limit, magnitude),
                        "choose a, b and c that keep the density positive", ExitCode::numerics);
        if (random.uniform() * limit >= value) return std::nullopt;
        return Place{mu, std::asin(sin_nu) / units::degree, magnitude};
    }

  private:
    static constexpr int mu_cells = 32, nu_cells = 2, depth_cells = 256;

    /// The lower corner of a cell.
    struct Corner {
        double mu, sin_nu, magnitude;
    };

    double mu_step() const { return (area_.mu.max - area_.mu.min) / mu_cells; }
    double depth() const { return magnitude_width_ / depth_cells; }

    Corner corner_of(int cell) const {
        const int k = cell % depth_cells, j = cell / depth_cells % nu_cells,
                  i = cell / (depth_cells * nu_cells);
        return {area_.mu.min + i * mu_step(), first_sin_ + j * sin_width_ / nu_cells,
                first_magnitude_ + k * depth()};
    }

    static Vec3 position(const Vec3& unit, double r) {
        return {unit.x * r - sun_r0, unit.y * r, unit.z * r};
    }

    double bound(const Corner& corner) const {
        const double inner = distance_of(corner.magnitude);
        const double outer = distance_of(corner.magnitude + depth());
        const double sin_step = sin_width_ / nu_cells;
        const Vec3 centre =
            position(frame_.unit(corner.mu + mu_step() / 2, corner.sin_nu + sin_step / 2),
                     (inner + outer) / 2);
        // The radius adds the arcs from the centre to a corner along mu, nu and the line of sight.
        const double nu_arc = std::asin(corner.sin_nu + sin_step) - std::asin(corner.sin_nu);
        const double radius =
            outer * (mu_step() * units::degree + nu_arc) / 2 + (outer - inner) / 2;
        return outer * outer * outer * density_bound(centre, radius, corner.magnitude);
    }

    /// Upper bound of the density within `radius` of a position, for a cell that begins at
    /// `magnitude`.
    double density_bound(const Vec3& centre, double radius, double magnitude) const {
        const io::Background& b = model_.background;
        const double stretch = std::max({1.0, 1 / b.p, 1 / b.q});
        const double rg = flattened_radius(model_, centre);
        const double near = rg - stretch * radius, far = rg + stretch * radius;
        if (near < 0.01)
            throw Error("cannot draw stars of the background",
                        "the wedge comes too near to the Galactic centre", "choose another wedge",
                        ExitCode::numerics);
        const double in_plane = std::max(0.0, std::hypot(centre.x, centre.y) - radius);
        const double height = std::max(0.0, std::abs(centre.z) - radius);
        const double own = disk_density(disks_, {in_plane, 0, height});
        const double halo = halo_bound(near, far, magnitude);
        if (!has_disk(model_)) return halo + own;
        return b.epsilon * halo +
               (1 - b.epsilon) * std::exp(-disk_length * in_plane - disk_height * height);
    }

    /// Upper bound of the halo's density between two flattened radii.
    double halo_bound(double near, double far, double magnitude) const {
        const io::Background& b = model_.background;
        if (is_own(b.profile)) return halo_density(halo_of(model_), near);  // falls with rg
        if (b.profile == Profile::broken_power_law) {
            double most = std::max(power_law(b, near), power_law(b, far));
            if (near <= power_law_break && far >= power_law_break)
                for (const double power : {b.alpha, b.delta})
                    most = std::max(most, std::pow(power_law_scale / power_law_break, power));
            return most;
        }
        const double outer_power = 3 - b.alpha + b.delta;
        double most = 1 / (std::pow(b.alpha >= 0 ? near : far, b.alpha) *
                           std::pow((outer_power >= 0 ? near : far) + b.r0, outer_power));
        return b.has_auxiliary() ? most + auxiliary_bound(magnitude) : most;
    }

    double auxiliary_bound(double magnitude) const {
        const io::Background& b = model_.background;
        const double low = magnitude - 2 * widest_offset;
        const double high = magnitude + depth() + 2 * widest_offset;
        double most = std::max({0.0, auxiliary(b, low), auxiliary(b, high)});
        const double top = b.a != 0 ? -b.b / (2 * b.a) : low;
        if (top > low && top < high) most = std::max(most, auxiliary(b, top));
        return most;
    }

    const StreamModel& model_;
    Disks disks_ = disks_of(model_);
    StripeFrame frame_;
    io::Area area_;
    double first_sin_ = 0, sin_width_ = 0, first_magnitude_ = 0, magnitude_width_ = 0;
    std::vector<double> bounds_, cumulative_;
};

}  // namespace

std::unique_ptr<PlaceDrawer> make_background_drawer(const StreamModel& model) {
    return std::make_unique<BackgroundDrawer>(model);
}

}  // namespace tessera::likelihood

#include "likelihood/model/observed_density.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tessera::likelihood {

double place_along(const StreamModel& model, const StripeAxes& stripe, const Star& star) {
    const Vec3 unit = galactic_direction(star.l, star.b).unit;
    const double mu =
        survey_node +
        std::atan2(dot(unit, stripe.axes[1]), dot(unit, stripe.axes[0])) * (180 / std::numbers::pi);
    const io::Cells& range = model.areas.front().mu;
    return std::remainder(mu - (range.min + range.max) / 2, 360.0);
}

ObservedNormal::ObservedNormal(std::span<const io::Spread> spreads,
                               std::span<const double> observed, double x)
    : all_(spreads.size()) {
    const std::size_t all = spreads.size();
    for (std::size_t i = 0; i < all; ++i) {
        if (std::isnan(observed[i])) continue;
        const io::Spread& spread = spreads[i];
        which_[count_] = i;
        mean_[count_] = spread.mean + x * (spread.slope + x * spread.curvature);
        const double error = observed[all + i];
        for (std::size_t k = 0; k < count_; ++k)
            lower_[count_][k] = observed[io::correlation_place(all, i, which_[k])] * error *
                                observed[all + which_[k]];
        lower_[count_][count_] = error * error + spread.dispersion * spread.dispersion;
        ++count_;
    }
    factorise();
}

void ObservedNormal::factorise() {
    for (std::size_t i = 0; i < count_; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double& entry = lower_[i][j];
            for (std::size_t k = 0; k < j; ++k) entry -= lower_[i][k] * lower_[j][k];
            entry = i == j ? std::sqrt(entry) : entry / lower_[j][j];
        }
}

std::vector<double> ObservedNormal::values(std::span<const double> normals) const {
    std::vector<double> all(all_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < count_; ++i) {
        double value = mean_[i];
        for (std::size_t k = 0; k <= i; ++k) value += lower_[i][k] * normals[k];
        all[which_[i]] = value;
    }
    return all;
}

}  // namespace tessera::likelihood

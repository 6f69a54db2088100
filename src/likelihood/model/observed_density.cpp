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
    : spreads_(spreads), x_(x) {
    const std::size_t all = spreads.size();
    for (std::size_t i = 0; i < all; ++i) {
        if (std::isnan(observed[i])) continue;
        const io::Spread& spread = spreads[i];
        which_[count_] = i;
        mean_[count_] = spread.mean + x * (spread.slope + x * spread.curvature);
        residual_[count_] = observed[i] - mean_[count_];
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
    for (std::size_t i = 0; i < count_; ++i) {
        reduced_[i] = residual_[i];
        for (std::size_t j = 0; j <= i; ++j) {
            double& entry = lower_[i][j];
            for (std::size_t k = 0; k < j; ++k) entry -= lower_[i][k] * lower_[j][k];
            entry = i == j ? std::sqrt(entry) : entry / lower_[j][j];
            if (j < i) reduced_[i] -= entry * reduced_[j];
        }
        reduced_[i] /= lower_[i][i];
    }
}

double ObservedNormal::log_density() const {
    constexpr double half_log_two_pi = 0.91893853320467274178;
    double log = 0;
    for (std::size_t i = 0; i < count_; ++i)
        log -= reduced_[i] * reduced_[i] / 2 + std::log(lower_[i][i]) + half_log_two_pi;
    return log;
}

/// With V the covariance and r the residual, d log N / d mean = V^-1 r, and d log N / d dispersion
/// is dispersion ((V^-1 r)^2 - the diagonal of V^-1).
void ObservedNormal::add_slopes(double factor, double* to) const {
    std::array<Row, most> inverse{};  // of `lower`, column by column
    for (std::size_t c = 0; c < count_; ++c)
        for (std::size_t i = c; i < count_; ++i) {
            double entry = i == c ? 1 : 0;
            for (std::size_t k = c; k < i; ++k) entry -= lower_[i][k] * inverse[k][c];
            inverse[i][c] = entry / lower_[i][i];
        }
    for (std::size_t c = 0; c < count_; ++c) {
        double pull = 0, diagonal = 0;
        for (std::size_t i = c; i < count_; ++i) {
            pull += inverse[i][c] * reduced_[i];
            diagonal += inverse[i][c] * inverse[i][c];
        }
        double* const slopes = to + spread_parameters * which_[c];
        slopes[0] += factor * pull;
        slopes[1] += factor * pull * x_;
        slopes[2] += factor * pull * x_ * x_;
        slopes[3] += factor * spreads_[which_[c]].dispersion * (pull * pull - diagonal);
    }
}

std::vector<double> ObservedNormal::values(std::span<const double> normals) const {
    std::vector<double> all(spreads_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < count_; ++i) {
        double value = mean_[i];
        for (std::size_t k = 0; k <= i; ++k) value += lower_[i][k] * normals[k];
        all[which_[i]] = value;
    }
    return all;
}

}  // namespace tessera::likelihood

#include "likelihood/model/radial_nodes.hpp"

#include <cmath>
#include <numbers>

namespace tessera::likelihood {

namespace {

constexpr double absolute_magnitude = 4.2;  // g0 of turnoff stars
constexpr double spread = 0.6;              // standard deviation of absolute magnitudes
constexpr double half_width = 3 * spread;   // half width of the convolution in magnitudes

/// Share of the stars of magnitude g that the survey detects.
double efficiency(double g) { return 0.9402 / (std::exp(1.6171 * (g - 23.5877)) + 1); }

/// Completeness correction of the two-sided turnoff at a distance of t kpc (Newby et al. 2011).
double newby_completeness(double t) {
    constexpr double yellow[8] = {
        5.61945007e2, -1.67343282e1, 1.09325822e-1, 1.34993610e-3, -1.42044161e-5, 0, 0, 0};
    constexpr double red[8] = {8.55878159,    -1.04891551e1,  3.51630757,    -2.29741062e-1,
                               6.72278105e-3, -1.01910181e-4, 7.82787167e-7, -2.41452056e-9};
    double sum = 0;
    for (int k = 7; k >= 0; --k) sum = sum * t + (yellow[k] + red[k]);
    return sum / 532;
}

constexpr double root_two_pi = 2.5066282746310005024;

}  // namespace

double magnitude_at(double kpc) { return 5 * (std::log10(1000 * kpc) - 1) + absolute_magnitude; }

double distance_of(double magnitude) {
    return std::pow(10.0, (magnitude - 10 - absolute_magnitude) / 5);
}

LineOfSight::LineOfSight(const io::StreamModel& model, const QuadratureRule& rule)
    : classic_(model.model == io::Model::classic), newby_(model.turnoff == io::Turnoff::newby2011) {
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        const double offset = half_width * rule.nodes[i];
        const double ratio = std::pow(10.0, (classic_ ? offset : -offset) / 5);
        const double turnoff =
            newby_ ? 1
                   : std::exp(-offset * offset / (2 * spread * spread)) / (spread * root_two_pi);
        nodes_.push_back({offset, ratio, rule.weights[i] * ratio * ratio * ratio * turnoff});
    }
}

LineOfSight::Seen LineOfSight::seen_at(double kpc) const {
    // The factor 1 / r'^3 cancels, because r_i^3 = r'^3 ratio^3.
    const double along = efficiency(magnitude_at(kpc)) * (classic_ ? half_width : 1.0);
    if (!newby_) return {along, 0, 0};
    const double left = 0.36, right = 0.52 / (1 + std::exp(12 - kpc)) + 0.76;
    return {along * newby_completeness(kpc) / ((left + right) / 2 * root_two_pi),
            1 / (2 * left * left), 1 / (2 * right * right)};
}

void LineOfSight::append(double kpc, double factor, RadialNodes& to) const {
    const std::size_t first = to.radius.size();
    resize(to, first + nodes_.size());
    fill(kpc, factor, to, first);
}

void LineOfSight::resize(RadialNodes& nodes, std::size_t size) {
    for (std::vector<double>* values : {&nodes.radius, &nodes.weight, &nodes.magnitude})
        values->resize(size);
}

void LineOfSight::fill(double kpc, double factor, RadialNodes& to, std::size_t first) const {
    const double g = magnitude_at(kpc);
    const Seen seen = seen_at(kpc);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        const double fall = node.offset <= 0 ? seen.faint : seen.bright;
        to.radius[first + i] = kpc * node.ratio;
        to.weight[first + i] =
            factor * seen.along * node.weight * std::exp(-node.offset * node.offset * fall);
        to.magnitude[first + i] = g + node.offset;
    }
}

RadialNodes area_nodes(const io::Area& area, const LineOfSight& line) {
    RadialNodes nodes;
    const auto convolve = static_cast<std::size_t>(line.nodes());
    LineOfSight::resize(nodes, static_cast<std::size_t>(area.r.steps) * convolve);
    const double step = area.r.step();
    const double growth = std::numbers::ln10 / 5 * step;  // ln(outer / inner) of a cell
#pragma omp parallel for if (nodes.radius.size() > 16384)
    for (int k = 0; k < area.r.steps; ++k) {
        const double inner = distance_of(area.r.min + k * step);
        const double outer = distance_of(area.r.min + k * step + step);
        // (outer^3 - inner^3) / 3 without cancellation.
        const double volume = inner * inner * inner * std::expm1(3 * growth) / 3 * area.mu.step() *
                              std::numbers::pi / 180;
        line.fill((inner + outer) / 2, volume, nodes, static_cast<std::size_t>(k) * convolve);
    }
    return nodes;
}

}  // namespace tessera::likelihood
